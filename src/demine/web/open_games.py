"""Games in memory: loaded by playing their events again, forgotten when nobody looks at them."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from demine.logic.errors import DemineError
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import Status
from demine.logic.undoable_openings import changed_cells
from demine.play.clock import Clock
from demine.scene.cell_faces import Face
from demine.scene.sight import faces_of_cells, sight, sight_while_running
from demine.statistics.player_shares import seats_of_cells
from demine.store.daily import today_utc
from demine.store.game_rows import act_count
from demine.store.utc_text import utc_now_text, utc_text_of_ns
from demine.web.coop.table import NOBODY, Table
from demine.web.database.games import (
    NewEvents,
    SavedClock,
    load_game,
    row_of_game,
    save_clocks,
    saved_at_once,
    summary,
    summary_of_end,
)
from demine.web.database.races import names_of
from demine.web.database.subjects import subject_of_game
from demine.web.ended_games import save_what_follows
from demine.web.errors import DatabaseError, NotFound
from demine.web.game_figures import figures_in_thread
from demine.web.homes import Elsewhere, Homes
from demine.web.kept_game import KeptGame
from demine.web.played_now import PlayedNow
from demine.web.ranked_umpire import RankedUmpire
from demine.web.recent_changes import RecentChanges

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import date

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.engine import Connection

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.logic.undoable_openings import Change
    from demine.web.coop.table_news import TableNews
    from demine.web.database.database import Database
    from demine.web.database.games import StoredGame
    from demine.web.database.subjects import Subject
    from demine.web.game_figures import FiguresFinder, GameFigures
    from demine.web.recent_changes import ChangedCell

_IDLE_S: Final = 60.0
"""How long a game that nobody looks at stays in memory."""
_THINK_S: Final = 10.0
"""How long one stays unpacked after an act: few think for longer."""
_CLOCKS_AT_ONCE: Final = 50
"""How many clocks are saved in one go, while acts wait."""
_LET_GO_S: Final = 3.0
"""How long an act that is under way has when its game moves to another process."""
_SHARE_OF_CELLS: Final = 6
"""From so small a part of the board on, all faces are shorter than the changed cells."""


class Update(NamedTuple):
    """What one act changed, as every connection may see it."""

    seq: int
    """The number of events of the game after the act."""
    cells: list[ChangedCell] | None
    """None if any cell may look different: whoever hears of it needs all faces."""
    seat: int = NOBODY
    """Who acted in a co-op game."""
    verb: Verb | None = None
    """What was done."""


class Deal(Protocol):
    """What finds the mines of a guess-free board: `SolverQueue.deal` for one client."""

    async def __call__(self, rules: Rules, seed: int, first: Cell, /) -> NDArray[np.bool_]:
        """Return the mines for a first cell."""


class Watcher(Protocol):
    """A connection that hears of the acts of a game."""

    def game_changed(self, update: Update) -> None:
        """Tell of an act that another connection played."""

    @property
    def player(self) -> str:
        """The id of who is connected."""

    def hear(self, message: TableNews) -> None:
        """Tell of something else than an act."""

    def game_lost(self, error: DemineError) -> None:
        """Tell that the game was deleted, or could not be saved and must be loaded again."""

    async def close(self) -> None:
        """End the connection, once the act that is under way is answered."""


class Umpire(Protocol):
    """What watches over a game whose board others play too: in a race, or as a ranked board."""

    @property
    def corrects_delays(self) -> bool:
        """Whether acts count from when the client sent them, within the bounds of the protocol."""

    @property
    def clock_ms(self) -> int:
        """The time of play, which goes on while the game is not in memory."""

    @property
    def conceals(self) -> bool:
        """Whether others are still playing the board, so that nobody is to see its mines."""

    def check(self, verb: Verb, /) -> None:
        """Raise `ActError` for an act that is not allowed now."""

    def game_changed(self, game: Game, clock_ms: int, /) -> None:
        """Hear of a game, and of its clock, after an act that is on the disk."""


@dataclass(slots=True)
class _SavedRow:
    """What the row of a game says, and what it will say later that its events say already."""

    time_ms: int
    saved_at_once: tuple[str, str] | None = None
    """What `saved_at_once` returned then; None until the row is saved."""
    hits: int | None = None
    seen_ns: int | None = None
    """How many mines were hit, and when the last act was played; None before an act."""


class OpenGame:
    """A game in memory, the clock of its play, and the connections that look at it.

    `lock` is held from an act until it is committed, so that everybody hears of acts in order.
    """

    def __init__(
        self,
        database: Database,
        game_id: str,
        stored: StoredGame,
        now: Callable[[], float],
        find_figures: FiguresFinder,
        umpire: Umpire | None = None,
        subject: str = "",
    ) -> None:
        self.id = game_id
        self.player = stored.player
        self.subject = subject
        """With what it lives in one process (`demine.web.homes`)."""
        self.umpire = umpire
        self.numbers = stored.numbers
        """The number of each client's last message that was judged."""
        self.clock = Clock(now)
        self._now = now
        self._opened_at: float | None = None
        """When the first cell was opened, by `now`; None also if that was before it was loaded."""
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self._owners: tuple[int, NDArray[np.uint8] | None] = 0, None
        """What `owners` returned last, and after how many events."""
        self.onlookers: set[asyncio.Event] = set()
        """Set after every change: of those who see the game and do not keep it in memory."""
        # What others play too, or watch over, is looked at all the time.
        is_alone = not stored.partners and umpire is None
        self._kept = KeptGame(stored.game, now, self.lock, self.onlookers, rests=is_alone)
        self.lost_by: DemineError | None = None
        """Why the game must be loaded again: memory and the database tell different stories."""
        self.idle_since = now()
        self._database, self._find_figures = database, find_figures
        self._figures: tuple[int, GameFigures] | None = None
        """What was computed of the end, and after how many events."""
        self._num = stored.num
        self._finished_at = stored.finished_at
        self.seq = self.game.event_count
        """The number of events that are in the database."""
        self.table: Table | None = None
        """Who plays a co-op game; None if one player plays."""
        if stored.partners:
            self.table = Table(stored.partners, self.seq, self._hear)
        self._acts = act_count(self.game.events)
        self._row = _SavedRow(stored.clock_ms)
        self._recent = RecentChanges(self.seq)
        stored_ms = stored.clock_ms if umpire is None else umpire.clock_ms
        self.clock.set(max(stored_ms, self.game.last_event_ms or 0), running=self._clock_runs())

    @property
    def game(self) -> Game:
        """The game itself; whoever keeps it for longer than a moment holds `lock`."""
        return self._kept.game

    @property
    def status(self) -> Status:
        """The status of the game."""
        return self._kept.status

    @property
    def clock_ms(self) -> int:
        """The time to show: 0 before the first opening."""
        return self.clock.ms if self._kept.begun else 0

    @property
    def mines_left(self) -> int:
        """What the counter shows."""
        game = self.game
        board = game.board
        return 0 if game.status is Status.WON else board.mines_except_forgiven - board.flags

    @property
    def conceals(self) -> bool:
        """Whether the mines are not to be seen even if the game is over."""
        return self.umpire is not None and self.umpire.conceals

    def faces(self) -> NDArray[np.uint8]:
        """Return what the player sees, as `sight` does; less of it while others play on."""
        if not self.conceals:
            return sight(self.game)
        board = self.game.board
        faces = sight_while_running(board)
        for row, col in board.blown:
            faces[row, col] = Face.BLOWN
        return faces

    def changes_since(self, seq: int) -> list[ChangedCell] | None:
        """Return the cells that changed after event `seq`; None if that is not remembered.

        That holds for an event that never was, which a client may name.
        """
        cells = self._recent.since(seq)
        return None if cells is None else self._with_faces(cells)

    def seat_of(self, player: str | None) -> int | None:
        """Return the seat of a player, `NOBODY` in a game of one player; None for strangers."""
        if self.table is not None:
            return self.table.seat_of(player or "") or None
        return NOBODY if player == self.player else None

    async def play(
        self,
        verb: Verb,
        row: int,
        col: int,
        client: str,
        number: int,
        delay_ms: int = 0,
        seat: int = NOBODY,
    ) -> Update:
        """Play an act now and save it; return what it changed once that is on the disk.

        It counts as played `delay_ms` ago, though never before what was played last. In a co-op
        game it is that of the player who has `seat`. The caller holds `lock`.

        Raises `ActError` if the rules refuse it, `DatabaseError` if it could not be saved,
        `NotFound` if the game was deleted: then it is lost to memory, and must be loaded again. A
        game that `needs_search` is laid before.
        """
        if self.lost_by is not None:
            raise self.lost_by
        if self.umpire is not None:
            self.umpire.check(verb)
            delay_ms = delay_ms if self.umpire.corrects_delays else 0
        game, clock = self.game, self.clock
        self._kept.pack_in(_THINK_S)
        begun, status = game.begun, game.status
        undone = game.changes[-1:] if verb is Verb.UNDO else []
        moment = clock.ms
        earliest = game.last_event_ms
        act_ms = moment - delay_ms if earliest is None else max(moment - delay_ms, earliest)
        act_ms = min(moment, act_ms)
        game.play(Act(act_ms, verb, row, col, player=str(seat) if seat else ""))
        if game.begun and not begun:
            self._opened_at = self._now()
        self._set_clock(verb, moment - act_ms, begun=begun, before=status)
        cells = _changed_cells(game, verb, status, undone)
        try:
            await self._save(game, client, number, opened=game.begun and not begun)
        except BaseException as error:
            self.lose(error if isinstance(error, DemineError) else _unsaved(error))
            raise
        self._recent.add(self.seq, cells)
        if self.table is not None:
            self.table.note_act(seat, self.seq, cells)
        if self.umpire is not None:
            self.umpire.game_changed(game, self.clock.ms)
        if game.status.over and not self.conceals:  # figures such as the 3BV tell of the board
            await self._save_what_follows()
        return Update(self.seq, None if cells is None else self._with_faces(cells), seat, verb)

    @property
    def needs_search(self) -> bool:
        """Whether the solver has to search for a guess-free board before the first cell opens."""
        return self.game.rules.guess_free and not self.game.board.laid

    async def lay(self, row: int, col: int, deal: Deal) -> None:
        """Lay the mines of a game that `needs_search`, for an opening that is played next.

        The caller holds `lock`. Raises `ActError` if the rules refuse the opening, and what `deal`
        raises.
        """
        game = self.game
        game.check(Act(self.clock.ms, Verb.OPEN, row, col))
        mine_map = await deal(game.rules, game.seed, (row, col))
        game.lay(Lay(self.clock.ms, mine_map))

    async def save(self, work: Callable[[Connection, int], object]) -> None:
        """Do `work` on the row of this game.

        Raises `DatabaseError` if it cannot be written, `NotFound` if the game was deleted: its row
        may be another's by now.
        """

        def write(connection: Connection) -> None:
            if row_of_game(connection, self.id) != self._num:
                raise NotFound("there is no such game")
            work(connection, self._num)

        await self._database.write(write)

    def owners(self) -> NDArray[np.uint8] | None:
        """Return the seat of who changed each cell of a co-op game; None in every other one.

        All that is told of one event is worked out once, however many there are to hear it.
        """
        if self.table is None:
            return None
        seq, owners = self._owners
        if owners is None or seq != self.seq:
            owners = seats_of_cells(self.game)
            self._owners = self.seq, owners
        return owners

    async def figures(self) -> GameFigures:
        """Return what is computed of the game, which is over."""
        if self._figures is None or self._figures[0] != self.seq:
            seq = self.seq
            self._figures = seq, await self._find_figures(self.game.journal(), None)
        return self._figures[1]

    def lose(self, error: DemineError) -> None:
        """Have every connection closed with the reason, so that the game is loaded again."""
        if self.lost_by is None:
            self.lost_by = error
            for watcher in self.watchers:
                watcher.game_lost(error)
            self._tell_onlookers()

    async def let_go(self) -> None:
        """End all connections, once the act that is under way is answered: others go on with it."""
        try:
            async with asyncio.timeout(_LET_GO_S):
                await asyncio.gather(*(each.close() for each in self.watchers))
        except TimeoutError:
            self.lose(Elsewhere.to(None))
        self.lost_by = self.lost_by or Elsewhere.to(None)
        self._tell_onlookers()

    async def play_for_nobody(self, verb: Verb) -> None:
        """Play an act that no message asked for, and tell all; the caller holds `lock`."""
        self.tell(await self.play(verb, -1, -1, "", 0))

    async def show_mines(self) -> None:
        """Show all that a game shows at its end, now that nobody else plays its board."""
        self.tell(Update(self.seq, None))
        if self.game.status.over:
            await self._save_what_follows()

    def close_connections_of(self, players: Collection[str], reason: DemineError) -> None:
        """Close the connections of players; nobody else's if the game is theirs together."""
        if self.table is None and self.player in players:
            self.lose(reason)
            return
        for watcher in [each for each in self.watchers if each.player in players]:
            watcher.game_lost(reason)

    def _hear(self, message: TableNews) -> None:
        for watcher in self.watchers:
            watcher.hear(message)

    def tell(self, update: Update, besides: Watcher | None = None) -> None:
        """Tell all connections but one of an act."""
        for watcher in self.watchers - {besides}:
            watcher.game_changed(update)
        self._tell_onlookers()

    def _tell_onlookers(self) -> None:
        for changed in self.onlookers:
            changed.set()

    def _clock_runs(self) -> bool:
        return self.game.status in {Status.READY, Status.RUNNING}

    def _set_clock(self, verb: Verb, delay_ms: int, *, begun: bool, before: Status) -> None:
        """Set the clock after an act that was played `delay_ms` ago, as `GameSession` does."""
        game, clock = self.game, self.clock
        if game.status.over:
            clock.set(game.time_ms, running=False)
        elif game.begun and not begun:
            clock.set(delay_ms, running=True)
        elif verb is Verb.PAUSE:
            clock.stop()
        elif verb is Verb.RESUME or before.over:
            clock.set(clock.ms, running=True)

    def _with_faces(self, cells: Sequence[int]) -> list[ChangedCell]:
        board = self.game.board
        width, faces = board.rules.width, faces_of_cells(board, cells)
        return [(*divmod(cell, width), face) for cell, face in zip(cells, faces, strict=True)]

    async def _save(self, game: Game, client: str, number: int, *, opened: bool) -> None:
        saved = self.seq
        events = game.events_from(saved)
        self._acts += len([each for each in events if isinstance(each, Act)])
        new = NewEvents(
            self._num,
            self.id,
            saved,
            [str(each) for each in events],
            [str(each) for each in game.events[:saved]] if opened else (),
            client,
            number,
            self._summary(game),
        )
        self.seq += len(events)
        await self._database.write(new)

    def _summary(self, game: Game) -> dict[str, object]:
        """Return the columns of the row to be changed now; the rest waits for `clock_to_save`."""
        row, now = self._row, saved_at_once(game)
        row.hits, row.seen_ns = len(game.board.blown), time.time_ns()
        if self._may_wait and row.saved_at_once == now:
            return {}
        row.time_ms, row.saved_at_once = self.clock.ms, now
        columns = summary(game, row.time_ms, self._acts)
        if game.status.over and self._finished_at is None:
            self._finished_at = utc_now_text()
        if self._finished_at is not None:
            columns |= summary_of_end(game, self._finished_at, self._arrived_ms())
        return columns

    @property
    def _may_wait(self) -> bool:
        """Whether the row may wait for `OpenGames.save_clocks`: others read those of races."""
        is_alone = self.umpire is None and self.table is None
        return is_alone and self.game.status is Status.RUNNING and self._finished_at is None

    def clock_to_save(self, behind_ms: int) -> SavedClock | None:
        """Return what is to be saved of a game under way, whose row is `behind_ms` behind."""
        is_running = self.status is Status.RUNNING and self.lost_by is None
        if not is_running or self.clock_ms < self._row.time_ms + behind_ms:
            return None
        row = self._row
        seen_at = None if row.seen_ns is None else utc_text_of_ns(row.seen_ns)
        return SavedClock(self.id, self.clock_ms, self._acts, row.hits, seen_at)

    async def _save_what_follows(self) -> None:
        with suppress(DatabaseError):  # the next start does it
            found = await save_what_follows(self._database, self.id, self._find_figures)
            if found is not None:
                self._figures = self.seq, found

    def _arrived_ms(self) -> int | None:
        """Return how long ago the first opening arrived; None if that is not known."""
        return None if self._opened_at is None else round((self._now() - self._opened_at) * 1000)


def _changed_cells(
    game: Game, verb: Verb, before: Status, undone: Sequence[Change]
) -> list[int] | None:
    """Return the cells that an act changed; None if these are many, or any may look different.

    `before` is the status before it, `undone` what it took back.
    """
    if verb is Verb.HINT:
        return []
    status, rules = game.status, game.rules
    if status is Status.PAUSED or before is Status.PAUSED or status.over or before.over:
        return None
    changes = undone if verb is Verb.UNDO else game.changes[-1:]
    most = rules.cells // _SHARE_OF_CELLS
    return changed_cells(list(changes), rules.width, most)


def _unsaved(error: BaseException) -> DatabaseError:
    return DatabaseError("the database cannot be written: {reason}", reason=type(error).__name__)


class OpenGames:
    """All games in memory, by their ids."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], float] = time.monotonic,
        today: Callable[[], date] = today_utc,
        homes: Homes | None = None,
        find_figures: FiguresFinder = figures_in_thread,
    ) -> None:
        self._database = database
        self._find_figures = find_figures
        self._now = now
        self._today = today
        self._homes = Homes(now) if homes is None else homes
        self._games: dict[str, OpenGame] = {}
        self._loading: dict[str, asyncio.Future[OpenGame]] = {}
        self.played_now: PlayedNow[OpenGame] = PlayedNow()
        self.umpires: dict[str, Umpire] = {}
        """By the ids of the games that they watch over."""

    def __len__(self) -> int:
        return len(self._games)

    async def get(self, game_id: str) -> OpenGame:
        """Return a game, loaded if need be; raises `NotFound`, and `Elsewhere`."""
        known = self._games.get(game_id)
        if known is not None and known.lost_by is None:
            return known
        loading = self._loading.get(game_id)
        if loading is None:
            loading = asyncio.ensure_future(self._load(game_id))
            self._loading[game_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(game_id, None))
        return await asyncio.shield(loading)

    def forget_moved(self) -> list[OpenGame]:
        """Forget the games that have their home in another process now, and return them."""
        gone = [each for each in self._games.values() if not self._homes.is_here(each.subject)]
        for game in gone:
            del self._games[game.id]
        for game_id, umpire in list(self.umpires.items()):
            if isinstance(umpire, RankedUmpire) and not self._homes.is_here(umpire.player):
                del self.umpires[game_id]
        self.played_now.keep_only(self._games)
        return gone

    def find_loaded(self, game_id: str) -> OpenGame | None:
        """Return a game if it is in memory."""
        return self._games.get(game_id)

    async def forget_idle(self) -> None:
        """Forget the games that nobody has looked at for a while.

        One that runs is paused: its clock would else begin again at its last act, and whoever
        stayed away to think would gain the time. One with an umpire goes on.
        """
        for game_id, game in list(self._games.items()):
            if not self._is_idle(game):
                continue
            async with game.lock:
                if game.status is Status.RUNNING:
                    with suppress(DemineError):
                        await game.play_for_nobody(Verb.PAUSE)
            if self._is_idle(game) and self._games.get(game_id) is game:
                del self._games[game_id]
        self.played_now.keep_only(self._games)

    async def save_clocks(self, behind_ms: int = 0) -> None:
        """Save the time of games under way, which goes on while nobody plays an act.

        Who thinks while the server is started again would else gain the time since the last one.
        What is on the disk may stay `behind_ms` behind.
        """
        found = (game.clock_to_save(behind_ms) for game in self._games.values())
        clocks = {clock.id: clock for clock in found if clock is not None}
        clocks |= {
            game_id: SavedClock(game_id, umpire.clock_ms)
            for game_id, umpire in self.umpires.items()
            if isinstance(umpire, RankedUmpire) and umpire.is_running
        }
        rows = list(clocks.values())
        for first in range(0, len(rows), _CLOCKS_AT_ONCE):
            some = rows[first : first + _CLOCKS_AT_ONCE]
            await self._database.write(partial(save_clocks, clocks=some))

    async def close_connections(self) -> None:
        """End all connections to games, once the acts that are under way are answered."""
        watchers = [each for game in self._games.values() for each in game.watchers]
        await asyncio.gather(*(each.close() for each in watchers))

    def _is_idle(self, game: OpenGame) -> bool:
        is_left = not game.watchers and not game.lock.locked()
        return is_left and game.idle_since < self._now() - _IDLE_S

    def forget_player(self, player: str) -> None:
        """Close the games of a player who was deleted."""
        self.close_games_of([player], NotFound("there is no such game"))
        for game in list(self._games.values()):
            if game.table is not None:
                game.table.forget_player(player)
                if not game.table.players:  # deleted, since nobody else plays it
                    game.lose(NotFound("there is no such game"))

    @property
    def _tables(self) -> list[Table]:
        return [game.table for game in self._games.values() if game.table is not None]

    def rename_player(self, player: str, name: str) -> None:
        """Show a player of co-op games by another name from now on."""
        for table in self._tables:
            table.take_over_names({player: name})

    async def take_over_names(self) -> None:
        """Show players of co-op games by the names that they have now."""
        players = {player for table in self._tables for player in table.players}
        if players:
            names = await self._database.read(partial(names_of, players=players))
            for table in self._tables:
                table.take_over_names(names)

    def close_games_of(self, players: Collection[str], reason: DemineError) -> None:
        """Close the games of players for a reason."""
        for game in list(self._games.values()):
            game.close_connections_of(players, reason)

    def leave(self, game: OpenGame, watcher: Watcher) -> None:
        """Have a connection told no more."""
        game.watchers.discard(watcher)
        game.idle_since = self._now()

    async def _load(self, game_id: str) -> OpenGame:
        subject = None if self._homes.is_alone else await self._own_subject(game_id)
        stored = await self._database.read(lambda connection: load_game(connection, game_id))
        if stored is None:
            raise NotFound("there is no such game")
        if subject is not None:
            self._homes.require(subject.id)  # it may have moved meanwhile
        umpire = self._find_umpire(game_id, stored)
        if subject is not None and subject.is_racing and umpire is None:
            # Nobody may play on before the race, which watches over it, is here too.
            raise Elsewhere.to(None)
        own = "" if subject is None else subject.id
        game = OpenGame(self._database, game_id, stored, self._now, self._find_figures, umpire, own)
        self._games[game_id] = game
        return game

    async def _own_subject(self, game_id: str) -> Subject:
        """Return the subject of a game that lives here; raises `NotFound`, and `Elsewhere`."""
        found = await self._database.read(lambda connection: subject_of_game(connection, game_id))
        if found is None:
            raise NotFound("there is no such game")
        self._homes.require(found.id)
        return found

    def _find_umpire(self, game_id: str, stored: StoredGame) -> Umpire | None:
        """Return what watches over a game, if anything does.

        That of a game on a ranked board stays when the game is forgotten. A game that went on when
        this process became its home goes on from that moment: nobody gains time by staying away.
        """
        if game_id not in self.umpires and stored.ranked_day is not None:
            runs = stored.game.status is Status.RUNNING
            away_ms = round((self._now() - self._homes.here_since(stored.player)) * 1000)
            away_ms = away_ms if runs else 0
            self.umpires[game_id] = RankedUmpire(
                stored.player, stored.ranked_day, stored.clock_ms + away_ms, self._now,
                self._today, is_running=runs,
            )  # fmt: skip
        return self.umpires.get(game_id)

    def games_shown_from_now_on(self) -> list[OpenGame]:
        """Return the games in memory on ranked boards whose day is over; their umpires may go."""
        over = {
            game_id
            for game_id, umpire in self.umpires.items()
            if isinstance(umpire, RankedUmpire) and not umpire.conceals
        }
        for game_id in over:
            del self.umpires[game_id]
        return [game for game_id, game in self._games.items() if game_id in over]
