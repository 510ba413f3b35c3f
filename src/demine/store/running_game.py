"""A running game, saved after every act."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from demine.logic.event import Act, Verb
from demine.logic.journal import required_version
from demine.store import game_rows, records
from demine.store.database_paths import utc_now_text
from demine.store.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.game import Game
    from demine.logic.event import Event, Touch
    from demine.logic.game import Status
    from demine.store.game_rows import Dates
    from demine.store.records import GameEnding
    from demine.store.self_replacing_database import Database


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _SavedState:
    """What of the game lies in the database: its row, how many events, which one is the first."""

    num: int
    version: int
    """The version of the journal that its header says."""
    events: int
    first: Event | None
    clock_ms: int
    dates: Dates
    ending: GameEnding | None


class LiveGame:
    """A running game and its place in the store; `Store.begin` and `Store.resume` make it.

    Play `game` as you like, then call `record`: when it returns, all of the game survives the end
    of this process. `play` does both. A `StoreError` says that keeping failed; the game in memory
    is untouched, and the next `record` that succeeds keeps everything there is. Touches may wait
    for the next act or tick.
    """

    def __init__(
        self,
        database: Database,
        game_id: str,
        game: Game,
        dates: Dates,
        clock_ms: int,
        *,
        resumed: bool,
    ) -> None:
        self.id = game_id
        """The game's id in the history, a UUID."""
        self.game = game
        self.clock_ms = clock_ms
        """The game's clock when it was last kept, milliseconds; where a resumed game goes on."""
        self.resumed = resumed
        """Whether an earlier run of the program began it."""
        self.ending: GameEnding | None = None
        """How the game was kept when it ended, and its record; None while it runs."""
        self.abandoned = False
        """Whether it was forgotten before it had an opening."""
        self.is_unsaved = False
        """Whether keeping it failed the last time: the store tries again by itself."""
        self._database = database
        self._dates = dates
        self._saved: _SavedState | None = None
        self._is_being_abandoned = False
        self._is_checkpointed = False

    def __repr__(self) -> str:
        return f"<LiveGame {self.id}: {self.game!r} at {self.clock_ms} ms>"

    def play(self, act: Act, clock_ms: int | None = None) -> Status:
        """Play an act and keep it; return the game's status.

        Raises `ActError` when the rules refuse it, `StoreError` when it was played, not kept.
        """
        status = self.game.play(act)
        self.record(clock_ms)
        return status

    def touch(self, touch: Touch) -> None:
        """Keep a touch in memory; the next act or tick writes it."""
        self.game.touch(touch)

    def tick(self, clock_ms: int) -> None:
        """Keep the clock, milliseconds, and the touches that wait: about once a second."""
        self.record(clock_ms)

    def record(self, clock_ms: int | None = None) -> GameEnding | None:
        """Keep every event the game has, and its clock; return how it ended, if it has.

        `clock_ms` defaults to the time of the last event. The end of a game waits for the disk.
        """
        with self._database.lock:
            events = self.game.events
            over = self.game.status.over
            if over and self.ending is not None:
                return self.ending
            if clock_ms is None:
                clock_ms = max(events[-1].t, 0) if events else 0
            kept = self._saved
            if kept and not over and (kept.events, kept.clock_ms) == (len(events), clock_ms):
                return None
            # However late it can be kept, it ended now.
            self._dates, self.clock_ms = self._current_dates(), clock_ms
            self._apply_saved_state(
                self._write_or_wait(
                    lambda connection: self._write_game(connection, events, clock_ms), full=over
                )
            )
            if over:
                self._is_checkpointed = self._database.checkpoint()
            return self.ending

    def abandon(self, clock_ms: int | None = None) -> GameEnding | None:
        """Resign the game if it still runs, and keep that; one without an opening is forgotten."""
        with self._database.lock:
            if not self.game.begun:
                self._is_being_abandoned = True
                self._write_or_wait(self._delete_row)
                self._saved, self.abandoned = None, True
                return None
            if not self.game.status.over:
                last = self.game.events[-1].t
                self.game.play(Act(max(clock_ms or last, last), Verb.RESIGN))
            return self.record(clock_ms)

    # For the store

    @property
    def has_acts_to_save(self) -> bool:
        """Whether anything would be lost with it: a board only looked at is nobody's loss."""
        return (
            not (self._is_being_abandoned or self.abandoned)
            and game_rows.act_count(self.game.events) > 0
        )

    @property
    def is_finished_and_saved(self) -> bool:
        """Whether the store needs to know nothing more of it, whatever becomes of its log."""
        return self.abandoned or (self.ending is not None and self._is_checkpointed)

    def mark_checkpointed(self) -> None:
        """Say that all that was kept of it lies in the database itself, and no longer in a log."""
        self._is_checkpointed = self.ending is not None

    def retry_saving(self) -> None:
        """Try again what failed."""
        if self._is_being_abandoned and not self.game.begun:
            self.abandon()
        else:
            self.record(self.clock_ms)

    def write_copy(self, connection: sqlite3.Connection) -> None:
        """Write the whole game into a database that is nobody's, to be carried elsewhere."""
        dates = replace(self._current_dates(), seen=utc_now_text())
        game_rows.prepare_and_write_game(connection, self.id, self.game, dates, self.clock_ms, "")

    def release(self) -> None:
        """Keep what is not kept yet, and let another window resume the game."""
        with self._database.lock:
            if not self.abandoned:
                self.retry_saving()
            if not (self.abandoned or self.game.status.over):
                self._database.write(self._release_row)

    def mark_unsaved(self) -> None:
        """Forget what was saved: another database lies there now, or rewriting it failed."""
        self._saved, self._is_checkpointed = None, False
        self.ending = None
        self.is_unsaved = not self.abandoned

    def write_into_new_database(self, connection: sqlite3.Connection) -> None:
        """Write the whole game into a new database, inside a transaction of the caller's."""
        if self.abandoned or (self._is_being_abandoned and not self.game.begun):
            self._saved, self.abandoned = None, True
        else:
            self._dates = self._current_dates()
            self._apply_saved_state(self._write_game(connection, self.game.events, self.clock_ms))
        self.is_unsaved = False

    def adopt_row(self, num: int) -> None:
        """Take over the row the game was just read from."""
        events = self.game.events
        first = events[0] if events else None
        version = required_version(self.game)
        self._saved = _SavedState(
            num, version, len(events), first, self.clock_ms, self._dates, None
        )

    def _write_or_wait(self, work: Callable[[sqlite3.Connection], T], *, full: bool = False) -> T:
        """Do `work` in the database; what fails waits."""
        try:
            result = self._database.write(work, full=full)
        except StoreError:
            self.is_unsaved = True
            raise
        self.is_unsaved = False
        return result

    def _current_dates(self) -> Dates:
        """Return the game's dates as they are now: an end and an opening have theirs for good."""
        game, dates = self.game, self._dates
        if dates.opened is not None and not game.status.over:
            return dates
        if game.status.over and dates.finished is None:
            dates = replace(dates, finished=utc_now_text())
        if game.begun and dates.opened is None:
            dates = replace(dates, opened=utc_now_text())
        return dates

    def _apply_saved_state(self, kept: _SavedState) -> None:
        self._saved = kept
        self._dates = kept.dates
        self.clock_ms = kept.clock_ms
        self.ending = kept.ending

    def _write_game(
        self, connection: sqlite3.Connection, events: Sequence[Event], clock_ms: int
    ) -> _SavedState:
        game, kept, over = self.game, self._saved, self.game.status.over
        dates, version = replace(self._dates, seen=utc_now_text()), required_version(game)
        appends = kept is not None and self._can_append(kept, events, version)
        if kept and appends and self._append_events(connection, kept, events, clock_ms, dates.seen):
            num = kept.num
            if over:
                game_rows.write_finished_game(connection, num, game, dates)
            game_rows.write_daily(connection, num, game, dates)
        else:
            owner = self._database.owner
            num = game_rows.prepare_and_write_game(
                connection, self.id, game, dates, clock_ms, owner
            )
        ending = self._read_ending(connection, num) if over else None
        first = events[0] if events else None
        return _SavedState(num, version, len(events), first, clock_ms, dates, ending)

    def _can_append(self, kept: _SavedState, events: Sequence[Event], version: int) -> bool:
        """Whether new events can be added to what is kept, which stays as it is."""
        # The opening act gives every event before it another time, and so makes it another.
        if kept.events and events[0] is not kept.first and events[0] != kept.first:
            return False
        # The first act that names its player is more than the header promises.
        if version != kept.version:
            return False
        # It ended and was taken back before the end could be kept: the end stays.
        return self.game.status.over or self._dates.finished == kept.dates.finished

    def _append_events(
        self,
        connection: sqlite3.Connection,
        kept: _SavedState,
        events: Sequence[Event],
        clock_ms: int,
        seen: str,
    ) -> bool:
        """Write the new events only; return False when the row has to be written as a whole."""
        new = events[kept.events :]
        acts = len([event for event in new if isinstance(event, Act)])
        unranked, hits = game_rows.unranked_reason(self.game), len(self.game.board.blown)
        state = (clock_ms, seen, unranked, hits, acts)
        cursor = connection.execute(
            "UPDATE games SET time_ms = ?, seen_at = ?, unranked = ?, hits = ?, acts = acts + ?"
            " WHERE num = ? AND id = ? AND owner = ? AND status = 'running'",
            (*state, kept.num, self.id, self._database.owner),
        )
        # Gone, taken, or over and brought back to life by an undo.
        if cursor.rowcount != 1:
            return False
        game_rows.append_events(connection, kept.num, kept.events, new)
        return True

    def _read_ending(self, connection: sqlite3.Connection, num: int) -> GameEnding:
        (row,) = game_rows.select_games(connection, "WHERE num = ?", (num,))
        won = row.result == "won"
        beaten = records.new_record(connection, row.rules, row.time_ms, row.id) if won else None
        return records.GameEnding(row, beaten)

    def _delete_row(self, connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM games WHERE id = ?", (self.id,))

    def _release_row(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "UPDATE games SET owner = NULL WHERE id = ? AND owner = ?",
            (self.id, self._database.owner),
        )
