"""Variants of ZiNi that efficiency players use: the clicks of several ways to clear a known board.

All are upper bounds of the fewest possible clicks. They extend the greedy clearing of
`demine.statistics.zini` and differ in how they choose among equals:

* **8-way**: the least of eight greedy clearings, one for each order of rows and columns.
* **100-chain**: chorded numbers are joined to *chains*, see `ChainClearing`; the least of a hundred
  clearings that prefer cells in random orders.
* **WoM**: of equals the one after which the best premium is highest, see `clear_looking_ahead`.

The definitions are those of LlamaSweeper; docs/statistics.md has them in full.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.zini import (
    BASE,
    BEST,
    GreedyClearing,
    flat_in_order,
    kernel_work_arrays,
    zini_of_regions,
)
from demine.statistics.zini_priorities import priority_orders

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

RUNS: Final = 100
"""How many clearings the 100-chain ZiNi makes."""
MOST_CELLS: Final = 4096
"""Larger boards have no value of these statistics: it would take minutes."""
_STEP: Final = 1000
"""The weight of a premium against the number of cells that have it."""
_ROWS: Final = 10
"""Rows of the kernels' work arrays; also the most chains that a number can be linked with."""


def zini_8way(mine_map: ArrayLike) -> int:
    """Return the 8-way ZiNi of a layout, bool `(height, width)`: the least of eight ZiNi.

    Raises `LayoutError` for what is not a mine map.
    """
    mines = LayoutRegions.of(mine_map).mines
    return min(
        zini_of_regions(LayoutRegions(np.ascontiguousarray(turned[::down, ::right])))
        for turned in (mines, mines.T)
        for down in (1, -1)
        for right in (1, -1)
    )


@STATISTICS_KERNELS.stands_in
def zini_chain(mine_map: ArrayLike, runs: int = RUNS) -> int:
    """Return the chain ZiNi: the least of `runs` clearings that join chains.

    The preferred orders of cells, `demine.statistics.zini_priorities`, depend on `runs` only, so
    the value is always the same. Raises `LayoutError` for what is not a mine map.
    """
    regions = LayoutRegions.of(mine_map)
    preferred = priority_orders(regions.mines.size, max(1, runs))
    kernel = STATISTICS_KERNELS.compiled_kernel("chain_fewest_clicks")
    if kernel is None:
        return min(ChainClearing(regions, order).clear() for order in preferred)
    found: int = kernel(
        *_mines_by_columns(regions),
        preferred,
        *kernel_work_arrays(regions.mines.shape, _ROWS),
        np.empty(_ROWS, np.int64),
    )
    return found


def hzini_wom(mine_map: ArrayLike) -> int:
    """Return the H-ZiNi of minesweeper.online (WoM): openings first, then looking one chord ahead.

    Raises `LayoutError` for what is not a mine map.
    """
    return _zini_with_look_ahead(LayoutRegions.of(mine_map), human=True)


def zini_wom(mine_map: ArrayLike, *, exact: bool = False) -> int:
    """Return the ZiNi of minesweeper.online (WoM), or its H-ZiNi where that is less.

    There the first premiums count one opening less than a number borders on; with `exact` they
    count all of them. Raises `LayoutError` for what is not a mine map.
    """
    regions = LayoutRegions.of(mine_map)
    return min(
        _zini_with_look_ahead(regions, exact=exact), _zini_with_look_ahead(regions, human=True)
    )


@STATISTICS_KERNELS.stands_in
def _zini_with_look_ahead(
    regions: LayoutRegions, *, human: bool = False, exact: bool = False
) -> int:
    short = not (human or exact)
    kernel = STATISTICS_KERNELS.compiled_kernel("wom_clicks")
    if kernel is None:
        board = GreedyClearing(regions, human=human)
        if human:
            board.click_openings()
        if short:
            border = flat_in_order(regions.hint > 0, None) & flat_in_order(
                ~(regions.lone | regions.mines), None
            )
            for cell in np.flatnonzero(border).tolist():
                board.premium[cell] -= 1
        return clear_looking_ahead(board)
    found: int = kernel(
        *_mines_by_columns(regions),
        int(human),
        int(short),
        *kernel_work_arrays(regions.mines.shape, _ROWS),
        *kernel_work_arrays(regions.mines.shape, _ROWS),
    )
    return found


def _mines_by_columns(regions: LayoutRegions) -> tuple[NDArray[np.uint8], int]:
    """Return the mines column by column, as the kernels take them, and the height."""
    mines = np.ascontiguousarray(regions.mines.T).view(np.uint8).reshape(-1)
    return mines, regions.mines.shape[0]


class ChainClearing(GreedyClearing):
    """A board during a clearing that joins chorded numbers to chains.

    Two numbers are linked if they touch or border on the same opening; the chains are the connected
    components of the chorded numbers. Each chain costs one click to begin: from there the rest of
    it opens. A chord on a number that is linked with several chains joins them, which saves the
    first click of all but one; this counts for its premium and is subtracted from the clicks.
    """

    def __init__(self, regions: LayoutRegions, order: NDArray[np.int64]) -> None:
        super().__init__(regions, order=order)
        self._parent = [-1] * len(self.mine)
        """The parent of each chorded number on the way to the root of its chain; -1 for others."""
        self._bonus: dict[int, int] = {}
        """What joining chains adds to the premium of a cell, if it is not 0."""
        self._borders, self._touched = _opening_borders(regions, order)
        self._beside = [-1] * len(self._borders)
        """A chorded number on the border of each opening; -1 if there is none."""

    def chord(self, cell: int) -> None:
        """Chord a number and join the chains it is linked with, counting the clicks."""
        roots = self._linked_roots(cell)
        super().chord(cell)
        self.premium[cell] = 0
        self._parent[cell] = cell
        for root in roots:
            self._parent[root] = cell
        changed = set(self.near[cell])
        if len(roots) > 1:
            self.clicks -= len(roots) - 1
            # No other number was linked with two of these chains.
            changed.update(self._bonus)
        for opening in self._touched[cell]:
            if self._beside[opening] < 0:
                changed.update(self._borders[opening])
            self._beside[opening] = cell
        for each in changed:
            if self.premium[each]:
                self._update_premium(each)

    def _root(self, cell: int) -> int:
        parent = self._parent
        while parent[cell] != cell:
            parent[cell] = cell = parent[parent[cell]]
        return cell

    def _linked_roots(self, cell: int) -> set[int]:
        """Return the roots of the chains that a number is linked with."""
        linked = [other for other in self.near[cell] if self._parent[other] >= 0]
        linked += [self._beside[each] for each in self._touched[cell] if self._beside[each] >= 0]
        return {self._root(other) for other in linked}

    def _update_premium(self, cell: int) -> None:
        """Set what joining chains adds to the premium of a number."""
        bonus = max(0, len(self._linked_roots(cell)) - 1)
        self.premium[cell] += bonus - self._bonus.pop(cell, 0)
        if bonus:
            self._bonus[cell] = bonus


def _opening_borders(
    regions: LayoutRegions, order: NDArray[np.int64]
) -> tuple[list[list[int]], list[tuple[int, ...]]]:
    """Return the numbers on the border of each opening, and the openings each cell borders on."""
    width, height = regions.mines.shape[::-1]
    rank = np.argsort(order).reshape(width, height).T
    part = np.where(regions.zero, regions.parts.reshape(height, width), -1)
    padded = np.pad(part, 1, constant_values=-1)
    number = ~(regions.mines | regions.zero)
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
    """Clear the rest of a board, looking one chord ahead; return the clicks of all of it.

    Of the numbers with the best premium the one is chorded that leads to the best position: 1000
    times the best premium plus the number of cells that have it. The first of equals is taken, and
    the first of all if that is negative everywhere. If no premium is at least 0, the first closed
    opening is clicked, or else the first closed lone number.
    """
    scanned = {1: 0, 0: 0}
    while board.wanted:
        cell = board.cell_to_chord()
        if cell >= 0:
            board.chord(_best_chord_looking_ahead(board, cell))
            continue
        for zero in (1, 0):
            wanted = board.zero if zero else board.lone
            at = scanned[zero]
            while at < len(wanted) and not (board.closed[at] and wanted[at]):
                at += 1
            scanned[zero] = at
            if at < len(wanted):
                board.clicks += 1
                board.open_cell(at)
                break
    return board.clicks


def _best_chord_looking_ahead(board: GreedyClearing, first: int) -> int:
    """Return which of the numbers with the premium of `first` to chord; `first` is the first."""
    value = board.premium[first]
    if board.premium.count(value) == 1:
        return first
    chosen, most = first, -1
    cell = first
    while cell >= 0:
        ahead = board.copy()
        ahead.chord(cell)
        score = _position_score(ahead.premium)
        if score > most:
            chosen, most = cell, score
        cell = board.premium.find(value, cell + 1)
    return chosen


def _position_score(premium: bytearray) -> int:
    """Return 1000 times the best premium plus the number of cells that have it."""
    for value in range(BEST, 0, -1):
        count = premium.count(value)
        if count:
            return _STEP * (value - BASE) + count
    return -_STEP * BASE
