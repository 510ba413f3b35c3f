"""Takes the database of a server from a file of SQLite to PostgreSQL, and compares every row."""

from __future__ import annotations

from contextlib import closing
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer, collate, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from demine.web.database.administration import note
from demine.web.database.postgres import open_postgres, reason_of
from demine.web.database.schema import GAMES, METADATA
from demine.web.database.sqlite_file import open_file
from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Table
    from sqlalchemy.engine import Connection, Result

    from demine.web.database.place import PostgresPlace

_AT_ONCE: Final = 1000
_TABLES: Final = METADATA.sorted_tables
"""Those to which others refer come first."""


def transfer(
    source: Path,
    target: PostgresPlace,
    why: str = "",
    on_progress: Callable[[int, int], object] = lambda _done, _all: None,
) -> int:
    """Copy everything into an empty database of PostgreSQL; return how many games that are.

    Every row is read again from there and compared before anything is kept. The file stays as it
    is. No server may run on either. `on_progress` hears how many rows are done and how many there
    are: each counts when it is copied and when it is compared. Raises `DatabaseError`, with nothing
    changed.
    """
    opened, new = open_file(source), None
    try:
        new = open_postgres(target)
        with opened.readers.connect() as old, new.writer.begin() as connection:
            _refuse_filled(target, connection)
            progress = _Progress(_row_count(old), on_progress)
            for table in _TABLES:
                _copy(table, old, connection, progress)
            for table in _TABLES:
                _compare(table, old, connection, progress)
            note(connection, "transfer", str(source.absolute()), "", why)
            return int(connection.execute(select(func.count()).select_from(GAMES)).scalar_one())
    except SQLAlchemyError as error:
        raise DatabaseError(
            "the database {path} cannot be written: {reason}",
            path=str(target),
            reason=reason_of(error),
        ) from error
    finally:
        for engines in filter(None, (opened, new)):
            engines.readers.dispose()
            engines.writer.dispose()
            engines.lock.release()


class _Progress:
    def __init__(self, rows: int, tell: Callable[[int, int], object]) -> None:
        self._done, self._all, self._tell = 0, 2 * rows, tell

    def add(self, rows: int) -> None:
        self._done += rows
        self._tell(self._done, self._all)


def _refuse_filled(target: PostgresPlace, connection: Connection) -> None:
    if _row_count(connection):
        raise DatabaseError(
            "the database {path} is not empty: it is left as it is", path=str(target)
        )


def _row_count(connection: Connection) -> int:
    counts = (select(func.count()).select_from(table) for table in _TABLES)
    return sum(connection.execute(each).scalar_one() for each in counts)


def _copy(table: Table, old: Connection, new: Connection, progress: _Progress) -> None:
    for rows in _rows(table, old).partitions(_AT_ONCE):
        new.execute(insert(table), [row._asdict() for row in rows])
        progress.add(len(rows))
    if table.autoincrement_column is not None:
        # What is added later goes on after the numbers that were brought along.
        key = table.autoincrement_column
        sequence = func.pg_get_serial_sequence(table.name, key.name)
        last = select(func.setval(sequence, func.max(key))).having(func.max(key).is_not(None))
        new.execute(last)


def _compare(table: Table, old: Connection, new: Connection, progress: _Progress) -> None:
    """Raise `DatabaseError` unless the rows of a table are the same in both databases."""
    with closing(_rows(table, old)) as first, closing(_rows(table, new)) as second:
        both = first.partitions(_AT_ONCE), second.partitions(_AT_ONCE)
        for before, after in zip_longest(*both, fillvalue=()):
            if list(map(tuple, before)) != list(map(tuple, after)):
                raise DatabaseError(
                    "{table} is not the same after it was copied: nothing was changed",
                    table=table.name,
                )
            progress.add(len(before))


def _rows(table: Table, connection: Connection) -> Result[Any]:
    """Return the rows of a table in the order of their keys, read some at a time."""
    # Compared in binary, as SQLite does: PostgreSQL would follow the order of a language.
    keys = [
        key if isinstance(key.type, Integer) else collate(key, "C") for key in table.primary_key
    ]
    if connection.dialect.name == "sqlite":
        keys = list(table.primary_key)
    return connection.execute(select(table).order_by(*keys).execution_options(yield_per=_AT_ONCE))
