"""What SQLite and PostgreSQL say differently, and what is too slow to be said by SQLAlchemy."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from sqlalchemy import JSON, Text, bindparam, cast, column, func, literal_column, select, true
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.exc import DBAPIError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, FromClause, Table
    from sqlalchemy.engine import Connection, Dialect
    from sqlalchemy.sql.dml import UpdateBase
    from sqlalchemy.types import TypeEngine

_TURN: Final = 0x644D5377
"""The number of the lock that is held by the process whose turn it is."""
_ROWS: Final = "given"
"""The name of the parameter that holds rows as JSON, and of the table that they are."""
_ENCODER: Final = msgspec.json.Encoder()
_DIALECTS: Final[Mapping[str, Dialect]] = {
    "sqlite": sqlite.dialect(paramstyle="named"),
    "postgresql": psycopg.dialect(),  # type: ignore[no-untyped-call]
}
"""How statements are written for the drivers, with parameters by their names."""


def given_rows(dialect: str, columns: Mapping[str, TypeEngine[Any]]) -> FromClause:
    """Return rows that `execute_on_rows` gives to a statement, as a table of these columns."""
    given = bindparam(_ROWS, type_=Text)
    if dialect == "postgresql":
        typed = [column(name, kind) for name, kind in columns.items()]
        records = func.json_to_recordset(cast(given, JSON)).table_valued(*typed)
        return records.render_derived(name=_ROWS, with_types=True)
    each = func.json_each(given).table_valued("value")
    value = each.c.value
    values = [
        func.json_extract(value, literal_column(f"'$.{name}'")).label(name) for name in columns
    ]
    return select(*values).subquery(_ROWS)


def execute_on_rows(
    connection: Connection, statement: UpdateBase, rows: Sequence[Mapping[str, object]]
) -> int:
    """Execute a statement once on `given_rows`; return how many rows it changed.

    To execute it for one row after the other would stop the event loop at each of them: the driver
    lets go of the interpreter and takes it again. For the same reason the driver is given text:
    through SQLAlchemy it would take several times as long as SQLite itself, at every act. Raises
    `DBAPIError`.
    """
    text = _text(statement, connection.dialect.name)
    with closing(connection.connection.cursor()) as cursor:
        try:
            cursor.execute(text, {_ROWS: _ENCODER.encode(rows).decode()})
        except connection.dialect.loaded_dbapi.Error as error:
            raise DBAPIError(text, None, error) from error
        return int(cursor.rowcount)


@cache
def _text(statement: UpdateBase, dialect: str) -> str:
    return str(statement.compile(dialect=_DIALECTS[dialect]))


def insert_of(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an insertion that can say what happens where a row of the same key is there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def wait_for_turn(connection: Connection) -> None:
    """Wait until no other process has a transaction under way that has waited for its turn.

    So what is read in this transaction holds until its end. In SQLite all transactions are so.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_TURN)))


def has_text(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """Return whether a column has a text in it, in the same case."""
    return func.replace(column, text, "") != column if text else true()
