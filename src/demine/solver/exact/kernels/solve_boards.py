"""Solving one board, or many, from faces to probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.solver.exact.kernels.box_order import order_all_boxes
from demine.solver.exact.kernels.combine_components import (
    combine_with_sea,
    find_component_polynomials,
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
    find_settling_numbers,
    group_into_boxes,
    index_numbers,
    settle_by_single_numbers,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import BoolArray, ByteArray, FloatArray, IntArray
    from demine.solver.exact.kernels.offsets import ZeroOrBeyond


def write_probabilities(
    start: int, height: int, width: int, out: FloatArray, work: IntArray, values: FloatArray
) -> None:
    """Write the probability of each cell into `out`, from `start` on; NaN for opened cells."""
    for row in range(height):
        cell = (row + 1) * (width + 2) + 1
        for place in range(start + row * width, start + row * width + width):
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
    start: int,
    height: int,
    width: int,
    mines: int,
    out: FloatArray,
    work: IntArray,
    values: FloatArray,
) -> ZeroOrBeyond:
    """Write the probability of a mine in each cell of the board that begins at `start`.

    `out` is written only if 0 is returned.
    """
    stride = width + 2
    if (height + 2) * stride > PADDED:
        return BEYOND
    covered = copy_faces(faces, start, height, width, work)
    stacked = find_settling_numbers(height, width, work) if covered >= 0 else BEYOND
    settled = settle_by_single_numbers(stride, stacked, work) if stacked >= 0 else BEYOND
    if settled < 0:
        return BEYOND
    mines_left = mines - (settled & 0xFFFFFFFF)
    unsettled = covered - (settled & 0xFFFFFFFF) - (settled >> 32)
    if mines_left < 0 or mines_left > unsettled or unsettled > UNSETTLED:
        return BEYOND
    box_count = group_into_boxes(stride, index_numbers(height, width, work), work)
    component_count = order_all_boxes(box_count, work)
    if (
        find_states(component_count, -1, work, values) < 0
        or find_component_polynomials(component_count, work, values) < 0
    ):
        return BEYOND
    sea_cells = unsettled
    for box in range(box_count):
        sea_cells -= work[SIZE + box]
    if combine_with_sea(component_count, mines_left, sea_cells, work, values) < 0:
        return BEYOND
    weigh_by_the_rest(component_count, work, values)
    for component in range(component_count):
        write_box_chances(component, work, values)
    write_probabilities(start, height, width, out, work, values)
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
    """Solve one board after the other; `beyond` is set True for those left to the plain engine."""
    for board in range(mines.size):
        start = board * height * width
        done = solve_board(faces, start, height, width, mines[board], out, work, values)
        beyond[board] = done < 0
