"""Opens a file of SQLite as the database of a server."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import URL, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from demine.scene.system_errors import SystemRefusal, system_error_reason
from demine.store.damage_checks import SQL_ERRORS, is_busy_error
from demine.store.file_lock import FileLock
from demine.web.database.file_version import (
    MIGRATIONS,
    file_revision,
    older_database,
    revisions,
    upgrade,
)
from demine.web.database.log_checkpoints import COMMIT_COPIES_PAGES, LogCheckpoints
from demine.web.database.place import OpenEngines
from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Connection, Engine

_BUSY_MS: Final = 5000
"""How long SQLite waits for another process that writes."""
_IN_USE: Final = "another program is using it"
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    # Every commit is on the disk, not only in the system's memory.
    "PRAGMA synchronous = FULL",
    f"PRAGMA busy_timeout = {_BUSY_MS}",
)


def open_file_beside_server(path: Path) -> tuple[Engine, Engine]:
    """Return an engine that reads a database on which a server may run, and one that writes.

    Raises `DatabaseError` if there is none, or it is not of this version: the server, which is
    alone with it then, has to bring it up to date.
    """
    try:
        found = file_revision(path)
    except (OSError, *SQL_ERRORS) as error:
        raise _cannot_be_opened(path, reason_of(error)) from error
    if found is None:
        raise DatabaseError("there is no database of a server at {path}", path=str(path))
    if found != revisions()[-1]:
        raise older_database(path)
    url = URL.create("sqlite", database=str(path))
    return _engine(url, "BEGIN"), _engine(url, "BEGIN IMMEDIATE")


def open_file(path: Path) -> OpenEngines:
    """Open the database at `path`, or make it; one of an older demine is brought up to date.

    Raises `DatabaseError`, and leaves alone what it cannot use.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file_revision(path)  # nothing is left beside a file that is no database of this server
        lock = locked(path)
        try:
            return OpenEngines(*_open_engines(path), lock, LogCheckpoints(path))
        except BaseException:
            lock.release()
            raise
    except (OSError, *SQL_ERRORS, SQLAlchemyError) as error:
        raise _cannot_be_opened(path, reason_of(error)) from error


def lock_path(path: Path) -> Path:
    """Return the path of the file that is locked while a server runs, beside the database."""
    real = Path(os.path.realpath(path))
    return real.with_name(f"{real.name}.lock")


def locked(path: Path) -> FileLock:
    """Return the lock of a database, once another server that is about to end has let go."""
    lock = FileLock.try_acquire(lock_path(path), _BUSY_MS / 1000)
    if lock is None:
        raise _cannot_be_opened(path, SystemRefusal(_IN_USE))
    return lock


def _cannot_be_opened(path: Path, reason: object) -> DatabaseError:
    return DatabaseError(
        "the database {path} cannot be opened: {reason}", path=str(path), reason=reason
    )


def _open_engines(path: Path) -> tuple[Engine, Engine]:
    """Return an engine that reads and one that writes, after the file was brought up to date."""
    url = URL.create("sqlite", database=str(path))
    if file_revision(path) != revisions()[-1]:
        _upgrade(url)
    readers = _engine(url, "BEGIN")
    writer = _engine(url, "BEGIN IMMEDIATE", commit_copies_pages=COMMIT_COPIES_PAGES)
    with writer.begin():  # whether it can be written shows now
        pass
    return readers, writer


def reason_of(error: Exception) -> object:
    """Return why a database cannot be opened, read or written, to fill into a message."""
    reason = getattr(error, "orig", None) or error
    if is_busy_error(reason):
        return SystemRefusal(_IN_USE)
    return system_error_reason(reason)


def _upgrade(url: URL, migrations: Path = MIGRATIONS) -> None:
    with migrating(url) as connection:
        upgrade(connection, migrations)


@contextmanager
def migrating(url: URL) -> Iterator[Connection]:
    """Yield a connection to a file that migrates it in one transaction."""
    engine = _engine(url, "BEGIN IMMEDIATE", checks_foreign_keys=False)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def _engine(
    url: URL,
    begin: str,
    *,
    checks_foreign_keys: bool = True,
    commit_copies_pages: int | None = None,
) -> Engine:
    engine = create_engine(url)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own
        # The driver would begin transactions by itself, and too late.
        connection.isolation_level = None
        for sql in _PRAGMAS:
            connection.execute(sql)
        connection.execute(f"PRAGMA foreign_keys = {checks_foreign_keys:d}")
        if commit_copies_pages is not None:
            connection.execute(f"PRAGMA wal_autocheckpoint = {commit_copies_pages}")

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        # Straight to the driver: this is done for every group of acts.
        connection.connection.cursor().execute(begin)

    return engine
