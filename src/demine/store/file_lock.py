"""File locks between processes; each ends with the process that holds it.

A lock is an empty SQLite file with an exclusive transaction open on it: SQLite can lock files on
every platform, and the system releases the lock when the process is gone, even by `kill -9`.

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

from demine.scene.system_errors import system_error_reason
from demine.store.damage_checks import is_busy_error, sqlite_error_code
from demine.store.database_paths import is_pipe_or_device, make_private_file
from demine.store.errors import BUSY, CANNOT_WRITE, NO_FILE, NO_LOCKS, Reason, StoreError

_GARBAGE: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


class FileLock:
    """A lock held until `release`; made by `try_acquire` or `acquire`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def try_acquire(cls, path: Path, wait_s: float = 0.0) -> FileLock | None:
        """Return the lock, or None if another process holds it for longer than `wait_s` seconds.

        Raises `StoreError` if no lock file can be made in the folder.
        """
        if is_pipe_or_device(path):
            raise StoreError(CANNOT_WRITE, path=path, reason=Reason(NO_FILE))
        try:
            return cls._lock_file(path, wait_s)
        except sqlite3.DatabaseError as error:
            if sqlite_error_code(error) & 0xFF not in _GARBAGE:
                raise StoreError(
                    CANNOT_WRITE, path=path.parent, reason=system_error_reason(error)
                ) from error
        # Nobody can hold a lock in a file that SQLite cannot read: it is left over.
        try:
            path.unlink(missing_ok=True)
            return cls._lock_file(path, wait_s)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                CANNOT_WRITE, path=path.parent, reason=system_error_reason(error)
            ) from error

    @classmethod
    def acquire(cls, path: Path, wait_s: float) -> FileLock:
        """Return the lock; raises `StoreError` if another process holds it for too long."""
        lock = cls.try_acquire(path, wait_s)
        if lock is None:
            raise busy_error(path.parent, path)
        return lock

    @classmethod
    def _lock_file(cls, path: Path, wait_s: float) -> FileLock | None:
        with suppress(OSError):  # SQLite's error is clearer
            make_private_file(path)
        connection = sqlite3.connect(
            path, timeout=wait_s, isolation_level=None, check_same_thread=False
        )
        try:
            # With the rollback journal in memory the lock is never more than one file.
            connection.execute("PRAGMA journal_mode=MEMORY")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            connection.close()
            if is_busy_error(error):
                return None
            raise
        except sqlite3.Error:
            connection.close()
            raise
        return cls(path, connection)

    def release(self, *, delete_file: bool = False) -> None:
        """Release the lock, and delete its file if asked to.

        Deleting needs another lock, which every process holds while it makes one of these: else a
        third process locks a new file while a second still waits for the old one.
        """
        self._connection.close()
        if delete_file:
            try:
                self.path.unlink(missing_ok=True)
            except OSError:
                # An empty file does no harm; the next start tries again.
                return


def busy_error(reported_path: Path, locked_file: Path) -> StoreError:
    """Return the error for a file that SQLite finds locked.

    SQLite also finds it locked where locks are not supported, as on some network shares.
    """
    if _is_locking_unsupported(locked_file):
        return StoreError(CANNOT_WRITE, path=reported_path, reason=Reason(NO_LOCKS))
    return StoreError(BUSY, path=reported_path)


def other_living_owners(database: Path, own_owner: str) -> set[str]:
    """Return which other programs have a database open; delete the files of those that ended."""
    alive: set[str] = set()
    prefix = f"{database.name}."
    for path in database.parent.glob(f"{escape(prefix)}*.lock"):
        owner = path.name.removeprefix(prefix).removesuffix(".lock")
        if owner == own_owner:
            continue
        lock = FileLock.try_acquire(path)
        if lock is None:
            alive.add(owner)
        else:
            shutil.rmtree(path.with_suffix(".copy"), ignore_errors=True)
            lock.release(delete_file=True)
    return alive


def _is_locking_unsupported(file: Path) -> bool:
    try:
        import fcntl
    except ImportError:
        return False
    # With a file of its own: closing any descriptor of a file releases all locks on it.
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
    """The locks that show which programs have a database open: one file for each, beside it.

    A database in memory (no path) has none.
    """

    def __init__(self, path: Path | None, owner: str) -> None:
        self._path = path
        self._owner = owner
        self._own_lock: FileLock | None = None
        self._access_lock: FileLock | None = None

    @contextmanager
    def exclusive_access(self, wait_s: float) -> Iterator[None]:
        """Hold the lock that lets only one program start, claim games or delete locks at a time.

        Raises `StoreError` if another process holds it for longer than `wait_s` seconds.
        """
        if self._path is None or self._access_lock is not None:
            yield
            return
        self._access_lock = FileLock.acquire(self.path_beside("lock"), wait_s)
        try:
            yield
        finally:
            lock, self._access_lock = self._access_lock, None
            lock.release()

    def register(self) -> None:
        """Take this program's own lock; call it with exclusive access."""
        if self._own_lock is None and self._path is not None:
            self._own_lock = FileLock.acquire(self.path_beside(f"{self._owner}.lock"), 0.0)

    def unregister(self, wait_s: float) -> None:
        """Release this program's own lock, and delete its file if access comes within `wait_s`."""
        lock, self._own_lock = self._own_lock, None
        if lock is None:
            return
        try:
            with self.exclusive_access(wait_s):
                lock.release(delete_file=True)
        except StoreError:
            lock.release()

    def other_living_owners(self) -> set[str]:
        """Return which other programs are alive, and delete the files of those that ended.

        Call it with exclusive access.
        """
        return set() if self._path is None else other_living_owners(self._path, self._owner)

    def path_beside(self, suffix: str) -> Path:
        """Return the path beside the database that is its name, a dot and the suffix."""
        path = cast(Path, self._path)
        return path.with_name(f"{path.name}.{suffix}")
