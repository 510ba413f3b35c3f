"""Judging an act by what could be known before it: whether it was a guess, and what was better."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import numpy as np

from demine.logic.json_text import ToJson
from demine.scene.translation import ntr, tr
from demine.solver.errors import SceneError, TooComplex
from demine.solver.exact.combine_components import (
    ABOVE_ZERO,
    BELOW_ONE,
    CountingProblem,
    total_layouts,
)
from demine.solver.exact.dynamic_program import (
    DEFAULT_STATES,
    Contradiction,
    StateBudget,
    build_graphs,
)
from demine.solver.exact.ordered_components import find_components
from demine.solver.exact.parse_board import checked_covered_cell, checked_scene, parse_board
from demine.solver.exact.probability import count_layouts, mine_probability
from demine.solver.hint import explain_if_feasible, format_trimmed_percent, join_sentences
from demine.solver.player.choose_cell import (
    EQUAL_WITHIN,
    best_move_by_probability,
    least_risky_cell,
)
from demine.solver.player.move import Move
from demine.solver.proof.partial_deduction_fallback import certain_else_half_probability

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition
    from demine.solver.proof.explain import Reason

    Cell = tuple[int, int]

BLUNDER_MARGIN: Final = 0.05
"""A guess is a blunder if its risk exceeds the least one by more than this. With a smaller excess
it may have been chosen for what its number tells, which the risk does not show."""


class JudgementKind(StrEnum):
    r"""The kind of an act, by what could be known before it.

    >>> import demine
    >>> demine.judge("3x2/1\n1 # #\n1 # #", cells=[(0, 2)]).kind
    <JudgementKind.PROVEN: 'proven'>
    """

    PROVEN = "proven"
    """Every opened cell was certainly safe."""
    FORCED = "forced"
    """A guess when no cell was certainly safe: the best one, or no other had clearly less risk."""
    AVOIDABLE = "avoidable"
    """A guess although another cell was certainly safe."""
    BLUNDER = "blunder"
    """A guess when no cell was certainly safe, but another one had clearly less risk."""
    CERTAIN_MINE = "certain-mine"
    """A certain mine was opened, or cells that could not all be safe."""


@dataclass(frozen=True, slots=True)
class Judgement(ToJson):
    r"""What an act was; `risk` is the probability that at least one of its cells was a mine.

    `best` is the move to make instead: a certainly safe one with risk 0.0 if there was one, else
    the best guess; None if every safe cell was open. `reason` says why `best` is safe if the act
    was avoidable, and why its first cell is safe if it was proven. If a certain mine was opened, it
    is the easier of two ways: why that is a mine, or why `best` is safe. It is None for other acts,
    and where it takes too much work to find.

    >>> import demine
    >>> judged = demine.judge("3x1/1\n# 1 #", cells=[(0, 0)])
    >>> judged.kind, judged.risk
    (<JudgementKind.FORCED: 'forced'>, 0.5)
    >>> print(judged)
    A forced guess at 50%: no cell was certain.
    """

    cells: tuple[Cell, ...]
    kind: JudgementKind
    risk: float
    best: Move | None
    reason: Reason | None = None

    @property
    def is_guess(self) -> bool:
        """Whether it was a guess, good or bad: neither certainly safe nor certain to lose."""
        return 0.0 < self.risk < 1.0

    def __str__(self) -> str:
        """Return the judgement as sentences in the current language."""
        why = "" if self.reason is None else str(self.reason)
        if self.reason is not None and self.reason.cell in self.cells:
            # Here the reason is about the opened cells, not about the better move.
            sentences = [self._verdict_sentence(), why, self._better_move_sentence()]
        else:
            sentences = [self._verdict_and_better_move(), why]
        return join_sentences([sentence for sentence in sentences if sentence])

    def to_dict(self) -> dict[str, Any]:
        """Return the judgement as plain values, with its sentences as `text`."""
        best, reason = self.best, self.reason
        return {
            "cells": [list(cell) for cell in self.cells],
            "kind": self.kind.value,
            "risk": self.risk,
            "best": None if best is None else {"cell": [best.row, best.col], "risk": best.risk},
            "reason": None if reason is None else reason.to_dict(),
            "text": str(self),
        }

    def _verdict_sentence(self) -> str:
        count, risk = len(self.cells), format_trimmed_percent(self.risk)
        match self.kind:
            case JudgementKind.PROVEN:
                return ntr("That cell was certainly safe.", "Those cells were all safe.", count)
            case JudgementKind.CERTAIN_MINE if self.reason is None and count > 1:
                return tr("Those cells could not all be safe: opening them was certain to lose.")
            case JudgementKind.CERTAIN_MINE:
                return tr("That was certainly a mine.")
            case JudgementKind.AVOIDABLE:
                return tr("That was a needless risk of {risk}.", risk=risk)
            case JudgementKind.FORCED:
                return tr("A forced guess at {risk}: no cell was certain.", risk=risk)
            case JudgementKind.BLUNDER:
                return tr("No cell was certain, but {risk} was more risk than needed.", risk=risk)

    @property
    def _better(self) -> Move | None:
        """The move to make instead, if that had less risk."""
        best = self.best
        return None if best is None or best.risk >= self.risk * (1 - EQUAL_WITHIN) else best

    def _verdict_and_better_move(self) -> str:
        """Return both: in one sentence, for below a small board there is one line for it."""
        better = self._better
        if better is None or (self.kind is JudgementKind.CERTAIN_MINE and not self.reason):
            said = [self._verdict_sentence(), self._better_move_sentence()]
            return join_sentences([each for each in said if each])
        fields: dict[str, object] = {"row": better.row, "col": better.col}
        if self.kind is JudgementKind.CERTAIN_MINE:
            return tr("A certain mine; row {row}, column {col} was safe.", **fields)
        fields["risk"] = format_trimmed_percent(self.risk)
        if better.risk == 0.0:
            return tr("A needless {risk} risk; row {row}, column {col} was safe.", **fields)
        fields["least"] = format_trimmed_percent(better.risk)
        return tr("A needless {risk} risk; row {row}, column {col} had only {least}.", **fields)

    def _better_move_sentence(self) -> str:
        better = self._better
        if better is None:
            return ""
        where: dict[str, object] = {"row": better.row, "col": better.col}
        if better.risk == 0.0:
            return tr("Row {row}, column {col} was safe.", **where)
        risk = format_trimmed_percent(better.risk)
        return tr("Row {row}, column {col} had only {risk}.", risk=risk, **where)


def judge(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    cells: Iterable[tuple[int, int]] = (),
    *,
    why: bool = True,
    states: int = DEFAULT_STATES,
    probability: NDArray[np.float64] | None = None,
) -> Judgement:
    r"""Judge the opening of covered cells, `(row, col)`, on the scene board just before it.

    One cell is a click, several are a chord: name the cells that it opened itself, without those
    uncovered by an opening. Flags are ignored, and what the rules promise for the first cell is not
    known. With `why=False` no reason is looked for, which is faster. `probability` is the
    `mine_probability` of this scene, if it is known already.

    Errors are those of `mine_probability`, and `SceneError` for cells that are not covered. But a
    position that is too complex is judged if a part of its numbers is enough.

    >>> import demine
    >>> print(demine.judge("3x1/1\n# 1 #", cells=[(0, 0)]))
    A forced guess at 50%: no cell was certain.
    """
    faces, number = checked_scene(scene, mines)
    chosen = _checked_cells(faces, cells)
    if probability is None:
        probability = _full_or_partial_probability(faces, number, chosen, states)
    risk = _joint_risk(faces, number, chosen, probability, states)
    best = least_risky_cell(probability)
    kind = _kind_of_risk(risk, float(np.nanmin(probability)))
    if kind is JudgementKind.BLUNDER and len(chosen) == 1:
        # A cell that a hint would have advised for its prospects is no mistake.
        move = best_move_by_probability(faces, number, probability)
        if move is not None and chosen[0] == (move.row, move.col):
            kind, best = JudgementKind.FORCED, move
    reason = _reason_for(kind, faces, number, chosen, probability) if why else None
    if reason is not None and reason.safe and kind is not JudgementKind.PROVEN:
        best = Move(*reason.cell, 0.0)
    return Judgement(chosen, kind, risk, best, reason)


def _checked_cells(faces: NDArray[np.uint8], cells: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
    try:
        chosen = tuple(dict.fromkeys(checked_covered_cell(cell, faces) for cell in cells))
    except TypeError:
        raise SceneError("a cell is a row and a column, not {cell!r}", cell=cells) from None
    if not chosen:
        raise SceneError("no cell was opened, so there is nothing to judge")
    return chosen


def _full_or_partial_probability(
    faces: NDArray[np.uint8], mines: int, chosen: tuple[Cell, ...], states: int
) -> NDArray[np.float64]:
    """Return the `mine_probability`, or where that is too complex only certain cells.

    Raises `TooComplex` unless these include the chosen cells and a safe one.
    """
    try:
        return mine_probability(faces, mines, states=states)
    except TooComplex:
        chance = certain_else_half_probability(faces, mines, states)
        risks = [chance[cell] for cell in chosen]
        if float(np.nanmin(chance)) > 0.0 or max(risks) not in {0.0, 1.0}:
            raise
        return chance


def _kind_of_risk(risk: float, lowest: float) -> JudgementKind:
    if risk == 0.0:
        return JudgementKind.PROVEN
    if risk == 1.0:
        return JudgementKind.CERTAIN_MINE
    if lowest == 0.0:
        return JudgementKind.AVOIDABLE
    return JudgementKind.FORCED if risk <= lowest + BLUNDER_MARGIN else JudgementKind.BLUNDER


def _reason_for(
    kind: JudgementKind,
    faces: NDArray[np.uint8],
    mines: int,
    cells: tuple[Cell, ...],
    probability: NDArray[np.float64],
) -> Reason | None:
    if kind is JudgementKind.AVOIDABLE:
        return explain_if_feasible(faces, mines)
    if kind is JudgementKind.PROVEN:
        return explain_if_feasible(faces, mines, cells[0])
    if kind is JudgementKind.CERTAIN_MINE:
        return _easiest_reason_against(faces, mines, cells, probability)
    return None


def _easiest_reason_against(
    faces: NDArray[np.uint8],
    mines: int,
    cells: tuple[Cell, ...],
    probability: NDArray[np.float64],
) -> Reason | None:
    """Return the easier of the ways to avoid a certain mine, of equal ones the first.

    One is to see that a chosen cell is a mine, the other to see another cell that is safe.
    """
    sure = [cell for cell in cells if probability[cell] == 1.0]
    found = [explain_if_feasible(faces, mines, cell) for cell in sure]
    if sure and (probability == 0.0).any():
        found.append(explain_if_feasible(faces, mines))
    known = [reason for reason in found if reason is not None]
    return min(known, key=lambda why: (why.pattern.level, len(why.because)), default=None)


def _joint_risk(
    faces: NDArray[np.uint8],
    mines: int,
    cells: tuple[Cell, ...],
    probability: NDArray[np.float64],
    states: int,
) -> float:
    """Return the probability that at least one of these cells is a mine."""
    risks = {cell: float(probability[cell]) for cell in cells}
    open_ = [cell for cell, risk in risks.items() if risk > 0.0]
    if len(open_) < 2 or max(risks.values()) == 1.0:
        return max(risks.values())
    # The cells of a chord are not independent, so their risks cannot be multiplied.
    width = faces.shape[1]
    good = _count_layouts_with_safe(faces, mines, {row * width + col for row, col in open_}, states)
    if not good:
        return 1.0
    bad = 1 - Fraction(good, count_layouts(faces, mines, states=states))
    return min(max(float(bad), ABOVE_ZERO), BELOW_ONE)


def _count_layouts_with_safe(
    faces: NDArray[np.uint8], mines: int, safe_cells: set[int], states: int
) -> int:
    """Return the number of layouts in which all these cells are safe; none is a certain mine.

    They are removed from their boxes and the sea, like opened cells without a number.
    """
    board = parse_board(faces, mines)
    boxes = [
        box._replace(cells=tuple(cell for cell in box.cells if cell not in safe_cells))
        for box in board.boxes
    ]
    kept = tuple(box for box in boxes if box.cells)
    touched = {number for box in kept for number in box.numbers}
    untouched = {number for box in boxes for number in box.numbers} - touched
    if any(board.needs[number] for number in untouched):
        return 0
    sea = int(np.count_nonzero(~np.isin(board.sea, list(safe_cells))))
    budget = StateBudget(states)
    try:
        graphs = build_graphs(find_components(replace(board, boxes=kept)), budget)
    except Contradiction:
        return 0
    return total_layouts(CountingProblem(graphs, board.mines_left, sea))
