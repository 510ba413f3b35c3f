"""Files of the server's database: made, upgraded, and left alone."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, create_engine

from demine.game import Game
from demine.logic.rules import BEGINNER
from demine.store import Store
from demine.web import players
from demine.web.database import file_version, sqlite_file
from demine.web.database.database import Database
from demine.web.database.games import insert_game, journal_text
from demine.web.database.schema import METADATA
from demine.web.errors import DatabaseError

NEXT = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "{new}", "{last}"
def upgrade():
    op.add_column("uploads", sa.Column("note", sa.Text()))
    with op.batch_alter_table("games") as games:
        games.alter_column("hits", new_column_name="mines_hit")
    {more}
"""
"""A migration after the last one: it makes a table anew to which others refer."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with one game, of the newest format; "%" is special to Alembic's settings."""
    file = tmp_path / "50% server#?.sqlite"
    asyncio.run(play(file))
    return file


async def play(path: Path) -> None:
    """Open a file, and put a player's game into it."""
    opened = await Database.open(path)
    player = await players.create(opened)
    game = Game(BEGINNER, 7)
    game.open(4, 4)
    await opened.write(lambda connection: insert_game(connection, "0" * 36, player.id, game))
    await opened.close()


async def journal_of(path: Path) -> str:
    opened = await Database.open(path)
    text = await opened.read(lambda connection: journal_text(connection, 1))
    await opened.close()
    return text


def refusal(path: Path) -> str:
    """Why a file is refused; it is the same file afterwards."""
    before = path.read_bytes()
    with pytest.raises(DatabaseError) as caught:
        asyncio.run(Database.open(path))
    assert path.read_bytes() == before
    assert str(path) in str(caught.value)
    return str(caught.value)


def later_migrations(folder: Path, more: str = "") -> Path:
    """The migrations of a demine that is newer than this one."""
    later = shutil.copytree(file_version.MIGRATIONS, folder / "50% later")
    last = file_version.revisions()[-1]
    new = f"{int(last) + 1:04}"
    (later / "versions" / f"r{new}_next.py").write_text(
        NEXT.format(new=new, last=last, more=more), encoding="utf-8"
    )
    return later


def upgrade(path: Path, migrations: Path) -> None:
    """What `Database.open` of that demine does."""
    sqlite_file._upgrade(url_of(path), migrations)


def url_of(path: Path) -> URL:
    return URL.create("sqlite", database=str(path))


def tables(path: Path) -> dict[str, object]:
    """Whether each table is without row numbers, and its columns: type, default and so on."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("PRAGMA table_list").fetchall()
        return {
            row[1]: (
                row[4],
                {each[1:] for each in connection.execute(f"PRAGMA table_xinfo({row[1]})")},
            )
            for row in found
            if row[1] != "alembic_version"
        }


def test_the_migrations_make_the_tables_of_the_schema(path: Path, tmp_path: Path) -> None:
    engine = create_engine(url_of(path))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()
    made = tmp_path / "made.sqlite"
    whole = create_engine(f"sqlite:///{made}")
    METADATA.create_all(whole)
    whole.dispose()
    assert tables(path) == tables(made)


def test_the_names_of_the_files_are_the_revisions_in_order() -> None:
    script = ScriptDirectory(str(file_version.MIGRATIONS))
    found = [each.revision for each in script.walk_revisions()]
    assert file_version.revisions() == found[::-1] == [f"{n:04}" for n in range(1, len(found) + 1)]


def test_an_older_file_is_upgraded_and_keeps_its_games(path: Path, tmp_path: Path) -> None:
    before = asyncio.run(journal_of(path))
    upgrade(path, later_migrations(tmp_path))
    with closing(sqlite3.connect(path)) as connection:
        (hits,) = connection.execute("SELECT mines_hit FROM games").fetchone()
        lines = connection.execute("SELECT line FROM events ORDER BY seq").fetchall()
    assert hits == 0
    assert [line for (line,) in lines] == before.splitlines()[1:]


def test_a_file_of_a_newer_demine_is_left_alone(path: Path, tmp_path: Path) -> None:
    upgrade(path, later_migrations(tmp_path))
    assert "newer demine" in refusal(path)


def test_a_migration_that_fails_changes_nothing(path: Path, tmp_path: Path) -> None:
    before = asyncio.run(journal_of(path))
    later = later_migrations(tmp_path, "raise OSError('the disk is full')")
    with pytest.raises(OSError, match="the disk is full"):
        upgrade(path, later)
    assert asyncio.run(journal_of(path)) == before


def test_files_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE players (id TEXT)")
    desktop = tmp_path / "demine.db"
    Store.open(desktop).close()
    for file in (other, desktop):
        assert "not a database of demine's server" in refusal(file)
    text = tmp_path / "notes.txt"
    text.write_text("nothing\n" * 100)
    assert "cannot be opened" in refusal(text)


def test_files_with_damaged_tables_are_left_alone(path: Path) -> None:
    whole = path.read_bytes()
    # SQLite quotes the name, which is no text any more.
    path.write_bytes(whole.replace(b"(player, finished_at, id)", b"(player, finished\xffat, id)"))
    assert "cannot be opened" in refusal(path)
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM alembic_version")
    assert "not a database of demine's server" in refusal(path)


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    asyncio.run(play(empty))
    assert file_version.file_revision(empty) == file_version.revisions()[-1]


def test_alembic_is_loaded_only_to_migrate(path: Path) -> None:
    program = (
        "import asyncio, sys, pathlib\n"
        "from demine.web import server\n"
        "from demine.web.database.database import Database\n"
        "async def main():\n"
        "    await (await Database.open(pathlib.Path(sys.argv[1]))).close()\n"
        "asyncio.run(main())\n"
        "print('alembic' in sys.modules)\n"
    )
    for file, loaded in ((path, "False"), (path.with_name("new.sqlite"), "True")):
        done = subprocess.run(
            [sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == loaded
