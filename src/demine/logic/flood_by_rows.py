"""The flood fill of a large opening, whole rows of bits at a time.

A faster form of `flood.flood` for boards on which a scan line in plain Python would be slow. One
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
    opened: int
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
    first, fresh = _with_border(reached, hint_map.shape[1])
    for begin in range(0, len(fresh), _BLOCK):
        part = fresh[begin : begin + _BLOCK]
        there = slice(first + begin, first + begin + len(part))
        part &= ~(open_map[there] | (hint_map[there] > _MOST))
    return RowFill(visits, first, first + len(fresh), fresh)


class _ZeroRows:
    """The zeros of each row as bits, worked out on demand."""

    def __init__(self, hint_map: NDArray[np.uint8], open_map: NDArray[np.bool_]) -> None:
        self._hint, self._open = hint_map, open_map.view(np.uint8)
        self._rows: list[int | None] = [None] * len(hint_map)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: int) -> int:
        bits = self._rows[row]
        if bits is not None:
            return bits
        first = row - row % _BLOCK
        there = slice(first, first + _BLOCK)
        zeros = (self._hint[there] | self._open[there]) == 0
        packed = np.packbits(zeros, axis=1, bitorder="little")
        made = [int.from_bytes(line.tobytes(), "little") for line in packed]
        self._rows[there] = made
        return made[row - first]


def _spread_by_rows(
    zeros: _ZeroRows, row: int, col: int, visit_limit: float
) -> tuple[list[int] | None, int]:
    """Spread from one zero over all zeros it touches, row by row until nothing changes."""
    height, visits = len(zeros), 0
    reached = [0] * height
    reached[row] = _fill_runs(1 << col, zeros[row])
    waiting = [(row, 1), (row, -1)]  # a row that grew, and where it spreads
    while waiting:
        source, step = waiting.pop()
        target = source + step
        while 0 <= target < height and visits <= visit_limit:
            visits += 1
            seeds = _widened(reached[target - step]) & zeros[target] & ~reached[target]
            if not seeds:
                break
            reached[target] |= _fill_runs(seeds, zeros[target])
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


def _with_border(reached: list[int], width: int) -> tuple[int, NDArray[np.bool_]]:
    """Return the first row, and the reached cells and all cells around them from there on."""
    holding = [row for row, bits in enumerate(reached) if bits]
    first, last = max(0, holding[0] - 1), min(len(reached), holding[-1] + 2)
    size = -(-width // 8)
    whole_row = (1 << width) - 1
    lines = [_widened(bits) for bits in (0, *reached, 0)]
    fresh = np.empty((last - first, width), np.bool_)
    for begin in range(first, last, _BLOCK):
        end = min(begin + _BLOCK, last)
        packed = b"".join(
            ((lines[row] | lines[row + 1] | lines[row + 2]) & whole_row).to_bytes(size, "little")
            for row in range(begin, end)
        )
        bits = np.frombuffer(packed, np.uint8).reshape(end - begin, size)
        fresh[begin - first : end - first] = np.unpackbits(
            bits, axis=1, count=width, bitorder="little"
        )
    return first, fresh
