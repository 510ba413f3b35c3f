"""A running game, saved after every act."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from demine.logic.event import Act, Verb
from demine.logic.journal import required_journal_version
from demine.store import game_rows, records
from demine.store.errors import StoreError
from demine.store.utc_text import utc_now_text

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
    """What of the game is saved: its row, the number of its events, and the first of them."""

    num: int
    version: int
    """The journal version in its header."""
    events: int
    first: Event | None
    clock_ms: int
    dates: Dates
    ending: GameEnding | None


class LiveGame:
    """A running game and its place in the store; `Store.begin` and `Store.resume` make it.

    Play `game` as you like, then call `record`: when it returns, all of the game survives the end
    of this process. `play` does both. A `StoreError` says that saving failed; the game in memory is
    unaffected, and the next `record` that succeeds saves everything. Touches may wait for the next
    act or tick.
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
        self.clock_ms: int = clock_ms
        """The game's clock when it was last saved; a resumed game continues there."""
        self.resumed = resumed
        """Whether it was resumed from the database."""
        self.ending: GameEnding | None = None
        """The end of the game and its record; None while it runs or the end is unsaved."""
        self.abandoned: bool = False
        """Whether it was deleted before its first cell was opened."""
        self.is_unsaved: bool = False
        """Whether the last attempt to save it failed; `RetryQueue` retries."""
        self._database = database
        self._dates = dates
        self._saved: _SavedState | None = None
        self._is_being_abandoned = False
        self._is_checkpointed = False

    def __repr__(self) -> str:
        return f"<LiveGame {self.id}: {self.game!r} at {self.clock_ms} ms>"

    def play(self, act: Act, clock_ms: int | None = None) -> Status:
        """Play an act and save it; return the game's status.

        Raises `ActError` if the rules refuse it, `StoreError` if it was played but not saved.
        """
        status = self.game.play(act)
        self.record(clock_ms)
        return status

    def touch(self, touch: Touch) -> None:
        """Add a touch in memory; the next act or tick saves it."""
        self.game.touch(touch)

    def tick(self, clock_ms: int) -> None:
        """Save the clock and the touches that wait; call it about once a second."""
        self.record(clock_ms)

    def record(self, clock_ms: int | None = None) -> GameEnding | None:
        """Save all events and the clock; return the ending of a game that is over, else None.

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
            # However late it is saved, it ended now.
            self._dates, self.clock_ms = self._current_dates(), clock_ms
            self._apply_saved_state(
                self._write_or_wait(
                    lambda connection: self._write_game(connection, events, clock_ms), durable=over
                )
            )
            if over:
                self._is_checkpointed = self._database.checkpoint()
            return self.ending

    def abandon(self, clock_ms: int | None = None) -> GameEnding | None:
        """Resign and save a game that still runs; delete one without an opened cell.

        Return the ending; None for a deleted game.
        """
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
    def has_acts(self) -> bool:
        """Whether the game has acts, saved or not, and is not abandoned."""
        return (
            not (self._is_being_abandoned or self.abandoned)
            and game_rows.act_count(self.game.events) > 0
        )

    @property
    def can_be_forgotten(self) -> bool:
        """Whether the store may forget this game: it does not depend on the log any more."""
        return self.abandoned or (self.ending is not None and self._is_checkpointed)

    def mark_checkpointed(self) -> None:
        """Note that a finished game is in the database file, not only in the log."""
        self._is_checkpointed = self.ending is not None

    def retry_saving(self) -> None:
        """Retry what failed: saving the game, or deleting it."""
        if self._is_being_abandoned and not self.game.begun:
            self.abandon()
        else:
            self.record(self.clock_ms)

    def write_copy(self, connection: sqlite3.Connection) -> None:
        """Write the whole game, without an owner, into a database that is to be exported."""
        dates = replace(self._current_dates(), seen=utc_now_text())
        game_rows.write_unprepared_game(connection, self.id, self.game, dates, self.clock_ms, "")

    def release(self) -> None:
        """Save what is unsaved, and let another window resume the game."""
        with self._database.lock:
            if not self.abandoned:
                self.retry_saving()
            if not (self.abandoned or self.game.status.over):
                self._database.write(self._release_row)

    def mark_unsaved(self) -> None:
        """Note that nothing of the game is saved, as in a new database."""
        self._saved, self._is_checkpointed = None, False
        self.ending = None
        self.is_unsaved = not self.abandoned

    def write_into_new_database(self, connection: sqlite3.Connection) -> None:
        """Write the whole game into a new database, inside the caller's transaction."""
        if self.abandoned or (self._is_being_abandoned and not self.game.begun):
            self._saved, self.abandoned = None, True
        else:
            self._dates = self._current_dates()
            self._apply_saved_state(self._write_game(connection, self.game.events, self.clock_ms))
        self.is_unsaved = False

    def adopt_row(self, game_num: int) -> None:
        """Note that the game was just read from row `game_num`, where it continues."""
        events = self.game.events
        first = events[0] if events else None
        version = required_journal_version(self.game)
        self._saved = _SavedState(
            game_num, version, len(events), first, self.clock_ms, self._dates, None
        )

    def _write_or_wait(
        self, work: Callable[[sqlite3.Connection], T], *, durable: bool = False
    ) -> T:
        """Do `work` in the database; if that fails, note that the game is unsaved."""
        try:
            result = self._database.write(work, durable=durable)
        except StoreError:
            self.is_unsaved = True
            raise
        self.is_unsaved = False
        return result

    def _current_dates(self) -> Dates:
        """Return the game's dates now; dates of end and first opening, once set, do not change."""
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
        dates, version = replace(self._dates, seen=utc_now_text()), required_journal_version(game)
        appends = kept is not None and self._can_append(kept, events, version)
        if kept and appends and self._append_events(connection, kept, events, clock_ms, dates.seen):
            num = kept.num
            if over:
                game_rows.write_finished_game(connection, num, game, dates)
            game_rows.write_daily(connection, num, game, dates)
        else:
            owner = self._database.owner
            num = game_rows.write_unprepared_game(connection, self.id, game, dates, clock_ms, owner)
        ending = self._read_ending(connection, num) if over else None
        first = events[0] if events else None
        return _SavedState(num, version, len(events), first, clock_ms, dates, ending)

    def _can_append(self, kept: _SavedState, events: Sequence[Event], version: int) -> bool:
        """Return whether appending the new events to the saved ones is enough."""
        # The opening act changes the time of every event before it.
        if kept.events and events[0] is not kept.first and events[0] != kept.first:
            return False
        # The first act that names its player needs a higher version in the header.
        if version != kept.version:
            return False
        # A game may have ended and been undone before its end could be saved: the end counts.
        return self.game.status.over or self._dates.finished == kept.dates.finished

    def _append_events(
        self,
        connection: sqlite3.Connection,
        kept: _SavedState,
        events: Sequence[Event],
        clock_ms: int,
        seen: str,
    ) -> bool:
        """Write only the new events; return False if the whole game has to be written instead."""
        new = events[kept.events :]
        acts = len([event for event in new if isinstance(event, Act)])
        unranked, hits = game_rows.unranked_reason(self.game), len(self.game.board.blown)
        state = (clock_ms, seen, unranked, hits, acts)
        cursor = connection.execute(
            "UPDATE games SET time_ms = ?, seen_at = ?, unranked = ?, hits = ?, acts = acts + ?"
            " WHERE num = ? AND id = ? AND owner = ? AND status = 'running'",
            (*state, kept.num, self.id, self._database.owner),
        )
        # The row is deleted, another program's, or over and continued by an undo.
        if cursor.rowcount != 1:
            return False
        game_rows.append_events(connection, kept.num, kept.events, new)
        return True

    def _read_ending(self, connection: sqlite3.Connection, num: int) -> GameEnding:
        (row,) = game_rows.select_games(connection, "WHERE num = ?", (num,))
        won = row.result == "won"
        beaten = records.new_record(connection, row.rules, row.time_ms, row.id) if won else None
        streak = records.streak_of(connection, row.rules) if won else 0
        return records.GameEnding(row, beaten, streak)

    def _delete_row(self, connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM games WHERE id = ?", (self.id,))

    def _release_row(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "UPDATE games SET owner = NULL WHERE id = ? AND owner = ?",
            (self.id, self._database.owner),
        )
