"""List all layouts that a position still allows, with what each cell shows in each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.box_order import order_all_boxes
from demine.solver.exact.kernels.offsets import BEYOND, COUNT, NEED, NUMBERS, ORDER, SPACE
from demine.solver.player.kernels.box_probabilities import gather_boxes
from demine.solver.player.kernels.offsets import (
    ASSIGNED,
    BOX_COUNT,
    BOX_INDEX,
    BOX_OF,
    CELL_COUNT,
    CELLS,
    COVERED,
    FIRST_IN_BOX,
    HEIGHT,
    HINTS_SIZE,
    KIND,
    LACK,
    LAYOUT_COUNT,
    LAYOUTS,
    MINES_LEFT,
    NEIGHBOUR_COUNT,
    NEIGHBOURS,
    NEXT_IN_BOX,
    NUMBER_CELL,
    NUMBER_COUNT,
    SORT,
    STAMP,
    STRIDE,
    UNKNOWN,
    UNKNOWN_AROUND,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray
    from demine.solver.player.kernels.return_types import CountOrCode, ErrorCode

BOMB = 9
"""Stands for a mine among the numbers."""


def list_layouts(work: IntArray, hints: ByteArray) -> CountOrCode:
    """List the layouts of an evaluated position; return how many, or `BEYOND`.

    The cells are put into `CELLS`. `hints` gets a row for each layout: the number of each
    of these cells, or `BOMB`.
    """
    if work[COVERED] > 250 or regather_settled_boxes(work) < 0:
        return BEYOND
    list_unknown_cells(work)
    for at in range(work[NUMBER_COUNT]):
        work[SPACE + at] = work[UNKNOWN_AROUND + work[NUMBER_CELL + at]]
    cells = work[CELL_COUNT]
    left = work[MINES_LEFT]
    found = 0
    at = 0
    work[ASSIGNED] = -1
    # Each cell is tried as a mine, then as safe, and unassigned on the way back.
    while at >= 0:
        if at == cells:
            if left == 0:
                if found == LAYOUTS or (found + 1) * cells > HINTS_SIZE:
                    return BEYOND
                write_shown_numbers(found * cells, cells, work, hints)
                found += 1
            at -= 1
            continue
        state = work[ASSIGNED + at]
        if state >= 0:
            unassign_cell(at, state, work)
            left += state
        state = 1 if state < 0 else state - 1
        if state == 1 and left == 0:
            state = 0
        work[ASSIGNED + at] = state
        if state < 0:
            at -= 1
            continue
        left -= state
        # A cell that was refused is unassigned when the loop returns to it.
        if assign_cell(at, state, work) and left <= cells - at - 1:
            at += 1
            work[ASSIGNED + at] = -1
    work[LAYOUT_COUNT] = found
    return found


def regather_settled_boxes(work: IntArray) -> ErrorCode:
    """Gather the boxes anew if one of them was marked as mines since."""
    for box in range(work[BOX_COUNT]):
        if work[KIND + work[FIRST_IN_BOX + box]] != UNKNOWN:
            if gather_boxes(work) < 0:
                return BEYOND
            order_all_boxes(work[BOX_COUNT], work)
            return 0
    return 0


def list_unknown_cells(work: IntArray) -> None:
    """List the unknown cells box by box, those that touch no number last."""
    cells = 0
    for turn in range(work[BOX_COUNT]):
        box = work[ORDER + turn]
        cell = work[FIRST_IN_BOX + box]
        while cell >= 0:
            work[CELLS + cells] = cell
            work[BOX_OF + cells] = box
            work[SORT + cell] = cells
            cells += 1
            cell = work[NEXT_IN_BOX + cell]
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN and work[BOX_INDEX + cell] < work[STAMP]:
                work[CELLS + cells] = cell
                work[BOX_OF + cells] = -1
                work[SORT + cell] = cells
                cells += 1
    work[CELL_COUNT] = cells
    stride = work[STRIDE]
    for at in range(cells):
        cell = work[CELLS + at]
        count = 0
        for row in range(cell - stride, cell + stride + 1, stride):
            for other in range(row - 1, row + 2):
                if other != cell and work[KIND + other] == UNKNOWN:
                    work[NEIGHBOURS + 8 * at + count] = work[SORT + other]
                    count += 1
        work[NEIGHBOUR_COUNT + at] = count


def assign_cell(index: int, is_mine: int, work: IntArray) -> bool:
    """Make a cell a mine (1) or safe (0); return whether its numbers can still be satisfied."""
    box = work[BOX_OF + index]
    possible = True
    if box >= 0:
        for at in range(8 * box, 8 * box + work[COUNT + box]):
            name = work[NUMBERS + at]
            work[NEED + name] -= is_mine
            work[SPACE + name] -= 1
            if work[NEED + name] < 0 or work[NEED + name] > work[SPACE + name]:
                possible = False
    return possible


def unassign_cell(index: int, is_mine: int, work: IntArray) -> None:
    """Undo `assign_cell`."""
    box = work[BOX_OF + index]
    if box >= 0:
        for at in range(8 * box, 8 * box + work[COUNT + box]):
            name = work[NUMBERS + at]
            work[NEED + name] += is_mine
            work[SPACE + name] += 1


def write_shown_numbers(row_begin: int, cell_count: int, work: IntArray, hints: ByteArray) -> None:
    """Write what each cell shows in the layout that has been assigned."""
    for at in range(cell_count):
        number = BOMB
        if work[ASSIGNED + at] == 0:
            number = -work[LACK + work[CELLS + at]]
            for index in range(8 * at, 8 * at + work[NEIGHBOUR_COUNT + at]):
                number += work[ASSIGNED + work[NEIGHBOURS + index]]
        hints[row_begin + at] = number
