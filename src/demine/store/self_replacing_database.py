"""The player's database file: opened, checked, and replaced by a new one if it is damaged.

Failures are of two kinds: *damage* sets the file aside and work continues in a new one; anything
else (no room, no permission, another program's lock) is a `StoreError` and leaves the file alone.
"""

from __future__ import annotations

import os
import sqlite3
import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import RLock
from typing import Final, TypeAlias, TypeVar, cast

from demine.store.damage_checks import (
    SQL_ERRORS,
    check_everything,
    damage_behind_error,
    find_damage,
    is_busy_error,
    quotable_reason,
    verify_checksums,
    verify_sums,
)
from demine.store.database_paths import (
    database_files,
    finish_setting_aside,
    make_private_folder,
    set_database_aside,
    side_database_path,
)
from demine.store.errors import (
    CLOSED,
    LOG_CUT,
    NEWER_OPEN,
    NOT_RENAMED,
    StoreError,
    UnusableDatabase,
)
from demine.store.file_lock import OwnerLocks, other_living_owners
from demine.store.lost_write_ahead_log import WriteAheadLog, file_identity
from demine.store.notices import NoticeKind
from demine.store.open_database import (
    CONNECTIONS_BY_FILE,
    FULLY_CHECKED_BYTES,
    VERIFIED_AT_ONCE_BYTES,
    connect,
    write_error,
)
from demine.store.opening_report import (
    OpenedFileStatus,
    RunBatch,
    files_to_salvage,
    has_partial_import,
)
from demine.store.transactions import open_in_memory, run_transaction

T = TypeVar("T")
CopyAllGames: TypeAlias = Callable[[sqlite3.Connection, sqlite3.Connection], int]

_WRITE_WAIT_S: Final = 2.0
_OPEN_WAIT_S: Final = 10.0
_SHORT_WAIT_S: Final = 0.02
"""How long to wait instead while another program holds the lock for long: a game is going on."""
_RETRY_AFTER_S: Final = 2.0
"""The time from a failure to open until the next attempt, which would otherwise slow every act."""


class Database:
    """The connection to the player's database, which replaces a damaged file by a new one.

    `on_opened(run_batch, opened)` is called whenever the connection leads to a database where
    something is to be done or reported; `run_batch` does work in a transaction there. Threads may
    share it: they wait for each other.

    One that `heals` begins in memory if the file cannot be opened. As soon as it can be,
    `copy_all_games(memory, file)` copies everything into it in one transaction, and returns how
    many games were unreadable. The same copies all of a deleted file into a new one.
    """

    def __init__(
        self,
        path: Path | None,
        on_opened: Callable[[RunBatch, OpenedFileStatus], object],
        copy_all_games: CopyAllGames | None = None,
        *,
        heals: bool = False,
    ) -> None:
        self.path: Path | None = Path(os.path.realpath(path)) if path is not None else None
        self.home: Path | None = self.path
        """The path that was asked for; `path` is the side database if a newer demine's is there."""
        self.owner: str = os.urandom(8).hex()
        self.lock: RLock = RLock()
        self._on_opened = on_opened
        self._copy_all_games = copy_all_games
        self._connection: sqlite3.Connection | None = None
        self._owner_locks = OwnerLocks(self.path, self.owner)
        self._inode: tuple[int, int] | None = None
        self._unfit: UnusableDatabase | None = None
        self._size = 0
        self._verified = False
        self._are_rows_verified = False
        self._log: WriteAheadLog | None = None
        self.closed: bool = False
        self._open_error: StoreError | None = None
        self._retry_at = 0.0
        self._waits_are_short = False
        self._memory: sqlite3.Connection | None = None
        try:
            self._open()
        except StoreError as error:
            if not heals:
                self.close()
                raise
            self._note_open_failure(error)
            self._connection = self._memory = open_in_memory()

    def __del__(self) -> None:
        # From 3.13 on Python itself warns about the connection.
        if not getattr(self, "closed", True):
            told = f"unclosed database {self.path}"
            warnings.warn(told, ResourceWarning, stacklevel=2, source=self)

    @property
    def reason_in_memory(self) -> StoreError | None:
        """Why everything is in memory and not yet in the file; None if it is in the file."""
        return self._open_error if self._memory is not None else None

    # Work

    def write(self, work: Callable[[sqlite3.Connection], T], *, durable: bool = False) -> T:
        """Do `work` in one transaction and return its result.

        What it writes survives the end of this process, and with `durable` a power cut too. If the
        database is replaced, `work` is repeated there, so it must rely on nothing but the
        connection. Raises `StoreError` with nothing written.
        """
        if durable:
            self.read_verified(lambda _: None)  # the end of a game is compared with all others
        return self._run_in_transaction(work, "BEGIN IMMEDIATE", durable=durable)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work`, which only reads, in one transaction and return its result."""
        return self._run_in_transaction(work, "BEGIN", durable=False)

    def read_verified(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do as `read` does, after verifying the checksums of all that is shown or counted."""

        def verified(connection: sqlite3.Connection) -> T:
            if not self._verified:
                self._verify(connection)
                self._verified = True
            return work(connection)

        return self.read(verified)

    def _verify(self, connection: sqlite3.Connection) -> None:
        """Verify all rows of a database of usual size; of a larger one, the running sums.

        Its rows are verified one by one when they are read.
        """
        (verify_checksums if self._size <= VERIFIED_AT_ONCE_BYTES else verify_sums)(connection)

    def write_exclusively(
        self, work: Callable[[sqlite3.Connection, set[str]], T], *, durable: bool = False
    ) -> T:
        """Do `work(connection, other living owners)` while no other program can claim a game."""
        with self.lock:
            connection = self._usable_connection()
            if connection is self._memory:
                return run_transaction(
                    connection, lambda alone: work(alone, set()), "BEGIN", durable=False
                )
            with self._exclusive_access():
                others = self.other_living_owners()
                result = self.write(lambda connection: work(connection, others), durable=durable)
                if durable:
                    self.checkpoint()
                return result

    def _run_in_transaction(
        self, work: Callable[[sqlite3.Connection], T], begin_sql: str, *, durable: bool
    ) -> T:
        with self.lock:
            last = False
            while True:
                connection = self._usable_connection()
                try:
                    result = run_transaction(connection, work, begin_sql, durable=durable)
                except (*SQL_ERRORS, UnusableDatabase) as error:
                    self._handle_sql_error(connection, error, last=last)
                else:
                    if begin_sql != "BEGIN":  # reading works even while another holds the lock
                        self._set_short_waits(connection, hurried=False)
                    # If the file was moved away during this transaction, its result went with it.
                    if last or self._is_file_unchanged():
                        return result
                last = True

    def checkpoint(self) -> bool:
        """Move the content of the log into the database file, except what others are reading.

        Return whether all of it is there now.
        """
        with self.lock, suppress(*SQL_ERRORS):
            if self._connection is not None:
                sql = "PRAGMA wal_checkpoint(PASSIVE)"
                ((busy, pages, moved),) = self._connection.execute(sql).fetchall()
                return not busy and pages == moved
        return False

    def try_moving_to_file(self) -> None:
        """Move from memory to the file if it can be opened; tries at most every other second."""
        with self.lock:
            if self._memory is not None and time.monotonic() >= self._retry_at:
                with suppress(StoreError):
                    self._reopen()

    def close(self) -> None:
        """Close the connection and release the lock; nothing unsaved is written."""
        with self.lock:
            if self.closed:
                return
            self.closed = True
            self._close_connection()
            memory, self._memory = self._memory, None
            if memory is not None:
                memory.close()
                self._connection = None
            self._owner_locks.unregister(self._wait_seconds(_OPEN_WAIT_S))

    # Opening

    def _open(self) -> None:
        """Connect to the database at the path; set it aside first if it was found unusable."""
        if self.path is None:
            self._connection = self._connect()
            return
        try:
            make_private_folder(self.path.parent)
        except OSError as error:
            raise self._write_error(error) from error
        try:
            self._open_exclusively()
        except UnusableDatabase as unfit:
            if unfit.kind is not NoticeKind.NEWER:
                raise self._write_error(unfit) from unfit
            # It stays in its place; games go to the side database.
            newer, self.path = self.path, side_database_path(self.path)
            self._owner_locks = OwnerLocks(self.path, self.owner)
            self._open()
            self._on_opened(
                self._run_batch, OpenedFileStatus(newer, unfit, side_database=self.path)
            )

    def _open_exclusively(self) -> None:
        path = cast(Path, self.path)
        with self._exclusive_access():
            self._owner_locks.register()
            self.other_living_owners()  # deletes the files of ended programs
            # Another program may have set the file aside already.
            found = self._unfit if file_identity(path)[0] == self._inode else None
            kept = self._finish_set_aside(path) if found is None else self._set_aside(path, found)
            self._close_connection()
            try:
                connection = self._connect()
            except UnusableDatabase as unfit:
                if kept is not None:
                    raise self._write_error(unfit) from unfit
                if unfit.kind is NoticeKind.NEWER:
                    self._owner_locks.unregister(0.0)
                    raise
                found, kept = unfit, self._set_aside(path, unfit)
                connection = self._connect()
            healed = self._copy_from_memory(connection)
            moved = self._inode is not None
            self._connection = connection
            self._inode, self._size = file_identity(path)
            (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
            self._log = WriteAheadLog(path) if mode == "wal" else None
            CONNECTIONS_BY_FILE[self._inode] += 1
            self._unfit = self._open_error = None
            left = side_database_path(path)
            opened = OpenedFileStatus(
                path,
                found,
                kept,
                moved,
                healed,
                files_to_salvage(connection, path),
                left if left.is_file() and not other_living_owners(left, self.owner) else None,
                has_partial_import(connection),
            )
            if opened:
                self._on_opened(self._run_batch, opened)
            if opened.is_replacement or (self._log is not None and self._log.has_content):
                self.checkpoint()  # what was copied, or left in the log by a killed program

    def _run_batch(self, work: Callable[[sqlite3.Connection, set[str]], T]) -> T:
        """Do work in a durable transaction of the present connection, with exclusive access."""
        connection = cast(sqlite3.Connection, self._connection)
        with self._exclusive_access():
            others = self.other_living_owners()
            return run_transaction(
                connection, lambda target: work(target, others), "BEGIN IMMEDIATE", durable=True
            )

    def _finish_set_aside(self, path: Path) -> Path | None:
        try:
            return finish_setting_aside(path)
        except OSError as error:
            raise self._write_error(error) from error

    def _copy_from_memory(self, connection: sqlite3.Connection) -> int | None:
        """Copy what is in memory into the file, in one transaction.

        Return how many games were unreadable (the memory may be a damaged file that was deleted);
        None if nothing is in memory.
        """
        memory, copy_all_games = self._memory, self._copy_all_games
        if memory is None or copy_all_games is None:
            return None
        try:
            unread = run_transaction(
                connection,
                lambda target: copy_all_games(memory, target),
                "BEGIN IMMEDIATE",
                durable=True,
            )
        except SQL_ERRORS as error:
            connection.close()
            raise self._write_error(error) from error
        memory.close()
        self._memory = None
        return unread

    def _connect(self) -> sqlite3.Connection:
        """Return a checked and migrated connection; raises `UnusableDatabase` or `StoreError`."""
        wait_s = self._wait_seconds(_WRITE_WAIT_S)
        connection, self._verified = connect(self.path, wait_s, self.other_living_owners)
        return connection

    # Other programs

    def _exclusive_access(self) -> AbstractContextManager[None]:
        """Return the context in which only one program starts, claims games or deletes locks."""
        return self._owner_locks.exclusive_access(self._wait_seconds(_OPEN_WAIT_S))

    def other_living_owners(self) -> set[str]:
        """Return which other programs are alive, as `OwnerLocks.other_living_owners` does."""
        return self._owner_locks.other_living_owners()

    def temporary_copy_folder(self) -> Path | None:
        """Return the path for a folder with a temporary copy, which a later start may delete."""
        return None if self.path is None else self._owner_locks.path_beside(f"{self.owner}.copy")

    # Damage and replacement

    def _usable_connection(self) -> sqlite3.Connection:
        """Return the connection, reopened if another file is at the path now."""
        if self.closed:
            raise StoreError(CLOSED, path=self.path)
        if self._memory is not None:
            self.try_moving_to_file()
        elif self._connection is None or not self._is_file_unchanged():
            # On closing, SQLite would write a truncated log into the database, unless that was
            # moved. An unusable file stays as it is (Windows does not move open files).
            if self._connection is not None and self.path and file_identity(self.path)[0] is None:
                self._keep_deleted_file(self._connection, self.path)
            elif self._unfit is None or os.name == "nt":
                self._close_connection()
            self._reopen()
        return cast(sqlite3.Connection, self._connection)

    def _keep_deleted_file(self, connection: sqlite3.Connection, path: Path) -> None:
        """Treat a deleted file, which nobody else can read, as memory and continue in it."""
        self._memory = connection
        CONNECTIONS_BY_FILE[self._inode] -= 1
        # A new database would use these files, which this connection has open.
        for file in database_files(path)[:-1]:
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def _reopen(self) -> None:
        if self._open_error is not None and time.monotonic() < self._retry_at:
            raise StoreError(self._open_error.template, **self._open_error.params)
        try:
            self._open()
        except StoreError as error:
            self._note_open_failure(error)
            raise

    def _note_open_failure(self, error: StoreError) -> None:
        if self._unfit is None:
            self._close_connection()
        self._open_error, self._waits_are_short = error, True
        if self._inode is None:  # this program has written nothing to the file yet
            self._owner_locks.unregister(_SHORT_WAIT_S)
        self._retry_at = time.monotonic() + _RETRY_AFTER_S

    def _wait_seconds(self, seconds: float) -> float:
        return _SHORT_WAIT_S if self._waits_are_short else seconds

    def _set_short_waits(self, connection: sqlite3.Connection, *, hurried: bool) -> None:
        """Wait only briefly for other programs, once one of them took too long."""
        if hurried != self._waits_are_short:
            self._waits_are_short = hurried
            milliseconds = int(self._wait_seconds(_WRITE_WAIT_S) * 1000)
            connection.execute(f"PRAGMA busy_timeout = {milliseconds}")

    def _is_file_unchanged(self) -> bool:
        """Return whether the connection leads to the file at the path, which is not truncated."""
        if self.path is None or self._memory is not None:
            return True
        has_log = self._log is None or self._log.is_unchanged()
        inode, size = file_identity(self.path)
        if inode is None or inode != self._inode:
            return False
        shorter, self._size = size < self._size, size
        if self._log is not None and not has_log:
            self._checkpoint_removed_log(self._log)
            return False
        # This program never shortens the file on purpose, but a rollback may.
        if shorter:
            self._unfit = find_damage(self.path, check_everything)
        if self._log is not None and self._log.was_cut:
            # Its beginning may be older than the database that SQLite would write it to.
            self._log.move_aside()
            self._unfit = UnusableDatabase(LOG_CUT)
        return self._unfit is None

    def _checkpoint_removed_log(self, log: WriteAheadLog) -> None:
        """Write to the database what only this connection can still read of a removed log."""
        with suppress(StoreError), self._exclusive_access():
            # A program that opened the file meanwhile knows nothing of that log.
            if not log.is_replaced() and not self.other_living_owners():
                self.checkpoint()

    def replace_file_if_damaged(self) -> None:
        """Check the file with a new connection; replace it by a new one if it is damaged."""
        with self.lock:
            if self._memory is not None or self._connection is None:
                return
            if self.path is not None and self._is_file_unchanged():
                small = self._size <= FULLY_CHECKED_BYTES
                self._unfit = find_damage(self.path, *((check_everything,) if small else ()))
                self._usable_connection()

    def verify_all_rows(self, should_stop: Callable[[], bool]) -> None:
        """Verify the rows and indexes of a large file, once and while others use it.

        A damaged one is replaced.
        """
        path = self.path
        if path is None or self._size <= VERIFIED_AT_ONCE_BYTES or self._are_rows_verified:
            return
        unfit = find_damage(path, verify_checksums, should_stop)
        with self.lock:
            self._are_rows_verified = unfit is None and not should_stop()
            if unfit is not None and not self.closed and self._is_file_unchanged():
                self._unfit = unfit
                self._usable_connection()

    def _handle_sql_error(
        self, connection: sqlite3.Connection, error: Exception, *, last: bool
    ) -> None:
        """Note damage, so that the work is repeated in a new file, or raise `StoreError`."""
        unfit = damage_behind_error(connection, error)
        if unfit is None or last or self.path is None or connection is self._memory:
            self._set_short_waits(connection, hurried=self._waits_are_short or is_busy_error(error))
            raise self._write_error(error) from error
        if unfit.kind is NoticeKind.NEWER:
            raise StoreError(NEWER_OPEN, path=self.path, reason=unfit.reason) from error
        self._unfit = unfit

    def _set_aside(self, path: Path, unfit: UnusableDatabase) -> Path:
        try:
            return set_database_aside(path, unfit.kind.value)
        except OSError as error:
            raise StoreError(
                NOT_RENAMED, path=path, why=unfit.reason, reason=quotable_reason(error)
            ) from error

    def _close_connection(self) -> None:
        connection, self._connection = self._connection, self._memory
        if connection is not None and connection is not self._memory:
            CONNECTIONS_BY_FILE[self._inode] -= 1
            with suppress(*SQL_ERRORS):
                connection.close()

    def _write_error(self, error: Exception) -> StoreError:
        return write_error(self.path, error)
