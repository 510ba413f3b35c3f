"""The overlays of players in the database: one of each player, found by its secret address."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, insert, select, update

from demine.web.database.schema import OVERLAYS
from demine.web.identity import recovery_hash

if TYPE_CHECKING:
    from sqlalchemy import Connection


class StoredOverlay(NamedTuple):
    """Whose games an overlay shows, and whether the player lets it show risks."""

    player: str
    shows_risks: bool
    game: str | None = None
    """The game that is played now, where several processes serve."""


def save_overlay(connection: Connection, player: str, secret: str, *, shows_risks: bool) -> None:
    """Give a player an overlay; the one before has no address from now on."""
    delete_overlay(connection, player)
    values = {"player": player, "secret": recovery_hash(secret), "shows_risks": int(shows_risks)}
    connection.execute(insert(OVERLAYS).values(values))


def find_overlay(connection: Connection, secret: str) -> StoredOverlay | None:
    """Return the overlay at a secret address."""
    columns = select(OVERLAYS.c.player, OVERLAYS.c.shows_risks, OVERLAYS.c.game)
    row = connection.execute(
        columns.where(OVERLAYS.c.secret == recovery_hash(secret))
    ).one_or_none()
    return None if row is None else StoredOverlay(row.player, bool(row.shows_risks), row.game)


def note_game(connection: Connection, player: str, game: str) -> bool:
    """Note which game a player plays now; return whether there is an overlay to show it."""
    same = OVERLAYS.c.player == player
    return connection.execute(update(OVERLAYS).where(same).values(game=game)).rowcount > 0


def overlay_of_player(connection: Connection, player: str) -> StoredOverlay | None:
    """Return the overlay of a player, if they have one."""
    shows = select(OVERLAYS.c.shows_risks).where(OVERLAYS.c.player == player)
    row = connection.execute(shows).one_or_none()
    return None if row is None else StoredOverlay(player, bool(row.shows_risks))


def delete_overlay(connection: Connection, player: str) -> None:
    """Take the overlay of a player away, if they have one."""
    connection.execute(delete(OVERLAYS).where(OVERLAYS.c.player == player))
