"""What is computed of a game once it is over: its statistics, and its place in leaderboards."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from demine.store.game_rows import act_count
from demine.web.database.games import computed_statistics, save_statistics
from demine.web.database.leaderboards import enter_win
from demine.web.verification import verified_win

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from demine.game import Game
    from demine.web.database.database import Database


async def save_what_follows(database: Database, game_id: str, game: Game) -> None:
    """Save the statistics of a game that is over, and enter it where it counts, or neither."""
    win = await database.read(partial(verified_win, game_id=game_id))
    if win is not None:
        game = win.game
    statistics = await asyncio.to_thread(computed_statistics, game)
    acts = act_count(game.events)

    def write(connection: Connection) -> None:
        if save_statistics(connection, game_id, acts, statistics) and win is not None:
            enter_win(connection, win.ranked(statistics))

    await database.write(write)
