"""Who may speak to the server at all: its own pages, under a host name that is its own.

A page of another site can make a browser send requests with the player's cookie. So whatever
changes something, and every socket, must come from a page of this server (`Origin`,
`Sec-Fetch-Site`). A name that somebody lets point to this machine is refused too, or its pages
would count as this server's own: addresses written as numbers and `localhost` are always right,
other names must be known.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from demine.scene.translation import explain, mark
from demine.web.errors import Foreign

if TYPE_CHECKING:
    from collections.abc import Awaitable, Collection, MutableMapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_READING: Final = ("GET", "HEAD", "OPTIONS")
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors "
)
"""Nothing comes from another host, and no script stands in a page."""
_EMBEDDABLE: Final = "/embed/"
"""The pages that other sites may show in a frame: recordings that only play."""
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    # Not `no-referrer`, with which a browser says no origin either when a form is sent.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)
_FOREIGN_HOST: Final = mark(
    "this server is not {host}; whoever runs it names its hosts with demine serve --host-name"
)
_FOREIGN_PAGE: Final = mark("only pages of this server may ask for this")


class SecurityMiddleware:
    """Refuses what other sites send, and adds the headers that bind a browser.

    `host_names` are the server's names besides `localhost` and numbers, without a port.
    """

    def __init__(self, app: ASGIApp, host_names: Collection[str] = ()) -> None:
        self._app = app
        self._host_names = frozenset(name.lower().rstrip(".") for name in host_names)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer as ASGI asks."""
        is_checked = scope["type"] in {"http", "websocket"}
        refusal = self._refusal(scope) if is_checked else None
        if refusal is not None:
            return _refuse(refusal, scope, send)
        # A WebSocket has no headers but those of its handshake. It is not awaited here: it would
        # hold this call in memory as long as it is open.
        answer = self._answer if scope["type"] == "http" else self._app
        return answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        policy = (_POLICY + ("*" if scope["path"].startswith(_EMBEDDABLE) else "'none'")).encode()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, policy, private=scope["path"].startswith("/api/"))
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Foreign | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not self.is_own_host(hosts[0]):
            return Foreign(_FOREIGN_HOST, host=hosts[0][:80] if hosts else "?")
        if scope["type"] == "http" and scope["method"] in _READING:
            return None
        origins = _values(scope, b"origin")
        site = _values(scope, b"sec-fetch-site")
        own = [_origin(scope["scheme"], hosts[0])]
        # What is no browser sends neither; it has no cookie that somebody else could use.
        is_own = origins in ([], own) and site in ([], ["same-origin"], ["none"])
        return None if is_own else Foreign(_FOREIGN_PAGE)

    def is_own_host(self, host: str) -> bool:
        """Whether a `Host` header names this server."""
        name = _host_name(host)
        if name is None:
            return False
        if name == "localhost" or name.endswith(".localhost") or name in self._host_names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def _host_name(host: str) -> str | None:
    """Return the name in a `Host` header, in small letters without port; None for no host."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    if parts.netloc != host or "@" in host or parts.hostname is None:
        return None
    return parts.hostname.rstrip(".")


def _origin(scheme: str, host: str) -> str:
    """Return the origin of this server's pages, as a browser writes it."""
    web = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    default = ":443" if web == "https" else ":80"
    return f"{web}://{host.lower().removesuffix(default)}"


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _add_headers(message: MutableMapping[str, object], policy: bytes, *, private: bool) -> None:
    headers = list(message.get("headers", ()))  # type: ignore[call-overload]
    there = {name.lower() for name, _ in headers}
    wanted = [*_HEADERS, (b"content-security-policy", policy)]
    if private:
        wanted.append((b"cache-control", b"no-store"))
    message["headers"] = [*headers, *(each for each in wanted if each[0] not in there)]


async def _refuse(refusal: Foreign, scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.what})
        return
    body = explain(refusal).encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *_HEADERS,
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
