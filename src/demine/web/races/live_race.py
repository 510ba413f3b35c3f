"""A race in memory: what happens in it is on the disk before anybody hears of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from demine.logic.errors import ActError
from demine.logic.event import BOARD_VERBS, Verb
from demine.play.clock import Clock
from demine.play.race import Phase, RaceError, RaceEvent, RaceVerb, SeatStatus
from demine.store.game_rows import new_id
from demine.web.database.races import (
    Racer,
    end_race,
    insert_event,
    insert_race_games,
    save_rematch,
)
from demine.web.races.seat_game import SeatGame, new_game

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy.engine import Connection

    from demine.game import Game
    from demine.play.race import Race, Seat
    from demine.web.database.database import Database
    from demine.web.database.races import StoredRace
    from demine.web.open_games import Umpire

_ALLOWED: Final = BOARD_VERBS | {Verb.RESIGN}


class Watcher(Protocol):
    """A connection to a race."""

    def race_changed(self) -> None:
        """Hear that the race is to be looked at again."""

    async def close(self) -> None:
        """Say that the server stops, and close the connection."""


class LiveRace:
    """A race, its clock, who has its seats, their games as far as they are, and who looks on.

    The clock counts while the server runs: the time of a server that was killed is nobody's.
    `games` are those of the seats that raced when this was read.
    """

    def __init__(
        self,
        database: Database,
        race_id: str,
        stored: StoredRace,
        games: Mapping[int, SeatGame],
        umpires: dict[str, Umpire],
        now: Callable[[], float],
    ) -> None:
        self.id = race_id
        self.settings = stored.settings
        self.clock = Clock(now)
        self.clock.set(stored.clock_ms, running=True)
        self._umpires = umpires
        self.take(stored, games)
        self.watchers: set[Watcher] = set()
        """Everybody who is to hear of changes."""
        self.lock = asyncio.Lock()
        """Held while an event is written, so that they are in order."""
        self.rematch_lock = asyncio.Lock()
        """Held while a rematch is made, so that there is one."""
        self.is_revealed = False
        """Whether the mines were shown to everybody, once the race was over."""
        self._connections: Counter[str] = Counter()
        """How many each player has."""
        self._database = database
        self._num = stored.num

    def take(self, stored: StoredRace, games: Mapping[int, SeatGame]) -> None:
        """Take over what the database has, after which memory tells the same story again."""
        self.race: Race = stored.race
        seats = {seat.number for seat in stored.race.seats}
        self.racers = {seat: who for seat, who in stored.racers.items() if seat in seats}
        self.games = dict(games)
        self.rematch = stored.rematch
        self.is_stale = False
        """Whether memory and the database may tell different stories."""
        self._is_news = True
        """Whether something has changed that the race has not heard of."""
        if stored.race.phase is not Phase.OVER:
            for seat, who in self.racers.items():
                self._watch_over(seat, who)

    def read_again(self) -> None:
        """Have the race read anew, in case something was written elsewhere."""
        self.is_stale = True

    @property
    def has_news(self) -> bool:
        """Whether `step` has something to do."""
        due = self.race.due()
        return self._is_news or (due is not None and due.t <= self.clock.ms)

    def seat_of(self, player: str) -> Seat | None:
        """Return the seat of a player; None for everybody else."""
        number = next((seat for seat, who in self.racers.items() if who.player == player), None)
        return None if number is None else self.race.seat(number)

    async def act(self, verb: RaceVerb, player: str, name: str = "") -> None:
        """Do what a player wants; raises `RaceError` if it cannot be, `DatabaseError`."""
        async with self.lock:
            seat = self.seat_of(player)
            if verb is RaceVerb.JOIN:
                if seat is None:
                    await self._append(verb, self.race.free_seat, Racer(player, name))
            elif seat is None:
                raise RaceError("only players of this race can do that")
            elif not _is_so_already(seat, verb):
                await self._append(verb, seat.number)

    async def step(self) -> None:
        """Let everything happen that is to happen by now."""
        async with self.lock:
            self._is_news = False
            while (event := self._next_event()) is not None:
                await self._append(event.verb, event.seat)

    def come(self, player: str) -> None:
        """Note one more connection of a player."""
        self._connections[player] += 1
        self._is_news = True

    def go(self, player: str) -> None:
        """Note that a connection of a player has ended."""
        self._connections[player] -= 1
        if not self._connections[player]:
            del self._connections[player]
        self._is_news = True

    def forget_player(self, player: str) -> None:
        """Let go of a player who was deleted, and of the umpire of the game."""
        for seat, who in list(self.racers.items()):
            if who.player == player:
                del self.racers[seat]
                self._umpires.pop(who.game or "", None)
        self._is_news = True
        self.tell()

    def take_over_names(self, names: Mapping[str, str]) -> None:
        """Take over the names of players, by their ids; whoever is not among them keeps theirs."""
        racers = {
            seat: replace(who, name=names.get(who.player, who.name))
            for seat, who in self.racers.items()
        }
        if racers != self.racers:
            self.racers = racers
            self.tell()

    def game_changed(self, seat: int, game: SeatGame) -> None:
        """Take over how far a racer is."""
        self.games[seat] = game
        self._is_news = True
        self.tell()

    async def set_rematch(self, race_id: str) -> None:
        """Note which race comes next."""
        num = self._num
        await self._database.write(lambda connection: save_rematch(connection, num, race_id))
        self.rematch = race_id
        self.tell()

    @property
    def games_to_give_up(self) -> list[str]:
        """The ids of games that are still played, though their players no longer race."""
        return [
            who.game
            for seat, who in self.racers.items()
            if who.game is not None and self._is_left_behind(seat)
        ]

    def tell(self) -> None:
        """Have everybody look again."""
        for watcher in self.watchers:
            watcher.race_changed()

    def _watch_over(self, seat: int, who: Racer) -> None:
        """Hold a game to the race; nobody knows its id before."""
        if who.game is not None and who.game not in self._umpires:
            self._umpires[who.game] = SeatUmpire(self, seat)

    def _is_left_behind(self, number: int) -> bool:
        game, seat = self.games.get(number), self.race.seat(number)
        is_played = game is not None and game.ended_by is None
        return is_played and seat is not None and seat.status is not SeatStatus.RACING

    def _next_event(self) -> RaceEvent | None:
        """Return what has happened that the race has not heard of, or what is due."""
        for seat in self.race.seats:
            verb = self._news_of(seat) if seat.is_playing else None
            if verb is not None:
                return RaceEvent(self.clock.ms, verb, seat.number)
        due = self.race.due()
        return due if due is not None and due.t <= self.clock.ms else None

    def _news_of(self, seat: Seat) -> RaceVerb | None:
        who = self.racers.get(seat.number)
        if who is None:
            return RaceVerb.LEAVE
        if seat.status is SeatStatus.RACING:
            game = self.games.get(seat.number)
            if game is None or game.ended_by is not None:
                return RaceVerb.LEAVE if game is None else game.ended_by
        is_away = not self._connections[who.player]
        if is_away == (seat.away_since is not None):
            return None
        return RaceVerb.AWAY if is_away else RaceVerb.BACK

    async def _append(self, verb: RaceVerb, number: int, joins: Racer | None = None) -> None:
        """Have something happen now, write it down, and tell of it."""
        event = self._event(verb, number)
        race, seq = self.race.after(event), self.race.event_count
        games = self._new_games() if verb is RaceVerb.START else {}
        num, player = self._num, "" if joins is None else joins.player

        def write(connection: Connection) -> None:
            insert_event(connection, num, seq, event, player)
            insert_race_games(connection, num, games)
            if race.phase is Phase.OVER:
                end_race(connection, num)

        try:
            await self._database.write(write)
        except BaseException:
            self.is_stale = True
            raise
        self.race = race
        self._seat_changed(event, joins)
        for seat, (game_id, _, game) in games.items():
            self.racers[seat] = replace(self.racers[seat], game=game_id)
            self.games[seat] = SeatGame.of(game)
            self._watch_over(seat, self.racers[seat])
        self._is_news = True
        self.tell()

    def _event(self, verb: RaceVerb, number: int) -> RaceEvent:
        now = max(self.clock.ms, self.race.t)
        if verb in {RaceVerb.FINISH, RaceVerb.FAIL}:
            game = self.games[number]
            return RaceEvent(now, verb, number, game.time_ms, game.mines)
        return RaceEvent(now, verb, number)

    def _seat_changed(self, event: RaceEvent, joins: Racer | None) -> None:
        if joins is not None:
            self.racers[event.seat] = joins
        elif self.race.seat(event.seat) is None:
            self.racers.pop(event.seat, None)

    def _new_games(self) -> dict[int, tuple[str, str, Game]]:
        """Return for each seat the id of a new game, its player, and the game."""
        return {
            seat: (new_id(), who.player, new_game(self.settings, self.id))
            for seat, who in self.racers.items()
        }


def _is_so_already(seat: Seat, verb: RaceVerb) -> bool:
    """Whether a wish is granted as it stands: it was sent twice, or by two pages."""
    status = {
        RaceVerb.READY: SeatStatus.READY,
        RaceVerb.WAIT: SeatStatus.WAITING,
        RaceVerb.LEAVE: SeatStatus.LEFT,
    }.get(verb)
    return seat.status is status


class SeatUmpire:
    """Holds the game of a seat to the race; `demine.web.open_games.Umpire`."""

    corrects_delays: Final = False

    def __init__(self, race: LiveRace, seat: int) -> None:
        self._race = race
        self._seat = seat

    @property
    def clock_ms(self) -> int:
        """The time since the start."""
        return max(0, self._race.clock.ms - (self._race.race.started_at or 0))

    @property
    def conceals(self) -> bool:
        """Whether the race is not over."""
        return self._race.race.phase is not Phase.OVER

    def check(self, verb: Verb) -> None:
        """Raise `ActError` for whatever is not for races, or not now."""
        if verb is Verb.RESIGN:
            return
        seat = self._race.race.seat(self._seat)
        if seat is None or seat.status is not SeatStatus.RACING:
            raise ActError("your race is over")
        if verb not in _ALLOWED:
            raise ActError("a race allows no pause, no undo and no help")

    def game_changed(self, game: Game, _clock_ms: int) -> None:
        """Tell the race how far its game is."""
        self._race.game_changed(self._seat, SeatGame.of(game))
