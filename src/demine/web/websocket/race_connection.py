"""The socket of a race: it tells how the race stands, and that a player is there."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocketDisconnect, WebSocketState

from demine.logic.errors import DemineError
from demine.scene.translation import speaking
from demine.web import players
from demine.web.errors import ServerError, TryLater, explain_to_client, what_of
from demine.web.identity import player_of
from demine.web.limits import address_of
from demine.web.races.race_message import encode_race, race_message
from demine.web.solver_queue import Asker
from demine.web.websocket.game_connection import (
    CLOSE_BAD_MESSAGE,
    CLOSE_POLICY,
    CLOSE_RESTART,
    CLOSE_TRY_AGAIN,
)
from demine.web.websocket.protocol import Bye, Pong, encode

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from demine.web.races.live_race import LiveRace
    from demine.web.services import Services

LEAST_S: Final = 0.2
"""How far apart two messages are at least: whatever happens meanwhile is told together."""


class _Ping(Struct, forbid_unknown_fields=True):
    """All that a client may say."""

    ping: int


_DECODER: Final = msgspec.json.Decoder(_Ping)


async def show_race(websocket: WebSocket) -> None:
    """Serve one connection to `/ws/races/ID`, to its end."""
    services: Services = websocket.app.state.services
    await websocket.accept()
    try:
        await _serve(websocket, services)
    except WebSocketDisconnect:
        pass
    except DemineError as error:
        is_later = isinstance(error, TryLater | ServerError)
        code = CLOSE_TRY_AGAIN if is_later else CLOSE_POLICY
        await _end(websocket, what_of(error), explain_to_client(error), code)
    except (msgspec.MsgspecError, KeyError) as error:  # KeyError: a frame of bytes
        await _end(websocket, "malformed", str(error), CLOSE_BAD_MESSAGE)


async def _serve(websocket: WebSocket, services: Services) -> None:
    """Take a place for the connection, and tell of the race until the client leaves."""
    address, limits = address_of(websocket), services.limits
    limits.addresses.take(address)
    player = player_of(websocket, services.key) or ""
    known = await players.find(services.database, player) if player else None
    players.refuse_banned(known)
    live = await services.races.get(
        websocket.path_params["race_id"], Asker(player or address, address)
    )
    with (
        limits.sockets_of_addresses.hold(address),
        limits.sockets_of_players.hold(player) if player else nullcontext(),
        limits.watchers_of_races.hold(live.id),
        speaking(players.language_of(known, websocket)),
    ):
        await RaceConnection(websocket, services, live, player).serve()


async def _end(websocket: WebSocket, what: str, message: str, code: int) -> None:
    """Say why, and close a connection."""
    if websocket.application_state is WebSocketState.CONNECTED:
        with suppress(WebSocketDisconnect, RuntimeError):  # whoever has gone already
            await websocket.send_text(encode(Bye(what, message)))
            await websocket.close(code, what)


class RaceConnection:
    """One connection to a race: of a player, or of a spectator, who may have no id."""

    def __init__(
        self, websocket: WebSocket, services: Services, live: LiveRace, player: str
    ) -> None:
        self._websocket = websocket
        self._services = services
        self._live = live
        self._player = player
        self._changed = asyncio.Event()
        self._sending = asyncio.Lock()
        self._is_closing = False
        """Whether the last word is said."""

    async def serve(self) -> None:
        """Tell of the race until the client leaves; raises what ends the connection."""
        live = self._live
        live.watchers.add(self)
        live.come(self._player)
        telling = asyncio.ensure_future(self._tell())
        hearing = asyncio.ensure_future(self._hear())
        try:
            await asyncio.wait({telling, hearing}, return_when=asyncio.FIRST_COMPLETED)
            for task in (hearing, telling):
                if task.done():
                    task.result()
        finally:
            live.watchers.discard(self)
            live.go(self._player)
            telling.cancel()
            hearing.cancel()
            await asyncio.gather(telling, hearing, return_exceptions=True)

    def race_changed(self) -> None:
        """Have the race told again."""
        self._changed.set()

    async def close(self) -> None:
        """Say that the server stops, and close the connection."""
        async with self._sending:
            self._is_closing = True
            with suppress(WebSocketDisconnect, RuntimeError):  # whoever has gone already
                await self._websocket.send_text(encode(Bye("restart")))
                await self._websocket.close(CLOSE_RESTART, "restart")

    async def _tell(self) -> None:
        """Tell how the race stands, now and after every change.

        Nothing waits for a client that reads slowly: it hears how the race stands when it reads.
        """
        while True:
            self._changed.clear()
            await self._send(encode_race(race_message(self._live, self._player)))
            await asyncio.sleep(LEAST_S)
            await self._changed.wait()

    async def _hear(self) -> None:
        """Answer pings; raises for whatever else is said."""
        while True:
            ping = _DECODER.decode(await self._websocket.receive_text()).ping
            self._services.limits.messages.take(self._player or address_of(self._websocket))
            await self._send(encode(Pong(ping, self._live.clock.ms)))

    async def _send(self, text: str) -> None:
        async with self._sending:
            if not self._is_closing:
                await self._websocket.send_text(text)
