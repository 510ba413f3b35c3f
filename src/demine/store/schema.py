"""The tables, and the numbered steps that lead to them (docs/store.md describes them)."""

from __future__ import annotations

import sqlite3
from functools import cache
from typing import Final

from demine.store.errors import FORMAT, MISSING_TABLE, OTHER_PROGRAM, NoticeKind, Unfit

APPLICATION_ID: Final = 0x444D4E45
"""The letters DMNE in the file's header."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE settings (
            key TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE games (
            num INTEGER PRIMARY KEY,
            id TEXT NOT NULL CHECK (length(id) = 36),
            rules TEXT NOT NULL,
            header TEXT NOT NULL,
            status TEXT NOT NULL
                CHECK (status IN ('running', 'won', 'lost', 'resigned', 'damaged')),
            unranked TEXT NOT NULL,
            result TEXT CHECK (result IN ('won', 'lost', 'resigned')),
            time_ms INTEGER NOT NULL CHECK (typeof(time_ms) = 'integer'),
            hits INTEGER NOT NULL CHECK (typeof(hits) = 'integer'),
            acts INTEGER NOT NULL CHECK (typeof(acts) = 'integer'),
            began_at TEXT NOT NULL,
            seen_at TEXT NOT NULL,
            finished_at TEXT,
            owner TEXT,
            CHECK (result IS NULL OR finished_at IS NOT NULL)
        )""",
        "CREATE UNIQUE INDEX games_id ON games (id)",
        "CREATE INDEX games_running ON games (num) WHERE status = 'running'",
        "CREATE INDEX games_finished ON games (finished_at, id)",
        """CREATE INDEX games_counted ON games (rules, finished_at, id, result, time_ms)
            WHERE result IS NOT NULL""",
        """CREATE TABLE events (
            num INTEGER NOT NULL REFERENCES games (num) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            line TEXT NOT NULL,
            crc INTEGER NOT NULL,
            PRIMARY KEY (num, seq)
        ) WITHOUT ROWID""",
        """CREATE TABLE journals (
            num INTEGER PRIMARY KEY REFERENCES games (num) ON DELETE CASCADE,
            pack BLOB NOT NULL
        )""",
    ),
    (
        """CREATE TABLE figures (
            num INTEGER PRIMARY KEY REFERENCES games (num) ON DELETE CASCADE,
            edition INTEGER NOT NULL,
            bv INTEGER,
            bv_solved INTEGER,
            clicks INTEGER,
            bv_s REAL,
            ioe REAL
        )""",
    ),
    (
        """CREATE TABLE dailies (
            num INTEGER PRIMARY KEY REFERENCES games (num) ON DELETE CASCADE,
            day TEXT NOT NULL,
            level TEXT NOT NULL,
            opened_at TEXT,
            outcome TEXT CHECK (outcome IN ('won', 'lost', 'resigned', 'helped'))
        )""",
    ),
)
"""Step n leads from format n to format n + 1. A step that was released never changes."""

VERSION: Final = len(MIGRATIONS)

_PROBES: Final = (
    "SELECT key, value FROM settings LIMIT 1",
    """SELECT num, id, rules, header, status, unranked, result, time_ms, hits, acts, began_at,
        seen_at, finished_at, owner FROM games ORDER BY num DESC LIMIT 1""",
    "SELECT num FROM games INDEXED BY games_running WHERE status = 'running' LIMIT 1",
    "SELECT num FROM games INDEXED BY games_finished ORDER BY finished_at DESC, id DESC LIMIT 1",
    "SELECT num FROM games INDEXED BY games_counted WHERE result IS NOT NULL LIMIT 1",
    "SELECT num FROM games INDEXED BY games_id ORDER BY id LIMIT 1",
    "SELECT num, seq, line, crc FROM events LIMIT 1",
    "SELECT num, pack FROM journals LIMIT 1",
    "SELECT num, edition, bv, bv_solved, clicks, bv_s, ioe FROM figures LIMIT 1",
    "SELECT num, day, level, opened_at, outcome FROM dailies LIMIT 1",
)


def judge(connection: sqlite3.Connection) -> int:
    """Return the format of a database this program can use, 0 for one that is still empty.

    Raises `Unfit` for a newer one, another program's, or one whose tables are not as they should
    be, and `sqlite3.Error` for what SQLite itself cannot read.
    """
    version = _number(connection, "PRAGMA user_version")
    application = _number(connection, "PRAGMA application_id")
    if application != APPLICATION_ID:
        empty = _number(connection, "SELECT count(*) FROM sqlite_master") == 0
        if version == application == 0 and empty:
            return 0
        raise Unfit.of(NoticeKind.FOREIGN, OTHER_PROGRAM)
    if version > VERSION:
        raise Unfit.of(NoticeKind.NEWER, FORMAT, found=version, known=VERSION)
    if version == VERSION:
        probe(connection)
    return version


def probe(connection: sqlite3.Connection) -> None:
    """Read a row of every table and index; raises `Unfit` when one is missing or wrong."""
    wrong = set(_tables(connection)) ^ set(_as_made(MIGRATIONS))
    if wrong:
        raise Unfit(MISSING_TABLE, text=", ".join(sorted({name for name, _ in wrong})))
    for sql in _PROBES:
        try:
            connection.execute(sql).fetchone()
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR:
                raise
            raise Unfit(MISSING_TABLE, text=error) from error


def _tables(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the name and the text of every table and index that was made on purpose."""
    return connection.execute(
        "SELECT CAST(name AS TEXT), CAST(sql AS TEXT) FROM sqlite_master WHERE sql IS NOT NULL"
    ).fetchall()


@cache
def _as_made(steps: tuple[tuple[str, ...], ...]) -> list[tuple[str, str]]:
    """Return the tables that these steps make."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for step in steps:
            for sql in step:
                connection.execute(sql)
        return _tables(connection)
    finally:
        connection.close()


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a database to this program's format, step by step, or leave it as it is.

    A process that comes second finds the work done. Raises `sqlite3.Error`.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _number(connection, "PRAGMA user_version")
        for step in MIGRATIONS[version:]:
            for sql in step:
                connection.execute(sql)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {max(version, VERSION)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _number(connection: sqlite3.Connection, sql: str) -> int:
    (value,) = connection.execute(sql).fetchone()
    return int(value)
