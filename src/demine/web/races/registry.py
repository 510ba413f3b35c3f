"""All races in memory: those under way, and those that are over while somebody looks at them."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.event import Verb
from demine.play.race import Phase, RaceError, RaceVerb
from demine.scene.translation import mark
from demine.store.game_rows import new_id
from demine.web.database.games import load_game
from demine.web.database.races import insert_race, load_race, names_of, races_under_way
from demine.web.errors import Busy, NotFound, TooMany
from demine.web.homes import Elsewhere, Homes
from demine.web.races.live_race import LiveRace
from demine.web.races.seat_game import SeatGame

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sqlalchemy.engine import Connection

    from demine.web.database.database import Database
    from demine.web.database.races import RaceSettings, StoredRace
    from demine.web.long_work import LongWork
    from demine.web.open_games import OpenGames
    from demine.web.solver_queue import Asker

_LOG: Final = logging.getLogger("demine.web")
MOST_RACES: Final = 1000
"""How many races may be under way on one server."""
MOST_RACES_OF_PLAYER: Final = 4
_READ_AGAIN_S: Final = 4.0
"""After so long no process takes a race for its own any more that has moved."""
_STEP_S: Final = 0.1
"""How often races are looked after."""


class Races:
    """The races of a server, by their ids."""

    def __init__(
        self,
        database: Database,
        open_games: OpenGames,
        long_work: LongWork,
        now: Callable[[], float] = time.monotonic,
        homes: Homes | None = None,
    ) -> None:
        self._database = database
        self._open_games = open_games
        self._long_work = long_work
        self._now = now
        self._homes = Homes() if homes is None else homes
        self._races: dict[str, LiveRace] = {}
        self._has_races = asyncio.Event()
        """Set while there are any: a server without races does not look after them."""

    def __len__(self) -> int:
        return len(self._races)

    async def load_those_under_way(self) -> None:
        """Go on with the races that ran when the server, or their home before, ended."""
        for race_id in await self._database.read(races_under_way):
            if not self._homes.is_here(race_id):
                continue
            try:
                live = await self._keep(race_id)
            except DemineError:
                _LOG.exception("a race cannot go on")
                continue
            if not self._homes.is_alone:
                # Its home before may have written something while it was read here.
                asyncio.get_running_loop().call_later(_READ_AGAIN_S, live.read_again)

    async def get(self, race_id: str, asker: Asker) -> LiveRace:
        """Return a race for somebody who asks for it; raises `NotFound`, and `Elsewhere`.

        One that is over is read again: its games are folded, for which all wait their turn.
        """
        self._homes.require(race_id)
        known = self._races.get(race_id)
        if known is not None:
            return known
        async with self._long_work.turn(asker):
            return await self._keep(race_id)

    async def make(self, settings: RaceSettings, player: str) -> LiveRace:
        """Make a race, its maker in the first seat; raises as `check_room` does."""
        self.check_room(player)
        race_id = self._homes.new_subject(new_id)
        await self._database.write(
            lambda connection: insert_race(connection, race_id, settings, player)
        )
        return await self._keep(race_id)

    def check_room(self, player: str) -> None:
        """Raise `Busy` or `TooMany` if the server or a player has as many races as they may."""
        under_way = [race for race in self._races.values() if race.race.phase is not Phase.OVER]
        if len(under_way) >= MOST_RACES:
            raise Busy("too many races are under way: try again later", seconds=60)
        seats = [seat for race in under_way if (seat := race.seat_of(player)) is not None]
        if sum(seat.is_playing for seat in seats) >= MOST_RACES_OF_PLAYER:
            raise TooMany(mark("at most {most} races of one player can be under way"),
                          most=MOST_RACES_OF_PLAYER)  # fmt: skip

    def forget_player(self, player: str) -> None:
        """Let all races go on without a player who was deleted."""
        for race in self._races.values():
            race.forget_player(player)

    async def leave_all(self, players: Collection[str]) -> None:
        """Have players leave the races that are under way, as those who were banned."""
        for race in list(self._races.values()):
            for player in {who.player for who in race.racers.values()} & set(players):
                with suppress(RaceError):  # the race is over
                    await race.act(RaceVerb.LEAVE, player)

    async def close_connections(self) -> None:
        """Say to everybody who looks at races that the server stops, and close the connections."""
        watchers = [each for race in self._races.values() for each in race.watchers]
        await asyncio.gather(*(each.close() for each in watchers))

    def forget_moved(self) -> list[LiveRace]:
        """Forget the races that have their home in another process now, and return them."""
        gone = [race for race in self._races.values() if not self._homes.is_here(race.id)]
        for race in gone:
            self._forget(race)
        return gone

    async def take_over_names(self) -> None:
        """Show players by the names that they have now, none if it was deleted."""
        racers = {who.player for race in self._races.values() for who in race.racers.values()}
        if racers:
            names = await self._database.read(partial(names_of, players=racers))
            for race in self._races.values():
                race.take_over_names(names)

    async def look_after_all(self) -> None:
        """Let in all races happen what is to happen, now and from now on."""
        while await self._has_races.wait():
            busy = [race for race in self._races.values() if race.has_news or race.is_stale]
            done = await asyncio.gather(*map(self._step, busy), return_exceptions=True)
            for error in done:
                if isinstance(error, Exception):
                    _LOG.error("a race does not go on", exc_info=error)
            self._forget_idle()
            await asyncio.sleep(_STEP_S)

    async def _step(self, live: LiveRace) -> None:
        """Let a race go on, and its games with it."""
        if live.is_stale:
            await self._load_again(live)
            return
        await live.step()
        for game_id in live.games_to_give_up:
            await self._give_up(game_id)
        if live.race.phase is Phase.OVER and not live.is_revealed:
            await self._show_mines(live)

    async def _give_up(self, game_id: str) -> None:
        with suppress(NotFound, Elsewhere):
            game = await self._open_games.get(game_id)
            async with game.lock:
                if not game.game.status.over:
                    await game.play_for_nobody(Verb.RESIGN)

    async def _show_mines(self, live: LiveRace) -> None:
        """Let everybody who has lost see the mines, now that nobody plays the board."""
        live.is_revealed = True
        for who in live.racers.values():
            game = None if who.game is None else self._open_games.find_loaded(who.game)
            if game is not None:
                await game.show_mines()

    async def _load_again(self, live: LiveRace) -> None:
        """Read a race of which it is not certain what is on the disk."""
        async with live.lock:
            live.take(*await self._database.read(lambda connection: _read(connection, live.id)))
        live.tell()

    async def _keep(self, race_id: str) -> LiveRace:
        """Return a race after it was read; that of somebody who was quicker if there is one."""
        if race_id not in self._races:
            loaded = await self._load(race_id)
            self._homes.require(race_id)  # it may have moved meanwhile
            self._races.setdefault(race_id, loaded)
            self._has_races.set()
        return self._races[race_id]

    async def _load(self, race_id: str) -> LiveRace:
        stored, games = await self._database.read(lambda connection: _read(connection, race_id))
        umpires = self._open_games.umpires
        return LiveRace(self._database, race_id, stored, games, umpires, self._now)

    def _forget_idle(self) -> None:
        for race in list(self._races.values()):
            is_used = race.watchers or race.has_news or race.rematch_lock.locked()
            if race.race.phase is Phase.OVER and not is_used:
                self._forget(race)
        if not self._races:
            self._has_races.clear()

    def _forget(self, race: LiveRace) -> None:
        del self._races[race.id]
        for who in race.racers.values():
            self._open_games.umpires.pop(who.game or "", None)


def _read(connection: Connection, race_id: str) -> tuple[StoredRace, dict[int, SeatGame]]:
    """Return a race and the games of its seats as far as they are; raises `NotFound`."""
    stored = load_race(connection, race_id)
    if stored is None:
        raise NotFound("there is no such race")
    loaded = {
        seat: load_game(connection, who.game)
        for seat, who in stored.racers.items()
        if who.game is not None
    }
    games = {seat: SeatGame.of(each.game) for seat, each in loaded.items() if each is not None}
    return stored, games
