"""Small boards: few enough layouts to play all of them out from the first cell on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import BEYOND
from demine.solver.player.kernels.box_probabilities import evaluate_position
from demine.solver.player.kernels.endgame import search_layouts
from demine.solver.player.kernels.known_cells import (
    begin_board,
    settle_without_opening,
    show_number,
)
from demine.solver.player.kernels.list_layouts import list_layouts
from demine.solver.player.kernels.offsets import (
    BUDGET,
    CELLS,
    CHOICE_OF,
    DIAL_SMALL,
    DIAL_SMALL_BUDGET,
    DIALS,
    HEIGHT,
    KIND,
    LACK,
    LEFT,
    LOGS,
    MARKS,
    MINE,
    OPENED,
    SCENE_OF,
    SCENES,
    SPENT,
    STRIDE,
    WHOLE,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, FloatArray, IntArray


MOST_CELLS = 81


def has_few_layouts_when_empty(work: IntArray, values: FloatArray) -> bool:
    """Whether all layouts of an empty board are few enough, as the dials are set."""
    cells = work[HEIGHT] * work[WIDTH]
    if cells > MOST_CELLS or values[DIALS + DIAL_SMALL] < 1.0:
        return False
    mines = work[LEFT]
    for cell in range((work[HEIGHT] + 2) * work[STRIDE]):
        mines += 1 if work[KIND + cell] == MINE else 0
    logs = values[LOGS + cells] - values[LOGS + mines] - values[LOGS + cells - mines]
    return bool(logs <= math.log(values[DIALS + DIAL_SMALL] + 0.5))


def best_small_board_cell(work: IntArray, values: FloatArray, hints: ByteArray) -> int:
    """Return the best cell of a position on a small board, or -1; it is kept for the next time."""
    scene = hash_of_scene(work)
    place = scene & (SCENES - 1)
    if work[SCENE_OF + place] == scene:
        kept: int = work[CHOICE_OF + place]
        return kept
    if list_layouts(work, hints) <= 0:
        return -1
    budget = work[BUDGET]
    work[BUDGET] = int(values[DIALS + DIAL_SMALL_BUDGET])
    found = search_layouts(work, hints)
    work[BUDGET] = budget
    cell: int = work[CELLS + (found & 255)] if found >= 0 else -1
    work[SCENE_OF + place] = scene
    work[CHOICE_OF + place] = cell
    return cell


def hash_of_scene(work: IntArray) -> int:
    """Return a name for what is shown: the names of all numbers, mixed."""
    name = work[MARKS + work[HEIGHT]] ^ work[MARKS + 1024 + work[WIDTH]]
    name ^= work[MARKS + 2048 + work[LEFT]]
    for row in range(1, work[HEIGHT] + 1):
        first = row * work[STRIDE] + 1
        for cell in range(first, first + work[WIDTH]):
            kind = work[KIND + cell]
            if kind == OPENED:
                name ^= work[MARKS + 4096 + 32 * cell + work[LACK + cell]]
            elif kind == MINE:
                name ^= work[MARKS + 4096 + 32 * cell + 16]
    found: int = name
    return found


def count_opening_wins(  # noqa: PLR0913, PLR0917 - what a kernel works in comes from outside
    cell: int,
    most: int,
    budget: int,
    height: int,
    width: int,
    mines: int,
    work: IntArray,
    values: FloatArray,
    hints: ByteArray,
) -> int:
    """Return how many layouts the best play wins that begins with a cell that shows up to `most`.

    The cell is one of the board with a rim. `BEYOND` where that would take more than `budget`; what
    was spent on it is left in `SPENT`.
    """
    wins = 0
    spent = 0
    for number in range(most + 1):
        begin_board(height, width, mines, work)
        show_number(cell, number, work)
        # What is certain is left to the search, which opens it for nothing.
        settle_without_opening(work)
        if evaluate_position(work, values) < 0:
            return BEYOND
        if values[WHOLE] == 0.0:
            continue
        listed = list_layouts(work, hints)
        if listed < 0:
            return BEYOND
        if listed == 0:
            continue
        work[BUDGET] = budget - spent
        found = search_layouts(work, hints)
        spent += work[SPENT]
        work[SPENT] = spent
        if found < 0:
            return BEYOND
        wins += found >> 8
    work[SPENT] = spent
    return wins
