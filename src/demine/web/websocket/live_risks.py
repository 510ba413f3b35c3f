"""The risks of the position that a player has before them, worked out while the game goes on."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from demine.logic.errors import DemineError
from demine.logic.event import Verb
from demine.logic.game import Status
from demine.play.hints import position_of
from demine.web.websocket.help import NOT_ASKED, Question, answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.web.open_games import OpenGame
    from demine.web.services import Services
    from demine.web.solver_queue import Asker

    Risk = tuple[int, int, int, int]
    """Row, column, percent, and whether colour alone shows it (0 or 1)."""


class LiveRisks:
    """The risks of a player's games for an overlay; `changed` is set when others are known.

    Whoever sees them has help: the game is practice before the first risk is told, as by the
    display of risks of the board itself. Nobody helps where an umpire watches over a game, or
    where others play it too, for whom it would be practice without their doing.
    """

    def __init__(self, services: Services, asker: Asker, changed: asyncio.Event) -> None:
        self._ask = partial(services.solver.ask, asker)
        self._changed = changed
        self._known: tuple[object, list[Risk]] = None, []
        """A position, and its risks; none if they could not be worked out."""
        self._asking: asyncio.Task[None] | None = None

    def of(self, open_game: OpenGame) -> Sequence[Risk]:
        """Return the risks of the present position; none until they are known."""
        is_shared = open_game.umpire is not None or open_game.table is not None
        if is_shared or open_game.game.status is not Status.RUNNING:
            return ()
        position = _key(open_game)
        if self._known[0] == position:
            return self._known[1]
        if self._asking is None:
            self._asking = asyncio.ensure_future(self._find(open_game, position))
        return ()

    async def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _find(self, open_game: OpenGame, position: object) -> None:
        risks: list[Risk] = []
        try:
            with suppress(DemineError):
                risks = await self._risks(open_game)
        finally:
            self._known, self._asking = (position, risks), None
            self._changed.set()

    async def _risks(self, open_game: OpenGame) -> list[Risk]:
        asked_at = position_of(open_game.game)
        found, cell = await answer(self._ask, open_game.game, Question(NOT_ASKED, "chances"))
        async with open_game.lock:
            game = open_game.game
            if position_of(game) != asked_at or game.status is not Status.RUNNING:
                return []
            if cell is not None and not game.hinted:
                open_game.tell(await open_game.play(Verb.HINT, *cell, "", 0))
        return list(found.risks)


def _key(open_game: OpenGame) -> object:
    return open_game.id, position_of(open_game.game)
