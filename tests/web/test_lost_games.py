"""A game that could not be saved is loaded again by everybody: none plays on with what is lost."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from demine.game import Game
from demine.logic.event import Verb
from demine.logic.game import Status
from demine.web.app import make_app
from demine.web.database.database import Database
from demine.web.database.games import insert_game
from demine.web.database.place import DatabasePlace
from demine.web.errors import DatabaseError, NotFound
from demine.web.open_games import OpenGames
from demine.web.players import create, erase
from demine.web.websocket import game_connection
from tests.web.doors_app import browser, serve
from tests.web.test_attacks import is_closed, new_game, open_socket


@contextmanager
def full_disk(path: Path, table: str = "events") -> Iterator[None]:
    """Let no event be written, as SQLite tells of a full disk: the statement fails."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            f"CREATE TRIGGER full BEFORE INSERT ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
        yield
        connection.execute("DROP TRIGGER full")


def test_all_connections_of_a_game_that_was_not_saved_end(tmp_path: Path) -> None:
    path = tmp_path / "server.sqlite"
    with serve(make_app(path)) as site, browser(site) as player:
        game = new_game(player)
        with open_socket(player, game) as one, open_socket(player, game) as two:
            one.recv()
            two.recv()
            with full_disk(path):
                one.send(json.dumps({"seq": 1, "verb": "flag", "cell": [0, 0]}))
                assert json.loads(one.recv(timeout=30))["bye"] == "database"
            assert json.loads(two.recv(timeout=30))["bye"] == "database"
            is_closed(one)
            is_closed(two)
        with open_socket(player, game) as again:
            hello = json.loads(again.recv())["hello"]
            assert (hello["seq"], hello["next_seq"], hello["mines_left"]) == (0, 1, 10)
            again.send(json.dumps({"seq": 1, "verb": "flag", "cell": [0, 0]}))
            assert json.loads(again.recv())["mines_left"] == 9


def test_a_lost_game_takes_no_act(tmp_path: Path) -> None:
    async def play() -> None:
        database = await Database.open(tmp_path / "server.sqlite")
        player = (await create(database)).id
        await database.write(lambda to: insert_game(to, "g" * 36, player, Game("9x9/10")))
        game = await OpenGames(database).get("g" * 36)
        with full_disk(tmp_path / "server.sqlite"), pytest.raises(DatabaseError):
            await game.play(Verb.FLAG, 0, 0, "", 1)
        with pytest.raises(DatabaseError):
            await game.play(Verb.FLAG, 0, 1, "", 2)
        found = await OpenGames(database).get("g" * 36)
        assert found.seq == 0
        await erase(database, player)
        with pytest.raises(NotFound):
            await found.play(Verb.FLAG, 0, 0, "", 1)
        await database.close()

    asyncio.run(play())


def test_who_stays_away_gains_no_time(place: DatabasePlace) -> None:
    async def play() -> None:
        seconds = 0.0
        database = await Database.open(place)
        player = (await create(database)).id
        new = Game("9x9/10", seed=1)
        await database.write(lambda to: insert_game(to, "g" * 36, player, new))
        games = OpenGames(database, lambda: seconds)
        game = await games.get("g" * 36)
        await game.play(Verb.OPEN, 4, 4, "me", 1)
        seconds = 59.0
        await games.forget_idle()
        assert await games.get("g" * 36) is game
        seconds = 1000.0
        await games.forget_idle()
        assert len(games) == 0
        found = await games.get("g" * 36)
        assert (found.game.status, found.clock_ms) == (Status.PAUSED, 1_000_000)
        assert found.numbers == {"me": 1}
        await database.close()

    asyncio.run(play())


def test_a_full_disk_is_the_servers_fault(tmp_path: Path) -> None:
    path = tmp_path / "server.sqlite"
    with serve(make_app(path)) as site, browser(site) as player:
        player.get("/api/setup")  # answered once there is a database
        with full_disk(path, "players"):
            refused = player.post("/api/games", json={})
            assert (refused.status_code, refused.json()["error"]["what"]) == (503, "database")
        assert player.post("/api/games", json={}).status_code == 201


def test_a_long_act_shows_that_the_connection_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_connection, "SIGN_OF_LIFE_S", 0.01)
    path = tmp_path / "server.sqlite"
    with serve(make_app(path)) as site, browser(site) as player:
        game = new_game(player)
        with open_socket(player, game) as mine, closing(sqlite3.connect(path)) as other:
            mine.recv()
            other.execute("BEGIN IMMEDIATE")  # the act waits until this is over
            mine.send(json.dumps({"seq": 1, "verb": "flag", "cell": [0, 0]}))
            assert json.loads(mine.recv(timeout=4))["pong"] == 0
            other.rollback()
            while "ack" not in (answer := json.loads(mine.recv(timeout=30))):
                assert answer["pong"] == 0
            assert answer["mines_left"] == 9
