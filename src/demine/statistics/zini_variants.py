"""The figures of efficiency players: the fewest clicks by several ways of clearing a known board.

All are upper bounds of the fewest clicks there are. They go on from the greedy clearing of
`demine.statistics.zini` and differ in what decides between equals:

* **8-way**: the greedy clearing in each of the eight orders of looking through rows and columns.
* **100-chain**: numbers that are chorded are joined to *chains*, see `ChainClearing`; a hundred
  clearings that prefer cells in orders drawn by lot.
* **WoM**: of equals the one after which the best premium is highest, see `clear_looking_ahead`.

The definitions are those of LlamaSweeper; docs/statistics.md has them in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.zini import BASE, BEST, GreedyClearing, flat_in_order, zini_of_regions
from demine.statistics.zini_priorities import priority_orders

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

RUNS: Final = 100
"""How many clearings the 100-chain ZiNi is the least of."""
MOST_CELLS: Final = 4096
"""Boards of more cells have none of these figures in the table: they would take minutes."""
_STEP: Final = 1000
"""What a premium counts for beside the number of cells that have it."""
_ROWS: Final = 10
"""Rows of numbers that the compiled twins work in, and how many chains a number is linked with."""


def zini_8way(mine_map: ArrayLike) -> int:
    """Return the 8-way ZiNi of a layout, bool `(height, width)`: the least of eight greedy ones.

    Raises `LayoutError` for what is no mine map.
    """
    mines = LayoutRegions.of(mine_map).mines
    return min(
        zini_of_regions(LayoutRegions(np.ascontiguousarray(turned[::down, ::right])))
        for turned in (mines, mines.T)
        for down in (1, -1)
        for right in (1, -1)
    )


def zini_chain(mine_map: ArrayLike, runs: int = RUNS) -> int:
    """Return the chain ZiNi: the least of `runs` clearings that join chains.

    Cells are preferred in the orders of `demine.statistics.zini_priorities`, whose seed is the
    number of runs, so that the value is always the same. Raises `LayoutError` for what is no mine
    map.
    """
    ground = LayoutRegions.of(mine_map)
    preferred = priority_orders(ground.mines.size, max(1, runs))
    kernel = STATISTICS_KERNELS.compiled_kernel("chain_least")
    if kernel is None:
        return min(ChainClearing(ground, order).clear() for order in preferred)
    found: int = kernel(
        *_mines_by_columns(ground),
        preferred,
        *_kernel_work_arrays(ground),
        np.empty(_ROWS, np.int64),
    )
    return found


def hzini_wom(mine_map: ArrayLike) -> int:
    """Return the H-ZiNi of minesweeper.online: openings first, then the best of equals.

    Raises `LayoutError` for what is no mine map.
    """
    return _zini_with_look_ahead(LayoutRegions.of(mine_map), human=True)


def zini_wom(mine_map: ArrayLike, *, exact: bool = False) -> int:
    """Return the ZiNi of minesweeper.online (WoM), which is no more than its H-ZiNi.

    There a number's premium counts one opening less than it borders on, as long as all is closed;
    with `exact` it counts them all. Raises `LayoutError` for what is no mine map.
    """
    ground = LayoutRegions.of(mine_map)
    return min(
        _zini_with_look_ahead(ground, exact=exact), _zini_with_look_ahead(ground, human=True)
    )


def _zini_with_look_ahead(
    ground: LayoutRegions, *, human: bool = False, exact: bool = False
) -> int:
    short = not (human or exact)
    kernel = STATISTICS_KERNELS.compiled_kernel("wom_clear")
    if kernel is None:
        board = GreedyClearing(ground, human=human)
        if human:
            board.click_openings()
        if short:
            border = flat_in_order(ground.hint > 0, None) & flat_in_order(
                ~(ground.lone | ground.mines), None
            )
            for cell in np.flatnonzero(border).tolist():
                board.premium[cell] -= 1
        return clear_looking_ahead(board)
    found: int = kernel(
        *_mines_by_columns(ground),
        int(human),
        int(short),
        *_kernel_work_arrays(ground),
        *_kernel_work_arrays(ground),
    )
    return found


def _mines_by_columns(ground: LayoutRegions) -> tuple[NDArray[np.uint8], int]:
    """Return the mines column by column as the twins take them, and the cells of a column."""
    mines = np.ascontiguousarray(ground.mines.T).view(np.uint8).reshape(-1)
    return mines, ground.mines.shape[0]


def _kernel_work_arrays(ground: LayoutRegions) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return work arrays for the twins."""
    height, width = ground.mines.shape
    walled = (height + 2) * (width + 2)
    return np.empty((5, walled), np.uint8), np.empty((_ROWS, walled), np.int64)


class ChainClearing(GreedyClearing):
    """A board being cleared by chains: numbers that are chorded and lead to one another.

    Two numbers are linked where they touch or border on the same opening. What is chorded falls
    into chains, the linked pieces of it, and each chain needs one click to begin with: wherever it
    is begun, the rest of it opens. To chord a number that is linked with several chains makes them
    one, and saves the first click of all but one of them. That counts for its premium, and in
    hindsight for the clicks.
    """

    def __init__(self, ground: LayoutRegions, order: NDArray[np.int64]) -> None:
        super().__init__(ground, order=order)
        self._parent = [-1] * len(self.mine)
        """Leads each number that was chorded to the root of its chain, which leads to itself."""
        self._bonus: dict[int, int] = {}
        """What joining chains adds to a premium, where it does."""
        self._borders, self._touched = _opening_borders(ground, order)
        self._beside = [-1] * len(self._borders)
        """A number on the border of each opening that was chorded."""

    def chord(self, cell: int) -> None:
        """Chord a number and join the chains it is linked with."""
        met = self._met(cell)
        super().chord(cell)
        self.premium[cell] = 0
        self._parent[cell] = cell
        for root in met:
            self._parent[root] = cell
        changed = set(self.near[cell])
        if len(met) > 1:
            self.clicks -= len(met) - 1
            # Nothing else was linked with two of them.
            changed.update(self._bonus)
        for opening in self._touched[cell]:
            if self._beside[opening] < 0:
                changed.update(self._borders[opening])
            self._beside[opening] = cell
        for each in changed:
            if self.premium[each]:
                self._reckon(each)

    def _root(self, cell: int) -> int:
        parent = self._parent
        while parent[cell] != cell:
            parent[cell] = cell = parent[parent[cell]]
        return cell

    def _met(self, cell: int) -> set[int]:
        """Return the roots of the chains that a number is linked with."""
        linked = [other for other in self.near[cell] if self._parent[other] >= 0]
        linked += [self._beside[each] for each in self._touched[cell] if self._beside[each] >= 0]
        return {self._root(other) for other in linked}

    def _reckon(self, cell: int) -> None:
        """Let a number's premium count the chains that it would join."""
        bonus = max(0, len(self._met(cell)) - 1)
        self.premium[cell] += bonus - self._bonus.pop(cell, 0)
        if bonus:
            self._bonus[cell] = bonus


def _opening_borders(
    ground: LayoutRegions, order: NDArray[np.int64]
) -> tuple[list[list[int]], list[tuple[int, ...]]]:
    """Return the numbers on the border of each opening, and the openings each cell borders on."""
    width, height = ground.mines.shape[::-1]
    rank = np.argsort(order).reshape(width, height).T
    part = np.where(ground.zero, ground.parts.reshape(height, width), -1)
    padded = np.pad(part, 1, constant_values=-1)
    number = ~(ground.mines | ground.zero)
    found: dict[int, set[int]] = {}
    for down in range(3):
        for right in range(3):
            near = padded[down : down + height, right : right + width]
            at = number & (near >= 0)
            for opening, cell in zip(near[at].tolist(), rank[at].tolist(), strict=True):
                found.setdefault(opening, set()).add(cell)
    borders = [sorted(found[opening]) for opening in sorted(found)]
    touched: list[list[int]] = [[] for _ in range(rank.size)]
    for opening, cells in enumerate(borders):
        for cell in cells:
            touched[cell].append(opening)
    return borders, [tuple(each) for each in touched]


def clear_looking_ahead(board: GreedyClearing) -> int:
    """Clear a board looking one chord ahead; return how many clicks it took.

    Of the numbers with the best premium the one is chorded after which 1000 times the then best
    premium and the number of cells that have it are most; the first of equals, and the first of all
    where that is negative everywhere. Where no premium is at least 0, the first closed opening is
    clicked, without one the first closed lone number.
    """
    following = {1: 0, 0: 0}
    while board.wanted:
        cell = board.best()
        if cell >= 0:
            board.chord(_best_chord_looking_ahead(board, cell))
            continue
        for zero in (1, 0):
            wanted = board.zero if zero else board.lone
            at = following[zero]
            while at < len(wanted) and not (board.closed[at] and wanted[at]):
                at += 1
            following[zero] = at
            if at < len(wanted):
                board.clicks += 1
                board.click(at)
                break
    return board.clicks


def _best_chord_looking_ahead(board: GreedyClearing, first: int) -> int:
    """Return the number to chord of those with the same premium, of which one is the first."""
    value = board.premium[first]
    if board.premium.count(value) == 1:
        return first
    chosen, most = first, -1
    cell = first
    while cell >= 0:
        ahead = board.copy()
        ahead.chord(cell)
        promise = _best_premium_and_count(ahead.premium)
        if promise > most:
            chosen, most = cell, promise
        cell = board.premium.find(value, cell + 1)
    return chosen


def _best_premium_and_count(premium: bytearray) -> int:
    """Return 1000 times the best premium, and how many cells have it."""
    for value in range(BEST, 0, -1):
        count = premium.count(value)
        if count:
            return _STEP * (value - BASE) + count
    return -_STEP * BASE
