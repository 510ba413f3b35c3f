"""Help over the socket: hints, risks, a word on a lost game, and its luck.

The solver works in another process, and sees what the player sees; what it found of a position that
is past by then is dropped. Help that is shown is an event of the game, which is practice from then.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from demine.logic.event_log import non_touches
from demine.logic.game import Status
from demine.play.end_summary import luck_text
from demine.play.hints import (
    MOST_CELLS_FOR_LUCK,
    MarkedCells,
    hint_marks,
    judgement_marks,
    lowest_risk_text,
    why_no_hint,
)
from demine.play.position_before_last_move import last_opening_move
from demine.scene.cell_faces import Face
from demine.scene.overlay import UNKNOWN, Overlay
from demine.scene.sight import sight, sight_while_running
from demine.scene.translation import tr
from demine.web.websocket.protocol import Help

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
    from typing import TypeAlias

    from numpy.typing import NDArray

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.solver.hint import Hint
    from demine.solver.judge import Judgement

    Ask: TypeAlias = Callable[..., Awaitable[object]]
    """`SolverQueue.ask` for one client."""

NOT_ASKED = 0
"""The number of help that nobody asked for: what is said of a game that is over."""


async def answer(
    ask: Ask, game: Game, kind: str, near: Cell | None, number: int
) -> tuple[Help, Cell | None]:
    """Return help for the present position, and the cell at which it makes the game practice.

    `kind` is "hint" or "chances". Raises what the solver raises.
    """
    if game.status is not Status.RUNNING:
        return Help(number, kind, why_no_hint(game)), None
    scene, mines = sight(game), game.rules.mines
    if kind == "chances":
        chances = cast("Any", await ask("mine_probability", scene, mines))
        return await asyncio.to_thread(_chances_help, chances, scene, number)
    found = cast("Hint | None", await ask("hint", scene, mines, kwargs={"near": near}))
    if found is None:
        return Help(number, kind, tr("Only mines are left")), None
    marks = _marks(hint_marks(found))
    return Help(number, kind, str(found), marks), (found.row, found.col)


async def words_on_end(ask: Ask, game: Game) -> AsyncIterator[Help]:
    """Yield what is said of a game that is over: whether a loss could be avoided, and its luck."""
    rules, events = game.rules, game.events
    is_begun = game.begun
    if game.status is Status.LOST and not game.resigned:
        before, cells = await asyncio.to_thread(last_opening_move, rules, events)
        if cells:
            scene = sight_while_running(before)
            judged = await ask("judge", scene, rules.mines, cells)
            judgement = cast("Judgement", judged)
            yield Help(NOT_ASKED, "judgement", str(judgement), _marks(judgement_marks(judgement)))
    if is_begun and rules.cells <= MOST_CELLS_FOR_LUCK:
        found = await ask("guesses", rules, await asyncio.to_thread(non_touches, events))
        if found is not None:
            guesses, chance = cast("tuple[int, float]", found)
            yield Help(NOT_ASKED, "luck", luck_text(guesses, chance))


def _chances_help(
    chances: NDArray[np.float64], scene: NDArray[np.uint8], number: int
) -> tuple[Help, Cell | None]:
    overlay = Overlay.empty((scene.shape[0], scene.shape[1])).with_risks(chances, scene)
    shown = (overlay.risk != UNKNOWN) & np.isin(scene, (Face.COVERED, Face.FLAG, Face.QUESTION))
    risks = [
        (row, col, int(overlay.risk[row, col]), int(overlay.unwritten[row, col]))
        for row, col in np.argwhere(shown).tolist()
    ]
    text = lowest_risk_text(chances, scene == Face.COVERED, may_point=False)
    best = None
    if not np.isnan(chances).all():
        row, col = divmod(int(np.nanargmin(chances)), chances.shape[1])
        best = row, col
    return Help(number, "chances", text, risks=risks), best


def _marks(marked: Iterable[MarkedCells]) -> list[tuple[int, int, int]]:
    """Return [row, column, `Mark`] for each marked cell; of two marks the later one stands."""
    marks = {(row, col): int(kind) for kind, cells in marked for row, col in cells}
    return [(row, col, kind) for (row, col), kind in marks.items()]
