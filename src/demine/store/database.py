"""One SQLite file, kept usable: opened, judged, set aside when it cannot be used, begun anew.

What may fail is sorted here once: *damage* sets the file aside and goes on in a new one; anything
else (no room, no permission, somebody's lock) is a `StoreError` that leaves the file alone.
"""

from __future__ import annotations

import os
import sqlite3
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Final, TypeVar, cast

from demine.store import schema, seals
from demine.store.arrival import Arrival, Batch, has_halves, owed
from demine.store.connection import (
    SETTINGS,
    SQL_ERRORS,
    check_length,
    damage,
    is_busy,
    is_damage,
    is_trouble,
    read_through,
    suspicion,
    transact,
    verify,
    words,
)
from demine.store.errors import (
    CANNOT_WRITE,
    CLOSED,
    IS_FOLDER,
    NEWER_OPEN,
    NO_FILE,
    NOT_READABLE,
    NOT_RENAMED,
    NOT_WRITABLE,
    UPGRADE_OPEN,
    NoticeKind,
    Reason,
    StoreError,
    Unfit,
)
from demine.store.locks import Lock, busy, others
from demine.store.pages import check_header, read_header
from demine.store.place import (
    beside,
    family,
    finish_set_aside,
    is_special,
    make_folder,
    make_private,
    set_aside,
)

T = TypeVar("T")

_IN_USE: Final = Counter["tuple[int, int] | None"]()
"""How many connections of this process lead to a file."""
_BUSY_S: Final = 2.0
_DOOR_S: Final = 10.0
_PATIENCE_S: Final = 2.0
"""How long after a failure to open the next attempt is made: every act would pay for it."""
_SMALL: Final = 256 * 1024
"""Bytes up to which a database is read through at every start: it costs about a millisecond."""


class Database:
    """The connection to the player's database, and the way to a new one when it breaks.

    `arrived(batch, arrival)` is called whenever the connection leads to a database where something
    is to be done or told; `batch` does work in a transaction there. Safe to use from several
    threads: they wait for each other.
    """

    def __init__(self, path: Path | None, arrived: Callable[[Batch, Arrival], object]) -> None:
        self.path = Path(os.path.realpath(path)) if path is not None else None
        self.owner = os.urandom(8).hex()
        self.lock = RLock()
        self._arrived = arrived
        self._connection: sqlite3.Connection | None = None
        self._owner_lock: Lock | None = None
        self._door_lock: Lock | None = None
        self._inode: tuple[int, int] | None = None
        self._unfit: Unfit | None = None
        self._size = 0
        self._proved = False
        self._closed = False
        self._trouble: StoreError | None = None
        self._retry_at = 0.0
        try:
            self._open()
        except StoreError:
            self.close()
            raise

    def __del__(self) -> None:
        # From 3.13 on Python says so of the connection itself.
        if not getattr(self, "_closed", True):
            told = f"unclosed database {self.path}"
            warnings.warn(told, ResourceWarning, stacklevel=2, source=self)

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

    def claiming(self, work: Callable[[sqlite3.Connection, set[str]], T]) -> T:
        """Do `work(connection, living owners but this one)` while nobody else claims a game."""
        with self.lock, self._door():
            others = self.others()
            return self.write(lambda connection: work(connection, others))

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
                    # A file that was moved away under this very transaction took it along.
                    if last or self._in_place():
                        return result
                last = True

    def checkpoint(self) -> None:
        """Move what the log holds into the database, as far as nobody is reading it."""
        with self.lock, suppress(*SQL_ERRORS):
            if self._connection is not None:
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Close the connection and let go of the lock; what waits is not written."""
        with self.lock:
            if self._closed:
                return
            self._closed = True
            self._drop()
            lock, self._owner_lock = self._owner_lock, None
            if lock is None:
                return
            try:
                with self._door():
                    lock.release(remove=True)
            except StoreError:
                lock.release()

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
            self._open()
            self._arrived(self._batch, Arrival(newer, unfit, left=self.path))

    def _enter(self) -> None:
        path = cast(Path, self.path)
        with self._door():
            if self._owner_lock is None:
                self._owner_lock = Lock.claim(self._beside(f"{self.owner}.lock"), 0.0)
            self.others()  # sweeps up
            # Whoever came first through the door may have set the file aside already.
            found = self._unfit if _identity(path)[0] == self._inode else None
            kept = self._cut_off(path) if found is None else self._set_aside(path, found)
            try:
                connection = self._connect()
            except Unfit as unfit:
                if kept is not None:
                    raise self._unwritable(unfit) from unfit
                if unfit.kind is NoticeKind.NEWER:
                    self._owner_lock.release(remove=True)
                    self._owner_lock = None
                    raise
                found, kept = unfit, self._set_aside(path, unfit)
                connection = self._connect()
            moved = self._inode is not None
            self._connection = connection
            self._inode, self._size = _identity(path)
            _IN_USE[self._inode] += 1
            self._unfit = self._trouble = None
            left = beside(path)
            arrival = Arrival(
                path,
                found,
                kept,
                moved,
                owed(connection, path),
                left if left.is_file() and not others(left, self.owner) else None,
                has_halves(connection),
            )
            if arrival:
                self._arrived(self._batch, arrival)

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

    def _connect(self) -> sqlite3.Connection:
        """Return a connection ready for work; raises `Unfit` or `StoreError`."""
        connection: sqlite3.Connection | None = None
        try:
            header = self._look()
            connection = sqlite3.connect(
                ":memory:" if self.path is None else self.path,
                timeout=_BUSY_S,
                isolation_level=None,
                check_same_thread=False,
            )
            self._prepare(connection, header)
        except (*SQL_ERRORS, OSError, Unfit, StoreError) as error:
            if connection is not None:
                connection.close()
            if is_damage(error):
                raise Unfit("{text}", text=error) from error
            if isinstance(error, Unfit | StoreError):
                raise
            raise self._unwritable(error) from error
        return connection

    def _look(self) -> bytes:
        """Refuse what SQLite would take for an empty or an unwilling database; return the header.

        It is read once for all stores of a process: closing a file lets go of its locks.
        """
        path = self.path
        if path is None:
            return b""
        strange = next((each for each in family(path) if is_special(each)), None)
        if strange is not None:
            raise StoreError(CANNOT_WRITE, path=strange, reason=Reason(NO_FILE))
        if path.is_dir():
            raise Unfit(IS_FOLDER)
        make_private(path)
        if not os.access(path, os.R_OK):
            raise Unfit(NOT_READABLE)
        if not os.access(path, os.W_OK):
            raise self._unwritable(Reason(NOT_WRITABLE))
        return b"" if _IN_USE[_identity(path)[0]] else read_header(path)

    def _prepare(self, connection: sqlite3.Connection, header: bytes) -> None:
        self._proved = False
        version = self._judge(connection, header)
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        # A program that still has the file open which lay here before deletes "its" log by name
        # when it closes. While one may be there, this database has no log of that name.
        if mode == "delete" and not self.others():
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        if version < schema.VERSION:
            if version:
                if self.others():
                    raise StoreError(UPGRADE_OPEN, path=self.path)
                # What is damaged now would be sealed as it is.
                read_through(connection)
            schema.migrate(connection)
            self._proved = True
        elif self.path is not None:
            check_length(connection, self.path)
            if self.path.stat().st_size <= _SMALL:
                read_through(connection)
                verify(connection)
                self._proved = True

    def _judge(self, connection: sqlite3.Connection, header: bytes) -> int:
        """Return the format of the file. Raises `Unfit` for one that cannot be used."""
        seals.register(connection)
        try:
            for sql in SETTINGS:
                connection.execute(sql).fetchall()
            version = schema.judge(connection)
            if version:
                check_header(header)
        except SQL_ERRORS as error:
            # Whatever SQLite has against a file: nobody is to be locked out by a byte.
            if is_trouble(error):
                raise
            raise Unfit("{text}", text=error) from error
        return version

    # Neighbours

    @contextmanager
    def _door(self) -> Iterator[None]:
        """Hold the lock behind which starts, claims and removals happen one after the other."""
        if self.path is None or self._door_lock is not None:
            yield
            return
        self._door_lock = Lock.claim(self._beside("lock"), _DOOR_S)
        try:
            yield
        finally:
            lock, self._door_lock = self._door_lock, None
            lock.release()

    def _beside(self, name: str) -> Path:
        path = cast(Path, self.path)
        return path.with_name(f"{path.name}.{name}")

    def others(self) -> set[str]:
        """Return the owners alive besides this one and sweep up after dead ones; needs the door."""
        return set() if self.path is None else others(self.path, self.owner)

    def copies(self) -> Path | None:
        """Return the folder for a copy that this program needs for a while; a start sweeps it."""
        return None if self.path is None else self._beside(f"{self.owner}.copy")

    # Breaking

    def _ready(self) -> sqlite3.Connection:
        """Return the connection to the file that lies at the path now."""
        if self._closed:
            raise StoreError(CLOSED, path=self.path)
        if self._connection is None or not self._in_place():
            self._drop()
            self._reopen()
        return cast(sqlite3.Connection, self._connection)

    def _reopen(self) -> None:
        if self._trouble is not None and time.monotonic() < self._retry_at:
            raise StoreError(self._trouble.template, **self._trouble.params)
        try:
            self._open()
        except StoreError as error:
            self._drop()
            self._trouble = error
            self._retry_at = time.monotonic() + _PATIENCE_S
            raise

    def _in_place(self) -> bool:
        """Whether the connection leads to the file at the path, and that is as long as ever."""
        if self.path is None:
            return True
        inode, size = _identity(self.path)
        if inode != self._inode:
            return False
        shorter, self._size = size < self._size, size
        # Nothing here makes the file shorter on purpose, but taking back a transaction may.
        if shorter:
            self._unfit = suspicion(self.path, thorough=True)
        return self._unfit is None

    def verify(self) -> None:
        """See that the file says what SQLite remembers of it; begin a new one if it does not."""
        with self.lock:
            if self.path is not None and self._connection is not None and self._in_place():
                self._unfit = suspicion(self.path, thorough=self._size <= _SMALL)
                self._ready()

    def _recover(self, connection: sqlite3.Connection, error: Exception, *, last: bool) -> None:
        """Let go of a damaged file, so that the work is done again in a new one, or raise."""
        unfit = damage(connection, error)
        if unfit is None or last or self.path is None:
            raise self._unwritable(error) from error
        if unfit.kind is NoticeKind.NEWER:
            raise StoreError(NEWER_OPEN, path=self.path, reason=unfit.reason) from error
        self._unfit = unfit
        self._drop()

    def _set_aside(self, path: Path, unfit: Unfit) -> Path:
        try:
            return set_aside(path, unfit.kind.value)
        except OSError as error:
            raise StoreError(
                NOT_RENAMED, path=path, why=unfit.reason, reason=words(error)
            ) from error

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            _IN_USE[self._inode] -= 1
            with suppress(*SQL_ERRORS):
                connection.close()

    def _unwritable(self, error: Exception) -> StoreError:
        if is_busy(error) and self.path is not None:
            return busy(self.path, self.path)
        return StoreError(CANNOT_WRITE, path=self.path, reason=words(error))


def _identity(path: Path) -> tuple[tuple[int, int] | None, int]:
    """Return what tells this very file from another of its name (None: no file), and its bytes."""
    try:
        stat = os.stat(path)  # noqa: PTH116 (on every act: half the time of Path.stat)
    except OSError:
        return None, 0
    return (stat.st_dev, stat.st_ino), stat.st_size
