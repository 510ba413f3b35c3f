"""What the server says and keeps of a game that is over."""

from __future__ import annotations

import asyncio

import numpy as np
from sqlalchemy import select

import demine
from demine.logic.event import Verb
from demine.scene.translation import speaking
from demine.store.game_rows import new_id
from demine.web import players
from demine.web.database.database import Database
from demine.web.database.games import insert_game
from demine.web.database.place import DatabasePlace
from demine.web.database.schema import GAMES
from demine.web.open_games import OpenGame, OpenGames
from demine.web.websocket.game_end import end_message
from demine.web.websocket.protocol import Message


class Clock:
    """A time that a test sets, in seconds."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def played(
    database: Database, player: str, clock: Clock, seconds: float, *, wins: bool, seed: int | None
) -> OpenGame:
    """A game of Beginner that took so long."""
    game_id = new_id()
    game = demine.Game("9x9/10", seed)
    await database.write(lambda connection: insert_game(connection, game_id, player, game))
    open_game = await OpenGames(database, clock).get(game_id)
    await open_game.play(Verb.OPEN, 4, 4, "client", 1)
    clock.seconds += seconds
    board = open_game.game.board
    number = 2
    while not open_game.game.status.over:
        wanted = ~board.mine_map & ~board.open_map if wins else board.mine_map
        row, col = np.argwhere(wanted)[0].tolist()
        await open_game.play(Verb.OPEN, row, col, "client", number)
        number += 1
    return open_game


def test_ends_are_told_and_counted(place: DatabasePlace) -> None:
    async def all_ends() -> tuple[list[Message | None], list[tuple[object, ...]]]:
        database, clock = await Database.open(place), Clock()
        player = (await players.create(database)).id
        said, chinese = [], None
        for seconds, wins, seed in (
            (20.5, True, None), (9, False, None), (12.25, True, None), (30, True, None),
            (1, True, 7),
        ):  # fmt: skip
            game = await played(database, player, clock, seconds, wins=wins, seed=seed)
            said.append(await end_message(database, game))
            with speaking("zh"):
                chinese = await end_message(database, game)
        columns = GAMES.c
        figures = select(columns.status, columns.bv, columns.clicks, columns.bv_s, columns.ioe)
        rows = await database.read(
            lambda connection: [
                tuple(row) for row in connection.execute(figures.order_by(columns.num))
            ]
        )
        await database.close()
        return [*said, chinese], rows

    said, rows = asyncio.run(all_ends())
    first, lost, better, slower, seeded, chinese = (each or Message() for each in said)
    assert (first.kind, first.headline) == ("won", "You won in 20.500 s")
    assert first.text.startswith("First win here · 3BV/s ")
    assert (lost.kind, lost.headline) == ("lost", "You hit a mine after 9.000 s")
    assert lost.text.endswith("% open · 2 clicks")
    assert better.text.startswith("New best, 8.250 s faster · 3BV/s ")
    assert slower.text.startswith("2 wins in a row · 3BV/s ")
    assert seeded.text.startswith("chosen seed · 3BV/s ")
    assert chinese.headline == "胜利，用时 1.000 秒"
    assert [row[0] for row in rows] == ["won", "lost", "won", "won", "won"]
    assert all(None not in row for row in rows)
