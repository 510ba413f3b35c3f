"""ZiNi: approximations of the fewest clicks that clear a known board with flags and chords.

The method is that of Zimmermann and Nikolaus (2009). A number's *premium* is how many clicks a
chord on it saves:

    premium = (closed lone numbers in its 3x3 block + closed openings it borders on)
              - unflagged mines around it - (1 if it is closed) - 1

In each step the number with the highest premium is opened, its mines are flagged, and it is
chorded; if no premium is at least 0, the first closed cell that is a zero or a lone number is
clicked. Like both reference programs, this goes through the columns from the left, each from the
top, and takes the first of equals.
"""

from __future__ import annotations

from copy import copy
from itertools import cycle
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from demine.logic.layout import as_mine_maps, checked_seed
from demine.logic.neighbours import count_around, neighbour_table
from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.layout_regions import NO_PART, LayoutRegions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

_Kind = TypeVar("_Kind", bound=np.generic)

BASE: Final = 80
"""The byte of a premium of 0."""
BEST: Final = BASE + 10
"""No premium is a greater byte than this, not even if joining chains counts too."""
_DRAWS: Final = 4096
_FROM_THE_FIRST: Final = np.zeros(1, np.int64)
_NEVER: Final = 64
"""Subtracted from a premium that must not be chosen."""


def zini(mine_map: ArrayLike) -> int:
    """Return the ZiNi (G-ZiNi, greedy) of a layout, bool `(height, width)`.

    Raises `LayoutError` for what is not a mine map.
    """
    return zini_of_regions(LayoutRegions.of(mine_map))


def hzini(mine_map: ArrayLike) -> int:
    """Return the H-ZiNi (human): every opening is clicked first, and only open numbers are chorded.

    Raises `LayoutError` for what is not a mine map.
    """
    return zini_of_regions(LayoutRegions.of(mine_map), human=True)


def zini_batch(mine_maps: ArrayLike) -> NDArray[np.int32]:
    """Return the ZiNi of many layouts of one size: bool `(boards, height, width)` -> `(boards,)`.

    Each is what `zini` returns for it. Raises `LayoutError` for what is not a stack of mine maps.

    >>> import demine
    >>> demine.zini_batch(demine.make_batch("9x9/10", seed=7, count=3)).tolist()
    [6, 15, 13]
    """
    return _zini_of_each(mine_maps, human=False)


def hzini_batch(mine_maps: ArrayLike) -> NDArray[np.int32]:
    """Return the H-ZiNi of many layouts of one size: bool `(boards, height, width)` -> `(boards,)`.

    Each is what `hzini` returns for it. Raises `LayoutError` for what is not a stack of mine maps.

    >>> import demine
    >>> demine.hzini_batch(demine.make_batch("9x9/10", seed=7, count=3)).tolist()
    [6, 15, 14]
    """
    return _zini_of_each(mine_maps, human=True)


def _zini_of_each(mine_maps: ArrayLike, *, human: bool) -> NDArray[np.int32]:
    maps = as_mine_maps(mine_maps)
    kernel = STATISTICS_KERNELS.compiled_kernel("zini_clicks")
    if kernel is None:
        clicks = (zini_of_regions(LayoutRegions(mines), human=human) for mines in maps)
    else:
        height, width = maps.shape[1:]
        by_columns = np.ascontiguousarray(maps.swapaxes(1, 2)).view(np.uint8)
        work = kernel_work_arrays((height, width))
        clicks = (
            kernel(mines, height, int(human), _FROM_THE_FIRST, *work)
            for mines in by_columns.reshape(len(maps), -1)
        )
    return np.fromiter(clicks, np.int32, len(maps))


def rzini(mine_map: ArrayLike, runs: int = 100, seed: int = 0) -> int:
    """Return the R-ZiNi: the smallest of `runs` greedy clearings that break ties at random.

    The same seed, from 0 to 2**128 - 1, gives the same value. Raises `LayoutError` for what is not
    a mine map or not a seed.
    """
    regions = LayoutRegions.of(mine_map)
    cells = regions.mines.size
    source = np.random.SFC64(checked_seed(seed))
    return min(
        zini_of_regions(
            regions, tie_starts=(source.random_raw(min(cells, _DRAWS)) % cells).astype(np.int64)
        )
        for _ in range(max(1, runs))
    )


@STATISTICS_KERNELS.stands_in
def zini_of_regions(
    regions: LayoutRegions, *, human: bool = False, tie_starts: NDArray[np.int64] | None = None
) -> int:
    """Return the ZiNi, or with `human` the H-ZiNi, of a layout whose openings are known.

    Of equal premiums the first is taken, in each step counted from the next cell of `tie_starts`
    (used over and over), or always from the first cell without them.
    """
    kernel = STATISTICS_KERNELS.compiled_kernel("zini_clicks")
    if kernel is None:
        greedy = GreedyClearing(regions, human=human)
        if human:
            greedy.click_openings()
        return greedy.clear(None if tie_starts is None else tie_starts.tolist())
    height, width = regions.mines.shape
    found: int = kernel(
        np.ascontiguousarray(regions.mines.T).view(np.uint8).reshape(-1), height, int(human),
        _FROM_THE_FIRST if tie_starts is None else tie_starts,
        *kernel_work_arrays((height, width)),
    )  # fmt: skip
    return found


def kernel_work_arrays(
    shape: tuple[int, ...], rows: int = 5
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the work arrays of a kernel, which may be used for many boards of a shape."""
    height, width = shape
    walled = (height + 2) * (width + 2)
    return np.empty((5, walled), np.uint8), np.empty((rows, walled), np.int64)


class GreedyClearing:
    """A board during a greedy clearing; cells are numbered `col * height + row`.

    With an `order` (all these numbers in another order), cells are numbered by it instead. The
    first of equals is always the one with the smallest number.
    """

    def __init__(
        self, regions: LayoutRegions, *, human: bool = False, order: NDArray[np.int64] | None = None
    ) -> None:
        width, height = regions.mines.shape[::-1]
        self.regions, self.order = regions, order
        self.near = neighbour_table(width, height)
        if order is not None:
            rank = np.argsort(order).tolist()
            near = self.near
            self.near = [tuple([rank[other] for other in near[cell]]) for cell in order.tolist()]
        self.mine = flat_in_order(regions.mines, order).tobytes()
        self.zero = flat_in_order(regions.zero, order).tobytes()
        self.lone = flat_in_order(regions.lone, order).tobytes()
        self.closed = bytearray(flat_in_order(~regions.mines, order).tobytes())
        self.flag = bytearray(len(self.mine))
        self.wanted = regions.three_bv
        self.clicks = 0
        # A closed cell costs one click more; for H-ZiNi it cannot be chosen at all.
        self.penalty = 1 + _NEVER * human
        self.premium = bytearray(flat_in_order(self._premiums(regions), order).tobytes())

    def copy(self) -> GreedyClearing:
        """Return an independent copy of the board and its clicks."""
        other = copy(self)
        other.closed, other.flag = self.closed[:], self.flag[:]
        other.premium = self.premium[:]
        return other

    def _premiums(self, regions: LayoutRegions) -> NDArray[np.uint8]:
        gain = count_around(regions.lone) + regions.lone + _openings_touched(regions)
        value = BASE - 1 - self.penalty + gain - regions.hint
        # Mines cannot be chorded, and a chord on a zero gains nothing.
        value[regions.mines | regions.zero] = 0
        return value.astype(np.uint8)

    def click_openings(self) -> None:
        """Click every opening of a board on which nothing is open yet, counting the clicks."""
        regions = self.regions
        self.clicks += regions.openings
        self.wanted -= regions.openings
        self.closed[:] = self.lone
        border = ~(regions.mines | regions.zero | regions.lone)
        value = BASE - 1 + count_around(regions.lone) - regions.hint
        at = flat_in_order(border, self.order)
        premium = np.frombuffer(self.premium, np.uint8)
        premium[at] = flat_in_order(value, self.order)[at]

    def clear(self, tie_starts: Sequence[int] | None = None) -> int:
        """Return the clicks of clearing the rest of the board, with those before."""
        beginnings = cycle(tie_starts or (0,))
        scanned, may_chord = -1, True
        while self.wanted:
            start = next(beginnings)
            cell = self.cell_to_chord(start) if may_chord else -1
            if cell >= 0:
                self.chord(cell)
                continue
            if self.penalty == 1:
                # Clicks raise no premium: opening a cell makes up for what it gains no more.
                return self.clicks + self.wanted
            scanned = self._next_click(scanned + 1)
            self.clicks += 1
            self.open_cell(scanned)
            # The click of a lone number raises no premium but its own.
            may_chord = bool(self.zero[scanned]) or self.premium[scanned] >= BASE
        return self.clicks

    def _next_click(self, begin: int) -> int:
        """Return the first closed cell from `begin` on that is a zero or a lone number."""
        cell = begin
        while not (self.closed[cell] and (self.zero[cell] or self.lone[cell])):
            cell += 1
        return cell

    def cell_to_chord(self, start: int = 0) -> int:
        """Return the cell with the highest premium, of equals the first from `start` on, or -1."""
        find = self.premium.find
        for value in range(BEST, BASE - 1, -1):
            cell = find(value)
            if cell >= 0:
                later = find(value, start) if start > cell else cell
                return cell if later < 0 else later
        return -1

    def chord(self, cell: int) -> None:
        """Open a number if it is closed, flag its mines, and chord it, counting all clicks."""
        near, premium = self.near, self.premium
        if self.closed[cell]:
            self.clicks += 1
            self.open_cell(cell)
        for other in near[cell]:
            if self.mine[other] and not self.flag[other]:
                self.flag[other] = 1
                self.clicks += 1
                for third in near[other]:
                    if premium[third]:
                        premium[third] += 1
        self.clicks += 1
        for other in near[cell]:
            if self.closed[other]:
                self.open_cell(other)

    def open_cell(self, cell: int) -> None:
        """Open a cell, and its opening if it is a zero, without counting a click."""
        if self.zero[cell]:
            self.open_opening(cell)
            return
        self.closed[cell] = 0
        self.premium[cell] += self.penalty
        if self.lone[cell]:
            self.wanted -= 1
            premium = self.premium
            premium[cell] -= 1
            for other in self.near[cell]:
                if premium[other]:
                    premium[other] -= 1

    def open_opening(self, cell: int) -> None:
        """Open an opening and update the premiums of its border, without counting a click."""
        closed, zero, near, premium = self.closed, self.zero, self.near, self.premium
        self.wanted -= 1
        closed[cell] = 0
        zeros = [cell]
        border: set[int] = set()
        for place in zeros:
            for other in near[place]:
                if not zero[other]:
                    border.add(other)
                elif closed[other]:
                    closed[other] = 0
                    zeros.append(other)
        penalty = self.penalty
        for place in border:
            premium[place] += (penalty if closed[place] else 0) - 1
            closed[place] = 0


def flat_in_order(values: NDArray[_Kind], order: NDArray[np.int64] | None) -> NDArray[_Kind]:
    """Return the values of a board flat, column by column, then reordered if `order` is given."""
    flat = np.ascontiguousarray(values.T).reshape(-1)
    return flat if order is None else flat[order]


def _openings_touched(regions: LayoutRegions) -> NDArray[np.int16]:
    """Return how many openings each cell borders on: 0, 1 or 2; no number borders on more."""
    height, width = regions.mines.shape
    part = np.where(regions.zero, regions.parts.reshape(height, width), NO_PART)
    least, most = np.where(part < 0, part.size, part), part
    for axis in (0, 1):
        least, most = (
            _reduce_with_neighbours(np.minimum, least, axis),
            _reduce_with_neighbours(np.maximum, most, axis),
        )
    return (most >= 0).astype(np.int16) + (least < most)


def _reduce_with_neighbours(
    choose: np.ufunc, values: NDArray[np.int64], axis: int
) -> NDArray[np.int64]:
    """Return the least or greatest value of each cell and the two beside it along an axis."""
    lines = values.swapaxes(0, axis)
    found = lines.copy()
    choose(found[1:], lines[:-1], out=found[1:])
    choose(found[:-1], lines[1:], out=found[:-1])
    return found.swapaxes(0, axis)
