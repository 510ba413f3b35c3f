"""Pruning the database of a server that goes on playing: by batches, to be stopped in between."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from demine.game import Game
from demine.logic.rules import BEGINNER
from demine.web import players
from demine.web.database.administration import Administration
from demine.web.database.database import Database
from demine.web.database.games import insert_game
from demine.web.database.pruning import PRUNABLE

BOARDS = 2500
"""More than two batches."""
OLD = "2020-01-01T00:00:00.000000Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of players with an old board each, which nobody touched."""
    file = tmp_path / "server.sqlite"

    async def make() -> None:
        opened = await Database.open(file)
        player = await players.create(opened)
        game = Game(BEGINNER, 7)
        await opened.write(lambda connection: insert_game(connection, "first", player.id, game))
        await opened.close()

    asyncio.run(make())
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE games SET seen_at = ?", [OLD])
        connection.execute("UPDATE players SET created_at = ?", [OLD])
        for num in range(BOARDS - 1):
            copy_row(connection, "players", {"id": f"{num:036}"})
            copy_row(connection, "games", {"num": None, "id": f"{num:036}", "player": f"{num:036}"})
    return file


def copy_row(connection: sqlite3.Connection, table: str, changes: dict[str, object]) -> None:
    """Add a row that is like the first but for some columns."""
    cursor = connection.execute(f"SELECT * FROM {table} LIMIT 1")
    row = dict(zip([each[0] for each in cursor.description], cursor.fetchone(), strict=True))
    values = {**row, **changes}
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} VALUES ({marks})", list(values.values()))


def counted(boards: int, players: int, races: int = 0) -> dict[str, int]:
    """Numbers of all kinds of rows that are pruned."""
    given = {"races": races, "boards": boards, "players": players}
    return {kind.name: given.get(kind.name, 0) for kind in PRUNABLE}


def detail(counts: dict[str, int]) -> str:
    """What the log says of them."""
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def counts(path: Path) -> dict[str, int]:
    """How many boards, players and races there are."""
    with closing(sqlite3.connect(path)) as connection:
        tables = "games", "players", "races"
        found = [connection.execute(f"SELECT count(*) FROM {each}") for each in tables]
        return counted(*(each.fetchone()[0] for each in found))


def noted(path: Path) -> list[str]:
    with Administration.open(path) as opened:
        return [each.detail for each in opened.log()]


def test_looking_waits_for_nobody_who_writes(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with Administration.open(path) as opened:
            assert len(opened.players()) == BOARDS
            assert opened.log() == []
            assert opened.find_prunable(30) == counted(BOARDS, BOARDS)


def test_others_write_between_the_batches(path: Path) -> None:
    heard = []

    def write(done: int) -> None:
        heard.append(done)
        with closing(sqlite3.connect(path, timeout=0)) as connection, connection:
            connection.execute("UPDATE players SET language = 'en'")

    with Administration.open(path) as opened:
        assert opened.prune(30, on_progress=write) == counted(BOARDS, BOARDS)
    assert heard[-1] == 2 * BOARDS
    assert len(heard) >= 6
    assert counts(path) == counted(0, 0)
    assert noted(path) == [detail(counted(BOARDS, BOARDS))]


def test_what_is_stopped_is_noted_as_far_as_it_came(path: Path) -> None:
    heard: list[int] = []
    with Administration.open(path) as opened:
        done = opened.prune(30, "", heard.append, lambda: len(heard) == 2)
        boards = done["boards"]
        assert 0 < boards < BOARDS
        assert noted(path) == [detail(counted(boards, 0))]
        assert counts(path) == counted(BOARDS - boards, BOARDS)
        assert opened.prune(30) == counted(BOARDS - boards, BOARDS)


def test_a_board_that_is_touched_meanwhile_stays(path: Path) -> None:
    boards = next(kind for kind in PRUNABLE if kind.name == "boards")
    before = "2026-01-01"
    engine = create_engine(f"sqlite:///{path}")
    keys = next(boards.batches(engine.connect, before))
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE games SET acts = 1 WHERE num = 1")
        assert boards.delete(connection, keys, before) == len(keys) - 1
    engine.dispose()


def test_races_that_are_over_go_and_their_games_stay(path: Path) -> None:
    """One race is over for long, one since today, and one is under way."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET acts = 1")
        for num, over_at in enumerate([OLD, "9999", None]):
            race = (num, f"race{num}", "9x9/10", "time", 7, "", OLD, over_at, None)
            connection.execute(f"INSERT INTO races VALUES ({', '.join('?' * len(race))})", race)
            connection.execute("INSERT INTO race_events VALUES (?, 0, '')", [num])
            connection.execute("INSERT INTO racers VALUES (?, 0, ?, 1)", [num, f"{num:036}"])
    with Administration.open(path) as opened:
        assert opened.prune(30) == counted(0, 0, races=1)
    assert counts(path) == counted(BOARDS, BOARDS, races=2)
    with closing(sqlite3.connect(path)) as connection:
        for table in ("race_events", "racers"):
            left = connection.execute(f"SELECT race FROM {table} ORDER BY race").fetchall()
            assert left == [(1,), (2,)]


def test_a_player_in_a_race_stays(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        race = (1, "race", "9x9/10", "time", 7, "", OLD, None, None)
        connection.execute(f"INSERT INTO races VALUES ({', '.join('?' * len(race))})", race)
        connection.execute("INSERT INTO racers VALUES (1, 0, ?, NULL)", [f"{0:036}"])
    with Administration.open(path) as opened:
        assert opened.prune(30) == counted(BOARDS, BOARDS - 1)


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT to one process")
def test_ctrl_c_stops_between_two_batches(path: Path) -> None:
    arguments = ["--lang", "en", "admin", "prune", "30", "--database", str(path)]
    running = subprocess.Popen(
        [sys.executable, "-m", "demine", *arguments], stdout=subprocess.PIPE, text=True
    )
    while not noted(path) and running.poll() is None:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate()
    left = counts(path)
    assert running.returncode == 130
    deleted = counted(BOARDS - left["boards"], BOARDS - left["players"])
    assert noted(path) == [detail(deleted)]
    assert out.startswith("Stopped. Deleted: ")
    assert f"{deleted['boards']} untouched boards" in out
