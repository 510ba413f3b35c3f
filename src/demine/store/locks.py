"""Locks between processes that end with the process that holds them, however it ends.

A lock is an empty SQLite file with an exclusive transaction open on it: SQLite knows how to lock
files on every platform, and the system drops the lock when the process is gone, `kill -9` included.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Final

from demine.scene.reasons import why
from demine.store.errors import BUSY, CANNOT_WRITE, NO_FILE, NO_LOCKS, Reason, StoreError
from demine.store.place import is_special, make_private

_BUSY_CODES: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_GARBAGE: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


class Lock:
    """A lock held until `release`; made by `take` or `claim`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def take(cls, path: Path, wait_s: float = 0.0) -> Lock | None:
        """Return the lock, or None when another holds it for longer than `wait_s` seconds.

        Raises `StoreError` when the folder takes no lock files.
        """
        if is_special(path):
            raise StoreError(CANNOT_WRITE, path=path, reason=Reason(NO_FILE))
        try:
            return cls._take(path, wait_s)
        except sqlite3.DatabaseError as error:
            if _code(error) not in _GARBAGE:
                raise StoreError(CANNOT_WRITE, path=path.parent, reason=why(error)) from error
        # Nobody can hold a lock in a file that SQLite does not read: it is litter.
        try:
            path.unlink(missing_ok=True)
            return cls._take(path, wait_s)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(CANNOT_WRITE, path=path.parent, reason=why(error)) from error

    @classmethod
    def claim(cls, path: Path, wait_s: float) -> Lock:
        """Return the lock; raises `StoreError` when another does not let go in time."""
        lock = cls.take(path, wait_s)
        if lock is None:
            raise busy(path.parent, path)
        return lock

    @classmethod
    def _take(cls, path: Path, wait_s: float) -> Lock | None:
        with suppress(OSError):  # SQLite says it better
            make_private(path)
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


def busy(path: Path, file: Path) -> StoreError:
    """Return what to say of a file that SQLite finds locked.

    SQLite also says so where the system has no locks to give, on some network shares.
    """
    if _has_no_locks(file):
        return StoreError(CANNOT_WRITE, path=path, reason=Reason(NO_LOCKS))
    return StoreError(BUSY, path=path)


def others(database: Path, mine: str) -> set[str]:
    """Return who is alive of those that have a database open, and sweep up after the others."""
    alive: set[str] = set()
    prefix = f"{database.name}."
    for path in database.parent.glob(f"{escape(prefix)}*.lock"):
        owner = path.name.removeprefix(prefix).removesuffix(".lock")
        if owner == mine:
            continue
        lock = Lock.take(path)
        if lock is None:
            alive.add(owner)
        else:
            shutil.rmtree(path.with_suffix(".copy"), ignore_errors=True)
            lock.release(remove=True)
    return alive


def _has_no_locks(file: Path) -> bool:
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


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
