"""The server's process: one event loop that answers until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import uvicorn

from demine.logic.kernels import OPENING_KERNELS
from demine.scene.system_errors import system_error_reason
from demine.web.app import make_app
from demine.web.cluster.passed_sockets import PassedSockets, abstract_name
from demine.web.connections import (
    KEEP_ALIVE_SECONDS,
    PING_SECONDS,
    PROXIES,
    HttpConnection,
    WebSocketConnection,
)
from demine.web.database.database import prepare_shared
from demine.web.database.place import PostgresPlace
from demine.web.errors import DatabaseError, ServerError
from demine.web.garbage import collecting_rarely
from demine.web.process_group import ProcessGroup
from demine.web.service_manager import inherited_listener, tell_service_manager
from demine.web.websocket.protocol import MAX_MESSAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from starlette.applications import Starlette

    from demine.web.database.place import DatabasePlace
    from demine.web.services import Services

_LOG: Final = logging.getLogger("demine.web")
DEFAULT_PEER_HOST: Final = "127.0.0.1"
_BACKLOG: Final = 2048
_DRAIN_S: Final = 3
"""How long acts that are under way have to be answered once the server is told to stop."""
_ACCEPTED_S: Final = 0.05
"""How long it takes until connections that the system has accepted are known here."""
_GRACE_S: Final = 10
"""How long the end of the server waits for those who do not let go."""
_TICKS_OF_LIFE: Final = 20
"""After how many tenths of a second the event loop says that it runs."""
_MACOS_FILES: Final = 10_240
"""The most files that macOS lets a process open, whatever its limit is."""


def serve(
    host: str,
    port: int,
    database: DatabasePlace,
    on_ready: Callable[[str], None],
    *,
    host_names: Collection[str] = (),
    peer_host: str = DEFAULT_PEER_HOST,
    processes: int | None = None,
    begin_process: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is called with the address once it listens.

    `host_names` are the names of this server besides `localhost` and numbers. Port 0 takes
    a free one. A socket that a service manager hands over is used instead of both. On a database
    of PostgreSQL others serve too, who reach this computer at `peer_host`; with `processes`, so
    many serve here, and each of them calls `begin_process`, which can be pickled, first. Raises
    `ServerError` if nobody can listen there, `DatabaseError` if the database cannot be opened.
    """
    if processes is not None and not isinstance(database, PostgresPlace):
        raise ServerError("several processes need a database of PostgreSQL (--database)")
    listener = inherited_listener()
    if listener is None:
        listener = _listen(host, port)
    else:
        host = str(listener.getsockname()[0])
    address = _address(host, listener)

    def say_ready() -> None:
        _LOG.info("listening", extra={"address": address, "database": str(database)})
        tell_service_manager("READY=1")
        on_ready(address)

    run = partial(_serve_at, listener, database, tuple(host_names), peer_host)
    with listener:
        if processes is None:
            run(say_ready, lambda: None)
        elif isinstance(database, PostgresPlace):
            # Before there are several, for which a long migration would be too long.
            prepare_shared(database)
            ProcessGroup(processes, partial(_serve_in_process, begin_process, run)).run(say_ready)
    _LOG.info("ended")


def _serve_in_process(
    begin: Callable[[], None],
    run: Callable[[Callable[[], None], Callable[[], None]], None],
    on_ready: Callable[[], None],
) -> None:
    begin()
    run(on_ready, on_ready)


def _serve_at(
    listener: socket.socket,
    database: DatabasePlace,
    host_names: Collection[str],
    peer_host: str,
    on_ready: Callable[[], None],
    on_life: Callable[[], None],
) -> None:
    """Serve at a socket, and at another one, of which only processes like this one know."""
    _raise_file_limit()
    # Numba takes as much memory as thousands of idle players, for openings that are quick anyway.
    OPENING_KERNELS.loads_in_background = False
    listeners, peer_address = [listener], ""
    if isinstance(database, PostgresPlace):
        listeners.append(_listen(peer_host, 0))
        peer_address = _address(peer_host, listeners[1]).rstrip("/")
    app = make_app(database, host_names, peer_address=peer_address)
    with ExitStack() as stack:
        for each in listeners[1:]:
            stack.enter_context(each)
        _Server(_config(app), app, peer_address, on_ready, on_life).run(listeners)


def _config(app: Starlette) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=HttpConnection,
        ws=WebSocketConnection,
        forwarded_allow_ips=list(PROXIES),
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_GRACE_S,
    )


class _Server(uvicorn.Server):
    """A server that says when it listens, and ends normally when it is told to.

    It opens and closes what the application's lifespan does itself, since uvicorn would only log an
    error of that. Other processes of the server hand requests on to its `peer_address`, if it has
    one, and pass connections to it.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        app: Starlette,
        peer_address: str,
        on_ready: Callable[[], None],
        on_life: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._app = app
        self._peer_address = peer_address
        self._passed: PassedSockets | None = None
        self._on_ready = on_ready
        self._on_life = on_life
        self._state: Mapping[str, Any] = {}

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal; raises what opening the database raises."""
        async with self._app.router.lifespan_context(self._app) as state:
            self._state = state or {}
            with collecting_rarely():
                await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        self.lifespan.state.update(self._state)  # what the connections share
        await super().startup(sockets)
        if self._peer_address:
            services: Services = self._app.state.services
            name = abstract_name(services.key, self._peer_address)
            self._passed = PassedSockets(name, self._serve_passed)
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        """Give a sign of life every few seconds; return whether the server is to end."""
        if counter % _TICKS_OF_LIFE == 0:
            self._on_life()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer what is under way, and stop; the signal that asked for it is obeyed then."""
        services: Services = self._app.state.services
        services.readiness.is_stopping = True
        _LOG.info("stopping")
        tell_service_manager("STOPPING=1")
        # Other processes may have handed something on: they hear first that this one leaves.
        for server in self.servers[:1]:
            server.close()
        await asyncio.sleep(_ACCEPTED_S)
        with suppress(TimeoutError, DatabaseError):
            async with asyncio.timeout(_DRAIN_S):
                await services.leave()
                await services.open_games.close_connections()
                await services.races.close_connections()
                await services.relay.close_sockets()
        if self._passed is not None:
            self._passed.close()
        await super().shutdown(sockets)
        self._captured_signals.clear()

    def _serve_passed(self, passed: socket.socket, request: bytes) -> None:
        """Go on with a connection that another process has passed on with its first request."""
        task = asyncio.ensure_future(self._read_passed(passed, request))
        self.server_state.tasks.add(task)
        task.add_done_callback(self.server_state.tasks.discard)

    async def _read_passed(self, passed: socket.socket, request: bytes) -> None:
        try:
            _, connection = await asyncio.get_running_loop().connect_accepted_socket(
                lambda: HttpConnection(self.config, self.server_state, self.lifespan.state), passed
            )
        except OSError:  # its client has gone
            passed.close()
        else:
            if not connection.transport.is_closing():  # there may be too many
                connection.data_received(request)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # Where the system needs it: a port is free again as soon as its server has ended.
        return socket.create_server(address[:2], family=family, backlog=_BACKLOG, reuse_port=False)
    except (OSError, UnicodeError) as error:  # a name too long, or with letters no name has
        raise ServerError(
            "nobody can listen at {host}, port {port}: {reason}",
            host=host,
            port=port,
            reason=system_error_reason(error),
        ) from error


def _address(host: str, listener: socket.socket) -> str:
    port = listener.getsockname()[1]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _raise_file_limit() -> None:
    """Let this process have as many connections as the system allows."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for most in (hard, _MACOS_FILES):
        # macOS allows less than it says.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
            return
