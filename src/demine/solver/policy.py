"""Which covered cell to open: a certain one, else a sound guess."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, SupportsIndex

import numpy as np

from demine.logic.neighbours import neighbours
from demine.solver.count import STATES
from demine.solver.probability import mine_probability

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

ALIKE: Final = 1e-9
"""Chances that differ less than this are taken for equal, so that rounding never decides a move."""


class Move(NamedTuple):
    """A cell to open, and the probability that it is a mine: exactly 0.0 if it is proven safe."""

    row: int
    col: int
    risk: float


def best_move(scene: ArrayLike, mines: SupportsIndex, *, states: int = STATES) -> Move | None:
    """Return the covered cell to open: a certainly safe one if there is any, else the least risky.

    Among cells of equal risk the one most likely to show no number goes first, since it opens more;
    then the one whose number is the least predictable; then the first by row and column. A flag is
    a note, so a flagged cell may be the answer. None means that every covered cell is a mine: the
    board is solved.

    Arguments and errors are those of `mine_probability`.
    """
    risk = mine_probability(scene, mines, states=states)
    covered = ~np.isnan(risk)
    if not covered.any() or float(np.nanmin(risk)) == 1.0:
        return None
    chance = np.where(covered, risk, 0.0)
    zero, spread = _reveals(chance)
    good = covered & (chance <= chance[covered].min() * (1 + ALIKE))
    for worth in (zero, spread):
        good &= worth >= worth[good].max() - ALIKE
    row, col = divmod(int(np.flatnonzero(good)[0]), good.shape[1])
    return Move(row, col, float(risk[row, col]))


def _reveals(
    chance: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how likely each cell has no mine around, and how far its number is spread.

    Neighbours are taken as independent: this only breaks ties.
    """
    height, width = chance.shape
    padded = np.zeros((height + 2, width + 2))
    padded[1:-1, 1:-1] = chance
    zero, spread = np.ones_like(chance), np.zeros_like(chance)
    for row, col in neighbours(1, 1, 3, 3):
        near = padded[row : row + height, col : col + width]
        zero *= 1 - near
        spread += near * (1 - near)
    return zero, spread
