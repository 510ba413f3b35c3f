"""Solving one board, or many, from faces to probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.solver.exact.kernels.box_order import order_all_boxes
from demine.solver.exact.kernels.combine_components import (
    combine_with_sea,
    component_polynomials,
    weigh_by_the_rest,
    write_box_chances,
)
from demine.solver.exact.kernels.component_states import find_states
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
from demine.solver.exact.kernels.parse_board import (
    copy_faces,
    count_covered_around_numbers,
    gather_boxes,
    name_numbers,
    settle_by_single_numbers,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import BoolArray, ByteArray, FloatArray, IntArray


def write_probabilities(
    at: int, height: int, width: int, out: FloatArray, work: IntArray, values: FloatArray
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


def solve_board(
    faces: ByteArray,
    at: int,
    height: int,
    width: int,
    mines: int,
    out: FloatArray,
    work: IntArray,
    values: FloatArray,
) -> int:
    """Write the probability of a mine for each cell of the board whose faces begin at `at`.

    Returns 0, or `BEYOND` for what is for the plain engine; then `out` is as it was.
    """
    stride = width + 2
    if (height + 2) * stride > PADDED:
        return BEYOND
    covered = copy_faces(faces, at, height, width, work)
    top = count_covered_around_numbers(height, width, work) if covered >= 0 else BEYOND
    settled = settle_by_single_numbers(stride, top, work) if top >= 0 else BEYOND
    if settled < 0:
        return BEYOND
    left = mines - (settled & 0xFFFFFFFF)
    unsettled = covered - (settled & 0xFFFFFFFF) - (settled >> 32)
    if left < 0 or left > unsettled or unsettled > UNSETTLED:
        return BEYOND
    boxes = gather_boxes(stride, name_numbers(height, width, work), work)
    parts = order_all_boxes(boxes, work)
    if find_states(parts, work, values) < 0 or component_polynomials(parts, work, values) < 0:
        return BEYOND
    sea = unsettled
    for box in range(boxes):
        sea -= work[SIZE + box]
    if combine_with_sea(parts, left, sea, work, values) < 0:
        return BEYOND
    weigh_by_the_rest(parts, work, values)
    for part in range(parts):
        write_box_chances(part, work, values)
    write_probabilities(at, height, width, out, work, values)
    return 0


def solve_boards(
    faces: ByteArray,
    height: int,
    width: int,
    mines: IntArray,
    out: FloatArray,
    work: IntArray,
    values: FloatArray,
    beyond: BoolArray,
) -> None:
    """Solve one board after the other; `beyond` marks those that are `BEYOND`."""
    for board in range(mines.size):
        at = board * height * width
        done = solve_board(faces, at, height, width, mines[board], out, work, values)
        beyond[board] = done < 0
