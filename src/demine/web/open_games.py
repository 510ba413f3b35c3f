"""Games in memory: loaded by playing their events again, forgotten when nobody looks at them."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import Status
from demine.logic.undoable_openings import changed_cells
from demine.play.clock import Clock
from demine.scene.sight import sight
from demine.store.game_rows import act_count
from demine.store.utc_text import utc_now_text
from demine.web.database.games import (
    NewEvents,
    append_events,
    computed_statistics,
    load_game,
    save_statistics,
    summary,
)
from demine.web.errors import DatabaseError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.web.database.database import Database
    from demine.web.database.games import StoredGame

_REMEMBERED: Final = 64
"""How many updates a game remembers for connections that resume."""
_IDLE_S: Final = 60.0
"""How long a game that nobody looks at stays in memory."""
_EVERYTHING: Final = None
"""What changed, where it is quicker to send all faces."""


class Update:
    """What one act changed, as every connection may see it.

    `cells` are `row * width + col`, with their faces after the act; None if any may have changed.
    """

    __slots__ = ("cells", "faces", "seq")

    def __init__(self, seq: int, cells: NDArray[np.intp] | None, faces: NDArray[np.uint8]) -> None:
        self.seq = seq
        self.cells = cells
        self.faces = faces
        """The whole board after the act, `(height, width)`."""


class Deal(Protocol):
    """What finds the mines of a guess-free board: `SolverQueue.deal` for one client."""

    async def __call__(self, rules: Rules, seed: int, first: Cell, /) -> NDArray[np.bool_]:
        """Return the mines for a first cell."""


class Watcher(Protocol):
    """A connection that hears of the acts of a game."""

    def game_changed(self, update: Update) -> None:
        """Tell of an act that another connection played."""

    def game_lost(self, error: DemineError) -> None:
        """Tell that the game was deleted, or could not be saved and must be loaded again."""

    async def close(self) -> None:
        """End the connection, once the act that is under way is answered."""


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
    ) -> None:
        self.id = game_id
        self.player = stored.player
        self.game: Game = stored.game
        self.numbers = stored.numbers
        """The number of each client's last message that was judged."""
        self.clock = Clock(now)
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.lost_by: DemineError | None = None
        """Why the game must be loaded again: memory and the database tell different stories."""
        self.idle_since = now()
        self._database = database
        self._num = stored.num
        self._finished_at = stored.finished_at
        self._recent: deque[Update] = deque(maxlen=_REMEMBERED)
        events = self.game.events
        self.seq = len(events)
        """The number of events that are in the database."""
        last = events[-1].t if events else 0
        self.clock.set(max(stored.clock_ms, last), running=self._clock_runs())

    @property
    def clock_ms(self) -> int:
        """The time to show: 0 before the first opening."""
        return self.clock.ms if self.game.begun else 0

    @property
    def mines_left(self) -> int:
        """What the counter shows."""
        board = self.game.board
        won = self.game.status is Status.WON
        return 0 if won else board.mines_except_forgiven - board.flags

    def changes_since(self, seq: int) -> NDArray[np.intp] | None:
        """Return the cells that changed after event `seq`; None if that is not remembered.

        That holds for an event that never was, which a client may name.
        """
        if seq == self.seq:
            return np.empty(0, np.intp)
        if seq > self.seq:
            return None
        later = [each for each in self._recent if each.seq > seq]
        known = self._recent and seq >= self._recent[0].seq and len(later) < len(self._recent)
        if not known or any(each.cells is None for each in later):
            return None
        return np.unique(np.concatenate([each.cells for each in later if each.cells is not None]))

    async def play(
        self, verb: Verb, row: int, col: int, client: str, number: int, delay_ms: int = 0
    ) -> Update:
        """Play an act now and save it; return what it changed once that is on the disk.

        It counts as played `delay_ms` ago, though never before what was played last.
        The caller holds `lock`. Raises `ActError` if the rules refuse it, `DatabaseError` if it
        could not be saved, `NotFound` if the game was deleted: then it is lost to memory, and must
        be loaded again. A game that `needs_search` is laid before.
        """
        if self.lost_by is not None:
            raise self.lost_by
        game, clock = self.game, self.clock
        begun, status = game.begun, game.status
        undone = game.changes[-1] if verb is Verb.UNDO and game.changes else None
        moment = clock.ms
        earliest = game.events[-1].t if game.events else moment - delay_ms
        act_ms = min(moment, max(moment - delay_ms, earliest))
        game.play(Act(act_ms, verb, row, col))
        self._set_clock(verb, moment - act_ms, begun=begun, before=status)
        update = self._update(verb, status, undone)
        try:
            await self._save(client, number, opened=game.begun and not begun)
        except BaseException as error:
            self.lose(error if isinstance(error, DemineError) else _unsaved(error))
            raise
        self._recent.append(update)
        if game.status.over:
            await self._save_statistics()
        return update

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

    def lose(self, error: DemineError) -> None:
        """Have every connection closed with the reason, so that the game is loaded again."""
        if self.lost_by is None:
            self.lost_by = error
            for watcher in self.watchers:
                watcher.game_lost(error)

    async def play_for_nobody(self, verb: Verb) -> None:
        """Play an act that no message asked for, and tell all; the caller holds `lock`."""
        self.tell(await self.play(verb, -1, -1, "", 0))

    def tell(self, update: Update, besides: Watcher | None = None) -> None:
        """Tell all connections but one of an act."""
        for watcher in self.watchers - {besides}:
            watcher.game_changed(update)

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

    def _update(self, verb: Verb, before: Status, undone: object) -> Update:
        game = self.game
        seq = len(game.events)
        faces = sight(game)
        changed = undone if verb is Verb.UNDO else game.changes[-1:]
        if verb is Verb.HINT:
            changed = []
        hidden = Status.PAUSED in {before, game.status}
        if hidden or before.over or game.status.over:
            return Update(seq, _EVERYTHING, faces)
        return Update(seq, changed_cells(changed, game.rules.width), faces)  # type: ignore[arg-type]

    async def _save(self, client: str, number: int, *, opened: bool) -> None:
        game, events = self.game, self.game.events
        if game.status.over and self._finished_at is None:
            self._finished_at = utc_now_text()
        new = NewEvents(
            self._num,
            self.id,
            self.seq,
            [str(each) for each in events[self.seq :]],
            [str(each) for each in events[: self.seq]] if opened else (),
            client,
            number,
            summary(game, self.clock.ms, self._finished_at),
        )
        self.seq = len(events)
        await self._database.write(lambda connection: append_events(connection, new))

    async def _save_statistics(self) -> None:
        """Save the statistics of a game that is over; if that fails, the next start does."""
        found = await asyncio.to_thread(computed_statistics, self.game)
        acts = act_count(self.game.events)
        with suppress(DatabaseError):
            await self._database.write(
                lambda connection: save_statistics(connection, self.id, acts, found)
            )


def _unsaved(error: BaseException) -> DatabaseError:
    return DatabaseError("the database cannot be written: {reason}", reason=type(error).__name__)


class OpenGames:
    """All games in memory, by their ids."""

    def __init__(self, database: Database, now: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._now = now
        self._games: dict[str, OpenGame] = {}
        self._loading: dict[str, asyncio.Future[OpenGame]] = {}

    def __len__(self) -> int:
        return len(self._games)

    async def get(self, game_id: str) -> OpenGame:
        """Return a game, loaded if need be; raises `NotFound`."""
        known = self._games.get(game_id)
        if known is not None and known.lost_by is None:
            return known
        loading = self._loading.get(game_id)
        if loading is None:
            loading = asyncio.ensure_future(self._load(game_id))
            self._loading[game_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(game_id, None))
        return await asyncio.shield(loading)

    async def forget_idle(self) -> None:
        """Forget the games that nobody has looked at for a while.

        One that runs is paused: its clock would else begin again at its last act, and whoever
        stayed away to think would gain the time.
        """
        for game_id, game in list(self._games.items()):
            if not self._is_idle(game):
                continue
            async with game.lock:
                if game.game.status is Status.RUNNING:
                    with suppress(DemineError):
                        await game.play_for_nobody(Verb.PAUSE)
            if self._is_idle(game) and self._games.get(game_id) is game:
                del self._games[game_id]

    async def close_connections(self) -> None:
        """End all connections to games, once the acts that are under way are answered."""
        watchers = [each for game in self._games.values() for each in game.watchers]
        await asyncio.gather(*(each.close() for each in watchers))

    def _is_idle(self, game: OpenGame) -> bool:
        is_left = not game.watchers and not game.lock.locked()
        return is_left and game.idle_since < self._now() - _IDLE_S

    def forget_player(self, player: str) -> None:
        """Close the games of a player who was deleted."""
        for game in list(self._games.values()):
            if game.player == player:
                game.lose(NotFound("there is no such game"))

    def leave(self, game: OpenGame, watcher: Watcher) -> None:
        """Have a connection told no more."""
        game.watchers.discard(watcher)
        game.idle_since = self._now()

    async def _load(self, game_id: str) -> OpenGame:
        stored = await self._database.read(lambda connection: load_game(connection, game_id))
        if stored is None:
            raise NotFound("there is no such game")
        game = OpenGame(self._database, game_id, stored, self._now)
        self._games[game_id] = game
        return game
