"""Who plays a game together with whom: rows of the server's database."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import exists, insert, or_, select, update

from demine.logic.event import Act, parse_event
from demine.web.database.schema import GAMES, PARTNERS, PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import ColumnElement
    from sqlalchemy.engine import Connection

_P = PARTNERS.c


@dataclass(frozen=True, slots=True)
class Partner:
    """One player of a game of several; `name` may be empty."""

    seat: int
    player: str
    name: str = ""


def insert_partner(connection: Connection, game: int, partner: Partner) -> None:
    """Give a player a seat in the game of a row."""
    values = {"game": game, "seat": partner.seat, "player": partner.player}
    connection.execute(insert(PARTNERS), values)


def load_partners(connection: Connection, game: int) -> tuple[Partner, ...]:
    """Return who plays the game of a row, by their seats; nobody if it is a game of one player."""
    found = (
        select(_P.seat, _P.player, PLAYERS.c.name)
        .join(PLAYERS, PLAYERS.c.id == _P.player)
        .where(_P.game == game)
        .order_by(_P.seat)
    )
    return tuple(Partner(*row) for row in connection.execute(found))


def is_together() -> ColumnElement[bool]:
    """Return whether a row of `GAMES` is a game of several players."""
    return exists().where(_P.game == GAMES.c.num)


def is_played_by(player: str) -> ColumnElement[bool]:
    """Return whether a row of `GAMES` is a game of a player, alone or together with others."""
    shared = select(_P.game).where(_P.player == player)
    return or_(GAMES.c.player == player, GAMES.c.num.in_(shared))


def hand_over_games(connection: Connection, player: str) -> None:
    """Give the games that a player made and others play too to one of those, so that they stay."""
    heirs = select(_P.player).where(_P.game == GAMES.c.num, _P.player != player)
    heir = heirs.order_by(_P.seat).limit(1).scalar_subquery()
    made = GAMES.c.player == player, heirs.exists()
    connection.execute(update(GAMES).where(*made).values(player=heir))


def names_of_seats(partners: Iterable[Partner]) -> dict[int, str]:
    """Return a name for each seat, no two alike; `P2` for a second seat without a name."""
    partners = tuple(partners)
    count = Counter(each.name for each in partners)
    return {each.seat: _unlike_others(each, is_alone=count[each.name] == 1) for each in partners}


def _unlike_others(partner: Partner, *, is_alone: bool) -> str:
    if not partner.name:
        return name_of_seat(partner.seat)
    return partner.name if is_alone else f"{partner.name} ({partner.seat})"


def name_of_seat(seat: int) -> str:
    """Return what a seat is called whose player has no name, or was deleted."""
    return f"P{seat}"


def with_names(line: str, names: Mapping[int, str]) -> str:
    """Return a line of a journal with the name of its player in place of the seat."""
    event = parse_event(line)
    if not isinstance(event, Act) or not event.player:
        return line
    seat = int(event.player)
    return str(replace(event, player=names.get(seat, name_of_seat(seat))))
