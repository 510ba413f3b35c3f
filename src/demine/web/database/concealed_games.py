"""Which games are to show nobody their mines, though they may be over for their own player.

Others still play the same board: in a race that goes on, or as the ranked board of a day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.web.database.races import RACED_GAMES
from demine.web.database.ranked_boards import ranked_games_since
from demine.web.database.schema import GAMES

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy import ColumnElement
    from sqlalchemy.engine import Connection


def is_open_to_all(today: date) -> ColumnElement[bool]:
    """Return the condition on a row of `GAMES` that nobody else still plays its board."""
    num = GAMES.c.num
    return num.not_in(RACED_GAMES) & num.not_in(ranked_games_since(today))


def conceals(connection: Connection, game: int, today: date) -> bool:
    """Whether others still play the board of the game in a row."""
    found = GAMES.select().where(GAMES.c.num == game, is_open_to_all(today))
    return connection.execute(found).first() is None
