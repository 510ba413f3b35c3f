"""Friends over HTTP: a link that makes two players friends, and who they are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct

from demine.web import identity
from demine.web.api.door import Door, Nothing, Visit
from demine.web.database import friends
from demine.web.link_preview import site_of

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection


class FriendOnWire(Struct, frozen=True):
    """A friend; `num` names the friendship."""

    num: int
    name: str
    """Empty if the friend has none."""
    since: str


class Friends(Struct, frozen=True):
    """The friends of a player, and the link by which others become one; null without a link."""

    friends: list[FriendOnWire]
    link: str | None


class FriendToken(Struct, frozen=True):
    """The last part of a friend's link."""

    token: Annotated[str, Meta(max_length=64)]


class Inviter(Struct, frozen=True):
    """Whose link it is."""

    name: str
    yours: bool


async def show_friends(visit: Visit[Nothing]) -> Friends:
    """Tell who the player's friends are."""
    return await visit.services.database.read(partial(_friends, visit))


async def make_link(visit: Visit[Nothing]) -> Friends:
    """Make a link; the one before leads nowhere from now on, and friends stay."""
    token = identity.new_recovery_token()

    def write(connection: Connection) -> Friends:
        friends.save_link(connection, visit.player.id, token)
        return _friends(visit, connection)

    return await visit.services.database.write(write)


async def delete_link(visit: Visit[Nothing]) -> Friends:
    """Have the link lead nowhere."""

    def write(connection: Connection) -> Friends:
        friends.delete_link(connection, visit.player.id)
        return _friends(visit, connection)

    return await visit.services.database.write(write)


async def show_inviter(visit: Visit[Nothing]) -> Inviter:
    """Say whose link it is; nobody becomes a friend by that."""
    token = visit.path("token")
    owner, name = await visit.services.database.read(
        lambda connection: friends.owner_of_link(connection, token)
    )
    return Inviter(name, owner == visit.player_id)


async def befriend(visit: Visit[FriendToken]) -> Friends:
    """Become a friend of the player whose link it is."""

    def write(connection: Connection) -> Friends:
        friends.befriend(connection, visit.player.id, visit.asked.token)
        return _friends(visit, connection)

    return await visit.services.database.write(write)


async def part(visit: Visit[Nothing]) -> Friends:
    """End a friendship, for both."""
    text = visit.path("num")
    num = int(text) if text.isdecimal() and len(text) < 19 else 0

    def write(connection: Connection) -> Friends:
        friends.part(connection, visit.player.id, num)
        return _friends(visit, connection)

    return await visit.services.database.write(write)


def _friends(visit: Visit[Any], connection: Connection) -> Friends:
    player = visit.player_id
    token = friends.link_of(connection, player)
    return Friends(
        [FriendOnWire(f.num, f.name, f.since) for f in friends.friends_of(connection, player)],
        None if token is None else f"{site_of(visit.request)}/friend/{token}",
    )


DOORS: Final = (
    Door(method="GET", path="/api/friends", summary="Who my friends are, and my link",
         handler=show_friends, asks=Nothing, answers=Friends),
    Door(method="POST", path="/api/friends", summary="Become a friend by a link",
         handler=befriend, asks=FriendToken, answers=Friends, player="made"),
    Door(method="POST", path="/api/friends/link", summary="Make a link for friends",
         handler=make_link, asks=Nothing, answers=Friends, player="made"),
    Door(method="DELETE", path="/api/friends/link", summary="Have my link lead nowhere",
         handler=delete_link, asks=Nothing, answers=Friends, player="known"),
    Door(method="GET", path="/api/friends/links/{token}", summary="Whose link it is",
         handler=show_inviter, asks=Nothing, answers=Inviter),
    # The last one: its path fits that of the link as well.
    Door(method="DELETE", path="/api/friends/{num}", summary="End a friendship",
         handler=part, asks=Nothing, answers=Friends, player="known"),
)  # fmt: skip
