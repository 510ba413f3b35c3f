"""The numbers, openings and islands of a layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.errors import LayoutError
from demine.logic.layout import as_bool_array
from demine.logic.neighbours import count_around, neighbour_table
from demine.statistics.kernels import STATISTICS_KERNELS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

NO_PART: Final = -1
_FEW_CELLS: Final = 1 << 10
"""Boards with more cells are labelled by runs of cells, which takes more calls but fewer steps."""


@dataclass(frozen=True, eq=False)
class LayoutRegions:
    """A layout and its regions, each computed when it is first asked for.

    A *part* is the zeros of an opening, or an island. No zero touches a lone number, so the parts
    are the connected components of zeros and lone numbers together; corners connect too.
    """

    mines: NDArray[np.bool_]
    """Shape `(height, width)`."""

    @classmethod
    def of(cls, mine_map: ArrayLike) -> LayoutRegions:
        """Return the regions of a mine map; raises `LayoutError` for what is not one."""
        mines = as_bool_array(mine_map)
        if mines.ndim != 2 or not mines.size:
            raise LayoutError(
                "a mine map has rows and columns, not the shape {shape}", shape=mines.shape
            )
        return cls(mines)

    @cached_property
    def hint(self) -> NDArray[np.uint8]:
        """How many mines are around each cell, uint8 `(height, width)`."""
        return count_around(self.mines)

    @cached_property
    def zero(self) -> NDArray[np.bool_]:
        """Whether each cell is safe and has no mine around, bool `(height, width)`."""
        zero: NDArray[np.bool_] = (self.hint == 0) & ~self.mines
        return zero

    @cached_property
    def lone(self) -> NDArray[np.bool_]:
        """Whether each cell is a number that borders on no opening: each costs a click of 3BV."""
        lone: NDArray[np.bool_] = ~(self.mines | self.zero | (count_around(self.zero) > 0))
        return lone

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """The part of each cell, flat, from 0; `NO_PART` for mines and borders of openings."""
        return label_components(self.zero | self.lone)

    @cached_property
    def part_sizes(self) -> NDArray[np.int64]:
        """How many cells each part has."""
        return np.bincount(self.parts + 1)[1:]

    @cached_property
    def is_opening(self) -> NDArray[np.bool_]:
        """Whether each part is an opening; the others are islands."""
        kinds = np.zeros(self.part_sizes.size, np.bool_)
        kinds[self.parts[self.zero.reshape(-1)]] = True
        return kinds

    @cached_property
    def openings(self) -> int:
        """How many openings there are."""
        return int(np.count_nonzero(self.is_opening))

    @cached_property
    def islands(self) -> int:
        """How many islands there are."""
        return self.part_sizes.size - self.openings

    @cached_property
    def three_bv(self) -> int:
        """The 3BV: the fewest left clicks that clear the board."""
        return self.openings + int(np.count_nonzero(self.lone))

    @cached_property
    def cells_by_number(self) -> list[int]:
        """How many safe cells show each number, 0 to 8."""
        counts: list[int] = np.bincount(self.hint[~self.mines], minlength=9).tolist()
        return counts

    @cached_property
    def safe(self) -> int:
        """How many cells have no mine."""
        return self.mines.size - int(np.count_nonzero(self.mines))


@STATISTICS_KERNELS.stands_in
def label_components(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the connected component of each cell of a mask, int64, flat; -1 outside the mask.

    Corners connect too. Components are numbered from 0 in the order of their first cells.
    """
    kernel = STATISTICS_KERNELS.compiled_kernel("label_mask_components")
    if kernel is not None:
        pieces = np.full(mask.size, NO_PART, np.int64)
        cells = np.ascontiguousarray(mask).view(np.uint8).reshape(-1)
        kernel(cells, mask.shape[1], pieces, np.empty(mask.size, np.int64))
        return pieces
    return _label_cell_by_cell(mask) if mask.size <= _FEW_CELLS else label_components_by_runs(mask)


def _label_cell_by_cell(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Do the same as `label_components`, faster on a small board."""
    near, left = neighbour_table(*mask.shape), bytearray(mask.tobytes())
    found, pieces = [NO_PART] * mask.size, 0
    first = left.find(1)
    while first >= 0:
        left[first] = 0
        cells = [first]
        for cell in cells:
            found[cell] = pieces
            for other in near[cell]:
                if left[other]:
                    left[other] = 0
                    cells.append(other)
        pieces += 1
        first = left.find(1, first)
    return np.array(found, np.int64)


def label_components_by_runs(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Do the same as `label_components` by joining whole runs of cells.

    The time is about proportional to the number of cells.
    """
    width = mask.shape[1] + 1
    wide = np.zeros((mask.shape[0], width), np.int8)
    wide[:, :-1] = mask
    turns = np.flatnonzero(np.diff(wide.reshape(-1), prepend=np.int8(0)))
    starts, ends = turns[::2], turns[1::2]
    # The runs of the next row that touch one run are consecutive.
    low = np.searchsorted(ends, starts + width, "left")
    high = np.searchsorted(starts, ends + width, "right")
    above, below = _adjacent_runs(low, high)
    pieces = _join_components(starts.size, above, below)
    found = np.full(wide.size, NO_PART, np.int64)
    found[np.flatnonzero(wide.reshape(-1))] = np.repeat(pieces, ends - starts)
    return found.reshape(-1, width)[:, :-1].reshape(-1)


def _adjacent_runs(
    low: NDArray[np.int64], high: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    """Return every pair `(i, j)` with `low[i] <= j < high[i]`."""
    lengths = np.maximum(high - low, 0)
    first = np.repeat(np.arange(low.size), lengths)
    before = np.cumsum(lengths) - lengths
    return first, np.arange(first.size) + np.repeat(low - before, lengths)


def _join_components(
    count: int, above: NDArray[np.int64], below: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the component of each run, from 0, given the pairs of runs that touch."""
    root = np.arange(count)
    while True:
        one, other = root[above], root[below]
        apart = one != other
        if not apart.any():
            break
        above, below, one, other = above[apart], below[apart], one[apart], other[apart]
        np.minimum.at(root, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(root, further := root[root]):
            root = further
    first = root == np.arange(count)
    return (np.cumsum(first) - 1)[root]
