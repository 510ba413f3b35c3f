"""Open a database file: check it and migrate it, or refuse it."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from demine.store import checksums, schema
from demine.store.damage_checks import (
    SQL_ERRORS,
    check_arrivals_table,
    check_everything,
    check_file_length,
    check_integrity,
    is_busy_error,
    is_damage_error,
    is_environment_error,
    quotable_reason,
    verify_rows,
)
from demine.store.database_paths import database_files, is_pipe_or_device, make_private_file
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
from demine.store.lost_write_ahead_log import file_identity
from demine.store.sqlite_pages import check_header, read_header
from demine.store.transactions import PRAGMAS

CONNECTIONS_BY_FILE: Final = Counter["tuple[int, int] | None"]()
"""How many connections of this process are open on each file."""
FULLY_CHECKED_BYTES: Final = 256 * 1024
"""Databases up to this size are checked completely at every start, in about a millisecond."""
VERIFIED_AT_ONCE_BYTES: Final = 4 << 20
"""Databases up to this size, some thousand games, are verified at the first look at their games."""
AllRowsVerified: TypeAlias = bool


def connect(
    path: Path | None, wait_s: float, other_owners: Callable[[], set[str]]
) -> tuple[sqlite3.Connection, AllRowsVerified]:
    """Return a connection to a checked and migrated database; None for one in memory.

    It waits for other programs up to `wait_s` seconds; `other_owners` returns which have the file
    open. Raises `UnusableDatabase` or `StoreError`.
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
        return connection, _bring_up_to_date(connection, path, header, other_owners)
    except (*SQL_ERRORS, OSError, UnusableDatabase, StoreError) as error:
        if connection is not None:
            connection.close()
        if is_damage_error(error):
            raise UnusableDatabase("{text}", text=error) from error
        if isinstance(error, UnusableDatabase | StoreError):
            raise
        raise write_error(path, error) from error


def write_error(path: Path | None, error: Exception) -> StoreError:
    """Return the error for a database that cannot be written now."""
    if is_busy_error(error) and path is not None:
        return busy_error(path, path)
    return StoreError(CANNOT_WRITE, path=path, reason=quotable_reason(error))


def _check_files_and_read_header(path: Path) -> bytes:
    """Refuse what SQLite would treat as empty or as unwritable; return the header.

    The first store of a process reads it, because closing a file releases its locks; for others it
    is empty.
    """
    strange = next((each for each in database_files(path) if is_pipe_or_device(each)), None)
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
    connection: sqlite3.Connection,
    path: Path | None,
    header: bytes,
    other_owners: Callable[[], set[str]],
) -> AllRowsVerified:
    """Check and migrate the database."""
    version = _detect_format(connection, header)
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    # A program that still has the previous file of this name open deletes "its" log by name when
    # it closes. While there may be one, this database uses no log.
    if mode == "delete" and not other_owners():
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
    if version < schema.VERSION:
        if version:
            if other_owners():
                raise StoreError(UPGRADE_OPEN, path=path)
            # Damage would otherwise be sealed as if it were right.
            (verify_rows if version >= schema.SEALED_VERSION else check_integrity)(connection)
        schema.migrate(connection)
        return version < schema.SEALED_VERSION  # the indexes of others are compared at a first look
    if path is None:
        return False
    check_file_length(connection, path)
    check_arrivals_table(connection)
    if path.stat().st_size > FULLY_CHECKED_BYTES:
        return False
    check_everything(connection)
    return True


def _detect_format(connection: sqlite3.Connection, header: bytes) -> int:
    """Return the format of the file; raises `UnusableDatabase` if it cannot be used."""
    checksums.register_sql_functions(connection)
    try:
        for sql in PRAGMAS:
            connection.execute(sql).fetchall()
        version = schema.detect_format(connection)
        if version:
            check_header(header)
    except SQL_ERRORS as error:
        # Whatever SQLite objects to: a wrong byte must not lock the player out.
        if is_environment_error(error):
            raise
        raise UnusableDatabase("{text}", text=error) from error
    return version
