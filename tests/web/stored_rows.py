"""What the database of a server holds, beside the server, in each kind of database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demine.game import Game
from demine.web.database.place import DatabasePlace

if TYPE_CHECKING:
    import psycopg


def rows(place: DatabasePlace, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows of a query, in which `?` stands for each value."""
    with _executed(place, sql, *values) as cursor:
        return list(cursor.fetchall())


def change(place: DatabasePlace, sql: str, *values: object) -> None:
    """Change what a database holds."""
    with _executed(place, sql, *values):
        pass


@contextmanager
def _executed(
    place: DatabasePlace, sql: str, *values: object
) -> Iterator[sqlite3.Cursor | psycopg.Cursor]:
    if isinstance(place, Path):
        with closing(sqlite3.connect(place)) as connection, connection:
            yield connection.execute(sql, values)
        return
    import psycopg

    address = place.url.set(drivername="postgresql").render_as_string(hide_password=False)
    statement = sql.replace("%", "%%").replace("?", "%s").encode()
    with psycopg.connect(address) as opened:
        yield opened.execute(statement, values)


def journal(place: DatabasePlace, game: str) -> Game:
    """A game of the database, folded and verified as any other."""
    ((num, header),) = rows(place, "SELECT num, header FROM games WHERE id=?", game)
    lines = rows(place, "SELECT line FROM events WHERE game=? ORDER BY seq", num)
    return Game.from_journal("\n".join([header, *(line for (line,) in lines)]) + "\n")
