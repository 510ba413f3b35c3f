"""What is known of the board while a game goes on, kept cell by cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.player.kernels.offsets import (
    AGAIN,
    AGAINS,
    COVERED,
    DICE,
    HEIGHT,
    ITSELF,
    KIND,
    LACK,
    LEFT,
    MINE,
    MIXED,
    OPENED,
    READIES,
    READY,
    RIM,
    SAFE,
    STRIDE,
    UNKNOWN,
    UNSEEN,
    WAITS,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray


def begin_board(height: int, width: int, mines: int, work: IntArray) -> None:
    """Begin with a board of which nothing is known."""
    stride = width + 2
    work[HEIGHT] = height
    work[WIDTH] = width
    work[STRIDE] = stride
    work[LEFT] = mines
    work[COVERED] = height * width
    work[AGAINS] = 0
    work[READIES] = 0
    for row in range(height + 2):
        inside = 0 < row <= height
        rows = 3 - (1 if row <= 1 else 0) - (1 if row >= height else 0)
        for col in range(stride):
            cell = row * stride + col
            work[LACK + cell] = 0
            work[MIXED + cell] = 0
            work[WAITS + cell] = 0
            work[ITSELF + cell] = 0
            work[KIND + cell] = UNKNOWN if inside and 0 < col <= width else RIM
            cols = 3 - (1 if col <= 1 else 0) - (1 if col >= width else 0)
            work[UNSEEN + cell] = rows * cols


def show_number(cell: int, number: int, work: IntArray) -> None:
    """Note the number of a cell that was opened."""
    suppose_number(cell, number, work)
    stride = work[STRIDE]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            revisit_number(other, work)


def mines_around(cell: int, laid: ByteArray, stride: int) -> int:
    """Return the mines around a cell of a layout with a rim."""
    number = 0
    for row in range(cell - stride, cell + stride + 1, stride):
        number += int(laid[row - 1]) + int(laid[row]) + int(laid[row + 1])
    return number


def suppose_number(cell: int, number: int, work: IntArray) -> None:
    """Take a cell as opened with a number, until `unsuppose_number`."""
    stride = work[STRIDE]
    work[KIND + cell] = OPENED
    work[LACK + cell] += number
    work[COVERED] -= 1
    name = work[DICE + cell]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            work[UNSEEN + other] -= 1
            work[MIXED + other] ^= name


def unsuppose_number(cell: int, number: int, work: IntArray) -> None:
    """Forget what `suppose_number` noted last."""
    stride = work[STRIDE]
    work[KIND + cell] = UNKNOWN
    work[LACK + cell] -= number
    work[COVERED] += 1
    name = work[DICE + cell]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            work[UNSEEN + other] += 1
            work[MIXED + other] ^= name


def mark_mine(cell: int, work: IntArray) -> None:
    """Note that a cell is certainly a mine."""
    stride = work[STRIDE]
    work[KIND + cell] = MINE
    work[COVERED] -= 1
    work[LEFT] -= 1
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            work[UNSEEN + other] -= 1
            work[LACK + other] -= 1
            revisit_number(other, work)


def mark_safe(cell: int, work: IntArray) -> None:
    """Note that a cell is certainly safe: it is to be opened."""
    work[KIND + cell] = SAFE
    work[READY + work[READIES]] = cell
    work[READIES] += 1


def revisit_number(cell: int, work: IntArray) -> None:
    """Have a number looked at again, since something around it has changed."""
    if work[KIND + cell] == OPENED and work[WAITS + cell] == 0:
        work[WAITS + cell] = 1
        work[AGAIN + work[AGAINS]] = cell
        work[AGAINS] += 1


def next_safe_cell(work: IntArray) -> int:
    """Return a cell that single numbers prove safe, or -1 when they prove no more."""
    while work[READIES] == 0:
        if work[AGAINS] == 0:
            return -1
        work[AGAINS] -= 1
        cell = work[AGAIN + work[AGAINS]]
        work[WAITS + cell] = 0
        if work[UNSEEN + cell] > 0:
            settle_around_number(cell, work)
    work[READIES] -= 1
    found: int = work[READY + work[READIES]]
    return found


def settle_without_opening(work: IntArray) -> None:
    """Settle what single numbers settle, but leave safe cells unknown, since none is opened."""
    while next_safe_cell(work) >= 0:
        continue
    work[READIES] = 0
    for row in range(1, work[HEIGHT] + 1):
        first = row * work[STRIDE] + 1
        for cell in range(first, first + work[WIDTH]):
            if work[KIND + cell] == SAFE:
                work[KIND + cell] = UNKNOWN


def settle_around_number(cell: int, work: IntArray) -> None:
    """Settle the cells around a number if it lacks no mine, or as many as there are cells."""
    lack = work[LACK + cell]
    if lack != 0 and lack != work[UNSEEN + cell]:
        return
    stride = work[STRIDE]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            if work[KIND + other] != UNKNOWN:
                continue
            if lack == 0:
                mark_safe(other, work)
            else:
                mark_mine(other, work)
