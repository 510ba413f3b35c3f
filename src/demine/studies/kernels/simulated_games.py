"""The table of a study: it knows the mines, and the player at it does not.

Kernels only, compiled together with `PLAYER_MODULES`. The player is shown the number of each cell
it opens, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.solver.player.kernels_for_simulation import (
    AGAIN,
    CHOSEN_RISK,
    ITSELF,
    KIND,
    LACK,
    LUCK,
    SAFE,
    STRIDE,
    UNKNOWN,
    begin_board,
    choose_by_policy,
    evaluate_position,
    mines_around,
    next_safe_cell,
    settle_certain,
    show_number,
)
from demine.studies.kernels.deal import deal_into

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What became of a game: places in `result`.
WON: Final = 0
SHOWN: Final = 1
GUESSES: Final = 2
MOVES: Final = 3
BEYOND_IT: Final = 4
BV: Final = 5
RESULTS: Final = 8


def play_seed(  # noqa: PLR0913, PLR0917 - what a kernel works in comes from outside
    low: np.uint64,
    high: np.uint64,
    height: int,
    width: int,
    count: int,
    start: int,
    policy: int,
    free: NDArray[np.uint8],
    flat: NDArray[np.uint8],
    mines: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    counts: NDArray[np.int64],
    dice: NDArray[np.uint64],
    result: NDArray[np.int64],
    work: NDArray[np.int64],
    values: NDArray[np.float64],
    hints: NDArray[np.uint8],
) -> float:
    """Lay the board of a seed and play it; return the product of the chances of its guesses.

    `start` is a cell of the board with a rim, as `mines` is. `result` is written; where the player
    met a position that is not for it, `BEYOND_IT` is 1 and the rest means nothing.
    """
    deal_into(low, high, count, free, flat, keys, counts, dice)
    for row in range(height):
        for col in range(width):
            mines[(row + 1) * (width + 2) + col + 1] = flat[row * width + col]
    for at in range(RESULTS):
        result[at] = 0
    result[BV] = clicks_needed(height, width, mines, work)
    begin_board(height, width, count, work)
    return survival_of_play_out(
        start, height * width - count, policy, mines, result, work, values, hints
    )


def survival_of_play_out(
    cell: int,
    free: int,
    policy: int,
    mines: NDArray[np.uint8],
    result: NDArray[np.int64],
    work: NDArray[np.int64],
    values: NDArray[np.float64],
    hints: NDArray[np.uint8],
) -> float:
    """Play from the first cell to the end; return the product of the chances of its guesses."""
    survival = 1.0
    values[LUCK] = 0.0
    while True:
        result[MOVES] += 1
        if mines[cell] == 1:
            return survival
        open_all(cell, mines, result, work)
        if result[SHOWN] == free:
            result[WON] = 1
            return survival
        if evaluate_position(work, values) < 0:
            result[BEYOND_IT] = 1
            return survival
        if settle_certain(work, values) > 0:
            cell = next_safe_cell(work)
            continue
        cell = choose_by_policy(policy, work, values, hints)
        if cell < 0:
            return survival
        result[GUESSES] += 1
        survival *= 1.0 - values[CHOSEN_RISK]
        values[LUCK] += values[CHOSEN_RISK] - int(mines[cell])


def open_all(
    cell: int, mines: NDArray[np.uint8], result: NDArray[np.int64], work: NDArray[np.int64]
) -> None:
    """Open a cell and all that single numbers then prove safe.

    What lies beside a zero that is open opens by itself: everything else is an act.
    """
    stride = work[STRIDE]
    acts = -1
    while cell >= 0:
        if work[KIND + cell] == UNKNOWN or work[KIND + cell] == SAFE:
            number = mines_around(cell, mines, stride)
            acts += 1 - work[ITSELF + cell]
            if number == 0:
                for row in range(cell - stride, cell + stride + 1, stride):
                    for other in range(row - 1, row + 2):
                        work[ITSELF + other] = 1
            show_number(cell, number, work)
            result[SHOWN] += 1
        cell = next_safe_cell(work)
    result[MOVES] += acts


def clicks_needed(
    height: int, width: int, mines: NDArray[np.uint8], work: NDArray[np.int64]
) -> int:
    """Return the 3BV of a board: its openings, and its numbers that no opening opens.

    `work` is used before the player begins.
    """
    stride = width + 2
    for cell in range((height + 2) * stride):
        work[LACK + cell] = 9
        work[ITSELF + cell] = 0
    for row in range(1, height + 1):
        for cell in range(row * stride + 1, row * stride + 1 + width):
            if mines[cell] == 0:
                work[LACK + cell] = mines_around(cell, mines, stride)
    clicks = 0
    for row in range(1, height + 1):
        for cell in range(row * stride + 1, row * stride + 1 + width):
            if work[LACK + cell] == 0 and work[ITSELF + cell] != 2:
                clicks += 1
                spread_zero(cell, stride, work)
    for row in range(1, height + 1):
        for cell in range(row * stride + 1, row * stride + 1 + width):
            if work[LACK + cell] < 9 and work[ITSELF + cell] == 0:
                clicks += 1
    return clicks


def spread_zero(cell: int, stride: int, work: NDArray[np.int64]) -> None:
    """Mark an opening: its zeros with 2, its numbers with 1 or 2."""
    top = 1
    work[AGAIN] = cell
    work[ITSELF + cell] = 2
    while top > 0:
        top -= 1
        zero = work[AGAIN + top]
        for row in range(zero - stride, zero + stride + 1, stride):
            for other in range(row - 1, row + 2):
                if work[LACK + other] == 0 and work[ITSELF + other] != 2:
                    work[AGAIN + top] = other
                    top += 1
                    work[ITSELF + other] = 2
                elif work[LACK + other] > 0:
                    work[ITSELF + other] = 1
