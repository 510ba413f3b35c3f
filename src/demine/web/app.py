"""The application: its routes, and what they share."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute

from demine.store.daily import today_utc
from demine.web import players
from demine.web.api import (
    analysis,
    coop,
    export_import,
    forms,
    friends,
    games,
    history,
    leaderboards,
    link_previews,
    openapi,
    overlays,
    player,
    races,
    ranked,
    replays,
    train,
)
from demine.web.api.door import route
from demine.web.backfill import fill_in_what_is_missing
from demine.web.cluster.peers import PeerMiddleware
from demine.web.database.database import Database
from demine.web.database.place import PostgresPlace
from demine.web.errors import DatabaseError
from demine.web.garbage import collect_if_many
from demine.web.handover import Handover
from demine.web.monitoring import routes as monitoring_routes
from demine.web.monitoring.measuring import MeasuringMiddleware
from demine.web.monitoring.server_state import ServerState
from demine.web.page import recovery_page, setup
from demine.web.page import routes as page_routes
from demine.web.page.missing_page import show_missing_page
from demine.web.ranked import boards as ranked_boards
from demine.web.security import SecurityMiddleware
from demine.web.services import Services
from demine.web.text_socket import TextSocket
from demine.web.websocket.game_connection import play_game
from demine.web.websocket.overlay_connection import show_overlay
from demine.web.websocket.race_connection import show_race

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection
    from datetime import date

    from starlette.types import ASGIApp, Receive, Scope, Send
    from starlette.websockets import WebSocket

    from demine.web.api.door import AnyDoor
    from demine.web.connections import OpenConnections
    from demine.web.database.place import DatabasePlace

_LOG: Final = logging.getLogger("demine.web")
DOORS: Final[tuple[AnyDoor, ...]] = (
    *games.DOORS,
    *races.DOORS,
    *leaderboards.DOORS,
    *friends.DOORS,
    *ranked.DOORS,
    *coop.DOORS,
    *analysis.DOORS,
    *player.DOORS,
    *overlays.DOORS,
    *export_import.DOORS,
    *forms.DOORS,
    *replays.DOORS,
    *link_previews.DOORS,
    *history.DOORS,
    *setup.DOORS,
    *train.DOORS,
)
"""Every request of the HTTP part that is about players and games."""
_SWEEP_S: Final = 15.0
"""How often games are looked for that nobody looks at, and what was decided about players."""
_CLOCK_BEHIND_MS: Final = 5_000
"""How far the time of a game on the disk may be behind; every act brings it up to date."""
_RANKED_S: Final = 1.0
"""How often a new day is looked for, and what is due of its ranked boards is done."""


def make_app(
    database: DatabasePlace,
    host_names: Collection[str] = (),
    today: Callable[[], date] = today_utc,
    peer_address: str = "",
) -> Starlette:
    """Return the application on the database at a place, which is opened when it starts.

    `host_names` are the names of this server besides `localhost` and numbers; `today` returns the
    day in UTC. With a `peer_address` this is one of several processes on a database of PostgreSQL,
    and the others reach it there; without one it is the only one.
    """
    return Starlette(
        routes=[
            *[route(door) for door in DOORS],
            openapi.route_of(DOORS),
            *page_routes.ROUTES,
            *recovery_page.ROUTES,
            *monitoring_routes.ROUTES,
            WebSocketRoute("/ws/games/{game_id}", _SocketDoor(play_game)),
            WebSocketRoute("/ws/races/{race_id}", _SocketDoor(show_race)),
            WebSocketRoute("/ws/overlays/{secret}", _SocketDoor(show_overlay)),
        ],
        middleware=[
            Middleware(PeerMiddleware),
            Middleware(MeasuringMiddleware),
            Middleware(SecurityMiddleware, host_names=host_names),
            Middleware(_SocketsPastErrorPages),
        ],
        exception_handlers={404: show_missing_page},
        lifespan=partial(_lifespan, place=database, today=today, peer_address=peer_address),
    )


class _SocketDoor:
    """Serves a WebSocket by a function, in as few calls as can be: they last as long as it does."""

    def __init__(self, serve: Callable[[WebSocket], Awaitable[None]]) -> None:
        self._serve = serve

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer as ASGI asks."""
        return self._serve(TextSocket(scope, receive, send))


class _SocketsPastErrorPages:
    """Takes WebSockets past what makes error pages for requests, for the same reason."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer as ASGI asks."""
        answer = scope["app"].router if scope["type"] == "websocket" else self._app
        answered: Awaitable[None] = answer(scope, receive, send)
        return answered


@asynccontextmanager
async def _lifespan(
    app: Starlette, place: DatabasePlace, today: Callable[[], date], peer_address: str
) -> AsyncIterator[dict[str, OpenConnections]]:
    """Open what the routes and the connections share, and close it at the end."""
    database = await Database.open(place, is_shared=bool(peer_address))
    services = app.state.services = await Services.of(database, today)
    services.metrics.registry.register(ServerState(services))
    if peer_address and isinstance(place, PostgresPlace):
        await _join(services, place, peer_address)
    else:
        await services.races.load_those_under_way()
    tasks = [
        asyncio.create_task(services.races.look_after_all()),
        asyncio.create_task(_repeat(partial(_sweep, services), _SWEEP_S)),
        asyncio.create_task(_repeat(services.ranked.look_after_boards, _RANKED_S)),
        asyncio.create_task(services.metrics.watch_event_loop()),
    ]
    if services.homes.is_here(ranked_boards.HOME):
        tasks.append(asyncio.create_task(fill_in_what_is_missing(database, today)))
    try:
        yield services.connections.as_state()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(DatabaseError):  # what was saved last holds
            await services.leave()
        await services.close()
        await database.close()


async def _join(services: Services, place: PostgresPlace, address: str) -> None:
    """Take part in the server on a database; raises `DatabaseError`."""
    from demine.web.cluster.membership import Membership

    services.connections.peer_port = urlsplit(address).port
    handover = Handover(services)
    services.membership = Membership(place.url, address, handover.take_over, handover.hear)
    await services.membership.join()


async def _sweep(services: Services) -> None:
    games = services.open_games
    await games.forget_idle()
    await games.save_clocks(_CLOCK_BEHIND_MS)
    services.training.forget_idle()
    collect_if_many(len(games))
    banned = await players.find_banned(services.database)
    games.close_games_of(banned, players.exclusion())
    await services.races.leave_all(banned)
    await services.races.take_over_names()
    await games.take_over_names()


async def _repeat(work: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Do something again and again, so far apart."""
    while True:
        try:
            await work()
        except Exception:  # noqa: BLE001 - tried again the next time
            _LOG.exception("the server was not looked after")
        await asyncio.sleep(seconds)
