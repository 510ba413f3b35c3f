"""The numbers and boxes of a position, and how likely each box holds mines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demine.solver.exact.kernels.box_order import order_all_boxes
from demine.solver.exact.kernels.combine_components import (
    combine_with_sea,
    find_component_polynomials,
    weigh_by_the_rest,
    write_box_chances,
)
from demine.solver.exact.kernels.component_states import find_states
from demine.solver.exact.kernels.offsets import (
    BESIDE,
    BEYOND,
    BOXES,
    COUNT,
    DONE,
    LENGTH,
    NEED,
    NO_WAY,
    NUMBERS,
    PLACE,
    SIZE,
    SLOT,
    SPACE,
    TOTAL,
    WAITING,
)
from demine.solver.player.kernels.offsets import (
    BOXED,
    BOXES_NOW,
    COVERED,
    FACTOR,
    HEAD,
    HEIGHT,
    KIND,
    LACK,
    LEFT,
    LINK,
    LOGS,
    MIXED,
    NAMED,
    NAMES,
    NUMBERED,
    OPENED,
    PARTS_NOW,
    SEA_CELLS,
    STAMP,
    STEP,
    STRIDE,
    UNKNOWN,
    UNSEEN,
    WHOLE,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray


def evaluate_position(work: IntArray, values: FloatArray) -> int:
    """Find the ways to lay the mines and the chance of each box; 0, or `BEYOND`.

    No way at all is `WHOLE` zero; then the chances are those of another position.
    """
    if gather_boxes(work) < 0:
        return BEYOND
    covered = work[COVERED]
    left = work[LEFT]
    values[FACTOR] = values[LOGS + covered] - values[LOGS + left] - values[LOGS + covered - left]
    work[PARTS_NOW] = order_all_boxes(work[BOXES_NOW], work)
    return weigh_boxes(work, values)


def gather_boxes(work: IntArray) -> int:
    """Find the numbers that still ask and the boxes around them; 0, or `BEYOND`."""
    work[STAMP] += STEP
    work[NAMES] = 0
    work[BOXES_NOW] = 0
    work[SEA_CELLS] = work[COVERED]
    width = work[WIDTH]
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + width):
            if work[KIND + cell] == OPENED and work[UNSEEN + cell] > 0:
                box_cells_around(cell, work)
                if work[BOXES_NOW] >= BOXES - 9:
                    return BEYOND
    return 0


def box_cells_around(number: int, work: IntArray) -> None:
    """Put the unknown cells around a number that are in no box yet into boxes."""
    stride = work[STRIDE]
    stamp = work[STAMP]
    begin = work[BOXES_NOW]
    if work[NAMED + number] < stamp:
        add_number(number, work)
    for row in range(number - stride, number + stride + 1, stride):
        for cell in range(row - 1, row + 2):
            if work[KIND + cell] != UNKNOWN or work[BOXED + cell] >= stamp:
                continue
            mixed = work[MIXED + cell]
            box = begin
            while box < work[BOXES_NOW] and work[MIXED + work[HEAD + box]] != mixed:
                box += 1
            if box == work[BOXES_NOW]:
                begin_box(cell, work)
            else:
                work[LINK + cell] = work[LINK + work[HEAD + box]]
                work[LINK + work[HEAD + box]] = cell
            work[BOXED + cell] = stamp + box
            work[SIZE + box] += 1
            work[SEA_CELLS] -= 1


def add_number(number: int, work: IntArray) -> int:
    """Name a number that asks; return its name."""
    new = work[NAMES]
    work[NAMES] = new + 1
    work[NAMED + number] = work[STAMP] + new
    work[NUMBERED + new] = number
    work[PLACE + new] = new
    work[NEED + new] = work[LACK + number]
    work[SPACE + new] = work[UNSEEN + number]
    work[LENGTH + new] = 0
    work[SLOT + new] = -1
    found: int = new
    return found


def begin_box(cell: int, work: IntArray) -> None:
    """Begin a box with the numbers around its first cell."""
    stride = work[STRIDE]
    box = work[BOXES_NOW]
    work[BOXES_NOW] = box + 1
    work[HEAD + box] = cell
    work[LINK + cell] = -1
    work[SIZE + box] = 0
    work[DONE + box] = 0
    count = 0
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            if work[KIND + other] != OPENED:
                continue
            at = work[NAMED + other] - work[STAMP]
            if at < 0:
                at = add_number(other, work)
            work[NUMBERS + 8 * box + count] = at
            work[BESIDE + 8 * at + work[LENGTH + at]] = box
            work[LENGTH + at] += 1
            work[WAITING + at] = work[LENGTH + at]
            count += 1
    work[COUNT + box] = count


def weigh_boxes(work: IntArray, values: FloatArray) -> int:
    """Find the ways and the chances for boxes that are in order; 0, or `BEYOND`.

    What the counting leaves behind is put right again, so that it can be done for other needs.
    """
    for at in range(work[NAMES]):
        work[SPACE + at] = work[UNSEEN + work[NUMBERED + at]]
        work[SLOT + at] = -1
    parts = work[PARTS_NOW]
    values[WHOLE] = 0.0
    found = find_states(parts, work, values)
    if found < 0:
        return 0 if found == NO_WAY else BEYOND
    if find_component_polynomials(parts, work, values) < 0:
        return BEYOND
    left = work[LEFT]
    sea = work[SEA_CELLS]
    first = combine_with_sea(parts, left, sea, work, values)
    if first < 0:
        return 0
    scale = values[LOGS + sea] - values[LOGS + first] - values[LOGS + sea - first]
    values[WHOLE] = values[TOTAL] * math.exp(scale - values[FACTOR])
    if values[WHOLE] == 0.0:
        return 0
    weigh_by_the_rest(parts, work, values)
    for part in range(parts):
        write_box_chances(part, work, values)
    return 0
