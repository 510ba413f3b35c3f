"""What is said where nothing is: at a wrong address, or at that of a game that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.responses import HTMLResponse, PlainTextResponse, Response

from demine.scene.translation import speaking, tr
from demine.web import identity, players
from demine.web.database import races
from demine.web.database.games import is_own_game, is_shared_game
from demine.web.page.notice import notice, way_to_game

if TYPE_CHECKING:
    from starlette.requests import Request

    from demine.web.services import Services

_FOR_PROGRAMS: Final = ("/api/", "/static/")


async def show_missing_page(request: Request, _error: Exception) -> Response:
    """Answer that nothing is at an address, with a way to the game for those who read it."""
    if request.url.path.startswith(_FOR_PROGRAMS):
        return PlainTextResponse("Not Found", 404)
    language = await _language(request)
    with speaking(language):
        said = notice(
            language,
            tr("There is nothing here"),
            tr("The address is wrong, or the game is not yours or was deleted."),
            way_to_game(),
        )
    return HTMLResponse(said, 404)


async def is_known_game(request: Request) -> bool:
    """Whether the game of a page's address exists, and is the player's own where it is played."""
    services: Services = request.app.state.services
    game = request.path_params["id"]
    if not request.url.path.startswith("/g/"):
        return await services.finished_games.is_known(game)
    player = identity.player_of(request, services.key) or ""
    return await services.database.read(lambda connection: is_own_game(connection, game, player))


async def is_known_coop(request: Request) -> bool:
    """Whether there is a co-op game at a page's address."""
    services: Services = request.app.state.services
    game = request.path_params["id"]
    return await services.database.read(lambda connection: is_shared_game(connection, game))


async def is_known_race(request: Request) -> bool:
    """Whether there is a race at a page's address."""
    services: Services = request.app.state.services
    race = request.path_params["id"]
    return await services.database.read(lambda connection: races.is_known_race(connection, race))


async def _language(request: Request) -> str:
    """Return the language that a player chose, else the browser's."""
    services: Services = request.app.state.services
    claimed = identity.player_of(request, services.key)
    player = None if claimed is None else await players.find(services.database, claimed)
    return players.language_of(player, request)
