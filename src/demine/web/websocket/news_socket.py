"""A socket that tells how something stands, now and after every change, and takes only pings."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocketDisconnect

from demine.logic.errors import DemineError
from demine.web.errors import ServerError, TryLater, explain_to_client, what_of
from demine.web.text_socket import accept_once
from demine.web.websocket.game_connection import (
    CLOSE_BAD_MESSAGE,
    CLOSE_POLICY,
    CLOSE_RESTART,
    CLOSE_TRY_AGAIN,
    end_with_reason,
)
from demine.web.websocket.protocol import Bye, Pong, encode

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.websockets import WebSocket

    from demine.web.services import Services


class _Ping(Struct, forbid_unknown_fields=True):
    """All that a client may say."""

    ping: int


_DECODER: Final = msgspec.json.Decoder(_Ping)


async def serve_to_end(websocket: WebSocket, serve: Callable[[WebSocket], Awaitable[None]]) -> None:
    """Serve a socket by a function that accepts it; what ends it is said as the last word."""
    services: Services = websocket.app.state.services
    try:
        await services.relay.serve_at_home(websocket, serve)
    except WebSocketDisconnect:
        pass
    except DemineError as error:
        is_later = isinstance(error, TryLater | ServerError)
        code = CLOSE_TRY_AGAIN if is_later else CLOSE_POLICY
        await end_with_reason(websocket, what_of(error), explain_to_client(error), code)
    except (msgspec.MsgspecError, KeyError) as error:  # KeyError: a frame of bytes
        await end_with_reason(websocket, "malformed", str(error), CLOSE_BAD_MESSAGE)


class News:
    """What a socket tells of: subclasses say how it stands.

    Nothing waits for a client that reads slowly: it hears how things stand when it reads.
    """

    least_s = 0.2
    """How far apart two messages are at least: whatever happens meanwhile is told together."""

    def __init__(self, websocket: WebSocket, changed: asyncio.Event) -> None:
        self._websocket = websocket
        self._changed = changed
        self._sending = asyncio.Lock()
        self._is_closing = False
        """Whether the last word is said."""

    async def text(self) -> str:
        """Return how things stand, as it is sent."""
        raise NotImplementedError

    def now_ms(self) -> int:
        """Take a ping out of the client's limits, and return the time to answer it with."""
        raise NotImplementedError

    async def tell_until_left(self) -> None:
        """Accept the socket and tell until the client leaves; raises what ends the connection."""
        await accept_once(self._websocket)
        telling = asyncio.ensure_future(self._tell())
        hearing = asyncio.ensure_future(self._hear())
        try:
            await asyncio.wait({telling, hearing}, return_when=asyncio.FIRST_COMPLETED)
            for task in (hearing, telling):
                if task.done():
                    task.result()
        finally:
            telling.cancel()
            hearing.cancel()
            await asyncio.gather(telling, hearing, return_exceptions=True)

    async def close(self) -> None:
        """Say that the server stops, and close the connection."""
        async with self._sending:
            self._is_closing = True
            with suppress(WebSocketDisconnect, RuntimeError):  # whoever has gone already
                await self._websocket.send_text(encode(Bye("restart")))
                await self._websocket.close(CLOSE_RESTART, "restart")

    async def _tell(self) -> None:
        while True:
            self._changed.clear()
            await self._send(await self.text())
            await asyncio.sleep(self.least_s)
            await self._changed.wait()

    async def _hear(self) -> None:
        """Answer pings; raises for whatever else is said."""
        while True:
            ping = _DECODER.decode(await self._websocket.receive_text()).ping
            await self._send(encode(Pong(ping, self.now_ms())))

    async def _send(self, text: str) -> None:
        async with self._sending:
            if not self._is_closing:
                await self._websocket.send_text(text)
