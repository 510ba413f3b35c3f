"""The greedy clearing of ZiNi; the kernel of `demine.statistics.zini`.

Cells are numbered column by column with a wall around: `(col + 1) * (height + 2) + row + 1`.
`marks` is uint8 `(5, cells)`, `numbers` int64 `(5, cells)`; their rows have names below. Cells that
are not numbers have a premium too, far below any that is chosen, so that whole blocks are changed
without checks. Computed indices are unsigned, which saves the check for negative ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Rows of `marks`.
KIND: Final = 0
HINT: Final = 1
CLOSED: Final = 2
FLAG: Final = 3
PREMIUM: Final = 4
# Rows of `numbers`: the two openings that a border cell touches, -1 for none; cells to visit; by
# premium from 0 on, how many cells have it, and a cell before which none has it.
FIRST: Final = 0
SECOND: Final = 1
QUEUE: Final = 2
COUNT: Final = 3
LOW: Final = 4
# Kinds of cells.
WALL: Final = 0
BOMB: Final = 1
ZERO: Final = 2
BORDER: Final = 3
LONE: Final = 4

LEVEL: Final = 80
"""The byte of a premium of 0."""
HIGHEST: Final = 8
"""The highest premium there is."""
ASIDE: Final = 40
"""The first premium byte of cells that are not numbers: no changes raise it to `LEVEL`."""
HUMAN: Final = 65
"""The penalty of closed cells for H-ZiNi, so that only open ones are chosen."""


def zini_classify_cells(tall: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]) -> int:
    """Set the kinds `ZERO` and `BORDER`, and the openings; return how many openings there are.

    Hints are set and all safe cells are `LONE` before. `tall` is the length of a column with walls.
    """
    openings = 0
    for start in range(marks.shape[1]):
        if marks[HINT, start] != 0 or marks[KIND, start] != LONE:
            continue
        marks[KIND, start] = ZERO
        numbers[QUEUE, 0] = start
        top = 1
        while top > 0:
            top -= 1
            cell = numbers[QUEUE, np.uintp(top)]
            numbers[FIRST, np.uintp(cell)] = openings
            for col in range(-1, 2):
                for row in range(-1, 2):
                    other = cell + col * tall + row
                    at = np.uintp(other)
                    if marks[KIND, at] < BORDER:
                        continue
                    if marks[HINT, at] == 0:
                        marks[KIND, at] = ZERO
                        numbers[QUEUE, np.uintp(top)] = other
                        top += 1
                        continue
                    marks[KIND, at] = BORDER
                    if numbers[FIRST, at] < 0:
                        numbers[FIRST, at] = openings
                    elif numbers[FIRST, at] != openings:
                        numbers[SECOND, at] = openings
        openings += 1
    return openings


def zini_raise_premiums_around(
    cell: int, tall: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]
) -> None:
    """Raise each premium of a 3x3 block by one."""
    for col in range(-1, 2):
        for row in range(-1, 2):
            other = cell + col * tall + row
            at = np.uintp(other)
            after = int(marks[PREMIUM, at]) + 1
            marks[PREMIUM, at] = after
            if after >= LEVEL:
                level = np.uintp(after - LEVEL)
                numbers[COUNT, level] += 1
                numbers[LOW, level] = min(numbers[LOW, level], other)
                if after > LEVEL:
                    numbers[COUNT, np.uintp(after - LEVEL - 1)] -= 1


def zini_lower_premiums_around(
    cell: int, tall: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]
) -> None:
    """Lower each premium of a 3x3 block by one."""
    for col in range(-1, 2):
        for row in range(-1, 2):
            other = cell + col * tall + row
            at = np.uintp(other)
            before = int(marks[PREMIUM, at])
            marks[PREMIUM, at] = before - 1
            if before >= LEVEL:
                numbers[COUNT, np.uintp(before - LEVEL)] -= 1
                if before > LEVEL:
                    level = np.uintp(before - LEVEL - 1)
                    numbers[COUNT, level] += 1
                    numbers[LOW, level] = min(numbers[LOW, level], other)


def zini_change_premium(
    cell: int, change: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]
) -> None:
    """Add `change` to the premium of one cell."""
    at = np.uintp(cell)
    before = int(marks[PREMIUM, at])
    after = before + change
    marks[PREMIUM, at] = after
    if before >= LEVEL:
        numbers[COUNT, np.uintp(before - LEVEL)] -= 1
    if after >= LEVEL:
        level = np.uintp(after - LEVEL)
        numbers[COUNT, level] += 1
        numbers[LOW, level] = min(numbers[LOW, level], cell)


def zini_open_opening(
    cell: int, tall: int, penalty: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]
) -> None:
    """Open an opening and update the premiums of its border."""
    opening = numbers[FIRST, cell]
    marks[CLOSED, cell] = 0
    numbers[QUEUE, 0] = cell
    top = 1
    while top > 0:
        top -= 1
        place = numbers[QUEUE, np.uintp(top)]
        for col in range(-1, 2):
            for row in range(-1, 2):
                other = place + col * tall + row
                at = np.uintp(other)
                if marks[KIND, at] == ZERO:
                    if marks[CLOSED, at]:
                        marks[CLOSED, at] = 0
                        numbers[QUEUE, np.uintp(top)] = other
                        top += 1
                    continue
                if numbers[FIRST, at] == opening:
                    numbers[FIRST, at] = -1
                elif numbers[SECOND, at] == opening:
                    numbers[SECOND, at] = -1
                else:
                    continue
                change = penalty - 1 if marks[CLOSED, at] else -1
                marks[CLOSED, at] = 0
                zini_change_premium(other, change, marks, numbers)


def zini_lay_mines(
    mines: NDArray[np.uint8], height: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]
) -> None:
    """Set mines, given column by column without a wall, and hints; all safe cells are `LONE`."""
    tall = height + 2
    for cell in range(marks.shape[1]):
        marks[KIND, cell] = WALL
        marks[HINT, cell] = marks[CLOSED, cell] = marks[PREMIUM, cell] = 0
        numbers[FIRST, cell] = numbers[SECOND, cell] = -1
    for col in range(mines.size // height):
        for row in range(height):
            cell = (col + 1) * tall + row + 1
            if not mines[col * height + row]:
                marks[KIND, cell] = LONE
                marks[CLOSED, cell] = 1
                continue
            marks[KIND, cell] = BOMB
            for c in range(-1, 2):
                for r in range(-1, 2):
                    marks[HINT, np.uintp(cell + c * tall + r)] += 1


def zini_compute_premiums(
    tall: int, penalty: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]
) -> int:
    """Compute every premium; return how many lone numbers there are."""
    cells = marks.shape[1]
    # Sums of three and then of nine cells, without branches, which would be mispredicted.
    lone = 0
    for cell in range(cells):
        one = int(marks[KIND, cell] == LONE)
        marks[FLAG, cell] = one
        lone += one
    for cell in range(1, cells - 1):
        marks[PREMIUM, cell] = marks[FLAG, cell - 1] + marks[FLAG, cell] + marks[FLAG, cell + 1]
    for cell in range(tall, cells - tall):
        value = LEVEL - 1 - penalty - int(marks[HINT, cell])
        # Interpreted, the sum of two booleans of NumPy is a boolean.
        value += int(numbers[FIRST, cell] >= 0) + int(numbers[SECOND, cell] >= 0)
        value += marks[PREMIUM, cell - tall] + marks[PREMIUM, cell] + marks[PREMIUM, cell + tall]
        marks[FLAG, cell] = value if marks[KIND, cell] >= BORDER else ASIDE
    for cell in range(cells):
        marks[PREMIUM, cell] = marks[FLAG, cell] if tall <= cell < cells - tall else ASIDE
        marks[FLAG, cell] = 0
    for level in range(HIGHEST + 1):
        numbers[COUNT, level] = 0
        numbers[LOW, level] = cells
    for cell in range(cells):
        if marks[PREMIUM, cell] >= LEVEL:
            level = int(marks[PREMIUM, cell]) - LEVEL
            numbers[COUNT, level] += 1
            numbers[LOW, level] = min(numbers[LOW, level], cell)
    return lone


def zini_prepare(
    mines: NDArray[np.uint8], height: int, penalty: int,
    marks: NDArray[np.uint8], numbers: NDArray[np.int64],
) -> int:  # fmt: skip
    """Set mines, given column by column, and compute all premiums; return the 3BV."""
    zini_lay_mines(mines, height, marks, numbers)
    openings = zini_classify_cells(height + 2, marks, numbers)
    return openings + zini_compute_premiums(height + 2, penalty, marks, numbers)


def zini_click_openings(
    tall: int, penalty: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]
) -> int:
    """Click every opening; return the number of clicks."""
    clicks = 0
    for cell in range(marks.shape[1]):
        if marks[KIND, cell] == ZERO and marks[CLOSED, cell]:
            clicks += 1
            zini_open_opening(cell, tall, penalty, marks, numbers)
    return clicks


def zini_flag_for_chord(
    cell: int, tall: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64]
) -> int:
    """Flag the mines around a number; return the clicks of flags, chord and opening it first."""
    clicks = 1 + int(marks[CLOSED, cell])
    for col in range(-1, 2):
        for row in range(-1, 2):
            mine = cell + col * tall + row
            at = np.uintp(mine)
            if marks[KIND, at] == BOMB and not marks[FLAG, at]:
                marks[FLAG, at] = 1
                clicks += 1
                zini_raise_premiums_around(mine, tall, marks, numbers)
    return clicks


def zini_open_within(
    cell: int, reach: int, tall: int, penalty: int,
    marks: NDArray[np.uint8], numbers: NDArray[np.int64],
) -> int:  # fmt: skip
    """Open closed cells within a reach of 0 or 1 cells; return how much of the 3BV that solves."""
    solved = 0
    for col in range(-reach, reach + 1):
        for row in range(-reach, reach + 1):
            other = cell + col * tall + row
            at = np.uintp(other)
            if not marks[CLOSED, at]:
                continue
            solved += marks[KIND, at] != BORDER
            if marks[KIND, at] == ZERO:
                zini_open_opening(other, tall, penalty, marks, numbers)
                continue
            marks[CLOSED, at] = 0
            zini_change_premium(other, penalty, marks, numbers)
            if marks[KIND, at] == LONE:
                zini_lower_premiums_around(other, tall, marks, numbers)
    return solved


def zini_clicks(
    mines: NDArray[np.uint8], height: int, human: int, tie_starts: NDArray[np.int64],
    marks: NDArray[np.uint8], numbers: NDArray[np.int64],
) -> int:  # fmt: skip
    """Return the clicks of the greedy clearing; `mines` are given column by column.

    Until the 3BV is solved the first cell with the highest premium is chorded, or the next closed
    cell is clicked if no premium is at least 0. In each step the first of equal premiums is counted
    from the next of `tie_starts`, cells numbered without a wall, used over and over.
    """
    tall, cells = height + 2, marks.shape[1]
    penalty = HUMAN if human else 1
    left = zini_prepare(mines, height, penalty, marks, numbers)
    clicks = 0
    if human:
        clicks = zini_click_openings(tall, penalty, marks, numbers)
        left -= clicks
    scanned = step = 0
    start = (tie_starts[0] // height + 1) * tall + tie_starts[0] % height + 1
    while left > 0:
        if tie_starts.size > 1:
            start = (tie_starts[step] // height + 1) * tall + tie_starts[step] % height + 1
            step = step + 1 if step + 1 < tie_starts.size else 0
        best = HIGHEST
        while best >= 0 and numbers[COUNT, best] == 0:
            best -= 1
        if best >= 0:
            low = numbers[LOW, best]
            cell = max(start, low)
            while cell < cells and marks[PREMIUM, np.uintp(cell)] != LEVEL + best:
                cell += 1
            if cell == cells:
                cell = low
                while marks[PREMIUM, cell] != LEVEL + best:
                    cell += 1
                numbers[LOW, best] = cell
            elif start <= low:
                numbers[LOW, best] = cell
            clicks += zini_flag_for_chord(cell, tall, marks, numbers)
            left -= zini_open_within(cell, 1, tall, penalty, marks, numbers)
        else:
            while not (marks[CLOSED, scanned] and marks[KIND, scanned] != BORDER):
                scanned += 1
            clicks += 1
            left -= zini_open_within(scanned, 0, tall, penalty, marks, numbers)
    return clicks
