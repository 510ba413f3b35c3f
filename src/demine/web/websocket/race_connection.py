"""The socket of a race: it tells how the race stands, and that a player is there."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from typing import TYPE_CHECKING

from demine.scene.translation import speaking
from demine.web import players
from demine.web.identity import player_of
from demine.web.limits import address_of
from demine.web.races.race_message import encode_race, race_message
from demine.web.solver_queue import Asker
from demine.web.websocket.news_socket import News, serve_to_end

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from demine.web.races.live_race import LiveRace
    from demine.web.services import Services


async def show_race(websocket: WebSocket) -> None:
    """Serve one connection to `/ws/races/ID`, to its end."""
    await serve_to_end(websocket, _serve)


async def _serve(websocket: WebSocket) -> None:
    """Take a place for the connection, and tell of the race until the client leaves."""
    services: Services = websocket.app.state.services
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
        await RaceNews(websocket, services, live, player).serve()


class RaceNews(News):
    """One connection to a race: of a player, or of a spectator, who may have no id."""

    def __init__(
        self, websocket: WebSocket, services: Services, live: LiveRace, player: str
    ) -> None:
        super().__init__(websocket, asyncio.Event())
        self._client = player or address_of(websocket)
        self._services = services
        self._live = live
        self._player = player

    async def serve(self) -> None:
        """Tell of the race until the client leaves; raises what ends the connection."""
        live = self._live
        live.watchers.add(self)
        live.come(self._player)
        try:
            await self.tell_until_left()
        finally:
            live.watchers.discard(self)
            live.go(self._player)

    def race_changed(self) -> None:
        """Have the race told again."""
        self._changed.set()

    async def text(self) -> str:
        """Return how the race stands for the player."""
        return encode_race(race_message(self._live, self._player))

    def now_ms(self) -> int:
        """Take a ping out of the client's limits, and return the race's clock."""
        self._services.limits.messages.take(self._client)
        return self._live.clock.ms
