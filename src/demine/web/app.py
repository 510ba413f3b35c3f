"""The application: its routes, and what they share."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import FileResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from demine.web import games_api, me, openapi, page_routes, transfer, view_doors
from demine.web.database.database import Database
from demine.web.door import route
from demine.web.game_socket import play_game
from demine.web.security import SecurityMiddleware
from demine.web.site import Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from starlette.requests import Request
    from starlette.responses import Response

    from demine.web.door import AnyDoor
    from demine.web.open_games import OpenGames

STATIC: Final = Path(__file__).parent / "static"
DOORS: Final[tuple[AnyDoor, ...]] = (
    *games_api.DOORS,
    *me.DOORS,
    *transfer.DOORS,
    *view_doors.DOORS,
)
"""Every request of the HTTP part that is about players and games."""
_SWEEP_S: Final = 15.0
"""How often games are looked for that nobody looks at."""
_PAGES: Final = ("/", "/g/{id}", "/w/{id}", "/r/{id}", "/history")


def make_app(database: Path, host_names: Collection[str] = ()) -> Starlette:
    """Return the application on the database file at `database`, which is opened when it starts.

    `host_names` are the names of this server besides `localhost` and numbers.
    """
    return Starlette(
        routes=[
            *[route(door) for door in DOORS],
            openapi.route_of(DOORS),
            *page_routes.ROUTES,
            *me.PAGES,
            WebSocketRoute("/ws/games/{game_id}", play_game),
            *(Route(path, _show_page) for path in _PAGES),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(SecurityMiddleware, host_names=host_names)],
        lifespan=partial(_lifespan, path=database),
    )


@asynccontextmanager
async def _lifespan(app: Starlette, path: Path) -> AsyncIterator[None]:
    """Open what the routes share, and close it at the end."""
    database = await Database.open(path)
    site = app.state.site = await Site.of(database)
    sweeping = asyncio.create_task(_sweep(site.open_games))
    try:
        yield
    finally:
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        await site.close()
        await database.close()


async def _sweep(games: OpenGames) -> None:
    while True:
        await asyncio.sleep(_SWEEP_S)
        await games.forget_idle()


async def _show_page(_request: Request) -> Response:
    return FileResponse(STATIC / "index.html")
