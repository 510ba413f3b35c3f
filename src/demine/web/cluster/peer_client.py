"""Speaks to another process of a server, as a client's browser would speak to this one."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import httpx
from httpx import Response as PeerResponse
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from demine.web.homes import Elsewhere

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from websockets.typing import Origin

__all__ = ["ClientConnection", "ConnectionClosed", "PeerClient", "PeerResponse"]
_CONNECT_S: Final = 2.0
_PING_S: Final = 20.0
"""How often a process is asked for a sign of life, and how long that may take."""
_ANSWER_S: Final = 120.0
"""How long the next bytes of an answer may take."""


class PeerClient:
    """Asks other processes; a process that is not there any more makes it raise `Elsewhere`."""

    def __init__(self) -> None:
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(_ANSWER_S, connect=_CONNECT_S),
            limits=httpx.Limits(max_connections=None),
            trust_env=False,
        )

    async def ask(
        self, method: str, url: str, headers: Sequence[tuple[bytes, bytes]], body: bytes
    ) -> PeerResponse:
        """Return an answer, whose body is not read yet."""
        try:
            request = self._http.build_request(method, url, headers=headers, content=body)
            return await self._http.send(request, stream=True)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise Elsewhere.to(None) from error

    @asynccontextmanager
    async def connected(
        self,
        address: str,
        host: str,
        path: str,
        origin: str | None,
        headers: Sequence[tuple[str, str]],
    ) -> AsyncIterator[ClientConnection]:
        """Connect to a socket at the address of a process, under the host of the client."""
        target = urlsplit(address)
        try:
            async with connect(
                f"ws://{host}{path}",
                host=target.hostname,
                port=target.port,
                origin=_as_origin(origin),
                additional_headers=headers,
                user_agent_header=None,
                compression=None,
                open_timeout=_CONNECT_S,
                ping_interval=_PING_S,
                ping_timeout=_PING_S,
                max_size=None,
                proxy=None,
            ) as other:
                yield other
        except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as error:
            raise Elsewhere.to(None) from error

    async def close(self) -> None:
        """End all connections that wait for the next request."""
        await self._http.aclose()


def _as_origin(text: str | None) -> Origin | None:
    from websockets.typing import Origin

    return None if text is None else Origin(text)
