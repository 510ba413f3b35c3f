"""Whose home a game lives in (`demine.web.homes`), as the database knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import exists, select

from demine.web.database.schema import GAMES, PARTNERS, RACERS, RACES

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


class Subject(NamedTuple):
    """The subject with which a game lives."""

    id: str
    is_racing: bool = False
    """Whether it belongs to a race that is not over, which watches over it."""


def subject_of_game(connection: Connection, game_id: str) -> Subject | None:
    """Return the subject of a game: its race, itself if several play it, else its player.

    None if there is no such game.
    """
    is_shared = exists().where(PARTNERS.c.game == GAMES.c.num)
    found = (
        select(GAMES.c.player, RACES.c.id, RACES.c.over_at, is_shared.label("is_shared"))
        .outerjoin(RACERS, RACERS.c.game == GAMES.c.num)
        .outerjoin(RACES, RACES.c.num == RACERS.c.race)
        .where(GAMES.c.id == game_id)
    )
    row = connection.execute(found).first()
    if row is None:
        return None
    if row.id is not None:
        return Subject(row.id, row.over_at is None)
    return Subject(game_id if row.is_shared else row.player)
