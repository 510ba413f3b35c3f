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
from demine.scene.translation import speaking, tr
from demine.web import identity, players
from demine.web.api.player import recovered
from demine.web.errors import explain_to_client
from demine.web.limits import address_of
from demine.web.page.notice import notice, way_to_game

if TYPE_CHECKING:
    from starlette.requests import Request

    from demine.web.services import Services

_FORM: Final = '<form method="post"><button class="button accent">{}</button></form>'


def _notice(language: str, text: str, action: str) -> str:
    return notice(language, tr("Play on with this device"), text, action)


async def _recovery_page(request: Request) -> Response:
    language = players.language_of(None, request)
    with speaking(language):
        text = tr(
            "This browser becomes the player to whom the link belongs. A player whom it had "
            "before is reached only by a link of their own."
        )
        return HTMLResponse(_notice(language, text, _FORM.format(escape(tr("Play on here")))))


async def _recover_by_form(request: Request) -> Response:
    services: Services = request.app.state.services
    language = players.language_of(None, request)
    with speaking(language):
        try:
            services.limits.work.take(address_of(request))
            player = await recovered(services, request.path_params["token"])
        except DemineError as error:
            said = _notice(language, explain_to_client(error), way_to_game())
            return HTMLResponse(said, status_code=404)
    response = RedirectResponse("/", status_code=303)
    identity.set_cookie(response, request, player.id, services.key)
    return response


ROUTES: Final = (
    Route("/recover/{token:str}", _recovery_page, methods=["GET"]),
    Route("/recover/{token:str}", _recover_by_form, methods=["POST"]),
)
