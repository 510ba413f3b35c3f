"""Clearing with a look ahead; the kernel of `demine.statistics.zini_variants.clear_looking_ahead`.

Cells are numbered as in `demine.statistics.kernels.zini`. WoM is minesweeper.online.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.statistics.kernels.zini import (
    BORDER,
    CLOSED,
    COUNT,
    FIRST,
    HIGHEST,
    HUMAN,
    KIND,
    LEVEL,
    LONE,
    LOW,
    PREMIUM,
    SECOND,
    ZERO,
    zini_change_premium,
    zini_click_openings,
    zini_flag_for_chord,
    zini_open_within,
    zini_prepare,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEP: Final = 1000
"""The weight of a premium against the number of cells that have it."""


def wom_position_score(marks: NDArray[np.uint8], numbers: NDArray[np.int64]) -> int:
    """Return 1000 times the best premium plus the number of cells that have it.

    Negative scores are never chosen; boards of fewer than 1000 cells return -1 for all of them.
    """
    for level in range(HIGHEST, -1, -1):
        if numbers[COUNT, level] > 0:
            return STEP * level + int(numbers[COUNT, level])
    if marks.shape[1] < STEP:
        return -1
    top, count = -1, 0
    for cell in range(marks.shape[1]):
        if marks[KIND, cell] >= BORDER:
            premium = int(marks[PREMIUM, cell])
            if premium > top:
                top, count = premium, 0
            count += premium == top
    return STEP * (top - LEVEL) + count


def wom_copy_state(
    cell: int, tall: int, whole: bool,
    marks: NDArray[np.uint8], numbers: NDArray[np.int64],
    kept_marks: NDArray[np.uint8], kept_numbers: NDArray[np.int64],
) -> None:  # fmt: skip
    """Copy what a chord can change: `whole` boards, or the cells within two of `cell`."""
    for level in range(HIGHEST + 1):
        kept_numbers[COUNT, level] = numbers[COUNT, level]
        kept_numbers[LOW, level] = numbers[LOW, level]
    if whole:
        for place in range(marks.shape[1]):
            kept_numbers[FIRST, place] = numbers[FIRST, place]
            kept_numbers[SECOND, place] = numbers[SECOND, place]
        for row in range(CLOSED, PREMIUM + 1):
            for place in range(marks.shape[1]):
                kept_marks[row, place] = marks[row, place]
        return
    for col in range(-2, 3):
        start = max(0, cell + col * tall - 2)
        for place in range(start, min(start + 5, marks.shape[1])):
            for row in range(CLOSED, PREMIUM + 1):
                kept_marks[row, place] = marks[row, place]


def wom_best_chord_looking_ahead(
    best: int, tall: int, penalty: int, marks: NDArray[np.uint8], numbers: NDArray[np.int64],
    kept_marks: NDArray[np.uint8], kept_numbers: NDArray[np.int64],
) -> int:  # fmt: skip
    """Return which number of premium `best` to chord: each is tried and undone."""
    cell = numbers[LOW, best]
    while marks[PREMIUM, cell] != LEVEL + best:
        cell += 1
    numbers[LOW, best] = cell
    count = numbers[COUNT, best]
    if count == 1:
        return int(cell)
    chosen, most = cell, -1
    while count > 0:
        if marks[PREMIUM, cell] == LEVEL + best:
            count -= 1
            whole = numbers[FIRST, cell] >= 0 or numbers[SECOND, cell] >= 0
            wom_copy_state(cell, tall, whole, marks, numbers, kept_marks, kept_numbers)
            zini_flag_for_chord(cell, tall, marks, numbers)
            zini_open_within(cell, 1, tall, penalty, marks, numbers)
            score = wom_position_score(marks, numbers)
            if score > most:
                chosen, most = cell, score
            wom_copy_state(cell, tall, whole, kept_marks, kept_numbers, marks, numbers)
        cell += 1
    return int(chosen)


def wom_clicks(
    mines: NDArray[np.uint8], height: int, human: int, short: int,
    marks: NDArray[np.uint8], numbers: NDArray[np.int64],
    kept_marks: NDArray[np.uint8], kept_numbers: NDArray[np.int64],
) -> int:  # fmt: skip
    """Return the clicks of a clearing; with `short` first premiums count one opening less."""
    tall = height + 2
    penalty = HUMAN if human else 1
    left = zini_prepare(mines, height, penalty, marks, numbers)
    clicks = 0
    if human:
        clicks = zini_click_openings(tall, penalty, marks, numbers)
        left -= clicks
    if short:
        for cell in range(marks.shape[1]):
            if marks[KIND, cell] == BORDER:
                zini_change_premium(cell, -1, marks, numbers)
    zero = lone = 0
    while left > 0:
        best = HIGHEST
        while best >= 0 and numbers[COUNT, best] == 0:
            best -= 1
        if best >= 0:
            cell = wom_best_chord_looking_ahead(
                best, tall, penalty, marks, numbers, kept_marks, kept_numbers
            )
            clicks += zini_flag_for_chord(cell, tall, marks, numbers)
            left -= zini_open_within(cell, 1, tall, penalty, marks, numbers)
            continue
        while zero < marks.shape[1] and not (marks[CLOSED, zero] and marks[KIND, zero] == ZERO):
            zero += 1
        if zero == marks.shape[1]:
            while not (marks[CLOSED, lone] and marks[KIND, lone] == LONE):
                lone += 1
        clicks += 1
        cell = zero if zero < marks.shape[1] else lone
        left -= zini_open_within(cell, 0, tall, penalty, marks, numbers)
    return clicks
