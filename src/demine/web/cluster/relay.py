"""Hands requests on to the process that has to answer them, and passes connections to it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from starlette.responses import StreamingResponse
from starlette.websockets import WebSocketDisconnect, WebSocketState

from demine.web.cluster.passed_sockets import abstract_name, pass_socket
from demine.web.cluster.peers import MOST_HOPS, headers_of, hops_of, peer_secret
from demine.web.connections import pass_connection
from demine.web.errors import ClientLeft
from demine.web.homes import Elsewhere
from demine.web.text_socket import accept_once

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable

    from starlette.requests import HTTPConnection, Request
    from starlette.responses import Response
    from starlette.websockets import WebSocket

    from demine.web.cluster.peer_client import ClientConnection, PeerClient, PeerResponse
    from demine.web.homes import Member

T = TypeVar("T")
_DROPPED: Final = frozenset({b"connection", b"transfer-encoding", b"date", b"server"})
"""Headers that are about a connection, not about an answer."""
_OF_BODY: Final = frozenset({b"content-length", b"transfer-encoding", b"connection"})
_OF_HANDSHAKE: Final = _OF_BODY | {b"host", b"origin", b"upgrade"}
_CLOSE_RESTART: Final = 1012
_ABNORMAL: Final = 1006
"""What stands for a connection that was lost, and is never sent."""


class Relay:
    """Hands on what other processes have to answer; `key` is that of the server."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._secret = peer_secret(key)
        self._client: PeerClient | None = None
        self._others: set[ClientConnection] = set()
        self._is_stopping = False

    def __len__(self) -> int:
        """Return how many sockets are handed on now."""
        return len(self._others)

    async def answer(self, request: Request, to: Elsewhere, body: bytes = b"") -> Response:
        """Return the answer of another process to a request with a body.

        Raises `Elsewhere` if the other process is not there any more, and `ClientLeft`.
        """
        return await self._ask(request, to, request.method, _path(request), body)

    async def look(self, request: Request, to: Elsewhere, path: str) -> Response:
        """Return what another process answers at a path to whoever sent a request.

        Raises as `answer` does.
        """
        return await self._ask(request, to, "GET", path, b"")

    async def read(self, request: Request, member: Member, path: str) -> bytes:
        """Return what a process answers at a path; raises `Elsewhere` if it does not."""
        headers = headers_of(request, self._secret)
        answer = await self._peers.ask("GET", member.address + path, headers, b"")
        try:
            return await answer.aread()
        finally:
            await answer.aclose()

    async def _ask(
        self, request: Request, to: Elsewhere, method: str, path: str, body: bytes
    ) -> Response:
        url = _address(request, to) + path
        # The client of the other process says itself how long the body is.
        headers = [each for each in headers_of(request, self._secret) if each[0] not in _OF_BODY]
        asking = self._peers.ask(method, url, headers, body)
        answer = await _unless_left(request, asking)
        response = StreamingResponse(_parts(answer), answer.status_code)
        response.raw_headers = [each for each in answer.headers.raw if _is_kept(each[0])]
        return response

    async def serve_at_home(
        self, websocket: WebSocket, serve: Callable[[WebSocket], Awaitable[None]]
    ) -> None:
        """Serve a socket here, or have the process serve it in which its subject lives.

        `serve` raises `Elsewhere` if that is another process, and before it accepts the socket, so
        that it can be passed on. Raises what `serve` raises, and `Elsewhere` if the other process
        is not there any more.
        """
        # A process that stands between waits two seconds; and what came from another one is not
        # passed on, since two of them might pass it to and fro.
        if hops_of(websocket):
            await accept_once(websocket)
        try:
            await serve(websocket)
        except Elsewhere as to:
            if self._pass_to_home(websocket, to):
                return
            await accept_once(websocket)
            await self._serve_elsewhere(websocket, to)

    def _pass_to_home(self, websocket: WebSocket, to: Elsewhere) -> bool:
        """Pass the connection itself to a process on this computer; return whether that worked."""
        if websocket.application_state is not WebSocketState.CONNECTING:
            return False
        name = abstract_name(self._key, _address(websocket, to))
        request = _request(websocket, headers_of(websocket, self._secret))
        return pass_connection(websocket, lambda file: pass_socket(name, file, request))

    async def _serve_elsewhere(self, websocket: WebSocket, to: Elsewhere) -> None:
        from demine.web.cluster.peer_client import ConnectionClosed

        headers = _handshake_headers(websocket, self._secret)
        host, origin = (websocket.headers.get(each) for each in ("host", "origin"))
        connecting = self._peers.connected(
            _address(websocket, to), host or "", _path(websocket), origin, headers
        )
        async with connecting as other:
            self._others.add(other)
            sending = asyncio.ensure_future(_pass_on(websocket, other))
            try:
                with suppress(ConnectionClosed):  # all ends but the most regular one
                    async for text in other:
                        await websocket.send_text(str(text))
                with suppress(WebSocketDisconnect, RuntimeError):  # who has left already
                    await self._close_as(websocket, other)
            finally:
                self._others.discard(other)
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)

    async def close_sockets(self) -> None:
        """End all sockets, once what is on its way back is told: this process stops."""
        self._is_stopping = True
        await asyncio.gather(*(other.close() for other in self._others))

    async def close(self) -> None:
        """End all connections to other processes."""
        if self._client is not None:
            await self._client.close()

    @property
    def _peers(self) -> PeerClient:
        """What speaks to other processes, whose libraries a server that is alone does not need."""
        from demine.web.cluster.peer_client import PeerClient

        self._client = self._client or PeerClient()
        return self._client

    async def _close_as(self, websocket: WebSocket, other: ClientConnection) -> None:
        """Close a socket as the other process closed it, or so that its client connects anew."""
        if self._is_stopping or other.close_code in {None, _ABNORMAL}:
            await websocket.close(_CLOSE_RESTART, "restart")
        else:
            await websocket.close(other.close_code or _CLOSE_RESTART, other.close_reason)


def _address(connection: HTTPConnection, to: Elsewhere) -> str:
    """Return where to hand a request on; raises `Elsewhere` where that leads nowhere."""
    if to.member is None or hops_of(connection) >= MOST_HOPS:
        raise Elsewhere.to(None)
    return to.member.address


def _path(connection: HTTPConnection) -> str:
    query = connection.url.query
    path = connection.scope["raw_path"].decode("latin-1").partition("?")[0]
    return f"{path}?{query}" if query else path


def _request(websocket: WebSocket, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the request with which a client asks for a socket, as it would be sent anew."""
    lines = [f"GET {_path(websocket)} HTTP/1.1".encode("latin-1")]
    lines += [b"%b: %b" % each for each in headers]
    return b"\r\n".join([*lines, b"", b""])


def _handshake_headers(websocket: WebSocket, secret: str) -> list[tuple[str, str]]:
    return [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in headers_of(websocket, secret)
        if name not in _OF_HANDSHAKE and not name.startswith(b"sec-websocket-")
    ]


def _is_kept(name: bytes) -> bool:
    return name.lower() not in _DROPPED


async def _unless_left(request: Request, work: Coroutine[object, object, T]) -> T:
    """Return what somebody waits for; raises `ClientLeft` as soon as nobody does any more."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_leave(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientLeft("whoever asked for this has gone")
        return await working
    finally:
        working.cancel()
        leaving.cancel()


async def _leave(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _parts(answer: PeerResponse) -> AsyncIterator[bytes]:
    try:
        async for part in answer.aiter_raw():
            yield part
    finally:
        await answer.aclose()


async def _pass_on(websocket: WebSocket, other: ClientConnection) -> None:
    """Pass on what the client says; close the other side when it leaves."""
    from demine.web.cluster.peer_client import ConnectionClosed

    with suppress(ConnectionClosed):
        try:
            while True:
                await other.send(await websocket.receive_text())
        except WebSocketDisconnect:
            await other.close()
        except KeyError:  # a frame of bytes, of which the other side says what is wrong
            await other.send(b"")
