"""An act judged by what could be known before it: a guess or not, and what was better."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Final, SupportsIndex

import numpy as np

from demine.scene.translation import ntr, tr
from demine.solver.errors import SceneError, TooComplex
from demine.solver.exact.combine import ABOVE_ZERO, BELOW_ONE, Whole, layouts
from demine.solver.exact.dynamic_program import STATES, Budget, Contradiction, graphs_of
from demine.solver.exact.frontier import components
from demine.solver.exact.parse import read_cell, read_scene, survey
from demine.solver.exact.probability import count_layouts, mine_probability
from demine.solver.hint import easiest, in_words, joined
from demine.solver.player.choose_cell import ALIKE, Move, least_risky, move_of
from demine.solver.proof.too_complex_fallback import partly, rough

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from demine.solver.proof.explain import Reason

    Cell = tuple[int, int]

CLEARLY: Final = 0.05
"""A guess that risks so much more than the best one is a blunder; below, it may have been for what
it would have shown, which a risk alone does not tell."""


class Kind(StrEnum):
    """What an act was, by what could be known."""

    PROVEN = "proven"
    """Every cell was certainly safe."""
    FORCED = "forced"
    """No cell was certainly safe, and hardly any guess had less risk, or it was the best guess."""
    AVOIDABLE = "avoidable"
    """A risk, while another cell was certainly safe."""
    BLUNDER = "blunder"
    """No cell was certainly safe, but a guess with clearly less risk was there."""
    CERTAIN_MINE = "certain-mine"
    """A mine for certain: a cell that was proven to be one, or cells that could not all be safe."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an act was, and the probability before it that at least one of its cells is a mine.

    `best` is the move to make instead: a certainly safe one if there was any, with risk 0.0, else
    the best guess; None if every safe cell was open. `reason` tells why: of an avoidable act why
    `best` is safe, of a proven one why its first cell is, of a certain mine why it is one; else,
    and where a proof is too much work to put into words, it is None.
    """

    cells: tuple[Cell, ...]
    kind: Kind
    risk: float
    best: Move | None
    reason: Reason | None = None

    @property
    def is_guess(self) -> bool:
        """Whether it was a guess, good or bad: neither proven nor hopeless."""
        return 0.0 < self.risk < 1.0

    def text(self) -> str:
        """Return the judgement as sentences, in the language set."""
        why = "" if self.reason is None else self.reason.text()
        said = [self._verdict(), self._instead(), why]
        if self.kind is not Kind.AVOIDABLE:
            # There the reason is of what was opened, else of what was missed.
            said[1:] = reversed(said[1:])
        return joined([sentence for sentence in said if sentence])

    def _verdict(self) -> str:
        count, risk = len(self.cells), in_words(self.risk)
        match self.kind:
            case Kind.PROVEN:
                return ntr("That cell was certainly safe.", "Those cells were all safe.", count)
            case Kind.CERTAIN_MINE if self.reason is None and count > 1:
                return tr("Those cells could not all be safe: opening them was certain to lose.")
            case Kind.CERTAIN_MINE:
                return tr("That was a mine for certain.")
            case Kind.AVOIDABLE:
                return tr("That was a needless risk of {risk}.", risk=risk)
            case Kind.FORCED:
                return tr("No cell was certain: that was a forced guess, at {risk}.", risk=risk)
            case Kind.BLUNDER:
                return tr("No cell was certain, but {risk} was more risk than needed.", risk=risk)

    def _instead(self) -> str:
        """Return what would have been better, if anything."""
        best = self.best
        if best is None or best.risk >= self.risk * (1 - ALIKE):
            return ""
        where: dict[str, object] = {"row": best.row, "col": best.col}
        if best.risk == 0.0:
            return tr("Row {row}, column {col} was safe.", **where)
        return tr("Row {row}, column {col} had only {risk}.", risk=in_words(best.risk), **where)


def judge(
    scene: ArrayLike,
    mines: SupportsIndex,
    cells: Iterable[tuple[int, int]],
    *,
    why: bool = True,
    states: int = STATES,
    chance: NDArray[np.float64] | None = None,
) -> Judgement:
    """Judge the opening of covered cells, `(row, col)`, on the scene board just before it.

    One cell is a click, several are a chord: give those that it opened itself, without what an
    opening uncovers. Flags are notes. Without `why` no reasons are looked for, which is faster.
    What the rules promise of the first cell is not known here. Errors are those of
    `mine_probability`, and `SceneError` for cells that are not covered; where a part of the numbers
    is enough to judge, no position is too complex. `chance` is the `mine_probability` of this very
    scene, for whoever knows it already.
    """
    faces, number = read_scene(scene, mines)
    chosen = _checked(faces, cells)
    if chance is None:
        chance = _chance(faces, number, chosen, states)
    risk = _risk(faces, number, chosen, chance, states)
    best = least_risky(chance)
    kind = _kind(risk, float(np.nanmin(chance)))
    if kind is Kind.BLUNDER and len(chosen) == 1:
        # What a hint would have named for its prospects is no mistake.
        move = move_of(faces, number, chance)
        if move is not None and chosen[0] == (move.row, move.col):
            kind, best = Kind.FORCED, move
    reason = _reason(kind, faces, number, chosen, chance) if why else None
    if reason is not None and kind is Kind.AVOIDABLE:
        best = Move(*reason.cell, 0.0)
    return Judgement(chosen, kind, risk, best, reason)


def _checked(faces: NDArray[np.uint8], cells: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
    try:
        chosen = tuple(dict.fromkeys(read_cell(cell, faces) for cell in cells))
    except TypeError:
        raise SceneError("a cell is a row and a column, not {cell!r}", cell=cells) from None
    if not chosen:
        raise SceneError("no cell was opened, so there is nothing to judge")
    return chosen


def _chance(
    faces: NDArray[np.uint8], mines: int, chosen: tuple[Cell, ...], states: int
) -> NDArray[np.float64]:
    """Return the `mine_probability`, or what is enough to judge where that is too complex.

    That is enough for cells that are certain, if a safe one is known.
    """
    try:
        return mine_probability(faces, mines, states=states)
    except TooComplex:
        chance = rough(faces, partly(faces, mines, states))
        risks = [chance[cell] for cell in chosen]
        if float(np.nanmin(chance)) > 0.0 or max(risks) not in {0.0, 1.0}:
            raise
        return chance


def _kind(risk: float, lowest: float) -> Kind:
    if risk == 0.0:
        return Kind.PROVEN
    if risk == 1.0:
        return Kind.CERTAIN_MINE
    if lowest == 0.0:
        return Kind.AVOIDABLE
    return Kind.FORCED if risk <= lowest + CLEARLY else Kind.BLUNDER


def _reason(
    kind: Kind,
    faces: NDArray[np.uint8],
    mines: int,
    cells: tuple[Cell, ...],
    chance: NDArray[np.float64],
) -> Reason | None:
    """Return why the safe cell that was missed is safe, or why an opened one is what it is."""
    if kind is Kind.AVOIDABLE:
        return easiest(faces, mines)
    if kind is Kind.PROVEN:
        return easiest(faces, mines, cells[0])
    if kind is Kind.CERTAIN_MINE:
        sure = [cell for cell in cells if chance[cell] == 1.0]
        return easiest(faces, mines, sure[0]) if sure else None
    return None


def _risk(
    faces: NDArray[np.uint8],
    mines: int,
    cells: tuple[Cell, ...],
    chance: NDArray[np.float64],
    states: int,
) -> float:
    """Return the probability that at least one of these cells is a mine."""
    risks = {cell: float(chance[cell]) for cell in cells}
    open_ = [cell for cell, risk in risks.items() if risk > 0.0]
    if len(open_) < 2 or max(risks.values()) == 1.0:
        return max(risks.values())
    # The cells of a chord depend on each other, so their risks do not multiply.
    width = faces.shape[1]
    good = _safe_layouts(faces, mines, {row * width + col for row, col in open_}, states)
    if not good:
        return 1.0
    bad = 1 - Fraction(good, count_layouts(faces, mines, states=states))
    return min(max(float(bad), ABOVE_ZERO), BELOW_ONE)


def _safe_layouts(faces: NDArray[np.uint8], mines: int, cells: set[int], states: int) -> int:
    """Return the number of layouts in which all these cells, none of them a certain mine, are safe.

    They are taken out of their boxes and the sea, as if they were open and showed nothing.
    """
    seen = survey(faces, mines)
    boxes = [
        box._replace(cells=tuple(cell for cell in box.cells if cell not in cells))
        for box in seen.boxes
    ]
    kept = tuple(box for box in boxes if box.cells)
    heard = {number for box in kept for number in box.numbers}
    lost = {number for box in boxes for number in box.numbers} - heard
    if any(seen.needs[number] for number in lost):
        return 0
    sea = int(np.count_nonzero(~np.isin(seen.sea, list(cells))))
    budget = Budget(states)
    try:
        graphs = graphs_of(components(replace(seen, boxes=kept)), budget)
    except Contradiction:
        return 0
    return layouts(Whole(graphs, seen.left, sea))
