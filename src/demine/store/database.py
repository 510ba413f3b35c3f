"""One SQLite file, kept usable: opened, judged, set aside when it cannot be used, begun anew.

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

from demine.store.connection import (
    SQL_ERRORS,
    damage,
    in_memory,
    is_busy,
    suspicion,
    transact,
    verify,
    words,
)
from demine.store.errors import (
    CLOSED,
    LOG_CUT,
    NEWER_OPEN,
    NOT_RENAMED,
    NoticeKind,
    StoreError,
    Unfit,
)
from demine.store.file_lock import Neighbours, others
from demine.store.file_status import Arrival, Batch, has_halves, owed
from demine.store.open_database import IN_USE, SMALL, connect, unwritable
from demine.store.paths import (
    beside,
    family,
    finish_set_aside,
    make_folder,
    set_aside,
)
from demine.store.wal_identity import Log, identity

T = TypeVar("T")
Carry: TypeAlias = Callable[[sqlite3.Connection, sqlite3.Connection], int]

_BUSY_S: Final = 2.0
_DOOR_S: Final = 10.0
_HURRIED_S: Final = 0.02
"""How long to wait instead once somebody held on for longer: a game is being played meanwhile."""
_PATIENCE_S: Final = 2.0
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
        arrived: Callable[[Batch, Arrival], object],
        carry: Carry | None = None,
        *,
        heals: bool = False,
    ) -> None:
        self.path = Path(os.path.realpath(path)) if path is not None else None
        self.home = self.path
        """The path that was asked for; `path` is another one beside it where that is left alone."""
        self.owner = os.urandom(8).hex()
        self.lock = RLock()
        self._arrived = arrived
        self._carry = carry
        self._connection: sqlite3.Connection | None = None
        self._neighbours = Neighbours(self.path, self.owner)
        self._inode: tuple[int, int] | None = None
        self._unfit: Unfit | None = None
        self._size = 0
        self._proved = False
        self._log: Log | None = None
        self.closed = False
        self._trouble: StoreError | None = None
        self._retry_at = 0.0
        self._hurried = False
        self._standing: sqlite3.Connection | None = None
        try:
            self._open()
        except StoreError as error:
            if not heals:
                self.close()
                raise
            self._fail(error)
            self._connection = self._standing = in_memory()

    def __del__(self) -> None:
        # From 3.13 on Python says so of the connection itself.
        if not getattr(self, "closed", True):
            told = f"unclosed database {self.path}"
            warnings.warn(told, ResourceWarning, stacklevel=2, source=self)

    @property
    def waiting(self) -> StoreError | None:
        """Why all there is lies in memory and not in the file yet; None where it does not."""
        return self._trouble if self._standing is not None else None

    # Work

    def write(self, work: Callable[[sqlite3.Connection], T], *, full: bool = False) -> T:
        """Do `work` in one transaction and return its result.

        It survives the end of this process, and with `full` a power cut too. In a new database
        `work` is done again, so it must rely on nothing but the connection. Raises `StoreError`
        with nothing written.
        """
        if full:
            self.look(lambda _: None)  # the end of a game is compared with all others
        return self._run(work, "BEGIN IMMEDIATE", full=full)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work`, which only reads, at one moment of the database; return its result."""
        return self._run(work, "BEGIN", full=False)

    def look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do as `read` for what is shown or counted, once all of that was verified."""

        def proved(connection: sqlite3.Connection) -> T:
            if not self._proved:
                verify(connection)
                self._proved = True
            return work(connection)

        return self.read(proved)

    def claiming(
        self, work: Callable[[sqlite3.Connection, set[str]], T], *, full: bool = False
    ) -> T:
        """Do `work(connection, living owners but this one)` while nobody else claims a game."""
        with self.lock:
            connection = self._ready()
            if connection is self._standing:
                return transact(connection, lambda alone: work(alone, set()), "BEGIN", full=False)
            with self._door():
                others = self.others()
                result = self.write(lambda connection: work(connection, others), full=full)
                if full:
                    self.checkpoint()
                return result

    def _run(self, work: Callable[[sqlite3.Connection], T], begin: str, *, full: bool) -> T:
        with self.lock:
            last = False
            while True:
                connection = self._ready()
                try:
                    result = transact(connection, work, begin, full=full)
                except (*SQL_ERRORS, Unfit) as error:
                    self._recover(connection, error, last=last)
                else:
                    if begin != "BEGIN":  # reading goes on beside whoever holds on to it
                        self._hurry(connection, hurried=False)
                    # A file that was moved away under this very transaction took it along.
                    if last or self._in_place():
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

    def heal(self) -> None:
        """Go from memory into the file if that is possible now; not asked for at every moment."""
        with self.lock:
            if self._standing is not None and time.monotonic() >= self._retry_at:
                with suppress(StoreError):
                    self._reopen()

    def close(self) -> None:
        """Close the connection and let go of the lock; what waits is not written."""
        with self.lock:
            if self.closed:
                return
            self.closed = True
            self._drop()
            standing, self._standing = self._standing, None
            if standing is not None:
                standing.close()
                self._connection = None
            self._neighbours.leave(self._patience(_DOOR_S))

    # Opening

    def _open(self) -> None:
        """Connect to what lies at the path; set it aside first if it was found unfit."""
        if self.path is None:
            self._connection = self._connect()
            return
        try:
            make_folder(self.path.parent)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            self._enter()
        except Unfit as unfit:
            if unfit.kind is not NoticeKind.NEWER:
                raise self._unwritable(unfit) from unfit
            # Nothing is moved: games are kept in a file beside it.
            newer, self.path = self.path, beside(self.path)
            self._neighbours = Neighbours(self.path, self.owner)
            self._open()
            self._arrived(self._batch, Arrival(newer, unfit, left=self.path))

    def _enter(self) -> None:
        path = cast(Path, self.path)
        with self._door():
            self._neighbours.enter()
            self.others()  # sweeps up
            # Whoever came first through the door may have set the file aside already.
            found = self._unfit if identity(path)[0] == self._inode else None
            kept = self._cut_off(path) if found is None else self._set_aside(path, found)
            self._drop()
            try:
                connection = self._connect()
            except Unfit as unfit:
                if kept is not None:
                    raise self._unwritable(unfit) from unfit
                if unfit.kind is NoticeKind.NEWER:
                    self._neighbours.leave(0.0)
                    raise
                found, kept = unfit, self._set_aside(path, unfit)
                connection = self._connect()
            healed = self._move_in(connection)
            moved = self._inode is not None
            self._connection = connection
            self._inode, self._size = identity(path)
            (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
            self._log = Log(path) if mode == "wal" else None
            IN_USE[self._inode] += 1
            self._unfit = self._trouble = None
            left = beside(path)
            arrival = Arrival(
                path,
                found,
                kept,
                moved,
                healed,
                owed(connection, path),
                left if left.is_file() and not others(left, self.owner) else None,
                has_halves(connection),
            )
            if arrival:
                self._arrived(self._batch, arrival)
            if arrival.is_new or (self._log is not None and self._log.holds):
                self.checkpoint()  # what was carried over, or left in the log by a program killed

    def _batch(self, work: Callable[[sqlite3.Connection, set[str]], T]) -> T:
        """Do work in a transaction of the connection as it is, behind the door."""
        connection = cast(sqlite3.Connection, self._connection)
        with self._door():
            others = self.others()
            return transact(
                connection, lambda target: work(target, others), "BEGIN IMMEDIATE", full=True
            )

    def _cut_off(self, path: Path) -> Path | None:
        try:
            return finish_set_aside(path)
        except OSError as error:
            raise self._unwritable(error) from error

    def _move_in(self, connection: sqlite3.Connection) -> int | None:
        """Carry into the file what was kept in memory, all of it or nothing, if anything was.

        Return how many games could not be read there, for it may be a damaged file that was
        deleted; None where nothing was kept in memory.
        """
        standing, carry = self._standing, self._carry
        if standing is None or carry is None:
            return None
        try:
            unread = transact(
                connection, lambda target: carry(standing, target), "BEGIN IMMEDIATE", full=True
            )
        except SQL_ERRORS as error:
            connection.close()
            raise self._unwritable(error) from error
        standing.close()
        self._standing = None
        return unread

    def _connect(self) -> sqlite3.Connection:
        """Return a connection ready for work; raises `Unfit` or `StoreError`."""
        wait_s = self._patience(_BUSY_S)
        connection, self._proved = connect(self.path, wait_s, self.others)
        return connection

    # Neighbours

    def _door(self) -> AbstractContextManager[None]:
        """Return the lock behind which starts, claims and removals happen one after the other."""
        return self._neighbours.door(self._patience(_DOOR_S))

    def others(self) -> set[str]:
        """Return the owners alive besides this one and sweep up after dead ones; needs the door."""
        return self._neighbours.others()

    def copies(self) -> Path | None:
        """Return the folder for a copy that this program needs for a while; a start sweeps it."""
        return None if self.path is None else self._neighbours.beside(f"{self.owner}.copy")

    # Breaking

    def _ready(self) -> sqlite3.Connection:
        """Return the connection to the file that lies at the path now."""
        if self.closed:
            raise StoreError(CLOSED, path=self.path)
        if self._standing is not None:
            self.heal()
        elif self._connection is None or not self._in_place():
            # SQLite would write a log that was cut into the database it leaves, unless that has
            # been moved: what is unfit is left as it is (Windows moves no file that is open).
            if self._connection is not None and self.path and identity(self.path)[0] is None:
                self._stay(self._connection, self.path)
            elif self._unfit is None or os.name == "nt":
                self._drop()
            self._reopen()
        return cast(sqlite3.Connection, self._connection)

    def _stay(self, connection: sqlite3.Connection, path: Path) -> None:
        """Go on in a file that was deleted: nobody else can read it any more."""
        self._standing = connection
        IN_USE[self._inode] -= 1
        # A new database would take them for its own, and this connection has them open.
        for file in family(path)[:-1]:
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def _reopen(self) -> None:
        if self._trouble is not None and time.monotonic() < self._retry_at:
            raise StoreError(self._trouble.template, **self._trouble.params)
        try:
            self._open()
        except StoreError as error:
            self._fail(error)
            raise

    def _fail(self, error: StoreError) -> None:
        if self._unfit is None:
            self._drop()
        self._trouble, self._hurried = error, True
        if self._inode is None:  # nothing of this program is in the file yet
            self._neighbours.leave(_HURRIED_S)
        self._retry_at = time.monotonic() + _PATIENCE_S

    def _patience(self, seconds: float) -> float:
        return _HURRIED_S if self._hurried else seconds

    def _hurry(self, connection: sqlite3.Connection, *, hurried: bool) -> None:
        """Wait for others no longer than a moment after they took too long, until they let go."""
        if hurried != self._hurried:
            self._hurried = hurried
            milliseconds = int(self._patience(_BUSY_S) * 1000)
            connection.execute(f"PRAGMA busy_timeout = {milliseconds}")

    def _in_place(self) -> bool:
        """Whether the connection leads to the file at the path, and that is as long as ever."""
        if self.path is None or self._standing is not None:
            return True
        has_log = self._log is None or self._log.is_there()
        inode, size = identity(self.path)
        if inode is None or inode != self._inode:
            return False
        shorter, self._size = size < self._size, size
        if self._log is not None and not has_log:
            self._save(self._log)
            return False
        # Nothing here makes the file shorter on purpose, but taking back a transaction may.
        if shorter:
            self._unfit = suspicion(self.path, thorough=True)
        if self._log is not None and self._log.was_cut:
            # Its beginning may be older than the database, over which SQLite would write it.
            self._log.move_away()
            self._unfit = Unfit(LOG_CUT)
        return self._unfit is None

    def _save(self, log: Log) -> None:
        """Write into the database what only this connection can still read of a log taken away."""
        with suppress(StoreError), self._door():
            # Whoever opened the file meanwhile knows nothing of that log.
            if not log.is_replaced() and not self.others():
                self.checkpoint()

    def verify(self) -> None:
        """See that the file says what SQLite remembers of it; begin a new one if it does not."""
        with self.lock:
            if self._standing is not None or self._connection is None:
                return
            if self.path is not None and self._in_place():
                self._unfit = suspicion(self.path, thorough=self._size <= SMALL)
                self._ready()

    def _recover(self, connection: sqlite3.Connection, error: Exception, *, last: bool) -> None:
        """Let go of a damaged file, so that the work is done again in a new one, or raise."""
        unfit = damage(connection, error)
        if unfit is None or last or self.path is None or connection is self._standing:
            self._hurry(connection, hurried=self._hurried or is_busy(error))
            raise self._unwritable(error) from error
        if unfit.kind is NoticeKind.NEWER:
            raise StoreError(NEWER_OPEN, path=self.path, reason=unfit.reason) from error
        self._unfit = unfit

    def _set_aside(self, path: Path, unfit: Unfit) -> Path:
        try:
            return set_aside(path, unfit.kind.value)
        except OSError as error:
            raise StoreError(
                NOT_RENAMED, path=path, why=unfit.reason, reason=words(error)
            ) from error

    def _drop(self) -> None:
        connection, self._connection = self._connection, self._standing
        if connection is not None and connection is not self._standing:
            IN_USE[self._inode] -= 1
            with suppress(*SQL_ERRORS):
                connection.close()

    def _unwritable(self, error: Exception) -> StoreError:
        return unwritable(self.path, error)
