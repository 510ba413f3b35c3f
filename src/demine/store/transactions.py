"""Transactions on one SQLite connection, and its settings."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final, TypeVar

from demine.store import schema

T = TypeVar("T")

WAL_SIZE_LIMIT: Final = 1 << 20
"""Bytes to which SQLite truncates a log that begins anew, or to the end of a longer transaction.

A shorter one was truncated by others."""
PRAGMAS: Final = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA synchronous = NORMAL",
    # A checkpoint waits for the disk: at a game's end, not in the middle of one.
    "PRAGMA wal_autocheckpoint = 4000",
    f"PRAGMA journal_size_limit = {WAL_SIZE_LIMIT}",
)


def run_transaction(
    connection: sqlite3.Connection,
    work: Callable[[sqlite3.Connection], T],
    begin_sql: str,
    *,
    durable: bool,
) -> T:
    """Do `work` between `begin_sql` and COMMIT, or roll back; `durable` waits for the disk."""
    if durable:
        connection.execute("PRAGMA synchronous = FULL")
    try:
        connection.execute(begin_sql)
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            # After some errors SQLite has rolled back already.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    finally:
        if durable:
            connection.execute("PRAGMA synchronous = NORMAL")
    return result


def open_in_memory() -> sqlite3.Connection:
    """Return a new database in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for sql in PRAGMAS:
        connection.execute(sql).fetchall()
    schema.migrate(connection)
    return connection
