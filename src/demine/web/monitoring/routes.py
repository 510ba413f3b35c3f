"""The addresses that programs ask which watch over a server.

Load balancers and service managers ask `/healthz` and `/readyz`, Prometheus asks `/metrics`, which
is for the networks of whoever runs the server alone.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from demine.scene.translation import speaking
from demine.web import players
from demine.web.metrics import MEDIA_TYPE
from demine.web.monitoring.all_processes import figures

if TYPE_CHECKING:
    from starlette.requests import Request

    from demine.web.services import Services

_HEADERS: Final = {"cache-control": "no-store"}


async def show_health(_request: Request) -> Response:
    """Answer, which whoever hangs cannot."""
    return PlainTextResponse("ok\n", headers=_HEADERS)


async def show_readiness(request: Request) -> Response:
    """Say whether the server can take players, with status 503 and the reason if not."""
    services: Services = request.app.state.services
    with speaking(players.language_of(None, request)):
        obstacle = await services.readiness.obstacle()
    if obstacle:
        return PlainTextResponse(f"{obstacle}\n", 503, _HEADERS)
    return PlainTextResponse("ready\n", headers=_HEADERS)


async def show_metrics(request: Request) -> Response:
    """Send all figures to whoever asks from this computer or a private network."""
    services: Services = request.app.state.services
    if not _is_private("" if request.client is None else request.client.host):
        raise HTTPException(404)
    return Response(await figures(request, services), headers=_HEADERS, media_type=MEDIA_TYPE)


def _is_private(host: str) -> bool:
    try:
        return ip_address(host).is_private
    except ValueError:  # a socket in the file system
        return False


ROUTES: Final = (
    Route("/healthz", show_health),
    Route("/readyz", show_readiness),
    Route("/metrics", show_metrics),
)
