"""Open a database file: check it and bring it up to date, or refuse it."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from demine.store import checksums, schema
from demine.store.damage_checks import (
    SQL_ERRORS,
    check_arrivals_table,
    check_file_length,
    check_integrity,
    is_busy_error,
    is_damage_error,
    is_environment_error,
    reason_of_error,
    verify_checksums,
)
from demine.store.database_paths import database_files, is_special_file, make_private_file
from demine.store.errors import (
    CANNOT_WRITE,
    IS_FOLDER,
    NO_FILE,
    NOT_READABLE,
    NOT_WRITABLE,
    UPGRADE_OPEN,
    Reason,
    StoreError,
    UnusableDatabase,
)
from demine.store.file_lock import busy_error
from demine.store.sqlite_pages import check_header, read_header
from demine.store.transactions import PRAGMAS
from demine.store.write_ahead_log import file_identity

CONNECTIONS_BY_FILE: Final = Counter["tuple[int, int] | None"]()
"""How many connections of this process lead to a file."""
FULLY_CHECKED_BYTES: Final = 256 * 1024
"""Bytes up to which a database is read through at every start: it costs about a millisecond."""


def connect(
    path: Path | None, wait_s: float, others: Callable[[], set[str]]
) -> tuple[sqlite3.Connection, bool]:
    """Return a connection ready for work, and whether all of its rows were verified.

    It waits for other programs up to `wait_s` seconds; `others` tells which have the file open.
    Without a path the database is one in memory. Raises `UnusableDatabase` or `StoreError`.
    """
    connection: sqlite3.Connection | None = None
    try:
        header = b"" if path is None else _check_files_and_read_header(path)
        connection = sqlite3.connect(
            ":memory:" if path is None else path,
            timeout=wait_s,
            isolation_level=None,
            check_same_thread=False,
        )
        return connection, _bring_up_to_date(connection, path, header, others)
    except (*SQL_ERRORS, OSError, UnusableDatabase, StoreError) as error:
        if connection is not None:
            connection.close()
        if is_damage_error(error):
            raise UnusableDatabase("{text}", text=error) from error
        if isinstance(error, UnusableDatabase | StoreError):
            raise
        raise write_error(path, error) from error


def write_error(path: Path | None, error: Exception) -> StoreError:
    """Return what to say of a file that cannot be written now."""
    if is_busy_error(error) and path is not None:
        return busy_error(path, path)
    return StoreError(CANNOT_WRITE, path=path, reason=reason_of_error(error))


def _check_files_and_read_header(path: Path) -> bytes:
    """Refuse what SQLite would take for an empty or an unwilling database; return the header.

    It is read once for all stores of a process: closing a file lets go of its locks.
    """
    strange = next((each for each in database_files(path) if is_special_file(each)), None)
    if strange is not None:
        raise StoreError(CANNOT_WRITE, path=strange, reason=Reason(NO_FILE))
    if path.is_dir():
        raise UnusableDatabase(IS_FOLDER)
    make_private_file(path)
    if not os.access(path, os.R_OK):
        raise UnusableDatabase(NOT_READABLE)
    if not os.access(path, os.W_OK):
        raise write_error(path, Reason(NOT_WRITABLE))
    return b"" if CONNECTIONS_BY_FILE[file_identity(path)[0]] else read_header(path)


def _bring_up_to_date(
    connection: sqlite3.Connection, path: Path | None, header: bytes, others: Callable[[], set[str]]
) -> bool:
    """Bring the database up to date; return whether all of its rows were verified."""
    version = _detect_format(connection, header)
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
            check_integrity(connection)
        schema.migrate(connection)
        return True
    if path is None:
        return False
    check_file_length(connection, path)
    check_arrivals_table(connection)
    if path.stat().st_size > FULLY_CHECKED_BYTES:
        return False
    check_integrity(connection)
    verify_checksums(connection)
    return True


def _detect_format(connection: sqlite3.Connection, header: bytes) -> int:
    """Return the format of the file. Raises `UnusableDatabase` for one that cannot be used."""
    checksums.register_sql_functions(connection)
    try:
        for sql in PRAGMAS:
            connection.execute(sql).fetchall()
        version = schema.detect_format(connection)
        if version:
            check_header(header)
    except SQL_ERRORS as error:
        # Whatever SQLite has against a file: nobody is to be locked out by a byte.
        if is_environment_error(error):
            raise
        raise UnusableDatabase("{text}", text=error) from error
    return version
