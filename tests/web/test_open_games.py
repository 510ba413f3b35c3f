"""Games in memory: what is lost, forgotten or ended there is right in the database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import numpy as np
import pytest
from sqlalchemy import select
from sqlalchemy.engine import Connection

import demine
from demine.logic.errors import DemineError
from demine.logic.event import Verb
from demine.logic.game import Status
from demine.store.game_rows import new_id
from demine.web import kept_game, open_games, players
from demine.web.coop.table_news import TableNews
from demine.web.database.database import Database
from demine.web.database.games import insert_game, journal_text
from demine.web.database.place import DatabasePlace
from demine.web.database.schema import GAMES
from demine.web.errors import NotFound
from demine.web.game_figures import GameFigures, game_figures
from demine.web.kept_game import KeptGame
from demine.web.open_games import OpenGame, OpenGames, Update


class Clock:
    """A time that a test sets, in seconds."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Tab:
    """A connection that notes what it hears."""

    player = ""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def hear(self, message: TableNews) -> None:
        self.heard.append(str(message))

    def game_changed(self, _update: Update) -> None:
        self.heard.append("changed")

    def game_lost(self, error: DemineError) -> None:
        self.heard.append(str(error))

    async def close(self) -> None:
        self.heard.append("closed")


def with_game(
    place: DatabasePlace, work: Callable[[Database, OpenGames, OpenGame, Clock], Awaitable[None]]
) -> None:
    """Do something with a game of Beginner whose first cell is open."""

    async def run() -> None:
        database, clock = await Database.open(place), Clock()
        player = (await players.create(database)).id
        game_id, game = new_id(), demine.Game("9x9/10", 7)
        await database.write(lambda connection: insert_game(connection, game_id, player, game))
        games = OpenGames(database, clock)
        open_game = await games.get(game_id)
        await open_game.play(Verb.OPEN, 4, 4, "tab", 1)
        await work(database, games, open_game, clock)
        await database.close()

    asyncio.run(run())


async def column(database: Database, name: str) -> object:
    """A column of the one game in the database."""
    return await database.read(
        lambda connection: connection.execute(select(GAMES.c[name])).scalar_one()
    )


def covered(game: OpenGame, *, mine: bool) -> tuple[int, int]:
    board = game.game.board
    row, col = np.argwhere((board.mine_map == mine) & ~board.open_map)[0].tolist()
    return row, col


def test_a_running_game_that_is_forgotten_is_paused(place: DatabasePlace) -> None:
    async def work(database: Database, games: OpenGames, game: OpenGame, clock: Clock) -> None:
        tab = Tab()
        game.watchers.add(tab)
        clock.seconds = 500
        await games.forget_idle()
        assert len(games) == 1  # somebody looks at it
        games.leave(game, tab)
        clock.seconds = 530
        await games.forget_idle()
        assert (len(games), game.game.status) == (1, Status.RUNNING)
        clock.seconds = 570
        await games.forget_idle()
        assert len(games) == 0
        clock.seconds = 9000
        back = await games.get(game.id)
        assert (back.game.status, back.clock_ms) == (Status.PAUSED, 570_000)
        await back.play(Verb.RESUME, -1, -1, "tab", 2)
        clock.seconds = 9001
        assert back.clock_ms == 571_000
        assert await column(database, "time_ms") == 570_000

    with_game(place, work)


def test_clocks_are_saved_when_they_are_behind(place: DatabasePlace) -> None:
    async def work(database: Database, games: OpenGames, game: OpenGame, clock: Clock) -> None:
        async def saved_after(seconds: float, behind_ms: int) -> object:
            clock.seconds = seconds
            await games.save_clocks(behind_ms)
            return await column(database, "time_ms")

        assert await saved_after(4, 5_000) == 0
        assert await saved_after(5, 5_000) == 5_000
        assert await saved_after(12, 0) == 12_000
        await game.play(Verb.PAUSE, -1, -1, "tab", 2)
        assert await saved_after(99, 0) == 12_000

    with_game(place, work)


def test_an_act_of_one_who_plays_on_is_saved_and_the_row_follows(place: DatabasePlace) -> None:
    async def work(database: Database, games: OpenGames, game: OpenGame, clock: Clock) -> None:
        async def row() -> list[object]:
            return [await column(database, name) for name in ("status", "time_ms", "acts")]

        cell = covered(game, mine=True)
        assert await row() == ["running", 0, 1]
        clock.seconds = 8
        await game.play(Verb.FLAG, *cell, "tab", 2)
        assert await row() == ["running", 0, 1]
        after_a_kill = await OpenGames(database, clock).get(game.id)
        assert (after_a_kill.seq, after_a_kill.clock_ms) == (game.seq, 8_000)
        clock.seconds = 9
        await games.save_clocks()
        assert await row() == ["running", 9_000, 2]
        clock.seconds = 10
        await game.play(Verb.FLAG, *cell, "tab", 3)
        await game.play(Verb.OPEN, *cell, "tab", 4)
        assert await row() == ["lost", 10_000, 4]  # the end is told at once

    with_game(place, work)


def test_an_act_on_a_deleted_game_is_refused_though_its_row_may_wait(place: DatabasePlace) -> None:
    async def work(database: Database, _: OpenGames, game: OpenGame, __: Clock) -> None:
        def replace(connection: Connection) -> None:
            """Delete the game; another one, with other events, takes its number."""
            connection.execute(GAMES.delete())
            insert_game(connection, new_id(), game.player, demine.Game("9x9/10", 8))
            connection.execute(GAMES.update().values(num=num))

        num = int(str(await column(database, "num")))
        await database.write(replace)
        with pytest.raises(NotFound):
            await game.play(Verb.FLAG, *covered(game, mine=True), "tab", 2)
        assert await column(database, "acts") == 0
        journal = await database.read(lambda connection: journal_text(connection, num))
        assert journal.count("\n") == 1  # the header alone

    with_game(place, work)


def test_a_game_that_waits_is_forgotten_as_it_is(place: DatabasePlace) -> None:
    async def work(_: Database, games: OpenGames, game: OpenGame, clock: Clock) -> None:
        await game.play(Verb.OPEN, *covered(game, mine=True), "tab", 2)
        clock.seconds = 100
        await games.forget_idle()
        assert len(games) == 0
        assert (await games.get(game.id)).seq == 3

    with_game(place, work)


@pytest.mark.parametrize("mine", [True, False])
def test_statistics_are_counted_after_the_act_is_on_the_disk(
    place: DatabasePlace, monkeypatch: pytest.MonkeyPatch, mine: bool
) -> None:
    async def work(database: Database, _: OpenGames, game: OpenGame, __: Clock) -> None:
        seen = list[object]()

        async def find(journal: str, arrived_ms: int | None) -> GameFigures:
            seen.append(await column(database, "status"))
            figures = game_figures(journal, arrived_ms)
            return figures._replace(statistics={**figures.statistics, "bv": 10, "ioe": 0.5})

        monkeypatch.setattr(game, "_find_figures", find)
        number = 2
        while not game.game.status.over:
            await game.play(Verb.OPEN, *covered(game, mine=mine), "tab", number)
            number += 1
        assert seen == ["lost" if mine else "won"]
        assert await column(database, "bv") == 10
        assert await column(database, "ioe") == 0.5
        if mine:
            await game.play(Verb.UNDO, -1, -1, "tab", number)
            assert await column(database, "bv") is None

    with_game(place, work)


def test_a_game_rests_packed_and_goes_on_as_it_was(
    place: DatabasePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_game, "_LOOK_S", 0.01)
    monkeypatch.setattr(open_games, "_THINK_S", 0.01)

    async def work(database: Database, games: OpenGames, game: OpenGame, clock: Clock) -> None:
        async def is_packed_after(seconds: float) -> bool:
            clock.seconds += seconds
            await asyncio.sleep(0.05)
            return game._kept.is_packed

        await game.play(Verb.FLAG, *covered(game, mine=True), "tab", 2)
        journal, faces = game.game.journal(), game.faces()
        assert not await is_packed_after(0)
        async with game.lock:
            assert not await is_packed_after(9)
        game.onlookers.add(asyncio.Event())
        assert not await is_packed_after(9)
        game.onlookers.clear()
        assert await is_packed_after(9)
        # What looks at all games from time to time leaves it packed.
        await games.save_clocks()
        assert await column(database, "time_ms") == 27_000
        assert game.status is Status.RUNNING
        assert game._kept.is_packed
        assert game.game.journal() == journal
        assert np.array_equal(game.faces(), faces)
        assert not await is_packed_after(0)
        assert await is_packed_after(1)
        await game.play(Verb.RESIGN, -1, -1, "tab", 3)
        assert await column(database, "status") == "resigned"
        # A game that is over rests too.
        assert not await is_packed_after(0)
        assert await is_packed_after(1)
        assert game.status.over

    with_game(place, work)


@pytest.mark.parametrize(("size", "rests"), [("30x16/99", True), ("100x100/1000", False)])
def test_a_large_game_stays_as_it_is(
    size: str, rests: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_game, "_LOOK_S", 0.01)

    async def keep() -> bool:
        kept = KeptGame(demine.Game(size, seed=1), time.monotonic, asyncio.Lock(), ())
        await asyncio.sleep(0.05)
        return kept.is_packed

    assert asyncio.run(keep()) is rests


def test_a_game_that_is_played_is_not_packed_sooner_because_it_was_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_game, "_LOOK_S", 0.01)

    async def keep() -> bool:
        lock = asyncio.Lock()
        kept = KeptGame(demine.Game("9x9/10", seed=1), time.monotonic, lock, ())
        kept.pack_in(60)
        async with lock:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.05)
        return kept.is_packed

    assert not asyncio.run(keep())


def test_all_connections_are_ended_at_the_end(place: DatabasePlace) -> None:
    async def work(_: Database, games: OpenGames, game: OpenGame, __: Clock) -> None:
        tabs = [Tab(), Tab()]
        game.watchers.update(tabs)
        await games.close_connections()
        assert [tab.heard for tab in tabs] == [["closed"], ["closed"]]

    with_game(place, work)
