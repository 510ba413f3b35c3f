"""Parsing a scene board: settled cells, the numbers beside the others, and boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import (
    BESIDE,
    BEYOND,
    BOX,
    COUNT,
    COVER,
    DONE,
    KEY,
    LENGTH,
    NAME,
    NEED,
    NUMBERS,
    PLACE,
    ROOM,
    SIZE,
    SLOT,
    SPACE,
    STACK,
    WAITING,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray
    from demine.solver.exact.kernels.offsets import CountOrBeyond, PackedCountsOrBeyond


def copy_faces(
    faces: ByteArray, start: int, height: int, width: int, work: IntArray
) -> CountOrBeyond:
    """Copy the faces from `start` on, with a rim of opened cells; return how many are covered."""
    stride = width + 2
    for cell in range(stride):
        for rim in (cell, (height + 1) * stride + cell):
            work[COVER + rim] = 0
            work[ROOM + rim] = 0
    covered = 0
    for row in range(height):
        cell = (row + 1) * stride
        for rim in (cell, cell + width + 1):
            work[COVER + rim] = 0
            work[ROOM + rim] = 0
        for col in range(width):
            cell += 1
            face = int(faces[start + row * width + col])
            if face > 11:
                return BEYOND
            is_covered = 1 if face > 8 else 0
            covered += is_covered
            work[COVER + cell] = is_covered
            work[NEED + cell] = face
    return covered


def find_settling_numbers(height: int, width: int, work: IntArray) -> CountOrBeyond:
    """Count the covered cells around each number; return how many numbers settle their cells.

    These are put on the stack. Returns `BEYOND` if a number needs more mines than it has cells.
    """
    stride = width + 2
    stacked = 0
    for row in range(height):
        cell = (row + 1) * stride + 1
        left = 0
        here = work[COVER + cell - stride] + work[COVER + cell] + work[COVER + cell + stride]
        for _ in range(width):
            after = cell + 1
            right = (
                work[COVER + after - stride] + work[COVER + after] + work[COVER + after + stride]
            )
            room = 0
            if work[COVER + cell]:
                work[BOX + cell] = -1
            else:
                room = left + here + right
                need = work[NEED + cell]
                if need > room:
                    return BEYOND
                work[STACK + stacked] = cell
                stacked += 1 if (room > 0) & ((need == 0) | (need == room)) else 0
            work[ROOM + cell] = room
            left = here
            here = right
            cell = after
    return stacked


def settle_by_single_numbers(stride: int, stacked: int, work: IntArray) -> PackedCountsOrBeyond:
    """Settle all cells that single numbers settle; return `safe cells << 32 | mines`.

    Around a settled cell all cells are updated, also those that are no numbers, because branches
    that cannot be predicted cost more. These have a room of 0, and then a negative one.
    """
    safe = 0
    mines = 0
    wrong = 0
    while stacked > 0:
        stacked -= 1
        number = work[STACK + stacked]
        if work[ROOM + number] == 0:
            continue
        mine = 1 if work[NEED + number] > 0 else 0
        for row in range(number - stride, number + stride + 1, stride):
            for cell in range(row - 1, row + 2):
                if work[COVER + cell] != 1:
                    continue
                work[COVER + cell] = 2 + mine
                mines += mine
                safe += 1 - mine
                for line in range(cell - stride, cell + stride + 1, stride):
                    for other in range(line - 1, line + 2):
                        room = work[ROOM + other] - 1
                        need = work[NEED + other] - mine
                        work[ROOM + other] = room
                        work[NEED + other] = need
                        wrong += 1 if (room >= 0) & ((need < 0) | (need > room)) else 0
                        work[STACK + stacked] = other
                        stacked += 1 if (room > 0) & ((need == 0) | (need == room)) else 0
        if wrong > 0:
            return BEYOND
    return (safe << 32) | mines


def index_numbers(height: int, width: int, work: IntArray) -> int:
    """Give the numbers beside unsettled cells their indices, row by row; return how many."""
    stride = width + 2
    number_count = 0
    for row in range(height):
        for cell in range((row + 1) * stride + 1, (row + 1) * stride + 1 + width):
            if work[ROOM + cell] > 0:
                work[NAME + cell] = number_count
                work[PLACE + number_count] = cell
                work[LENGTH + number_count] = 0
                work[SPACE + number_count] = work[ROOM + cell]
                work[SLOT + number_count] = -1
                number_count += 1
    return number_count


def group_into_boxes(stride: int, number_count: int, work: IntArray) -> int:
    """Group unsettled cells with the same numbers into boxes; return how many boxes there are.

    A cell joins a box at its first number. Its key is the pattern of all its numbers relative to
    that one, so equal keys mean equal sets of numbers.
    """
    box_count = 0
    for number in range(number_count):
        begin = box_count
        place = work[PLACE + number]
        for near in range(9):
            row = near // 3 - 1
            col = near % 3 - 1
            cell = place + row * stride + col
            if work[COVER + cell] != 1 or work[BOX + cell] >= 0:
                continue
            key = 0
            for far in range(9):
                if work[ROOM + cell + (far // 3 - 1) * stride + far % 3 - 1] > 0:
                    key |= 1 << ((row + far // 3 + 1) * 5 + col + far % 3 + 1)
            box = begin
            while box < box_count and work[KEY + box] != key:
                box += 1
            if box == box_count:
                box_count += 1
                add_box(box, key, cell, stride, work)
            work[BOX + cell] = box
            work[SIZE + box] += 1
    return box_count


def add_box(box: int, key: int, cell: int, stride: int, work: IntArray) -> None:
    """Add a box without cells, whose numbers are those around `cell`."""
    work[KEY + box] = key
    work[SIZE + box] = 0
    work[DONE + box] = 0
    count = 0
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            if work[ROOM + other] > 0:
                number = work[NAME + other]
                work[NUMBERS + 8 * box + count] = number
                work[BESIDE + 8 * number + work[LENGTH + number]] = box
                work[LENGTH + number] += 1
                work[WAITING + number] = work[LENGTH + number]
                count += 1
    work[COUNT + box] = count
