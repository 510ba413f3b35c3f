"""Kernels that simulate a game: deal its board, and have a policy of the solver play it.

They are compiled together with `PLAYER_MODULES`. Only they know the mines; the player is shown the
number of each cell that it opens, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.logic.kernels.deal import deal_mines_of_seed
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

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Entries of `result`, the outcome of a game.
WON: Final = 0
OPENED: Final = 1
GUESSES: Final = 2
MOVES: Final = 3
UNSUPPORTED: Final = 4
THREE_BV: Final = 5
RESULTS: Final = 8


def survival_of_seed(  # noqa: PLR0913, PLR0917 - what a kernel works in comes from outside
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
    generator: NDArray[np.uint64],
    result: NDArray[np.int64],
    work: NDArray[np.int64],
    values: NDArray[np.float64],
    hints: NDArray[np.uint8],
) -> float:
    """Deal the board of a seed and play it; return the chance to survive all its guesses.

    `start` is the first cell, numbered with a rim around the board like `mines`. The outcome is
    written to `result`; if the player cannot handle a position, `UNSUPPORTED` is 1 there and the
    rest has no meaning.
    """
    deal_mines_of_seed(low, high, count, free, flat, keys, counts, generator)
    for row in range(height):
        for col in range(width):
            mines[(row + 1) * (width + 2) + col + 1] = flat[row * width + col]
    for at in range(RESULTS):
        result[at] = 0
    result[THREE_BV] = count_three_bv(height, width, mines, work)
    begin_board(height, width, count, work)
    return survival_from_first_cell(
        start, height * width - count, policy, mines, result, work, values, hints
    )


def survival_from_first_cell(
    cell: int,
    free: int,
    policy: int,
    mines: NDArray[np.uint8],
    result: NDArray[np.int64],
    work: NDArray[np.int64],
    values: NDArray[np.float64],
    hints: NDArray[np.uint8],
) -> float:
    """Play from the first cell to the end; return the chance to survive all guesses."""
    survival = 1.0
    values[LUCK] = 0.0
    while True:
        result[MOVES] += 1
        if mines[cell] == 1:
            return survival
        open_with_proven_cells(cell, mines, result, work)
        if result[OPENED] == free:
            result[WON] = 1
            return survival
        if evaluate_position(work, values) < 0:
            result[UNSUPPORTED] = 1
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


def open_with_proven_cells(
    cell: int, mines: NDArray[np.uint8], result: NDArray[np.int64], work: NDArray[np.int64]
) -> None:
    """Open a cell, then all cells that single numbers prove safe; add the clicks to `MOVES`.

    Cells beside an open zero open without a click.
    """
    stride = work[STRIDE]
    clicks = -1
    while cell >= 0:
        if work[KIND + cell] == UNKNOWN or work[KIND + cell] == SAFE:
            number = mines_around(cell, mines, stride)
            clicks += 1 - work[ITSELF + cell]
            if number == 0:
                for row in range(cell - stride, cell + stride + 1, stride):
                    for other in range(row - 1, row + 2):
                        work[ITSELF + other] = 1
            show_number(cell, number, work)
            result[OPENED] += 1
        cell = next_safe_cell(work)
    result[MOVES] += clicks


def count_three_bv(
    height: int, width: int, mines: NDArray[np.uint8], work: NDArray[np.int64]
) -> int:
    """Return the 3BV of a board: its openings plus its numbers that no opening opens.

    `work` is overwritten, so this comes before the player begins.
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
                mark_opening(cell, stride, work)
    for row in range(1, height + 1):
        for cell in range(row * stride + 1, row * stride + 1 + width):
            if work[LACK + cell] < 9 and work[ITSELF + cell] == 0:
                clicks += 1
    return clicks


def mark_opening(cell: int, stride: int, work: NDArray[np.int64]) -> None:
    """Mark the opening of a zero in `work`: its zeros with 2, its numbers with 1 or 2."""
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
