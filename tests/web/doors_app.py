"""A server of doors alone, around a database of its own, and browsers that have cookies."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from demine.web.api.door import AnyDoor, route
from demine.web.database.database import Database
from demine.web.database.place import DatabasePlace
from demine.web.page import recovery_page
from demine.web.security import SecurityMiddleware
from demine.web.services import Services


@contextlib.contextmanager
def serve_doors(place: DatabasePlace, doors: Iterable[AnyDoor]) -> Iterator[str]:
    """Serve doors and the pages of recovery links; yields the address."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        database = await Database.open(place)
        app.state.services = await Services.of(database)
        yield
        await app.state.services.close()
        await database.close()

    app = Starlette(routes=[*map(route, doors), *recovery_page.ROUTES], lifespan=lifespan)
    app.add_middleware(SecurityMiddleware, host_names=("mines.example",))
    with serve(app) as address:
        yield address


@contextlib.contextmanager
def serve(app: Starlette, http: type[asyncio.Protocol] | None = None) -> Iterator[str]:
    """Serve an application on a free port of this machine, in a thread; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(
            app, http=http or "auto", ws="websockets-sansio", log_level="warning", lifespan="on"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            # The port listens already: what is asked now is answered once the server runs.
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextlib.contextmanager
def browser(address: str, **headers: str) -> Iterator[httpx.Client]:
    """A browser with cookies of its own."""
    with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
        yield client


@contextlib.contextmanager
def new_player(site: str) -> Iterator[httpx.Client]:
    """A browser whose player has a budget of their own, not that of the address."""
    with browser(site) as opened:
        opened.put("/api/me", json={})
        yield opened


def simple_app(routes: Sequence[BaseRoute]) -> Starlette:
    """An application behind the checks of hosts and origins."""
    app = Starlette(routes=routes)
    app.add_middleware(SecurityMiddleware, host_names=("Mines.Example",))
    return app
