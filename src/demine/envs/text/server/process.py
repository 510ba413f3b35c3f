"""The process of the server: one event loop that answers until it is told to stop."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import uvicorn

from demine.envs.text.server.app import make_app
from demine.envs.text.server.connections import HttpConnection
from demine.envs.text.server.errors import ServerError
from demine.envs.text.server.messages import MOST_BYTES
from demine.scene.system_errors import system_error_reason

if TYPE_CHECKING:
    from demine.envs.text.server.sessions import Sessions

_BACKLOG: Final = 2048
_GRACE_SECONDS: Final = 5
"""How long the end of the server waits for what is under way."""
_KEEP_ALIVE_SECONDS: Final = 60
"""How long a connection stays open for the next request: a model may think that long."""
_SPARE_CONNECTIONS: Final = 100
"""Connections beyond one for each episode."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one. Raises `ServerError`."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:  # a name too long, or with letters no name has
        raise ServerError(
            "nobody can listen at {host}, port {port}: {reason}",
            host=host,
            port=port,
            reason=system_error_reason(error),
        ) from error


def run_until_stopped(listener: socket.socket, sessions: Sessions, most: int) -> None:
    """Serve at most `most` episodes until SIGINT or SIGTERM, and answer what is under way then."""
    config = uvicorn.Config(
        make_app(sessions),
        http=HttpConnection,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=most + _SPARE_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    # The signal that ended it is raised again once everything is closed.
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([listener])
