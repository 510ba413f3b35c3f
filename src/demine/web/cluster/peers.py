"""Requests that one process of a server hands on to another, and how the other knows them.

They come with the client's own headers, and with two more: who the client is and how often the
request was handed on, and a secret that proves it comes from a process of this server.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.requests import HTTPConnection
    from starlette.types import ASGIApp, Receive, Scope, Send

_PURPOSE: Final = b"demine peer 1"
_PROOF: Final = b"x-demine-peer-proof"
_SENDER: Final = b"x-demine-peer"
_KEY: Final = "demine.peer"
MOST_HOPS: Final = 3
"""To the home of the player, from there to that of a race of theirs, and to that of the next."""


class Sender(NamedTuple):
    """Who sent a request that was handed on."""

    host: str
    port: int
    scheme: str
    hops: int
    """How often it was handed on."""


def peer_secret(key: bytes) -> str:
    """Return what proves that a request comes from a process with the same key."""
    return hmac.digest(key, _PURPOSE, "sha256").hex()


def hops_of(connection: HTTPConnection) -> int:
    """Return how often a request was handed on."""
    sender: Sender | None = connection.scope.get(_KEY)
    return 0 if sender is None else sender.hops


def headers_of(connection: HTTPConnection, secret: str) -> list[tuple[bytes, bytes]]:
    """Return the headers with which a request is handed on."""
    client = connection.client
    host, port = ("", 0) if client is None else client
    sender = Sender(host, port, connection.scope["scheme"], hops_of(connection) + 1)
    kept = [each for each in connection.scope["headers"] if each[0] not in {_PROOF, _SENDER}]
    return [*kept, (_PROOF, secret.encode()), (_SENDER, msgspec.json.encode(sender))]


class PeerMiddleware:
    """Shows the application a request that was handed on as if the client had sent it here.

    What claims to be one without a right proof is taken as it came.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer as ASGI asks."""
        if scope["type"] in {"http", "websocket"}:
            sender = _sender(scope)
            if sender is not None:
                client = (sender.host, sender.port)
                scope = {**scope, "client": client, "scheme": sender.scheme, _KEY: sender}
        # Not awaited here: a WebSocket would hold this call in memory as long as it is open.
        return self._app(scope, receive, send)


def _sender(scope: Scope) -> Sender | None:
    headers = dict(scope["headers"])
    proof, said = headers.get(_PROOF), headers.get(_SENDER)
    if proof is None or said is None:
        return None
    secret = peer_secret(scope["app"].state.services.key)
    if not hmac.compare_digest(proof, secret.encode()):
        return None
    return msgspec.json.decode(said, type=Sender)
