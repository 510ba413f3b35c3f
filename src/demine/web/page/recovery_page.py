"""The page of a recovery link, which works without a script.

Following the link changes nothing yet: programs that look at links before people do must not use
it.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from demine.logic.errors import DemineError
from demine.scene.translation import explain, speaking, tr
from demine.web import identity, players
from demine.web.api.player import recovered
from demine.web.limits import address_of
from demine.web.page import files

if TYPE_CHECKING:
    from starlette.requests import Request

    from demine.web.services import Services

_PAGE: Final = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/api/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{themes}"><link rel="stylesheet" href="{style}"></head>
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
        themes=files.address("themes.css"),
        style=files.address("page.css"),
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
    services: Services = request.app.state.services
    language = players.language_asked_for(request.headers.get("accept-language", ""))
    with speaking(language):
        try:
            services.limits.work.take(address_of(request))
            player = await recovered(services, request.path_params["token"])
        except DemineError as error:
            way_out = _WAY_OUT.format(escape(tr("To the game")))
            return HTMLResponse(_notice(language, explain(error), way_out), status_code=404)
    response = RedirectResponse("/", status_code=303)
    identity.set_cookie(response, request, player.id, services.key)
    return response


ROUTES: Final = (
    Route("/recover/{token:str}", _recovery_page, methods=["GET"]),
    Route("/recover/{token:str}", _recover_by_form, methods=["POST"]),
)
