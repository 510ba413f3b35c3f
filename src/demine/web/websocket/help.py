"""Help over the socket: hints, risks, checks of drafts, a word on a lost game, and its luck.

The solver works in another process, and sees what the player sees; what it found of a position that
is past by then is dropped. Help that is shown is an event of the game, which is practice from then.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from demine.logic.event_log import non_touches
from demine.logic.game import Status
from demine.play.end_summary import luck_text
from demine.play.hints import (
    MOST_CELLS_FOR_LUCK,
    MarkedCells,
    clash_marks,
    clash_text,
    hint_marks,
    judgement_marks,
    lowest_risk_text,
    whether_to_guess_text,
    why_no_hint,
)
from demine.play.position_before_last_move import last_opening_move
from demine.scene.cell_faces import Face
from demine.scene.draft import Assumption, Draft
from demine.scene.overlay import UNKNOWN, Overlay
from demine.scene.sight import sight, sight_while_running
from demine.scene.translation import tr
from demine.solver.exact.parse_board import checked_covered_cell
from demine.web.errors import DraftError
from demine.web.websocket.protocol import MOST_ASSUMED, Help

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from demine.game import Game
    from demine.logic.game import Cell
    from demine.solver.exact.prepared_position import CertainCells
    from demine.solver.hint import Hint
    from demine.solver.judge import Judgement
    from demine.solver.proof.clash import Clash

    Ask: TypeAlias = Callable[..., Awaitable[object]]
    """`SolverQueue.ask` for one client."""

NOT_ASKED = 0
"""The number of help that nobody asked for: what is said of a game that is over."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a client about the present position, as `FromClient` has it."""

    number: int
    kind: str
    near: Cell | None = None
    assumed: Sequence[tuple[int, int, bool]] = ()


async def answer(ask: Ask, game: Game, question: Question) -> tuple[Help, Cell | None]:
    """Return help for the present position, and the cell at which it makes the game practice.

    Raises `DraftError` or `SceneError` for a draft that is none, and what the solver raises.
    """
    number, kind, near = question.number, question.kind, question.near
    if game.status is not Status.RUNNING:
        return Help(number, kind, why_no_hint(game)), None
    scene, mines = sight(game), game.rules.mines
    somewhere = game.first_cell() or (0, 0)
    if kind == "chances":
        chances = cast("Any", await ask("mine_probability", scene, mines))
        return await asyncio.to_thread(_chances_help, chances, scene, number)
    if kind == "may_guess":
        certain = cast("CertainCells", await ask("deduce", scene, mines))
        return Help(number, kind, whether_to_guess_text(certain)), somewhere
    if kind == "clash":
        draft = checked_draft(question.assumed, scene).with_flags(scene)
        assumptions = [tuple(each) for each in draft.assumptions]
        clash = cast("Clash | None", await ask("clash", scene, mines, assumptions))
        marks = [] if clash is None else _marks(clash_marks(clash))
        at = somewhere if clash is None else clash.assumptions[-1].cell
        return Help(number, kind, clash_text(clash), marks), at
    found = cast("Hint | None", await ask("hint", scene, mines, kwargs={"near": near}))
    if found is None:
        return Help(number, kind, tr("Only mines are left")), None
    return Help(number, kind, str(found), _marks(hint_marks(found))), (found.row, found.col)


def checked_draft(assumed: Sequence[tuple[int, int, bool]], scene: NDArray[np.uint8]) -> Draft:
    """Return the draft of a client: at most `MOST_ASSUMED` covered cells, each once.

    Raises `DraftError`, and `SceneError` for a cell that is not covered.
    """
    if len(assumed) > MOST_ASSUMED:
        raise DraftError("at most {most} assumptions can be checked", most=MOST_ASSUMED)
    draft = Draft(
        tuple(
            Assumption(checked_covered_cell((row, col), scene), is_mine)
            for row, col, is_mine in assumed
        )
    )
    if len({each.cell for each in draft.assumptions}) < len(assumed):
        raise DraftError("a draft assumes one thing about a cell")
    return draft


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
