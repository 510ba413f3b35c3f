"""Times every request over HTTP, counts its answer, and tells the log of slow and failed ones."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from demine.web.services import Services

SLOW_S: Final = 5.0
"""A request that takes longer is told to the log. Those that wait for the solver may take 20 s."""
_LOG: Final = logging.getLogger("demine.web")
_FAILED: Final = 500
_ELSEWHERE: Final = "elsewhere"
"""In place of a path that leads nowhere: there are too many of them to count each."""


class MeasuringMiddleware:
    """Measures what the application inside it answers; `Services` must be `app.state.services`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer as ASGI asks."""
        # Not awaited here: a WebSocket would hold this call in memory as long as it is open.
        answer = self._measure if scope["type"] == "http" else self._app
        return answer(scope, receive, send)

    async def _measure(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, status = time.perf_counter(), 500

        async def send_and_see(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_see)
        finally:
            _count(scope, status, time.perf_counter() - start)


def _count(scope: Scope, status: int, seconds: float) -> None:
    services: Services = scope["app"].state.services
    # The pattern with which the route was declared: no ids of players or games.
    path = getattr(scope.get("route"), "path", _ELSEWHERE)
    services.metrics.count_response(scope["method"], path, status, seconds)
    if status >= _FAILED or seconds > SLOW_S:
        said = {"method": scope["method"], "path": path, "status": status, "seconds": seconds}
        _LOG.warning(
            "%(method)s %(path)s: status %(status)d after %(seconds).3f s", said, extra=said
        )
