"""The last migration of the server's database, taken back and made again, whichever it is."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy")
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from click.testing import CliRunner
from sqlalchemy import Column, Engine, MetaData, create_engine, insert, inspect

from demine.cli.verbs.admin import command
from demine.web.database import file_version
from demine.web.database.administration import Administration, downgrade_database
from demine.web.database.place import DatabasePlace, PostgresPlace, parse_place
from demine.web.database.postgres import open_postgres
from demine.web.database.schema import METADATA
from demine.web.database.sqlite_file import open_file
from demine.web.errors import DatabaseError
from tests.web.postgres_server import PostgresServer

NEWEST = file_version.revisions()[-1]
LOG = "admin_log"
ROWS = 1, 2
Rows = dict[str, list[dict[str, Any]]]
"""The rows of each table, by the names of the columns."""


@contextmanager
def server(place: DatabasePlace) -> Iterator[None]:
    """Have a database open as a server has it."""
    opened = open_file(place) if isinstance(place, Path) else open_postgres(place)
    try:
        yield
    finally:
        opened.readers.dispose()
        opened.writer.dispose()
        opened.lock.release()


@contextmanager
def engine_of(place: DatabasePlace) -> Iterator[Engine]:
    url = place.url if isinstance(place, PostgresPlace) else f"sqlite:///{place}"
    engine = create_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture
def filled(place: DatabasePlace) -> DatabasePlace:
    """A database with rows in every table."""
    with server(place), engine_of(place) as engine, engine.begin() as connection:
        for table in METADATA.sorted_tables:
            if table.name == LOG:
                continue  # it is added to
            rows = [{each.name: value(each, row) for each in table.columns} for row in ROWS]
            connection.execute(insert(table), rows)
    return place


def value(column: Column[Any], row: int) -> object:
    """What a column of a row holds; a row refers to those of the same number."""
    for key in column.foreign_keys:
        return value(key.column, row)
    kind: type = column.type.python_type
    return (
        f"{column.name} {row}".encode()
        if kind is bytes
        else kind(f"{column.name} {row}" if kind is str else row)
    )


def rows(place: DatabasePlace) -> Rows:
    """All rows but those of the log, of the tables that there are."""
    tables = MetaData()
    with engine_of(place) as engine, engine.connect() as connection:
        tables.reflect(connection)
        return {
            table.name: sorted(
                (row._asdict() for row in connection.execute(table.select())), key=str
            )
            for table in tables.sorted_tables
            if table.name not in {"alembic_version", LOG}
        }


def what_both_know(first: Rows, second: Rows) -> list[Rows]:
    """The rows of both, without tables and columns that one of them lacks."""
    names = {
        table: first[table][0].keys() & second[table][0].keys()
        for table in first.keys() & second.keys()
    }
    return [
        {table: [{name: row[name] for name in kept} for row in each[table]]
         for table, kept in names.items()}
        for each in (first, second)
    ]  # fmt: skip


def structure(place: DatabasePlace) -> dict[str, Any]:
    """Columns, keys and indexes of all tables."""
    with engine_of(place) as engine:
        found = inspect(engine)
        return {
            table: [
                sorted(map(str, part(table)))
                for part in (found.get_columns, found.get_indexes, found.get_foreign_keys,
                             found.get_unique_constraints)
            ]
            for table in found.get_table_names()
        }  # fmt: skip


def make_older(place: DatabasePlace, folder: Path) -> None:
    """Make an empty database as the demine before this one does."""
    migrations = shutil.copytree(file_version.MIGRATIONS, folder / "migrations")
    for each in (migrations / "versions").glob(f"r{NEWEST}_*.py"):
        each.unlink()
    with engine_of(place) as engine, engine.begin() as connection:
        file_version.upgrade(connection, migrations)


def test_the_last_migration_goes_back_and_forwards_and_loses_nothing_known_before(
    filled: DatabasePlace, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    before = rows(filled)
    assert all(len(each) == len(ROWS) for each in before.values())
    kept = downgrade_database(filled)
    older = rows(filled)
    known, left = what_both_know(before, older)
    assert known == left == older
    assert older.keys() >= {"players", "games", "events", "wins", "drills"}
    other: DatabasePlace = tmp_path / "older.sqlite"
    if isinstance(filled, PostgresPlace):
        server_of_tests: PostgresServer = request.getfixturevalue("postgres")
        other = parse_place(server_of_tests.new_database())
    make_older(other, tmp_path)
    assert structure(filled) == structure(other)
    with pytest.raises(DatabaseError, match="of an older demine already"):
        downgrade_database(filled)
    with server(filled), engine_of(filled) as engine, engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    known, left = what_both_know(older, rows(filled))
    assert known == left == older
    if kept is not None:
        assert rows(kept) == before


def test_a_database_that_a_server_has_is_left_as_it_is(
    filled: DatabasePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.web.database.postgres._WAIT_S", 0.1)
    monkeypatch.setattr("demine.web.database.sqlite_file._BUSY_MS", 100)
    before = rows(filled)
    with server(filled), pytest.raises(DatabaseError, match="another program is using it"):
        downgrade_database(filled)
    assert rows(filled) == before


def test_the_command_says_what_it_did_and_notes_it(filled: DatabasePlace) -> None:
    address = str(filled)
    done = CliRunner().invoke(
        command(), ["downgrade", "--why", "a mistake", "--database", address], standalone_mode=False
    )
    assert done.exception is None
    assert done.output.startswith(f"The demine before this one opens the database now: {address}.")
    assert ("is kept as" in done.output) == isinstance(filled, Path)
    with server(filled), Administration.open(filled) as opened:
        entry = opened.log()[0]
    older = file_version.revisions()[-2]
    assert (entry.action, entry.subject, entry.detail, entry.why) == (
        "downgrade", older, f"from {NEWEST}", "a mistake",
    )  # fmt: skip
