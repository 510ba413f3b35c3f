"""One position, or many, from faces to probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.solver.exact.kernels.combine import look_back, meet, tally, weigh
from demine.solver.exact.kernels.count import decide
from demine.solver.exact.kernels.offsets import (
    BEYOND,
    BOX,
    CHANCE,
    COVER,
    PADDED,
    SEA,
    SIZE,
    UNSETTLED,
)
from demine.solver.exact.kernels.order import arrange
from demine.solver.exact.kernels.parse import cover, gather, listen, number, settle

if TYPE_CHECKING:
    from numpy.typing import NDArray


def write(
    at: int,
    height: int,
    width: int,
    out: NDArray[np.float64],
    work: NDArray[np.int64],
    values: NDArray[np.float64],
) -> None:
    """Write the chance of each cell, from `at` on; NaN on opened cells."""
    for row in range(height):
        cell = (row + 1) * (width + 2) + 1
        for place in range(at + row * width, at + row * width + width):
            kind = work[COVER + cell]
            if kind == 0:
                out[place] = np.nan
            elif kind == 1:
                box = work[BOX + cell]
                out[place] = values[CHANCE + box] if box >= 0 else values[SEA]
            else:
                out[place] = kind - 2.0
            cell += 1


def solve(
    faces: NDArray[np.uint8],
    at: int,
    height: int,
    width: int,
    mines: int,
    out: NDArray[np.float64],
    work: NDArray[np.int64],
    values: NDArray[np.float64],
) -> int:
    """Write the probability of a mine for each cell of the board whose faces begin at `at`.

    Returns 0, or `BEYOND` for what is for the plain engine; then `out` is as it was.
    """
    stride = width + 2
    if (height + 2) * stride > PADDED:
        return BEYOND
    covered = cover(faces, at, height, width, work)
    top = listen(height, width, work) if covered >= 0 else BEYOND
    settled = settle(stride, top, work) if top >= 0 else BEYOND
    if settled < 0:
        return BEYOND
    left = mines - (settled & 0xFFFFFFFF)
    unsettled = covered - (settled & 0xFFFFFFFF) - (settled >> 32)
    if left < 0 or left > unsettled or unsettled > UNSETTLED:
        return BEYOND
    boxes = gather(stride, number(height, width, work), work)
    parts = arrange(boxes, work)
    if decide(parts, work, values) < 0 or tally(parts, work, values) < 0:
        return BEYOND
    sea = unsettled
    for box in range(boxes):
        sea -= work[SIZE + box]
    if meet(parts, left, sea, work, values) < 0:
        return BEYOND
    weigh(parts, work, values)
    for part in range(parts):
        look_back(part, work, values)
    write(at, height, width, out, work, values)
    return 0


def solve_many(
    faces: NDArray[np.uint8],
    height: int,
    width: int,
    mines: NDArray[np.int64],
    out: NDArray[np.float64],
    work: NDArray[np.int64],
    values: NDArray[np.float64],
    beyond: NDArray[np.bool_],
) -> None:
    """Do the same for one board after the other, and mark in `beyond` those that are `BEYOND`."""
    for board in range(mines.size):
        at = board * height * width
        done = solve(faces, at, height, width, mines[board], out, work, values)
        beyond[board] = done < 0
