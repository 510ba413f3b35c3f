"""What a server could not compute before it was killed is computed at its next start."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from sqlalchemy import Connection, func, insert, select, update
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from demine.game import Game
from demine.store.game_rows import compress_journal
from demine.web import app, players
from demine.web.app import make_app
from demine.web.backfill import fill_in_what_is_missing
from demine.web.database.database import Database
from demine.web.database.games import insert_game
from demine.web.database.schema import GAMES, UPLOADS
from demine.web.database.uploads import uploads_of
from tests.web.browser.served_site import ServedSite

KILLED_BEFORE_STATISTICS = """
import os, runpy, signal
from demine.web import ended_games
ended_games.save_statistics = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
runpy.run_module("demine", run_name="__main__", alter_sys=True)
"""
WAIT_SECONDS = 60.0


def test_a_server_killed_between_end_and_statistics_computes_them_later(tmp_path: Path) -> None:
    site = ServedSite(tmp_path)
    site.kill()
    site.start("-c", KILLED_BEFORE_STATISTICS)
    body = json.dumps({"rules": "4x4/15"}).encode()
    made = Request(f"{site.address}/api/games", body, {"Content-Type": "application/json"})
    with urlopen(made, timeout=WAIT_SECONDS) as answer:
        game = json.load(answer)["id"]
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
    win(f"{site.address.replace('http', 'ws', 1)}/ws/games/{game}?client=me", cookie)
    assert site.process is not None
    assert site.process.wait(WAIT_SECONDS) < 0
    with closing(sqlite3.connect(tmp_path / "server.sqlite")) as connection:
        found = connection.execute("SELECT status, bv, statistics_version FROM games").fetchone()
    assert found == ("won", None, None)
    site.start()
    try:
        until = time.monotonic() + WAIT_SECONDS
        while (row := history(site, cookie)[0])[4:7] == ["–", "–", "–"]:
            assert time.monotonic() < until, row
            time.sleep(0.05)
        assert row[4] == "1"
    finally:
        site.stop()


def win(address: str, cookie: str) -> None:
    """Open the one cell without a mine; the connection ends with the server."""
    with connect(address, additional_headers={"Cookie": cookie}, compression=None) as socket:
        socket.recv(timeout=WAIT_SECONDS)
        socket.send(json.dumps({"seq": 1, "verb": "open", "cell": [0, 0]}))
        try:
            while True:
                socket.recv(timeout=WAIT_SECONDS)
        except ConnectionClosed:
            return


def history(site: ServedSite, cookie: str) -> list[list[str]]:
    with urlopen(
        Request(f"{site.address}/api/history", headers={"Cookie": cookie}), timeout=WAIT_SECONDS
    ) as answer:
        return [row["cells"] for row in json.load(answer)["rows"]]


def test_everything_that_is_missing_is_filled_in_once(tmp_path: Path) -> None:
    """Games with statistics of older definitions, of no definitions, and replays of old files."""

    async def work() -> None:
        database = await Database.open(tmp_path / "server.sqlite")
        player = (await players.create(database)).id
        games = [won(seed) for seed in range(3)]
        for number, game in enumerate(games):
            add = partial(insert_game, game_id=f"{number:036}", player=player, game=game)
            await database.write(add)
        values = {"id": "1" * 36, "player": player, "name": "old.avf", "added_at": "2020-01-01"}
        sent = insert(UPLOADS).values(journal=compress_journal(games[0].journal()), **values)
        await database.write(lambda connection: connection.execute(sent))
        older = update(GAMES).where(GAMES.c.num == 1).values(bv=99, statistics_version=0)
        await database.write(lambda connection: connection.execute(older))
        await fill_in_what_is_missing(database)
        counted: Any = await database.read(
            lambda connection: connection.execute(
                select(func.min(GAMES.c.bv), func.max(GAMES.c.bv), func.count(GAMES.c.ioe))
            ).one()
        )
        assert tuple(counted) == (1, 1, 3)
        (row,) = await database.read(lambda connection: uploads_of(connection, player))
        assert (row["rules"], row["status"]) == ("4x4/15", "won")
        await database.close()

    asyncio.run(work())


def test_a_damaged_row_keeps_no_other_from_what_it_lacks(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        database = await Database.open(tmp_path / "server.sqlite")
        player = (await players.create(database)).id
        for number, journal in enumerate((b"damaged", compress_journal(won(1).journal()))):
            values = {"id": f"{number:036}", "player": player, "name": "old.avf"}
            sent = insert(UPLOADS).values(journal=journal, added_at="2020-01-01", **values)
            await database.write(partial(Connection.execute, statement=sent))
        await fill_in_what_is_missing(database)
        rows = await database.read(lambda connection: uploads_of(connection, player))
        assert {row["id"]: row["status"] for row in rows} == {"0" * 36: None, f"{1:036}": "won"}
        await database.close()

    asyncio.run(work())
    assert f"{0:036} stays without" in caplog.text


def test_games_are_looked_for_again_after_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        tries, third = 0, asyncio.Event()

        async def broken() -> None:
            nonlocal tries
            tries += 1
            if tries == 3:
                third.set()
            raise ZeroDivisionError

        site = make_app(tmp_path / "server.sqlite")
        async with site.router.lifespan_context(site):
            monkeypatch.setattr(site.state.services.open_games, "forget_idle", broken)
            await asyncio.wait_for(third.wait(), WAIT_SECONDS)

    monkeypatch.setattr(app, "_SWEEP_S", 0.0)
    asyncio.run(work())
    assert "ZeroDivisionError" in caplog.text


def won(seed: int) -> Game:
    game = Game("4x4/15", seed)
    game.open(0, 0)
    return game
