"""The player's own page: name, language, preferences, another device, deleting everything."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from demine.logic.errors import DemineError
from demine.scene.preferences import DECLARATIONS, Preferences
from demine.scene.translation import Catalogue, explain, speaking, tr
from demine.web import identity, players
from demine.web.door import Door, Nothing, Visit
from demine.web.errors import NotFound
from demine.web.limits import address_of
from demine.web.refusals import Malformed

if TYPE_CHECKING:
    from starlette.requests import Request

    from demine.web.players import Player
    from demine.web.site import Site


class Me(msgspec.Struct, frozen=True):
    """The player; `id` is null as long as nobody has played with this browser."""

    id: str | None
    name: str
    language: str
    """Empty as long as none is chosen: each browser has its own then."""
    preferences: dict[str, Any]
    """All preferences with their values, as in docs/store.md."""
    games: int


class Changes(msgspec.Struct, frozen=True):
    """What a player changes; what is left out stays as it is."""

    name: str | None = None
    language: str | None = None
    preferences: dict[str, Any] | None = None


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
    return await _me(visit.site, player)


async def change(visit: Visit[Changes]) -> Me:
    """Change name, language or preferences."""
    player, asked = visit.player, visit.asked
    if asked.name is not None:
        player = msgspec.structs.replace(player, name=identity.clean_name(asked.name))
    if asked.language is not None:
        player = msgspec.structs.replace(player, language=_known_language(asked.language))
        visit.language = player.language or visit.language
    if asked.preferences is not None:
        kept = {**json.loads(player.preferences), **_valid_preferences(asked.preferences)}
        player = msgspec.structs.replace(player, preferences=json.dumps(kept))
    await players.save(visit.site.database, player)
    return await _me(visit.site, player)


async def delete(visit: Visit[Nothing]) -> Nothing:
    """Delete the player with everything that is kept of them, and forget the cookie."""
    await players.erase(visit.site.database, visit.player.id)
    visit.site.open_games.forget_player(visit.player.id)
    visit.sends_cookie = ""
    return Nothing()


async def make_recovery_link(visit: Visit[Nothing]) -> RecoveryLink:
    """Make a recovery link; the one before leads nowhere from now on."""
    token = identity.new_recovery_token()
    await players.save_token(visit.site.database, visit.player.id, token)
    base = visit.request.base_url
    return RecoveryLink(f"{base.scheme}://{base.netloc}/recover/{token}")


async def recover(visit: Visit[RecoveryToken]) -> Me:
    """Become the player to whom a recovery link leads."""
    player = await _recovered(visit.site, visit.asked.token)
    visit.sends_cookie = player.id
    return await _me(visit.site, player)


async def _recovered(site: Site, token: str) -> Player:
    player = await players.find_by_token(site.database, token)
    if player is None:
        raise NotFound("this link leads to no player: it was replaced by another, or mistyped")
    return player


async def _me(site: Site, player: Player) -> Me:
    chosen = preferences_of(player)
    games = await players.count_games(site.database, player.id)
    return Me(player.id, player.name, player.language, chosen.as_settings(), games)


def preferences_of(player: Player) -> Preferences:
    """Return what a player has chosen, and the defaults of everything else."""
    return Preferences.from_settings(json.loads(player.preferences))


def _known_language(code: str) -> str:
    """Return the code of a language, empty for that of the browser; raises `LanguageError`."""
    return Catalogue(code[:40]).code if code else ""


def _valid_preferences(wanted: dict[str, Any]) -> dict[str, Any]:
    for name, value in wanted.items():
        declaration = DECLARATIONS.get(name)
        if declaration is None or not declaration.is_valid(value):
            raise Malformed("{name} cannot be set to this value", name=name[:80])
    return wanted


# The page of a recovery link, which works without a script. Following the link changes nothing yet:
# programs that look at links before people do must not use it.

_PAGE: Final = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/api/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/themes.css"><link rel="stylesheet" href="/static/page.css"></head>
<body><main class="notice"><h1>{title}</h1><p>{text}</p>
{action}</main></body></html>
"""
_FORM: Final = '<form method="post"><button class="button accent">{}</button></form>'
_WAY_OUT: Final = '<a class="button" href="/">{}</a>'


def _notice(language: str, text: str, action: str) -> str:
    return _PAGE.format(
        language=escape(language.replace("_", "-")),
        title=escape(tr("Play on with this device")),
        text=escape(text[:1].upper() + text[1:]),
        action=action,
    )


async def _recovery_page(request: Request) -> Response:
    language = players.language_asked_for(request.headers.get("accept-language", ""))
    with speaking(language):
        text = tr(
            "This browser becomes the player to whom the link belongs. A player whom it had "
            "before is reached only by a link of their own."
        )
        return HTMLResponse(_notice(language, text, _FORM.format(escape(tr("Play on here")))))


async def _recover_by_form(request: Request) -> Response:
    site: Site = request.app.state.site
    language = players.language_asked_for(request.headers.get("accept-language", ""))
    with speaking(language):
        try:
            site.limits.work.take(address_of(request))
            player = await _recovered(site, request.path_params["token"])
        except DemineError as error:
            way_out = _WAY_OUT.format(escape(tr("To the game")))
            return HTMLResponse(_notice(language, explain(error), way_out), status_code=404)
    response = RedirectResponse("/", status_code=303)
    identity.set_cookie(response, request, player.id, site.key)
    return response


PAGES: Final = (
    Route("/recover/{token:str}", _recovery_page, methods=["GET"]),
    Route("/recover/{token:str}", _recover_by_form, methods=["POST"]),
)

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
