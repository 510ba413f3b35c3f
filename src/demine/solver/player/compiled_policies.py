"""What the policies need to play compiled: the kernels' arrays, and the first cell to open.

The policies themselves are declared in `demine.solver.player.policy_table`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.rules import First
from demine.solver.exact.kernels.offsets import APART, PADDED
from demine.solver.player.kernels import offsets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.player.policy_table import Policy

_BUDGET: Final = 20_000_000
_SMALL_CELLS: Final = 36
_DENSE: Final = 4.2
"""On boards of so few cells, mines are dense from one in so many on."""
_DICE_SEED: Final = 20_260_101


@dataclass(frozen=True, slots=True)
class Desk:
    """The arrays that the player's kernels work in; one for each thread."""

    work: NDArray[np.int64] = field(default_factory=lambda: np.zeros(offsets.WORK, np.int64))
    values: NDArray[np.float64] = field(default_factory=lambda: np.zeros(offsets.VALUES))
    hints: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(offsets.HINTS, np.uint8))

    def __post_init__(self) -> None:
        dice = np.random.default_rng(_DICE_SEED)
        for begin, size in ((offsets.DICE, APART), (offsets.MARKS, offsets.LAYOUTS)):
            self.work[begin : begin + size] = dice.integers(1, 1 << 62, size)
        logs = [math.lgamma(number + 1) for number in range(PADDED)]
        self.values[offsets.LOGS : offsets.LOGS + PADDED] = logs


def fits(rules: Rules) -> bool:
    """Whether a board is small enough for the kernels."""
    return (rules.height + 2) * (rules.width + 2) <= PADDED


def first_cell(rules: Rules) -> tuple[int, int]:
    """Return where the policies begin, `(row, col)`.

    A corner, or beside it where mines are dense, unless the first cell opens an opening: then two
    cells from both edges, three on large boards (win rates of all first cells: README of
    b1f6c1c4/MSolver, 100 to 500 million games each). Small boards begin nearer to the corner, so
    that the promise fits. `demine.solver.player.best_first_cell.best_first` finds the best cell of
    a small board.
    """
    if rules.first is First.ZERO:
        return inward(rules.height, rules.width)
    return corner_or_edge(rules.height, rules.width, rules.mines)


def inward(height: int, width: int) -> tuple[int, int]:
    """Return the first cell where it is to open an opening."""
    cells = 3 if min(height, width) >= 16 and max(height, width) > 16 else 2
    return min(cells, (height - 1) // 2), min(cells, (width - 1) // 2)


def corner_or_edge(height: int, width: int, mines: int) -> tuple[int, int]:
    """Return the first cell where it is safe at most: a corner, where it opens an opening most.

    On small boards of many mines that is rare, and the cell beside it on the shorter edge tells
    more (exact on boards of up to 25 cells).
    """
    cells = height * width
    if cells > _SMALL_CELLS or mines * _DENSE < cells or min(height, width) == 1:
        return 0, 0
    return (0, 1) if height >= width else (1, 0)


def set_to(desk: Desk, policy: Policy) -> None:
    """Set the dials of a desk to what a policy wants."""
    desk.values[offsets.DIALS : offsets.VALUES] = 0.0
    for dial, value in policy.dials:
        desk.values[offsets.DIALS + dial] = value
    desk.work[offsets.BUDGET] = _BUDGET
