"""A database file opened: judged, brought up to date and ready for work, or refused."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from demine.store import checksums, schema
from demine.store.connection import (
    SETTINGS,
    SQL_ERRORS,
    check_arrivals,
    check_length,
    is_busy,
    is_damage,
    is_trouble,
    read_through,
    verify,
    words,
)
from demine.store.errors import (
    CANNOT_WRITE,
    IS_FOLDER,
    NO_FILE,
    NOT_READABLE,
    NOT_WRITABLE,
    UPGRADE_OPEN,
    Reason,
    StoreError,
    Unfit,
)
from demine.store.file_lock import busy
from demine.store.paths import family, is_special, make_private
from demine.store.sqlite_pages import check_header, read_header
from demine.store.wal_identity import identity

IN_USE: Final = Counter["tuple[int, int] | None"]()
"""How many connections of this process lead to a file."""
SMALL: Final = 256 * 1024
"""Bytes up to which a database is read through at every start: it costs about a millisecond."""


def connect(
    path: Path | None, wait_s: float, others: Callable[[], set[str]]
) -> tuple[sqlite3.Connection, bool]:
    """Return a connection ready for work, and whether all of its rows were verified.

    It waits for other programs up to `wait_s` seconds; `others` tells which have the file open.
    Without a path the database is one in memory. Raises `Unfit` or `StoreError`.
    """
    connection: sqlite3.Connection | None = None
    try:
        header = b"" if path is None else _look(path)
        connection = sqlite3.connect(
            ":memory:" if path is None else path,
            timeout=wait_s,
            isolation_level=None,
            check_same_thread=False,
        )
        return connection, _prepare(connection, path, header, others)
    except (*SQL_ERRORS, OSError, Unfit, StoreError) as error:
        if connection is not None:
            connection.close()
        if is_damage(error):
            raise Unfit("{text}", text=error) from error
        if isinstance(error, Unfit | StoreError):
            raise
        raise unwritable(path, error) from error


def unwritable(path: Path | None, error: Exception) -> StoreError:
    """Return what to say of a file that cannot be written now."""
    if is_busy(error) and path is not None:
        return busy(path, path)
    return StoreError(CANNOT_WRITE, path=path, reason=words(error))


def _look(path: Path) -> bytes:
    """Refuse what SQLite would take for an empty or an unwilling database; return the header.

    It is read once for all stores of a process: closing a file lets go of its locks.
    """
    strange = next((each for each in family(path) if is_special(each)), None)
    if strange is not None:
        raise StoreError(CANNOT_WRITE, path=strange, reason=Reason(NO_FILE))
    if path.is_dir():
        raise Unfit(IS_FOLDER)
    make_private(path)
    if not os.access(path, os.R_OK):
        raise Unfit(NOT_READABLE)
    if not os.access(path, os.W_OK):
        raise unwritable(path, Reason(NOT_WRITABLE))
    return b"" if IN_USE[identity(path)[0]] else read_header(path)


def _prepare(
    connection: sqlite3.Connection, path: Path | None, header: bytes, others: Callable[[], set[str]]
) -> bool:
    """Bring the database up to date; return whether all of its rows were verified."""
    version = _judge(connection, header)
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    # A program that still has the file open which lay here before deletes "its" log by name
    # when it closes. While one may be there, this database has no log of that name.
    if mode == "delete" and not others():
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
    if version < schema.VERSION:
        if version:
            if others():
                raise StoreError(UPGRADE_OPEN, path=path)
            # What is damaged now would be sealed as it is.
            read_through(connection)
        schema.migrate(connection)
        return True
    if path is None:
        return False
    check_length(connection, path)
    check_arrivals(connection)
    if path.stat().st_size > SMALL:
        return False
    read_through(connection)
    verify(connection)
    return True


def _judge(connection: sqlite3.Connection, header: bytes) -> int:
    """Return the format of the file. Raises `Unfit` for one that cannot be used."""
    checksums.register(connection)
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
