"""Hints for a player: the safe cell that is easiest to prove, or the best guess and its risk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from demine.logic.json_text import ToJson
from demine.scene.html_fragments import paragraph
from demine.scene.translation import ntr, tr
from demine.solver.errors import NothingToOpen, TooComplex
from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.parse_board import checked_scene
from demine.solver.exact.probability import mine_probability
from demine.solver.player.choose_cell import (
    EQUAL_WITHIN,
    best_move_by_probability,
    first_move,
    nearest_equally_safe_move,
)
from demine.solver.proof.explain import explain
from demine.solver.proof.partial_deduction_fallback import certain_else_half_probability

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition
    from demine.solver.proof.explain import Reason

    Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Hint(ToJson):
    r"""A cell to open: it is `safe` and `reason` says why, or it is a guess with this `risk`.

    `alike` is how many covered cells have the same risk, including this one, and `covered` how many
    covered cells there are. `reason` is None for a guess, and where it takes too much work to find.
    `lowest` is the least risk of any cell if this guess has a higher one, because its number will
    tell more; else None.

    >>> import demine
    >>> hint = demine.hint("3x2/1\n1 # #\n1 # #")
    >>> (hint.row, hint.col), hint.safe, hint.risk
    ((0, 2), True, 0.0)
    """

    row: int
    col: int
    safe: bool
    risk: float
    reason: Reason | None = None
    alike: int = 1
    covered: int = 1
    lowest: float | None = None

    def __str__(self) -> str:
        """Return the hint as sentences in the current language."""
        where: dict[str, object] = {"row": self.row, "col": self.col}
        if self.reason is not None:
            return join_sentences(
                [tr("Row {row}, column {col} is safe.", **where), str(self.reason)]
            )
        if self.safe:
            return tr("Row {row}, column {col} is safe in every possible layout.", **where)
        where["risk"] = format_trimmed_percent(self.risk)
        best = tr(
            "No cell is certain; row {row}, column {col} is the best guess, with {risk} risk.",
            **where,
        )
        if self.lowest is not None:
            least = format_trimmed_percent(self.lowest)
            more = tr("The lowest risk is {risk}, but this cell has better prospects.", risk=least)
            return join_sentences([best, more])
        if abs(self.risk - 0.5) < EQUAL_WITHIN and self.alike > 1:
            return tr(
                "No cell is certain, and it is a 50/50: row {row}, column {col} is as good a guess "
                "as any.",
                **where,
            )
        if self.alike == self.covered > 1:
            return tr(
                "No cell is certain, and all risk the same, {risk}: row {row}, column {col} is as "
                "good a guess as any.",
                **where,
            )
        if self.alike == 1:
            return best
        others = self.alike - 1
        return join_sentences(
            [best, ntr("{n} other has the same.", "{n} others have the same.", others)]
        )

    def _repr_html_(self) -> str:
        """Return the sentences as HTML for notebooks."""
        return paragraph(str(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the hint as plain values; `pattern` is None without a reason."""
        reason = self.reason
        return {
            "cell": [self.row, self.col],
            "is_safe": self.safe,
            "pattern": None if reason is None else reason.pattern.value,
            "because": [] if reason is None else [list(cell) for cell in reason.because],
            "uses_mine_count": reason is not None and reason.uses_mine_count,
            "text": str(self),
        }


def hint(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    *,
    near: tuple[int, int] | None = None,
    states: int = DEFAULT_STATES,
) -> Hint:
    r"""Return the safe cell that is easiest to prove, or the best guess if no cell is safe.

    Of equally easy cells it is the one nearest to `near`, `(row, col)`: where the player looks. So
    it is of guesses that could change places without changing anything.

    The guess is that of `best_move`, which is not always the cell with the least risk. Flags are
    ignored, so the answer may be a flagged cell. Only a `demine.Game` tells what the rules promise
    for the first cell; on another board with no open cell all are guesses.

    Raises `NothingToOpen` if every safe cell is open; arguments and other errors are those of
    `mine_probability`. But a position that is too complex is answered if a part of its numbers
    proves some cell safe; then `alike` counts the cells proven by that part, and another cell may
    be easier to prove.

    >>> import demine
    >>> print(demine.hint("3x1/1\n# 1 #"))
    No cell is certain, and it is a 50/50: row 1, column 1 is as good a guess as any.
    """
    found = find_hint(scene, mines, near=near, states=states)
    if found is None:
        raise NothingToOpen("every safe cell is open")
    return found


def find_hint(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    *,
    near: Cell | None = None,
    states: int = DEFAULT_STATES,
) -> Hint | None:
    """Return `hint` of the same arguments, or None if every safe cell is open."""
    faces, number = checked_scene(scene, mines)
    begin = first_move(scene, faces, number)
    if begin is not None:
        return Hint(*begin[:2], begin.risk == 0.0, begin.risk, covered=faces.size)
    try:
        risk = mine_probability(faces, number, states=states)
    except TooComplex:
        risk = certain_else_half_probability(faces, number, states)
        if not (risk == 0.0).any():
            raise
    covered = risk[~np.isnan(risk)]
    if (covered == 0.0).any():
        return _proven_hint(faces, number, risk, near)
    move = best_move_by_probability(faces, number, risk)
    if move is None:
        return None
    if near is not None:
        move = nearest_equally_safe_move(risk, move, near)
    alike = int(np.count_nonzero(np.abs(covered - move.risk) <= move.risk * EQUAL_WITHIN))
    least = float(covered.min())
    lowest = least if move.risk > least * (1 + EQUAL_WITHIN) else None
    return Hint(move.row, move.col, False, move.risk, None, alike, covered.size, lowest)


def _proven_hint(
    scene: ArrayLike, mines: SupportsIndex, risk: NDArray[np.float64], near: Cell | None
) -> Hint:
    safe = risk == 0.0
    alike = int(np.count_nonzero(safe)), int(np.count_nonzero(~np.isnan(risk)))
    reason = explain_if_feasible(scene, mines, near=near)
    row, col = reason.cell if reason else map(int, np.argwhere(safe)[0])
    return Hint(row, col, True, 0.0, reason, *alike)


def explain_if_feasible(
    scene: ArrayLike, mines: SupportsIndex, cell: Cell | None = None, *, near: Cell | None = None
) -> Reason | None:
    """Return `explain` of the same arguments, or None if that takes too much work."""
    try:
        return explain(scene, mines, cell, near=near)
    except TooComplex:
        return None


def format_percent(risk: float, decimals: int = 1) -> str:
    """Return a risk in percent, as `12.3%`; only 0.0 and 1.0 give `0%` and `100%`.

    Other risks that would be rounded to these give `<0.1%` and `>99.9%`.
    """
    if risk in {0.0, 1.0}:
        return f"{risk:.0%}"
    least = 10.0 ** (-2 - decimals)
    if risk < least / 2:
        return f"<{least:.{decimals}%}"
    if risk > 1 - least / 2:
        return f">{1 - least:.{decimals}%}"
    return f"{risk:.{decimals}%}"


def format_trimmed_percent(risk: float) -> str:
    """Return a risk as `format_percent` does, but without a trailing `.0`: half is `50%`."""
    return format_percent(risk).replace(".0%", "%")


def join_sentences(sentences: list[str]) -> str:
    """Return the sentences as one text, joined as the current language writes them."""
    text, *rest = sentences
    for sentence in rest:
        text = tr("{text} {sentence}", text=text, sentence=sentence)
    return text
