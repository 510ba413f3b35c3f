"""ZiNi: approximations of the fewest clicks that clear a known board with flags and chords.

By Zimmermann and Nikolaus (2009). A number's *premium* is what a chord on it saves:

    premium = (closed lone numbers in its 3x3 block + closed openings it borders on)
              - unflagged mines around it - (1 if it is closed) - 1

Again and again the number with the highest premium is opened, its mines are flagged, and it is
chorded; where none has a premium of at least 0, the first closed cell that is a zero or a lone
number is clicked. Both reference programs look through the columns from the left, each from the
top, and take the first of equals, so that is the order here.
"""

from __future__ import annotations

from copy import copy
from itertools import cycle
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from demine.logic.layout import checked_seed
from demine.logic.neighbours import count_around
from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.layout_regions import NO_PART, LayoutRegions
from demine.statistics.play_recording import neighbour_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

_Kind = TypeVar("_Kind", bound=np.generic)

BASE: Final = 80
"""The byte of a premium of 0."""
BEST: Final = BASE + 10
"""A byte that no premium is above, not even where joining chains counts too."""
_DRAWS: Final = 4096
_FROM_THE_FIRST: Final = np.zeros(1, np.int64)
_NEVER: Final = 64
"""Taken off a premium that must not be chosen."""


def zini(mine_map: ArrayLike) -> int:
    """Return the ZiNi (G-ZiNi, greedy) of a layout, bool `(height, width)`.

    Raises `LayoutError` for what is no mine map.
    """
    return zini_of_regions(LayoutRegions.of(mine_map))


def hzini(mine_map: ArrayLike) -> int:
    """Return the H-ZiNi (human): every opening is clicked first, and only open numbers chord.

    Raises `LayoutError` for what is no mine map.
    """
    return zini_of_regions(LayoutRegions.of(mine_map), human=True)


def rzini(mine_map: ArrayLike, runs: int = 100, seed: int = 0) -> int:
    """Return the R-ZiNi: the smallest of `runs` greedy clearings that break ties at random.

    The same seed, from 0 up to 2**128, gives the same value. Raises `LayoutError` for what is no
    mine map and no seed.
    """
    ground = LayoutRegions.of(mine_map)
    cells = ground.mines.size
    source = np.random.SFC64(checked_seed(seed))
    return min(
        zini_of_regions(
            ground, starts=(source.random_raw(min(cells, _DRAWS)) % cells).astype(np.int64)
        )
        for _ in range(max(1, runs))
    )


def zini_of_regions(
    ground: LayoutRegions, *, human: bool = False, starts: NDArray[np.int64] | None = None
) -> int:
    """Return the ZiNi, or the H-ZiNi, of a layout whose openings are known.

    Each choice among equals is the first from the next of `starts` on, over and over; without any
    it is the first of all.
    """
    kernel = STATISTICS_KERNELS.compiled_kernel("zini_clear")
    if kernel is None:
        greedy = GreedyClearing(ground, human=human)
        if human:
            greedy.click_openings()
        return greedy.clear(None if starts is None else starts.tolist())
    height, width = ground.mines.shape
    walled = (height + 2) * (width + 2)
    found: int = kernel(
        np.ascontiguousarray(ground.mines.T).view(np.uint8).reshape(-1), height, int(human),
        _FROM_THE_FIRST if starts is None else starts,
        np.empty((5, walled), np.uint8), np.empty((5, walled), np.int64),
    )  # fmt: skip
    return found


class GreedyClearing:
    """A board being cleared, column by column: cell `col * height + row`.

    With an `order`, all cells in another one, cells are numbered by it instead: the first of equals
    is always the one with the least number.
    """

    def __init__(
        self, ground: LayoutRegions, *, human: bool = False, order: NDArray[np.int64] | None = None
    ) -> None:
        width, height = ground.mines.shape[::-1]
        self.near = neighbour_table(width, height)
        if order is not None:
            rank = np.argsort(order).tolist()
            near = self.near
            self.near = [tuple([rank[other] for other in near[cell]]) for cell in order.tolist()]
        self.mine = flat_in_order(ground.mines, order).tobytes()
        self.zero = flat_in_order(ground.zero, order).tobytes()
        self.lone = flat_in_order(ground.lone, order).tobytes()
        self.closed = bytearray(flat_in_order(~ground.mines, order).tobytes())
        self.flag = bytearray(len(self.mine))
        self.wanted = ground.three_bv
        self.clicks = 0
        # A closed cell costs a click more; for people it cannot be chosen at all.
        self.penalty = 1 + _NEVER * human
        self.premium = bytearray(flat_in_order(self._premiums(ground), order).tobytes())

    def copy(self) -> GreedyClearing:
        """Return the same board, to be cleared in another way."""
        other = copy(self)
        other.closed, other.flag = self.closed[:], self.flag[:]
        other.premium = self.premium[:]
        return other

    def _premiums(self, ground: LayoutRegions) -> NDArray[np.uint8]:
        gain = count_around(ground.lone) + ground.lone + _openings_touched(ground)
        value = BASE - 1 - self.penalty + gain - ground.hint
        # Mines, and zeros, which nothing is gained by chording on.
        value[ground.mines | ground.zero] = 0
        return value.astype(np.uint8)

    def click_openings(self) -> None:
        """Click every opening."""
        cell = self.zero.find(1)
        while cell >= 0:
            if self.closed[cell]:
                self.clicks += 1
                self.spread(cell)
            cell = self.zero.find(1, cell + 1)

    def clear(self, starts: Sequence[int] | None = None) -> int:
        """Clear the rest; return how many clicks the whole board took."""
        following = 0
        beginnings = cycle(starts or (0,))
        while self.wanted:
            cell = self.best(next(beginnings))
            if cell >= 0:
                self.chord(cell)
                continue
            while not (self.closed[following] and (self.zero[following] or self.lone[following])):
                following += 1
            self.clicks += 1
            self.click(following)
        return self.clicks

    def best(self, start: int = 0) -> int:
        """Return the cell to chord, the first from `start` on of equals; -1 for none."""
        find = self.premium.find
        for value in range(BEST, BASE - 1, -1):
            cell = find(value)
            if cell >= 0:
                later = find(value, start) if start > cell else cell
                return cell if later < 0 else later
        return -1

    def chord(self, cell: int) -> None:
        """Open a number if need be, flag its mines, and chord it."""
        near, premium = self.near, self.premium
        if self.closed[cell]:
            self.clicks += 1
            self.click(cell)
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
                self.click(other)

    def click(self, cell: int) -> None:
        """Open a cell; whoever clicks it counts the click."""
        if self.zero[cell]:
            self.spread(cell)
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

    def spread(self, cell: int) -> None:
        """Open an opening: its border gains what being open is worth and loses the opening."""
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
    """Return a board's values flat: column by column, or in another order of those."""
    flat = np.ascontiguousarray(values.T).reshape(-1)
    return flat if order is None else flat[order]


def _openings_touched(ground: LayoutRegions) -> NDArray[np.int16]:
    """Return how many openings each cell borders on: 0, 1 or 2; a number has no room for more."""
    height, width = ground.mines.shape
    part = np.where(ground.zero, ground.parts.reshape(height, width), NO_PART)
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
    """Return the least or most of each cell and the two beside it."""
    lines = values.swapaxes(0, axis)
    found = lines.copy()
    choose(found[1:], lines[:-1], out=found[1:])
    choose(found[:-1], lines[1:], out=found[:-1])
    return found.swapaxes(0, axis)
