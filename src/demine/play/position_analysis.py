"""What the solver says of a position: its questions, and the answers as sentences and overlay.

The analysis boards of all scenes show this, and so does the server's analysis for programs. It asks
nobody itself: whoever has a solver puts the questions to it and hands the answers in.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np

from demine.logic.errors import DemineError
from demine.scene.overlay import Mark, Overlay
from demine.scene.translation import explain, mark, ntr, tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.game import Cell
    from demine.solver.player.move import Move
    from demine.solver.proof.explain import Reason

_LONG_NUMBER: Final = 10**12
"""From here on a number of layouts is shown as a power of ten."""


class Question(NamedTuple):
    """A question to the solver about the position, and what is done with its answer."""

    name: str
    """As in `demine.solver.service.server.QUESTIONS`."""
    args: tuple[object, ...]
    """What is asked besides the faces and the number of mines."""
    take_answer: Callable[[object], None]
    take_error: Callable[[DemineError], None]


class PositionAnalysis:
    """What is known of one position so far: `faces`, uint8 (height, width), and its mines.

    Put `questions()` to the solver, call what each says with the answer, and ask again for further
    questions with `next_questions` until there are none.
    """

    def __init__(self, faces: NDArray[np.uint8], mines: int) -> None:
        self.faces = faces
        self.mines = mines
        self.trouble: DemineError | None = None
        """What is wrong with the position, or why it is not solved; None if nothing is."""
        self.chances: NDArray[np.float64] | None = None
        """The probability of a mine in each cell, NaN where it is open; None until known."""
        self.layouts: int | None = None
        """How many layouts fit, exactly; None until that is known."""
        self.best: Move | None = None
        self.only_mines_left = False
        self.win_chance: float | None = None
        """How likely the best play wins from here, exactly; None if that is not known."""
        self.reason: Reason | DemineError | None = None
        """Why the asked cell is safe or a mine, or why that cannot be said."""
        self._asks_win_chance = False

    # Asking

    def questions(self) -> list[Question]:
        """Return all questions that can be asked at once, but that for a proof."""
        return [
            self._question("mine_probability", self._set_chances),
            self._question("count_layouts", self._set_layouts),
            self._question("best_move", self._set_best),
        ]

    def next_questions(self) -> list[Question]:
        """Return the questions that the last answer leads to."""
        if self._asks_win_chance and self.best is not None:
            self._asks_win_chance = False
            cells = [(self.best.row, self.best.col)]
            return [self._question("win_chances", self._set_win_chance, cells)]
        return []

    def proof_question(self, cell: Cell | None = None) -> Question:
        """Return the question why a cell is safe or a mine; None is the easiest certain cell."""
        self.reason = None
        return Question("explain", (cell,), self._set_reason, self._set_reason)

    def _question(
        self, name: str, take_answer: Callable[[object], None], *args: object
    ) -> Question:
        return Question(name, args, take_answer, self._set_trouble)

    def _set_chances(self, answer: object) -> None:
        self.chances = cast("NDArray[np.float64]", answer)

    def _set_layouts(self, answer: object) -> None:
        self.layouts = cast("int", answer)

    def _set_best(self, answer: object) -> None:
        self.best = cast("Move | None", answer)
        self.only_mines_left = answer is None
        self._asks_win_chance = answer is not None

    def _set_win_chance(self, answer: object) -> None:
        found = cast("list[float] | None", answer)
        self.win_chance = found[0] if found else None

    def _set_reason(self, answer: object) -> None:
        self.reason = cast("Reason | DemineError", answer)

    def _set_trouble(self, error: DemineError) -> None:
        # The first one is kept: what is wrong with a position is wrong for every question.
        self.trouble = self.trouble or error

    # Showing

    def certain_cells(self, *, mines: bool) -> list[Cell]:
        """Return the cells, (row, col), that are certain mines or certainly safe."""
        if self.chances is None:
            return []
        found = np.argwhere(self.chances == (1.0 if mines else 0.0)).tolist()
        return [(row, col) for row, col in found]

    def sentences(self) -> list[str]:
        """Return what is known of the layouts, the certain cells and the best move, in words."""
        lines = []
        if self.layouts is not None:
            shown = format_layout_count(self.layouts)
            lines.append(
                ntr("{count} layout fits", "{count} layouts fit", self.layouts, count=shown)
            )
        if self.chances is not None:
            safe, mines = (len(self.certain_cells(mines=each)) for each in (False, True))
            lines.append(tr("Certain: {safe} safe, {mines} mines", safe=safe, mines=mines))
        if self.only_mines_left:
            lines.append(tr("Only mines are left"))
        if self.best is not None:
            lines.append(_best_text(self.best))
        if self.win_chance is not None:
            lines.append(tr("Chance to win, exactly: {chance}", chance=_percent(self.win_chance)))
        return lines

    def proof_text(self) -> str:
        """Return why the asked cell is safe or a mine; empty if nothing was asked."""
        if self.reason is None:
            return ""
        if isinstance(self.reason, DemineError):
            return explain(self.reason)
        safe, (row, col) = self.reason.safe, self.reason.cell
        claim = (
            mark("Row {row}, column {col} is safe.")
            if safe
            else mark("Row {row}, column {col} is a mine.")
        )
        return tr("{text} {sentence}", text=tr(claim, row=row, col=col), sentence=self.reason)

    def overlay(self, *, shows_risks: bool) -> Overlay:
        """Return the risks, and over them the proof, or else what is certain or best."""
        shape = self.faces.shape
        overlay = Overlay.empty((shape[0], shape[1]))
        if self.chances is not None and shows_risks:
            overlay = overlay.with_risks(self.chances, self.faces)
        if self.trouble is not None and self.trouble.cell is not None:
            return overlay.with_marks(Mark.BROKEN, [self.trouble.cell])
        if self.reason is not None and not isinstance(self.reason, DemineError):
            reason = self.reason
            overlay = overlay.with_marks(Mark.ABOUT, reason.cells)
            overlay = overlay.with_marks(Mark.BECAUSE, reason.because)
            return overlay.with_marks(Mark.SAFE if reason.safe else Mark.MINE, [reason.cell])
        overlay = overlay.with_marks(Mark.SAFE, self.certain_cells(mines=False))
        overlay = overlay.with_marks(Mark.MINE, self.certain_cells(mines=True))
        if self.best is not None and self.best.risk > 0.0:
            overlay = overlay.with_marks(Mark.GUESS, [(self.best.row, self.best.col)])
        return overlay


def _best_text(best: Move) -> str:
    if best.risk == 0.0:
        return tr("Best: row {row}, column {col}, which is safe", row=best.row, col=best.col)
    return tr(
        "Best: row {row}, column {col}, with {risk} risk",
        row=best.row,
        col=best.col,
        risk=_percent(best.risk),
    )


def format_layout_count(count: int) -> str:
    """Return a number of layouts: `1,234`, or `1.2×10^34` where that is too long."""
    if count < _LONG_NUMBER:
        return f"{count:,}"
    # As a float it might overflow, and as an integer text it may have too many digits.
    digits, power = f"{Decimal(count):.1e}".split("e+")
    return f"{digits}×10^{power}"


def _percent(chance: float) -> str:
    """Return a probability in percent; only a certainty is 0 or 100."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    return f"{min(max(chance, 0.0001), 0.9999):.2%}"
