"""Friends as rows of the server's database: made by a link, listed, parted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import delete, func, or_, select

from demine.store.utc_text import utc_now_text
from demine.web.database.dialects import insert_of
from demine.web.database.schema import FRIEND_LINKS, FRIENDSHIPS, PLAYERS
from demine.web.errors import NotFound, RequestError

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

MOST_FRIENDS: Final = 500
_F: Final = FRIENDSHIPS.c
_L: Final = FRIEND_LINKS.c
_P: Final = PLAYERS.c


class FriendshipRefused(RequestError):
    """Two players who cannot become friends."""

    status = 409
    what = "no_friendship"


class Friend(NamedTuple):
    """A friend of a player."""

    num: int
    """The number of the friendship."""
    player: str
    name: str
    since: str


def save_link(connection: Connection, player: str, token: str) -> None:
    """Make a token the link of a player; the one before leads nowhere from now on."""
    link = insert_of(connection, FRIEND_LINKS).values(player=player, token=token)
    connection.execute(
        link.on_conflict_do_update(index_elements=[_L.player], set_={"token": token})
    )


def delete_link(connection: Connection, player: str) -> None:
    """Have the link of a player lead nowhere."""
    connection.execute(delete(FRIEND_LINKS).where(_L.player == player))


def link_of(connection: Connection, player: str) -> str | None:
    """Return the token of a player's link; None without one."""
    found = select(_L.token).where(_L.player == player)
    return connection.execute(found).scalar_one_or_none()


def owner_of_link(connection: Connection, token: str) -> tuple[str, str]:
    """Return id and name of the player to whom a link belongs; raises `NotFound`."""
    owner = (
        select(_P.id, _P.name)
        .join(FRIEND_LINKS, _L.player == _P.id)
        .where(_L.token == token, _P.banned_at.is_(None))
    )
    found = connection.execute(owner).one_or_none()
    if found is None:
        raise NotFound("this link leads to no player: it was taken back, or mistyped")
    return found.id, found.name


def befriend(connection: Connection, player: str, token: str) -> None:
    """Make a player and the owner of a link friends of each other, if they are not yet.

    Raises `NotFound` for a link that leads nowhere, `FriendshipRefused`.
    """
    owner, _ = owner_of_link(connection, token)
    if owner == player:
        raise FriendshipRefused("this link is your own: send it to somebody else")
    for each in (player, owner):
        check_room(connection, each)
    since = utc_now_text()
    pairs = [
        {"player": a, "friend": b, "since": since} for a, b in ((player, owner), (owner, player))
    ]
    connection.execute(insert_of(connection, FRIENDSHIPS).on_conflict_do_nothing(), pairs)


def check_room(connection: Connection, player: str) -> None:
    """Raise `FriendshipRefused` for a player who has as many friends as there may be."""
    count = select(func.count()).where(_F.player == player)
    if connection.execute(count).scalar_one() >= MOST_FRIENDS:
        raise FriendshipRefused("one of you has {most} friends already", most=MOST_FRIENDS)


def part(connection: Connection, player: str, num: int) -> None:
    """End a friendship of a player, for both; raises `NotFound`."""
    own = select(_F.friend).where(_F.num == num, _F.player == player)
    friend = connection.execute(own).scalar_one_or_none()
    if friend is None:
        raise NotFound("there is no such friend")
    one = (_F.player == player) & (_F.friend == friend)
    other = (_F.player == friend) & (_F.friend == player)
    connection.execute(delete(FRIENDSHIPS).where(or_(one, other)))


def friends_of(connection: Connection, player: str) -> list[Friend]:
    """Return the friends of a player, by their names; without those who are banned."""
    friends = (
        select(_F.num, _P.id, _P.name, _F.since)
        .join(PLAYERS, _P.id == _F.friend)
        .where(_F.player == player, _P.banned_at.is_(None))
        .order_by(_P.name, _F.num)
    )
    return [Friend(*row) for row in connection.execute(friends)]
