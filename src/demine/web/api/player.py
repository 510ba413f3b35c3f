"""The player: name, language, preferences, another device, deleting everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from demine.scene.preferences import DECLARATIONS, Preferences
from demine.scene.translation import Catalogue
from demine.web import identity, players
from demine.web.api.door import Door, Nothing, Visit
from demine.web.cluster.news import PlayerErased, PlayerRenamed
from demine.web.errors import Malformed, NotFound
from demine.web.link_preview import site_of

if TYPE_CHECKING:
    from demine.web.players import Player
    from demine.web.services import Services


class Me(msgspec.Struct, frozen=True):
    """The player; `id` is null as long as nobody has played with this browser."""

    id: str | None
    name: str
    language: str
    """Empty as long as none is chosen: each browser has its own then."""
    preferences: dict[str, Any]
    """All preferences with their values, as in docs/store.md."""
    games: int
    is_listed: bool = False
    """Whether the player appears in everybody's leaderboards, once there is a name."""


class Changes(msgspec.Struct, frozen=True):
    """What a player changes; what is left out stays as it is."""

    name: str | None = None
    language: str | None = None
    preferences: dict[str, Any] | None = None
    is_listed: bool | None = None


class RecoveryLink(msgspec.Struct, frozen=True):
    """A link that leads another device to the same player, until another one is made."""

    link: str


class RecoveryToken(msgspec.Struct, frozen=True):
    """The last part of a recovery link."""

    token: str


async def show(visit: Visit[Nothing]) -> Me:
    """Tell who the player is."""
    player = visit.known_player
    if player is None:
        return Me(None, "", "", Preferences().as_settings(), 0)
    return await _me(visit.services, player)


async def change(visit: Visit[Changes]) -> Me:
    """Change name, language or preferences."""
    asked, columns = visit.asked, dict[str, str | bool]()
    if asked.name is not None:
        columns["name"] = identity.clean_name(asked.name)
    if asked.language is not None:
        columns["language"] = _known_language(asked.language)
    if asked.is_listed is not None:
        columns["is_listed"] = asked.is_listed
    chosen = _valid_preferences(asked.preferences or {})
    player = await players.change(visit.services.database, visit.player.id, chosen, **columns)
    visit.language = player.language or visit.language
    if asked.name is not None:
        await visit.services.tell(PlayerRenamed(player.id, player.name))
    return await _me(visit.services, player)


async def delete(visit: Visit[Nothing]) -> Nothing:
    """Delete the player with everything that is kept of them, and forget the cookie."""
    await players.erase(visit.services.database, visit.player.id)
    await visit.services.tell(PlayerErased(visit.player.id))
    visit.sends_cookie = ""
    return Nothing()


async def make_recovery_link(visit: Visit[Nothing]) -> RecoveryLink:
    """Make a recovery link; the one before leads nowhere from now on."""
    token = identity.new_recovery_token()
    await players.save_token(visit.services.database, visit.player.id, token)
    return RecoveryLink(f"{site_of(visit.request)}/recover/{token}")


async def recover(visit: Visit[RecoveryToken]) -> Me:
    """Become the player to whom a recovery link leads."""
    player = await recovered(visit.services, visit.asked.token)
    visit.sends_cookie = player.id
    return await _me(visit.services, player)


async def recovered(services: Services, token: str) -> Player:
    """Return the player to whom a recovery link leads; raises `NotFound`."""
    player = await players.find_by_token(services.database, token)
    if player is None:
        raise NotFound("this link leads to no player: it was replaced by another, or mistyped")
    return player


async def _me(services: Services, player: Player) -> Me:
    chosen = players.preferences_of(player)
    games = await players.count_games(services.database, player.id)
    known = player.id, player.name, player.language, chosen.as_settings()
    return Me(*known, games, player.is_listed)


def _known_language(code: str) -> str:
    """Return the code of a language, empty for that of the browser; raises `LanguageError`."""
    return Catalogue(code[:40]).code if code else ""


def _valid_preferences(wanted: dict[str, Any]) -> dict[str, Any]:
    for name, value in wanted.items():
        declaration = DECLARATIONS.get(name)
        if declaration is None or not declaration.is_valid(value):
            raise Malformed("{name} cannot be set to this value", name=name[:80])
    return wanted


DOORS: Final = (
    Door(method="GET", path="/api/me", summary="Who the player is",
         handler=show, asks=Nothing, answers=Me),
    Door(method="PUT", path="/api/me", summary="Change name, language or preferences",
         handler=change, asks=Changes, answers=Me, player="made"),
    Door(method="DELETE", path="/api/me", summary="Delete the player with all games and files",
         handler=delete, asks=Nothing, answers=Nothing, player="known"),
    Door(method="POST", path="/api/me/recovery", summary="Make a link for another device",
         handler=make_recovery_link, asks=Nothing, answers=RecoveryLink, player="made"),
    Door(method="POST", path="/api/recover", summary="Become the player of a recovery link",
         handler=recover, asks=RecoveryToken, answers=Me, work=1),
)  # fmt: skip
