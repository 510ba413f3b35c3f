"""The best first cell of a small board, found by playing all its layouts out."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.neighbours import neighbours
from demine.logic.rules import First
from demine.solver.player import advise
from demine.solver.player.compiled_policies import corner_or_edge, inward
from demine.solver.player.kernels import advise_kernel

if TYPE_CHECKING:
    from demine.logic.rules import Rules

MOST_LAYOUTS: Final = 400_000
BUDGET: Final = 200_000_000
"""What all searches for one board may take: some seconds, compiled."""
_LAST_NUMBER: Final = 8


def first_of(rules: Rules) -> tuple[int, int]:
    """Return the best first cell; of large boards that of `compiled_policies.first_cell`."""
    return best_first(rules.height, rules.width, rules.mines, rules.first is First.ZERO)


@lru_cache(maxsize=64)
def best_first(height: int, width: int, mines: int, zero: bool) -> tuple[int, int]:
    """Return the first cell, `(row, col)`, from which the best play wins most layouts.

    `zero`: of those where the cell opens an opening, the largest share; else of those where it is
    safe. Only the four cells of a corner are compared then, since no other was ever found best.
    Where a board is too large for that, the rule of
    `demine.solver.player.compiled_policies.first_cell` stands.
    """
    ruled = inward(height, width) if zero else corner_or_edge(height, width, mines)
    if comb(height * width, mines) > MOST_LAYOUTS or not 0 < mines < height * width:
        return ruled
    advise.warm()
    best, most = ruled, Fraction(-1)
    left = BUDGET
    for cell in _candidates(ruled, height, width, zero):
        kept = len(list(neighbours(*cell, height, width))) + 1 if zero else 1
        layouts = comb(height * width - kept, mines)
        if layouts == 0:
            continue
        wins, spent = _wins(cell, height, width, mines, zero, left)
        left -= spent
        if wins < 0 or left <= 0:
            return ruled
        if Fraction(wins, layouts) > most:
            best, most = cell, Fraction(wins, layouts)
    return best


def _candidates(
    ruled: tuple[int, int], height: int, width: int, zero: bool
) -> list[tuple[int, int]]:
    """Return cells of which no two are alike by symmetry, that of the rule first."""
    rows, cols = ((height + 1) // 2, (width + 1) // 2) if zero else (min(2, height), min(2, width))
    found = [
        (row, col) for row in range(rows) for col in range(cols) if height != width or row <= col
    ]
    return sorted(found, key=lambda cell: cell != ruled)


def _wins(
    cell: tuple[int, int], height: int, width: int, mines: int, zero: bool, budget: int
) -> tuple[int, int]:
    """Return how many layouts are won from a first cell, and what it took to find out."""
    covered = np.full((height, width), 9, np.uint8)
    place = advise.Rims(height, width).place(cell)
    wanted = np.array([place, 0 if zero else _LAST_NUMBER, budget], np.int64)
    spent = np.zeros(1, np.int64)
    wins = advise.ask(advise_kernel.OPENING, covered, mines, "best", wanted, spent)
    return int(wins), int(spent[0])
