"""Databases of every older demine: restored, brought up to date, and looked after."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import URL

from demine.game import Game
from demine.logic.rules import BEGINNER
from demine.store.game_rows import compress_journal
from demine.web import players
from demine.web.database import file_version, sqlite_file
from demine.web.database.administration import Administration, restore
from demine.web.database.database import Database
from demine.web.database.games import insert_game, journal_text
from demine.web.database.pruning import PRUNABLE
from demine.web.database.uploads import insert_upload, load_upload
from demine.web.errors import DatabaseError

GAME, UPLOAD, UNTOUCHED = "g" * 36, "u" * 36, "n" * 36
TABLES = "players", "games", "events", "uploads"
OLD = "2020-01-01T00:00:00.000000Z"


def played_game() -> Game:
    game = Game(BEGINNER, 7)
    game.open(4, 4)
    return game


async def fill(path: Path) -> None:
    """Make a database with one player who has a game, a replay, and a board without acts."""
    opened = await Database.open(path)
    player = await players.create(opened)
    await players.change(opened, player.id, {"theme": "classic"}, name="Ada")
    game, upload = played_game(), played_game()
    await opened.write(lambda c: insert_game(c, GAME, player.id, game))
    await opened.write(lambda c: insert_game(c, UNTOUCHED, player.id, Game(BEGINNER, 8)))
    row = {"id": UPLOAD, "name": "a.demine", "added_at": OLD}
    row |= {"journal": compress_journal(upload.journal())}  # type: ignore[dict-item]
    await opened.write(lambda c: insert_upload(c, player.id, row))
    await opened.close()


@pytest.fixture(params=file_version.revisions()[:-1])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database as an older demine made it."""
    path, newest = tmp_path / "old.sqlite", tmp_path / "newest.sqlite"
    migrations = shutil.copytree(file_version.MIGRATIONS, tmp_path / "migrations")
    for each in (migrations / "versions").glob("r0*.py"):
        if each.stem[1:5] > request.param:
            each.unlink()
    sqlite_file._upgrade(URL.create("sqlite", database=str(path)), migrations)
    asyncio.run(fill(newest))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ATTACH ? AS newest", [str(newest)])
        for table in TABLES:
            found = connection.execute("SELECT name FROM pragma_table_info(?)", [table])
            names = ", ".join(f'"{name}"' for (name,) in found)
            connection.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM newest.{table}")
        connection.execute("UPDATE games SET seen_at = ? WHERE acts = 0", [OLD])
    return path


def what_is_kept(path: Path) -> tuple[str, str]:
    """The journals of the game and of the replay, once the database is up to date."""

    async def read() -> tuple[str, str]:
        opened = await Database.open(path)
        loaded = await opened.read(lambda c: load_upload(c, UPLOAD))
        assert loaded is not None
        found = await opened.read(lambda c: journal_text(c, 1)), loaded[0].journal()
        await opened.close()
        return found

    return asyncio.run(read())


def test_it_is_restored_upgraded_and_looked_after(old: Path, tmp_path: Path) -> None:
    path, copy = tmp_path / "data" / "server.sqlite", tmp_path / "copy.sqlite"
    assert restore(path, old) is None
    with (
        pytest.raises(DatabaseError, match="start the server once"),
        Administration.open(path),
    ):
        pass
    before = what_is_kept(path)
    with Administration.open(path) as opened:
        assert opened.log() == []
        (player,) = opened.players("ada")
        opened.ban(player.id)
        opened.unban(player.id)
        assert opened.delete_name(player.id) == "Ada"
        promised = opened.find_prunable(30)
        assert opened.prune(30) == promised
        assert promised == {kind.name: int(kind.name == "boards") for kind in PRUNABLE}
        opened.back_up(copy)
        opened.delete_game(GAME)
        opened.delete_game(UPLOAD)
        assert [each.action for each in opened.log()] == [
            "delete-game", "delete-game", "backup", "prune", "delete-name", "unban", "ban",
        ]  # fmt: skip
    assert restore(path, copy) is not None
    assert what_is_kept(path) == before
    with Administration.open(path) as opened:
        assert [each.games for each in opened.players()] == [1]
        assert opened.log()[0].action == "restore"
