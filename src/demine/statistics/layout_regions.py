"""The numbers, openings and islands of a layout."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.errors import LayoutError
from demine.logic.layout import as_bool_array
from demine.logic.neighbours import count_around, neighbour_table
from demine.statistics.kernels import STATISTICS_KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable

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
    def _labelled(self) -> _LabelledCells:
        return _label_layout(self.mines, self.hint)

    @property
    def zero(self) -> NDArray[np.bool_]:
        """Whether each cell is safe and has no mine around, bool `(height, width)`."""
        return self._labelled.zero

    @property
    def lone(self) -> NDArray[np.bool_]:
        """Whether each cell is a number that borders on no opening: each costs a click of 3BV."""
        return self._labelled.lone

    @property
    def parts(self) -> NDArray[np.int64]:
        """The part of each cell, flat, from 0; `NO_PART` for mines and borders of openings."""
        return self._labelled.parts

    @cached_property
    def part_sizes(self) -> NDArray[np.int64]:
        """How many cells each part has."""
        return np.bincount(self.parts + 1)[1:]

    @cached_property
    def is_opening(self) -> NDArray[np.bool_]:
        """Whether each part is an opening; the others are islands."""
        return _opening_parts(self.zero, self.parts)

    @property
    def openings(self) -> int:
        """How many openings there are."""
        return self._labelled.openings

    @cached_property
    def islands(self) -> int:
        """How many islands there are."""
        return int(self.parts.max()) + 1 - self.openings

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


class _LabelledCells(NamedTuple):
    zero: NDArray[np.bool_]
    lone: NDArray[np.bool_]
    parts: NDArray[np.int64]
    openings: int


@STATISTICS_KERNELS.stands_in
def _label_layout(mines: NDArray[np.bool_], hint: NDArray[np.uint8]) -> _LabelledCells:
    """Return which cells are zeros and lone numbers, and their parts."""
    kernel = STATISTICS_KERNELS.compiled_kernel("label_layout")
    if kernel is not None:
        return _label_compiled(kernel, mines, hint)
    zero = (hint == 0) & ~mines
    lone = ~(mines | zero | (count_around(zero) > 0))
    parts = label_components(zero | lone)
    return _LabelledCells(zero, lone, parts, int(np.count_nonzero(_opening_parts(zero, parts))))


def _opening_parts(zero: NDArray[np.bool_], parts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return for each part whether it is an opening."""
    found = np.zeros(int(parts.max()) + 1, np.bool_)
    found[parts[zero.reshape(-1)]] = True
    return found


def _label_compiled(
    kernel: Callable[..., int], mines: NDArray[np.bool_], hint: NDArray[np.uint8]
) -> _LabelledCells:
    marks = np.zeros((3, *mines.shape), np.bool_)
    marks[0] = mines
    parts = np.full(mines.size, NO_PART, np.int64)
    flat = marks.view(np.uint8).reshape(3, -1)
    openings = kernel(hint.reshape(-1), mines.shape[1], flat, parts, np.empty_like(parts))
    return _LabelledCells(marks[1], marks[2], parts, openings)


def label_components(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the connected component of each cell of a mask, int64, flat; -1 outside the mask.

    Corners connect too. Components are numbered from 0 in the order of their first cells.
    """
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
