"""The overlay of a player: a secret address that shows their games to others."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from demine.web import identity
from demine.web.api.door import Door, Nothing, Visit
from demine.web.cluster.news import OverlayEnded
from demine.web.database.overlays import delete_overlay, overlay_of_player, save_overlay
from demine.web.link_preview import site_of


class OverlayState(Struct):
    """Whether the player has an overlay, and whether it may show risks."""

    exists: bool
    shows_risks: bool


class NewOverlay(Struct, forbid_unknown_fields=True):
    """What is wanted of an overlay; a game whose risks it shows is practice."""

    shows_risks: bool = False


class OverlayLink(Struct):
    """The address of an overlay, which is told this once."""

    link: str


async def show_overlay(visit: Visit[Nothing]) -> OverlayState:
    """Say whether there is an overlay."""
    player = visit.player_id
    found = await visit.services.database.read(
        lambda connection: overlay_of_player(connection, player)
    )
    return OverlayState(found is not None, found is not None and found.shows_risks)


async def make_overlay(visit: Visit[NewOverlay]) -> OverlayLink:
    """Make an overlay; the one before shows nothing from now on."""
    player, secret = visit.player.id, identity.new_recovery_token()
    risks = visit.asked.shows_risks
    await visit.services.database.write(
        lambda connection: save_overlay(connection, player, secret, shows_risks=risks)
    )
    await visit.services.tell(OverlayEnded(player))
    query = "?risk=1" if risks else ""
    return OverlayLink(f"{site_of(visit.request)}/overlay/{secret}{query}")


async def end_overlay(visit: Visit[Nothing]) -> Nothing:
    """End the overlay."""
    player = visit.player.id
    await visit.services.database.write(lambda connection: delete_overlay(connection, player))
    await visit.services.tell(OverlayEnded(player))
    return Nothing()


DOORS: Final = (
    Door(method="GET", path="/api/me/overlay", summary="Whether I have an overlay",
         handler=show_overlay, asks=Nothing, answers=OverlayState),
    Door(method="POST", path="/api/me/overlay", summary="Make an overlay, in place of the last one",
         handler=make_overlay, asks=NewOverlay, answers=OverlayLink, player="made"),
    Door(method="DELETE", path="/api/me/overlay", summary="End the overlay",
         handler=end_overlay, asks=Nothing, answers=Nothing, player="known"),
)  # fmt: skip
