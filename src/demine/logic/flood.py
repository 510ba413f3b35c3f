"""The one flood fill: what opens when a cell without adjacent mines is opened."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence


def flood(  # noqa: C901, PLR0912 - one loop that compilers take whole
    hint: Sequence[int], opened: MutableSequence[int], width: int, height: int, start: int
) -> int:
    """Open the opening that holds the zero cell `start`, and the numbers on its border.

    `hint` and `opened` are flat, row by row, one byte a cell; `opened` is changed in place, 0 to 1.
    Returns how many cells were opened. Flags are not read.

    A scan-line fill with its own stack: whole runs of zeros at a time, no recursion. It is
    self-contained and uses plain loops only, because a higher floor compiles this very function
    where speed matters. An opening is either open as a whole or not at all, so the first cell of a
    run stands for all of it.
    """
    cells = width * height
    count = 0
    stack = [start]
    while len(stack) > 0:
        cell = stack.pop()
        if opened[cell]:
            continue
        row_first = cell - cell % width
        row_last = row_first + width - 1
        left = cell
        while left > row_first and hint[left - 1] == 0:
            left -= 1
        right = cell
        while right < row_last and hint[right + 1] == 0:
            right += 1
        if left > row_first:
            left -= 1
        if right < row_last:
            right += 1
        for near in range(left, right + 1):
            if not opened[near]:
                opened[near] = 1
                count += 1
        for step in (-width, width):
            if left + step < 0 or left + step >= cells:
                continue
            inside_run = False
            for near in range(left + step, right + step + 1):
                if hint[near] == 0:
                    if not inside_run and not opened[near]:
                        stack.append(near)
                    inside_run = True
                else:
                    inside_run = False
                    if not opened[near]:
                        opened[near] = 1
                        count += 1
    return count
