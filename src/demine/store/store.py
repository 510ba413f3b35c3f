"""The store: one object for the player's games, records and settings."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Literal, Self, TypeAlias, get_args

from demine.logic.errors import RulesError, quoted
from demine.logic.rules import Rules
from demine.store import checksums, game_rows, records, schema
from demine.store.damage_checks import SQL_ERRORS
from demine.store.database_paths import default_path, spill_files
from demine.store.errors import NO_CHOICE, NO_GAME, StoreError
from demine.store.notices import GAME_DAMAGED, NEWER_LEFT, ONLY_READ, NoticeKind, StoreNotice
from demine.store.retry_queue import RetryQueue
from demine.store.running_game import LiveGame
from demine.store.self_replacing_database import Database
from demine.store.settings import Settings
from demine.store.utc_text import utc_now_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from demine.game import Game
    from demine.logic.daily_board import Daily
    from demine.store.daily import DailyAttempt
    from demine.store.drills import DrillKey, DrillReview
    from demine.store.game_rows import GameRow, State
    from demine.store.history import Column, History, HistoryFilter
    from demine.store.importing import GameImporter
    from demine.store.merge_databases import Counts, ProgressReport
    from demine.store.opening_report import OpenedFileStatus, RunBatch
    from demine.store.records import (
        CountedGame,
        CountedResults,
        CountedWin,
        NewRecord,
        Record,
        WinsOfDay,
    )

Order: TypeAlias = Literal["newest", "oldest", "fastest", "slowest"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)

_ORDER_BY: Final = {
    "newest": "ORDER BY ended_at DESC, id DESC",
    "oldest": "ORDER BY ended_at, id",
    "fastest": "ORDER BY time_ms, finished_at, id",
    "slowest": "ORDER BY time_ms DESC, finished_at, id",
}
_NO_PATH: Final = Path()
"""What a store gets for a path if a program calls the class itself."""


def _own_path(path: str | PathLike[str] | None) -> Path:
    """Return where a database is; raises `StoreError` for a path with what is not demine's."""
    if path is None:
        return default_path()
    from demine.store.own_files import check_is_own  # nobody plays there

    check_is_own(Path(path))
    return Path(path)


def _check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    if not (isinstance(value, str) and value in choices):
        raise StoreError(
            NO_CHOICE, value=quoted(value), name=name, choices=", ".join(choices)
        ).with_suggestion(value, choices)


class Store:
    """The player's games, records and settings in one SQLite file.

    Made by `open` or `memory`, closed by `close` or the end of a `with` block. Every method may
    raise `StoreError`, the sentence to show, with nothing changed. Every method may also find the
    file damaged: then it is set aside, a new one begins with all that could be read and the games
    being played, and `take_notices` reports it. Threads may share a store, and wait for each
    other; processes may open the same file, and do not wait for long. It does not survive a fork.

    >>> import demine
    >>> with demine.Store.memory() as store:
    ...     live = store.begin(demine.Game("2x1/1 first=safe"))
    ...     status = live.play(demine.Act(0, "open", 0, 0))  # kept when it returns
    ...     [row.status for row in store.games()]
    ['won']
    """

    def __init__(self, path: Path | None = _NO_PATH, *, heals: bool = False) -> None:
        if path is _NO_PATH or isinstance(path, str):
            raise StoreError("a store is made by Store.open(), Store.open(path) or Store.memory()")
        self._path = path
        self._notices: list[StoreNotice] = []
        self._live: list[LiveGame] = []
        self._movable_settings: list[Settings] = []
        self._database = Database(path, self._on_opened, _copy_all_games, heals=heals)
        self.settings: Settings = Settings(self._database)
        """The player's settings."""
        self.retry_queue: RetryQueue = RetryQueue(self._database, self.settings, lambda: self._live)
        """What could not be saved yet."""
        self._movable_settings.append(self.settings)
        self._import_spill_files()

    @classmethod
    def open(cls, path: str | PathLike[str] | None = None, *, reading: bool = False) -> Self:
        """Open the player's database, or the one at `path`; create it if there is none.

        The player's is `demine.db` in `$DEMINE_DATA_DIR` or in the platform's folder for user data.
        A file there that is damaged or no database is renamed, what can be read of it goes into a
        new one, and a notice says so. At another `path` that happens only to a database of
        demine's: a folder, a text, a picture or another program's database raises `StoreError` and
        stays as it is. So does a folder that cannot be written to; with `reading`, the database is
        then read into memory, and a notice says that nothing can be saved.
        """
        chosen = _own_path(path)
        try:
            return cls(chosen)
        except StoreError as error:
            if not (reading and chosen.is_file()):
                raise
            store = cls(None)
            try:
                store._read_into_memory(chosen)
            except OSError:
                store.close()
                raise error from None
            return store

    def _read_into_memory(self, path: Path) -> None:
        from demine.store.recovery import read_into_memory  # a sound database never needs it

        read_into_memory(self._database.write_exclusively, path)
        self._notices.append(StoreNotice(ONLY_READ, path=path))

    @classmethod
    def open_or_wait(cls, path: str | PathLike[str] | None = None) -> Self:
        """Open the player's database, or work in memory until it can be opened.

        `retry_queue.reason_in_memory` says why it cannot. What was played and chosen meanwhile goes
        into the file as soon as a method of the store can open it; that is tried at most every
        other second.
        """
        return cls(_own_path(path), heals=True)

    @classmethod
    def memory(cls) -> Self:
        """Return a store in memory, which is lost when it is closed."""
        return cls(None)

    @property
    def path(self) -> Path | None:
        """The database file; None for one in memory."""
        return self._database.path

    def take_notices(self) -> tuple[StoreNotice, ...]:
        """Return what the player should be told; each notice is returned only once."""
        with self._database.lock:
            notices, self._notices = tuple(self._notices), []
            return notices

    def close(self) -> None:
        """Save what is unsaved, let others resume the running games, and close the file.

        Closing again does nothing. Raises `StoreError` if something could not be saved; the file
        is closed all the same.
        """
        with self._database.lock:
            if self._database.closed:
                return
            try:
                with ExitStack() as stack:
                    # All of it is done, whatever fails, and the first failure is raised.
                    for live in reversed(self._live):
                        stack.callback(live.release)
                    stack.callback(self.settings.retry_saving)
                    if any(live.ending is None for live in self._live):
                        stack.callback(self._database.replace_file_if_damaged)
                    elif self._live:  # the file may have been removed since the last act
                        stack.callback(self._database.read, bool)
            finally:
                self._live = []
                self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Playing

    def begin(self, game: Game, clock_ms: int = 0) -> LiveGame:
        """Begin to save a new game, with the events that it has so far."""
        live = self._new_live_game(game, clock_ms)
        live.record(clock_ms)
        self._add_live_game(live)
        return live

    def begin_or_queue(self, game: Game, clock_ms: int = 0) -> LiveGame:
        """Begin to save a new game, now or as soon as that is possible: `is_unsaved` says which.

        If it still fails then, the next `record` raises the error.
        """
        live = self._new_live_game(game, clock_ms)
        with suppress(StoreError):
            live.record(clock_ms)
        self._add_live_game(live)
        return live

    def _new_live_game(self, game: Game, clock_ms: int) -> LiveGame:
        moment = utc_now_text()
        dates = game_rows.Dates(moment, moment)
        return LiveGame(self._database, game_rows.new_id(), game, dates, clock_ms, resumed=False)

    def resume(self, wanted: Rules | str | Daily | None = None) -> LiveGame | None:
        """Resume the latest unfinished game that no living program holds, or return None.

        With rules, only a game by these and not on a daily board; with a daily board, only one on
        it. A game whose journal cannot be played stays, marked as damaged, and a notice reports it.
        """
        chosen = Rules.of(wanted) if isinstance(wanted, str) else wanted
        found, notices = self._database.write_exclusively(
            lambda connection, others: self._claim_unfinished_game(connection, others, chosen)
        )
        self._notices += notices
        if found is not None:
            self._add_live_game(found)
        return found

    def put_back(self, live: LiveGame, clock_ms: int) -> None:
        """Save a game that `resume` returned and leave it unfinished, to be resumed again."""
        with self._database.lock:
            live.record(clock_ms)
            live.release()
            self._live = [other for other in self._live if other is not live]

    def _add_live_game(self, live: LiveGame) -> None:
        with self._database.lock:
            # An ended game stays until the next begins, because an undo may continue it, and until
            # it is in the database file, so that it is not lost with a removed log.
            ended = [other for other in self._live if other.ending and not other.can_be_forgotten]
            if ended and self._database.checkpoint():
                for other in ended:
                    other.mark_checkpointed()
            self._live = [*(other for other in self._live if not other.can_be_forgotten), live]

    def _claim_unfinished_game(
        self, connection: sqlite3.Connection, others: set[str], wanted: Rules | Daily | None
    ) -> tuple[LiveGame | None, list[StoreNotice]]:
        notices: list[StoreNotice] = []
        held = others | {self._database.owner}
        waiting = connection.execute(
            "SELECT num, owner FROM games INDEXED BY games_running LEFT JOIN dailies USING (num)"
            " WHERE status = 'running' AND (:any OR coalesce(day || ' ' || level, rules) = :wanted)"
            " ORDER BY seen_at DESC, num DESC",
            {"any": wanted is None, "wanted": str(wanted)},
        ).fetchall()
        for num, owner in waiting:
            if owner in held:
                continue
            live = self._take_over(connection, num, notices)
            if live is not None:
                return live, notices
        return None, notices

    def _take_over(
        self, connection: sqlite3.Connection, num: int, notices: list[StoreNotice]
    ) -> LiveGame | None:
        (row,) = game_rows.select_games(connection, "WHERE num = ?", (num,))
        try:
            game = game_rows.load_game(connection, row.id, num)
        except StoreError as error:
            connection.execute(
                "UPDATE games SET status = 'damaged', owner = NULL WHERE num = ?", (num,)
            )
            checksums.update_game_checksum(connection, num)
            reason = error.params["reason"]
            notices.append(StoreNotice(GAME_DAMAGED, rules=row.rules, reason=reason))
            return None
        if game.status.over:
            finished = row.finished_at or row.seen_at
            dates = game_rows.Dates(row.began_at, row.seen_at, finished, row.opened_at)
            game_rows.write_finished_game(connection, num, game, dates)
            game_rows.write_daily(connection, num, game, dates)
            return None
        connection.execute("UPDATE games SET owner = ? WHERE num = ?", (self._database.owner, num))
        dates = game_rows.Dates(row.began_at, row.seen_at, row.finished_at, row.opened_at)
        live = LiveGame(self._database, row.id, game, dates, row.time_ms, resumed=True)
        live.adopt_row(num)
        return live

    # History and records

    def games(
        self,
        rules: Rules | str | None = None,
        status: State | None = None,
        *,
        ranked: bool | None = None,
        limit: int = 100,
        offset: int = 0,
        order: Order = "newest",
    ) -> tuple[GameRow, ...]:
        """Return a page of the history, filtered by rules, by status, and by being ranked.

        Without a status, all games that are over. A `limit` of -1 is none. Raises `RulesError` for
        a text that is no rules, and `StoreError` for an unknown status or order.
        """
        _check_choice("order", order, ORDERS)
        wanted: list[str] = [schema.HAS_ENDED]
        values: list[object] = []
        if status is not None:
            _check_choice("status", status, game_rows.STATES)
            over = status not in ("running", "damaged")
            wanted, values = [*([schema.HAS_ENDED] if over else []), "status = ?"], [status]
        if rules is not None:
            wanted.append("rules = ?")
            values.append(self._stored_rules(rules))
        if ranked is not None:
            wanted.append("unranked = ''" if ranked else "unranked <> ''")
        order_by = _ORDER_BY[order]
        # The checksums of the page alone are compared: those of all that is sorted would take long.
        tail = (
            f"WHERE num IN (SELECT num FROM games WHERE {' AND '.join(wanted)} {order_by}"  # noqa: S608
            f" LIMIT ? OFFSET ?) {order_by}"
        )
        bounds = (
            max(-1, min(limit, game_rows.MAX_ROWS)),
            max(0, min(offset, game_rows.MAX_ROWS)),
        )
        page: tuple[object, ...] = (*values, *bounds)
        return tuple(
            self._database.read_verified(
                lambda connection: game_rows.select_games(connection, tail, page)
            )
        )

    def history(
        self,
        wanted: HistoryFilter | None = None,
        column: Column = "ended",
        *,
        descending: bool = True,
    ) -> History:
        """Return the ended games that match, sorted by a column, to be read a page at a time.

        Errors are those of `games`, for an unknown column too.
        """
        from demine.store.history import COLUMNS, History, HistoryFilter

        _check_choice("column", column, COLUMNS)
        wanted = wanted or HistoryFilter()
        if wanted.status is not None:
            _check_choice("status", wanted.status, game_rows.STATES)
        if wanted.rules is not None:
            wanted = replace(wanted, rules=self._stored_rules(wanted.rules))
        return History(self._database, wanted, column, descending=descending)

    def game_row(self, game_id: str) -> GameRow:
        """Return the row of one game; raises `StoreError` if there is none."""
        return self._database.read_verified(
            lambda connection: self._find_game(connection, game_id)[0]
        )

    def load_game(self, game_id: str) -> Game:
        """Return a stored game, whether it is over or not.

        Raises `StoreError` if there is none or its journal is damaged.
        """
        return self._database.read_verified(
            lambda connection: game_rows.load_game(
                connection, *self._find_game(connection, game_id)[1:]
            )
        )

    @staticmethod
    def _find_game(connection: sqlite3.Connection, game_id: str) -> tuple[GameRow, str, int]:
        found = game_rows.select_games(connection, "WHERE id = ?", (game_id,))
        if not found:
            raise StoreError(NO_GAME, id=game_id)
        (num,) = connection.execute("SELECT num FROM games WHERE id = ?", (game_id,)).fetchone()
        return found[0], game_id, num

    def record_of(self, rules: Rules | str) -> Record:
        """Return the record for these rules; an empty one if they were never played.

        Raises `RulesError` for a text that is no rules, as does all that asks for rules.
        """
        key = self._stored_rules(rules)
        self._recount_stale_streaks()
        return self._database.read_verified(lambda connection: records.record_of(connection, key))

    def _stored_rules(self, rules: Rules | str) -> str:
        """Return the text of rules as it is stored, however they are spelt; raises `RulesError`."""
        try:
            return str(Rules.of(rules))
        except RulesError:
            if isinstance(rules, str) and rules in dict(self.ended_game_counts()):
                return rules  # games of a damaged database, which screens list too
            raise

    def records(self) -> tuple[Record, ...]:
        """Return the records for all rules that have one, the most played first."""
        self._recount_stale_streaks()
        return self._database.read_verified(
            lambda connection: tuple(
                records.record_of(connection, rules)
                for rules in records.rules_of_counted_games(connection)
            )
        )

    def _recount_stale_streaks(self) -> None:
        """Count streaks again after an import; what cannot be written is counted in each read."""
        if self._database.read_verified(records.has_stale_streaks):
            with suppress(StoreError):
                self._database.write(records.recount_stale_streaks)

    def ended_game_counts(self) -> tuple[tuple[str, int], ...]:
        """Return the texts of the rules of ended games, each with its count, the highest first."""
        return tuple(self._database.read_verified(records.ended_game_counts))

    def counted_games(self, rules: Rules | str) -> tuple[CountedGame, ...]:
        """Return the games that count for these rules, in the order of their ends."""
        key = self._stored_rules(rules)
        # Python's collector looks through a tuple each time it grows, and not through a list.
        games = self._database.read_verified(
            lambda connection: list(records.counted_games(connection, key))
        )
        return tuple(games)

    def counted_wins(self, rules: Rules | str) -> tuple[CountedWin, ...]:
        """Return the wins that count for these rules, in the order of their ends."""
        key = self._stored_rules(rules)
        return self._database.read_verified(
            lambda connection: tuple(records.counted_wins(connection, key))
        )

    def counted_results(self, rules: Rules | str) -> CountedResults:
        """Return the results and times of `counted_games` as arrays, in a fifth of the time."""
        key = self._stored_rules(rules)
        return self._database.read_verified(
            lambda connection: records.counted_results(connection, key)
        )

    def counted_win(self, rules: Rules | str, place: int) -> CountedWin | None:
        """Return one of `counted_wins` by its place, from 0 on; None if there are fewer."""
        key = self._stored_rules(rules)
        return self._database.read_verified(
            lambda connection: records.counted_win(connection, key, place)
        )

    def wins_by_day(self, rules: Rules | str) -> tuple[WinsOfDay, ...]:
        """Return `counted_wins` summed up by days of local time, the first day first."""
        key = self._stored_rules(rules)
        return self._database.read_verified(
            lambda connection: tuple(records.wins_by_day(connection, key))
        )

    def daily_attempts(self, level: str | None = None) -> tuple[DailyAttempt, ...]:
        """Return all attempts at daily boards, or those at one level, in the order of their starts.

        `demine.store.daily.standing_at_level` sums them up. Raises `DailyError` for a level without
        daily boards.
        """
        from demine.logic.daily_board import check_level
        from demine.store.daily import read_attempts

        if level is not None:
            check_level(level)
        return self._database.read_verified(
            lambda connection: tuple(read_attempts(connection, level))
        )

    # Drills

    def add_drills(self, game_id: str, found: Iterable[DrillKey]) -> None:
        """Save what a search for drills found in a game, also that it found none."""
        from demine.store import drills

        kept = tuple(found)
        self._database.write(lambda connection: drills.add_drills(connection, game_id, kept))

    def add_drill_reviews(self, reviews: Iterable[DrillReview]) -> None:
        """Save answers to drills in one transaction, and the drills that are new."""
        from demine.store import drills

        kept = tuple(reviews)
        self._database.write(lambda connection: drills.add_reviews(connection, kept))

    def drills(self) -> tuple[DrillKey, ...]:
        """Return all drills, in the order in which they were found."""
        from demine.store import drills

        return tuple(self._database.read_verified(drills.read_drills))

    def games_with_drills(self) -> frozenset[str]:
        """Return the ids of the ended games here in which drills were found."""
        from demine.store import drills

        return self._database.read(drills.games_with_drills)

    def drill_reviews(self) -> tuple[DrillReview, ...]:
        """Return the answers to drills, in the order of their moments."""
        from demine.store import drills

        return tuple(self._database.read_verified(drills.read_reviews))

    def games_without_drills(self, limit: int) -> tuple[str, ...]:
        """Return the ids of up to `limit` ended games never searched for drills, newest first."""
        from demine.store import drills

        return tuple(
            self._database.read_verified(
                lambda connection: drills.games_not_searched(connection, limit)
            )
        )

    def compute_missing_statistics(
        self, should_stop: Callable[[], bool] = lambda: False, max_games: int | None = None
    ) -> int:
        """Compute the statistics of games that have none yet, the newest first; return how many.

        `should_stop` is asked before every game. It may take long and may run in a thread of its
        own: others wait only for moments.
        """
        from demine.store.cached_statistics import compute_missing

        return compute_missing(self._database, should_stop, max_games)

    def verify_all_games(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Verify all games and indexes of a large database, once; a small one's are already.

        It takes more than ten seconds for a million games, may run in a thread of its own, and
        keeps nobody waiting. What nobody looks at in a large database is verified here only.
        """
        self._database.verify_all_rows(should_stop)

    def new_record(self, rules: Rules | str, time_ms: int) -> NewRecord | None:
        """Return the record that a ranked win in `time_ms` would set, or None."""
        key = self._stored_rules(rules)
        return self._database.read_verified(
            lambda connection: records.new_record(connection, key, time_ms)
        )

    # Export and import

    def export(
        self, stream: IO[str], progress: ProgressReport = lambda _done, _count: None
    ) -> Counts:
        """Write all settings and games as JSON Lines; return the counts.

        `progress(done, count)` is called for every game. Raises `OSError` from the stream.
        """
        from demine.store.json_lines import export

        return export(self._database, stream, progress)

    def import_(
        self,
        source: str | PathLike[str] | IO[str] | IO[bytes],
        progress: ProgressReport = lambda _done, _count: None,
    ) -> Counts:
        """Import an export (a stream or a path), or another database by its path.

        All of it is imported or nothing, and no game twice: games are known by their id.
        `progress(done, count)` is called while games are read, where their number can be told, and
        from the beginning while they are written. Raises `StoreError` with the line and the reason.
        """
        from demine.store.json_lines import import_

        return import_(
            self._database,
            Path(source) if isinstance(source, str | PathLike) else source,
            progress,
        )

    def importer(self) -> GameImporter:
        """Return an importer of games from files, batch by batch."""
        from demine.store.importing import GameImporter

        return GameImporter(self._database)

    # A new or reopened database

    def _import_spill_files(self) -> None:
        path = self._database.home if self._movable_settings else None
        if path is not None and self.retry_queue.reason_in_memory is None and spill_files(path):
            from demine.store.spill_file import import_spill_files

            self._notices += import_spill_files(self._database, path)

    def _on_opened(self, batch: RunBatch, opened: OpenedFileStatus) -> None:
        """Fill a new database with what could be recovered and the games being played."""
        if opened.problem is not None and opened.problem.kind is NoticeKind.NEWER:
            reason = opened.problem.reason
            told = StoreNotice(
                NEWER_LEFT, path=opened.path, reason=reason, beside=opened.side_database
            )
            self._notices.append(told)
            return
        if opened.is_replacement:
            for live in self._live:
                live.mark_unsaved()
        from demine.store.recovery import recover_into_new_database

        notices = recover_into_new_database(batch, opened)
        if opened.is_replacement:
            rewritten: list[Settings | LiveGame] = [*self._movable_settings, *self._live]
            for kept in rewritten:
                # What fails here is tried again, and then reported, when a game is next saved.
                try:
                    batch(partial(_write_into_new_database, kept))
                except SQL_ERRORS:
                    kept.mark_unsaved()
        self._notices += notices
        if opened.is_replacement:
            self._import_spill_files()


def _write_into_new_database(
    kept: Settings | LiveGame, connection: sqlite3.Connection, _: set[str]
) -> None:
    kept.write_into_new_database(connection)


def _copy_all_games(source: sqlite3.Connection, target: sqlite3.Connection) -> int:
    from demine.store.merge_databases import copy_in_one_transaction

    return copy_in_one_transaction(source, target, set()).unreadable
