"""Which games of players are compared: fresh, unaided, played alone and on this server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import func, or_, select

from demine.web.database.schema import GAMES, JOURNALS, PARTNERS, PLAYERS
from demine.web.errors import NotFound

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.engine import Connection

MOST_GAMES: Final = 100
"""How many of the newest games of one player and level are looked at."""
MOST_GAMES_OF_OTHERS: Final = 5
"""The same of each player they are compared with."""
_G: Final = GAMES.c


class ComparedGame(NamedTuple):
    """A game that is over, and who played it."""

    num: int
    player: str
    name: str
    size: str
    """The size of its rules: "30x16/99"."""


def games_of_subject(connection: Connection, subject: str) -> list[ComparedGame]:
    """Return the games of a player, the oldest first, or the one game of an id.

    Raises `NotFound` if the id is that of neither.
    """
    one = select(_G.player).where(_G.id == subject)
    player = select(PLAYERS.c.id).where(PLAYERS.c.id == subject)
    if connection.execute(one).first() is not None:
        return _found(connection, _games(_G.id == subject))
    if connection.execute(player).first() is None:
        raise NotFound("there is no such player or game")
    return _found(connection, _newest(_G.player == subject, MOST_GAMES))


def games_of_others(connection: Connection, size: str, player: str) -> list[ComparedGame]:
    """Return some games of each other player on boards of a size, the oldest first."""
    is_of_size = or_(_G.rules == size, _G.rules.startswith(f"{size} ", autoescape=True))
    return _found(connection, _newest(is_of_size & (_G.player != player), MOST_GAMES_OF_OTHERS))


def _games(condition: ColumnElement[bool]) -> Select[Any]:
    return (
        select(_G.num, _G.player, PLAYERS.c.name, _G.rules)
        .join(PLAYERS, PLAYERS.c.id == _G.player)
        .where(condition, _G.status.in_(("won", "lost", "resigned")))
        .order_by(_G.finished_at, _G.num)
    )


def _newest(condition: ColumnElement[bool], most: int) -> Select[Any]:
    """Select the newest games of each player on boards of each rules that count."""
    place = func.row_number().over(
        partition_by=(_G.player, _G.rules), order_by=_G.finished_at.desc()
    )
    is_here = _G.num.not_in(select(JOURNALS.c.game))
    is_alone = _G.num.not_in(select(PARTNERS.c.game))
    ranked = select(_G.num, place.label("place")).where(
        condition, is_here, is_alone, _G.result.is_not(None)
    ).subquery()  # fmt: skip
    return _games(_G.num.in_(select(ranked.c.num).where(ranked.c.place <= most)))


def _found(connection: Connection, games: Select[Any]) -> list[ComparedGame]:
    return [
        ComparedGame(num, player, name, rules.partition(" ")[0])
        for num, player, name, rules in connection.execute(games)
    ]
