"""File locks between processes, which end with the process that holds them.

A lock is an empty SQLite file with an exclusive transaction open on it: SQLite knows how to lock
files on every platform, and the system drops the lock when the process is gone, `kill -9` included.

The library filelock does the same, but its import takes 45 ms of each start (version 4.2.11, 25
modules), while SQLite is loaded anyway and takes a lock in 0.3 ms.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Final, cast

from demine.scene.system_errors import reason_of
from demine.store.database_paths import is_special_file, make_private_file
from demine.store.errors import BUSY, CANNOT_WRITE, NO_FILE, NO_LOCKS, Reason, StoreError

_BUSY_CODES: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_GARBAGE: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


class FileLock:
    """A lock held until `release`; made by `try_acquire` or `acquire`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def try_acquire(cls, path: Path, wait_s: float = 0.0) -> FileLock | None:
        """Return the lock, or None when another holds it for longer than `wait_s` seconds.

        Raises `StoreError` when the folder takes no lock files.
        """
        if is_special_file(path):
            raise StoreError(CANNOT_WRITE, path=path, reason=Reason(NO_FILE))
        try:
            return cls._lock_file(path, wait_s)
        except sqlite3.DatabaseError as error:
            if _code(error) not in _GARBAGE:
                raise StoreError(CANNOT_WRITE, path=path.parent, reason=reason_of(error)) from error
        # Nobody can hold a lock in a file that SQLite does not read: it is litter.
        try:
            path.unlink(missing_ok=True)
            return cls._lock_file(path, wait_s)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(CANNOT_WRITE, path=path.parent, reason=reason_of(error)) from error

    @classmethod
    def acquire(cls, path: Path, wait_s: float) -> FileLock:
        """Return the lock; raises `StoreError` when another does not let go in time."""
        lock = cls.try_acquire(path, wait_s)
        if lock is None:
            raise busy_error(path.parent, path)
        return lock

    @classmethod
    def _lock_file(cls, path: Path, wait_s: float) -> FileLock | None:
        with suppress(OSError):  # SQLite says it better
            make_private_file(path)
        connection = sqlite3.connect(
            path, timeout=wait_s, isolation_level=None, check_same_thread=False
        )
        try:
            # With its rollback journal in memory the lock is one file and never a second.
            connection.execute("PRAGMA journal_mode=MEMORY")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            connection.close()
            if _code(error) in _BUSY_CODES:
                return None
            raise
        except sqlite3.Error:
            connection.close()
            raise
        return cls(path, connection)

    def release(self, *, remove: bool = False) -> None:
        """Let go, and remove the file if asked to.

        Whoever removes lock files must hold a lock that everybody takes before making one: else a
        third process locks a new file while a second still waits for the old one.
        """
        self._connection.close()
        if remove:
            try:
                self.path.unlink(missing_ok=True)
            except OSError:
                # An empty file left behind does no harm; the next start tries again.
                return


def busy_error(path: Path, file: Path) -> StoreError:
    """Return what to say of a file that SQLite finds locked.

    SQLite also says so where the system has no locks to give, on some network shares.
    """
    if _is_locking_unsupported(file):
        return StoreError(CANNOT_WRITE, path=path, reason=Reason(NO_LOCKS))
    return StoreError(BUSY, path=path)


def living_owners(database: Path, mine: str) -> set[str]:
    """Return who is alive of those that have a database open, and sweep up after the others."""
    alive: set[str] = set()
    prefix = f"{database.name}."
    for path in database.parent.glob(f"{escape(prefix)}*.lock"):
        owner = path.name.removeprefix(prefix).removesuffix(".lock")
        if owner == mine:
            continue
        lock = FileLock.try_acquire(path)
        if lock is None:
            alive.add(owner)
        else:
            shutil.rmtree(path.with_suffix(".copy"), ignore_errors=True)
            lock.release(remove=True)
    return alive


def _is_locking_unsupported(file: Path) -> bool:
    try:
        import fcntl
    except ImportError:
        return False
    # On a file of its own: closing any descriptor of a file lets go of all locks on it.
    probe = file.with_name(f"{file.name}.probe")
    try:
        with probe.open("xb") as stream:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno == errno.ENOLCK
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
    return False


class OwnerLocks:
    """The locks that tell which programs have a database open: one file for each, beside it.

    A store in memory (no path) has none.
    """

    def __init__(self, path: Path | None, owner: str) -> None:
        self._path = path
        self._owner = owner
        self._own: FileLock | None = None
        self._door: FileLock | None = None

    @contextmanager
    def exclusive_access(self, wait_s: float) -> Iterator[None]:
        """Hold the lock behind which starts, claims and removals happen one after the other.

        Raises `StoreError` when another holds it for longer than `wait_s` seconds.
        """
        if self._path is None or self._door is not None:
            yield
            return
        self._door = FileLock.acquire(self.path_beside("lock"), wait_s)
        try:
            yield
        finally:
            lock, self._door = self._door, None
            lock.release()

    def register(self) -> None:
        """Become one of them; needs the door."""
        if self._own is None and self._path is not None:
            self._own = FileLock.acquire(self.path_beside(f"{self._owner}.lock"), 0.0)

    def unregister(self, wait_s: float) -> None:
        """Be one of them no longer."""
        lock, self._own = self._own, None
        if lock is None:
            return
        try:
            with self.exclusive_access(wait_s):
                lock.release(remove=True)
        except StoreError:
            lock.release()

    def living_owners(self) -> set[str]:
        """Return the owners alive besides this one and sweep up after dead ones; needs the door."""
        return set() if self._path is None else living_owners(self._path, self._owner)

    def path_beside(self, name: str) -> Path:
        """Return a path beside the database that carries its name."""
        path = cast(Path, self._path)
        return path.with_name(f"{path.name}.{name}")


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
