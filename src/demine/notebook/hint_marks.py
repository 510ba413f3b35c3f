"""Marks on a board for hints, reasons, moves and deduced cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.picture import PictureError
from demine.scene.overlay import Mark, Overlay
from demine.solver.exact.prepared_position import CertainCells
from demine.solver.hint import Hint
from demine.solver.player.move import Move
from demine.solver.proof.explain import Reason

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Advice: TypeAlias = Overlay | Hint | Reason | Move | CertainCells | None


def with_advice_marks(advice: Advice, base: Overlay) -> Overlay:
    """Return `base` with the marks of some advice; an `Overlay` as advice replaces it.

    Raises PictureError for other values, and OverlayError for a cell outside the board.
    """
    match advice:
        case None:
            return base
        case Overlay():
            return advice
        case Reason():
            return _reasoned(advice, base)
        case Hint():
            under = base if advice.reason is None else _reasoned(advice.reason, base)
            return _to_open(under, advice.row, advice.col, safe=advice.safe)
        case Move():
            return _to_open(base, advice.row, advice.col, safe=advice.risk == 0.0)
        case CertainCells():
            safe = base.with_marks(Mark.SAFE, _cells(advice.safe))
            return safe.with_marks(Mark.MINE, _cells(advice.mines))
    raise PictureError("{kind} cannot be marked on a board", kind=type(advice).__name__)


def _reasoned(reason: Reason, base: Overlay) -> Overlay:
    seen = base.with_marks(Mark.ABOUT, reason.cells).with_marks(Mark.BECAUSE, reason.because)
    return seen.with_marks(Mark.SAFE if reason.safe else Mark.MINE, [reason.cell])


def _to_open(base: Overlay, row: int, col: int, *, safe: bool) -> Overlay:
    return base.with_marks(Mark.SAFE if safe else Mark.GUESS, [(row, col)])


def _cells(where: NDArray[np.bool_]) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in np.argwhere(where)]
