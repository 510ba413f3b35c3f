"""Parsing a scene board: settled cells, the numbers that still need mines, and boxes."""

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


def copy_faces(faces: ByteArray, at: int, height: int, width: int, work: IntArray) -> int:
    """Copy the faces that begin at `at` into a rim of opened cells; return how many are covered."""
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
            face = int(faces[at + row * width + col])
            if face > 11:
                return BEYOND
            is_covered = 1 if face > 8 else 0
            covered += is_covered
            work[COVER + cell] = is_covered
            work[NEED + cell] = face
    return covered


def count_covered_around_numbers(height: int, width: int, work: IntArray) -> int:
    """Find the room of each number; stack those that settle their cells; return how many."""
    stride = width + 2
    top = 0
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
                work[STACK + top] = cell
                top += 1 if (room > 0) & ((need == 0) | (need == room)) else 0
            work[ROOM + cell] = room
            left = here
            here = right
            cell = after
    return top


def settle_by_single_numbers(stride: int, top: int, work: IntArray) -> int:
    """Settle what single numbers settle: 2 safe, 3 a mine. Return safe cells << 32 | mines.

    Around a settled cell everything is updated without asking what is a number: branches that
    nothing predicts cost more. What is none has no room, and then less than none.
    """
    safe = 0
    mines = 0
    wrong = 0
    while top > 0:
        top -= 1
        number = work[STACK + top]
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
                        work[STACK + top] = other
                        top += 1 if (room > 0) & ((need == 0) | (need == room)) else 0
        if wrong > 0:
            return BEYOND
    return (safe << 32) | mines


def name_numbers(height: int, width: int, work: IntArray) -> int:
    """Name the numbers that still ask for mines, row by row; return how many."""
    stride = width + 2
    names = 0
    for row in range(height):
        for cell in range((row + 1) * stride + 1, (row + 1) * stride + 1 + width):
            if work[ROOM + cell] > 0:
                work[NAME + cell] = names
                work[PLACE + names] = cell
                work[LENGTH + names] = 0
                work[SPACE + names] = work[ROOM + cell]
                work[SLOT + names] = -1
                names += 1
    return names


def gather_boxes(stride: int, names: int, work: IntArray) -> int:
    """Gather cells with the same numbers into boxes; return how many.

    A cell is gathered at its first number. There its key is the pattern of all its numbers,
    relative to that number: equal keys are equal sets of numbers.
    """
    boxes = 0
    for name in range(names):
        begin = boxes
        place = work[PLACE + name]
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
            while box < boxes and work[KEY + box] != key:
                box += 1
            if box == boxes:
                boxes += 1
                begin_box(box, key, cell, stride, work)
            work[BOX + cell] = box
            work[SIZE + box] += 1
    return boxes


def begin_box(box: int, key: int, cell: int, stride: int, work: IntArray) -> None:
    """Begin a box with the numbers around one of its cells."""
    work[KEY + box] = key
    work[SIZE + box] = 0
    work[DONE + box] = 0
    count = 0
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            if work[ROOM + other] > 0:
                name = work[NAME + other]
                work[NUMBERS + 8 * box + count] = name
                work[BESIDE + 8 * name + work[LENGTH + name]] = box
                work[LENGTH + name] += 1
                work[WAITING + name] = work[LENGTH + name]
                count += 1
    work[COUNT + box] = count
