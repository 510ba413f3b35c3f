"""Kernel: the opening of a huge board, whole rows of bits at a time.

A second, faster form of `flood.flood` for boards where a scan line in plain Python would be felt.
One row is one Python integer, bit `c` the cell in column `c`; a step of the fill is a few additions
and shifts of whole rows. `tests/logic/test_flood.py` holds it to the plain form.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_PATIENCE = 64
"""Visits per row before a maze is handed back to the plain flood, which never slows down on one."""


def opening(hint_map: NDArray[np.uint8], row: int, col: int) -> NDArray[np.bool_] | None:
    """Return the cells that open with the zero cell `(row, col)`, bool of the hint map's shape.

    None when the opening winds so much that row steps do not pay.
    """
    zeros = _rows_of_bits(hint_map == 0)
    reached = _reach(zeros, row, col)
    if reached is None:
        return None
    return _with_border(reached, hint_map.shape[1])


def _rows_of_bits(mask: NDArray[np.bool_]) -> list[int]:
    packed = np.packbits(mask, axis=1, bitorder="little")
    return [int.from_bytes(bits.tobytes(), "little") for bits in packed]


def _reach(zeros: list[int], row: int, col: int) -> list[int] | None:
    """Spread from one zero over all zeros it touches, row by row until nothing changes."""
    reached = [0] * len(zeros)
    reached[row] = _fill_runs(1 << col, zeros[row])
    waiting = [(row, 1), (row, -1)]  # a row that grew, and the direction it has to be told
    budget = _PATIENCE * len(zeros)
    while waiting:
        source, step = waiting.pop()
        target = source + step
        while 0 <= target < len(zeros):
            budget -= 1
            seeds = _widened(reached[target - step]) & zeros[target] & ~reached[target]
            if not seeds:
                break
            reached[target] |= _fill_runs(seeds, zeros[target])
            # What grew here may reach back: a bay that opens towards where we came from.
            waiting.append((target, -step))
            target += step
        if budget < 0:
            return None
    return reached


def _widened(bits: int) -> int:
    return bits | bits << 1 | bits >> 1


def _fill_runs(seeds: int, zeros: int) -> int:
    """Return the runs of `zeros` that hold a seed.

    Upwards by one addition: a carry runs from each seed to the end of its run. Downwards by
    doubling steps, which stop as soon as no run is longer than the step.
    """
    filled = (zeros & ~(zeros + seeds)) | seeds
    step, runs = 1, zeros
    while runs:
        filled |= (filled >> step) & runs
        runs &= runs >> step
        step <<= 1
    return filled


def _with_border(reached: list[int], width: int) -> NDArray[np.bool_]:
    """Return the reached cells and all cells around them as a bool array."""
    height = len(reached)
    size = -(-width // 8)
    whole_row = (1 << width) - 1
    wide = [_widened(bits) for bits in reached]
    opened = np.empty((height, width), dtype=np.bool_)
    for row in range(height):
        bits = wide[row]
        if row > 0:
            bits |= wide[row - 1]
        if row + 1 < height:
            bits |= wide[row + 1]
        packed = np.frombuffer((bits & whole_row).to_bytes(size, "little"), np.uint8)
        opened[row] = np.unpackbits(packed, count=width, bitorder="little")
    return opened
