"""What one SQLite connection does and how its errors are sorted; knows no files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from demine.scene.system_errors import reason_of
from demine.store import checksums, schema
from demine.store.errors import (
    ENDS_EARLY,
    NO_TALLY,
    SEAL_BROKEN,
    WRONG_SIZE,
    WRONG_VALUE,
    NoticeKind,
    Unfit,
)

T = TypeVar("T")

LOG_BYTES: Final = 1 << 20
"""Bytes to which SQLite cuts the log when it begins it anew: a shorter one was cut by others."""
SETTINGS: Final = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA synchronous = NORMAL",
    # A checkpoint waits for the disk: at a game's end, not in the middle of one.
    "PRAGMA wal_autocheckpoint = 4000",
    f"PRAGMA journal_size_limit = {LOG_BYTES}",
)
SQL_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What sqlite3 raises: it cannot even quote a damaged name."""
_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
_TROUBLE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_MISUSE,
    }
)  # fmt: skip
"""What is wrong with the place, the time or this program; anything else is wrong with the file."""
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_SHORT_READ: Final = 522
_UNDECODABLE: Final = "Could not decode to UTF-8"


def transact(
    connection: sqlite3.Connection,
    work: Callable[[sqlite3.Connection], T],
    begin: str,
    *,
    full: bool,
) -> T:
    """Do `work` between `begin` and COMMIT, or roll back; `full` waits for the disk."""
    if full:
        connection.execute("PRAGMA synchronous = FULL")
    try:
        connection.execute(begin)
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            # Some errors have rolled back already.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    finally:
        if full:
            connection.execute("PRAGMA synchronous = NORMAL")
    return result


def in_memory() -> sqlite3.Connection:
    """Return a database of its own that holds what is played until there is a file for it."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for sql in SETTINGS:
        connection.execute(sql).fetchall()
    schema.migrate(connection)
    return connection


def read_through(connection: sqlite3.Connection) -> None:
    """Check every page and row; raises `Unfit` with the first thing that is wrong."""
    (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if answer != "ok":
        raise Unfit("{text}", text=" ".join(str(answer).split()))


def verify(connection: sqlite3.Connection) -> None:
    """See that every game that is shown or counted is as it was kept, and that none is missing.

    Raises `Unfit` with the first thing that is wrong; reads all rows, and no journal.
    """
    for table in checksums.CHECKED:
        (answer,) = connection.execute(f"PRAGMA integrity_check({table})").fetchone()
        if answer != "ok":
            raise Unfit("{text}", text=" ".join(str(answer).split()))
    try:
        for sql in checksums.BROKEN:
            found = connection.execute(sql).fetchone()
            if found is not None:
                raise Unfit(SEAL_BROKEN, game=found[0])
        tally = connection.execute(checksums.TALLY).fetchone()
    except SQL_ERRORS as error:
        # A text that is none any more is refused by the call of a function, without a reason.
        if is_damage(error) or _code(error) == sqlite3.SQLITE_ERROR:
            raise Unfit("{text}", text=error) from error
        raise
    if tally is None or tally[0] != 1 or tally[1:3] != tally[3:]:
        raise Unfit(NO_TALLY)


def check_arrivals(connection: sqlite3.Connection) -> None:
    """Raise `Unfit` unless every listed arrival is one: a start deletes the games that are listed.

    A page of another table in the place of that list would else cost all games on it.
    """
    try:
        false = connection.execute(checksums.FALSE_ARRIVAL).fetchone()
    except SQL_ERRORS as error:
        if is_damage(error) or _code(error) == sqlite3.SQLITE_ERROR:
            raise Unfit("{text}", text=error) from error
        raise
    if false is not None:
        raise Unfit(SEAL_BROKEN, game=false[0])


def check_length(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `Unfit` for a file that is not as long as it says.

    SQLite reads an end that is missing as zeroes, and writes over one that was not counted.
    """
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        return  # the end may still be in there
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    size = path.stat().st_size
    if size < pages * page:
        raise Unfit(ENDS_EARLY, size=size, whole=pages * page)
    if size > pages * page:
        raise Unfit(WRONG_SIZE, size=size, whole=pages * page)


def suspicion(path: Path, *, thorough: bool) -> Unfit | None:
    """Return what is wrong with a file that is open elsewhere, seen by a connection of its own.

    A connection that has read a page before trusts its memory of it.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    checksums.register(connection)
    try:
        known = schema.judge(connection)
        if thorough:
            read_through(connection)
            if known == schema.VERSION:
                verify(connection)
    except (*SQL_ERRORS, Unfit) as error:
        found = damage(connection, error)
        return None if found is None or found.kind is NoticeKind.NEWER else found
    finally:
        connection.close()
    return None


def damage(connection: sqlite3.Connection, error: Exception) -> Unfit | None:
    """Return what is wrong with the database if that explains the error, else None."""
    if isinstance(error, Unfit):
        return error
    if is_damage(error):
        return Unfit("{text}", text=error)
    if not isinstance(error, sqlite3.Error) or _code(error) & 0xFF not in (
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CONSTRAINT,
    ):
        return None
    # A table that is gone and a row that cannot be look like slips of ours.
    try:
        if schema.judge(connection) == schema.VERSION:
            verify(connection)
        read_through(connection)
    except Unfit as unfit:
        return unfit
    except SQL_ERRORS as worse:
        return Unfit("{text}", text=worse)
    return None


def is_damage(error: Exception) -> bool:
    """Return whether SQLite says that what it reads is no (whole) database."""
    if not isinstance(error, sqlite3.Error):
        return isinstance(error, UnicodeDecodeError)
    code = _code(error)
    return code & 0xFF in _DAMAGE or code == _SHORT_READ or str(error).startswith(_UNDECODABLE)


def is_trouble(error: Exception) -> bool:
    """Return whether SQLite cannot read a file for reasons that do not lie in the file."""
    code = _code(error) if isinstance(error, sqlite3.Error) else 0
    return code & 0xFF in _TROUBLE and code != _SHORT_READ


def is_busy(error: Exception) -> bool:
    """Return whether somebody else held the database for too long."""
    return isinstance(error, sqlite3.Error) and _code(error) & 0xFF in _BUSY


def typed(row: Sequence[object], *kinds: type | tuple[type, ...]) -> None:
    """Raise `Unfit` unless each value of a row has its type: a damaged page may say anything."""
    for value, kind in zip(row, kinds, strict=True):
        if not isinstance(value, kind):
            names = kind if isinstance(kind, tuple) else (kind,)
            field = " or ".join(name.__name__ for name in names)
            raise Unfit(WRONG_VALUE, value=value, field=field)


def words(error: Exception) -> object:
    """Return an error as the reason inside a sentence."""
    if isinstance(error, Unfit):
        return error.reason
    return reason_of(error)


def _code(error: Exception) -> int:
    return getattr(error, "sqlite_errorcode", 0) or 0
