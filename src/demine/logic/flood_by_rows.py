"""The flood fill of a large opening, whole rows of bits at a time.

A faster form of `flood.flood`. One
row is one Python integer, bit `c` the cell in column `c`; a step of the fill is a few additions and
shifts of whole rows. `tests/logic/test_flood.py` compares it with the plain form.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_PATIENCE = 64
"""Visits per row before a maze is left to the plain flood, which mazes do not slow down."""
_MOST = 8
"""The largest hint."""
_BLOCK = 32
"""How many rows are read at a time, so that they stay in the cache."""


class OpenedRows(NamedTuple):
    """The opened cells of some rows of a board."""

    first: int
    """The number of the first of the rows."""
    size: int
    """How many cells were opened."""
    bits: NDArray[np.uint8]
    """A bit for each cell that was opened, the low bits first; each row starts a new byte."""

    def flags(self, width: int) -> NDArray[np.uint8]:
        """Return 1 for each opened cell of the rows, uint8 `(rows, width)`."""
        return np.unpackbits(self.bits, axis=1, count=width, bitorder="little")

    def among(self, cells: NDArray[np.intp], width: int) -> NDArray[np.intp]:
        """Return those of some cells of these rows, `row * width + col`, that were opened."""
        rows, cols = np.divmod(cells, width)
        is_opened: NDArray[np.bool_] = (
            self.bits[rows - self.first, cols // 8] >> (cols % 8) & 1 == 1
        )
        return cells[is_opened]


class RowFill(NamedTuple):
    """The result of a fill by rows; `fresh` is None if it was given up."""

    row_visits: int
    first: int = 0
    """The rows that hold the opening: the first, and the one after the last."""
    end: int = 0
    fresh: NDArray[np.bool_] | None = None
    """Which cells of these rows open."""


def opening_map(hint_map: NDArray[np.uint8], row: int, col: int) -> NDArray[np.bool_] | None:
    """Return which cells open with the zero cell `(row, col)`, bool `(height, width)`.

    Returns None if the opening winds so much that filling by rows is not worth it.
    """
    opened = np.zeros(hint_map.shape, np.bool_)
    limit = most_visits(len(hint_map))
    _, first, end, fresh = fill_by_rows(hint_map, opened, row, col, limit)
    if fresh is None:
        return None
    opened[first:end] = fresh
    return opened


def most_visits(height: int) -> int:
    """Return how many visits to rows are worth it before a maze is left to the plain flood."""
    return _PATIENCE * (height + 64)


def fill_by_rows(
    hint_map: NDArray[np.uint8],
    open_map: NDArray[np.bool_],
    row: int,
    col: int,
    visit_limit: float,
) -> RowFill:
    """Return the rows of the opening of a zero cell, and how many visits to rows that took.

    Open cells and those with a hint above 8 are neither opened nor passed. The fill is given up if
    it takes more than `visit_limit` visits.
    """
    zeros = _ZeroRows(hint_map, open_map)
    reached, visits = _spread_by_rows(zeros, row, col, visit_limit)
    if reached is None:
        return RowFill(visits)
    first, fresh = _with_border(reached, hint_map.shape)
    for begin in range(0, len(fresh), _BLOCK):
        part = fresh[begin : begin + _BLOCK]
        there = slice(first + begin, first + begin + len(part))
        part &= ~(open_map[there] | (hint_map[there] > _MOST))
    return RowFill(visits, first, first + len(fresh), fresh)


class _ZeroRows:
    """The zeros of each row as bits, worked out on demand."""

    def __init__(self, hint_map: NDArray[np.uint8], open_map: NDArray[np.bool_]) -> None:
        self._hint, self._open = hint_map, open_map.view(np.uint8)
        self._rows: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._hint)

    def __getitem__(self, row: int) -> int:
        bits = self._rows.get(row)
        if bits is not None:
            return bits
        first = row - row % _BLOCK
        there = slice(first, first + _BLOCK)
        zeros = (self._hint[there] | self._open[there]) == 0
        packed = np.packbits(zeros, axis=1, bitorder="little")
        for at, line in enumerate(packed, first):
            self._rows[at] = int.from_bytes(line.tobytes(), "little")
        return self._rows[row]


def _spread_by_rows(
    zeros: _ZeroRows, row: int, col: int, visit_limit: float
) -> tuple[dict[int, int] | None, int]:
    """Spread from one zero over all zeros it touches, row by row until nothing changes."""
    height, visits = len(zeros), 0
    reached = {row: _fill_runs(1 << col, zeros[row])}
    waiting = [(row, 1), (row, -1)]  # a row that grew, and where it spreads
    while waiting:
        source, step = waiting.pop()
        target = source + step
        while 0 <= target < height and visits <= visit_limit:
            visits += 1
            before = reached.get(target, 0)
            seeds = _widened(reached[target - step]) & zeros[target] & ~before
            if not seeds:
                break
            reached[target] = before | _fill_runs(seeds, zeros[target])
            # New cells here may spread back, into a bay that opens towards the row before.
            waiting.append((target, -step))
            target += step
        if visits > visit_limit:
            return None, visits
    return reached, visits


def _widened(bits: int) -> int:
    return bits | bits << 1 | bits >> 1


def _fill_runs(seeds: int, zeros: int) -> int:
    """Return the runs of `zeros` that contain a seed.

    Towards higher bits by one addition: a carry runs from each seed to the end of its run. Towards
    lower bits by doubling steps, which stop as soon as no run is longer than the step.
    """
    filled = (zeros & ~(zeros + seeds)) | seeds
    step, runs = 1, zeros
    while runs:
        filled |= (filled >> step) & runs
        runs &= runs >> step
        step <<= 1
    return filled


def _with_border(reached: dict[int, int], shape: tuple[int, int]) -> tuple[int, NDArray[np.bool_]]:
    """Return the first row, and the reached cells and all cells around them from there on."""
    height, width = shape
    first, end = max(0, min(reached) - 1), min(height, max(reached) + 2)
    size, whole_row = -(-width // 8), (1 << width) - 1
    lines = [_widened(reached.get(row, 0)) for row in range(first - 1, end + 1)]
    fresh = np.empty((end - first, width), np.bool_)
    for begin in range(0, len(fresh), _BLOCK):
        part = fresh[begin : begin + _BLOCK]
        packed = b"".join(
            ((lines[row] | lines[row + 1] | lines[row + 2]) & whole_row).to_bytes(size, "little")
            for row in range(begin, begin + len(part))
        )
        bits = np.frombuffer(packed, np.uint8).reshape(len(part), size)
        part[:] = np.unpackbits(bits, axis=1, count=width, bitorder="little")
    return first, fresh
