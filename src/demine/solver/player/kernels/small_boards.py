"""Small boards: so few layouts that all of them are searched from the first cell on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import BEYOND
from demine.solver.player.kernels.box_probabilities import evaluate_position
from demine.solver.player.kernels.endgame import search_endgame
from demine.solver.player.kernels.known_cells import (
    begin_board,
    settle_without_opening,
    show_number,
)
from demine.solver.player.kernels.list_layouts import list_layouts
from demine.solver.player.kernels.offsets import (
    BUDGET,
    CELLS,
    DIAL_SMALL,
    DIAL_SMALL_BUDGET,
    DIALS,
    HEIGHT,
    KIND,
    LACK,
    LOGS,
    MINE,
    MINES_LEFT,
    OPENED,
    RANDOM_HASHES,
    SCENE_CHOICE,
    SCENE_HASH,
    SCENE_SLOTS,
    SPENT,
    STRIDE,
    TOTAL_WEIGHT,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, FloatArray, IntArray
    from demine.solver.player.kernels.return_types import CellOrCode, CountOrCode


MOST_CELLS = 81


def has_few_layouts_when_empty(work: IntArray, values: FloatArray) -> bool:
    """Return whether an untouched board has no more layouts than the policy allows."""
    cells = work[HEIGHT] * work[WIDTH]
    if cells > MOST_CELLS or values[DIALS + DIAL_SMALL] < 1.0:
        return False
    mines = work[MINES_LEFT]
    for cell in range((work[HEIGHT] + 2) * work[STRIDE]):
        mines += 1 if work[KIND + cell] == MINE else 0
    logs = values[LOGS + cells] - values[LOGS + mines] - values[LOGS + cells - mines]
    return bool(logs <= math.log(values[DIALS + DIAL_SMALL] + 0.5))


def best_small_board_cell(work: IntArray, values: FloatArray, hints: ByteArray) -> CellOrCode:
    """Return the best cell of a position on a small board, or -1, and remember it."""
    scene = hash_scene(work)
    place = scene & (SCENE_SLOTS - 1)
    if work[SCENE_HASH + place] == scene:
        kept: int = work[SCENE_CHOICE + place]
        return kept
    if list_layouts(work, hints) <= 0:
        return -1
    budget = work[BUDGET]
    work[BUDGET] = int(values[DIALS + DIAL_SMALL_BUDGET])
    found = search_endgame(work, hints)
    work[BUDGET] = budget
    cell: int = work[CELLS + (found & 255)] if found >= 0 else -1
    work[SCENE_HASH + place] = scene
    work[SCENE_CHOICE + place] = cell
    return cell


def hash_scene(work: IntArray) -> int:
    """Return a hash of what the board shows, its size and its mines."""
    name = work[RANDOM_HASHES + work[HEIGHT]] ^ work[RANDOM_HASHES + 1024 + work[WIDTH]]
    name ^= work[RANDOM_HASHES + 2048 + work[MINES_LEFT]]
    for row in range(1, work[HEIGHT] + 1):
        first = row * work[STRIDE] + 1
        for cell in range(first, first + work[WIDTH]):
            kind = work[KIND + cell]
            if kind == OPENED:
                name ^= work[RANDOM_HASHES + 4096 + 32 * cell + work[LACK + cell]]
            elif kind == MINE:
                name ^= work[RANDOM_HASHES + 4096 + 32 * cell + 16]
    found: int = name
    return found


def count_first_cell_wins(  # noqa: PLR0913, PLR0917 - what a kernel works in comes from outside
    first_cell: int,
    highest_number: int,
    budget: int,
    height: int,
    width: int,
    mines: int,
    work: IntArray,
    values: FloatArray,
    hints: ByteArray,
) -> CountOrCode:
    """Return how many layouts the best play wins from a first cell, or `BEYOND` over `budget`.

    Only layouts count in which the cell shows at most `highest_number`. The work done is left in
    `SPENT`.
    """
    wins = 0
    spent = 0
    for number in range(highest_number + 1):
        begin_board(height, width, mines, work)
        show_number(first_cell, number, work)
        # Certain cells are left to the search, which opens them at no cost.
        settle_without_opening(work)
        if evaluate_position(work, values) < 0:
            return BEYOND
        if values[TOTAL_WEIGHT] == 0.0:
            continue
        listed = list_layouts(work, hints)
        if listed < 0:
            return BEYOND
        if listed == 0:
            continue
        work[BUDGET] = budget - spent
        found = search_endgame(work, hints)
        spent += work[SPENT]
        work[SPENT] = spent
        if found < 0:
            return BEYOND
        wins += found >> 8
    work[SPENT] = spent
    return wins
