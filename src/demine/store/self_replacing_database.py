"""The player's database file: opened, checked, set aside when it is damaged, and begun anew.

What may fail is sorted here once: *damage* sets the file aside and goes on in a new one; anything
else (no room, no permission, somebody's lock) is a `StoreError` that leaves the file alone.
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
    damage_behind_error,
    find_damage,
    is_busy_error,
    reason_of_error,
    verify_checksums,
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
from demine.store.file_lock import OwnerLocks, living_owners
from demine.store.notices import NoticeKind
from demine.store.open_database import (
    CONNECTIONS_BY_FILE,
    FULLY_CHECKED_BYTES,
    connect,
    write_error,
)
from demine.store.opened_file_status import (
    FileStatus,
    RunBatch,
    files_to_salvage,
    has_partial_import,
)
from demine.store.transactions import open_in_memory, run_transaction
from demine.store.write_ahead_log import WriteAheadLog, file_identity

T = TypeVar("T")
CopyAllGames: TypeAlias = Callable[[sqlite3.Connection, sqlite3.Connection], int]

_WRITE_WAIT_S: Final = 2.0
_OPEN_WAIT_S: Final = 10.0
_SHORT_WAIT_S: Final = 0.02
"""How long to wait instead once somebody held on for longer: a game is being played meanwhile."""
_RETRY_AFTER_S: Final = 2.0
"""How long after a failure to open the next attempt is made: every act would pay for it."""


class Database:
    """The connection to the player's database, and the way to a new one when it breaks.

    `arrived(batch, arrival)` is called whenever the connection leads to a database where something
    is to be done or told; `batch` does work in a transaction there. Safe to use from several
    threads: they wait for each other.

    One that `heals` begins in memory where the file cannot be opened, and `carry(memory, file)`
    takes what was written there into the file, in one transaction, as soon as that can be done, and
    returns how many games it could not read.
    The same brings all of a file that was deleted into a new one.
    """

    def __init__(
        self,
        path: Path | None,
        arrived: Callable[[RunBatch, FileStatus], object],
        carry: CopyAllGames | None = None,
        *,
        heals: bool = False,
    ) -> None:
        self.path = Path(os.path.realpath(path)) if path is not None else None
        self.home = self.path
        """The path that was asked for; `path` is another one beside it where that is left alone."""
        self.owner = os.urandom(8).hex()
        self.lock = RLock()
        self._on_opened = arrived
        self._copy_all_games = carry
        self._connection: sqlite3.Connection | None = None
        self._programs = OwnerLocks(self.path, self.owner)
        self._inode: tuple[int, int] | None = None
        self._unfit: UnusableDatabase | None = None
        self._size = 0
        self._verified = False
        self._log: WriteAheadLog | None = None
        self.closed = False
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
        # From 3.13 on Python says so of the connection itself.
        if not getattr(self, "closed", True):
            told = f"unclosed database {self.path}"
            warnings.warn(told, ResourceWarning, stacklevel=2, source=self)

    @property
    def reason_in_memory(self) -> StoreError | None:
        """Why all there is lies in memory and not in the file yet; None where it does not."""
        return self._open_error if self._memory is not None else None

    # Work

    def write(self, work: Callable[[sqlite3.Connection], T], *, full: bool = False) -> T:
        """Do `work` in one transaction and return its result.

        It survives the end of this process, and with `full` a power cut too. In a new database
        `work` is done again, so it must rely on nothing but the connection. Raises `StoreError`
        with nothing written.
        """
        if full:
            self.read_verified(lambda _: None)  # the end of a game is compared with all others
        return self._run_in_transaction(work, "BEGIN IMMEDIATE", full=full)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work`, which only reads, at one moment of the database; return its result."""
        return self._run_in_transaction(work, "BEGIN", full=False)

    def read_verified(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do as `read` for what is shown or counted, once all of that was verified."""

        def proved(connection: sqlite3.Connection) -> T:
            if not self._verified:
                verify_checksums(connection)
                self._verified = True
            return work(connection)

        return self.read(proved)

    def write_exclusively(
        self, work: Callable[[sqlite3.Connection, set[str]], T], *, full: bool = False
    ) -> T:
        """Do `work(connection, living owners but this one)` while nobody else claims a game."""
        with self.lock:
            connection = self._usable_connection()
            if connection is self._memory:
                return run_transaction(
                    connection, lambda alone: work(alone, set()), "BEGIN", full=False
                )
            with self._exclusive_access():
                others = self.living_owners()
                result = self.write(lambda connection: work(connection, others), full=full)
                if full:
                    self.checkpoint()
                return result

    def _run_in_transaction(
        self, work: Callable[[sqlite3.Connection], T], begin: str, *, full: bool
    ) -> T:
        with self.lock:
            last = False
            while True:
                connection = self._usable_connection()
                try:
                    result = run_transaction(connection, work, begin, full=full)
                except (*SQL_ERRORS, UnusableDatabase) as error:
                    self._handle_sql_error(connection, error, last=last)
                else:
                    if begin != "BEGIN":  # reading goes on beside whoever holds on to it
                        self._set_short_waits(connection, hurried=False)
                    # A file that was moved away under this very transaction took it along.
                    if last or self._is_file_unchanged():
                        return result
                last = True

    def checkpoint(self) -> bool:
        """Move what the log holds into the database, as far as nobody is reading it.

        Return whether all of it lies there now.
        """
        with self.lock, suppress(*SQL_ERRORS):
            if self._connection is not None:
                sql = "PRAGMA wal_checkpoint(PASSIVE)"
                ((busy, pages, moved),) = self._connection.execute(sql).fetchall()
                return not busy and pages == moved
        return False

    def try_moving_to_file(self) -> None:
        """Go from memory into the file if that is possible now; not asked for at every moment."""
        with self.lock:
            if self._memory is not None and time.monotonic() >= self._retry_at:
                with suppress(StoreError):
                    self._reopen()

    def close(self) -> None:
        """Close the connection and let go of the lock; what waits is not written."""
        with self.lock:
            if self.closed:
                return
            self.closed = True
            self._close_connection()
            standing, self._memory = self._memory, None
            if standing is not None:
                standing.close()
                self._connection = None
            self._programs.unregister(self._wait_seconds(_OPEN_WAIT_S))

    # Opening

    def _open(self) -> None:
        """Connect to what lies at the path; set it aside first if it was found unfit."""
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
            # Nothing is moved: games are kept in a file beside it.
            newer, self.path = self.path, side_database_path(self.path)
            self._programs = OwnerLocks(self.path, self.owner)
            self._open()
            self._on_opened(self._run_batch, FileStatus(newer, unfit, side_database=self.path))

    def _open_exclusively(self) -> None:
        path = cast(Path, self.path)
        with self._exclusive_access():
            self._programs.register()
            self.living_owners()  # sweeps up
            # Whoever came first through the door may have set the file aside already.
            found = self._unfit if file_identity(path)[0] == self._inode else None
            kept = self._finish_set_aside(path) if found is None else self._set_aside(path, found)
            self._close_connection()
            try:
                connection = self._connect()
            except UnusableDatabase as unfit:
                if kept is not None:
                    raise self._write_error(unfit) from unfit
                if unfit.kind is NoticeKind.NEWER:
                    self._programs.unregister(0.0)
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
            arrival = FileStatus(
                path,
                found,
                kept,
                moved,
                healed,
                files_to_salvage(connection, path),
                left if left.is_file() and not living_owners(left, self.owner) else None,
                has_partial_import(connection),
            )
            if arrival:
                self._on_opened(self._run_batch, arrival)
            if arrival.is_new or (self._log is not None and self._log.has_content):
                self.checkpoint()  # what was carried over, or left in the log by a program killed

    def _run_batch(self, work: Callable[[sqlite3.Connection, set[str]], T]) -> T:
        """Do work in a transaction of the present connection, with exclusive access."""
        connection = cast(sqlite3.Connection, self._connection)
        with self._exclusive_access():
            others = self.living_owners()
            return run_transaction(
                connection, lambda target: work(target, others), "BEGIN IMMEDIATE", full=True
            )

    def _finish_set_aside(self, path: Path) -> Path | None:
        try:
            return finish_setting_aside(path)
        except OSError as error:
            raise self._write_error(error) from error

    def _copy_from_memory(self, connection: sqlite3.Connection) -> int | None:
        """Carry into the file what was kept in memory, all of it or nothing, if anything was.

        Return how many games could not be read there, for it may be a damaged file that was
        deleted; None where nothing was kept in memory.
        """
        standing, carry = self._memory, self._copy_all_games
        if standing is None or carry is None:
            return None
        try:
            unread = run_transaction(
                connection, lambda target: carry(standing, target), "BEGIN IMMEDIATE", full=True
            )
        except SQL_ERRORS as error:
            connection.close()
            raise self._write_error(error) from error
        standing.close()
        self._memory = None
        return unread

    def _connect(self) -> sqlite3.Connection:
        """Return a connection ready for work; raises `UnusableDatabase` or `StoreError`."""
        wait_s = self._wait_seconds(_WRITE_WAIT_S)
        connection, self._verified = connect(self.path, wait_s, self.living_owners)
        return connection

    # Neighbours

    def _exclusive_access(self) -> AbstractContextManager[None]:
        """Return the lock behind which starts, claims and removals happen one after the other."""
        return self._programs.exclusive_access(self._wait_seconds(_OPEN_WAIT_S))

    def living_owners(self) -> set[str]:
        """Return the owners alive besides this one and sweep up after dead ones; needs the door."""
        return self._programs.living_owners()

    def temporary_copy_folder(self) -> Path | None:
        """Return the folder for a copy that this program needs for a while; a start sweeps it."""
        return None if self.path is None else self._programs.path_beside(f"{self.owner}.copy")

    # Breaking

    def _usable_connection(self) -> sqlite3.Connection:
        """Return the connection to the file that lies at the path now."""
        if self.closed:
            raise StoreError(CLOSED, path=self.path)
        if self._memory is not None:
            self.try_moving_to_file()
        elif self._connection is None or not self._is_file_unchanged():
            # SQLite would write a log that was cut into the database it leaves, unless that has
            # been moved: what is unfit is left as it is (Windows moves no file that is open).
            if self._connection is not None and self.path and file_identity(self.path)[0] is None:
                self._keep_deleted_file(self._connection, self.path)
            elif self._unfit is None or os.name == "nt":
                self._close_connection()
            self._reopen()
        return cast(sqlite3.Connection, self._connection)

    def _keep_deleted_file(self, connection: sqlite3.Connection, path: Path) -> None:
        """Go on in a file that was deleted: nobody else can read it any more."""
        self._memory = connection
        CONNECTIONS_BY_FILE[self._inode] -= 1
        # A new database would take them for its own, and this connection has them open.
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
        if self._inode is None:  # nothing of this program is in the file yet
            self._programs.unregister(_SHORT_WAIT_S)
        self._retry_at = time.monotonic() + _RETRY_AFTER_S

    def _wait_seconds(self, seconds: float) -> float:
        return _SHORT_WAIT_S if self._waits_are_short else seconds

    def _set_short_waits(self, connection: sqlite3.Connection, *, hurried: bool) -> None:
        """Wait for others no longer than a moment after they took too long, until they let go."""
        if hurried != self._waits_are_short:
            self._waits_are_short = hurried
            milliseconds = int(self._wait_seconds(_WRITE_WAIT_S) * 1000)
            connection.execute(f"PRAGMA busy_timeout = {milliseconds}")

    def _is_file_unchanged(self) -> bool:
        """Whether the connection leads to the file at the path, and that is as long as ever."""
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
        # Nothing here makes the file shorter on purpose, but taking back a transaction may.
        if shorter:
            self._unfit = find_damage(self.path, thorough=True)
        if self._log is not None and self._log.was_cut:
            # Its beginning may be older than the database, over which SQLite would write it.
            self._log.move_away()
            self._unfit = UnusableDatabase(LOG_CUT)
        return self._unfit is None

    def _checkpoint_removed_log(self, log: WriteAheadLog) -> None:
        """Write into the database what only this connection can still read of a log taken away."""
        with suppress(StoreError), self._exclusive_access():
            # Whoever opened the file meanwhile knows nothing of that log.
            if not log.is_replaced() and not self.living_owners():
                self.checkpoint()

    def verify_file(self) -> None:
        """See that the file says what SQLite remembers of it; begin a new one if it does not."""
        with self.lock:
            if self._memory is not None or self._connection is None:
                return
            if self.path is not None and self._is_file_unchanged():
                self._unfit = find_damage(self.path, thorough=self._size <= FULLY_CHECKED_BYTES)
                self._usable_connection()

    def _handle_sql_error(
        self, connection: sqlite3.Connection, error: Exception, *, last: bool
    ) -> None:
        """Let go of a damaged file, so that the work is done again in a new one, or raise."""
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
                NOT_RENAMED, path=path, why=unfit.reason, reason=reason_of_error(error)
            ) from error

    def _close_connection(self) -> None:
        connection, self._connection = self._connection, self._memory
        if connection is not None and connection is not self._memory:
            CONNECTIONS_BY_FILE[self._inode] -= 1
            with suppress(*SQL_ERRORS):
                connection.close()

    def _write_error(self, error: Exception) -> StoreError:
        return write_error(self.path, error)
