"""The schema of the database: its tables, their migrations, and the format of a file.

docs/store.md describes the tables.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from typing import Final

from demine.store import checksums
from demine.store.errors import (
    FORMAT,
    MISSING_TABLE,
    OTHER_PROGRAM,
    UNKNOWN_TABLE,
    WRONG_HEADER,
    UnusableDatabase,
)
from demine.store.notices import NoticeKind

APPLICATION_ID: Final = 0x444D4E45
"""The letters DMNE, stored in the file's header."""

_ENDED_STATUSES: Final = "('won','lost','resigned')"
HAS_ENDED: Final = f"status IN {_ENDED_STATUSES}"
"""The condition of the indexes of ended games, to be repeated by who wants to read by them."""
_ADD_TO_TALLY: Final = (
    f"UPDATE tally SET games=games+1,seals=seals+NEW.seal WHERE NEW.status IN {_ENDED_STATUSES}"  # noqa: S608
)
_TAKE_FROM_TALLY: Final = (
    f"UPDATE tally SET games=games-1,seals=seals-OLD.seal WHERE OLD.status IN {_ENDED_STATUSES}"  # noqa: S608
)

_COUNTS: Final = (
    "ended=ended{sign}({row}.status IN {statuses}),games=games{sign}({row}.result IS NOT NULL),"
    "wins=wins{sign}({row}.result IS 'won')"
)
_IS_FOLLOWED: Final = (
    "EXISTS(SELECT 1 FROM games WHERE rules={row}.rules AND result IS NOT NULL"
    " AND (finished_at,id)>({row}.finished_at,{row}.id))"
)
_ADD_TO_SUMS: Final = f"""INSERT OR IGNORE INTO sums(rules) SELECT NEW.rules
        WHERE NEW.status IN {{statuses}} OR NEW.result IS NOT NULL;
    UPDATE sums SET {_COUNTS} WHERE rules=NEW.rules;
    UPDATE sums SET stale=1,prior_streak=NULL,prior_best=NULL
        WHERE rules=NEW.rules AND NEW.result IS NOT NULL AND {_IS_FOLLOWED};
    UPDATE sums SET prior_streak=streak,prior_best=best_streak,
        streak=(NEW.result='won')*(streak+1),best_streak=max(best_streak,(NEW.result='won')*(streak+1))
        WHERE rules=NEW.rules AND NEW.result IS NOT NULL AND NOT {_IS_FOLLOWED}""".format(  # noqa: S608
    sign="+", row="NEW", statuses=_ENDED_STATUSES
)
"""The last game in order extends the streak; any other makes the streaks stale."""
_TAKE_FROM_SUMS: Final = f"""UPDATE sums SET {_COUNTS} WHERE rules=OLD.rules;
    UPDATE sums SET stale=stale OR prior_streak IS NULL OR {_IS_FOLLOWED},
        streak=coalesce(prior_streak,0),best_streak=coalesce(prior_best,0),
        prior_streak=NULL,prior_best=NULL WHERE rules=OLD.rules AND OLD.result IS NOT NULL;
    DELETE FROM sums WHERE rules=OLD.rules AND ended=0 AND games=0""".format(  # noqa: S608
    sign="-", row="OLD", statuses=_ENDED_STATUSES
)
"""Without the last game in order, which an undo continues, the streaks are what they were."""
_ADD_TO_COUNTS: Final = f"""INSERT OR IGNORE INTO game_counts(rules,status,unranked)
        SELECT NEW.rules,NEW.status,NEW.unranked WHERE NEW.status IN {_ENDED_STATUSES};
    UPDATE game_counts SET games=games+1
        WHERE rules=NEW.rules AND status=NEW.status AND unranked=NEW.unranked"""  # noqa: S608
_TAKE_FROM_COUNTS: Final = """UPDATE game_counts SET games=games-1
        WHERE rules=OLD.rules AND status=OLD.status AND unranked=OLD.unranked;
    DELETE FROM game_counts
        WHERE rules=OLD.rules AND status=OLD.status AND unranked=OLD.unranked AND games=0"""
_COMES_ALONE: Final = (
    "NOT EXISTS (SELECT 1 FROM arrivals WHERE arrivals.num = NEW.num AND arrivals.id = NEW.id)"
)
"""Whether a game is none of an import's, whose batches are counted whole by
`demine.store.running_sums`."""

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
    (
        "ALTER TABLE games ADD COLUMN crc INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN seal INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE figures ADD COLUMN seal INTEGER NOT NULL DEFAULT 0",
        """UPDATE games SET crc = coalesce(
            (SELECT demine_crc(pack) FROM journals WHERE journals.num = games.num),
            (SELECT demine_chain(0, group_concat(line, char(10)))
                FROM (SELECT line FROM events WHERE events.num = games.num ORDER BY seq)))""",
        checksums.UPDATE_CHECKSUMS_SQL,
        f"UPDATE figures SET seal = {checksums.STATISTICS_CHECKSUM_SQL}",  # noqa: S608
        # One line each, so that the SQL text of all tables fits on the first page.
        """CREATE TABLE tally (one INTEGER PRIMARY KEY, games INTEGER NOT NULL, seals INTEGER)""",
        f"""INSERT INTO tally SELECT 1, count(*), coalesce(sum(seal), 0) FROM games
            WHERE status IN {_ENDED_STATUSES}""",  # noqa: S608
        f"CREATE TRIGGER games_come AFTER INSERT ON games BEGIN {_ADD_TO_TALLY}; END",
        f"CREATE TRIGGER games_go AFTER DELETE ON games BEGIN {_TAKE_FROM_TALLY}; END",
        f"""CREATE TRIGGER games_change AFTER UPDATE OF status, seal ON games
            WHEN OLD.status<>'running' OR NEW.status<>'running'
            BEGIN {_TAKE_FROM_TALLY}; {_ADD_TO_TALLY}; END""",
        "CREATE TABLE salvaged (num INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        """CREATE TABLE arrivals (
            num INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            owner TEXT NOT NULL,
            seal INTEGER NOT NULL
        )""",
    ),
    (
        # Of five and more columns, so that salvaging takes no index or sum for a row of a table.
        f"""CREATE TABLE sums (
            rules TEXT PRIMARY KEY NOT NULL,
            ended INTEGER NOT NULL DEFAULT 0,
            games INTEGER NOT NULL DEFAULT 0,
            wins INTEGER NOT NULL DEFAULT 0,
            streak INTEGER NOT NULL DEFAULT 0,
            best_streak INTEGER NOT NULL DEFAULT 0,
            prior_streak INTEGER,
            prior_best INTEGER,
            stale INTEGER NOT NULL DEFAULT 0,
            proof INTEGER AS ({checksums.SUMS_PROOF}) STORED
        ) WITHOUT ROWID""",
        f"""INSERT INTO sums (rules, ended, games, wins, stale)
            SELECT rules, sum(status IN {_ENDED_STATUSES}), count(result),
                count(CASE WHEN result = 'won' THEN 1 END), 1
            FROM games WHERE status IN {_ENDED_STATUSES} OR result IS NOT NULL GROUP BY rules""",  # noqa: S608
        f"""CREATE TRIGGER sums_come AFTER INSERT ON games
            WHEN NEW.status IN {_ENDED_STATUSES} OR NEW.result IS NOT NULL
            BEGIN {_ADD_TO_SUMS}; END""",
        f"""CREATE TRIGGER sums_go AFTER DELETE ON games
            WHEN OLD.status IN {_ENDED_STATUSES} OR OLD.result IS NOT NULL
            BEGIN {_TAKE_FROM_SUMS}; END""",
        f"""CREATE TRIGGER sums_change
            AFTER UPDATE OF id, rules, status, result, finished_at ON games
            WHEN (OLD.id, OLD.rules, OLD.status, OLD.result, OLD.finished_at)
                IS NOT (NEW.id, NEW.rules, NEW.status, NEW.result, NEW.finished_at)
            BEGIN {_TAKE_FROM_SUMS}; {_ADD_TO_SUMS}; END""",
        """CREATE INDEX games_won ON games (rules, finished_at, id, time_ms)
            WHERE result = 'won'""",
        """CREATE INDEX games_best ON games (rules, time_ms, finished_at, id)
            WHERE result = 'won'""",
        # Not stored, but an index of it answers alone, which one of an expression does not.
        "ALTER TABLE games ADD COLUMN ended_at TEXT AS (coalesce(finished_at, seen_at))",
        f"""CREATE INDEX games_ended ON games (ended_at, id, status)
            WHERE status IN {_ENDED_STATUSES}""",
        f"""CREATE INDEX games_ended_by_rules ON games (rules, ended_at, id, status)
            WHERE status IN {_ENDED_STATUSES}""",
    ),
    (
        "DROP TRIGGER games_come",
        "DROP TRIGGER sums_come",
        f"""CREATE TRIGGER games_come AFTER INSERT ON games
            WHEN NEW.status IN {_ENDED_STATUSES} AND {_COMES_ALONE}
            BEGIN {_ADD_TO_TALLY}; END""",
        f"""CREATE TRIGGER sums_come AFTER INSERT ON games
            WHEN (NEW.status IN {_ENDED_STATUSES} OR NEW.result IS NOT NULL) AND {_COMES_ALONE}
            BEGIN {_ADD_TO_SUMS}; END""",
        # What replaces a game, even under its number, comes alone.
        """CREATE TRIGGER arrivals_go AFTER DELETE ON games
            BEGIN DELETE FROM arrivals WHERE num=OLD.num AND id=OLD.id; END""",
        # These hold all that the history filters by, so that what does not fit is skipped fast.
        "DROP INDEX games_finished",
        "DROP INDEX games_ended",
        f"""CREATE INDEX games_ended ON games (ended_at, id, status, rules, unranked)
            WHERE status IN {_ENDED_STATUSES}""",
        "DROP INDEX games_ended_by_rules",
        f"""CREATE INDEX games_ended_by_rules ON games (rules, ended_at, id, status, unranked)
            WHERE status IN {_ENDED_STATUSES}""",
        f"""CREATE INDEX games_by_time_ms ON games (time_ms, ended_at, rules, status, unranked)
            WHERE status IN {_ENDED_STATUSES}""",
        f"""CREATE INDEX games_by_acts ON games (acts, ended_at, rules, status, unranked)
            WHERE status IN {_ENDED_STATUSES}""",
        f"""CREATE INDEX games_by_unranked ON games (unranked, ended_at, id, rules, status)
            WHERE status IN {_ENDED_STATUSES} AND unranked <> ''""",
        *(
            f"CREATE INDEX figures_by_{column} ON figures ({column})"
            for column in ("bv", "bv_s", "ioe", "clicks")
        ),
    ),
    (
        # `game` names no row: a drill may be from a file, or from a game that was made for it.
        # No indexes: these are small, and each would take a page of every database.
        """CREATE TABLE drills (
            num INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            act INTEGER NOT NULL,
            row INTEGER NOT NULL,
            col INTEGER NOT NULL,
            kind TEXT NOT NULL,
            pattern TEXT NOT NULL,
            seal INTEGER NOT NULL
        )""",
        """CREATE TABLE drill_reviews (
            num INTEGER PRIMARY KEY,
            drill INTEGER NOT NULL REFERENCES drills (num),
            at TEXT NOT NULL,
            is_right INTEGER NOT NULL CHECK (is_right IN (0, 1)),
            time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
            seal INTEGER NOT NULL
        )""",
    ),
    (
        # Of five columns, for the same reason as `sums`.
        f"""CREATE TABLE game_counts (
            rules TEXT NOT NULL,
            status TEXT NOT NULL,
            unranked TEXT NOT NULL,
            games INTEGER NOT NULL DEFAULT 0,
            proof INTEGER AS ({checksums.COUNTS_PROOF}) STORED,
            PRIMARY KEY (rules, status, unranked)
        ) WITHOUT ROWID""",
        f"""INSERT INTO game_counts (rules, status, unranked, games)
            SELECT rules, status, unranked, count(*) FROM games NOT INDEXED
            WHERE status IN {_ENDED_STATUSES} GROUP BY rules, status, unranked""",  # noqa: S608
        # One trigger for all: each that is asked about a game of an import costs as much as two
        # indexes.
        "DROP TRIGGER games_come",
        "DROP TRIGGER sums_come",
        f"""CREATE TRIGGER games_come AFTER INSERT ON games
            WHEN (NEW.status IN {_ENDED_STATUSES} OR NEW.result IS NOT NULL) AND {_COMES_ALONE}
            BEGIN {_ADD_TO_TALLY}; {_ADD_TO_SUMS}; {_ADD_TO_COUNTS}; END""",
        f"""CREATE TRIGGER counts_go AFTER DELETE ON games WHEN OLD.status IN {_ENDED_STATUSES}
            BEGIN {_TAKE_FROM_COUNTS}; END""",
        f"""CREATE TRIGGER counts_change AFTER UPDATE OF rules, status, unranked ON games
            WHEN (OLD.rules, OLD.status, OLD.unranked)
                IS NOT (NEW.rules, NEW.status, NEW.unranked)
            BEGIN {_TAKE_FROM_COUNTS}; {_ADD_TO_COUNTS}; END""",
    ),
)
"""Step n leads from format n to n + 1. A released step never changes."""

VERSION: Final = len(MIGRATIONS)
SEALED_VERSION: Final = 4
"""The first format with checksums of rows."""
_LETTERS_PER_ERROR: Final = 16
"""A damaged text differs from the true one in at most one of this many letters."""

_PROBES: Final = (
    "SELECT key, value FROM settings LIMIT 1",
    """SELECT num, id, rules, header, status, unranked, result, time_ms, hits, acts, began_at,
        seen_at, finished_at, owner, crc, seal FROM games ORDER BY num DESC LIMIT 1""",
    "SELECT num FROM games INDEXED BY games_running WHERE status = 'running' LIMIT 1",
    "SELECT num FROM games INDEXED BY games_counted WHERE result IS NOT NULL LIMIT 1",
    "SELECT num FROM games INDEXED BY games_id ORDER BY id LIMIT 1",
    "SELECT num, seq, line, crc FROM events LIMIT 1",
    "SELECT num, pack FROM journals LIMIT 1",
    "SELECT num, edition, bv, bv_solved, clicks, bv_s, ioe, seal FROM figures LIMIT 1",
    "SELECT num, day, level, opened_at, outcome FROM dailies LIMIT 1",
    "SELECT games, seals FROM tally LIMIT 1",
    "SELECT name FROM salvaged LIMIT 1",
    "SELECT num, id, owner, seal FROM arrivals LIMIT 1",
    "SELECT * FROM sums LIMIT 1",
    "SELECT * FROM game_counts LIMIT 1",
    "SELECT num, game, act, row, col, kind, pattern, seal FROM drills LIMIT 1",
    "SELECT num, drill, at, is_right, time_ms, seal FROM drill_reviews LIMIT 1",
    "SELECT num FROM games INDEXED BY games_won WHERE result = 'won' LIMIT 1",
    "SELECT num FROM games INDEXED BY games_best WHERE result = 'won' LIMIT 1",
    f"SELECT num FROM games INDEXED BY games_ended WHERE status IN {_ENDED_STATUSES} LIMIT 1",  # noqa: S608
    f"""SELECT num FROM games INDEXED BY games_ended_by_rules WHERE status IN {_ENDED_STATUSES}
        LIMIT 1""",  # noqa: S608
    *(
        f"SELECT num FROM games INDEXED BY games_by_{column} WHERE status IN {_ENDED_STATUSES}"  # noqa: S608
        f" AND unranked {unlike} '' LIMIT 1"
        for column, unlike in (("time_ms", ">="), ("acts", ">="), ("unranked", "<>"))
    ),
    *(
        f"SELECT num FROM figures INDEXED BY figures_by_{column} ORDER BY {column} LIMIT 1"  # noqa: S608
        for column in ("bv", "bv_s", "ioe", "clicks")
    ),
)


def detect_format(connection: sqlite3.Connection) -> int:
    """Return the format of a database that this program can use; 0 for an empty file.

    The tables decide, and the two numbers in the header must agree. Raises `UnusableDatabase` for
    a damaged file, one of an unknown format or of another program, and `sqlite3.Error` for what
    SQLite itself cannot read.
    """
    version = _query_number(connection, "PRAGMA user_version")
    application = _query_number(connection, "PRAGMA application_id")
    tables = _schema_texts(connection)
    if not tables and version == application == 0:
        return 0
    known = _format_with_tables(tables, version)
    if known is None:
        raise _unknown_format(connection, tables, version, ours=application == APPLICATION_ID)
    if (version, application) != (known, APPLICATION_ID):
        raise UnusableDatabase(WRONG_HEADER, found=f"{application:08x}/{version}", known=known)
    if known == VERSION:
        check_tables(connection)
    return known


def _format_with_tables(tables: frozenset[tuple[str, str]], said: int) -> int | None:
    """Return the format with exactly these tables; `said` is what the header claims."""
    if 0 < said <= VERSION and tables == _schema_after(MIGRATIONS[:said]):
        return said
    numbers = range(1, len(MIGRATIONS) + 1)
    return next((each for each in numbers if tables == _schema_after(MIGRATIONS[:each])), None)


def _unknown_format(
    connection: sqlite3.Connection, tables: frozenset[tuple[str, str]], version: int, *, ours: bool
) -> UnusableDatabase:
    known = frozenset[tuple[str, str]]().union(
        *(_schema_after(MIGRATIONS[:each]) for each in range(1, len(MIGRATIONS) + 1))
    )
    if not ours and not any(sql == other for _, sql in tables for _, other in known):
        return UnusableDatabase.of(NoticeKind.FOREIGN, OTHER_PROGRAM)
    unlike = [
        (name, sql) for name, sql in sorted(tables - known) if not _is_nearly_known(sql, known)
    ]
    if unlike and version > VERSION:
        return UnusableDatabase.of(NoticeKind.NEWER, FORMAT, found=version, known=VERSION)
    # No damage creates an unknown table or an extra column.
    names = {name for name, _ in known}
    made = [name for name, _ in unlike if name not in names or _has_extra_columns(connection, name)]
    if made:
        return UnusableDatabase.of(NoticeKind.NEWER, UNKNOWN_TABLE, text=", ".join(made))
    wrong = tables ^ _schema_after(MIGRATIONS)
    return UnusableDatabase(MISSING_TABLE, text=", ".join(sorted({name for name, _ in wrong})))


def _has_extra_columns(connection: sqlite3.Connection, name: str) -> bool:
    """Return whether a table has more columns than it has in the present format."""
    quoted = name.replace('"', '""')
    columns = connection.execute(f'PRAGMA table_info("{quoted}")').fetchall()
    return len(columns) > _column_counts(MIGRATIONS).get(name, 0) > 0


@cache
def _column_counts(steps: tuple[tuple[str, ...], ...]) -> dict[str, int]:
    """Return the number of columns of each table after these steps."""
    with closing(_database_after(steps)) as connection:
        found = connection.execute(
            "SELECT m.name, count(*) FROM sqlite_master AS m, pragma_table_info(m.name)"
            " WHERE m.type = 'table' GROUP BY m.name"
        )
        return dict(found.fetchall())


def _is_nearly_known(sql: str, known: frozenset[tuple[str, str]]) -> bool:
    """Return whether a text differs from a known one in a few letters only, so is damaged."""
    return any(
        len(sql) == len(other)
        and sum(one != two for one, two in zip(sql, other, strict=True))
        <= len(sql) // _LETTERS_PER_ERROR
        for _, other in known
    )


def check_tables(connection: sqlite3.Connection) -> None:
    """Read a row of every table and index; raises `UnusableDatabase` if one is missing or wrong."""
    for sql in _PROBES:
        try:
            connection.execute(sql).fetchone()
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) != sqlite3.SQLITE_ERROR:
                raise
            raise UnusableDatabase(MISSING_TABLE, text=error) from error


def _schema_texts(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return the name and the SQL text of every table, index and trigger that has one."""
    found = connection.execute(
        "SELECT CAST(name AS TEXT), CAST(sql AS TEXT) FROM sqlite_master WHERE sql IS NOT NULL"
    )
    # SQLite chooses the spaces around a column that was added later.
    return frozenset((name, "".join(sql.split())) for name, sql in found)


@cache
def _schema_after(steps: tuple[tuple[str, ...], ...]) -> frozenset[tuple[str, str]]:
    """Return name and SQL text of the tables, indexes and triggers after these steps."""
    with closing(_database_after(steps)) as connection:
        return _schema_texts(connection)


def _database_after(steps: tuple[tuple[str, ...], ...]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    checksums.register_sql_functions(connection)
    for step in steps:
        for sql in step:
            connection.execute(sql)
    return connection


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a database to this program's format, in one transaction.

    Of several processes only the first has anything to do. Raises `sqlite3.Error`.
    """
    checksums.register_sql_functions(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _query_number(connection, "PRAGMA user_version")
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


def _query_number(connection: sqlite3.Connection, sql: str) -> int:
    (value,) = connection.execute(sql).fetchone()
    return int(value)
