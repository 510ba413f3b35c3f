"""Listing all layouts that a position still allows, with the number of each cell in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.box_order import order_all_boxes
from demine.solver.exact.kernels.offsets import (
    BEYOND,
    COUNT,
    NEED,
    NUMBERS,
    ORDER,
    SPACE,
)
from demine.solver.player.kernels.box_probabilities import gather_boxes
from demine.solver.player.kernels.offsets import (
    BOX_OF,
    BOXED,
    BOXES_NOW,
    CELLS,
    CELLS_NOW,
    COVERED,
    HEAD,
    HEIGHT,
    HINTS,
    KIND,
    LACK,
    LAID,
    LAYOUTS,
    LAYOUTS_NOW,
    LEFT,
    LINK,
    NAMES,
    NEAR,
    NEARS,
    NUMBERED,
    SORT,
    STAMP,
    STRIDE,
    UNKNOWN,
    UNSEEN,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray

BOMB = 9
"""What stands for a mine among the numbers."""


def list_layouts(work: IntArray, hints: ByteArray) -> int:
    """List the layouts of an evaluated position; return how many, or `BEYOND`.

    Row by row `hints` holds the number of each unknown cell, or `BOMB`. The cells are in `CELLS`.
    """
    if work[COVERED] > 250 or regather_settled_boxes(work) < 0:
        return BEYOND
    list_unknown_cells(work)
    for at in range(work[NAMES]):
        work[SPACE + at] = work[UNSEEN + work[NUMBERED + at]]
    cells = work[CELLS_NOW]
    left = work[LEFT]
    found = 0
    at = 0
    work[LAID] = -1
    # Each cell is tried as a mine, then as safe; what is laid is taken back on the way out.
    while at >= 0:
        if at == cells:
            if left == 0:
                if found == LAYOUTS or (found + 1) * cells > HINTS:
                    return BEYOND
                write_shown_numbers(found * cells, cells, work, hints)
                found += 1
            at -= 1
            continue
        state = work[LAID + at]
        if state >= 0:
            take_cell_back(at, state, work)
            left += state
        state = 1 if state < 0 else state - 1
        if state == 1 and left == 0:
            state = 0
        work[LAID + at] = state
        if state < 0:
            at -= 1
            continue
        left -= state
        # A refused cell is taken back when it is met again.
        if lay_cell(at, state, work) and left <= cells - at - 1:
            at += 1
            work[LAID + at] = -1
    work[LAYOUTS_NOW] = found
    return found


def regather_settled_boxes(work: IntArray) -> int:
    """Gather the boxes anew if one of them was settled as certain mines; 0, or `BEYOND`."""
    for box in range(work[BOXES_NOW]):
        if work[KIND + work[HEAD + box]] != UNKNOWN:
            if gather_boxes(work) < 0:
                return BEYOND
            order_all_boxes(work[BOXES_NOW], work)
            return 0
    return 0


def list_unknown_cells(work: IntArray) -> None:
    """Put the unknown cells in a row, box by box, those that touch no number last."""
    cells = 0
    for turn in range(work[BOXES_NOW]):
        box = work[ORDER + turn]
        cell = work[HEAD + box]
        while cell >= 0:
            work[CELLS + cells] = cell
            work[BOX_OF + cells] = box
            work[SORT + cell] = cells
            cells += 1
            cell = work[LINK + cell]
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN and work[BOXED + cell] < work[STAMP]:
                work[CELLS + cells] = cell
                work[BOX_OF + cells] = -1
                work[SORT + cell] = cells
                cells += 1
    work[CELLS_NOW] = cells
    stride = work[STRIDE]
    for at in range(cells):
        cell = work[CELLS + at]
        count = 0
        for row in range(cell - stride, cell + stride + 1, stride):
            for other in range(row - 1, row + 2):
                if other != cell and work[KIND + other] == UNKNOWN:
                    work[NEAR + 8 * at + count] = work[SORT + other]
                    count += 1
        work[NEARS + at] = count


def lay_cell(at: int, mine: int, work: IntArray) -> bool:
    """Take a cell as a mine or as safe; return whether the numbers around it still can be."""
    box = work[BOX_OF + at]
    good = True
    if box >= 0:
        for index in range(8 * box, 8 * box + work[COUNT + box]):
            name = work[NUMBERS + index]
            work[NEED + name] -= mine
            work[SPACE + name] -= 1
            if work[NEED + name] < 0 or work[NEED + name] > work[SPACE + name]:
                good = False
    return good


def take_cell_back(at: int, mine: int, work: IntArray) -> None:
    """Take back what `lay_cell` did."""
    box = work[BOX_OF + at]
    if box >= 0:
        for index in range(8 * box, 8 * box + work[COUNT + box]):
            name = work[NUMBERS + index]
            work[NEED + name] += mine
            work[SPACE + name] += 1


def write_shown_numbers(begin: int, cells: int, work: IntArray, hints: ByteArray) -> None:
    """Write what each cell shows in the layout that is laid."""
    for at in range(cells):
        number = BOMB
        if work[LAID + at] == 0:
            number = -work[LACK + work[CELLS + at]]
            for index in range(8 * at, 8 * at + work[NEARS + at]):
                number += work[LAID + work[NEAR + index]]
        hints[begin + at] = number
