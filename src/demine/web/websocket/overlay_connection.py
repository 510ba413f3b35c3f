"""The socket of an overlay: it shows the game that a player plays now, whichever that is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from starlette.websockets import WebSocketDisconnect

from demine.play.game_title import game_title
from demine.scene.translation import speaking
from demine.web import players
from demine.web.database.overlays import find_overlay
from demine.web.database.subjects import subject_of_game
from demine.web.digit_rows import digit_rows
from demine.web.errors import NotFound
from demine.web.limits import address_of
from demine.web.solver_queue import Asker
from demine.web.websocket.live_risks import LiveRisks
from demine.web.websocket.news_socket import News, serve_to_end

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.websockets import WebSocket

    from demine.web.database.overlays import StoredOverlay
    from demine.web.open_games import OpenGame
    from demine.web.played_now import Onlooker
    from demine.web.services import Services

OVERLAY_VERSION: Final = 1
_LEAST_S: Final = 0.1
_LARGE_BOARD: Final = 4096
"""From so many cells on, a board is shown once a second at most."""


class GameOnOverlay(Struct, omit_defaults=True):
    """A game as an overlay shows it: nothing that its player does not see."""

    rules: str
    title: str
    width: int
    height: int
    mines: int
    status: str
    mines_left: int
    clock_ms: int
    faces: list[str] | None = None
    """None as long as others play the same board."""
    risks: Sequence[tuple[int, int, int, int]] = ()
    three_bv: int | None = None
    """As the next one told once the game is over: it says where openings are."""
    three_bv_per_s: float | None = None


class EndFigures(Struct):
    """What is counted of a game once it is over, by the names of the statistics."""

    bv: int | None = None
    bv_s: float | None = None


class Overlay(Struct):
    """What an overlay shows; `game` is null while its player plays none."""

    v: int
    game: GameOnOverlay | None


async def show_overlay(websocket: WebSocket) -> None:
    """Serve one connection to `/ws/overlays/SECRET?risk=1&language=CODE`, to its end."""
    await serve_to_end(websocket, _serve)


async def _serve(websocket: WebSocket) -> None:
    services: Services = websocket.app.state.services
    address, limits = address_of(websocket), services.limits
    limits.addresses.take(address)
    secret = websocket.path_params["secret"]
    overlay = await services.database.read(lambda connection: find_overlay(connection, secret))
    if overlay is None:
        raise _ended()
    await _require_home(services, overlay)
    known = await players.find(services.database, overlay.player)
    players.refuse_banned(known)
    asked = websocket.query_params
    language = players.language_asked_for(asked.get("language", ""))
    with (
        limits.sockets_of_addresses.hold(address),
        limits.overlays_of_players.hold(overlay.player),
        services.open_games.played_now.look_on(overlay.player) as onlooker,
        speaking(language),
    ):
        # From here on it hears of its end, which may have come before.
        if (
            await services.database.read(lambda connection: find_overlay(connection, secret))
            is None
        ):
            raise _ended()
        asker = Asker(overlay.player, address)
        wants_risks = overlay.shows_risks and asked.get("risk") == "1"
        risks = LiveRisks(services, asker, onlooker.changed) if wants_risks else None
        await OverlayNews(websocket, services, asker, onlooker, risks).serve()


async def _require_home(services: Services, overlay: StoredOverlay) -> None:
    """Raise `Elsewhere` unless the game that is played now lives in this process."""
    if services.homes.is_alone:
        return
    game = overlay.game or ""
    found = await services.database.read(lambda connection: subject_of_game(connection, game))
    services.homes.require(overlay.player if found is None else found.id)


def _ended() -> NotFound:
    return NotFound("this overlay has ended: its player has another one, or none")


class OverlayNews(News):
    """One connection of an overlay."""

    least_s = _LEAST_S

    def __init__(
        self,
        websocket: WebSocket,
        services: Services,
        asker: Asker,
        onlooker: Onlooker,
        risks: LiveRisks | None,
    ) -> None:
        super().__init__(websocket, onlooker.changed)
        self._services = services
        self._asker = asker
        self._onlooker = onlooker
        self._risks = risks
        self._game: OpenGame | None = None
        """A game that is over, by its id and events, and its statistics."""

    async def serve(self) -> None:
        """Show games until the client leaves; raises what ends the connection."""
        try:
            await self.tell_until_left()
        finally:
            self._look_at(None)
            if self._risks is not None:
                await self._risks.close()

    async def text(self) -> str:
        """Return the game that is played now; raises `NotFound` once the overlay is ended."""
        if self._onlooker.is_dismissed:
            raise _ended()
        if self._onlooker.is_moved:
            await self.close()
            raise WebSocketDisconnect
        open_game = self._services.open_games.played_now.game_of(self._asker.player)
        self._look_at(open_game)
        shown = None if open_game is None else await self._shown(open_game)
        return msgspec.json.encode(Overlay(OVERLAY_VERSION, shown)).decode()

    def now_ms(self) -> int:
        """Take a ping out of the client's limits, and return the server's clock."""
        self._services.limits.messages.take(self._asker.address)
        return int(time.monotonic() * 1000)

    def _look_at(self, open_game: OpenGame | None) -> None:
        """Hear of the changes of a game, and no more of those of another one."""
        if open_game is self._game:
            return
        if self._game is not None:
            self._game.onlookers.discard(self._changed)
        self._game = open_game
        if open_game is not None:
            open_game.onlookers.add(self._changed)
            self.least_s = 1.0 if open_game.game.rules.cells > _LARGE_BOARD else _LEAST_S

    async def _shown(self, open_game: OpenGame) -> GameOnOverlay:
        game, rules = open_game.game, open_game.game.rules
        figures = await self._figures(open_game)
        return GameOnOverlay(
            rules=str(rules),
            title=game_title(rules, game.unranked, len(game.board.blown)),
            width=rules.width,
            height=rules.height,
            mines=rules.mines,
            status=game.status.value,
            mines_left=open_game.mines_left,
            clock_ms=open_game.clock_ms,
            faces=None if open_game.conceals else digit_rows(open_game.faces()),
            risks=() if self._risks is None else self._risks.of(open_game),
            three_bv=figures.bv,
            three_bv_per_s=figures.bv_s,
        )

    async def _figures(self, open_game: OpenGame) -> EndFigures:
        """Return what is counted of a game that is over and may be shown; else nothing."""
        game = open_game.game
        if not game.status.over or open_game.conceals:
            return EndFigures()
        return msgspec.convert((await open_game.figures()).statistics, EndFigures)
