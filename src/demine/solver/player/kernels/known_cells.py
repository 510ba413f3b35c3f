"""What is known of a board during a game, cell by cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.player.kernels.offsets import (
    AGAIN,
    AWAITS_REVISIT,
    CELL_HASH,
    COVERED,
    HEIGHT,
    ITSELF,
    KIND,
    LACK,
    MINE,
    MINES_LEFT,
    NEIGHBOUR_HASH,
    OPENED,
    REVISIT_COUNT,
    RIM,
    SAFE,
    STRIDE,
    TO_OPEN,
    TO_OPEN_COUNT,
    UNKNOWN,
    UNKNOWN_AROUND,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray
    from demine.solver.player.kernels.return_types import CellOrCode


def begin_board(height: int, width: int, mines: int, work: IntArray) -> None:
    """Begin a board of which nothing is known."""
    stride = width + 2
    work[HEIGHT] = height
    work[WIDTH] = width
    work[STRIDE] = stride
    work[MINES_LEFT] = mines
    work[COVERED] = height * width
    work[REVISIT_COUNT] = 0
    work[TO_OPEN_COUNT] = 0
    for row in range(height + 2):
        inside = 0 < row <= height
        rows = 3 - (1 if row <= 1 else 0) - (1 if row >= height else 0)
        for col in range(stride):
            cell = row * stride + col
            work[LACK + cell] = 0
            work[NEIGHBOUR_HASH + cell] = 0
            work[AWAITS_REVISIT + cell] = 0
            work[ITSELF + cell] = 0
            work[KIND + cell] = UNKNOWN if inside and 0 < col <= width else RIM
            cols = 3 - (1 if col <= 1 else 0) - (1 if col >= width else 0)
            work[UNKNOWN_AROUND + cell] = rows * cols


def show_number(cell: int, number: int, work: IntArray) -> None:
    """Note the number that an opened cell shows."""
    suppose_number(cell, number, work)
    stride = work[STRIDE]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            revisit_number(other, work)


def mines_around(cell: int, padded_mines: ByteArray, stride: int) -> int:
    """Return how many mines are around a cell, or in it, in a padded layout."""
    number = 0
    for row in range(cell - stride, cell + stride + 1, stride):
        number += int(padded_mines[row - 1]) + int(padded_mines[row]) + int(padded_mines[row + 1])
    return number


def suppose_number(cell: int, number: int, work: IntArray) -> None:
    """Note a cell as opened with a number, to be undone by `unsuppose_number`."""
    stride = work[STRIDE]
    work[KIND + cell] = OPENED
    work[LACK + cell] += number
    work[COVERED] -= 1
    name = work[CELL_HASH + cell]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            work[UNKNOWN_AROUND + other] -= 1
            work[NEIGHBOUR_HASH + other] ^= name


def unsuppose_number(cell: int, number: int, work: IntArray) -> None:
    """Undo the last `suppose_number`."""
    stride = work[STRIDE]
    work[KIND + cell] = UNKNOWN
    work[LACK + cell] -= number
    work[COVERED] += 1
    name = work[CELL_HASH + cell]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            work[UNKNOWN_AROUND + other] += 1
            work[NEIGHBOUR_HASH + other] ^= name


def mark_mine(cell: int, work: IntArray) -> None:
    """Note that a cell is certainly a mine."""
    stride = work[STRIDE]
    work[KIND + cell] = MINE
    work[COVERED] -= 1
    work[MINES_LEFT] -= 1
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            work[UNKNOWN_AROUND + other] -= 1
            work[LACK + other] -= 1
            revisit_number(other, work)


def mark_safe(cell: int, work: IntArray) -> None:
    """Note that a cell is certainly safe, and list it to be opened."""
    work[KIND + cell] = SAFE
    work[TO_OPEN + work[TO_OPEN_COUNT]] = cell
    work[TO_OPEN_COUNT] += 1


def revisit_number(number_cell: int, work: IntArray) -> None:
    """List a number to be looked at again, since something around it has changed."""
    if work[KIND + number_cell] == OPENED and work[AWAITS_REVISIT + number_cell] == 0:
        work[AWAITS_REVISIT + number_cell] = 1
        work[AGAIN + work[REVISIT_COUNT]] = number_cell
        work[REVISIT_COUNT] += 1


def next_safe_cell(work: IntArray) -> CellOrCode:
    """Return the next cell that is proven safe, by single numbers; -1 if there is none."""
    while work[TO_OPEN_COUNT] == 0:
        if work[REVISIT_COUNT] == 0:
            return -1
        work[REVISIT_COUNT] -= 1
        cell = work[AGAIN + work[REVISIT_COUNT]]
        work[AWAITS_REVISIT + cell] = 0
        if work[UNKNOWN_AROUND + cell] > 0:
            settle_around_number(cell, work)
    work[TO_OPEN_COUNT] -= 1
    found: int = work[TO_OPEN + work[TO_OPEN_COUNT]]
    return found


def settle_without_opening(work: IntArray) -> None:
    """Mark the mines that single numbers prove; leave safe cells unknown, as none is opened."""
    while next_safe_cell(work) >= 0:
        continue
    work[TO_OPEN_COUNT] = 0
    for row in range(1, work[HEIGHT] + 1):
        first = row * work[STRIDE] + 1
        for cell in range(first, first + work[WIDTH]):
            if work[KIND + cell] == SAFE:
                work[KIND + cell] = UNKNOWN


def settle_around_number(number_cell: int, work: IntArray) -> None:
    """Mark the unknown cells around a number if all of them are safe or all are mines."""
    lack = work[LACK + number_cell]
    if lack != 0 and lack != work[UNKNOWN_AROUND + number_cell]:
        return
    stride = work[STRIDE]
    for row in range(number_cell - stride, number_cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            if work[KIND + other] != UNKNOWN:
                continue
            if lack == 0:
                mark_safe(other, work)
            else:
                mark_mine(other, work)
