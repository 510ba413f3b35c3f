"""Checks for damage in a database, and what kind of failure an SQLite error is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from demine.scene.system_errors import system_error_reason
from demine.store import checksums, schema
from demine.store.errors import (
    ENDS_EARLY,
    NO_TALLY,
    SEAL_BROKEN,
    WRONG_SIZE,
    WRONG_VALUE,
    UnusableDatabase,
)
from demine.store.notices import NoticeKind

SQL_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What sqlite3 raises; a UnicodeDecodeError for a damaged name in its own message."""
_DAMAGE_CODES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
_ENVIRONMENT_CODES: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_MISUSE,
    }
)  # fmt: skip
"""Errors of the folder, the moment or this program; any other is one of the file."""
_BUSY_CODES: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_SHORT_READ: Final = 522
_STEPS_BETWEEN_QUESTIONS: Final = 100_000
"""SQLite's steps, some milliseconds."""
_UNDECODABLE: Final = "Could not decode to UTF-8"


def check_integrity(connection: sqlite3.Connection) -> None:
    """Check every page and row; raises `UnusableDatabase` with the first error."""
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise UnusableDatabase("{text}", text=" ".join(str(answer).split()))


def verify_checksums(connection: sqlite3.Connection) -> None:
    """Check that every game is as it was saved, and that no ended game is missing.

    Reads all rows but no journal. Raises `UnusableDatabase` with the first error.
    """
    for table in checksums.VERIFIED_TABLES:
        (answer,) = connection.execute(f"PRAGMA integrity_check({table})").fetchone()
        if answer != "ok":
            raise UnusableDatabase("{text}", text=" ".join(str(answer).split()))
    verify_rows(connection)
    verify_drills(connection)
    verify_sums(connection)
    for sql in (checksums.UNLIKE_SUMS_SQL, checksums.UNLIKE_COUNTS_SQL):
        if connection.execute(sql).fetchone() is not None:
            raise UnusableDatabase(NO_TALLY)


def check_everything(connection: sqlite3.Connection) -> None:
    """Check every page, row and checksum; raises `UnusableDatabase` with the first error."""
    check_integrity(connection)
    verify_checksums(connection)


def verify_rows(connection: sqlite3.Connection) -> None:
    """Check that every row fits its checksum and no ended game is missing.

    Indexes are not read: checking those of a million games takes ten seconds, the rows two. Raises
    `UnusableDatabase` with the first error.
    """
    with _damage_in_sql_functions():
        _check_no_row_found(connection, checksums.BAD_CHECKSUM_SQL)
        tally = connection.execute(checksums.TALLY_SQL).fetchone()
    if tally is None or tally[0] != 1 or tally[1:3] != tally[3:]:
        raise UnusableDatabase(NO_TALLY)


def verify_drills(connection: sqlite3.Connection) -> None:
    """Check that every drill and every answer fits its checksum; raises `UnusableDatabase`."""
    with _damage_in_sql_functions():
        _check_no_row_found(connection, checksums.BAD_DRILL_SQL)


def _check_no_row_found(connection: sqlite3.Connection, queries: Iterable[str]) -> None:
    for sql in queries:
        found = connection.execute(sql).fetchone()
        if found is not None:
            raise UnusableDatabase(SEAL_BROKEN, game=found[0])


def verify_sums(connection: sqlite3.Connection) -> None:
    """Check the running sums and counts, which takes no longer for more games.

    Raises `UnusableDatabase` if a number has changed, or if they are of more or fewer games than
    the tally.
    """
    with _damage_in_sql_functions():
        wrong, unknown, *counts = connection.execute(checksums.SUMS_SQL).fetchone()
        (unlike,) = connection.execute(checksums.COUNTS_SQL).fetchone()
    if wrong or unknown or unlike or counts[0] != counts[1]:
        raise UnusableDatabase(NO_TALLY)


@contextmanager
def _damage_in_sql_functions() -> Iterator[None]:
    """Take an error of an SQL function for damage: it refuses invalid text without a reason."""
    try:
        yield
    except SQL_ERRORS as error:
        if is_damage_error(error) or sqlite_error_code(error) == sqlite3.SQLITE_ERROR:
            raise UnusableDatabase("{text}", text=error) from error
        raise


def check_arrivals_table(connection: sqlite3.Connection) -> None:
    """Raise `UnusableDatabase` unless every row of `arrivals` fits its checksum.

    A start deletes the games listed there, and a misplaced page would delete others.
    """
    with _damage_in_sql_functions():
        false = connection.execute(checksums.BAD_ARRIVAL_SQL).fetchone()
    if false is not None:
        raise UnusableDatabase(SEAL_BROKEN, game=false[0])


def check_file_length(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `UnusableDatabase` unless a file has the length that its header says.

    SQLite reads a missing end as zeroes, and overwrites an end beyond that length.
    """
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return  # the end may still be in there
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    size = path.stat().st_size
    if size < pages * page:
        raise UnusableDatabase(ENDS_EARLY, size=size, whole=pages * page)
    if size > pages * page:
        raise UnusableDatabase(WRONG_SIZE, size=size, whole=pages * page)


def find_damage(
    path: Path,
    check: Callable[[sqlite3.Connection], object] = lambda _: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> UnusableDatabase | None:
    """Return the damage of a file that is open elsewhere, or None.

    It uses a connection of its own, because an open one trusts its cached pages. A file of the
    present format must pass `check` too, unless `should_stop` ends that.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    checksums.register_sql_functions(connection)
    connection.set_progress_handler(should_stop, _STEPS_BETWEEN_QUESTIONS)
    try:
        if schema.detect_format(connection) == schema.VERSION:
            connection.execute("BEGIN")  # one state for all that is compared
            check(connection)
    except (*SQL_ERRORS, UnusableDatabase) as error:
        found = damage_behind_error(connection, error)
        return None if found is None or found.kind is NoticeKind.NEWER else found
    finally:
        connection.close()
    return None


def damage_behind_error(
    connection: sqlite3.Connection, error: Exception
) -> UnusableDatabase | None:
    """Return the damage of the database that explains an error, else None."""
    if isinstance(error, UnusableDatabase):
        return error
    if is_damage_error(error):
        return UnusableDatabase("{text}", text=error)
    if not isinstance(error, sqlite3.Error) or sqlite_error_code(error) & 0xFF not in (
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CONSTRAINT,
    ):
        return None
    # A missing table and an impossible row look like mistakes of this program.
    try:
        if schema.detect_format(connection) == schema.VERSION:
            verify_checksums(connection)
        check_integrity(connection)
    except UnusableDatabase as unfit:
        return unfit
    except SQL_ERRORS as worse:
        return UnusableDatabase("{text}", text=worse)
    return None


def is_damage_error(error: Exception) -> bool:
    """Return whether SQLite reports that the file is damaged or no database."""
    if not isinstance(error, sqlite3.Error):
        return isinstance(error, UnicodeDecodeError)
    code = sqlite_error_code(error)
    return (
        code & 0xFF in _DAMAGE_CODES or code == _SHORT_READ or str(error).startswith(_UNDECODABLE)
    )


def is_environment_error(error: Exception) -> bool:
    """Return whether an error is due to the folder, the moment or this program, not the file."""
    code = sqlite_error_code(error) if isinstance(error, sqlite3.Error) else 0
    return code & 0xFF in _ENVIRONMENT_CODES and code != _SHORT_READ


def is_busy_error(error: Exception) -> bool:
    """Return whether another connection locked the database for too long."""
    return isinstance(error, sqlite3.Error) and sqlite_error_code(error) & 0xFF in _BUSY_CODES


def check_types(row: Sequence[object], *kinds: type | tuple[type, ...]) -> None:
    """Raise `UnusableDatabase` unless each value of a row has its type, as after damage."""
    for value, kind in zip(row, kinds, strict=True):
        if not isinstance(value, kind):
            names = kind if isinstance(kind, tuple) else (kind,)
            field = " or ".join(name.__name__ for name in names)
            raise UnusableDatabase(WRONG_VALUE, value=value, field=field)


def quotable_reason(error: Exception) -> object:
    """Return an error as the reason that a sentence quotes."""
    if isinstance(error, UnusableDatabase):
        return error.reason
    return system_error_reason(error)


def sqlite_error_code(error: Exception) -> int:
    """Return SQLite's extended result code of an error; 0 for an error that has none."""
    return getattr(error, "sqlite_errorcode", 0) or 0
