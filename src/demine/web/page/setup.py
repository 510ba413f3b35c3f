"""What the page asks of the server at its start."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from sqlalchemy import select

from demine import __version__
from demine.web.api.door import Door, Nothing, Visit
from demine.web.database.partners import is_together
from demine.web.database.schema import GAMES
from demine.web.page import files
from demine.web.players import preferences_of
from demine.web.websocket.protocol import PROTOCOL_VERSION


class Setup(Struct):
    """What the page asks at its start: what the server is, and who asks.

    `page` is the version of the page that this server has, `game` the newest game that is not over
    and that nobody else plays.
    """

    version: str
    page: str
    protocol: int
    player: dict[str, str] | None
    language: str
    preferences: dict[str, Any]
    game: str | None


async def show_setup(visit: Visit[Nothing]) -> Setup:
    """Say what the page needs to begin."""
    player = visit.known_player
    game = None
    if player is not None:
        newest = (
            select(GAMES.c.id)
            .where(GAMES.c.player == player.id, GAMES.c.finished_at.is_(None), ~is_together())
            .order_by(GAMES.c.num.desc())
            .limit(1)
        )
        game = await visit.services.database.read(
            lambda connection: connection.execute(newest).scalar_one_or_none()
        )
    return Setup(
        version=__version__,
        page=files.version(),
        protocol=PROTOCOL_VERSION,
        player=None if player is None else {"id": player.id, "name": player.name},
        language=visit.language,
        preferences={} if player is None else preferences_of(player).as_settings(),
        game=game,
    )


DOORS: Final = (
    Door(method="GET", path="/api/setup", summary="What the page asks at its start",
         handler=show_setup, asks=Nothing, answers=Setup),
)  # fmt: skip
