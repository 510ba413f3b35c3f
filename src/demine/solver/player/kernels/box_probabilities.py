"""The numbers and boxes of a position, and how likely the cells of each box are mines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demine.solver.exact.kernels.box_order import give_last_turns, order_all_boxes
from demine.solver.exact.kernels.combine_components import (
    combine_with_sea,
    find_component_polynomials,
    weigh_by_the_rest,
    write_box_chances,
)
from demine.solver.exact.kernels.component_states import (
    find_states,
    find_states_of_component,
    find_states_with_one_more_mine,
)
from demine.solver.exact.kernels.offsets import (
    BESIDE,
    BEYOND,
    BOXES,
    CHANCE,
    COUNT,
    DONE,
    LENGTH,
    NEED,
    NO_WAY,
    NUMBERS,
    ORDER,
    PART,
    PART_END,
    PLACE,
    SIZE,
    SLOT,
    SPACE,
    TOTAL,
    WAITING,
)
from demine.solver.player.kernels.offsets import (
    BOX_COUNT,
    BOX_INDEX,
    COMPONENT_COUNT,
    COVERED,
    EDGE,
    EDGE_COUNT,
    FIRST_IN_BOX,
    HEIGHT,
    KIND,
    LACK,
    LOG_FACTOR,
    LOGS,
    MINES_LEFT,
    NEIGHBOUR_HASH,
    NEXT_IN_BOX,
    NUMBER_CELL,
    NUMBER_COUNT,
    NUMBER_INDEX,
    OPENED,
    SEA_CELLS,
    STAMP,
    STAMP_STEP,
    STRIDE,
    TOTAL_WEIGHT,
    UNKNOWN,
    UNKNOWN_AROUND,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray
    from demine.solver.exact.kernels.offsets import EndOrBeyond
    from demine.solver.player.kernels.return_types import ErrorCode


def evaluate_position(work: IntArray, values: FloatArray) -> ErrorCode:
    """Find the weight of all layouts and the mine probability of each box.

    If no layout fits, `TOTAL_WEIGHT` is 0 and the probabilities are left from another position.
    """
    if gather_boxes(work) < 0:
        return BEYOND
    covered = work[COVERED]
    left = work[MINES_LEFT]
    values[LOG_FACTOR] = (
        values[LOGS + covered] - values[LOGS + left] - values[LOGS + covered - left]
    )
    work[COMPONENT_COUNT] = order_all_boxes(work[BOX_COUNT], work)
    return compute_box_chances(work, values)


def gather_boxes(work: IntArray) -> ErrorCode:
    """Group the unknown cells beside numbers into boxes."""
    list_edge(work)
    return gather_boxes_at_edge(work)


def list_edge(work: IntArray) -> None:
    """List the opened cells with unknown cells around them, row by row."""
    found = 0
    width = work[WIDTH]
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + width):
            if work[KIND + cell] == OPENED and work[UNKNOWN_AROUND + cell] > 0:
                work[EDGE + found] = cell
                found += 1
    work[EDGE_COUNT] = found


def add_to_edge(cell: int, work: IntArray) -> None:
    """List a cell that is supposed to be opened, to be undone by `remove_from_edge`."""
    place = EDGE + work[EDGE_COUNT]
    while place > EDGE and work[place - 1] > cell:
        work[place] = work[place - 1]
        place -= 1
    work[place] = cell
    work[EDGE_COUNT] += 1


def remove_from_edge(cell: int, work: IntArray) -> None:
    """Take a cell off the list of opened cells."""
    place = EDGE
    while work[place] != cell:
        place += 1
    work[EDGE_COUNT] -= 1
    for at in range(place, EDGE + work[EDGE_COUNT]):
        work[at] = work[at + 1]


def gather_boxes_at_edge(work: IntArray) -> ErrorCode:
    """Group the unknown cells beside the numbers of the edge, which is listed, into boxes."""
    work[STAMP] += STAMP_STEP
    work[NUMBER_COUNT] = 0
    work[BOX_COUNT] = 0
    work[SEA_CELLS] = work[COVERED]
    for at in range(work[EDGE_COUNT]):
        if work[UNKNOWN_AROUND + work[EDGE + at]] > 0:
            box_cells_around(work[EDGE + at], work)
            if work[BOX_COUNT] >= BOXES - 9:
                return BEYOND
    return 0


def box_cells_around(number: int, work: IntArray) -> None:
    """Put the unknown cells around a number into boxes, unless they are in one already."""
    stride = work[STRIDE]
    stamp = work[STAMP]
    begin = work[BOX_COUNT]
    if work[NUMBER_INDEX + number] < stamp:
        index_number(number, work)
    for row in range(number - stride, number + stride + 1, stride):
        for cell in range(row - 1, row + 2):
            if work[KIND + cell] != UNKNOWN or work[BOX_INDEX + cell] >= stamp:
                continue
            mixed = work[NEIGHBOUR_HASH + cell]
            box = begin
            while (
                box < work[BOX_COUNT] and work[NEIGHBOUR_HASH + work[FIRST_IN_BOX + box]] != mixed
            ):
                box += 1
            if box == work[BOX_COUNT]:
                begin_box(cell, work)
            else:
                work[NEXT_IN_BOX + cell] = work[NEXT_IN_BOX + work[FIRST_IN_BOX + box]]
                work[NEXT_IN_BOX + work[FIRST_IN_BOX + box]] = cell
            work[BOX_INDEX + cell] = stamp + box
            work[SIZE + box] += 1
            work[SEA_CELLS] -= 1


def index_number(number: int, work: IntArray) -> int:
    """Give a number the next index, with what it lacks; return that index."""
    new = work[NUMBER_COUNT]
    work[NUMBER_COUNT] = new + 1
    work[NUMBER_INDEX + number] = work[STAMP] + new
    work[NUMBER_CELL + new] = number
    work[PLACE + new] = new
    work[NEED + new] = work[LACK + number]
    work[SPACE + new] = work[UNKNOWN_AROUND + number]
    work[LENGTH + new] = 0
    work[SLOT + new] = -1
    found: int = new
    return found


def begin_box(cell: int, work: IntArray) -> None:
    """Begin a box with its first cell and the numbers around it."""
    stride = work[STRIDE]
    box = work[BOX_COUNT]
    work[BOX_COUNT] = box + 1
    work[FIRST_IN_BOX + box] = cell
    work[NEXT_IN_BOX + cell] = -1
    work[SIZE + box] = 0
    work[DONE + box] = 0
    count = 0
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            if work[KIND + other] != OPENED:
                continue
            at = work[NUMBER_INDEX + other] - work[STAMP]
            if at < 0:
                at = index_number(other, work)
            work[NUMBERS + 8 * box + count] = at
            work[BESIDE + 8 * at + work[LENGTH + at]] = box
            work[LENGTH + at] += 1
            work[WAITING + at] = work[LENGTH + at]
            count += 1
    work[COUNT + box] = count


def compute_box_chances(work: IntArray, values: FloatArray) -> ErrorCode:
    """Find the weight of all layouts and the mine probability of each box, once these are ordered.

    What an earlier computation changed is reset first, so that it can be repeated with other
    numbers.
    """
    code = weigh_layouts(work, values)
    if code == 0 and values[TOTAL_WEIGHT] > 0.0:
        write_all_chances(work, values)
    return code


def weigh_layouts(work: IntArray, values: FloatArray) -> ErrorCode:
    """Find the weight of all layouts, once the boxes are ordered, and no probabilities."""
    return weigh_states(find_other_states(-1, work, values), work, values)


def set_component_apart(number: int, work: IntArray) -> int:
    """Give the last turns to the component of a number; return it, or -1 if it has no box."""
    name = work[NUMBER_INDEX + number] - work[STAMP]
    if name < 0 or work[LENGTH + name] == 0:
        return -1
    return give_last_turns(work[BESIDE + 8 * name], work[COMPONENT_COUNT], work)


def find_other_states(apart: int, work: IntArray, values: FloatArray) -> EndOrBeyond:
    """Find the states of all components but `apart`, which stay when a number of it changes."""
    reset_numbers(work)
    return find_states(work[COMPONENT_COUNT], apart, work, values)


def reset_numbers(work: IntArray) -> None:
    """Reset what finding states has changed of the numbers."""
    for at in range(work[NUMBER_COUNT]):
        work[SPACE + at] = work[UNKNOWN_AROUND + work[NUMBER_CELL + at]]
        work[SLOT + at] = -1


def find_states_apart(
    apart: int, name: int, raised: bool, others_end: int, work: IntArray, values: FloatArray
) -> EndOrBeyond:
    """Find the states of the component `apart` with what its number `name` needs now.

    They lie behind those of the others, which end at `others_end`. `raised` says that they were
    found before, when that number needed one mine less. Returns what `find_states` does.
    """
    has_bits = work[SLOT + name] >= 0
    reset_numbers(work)
    if raised and has_bits:
        return find_states_with_one_more_mine(apart, name, work, values)
    return find_states_of_component(apart, others_end, work, values)


def weigh_states(end: int, work: IntArray, values: FloatArray) -> ErrorCode:
    """Find the weight of all layouts; `end` is what finding the states of components returned."""
    values[TOTAL_WEIGHT] = 0.0
    if end < 0:
        return 0 if end == NO_WAY else BEYOND
    parts = work[COMPONENT_COUNT]
    if find_component_polynomials(parts, work, values) < 0:
        return BEYOND
    left = work[MINES_LEFT]
    sea = work[SEA_CELLS]
    first = combine_with_sea(parts, left, sea, work, values)
    if first < 0:
        return 0
    scale = values[LOGS + sea] - values[LOGS + first] - values[LOGS + sea - first]
    values[TOTAL_WEIGHT] = values[TOTAL] * math.exp(scale - values[LOG_FACTOR])
    return 0


def write_all_chances(work: IntArray, values: FloatArray) -> None:
    """Write the mine probability of each box of a weighed position."""
    weigh_by_the_rest(work[COMPONENT_COUNT], work, values)
    for component in range(work[COMPONENT_COUNT]):
        write_box_chances(component, work, values)


def write_chances_unless_safe(apart: int, work: IntArray, values: FloatArray) -> bool:
    """Write the mine probability of each box of a weighed position, first those of `apart`.

    Returns True, and leaves the others out, if a box of it is safe.
    """
    weigh_by_the_rest(work[COMPONENT_COUNT], work, values)
    if apart >= 0:
        write_box_chances(apart, work, values)
        for turn in range(work[PART + apart], work[PART_END + apart]):
            if values[CHANCE + work[ORDER + turn]] == 0.0:
                return True
    for component in range(work[COMPONENT_COUNT]):
        if component != apart:
            write_box_chances(component, work, values)
    return False
