"""Games that are played on a server of the tests, to enter leaderboards."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

import demine
from demine.logic.event import Lay, Verb
from demine.store.game_rows import new_id
from demine.web import players
from demine.web.database.database import Database
from demine.web.database.games import insert_game
from demine.web.database.leaderboards import Leaderboard, Ranking, everybodys_page
from demine.web.database.place import DatabasePlace
from demine.web.leaderboards import Measure, board_of
from demine.web.open_games import OpenGame, OpenGames
from tests.web.races.race_site import Racer
from tests.web.stored_rows import rows

BOARD = "beginner opening"
FASTEST = Leaderboard(BOARD, "all", Measure.TIME)


class Clock:
    """A time that a test sets, in seconds."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def named_player(database: Database, name: str, *, is_listed: bool = True) -> str:
    """Make a player with a name; return the id."""
    player = (await players.create(database)).id
    await players.change(database, player, {}, name=name, is_listed=is_listed)
    return player


async def begun(
    database: Database, player: str, clock: Clock, seed: int | None = None
) -> tuple[OpenGames, OpenGame]:
    """A game of Beginner whose first cell is open."""
    while True:
        games = OpenGames(database, clock)
        open_game = await games.get(
            await _inserted(database, player, demine.Game("beginner", seed))
        )
        await open_game.play(Verb.OPEN, 4, 4, "client", 1)
        if not open_game.game.status.over:
            return games, open_game


async def _inserted(database: Database, player: str, game: demine.Game) -> str:
    game_id, board = new_id(), board_of(game)
    await database.write(lambda c: insert_game(c, game_id, player, game, board))
    return game_id


async def win(open_game: OpenGame, delay_ms: int = 0) -> None:
    """Open all that is safe; the last act claims to have been played earlier."""
    number = open_game.seq + 1
    while not open_game.game.status.over:
        board = open_game.game.board
        row, col = np.argwhere(~board.mine_map & ~board.open_map)[0].tolist()
        await open_game.play(Verb.OPEN, row, col, "client", number, delay_ms)
        number += 1


async def won(database: Database, player: str, clock: Clock, seconds: float) -> OpenGame:
    """A game of Beginner that was won in so many seconds."""
    _, open_game = await begun(database, player, clock)
    clock.seconds += seconds
    await win(open_game)
    return open_game


async def ranking(
    database: Database, leaderboard: Leaderboard = FASTEST, first: int = 0
) -> list[Ranking]:
    """The first places of a leaderboard."""
    return await database.read(lambda c: everybodys_page(c, leaderboard, first, 100))


async def places(database: Database, leaderboard: Leaderboard = FASTEST) -> list[tuple[int, str]]:
    """Places and names."""
    return [(each.place, each.name) for each in await ranking(database, leaderboard)]


def now() -> datetime:
    return datetime.now(UTC)


def begin(client: Racer, place: DatabasePlace, **chosen: object) -> tuple[str, NDArray[np.bool_]]:
    """Open the first cell of a game that is not won by that; returns its id and its mines."""
    while True:
        game = str(client.ask("POST", "/api/games", **chosen).json()["id"])
        client.play(game)
        if client.act("open", 4, 4)["status"] == "running":
            sql = "SELECT line FROM events, games WHERE num = game AND id = ? ORDER BY seq LIMIT 1"
            ((line,),) = rows(place, sql, game)
            return game, Lay.parse(line).mine_map
