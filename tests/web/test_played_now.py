"""Which game a player plays now, and who looks on."""

from __future__ import annotations

import asyncio
from pathlib import Path

from demine.game import Game
from demine.logic.rules import BEGINNER
from demine.web import players
from demine.web.database.database import Database
from demine.web.database.games import insert_game
from demine.web.open_games import OpenGames


def test_whoever_looks_on_keeps_no_game_in_memory_and_hears_that_it_is_gone(tmp_path: Path) -> None:
    async def look_on() -> None:
        database, now = await Database.open(tmp_path / "server.sqlite"), [0.0]
        games = OpenGames(database, lambda: now[0])
        player = (await players.create(database)).id
        game = Game(BEGINNER, 7)
        await database.write(lambda connection: insert_game(connection, "0" * 36, player, game))
        opened = await games.get("0" * 36)
        with games.played_now.look_on(player) as onlooker:
            games.played_now.note(player, opened)
            opened.onlookers.add(onlooker.changed)
            assert games.played_now.game_of(player) is opened
            onlooker.changed.clear()
            now[0] = 61.0
            await games.forget_idle()
            assert len(games) == 0
            assert onlooker.changed.is_set()
            assert games.played_now.game_of(player) is None
        await database.close()

    asyncio.run(look_on())
