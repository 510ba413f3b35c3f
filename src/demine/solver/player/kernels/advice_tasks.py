"""Tasks of the player that advises: what to open on a board that somebody else has begun.

The player is shown the faces of a scene board. Where a game is to be played out from there, the
layout that it is played on lies beside, and the player is shown the number of each cell it opens.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import BEYOND, NO_WAY
from demine.solver.player.kernels.box_probabilities import evaluate_position
from demine.solver.player.kernels.certain_or_safest import settle_certain
from demine.solver.player.kernels.endgame import search_layouts
from demine.solver.player.kernels.known_cells import (
    begin_board,
    mark_mine,
    mines_around,
    next_safe_cell,
    settle_without_opening,
    show_number,
)
from demine.solver.player.kernels.list_layouts import list_layouts
from demine.solver.player.kernels.offsets import (
    CELLS,
    CHOSEN_RISK,
    COVERED,
    FACTOR,
    HEIGHT,
    KIND,
    LACK,
    LEFT,
    MIXED,
    OPENED,
    SAFE,
    SPENT,
    STRIDE,
    UNKNOWN,
    UNSEEN,
    WHOLE,
    WIDTH,
)
from demine.solver.player.kernels.policies import choose_by_policy
from demine.solver.player.kernels.sample_layouts import draw_layout
from demine.solver.player.kernels.small_boards import count_opening_wins

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, FloatArray, IntArray

GONE = -3
"""What is returned where nothing is left to open."""
UNCERTAIN = -4
"""What is returned where no cell is certainly safe."""
LAST_NUMBER = 8
BLOWN = 13
"""`Face.BLOWN`."""

# The tasks of `answer_task`.
MOVE = 0
LAYOUTS_LEFT = 1
PLAYOUTS = 2
OPENING = 3
LIST = 4
SEARCH = 5


def answer_task(  # noqa: PLR0913, PLR0917 - what a kernel works in comes from outside
    task: int,
    height: int,
    width: int,
    mines: int,
    policy: int,
    faces: ByteArray,
    cells: IntArray,
    dice: FloatArray,
    laid: ByteArray,
    won: IntArray,
    work: IntArray,
    values: FloatArray,
    hints: ByteArray,
    own_work: IntArray,
    own_values: FloatArray,
) -> float:
    """Do one of the tasks above on a scene board; a single entry, so that all is compiled once.

    `faces` is the board, row by row; cells are those of the board with a rim.

    * `MOVE`: return the cell to open; `CHOSEN_RISK` is its risk.
    * `LAYOUTS_LEFT`: return the logarithm of how many layouts fit.
    * `PLAYOUTS`: draw as many layouts as `dice` has rows, and note in `won`, a row for each layout,
      whether a game that goes on with each of `cells` was won on it. Return how many were drawn.
    * `OPENING`: return on how many layouts of an empty board the best play wins that begins with
      the first of `cells`, if this shows up to the second of them; the third is the most that may
      be spent on it, and in `won` is what was.
    * `LIST`: list the layouts in `hints`, if they are no more than the first of `cells` says, and
      return how many there are. Where a cell is certainly safe, it is listed with the others.
    * `SEARCH`: return the cell with which most of the layouts listed last are won.

    `BEYOND`, `NO_WAY` or `GONE` where it cannot be done.
    """
    if task == MOVE:
        return advised_cell(height, width, mines, policy, faces, work, values, hints)
    if task == OPENING:
        wins = count_opening_wins(
            cells[0], cells[1], cells[2], height, width, mines, work, values, hints
        )
        won[0] = work[SPENT]
        return wins
    if task == LIST:
        return list_layouts_if_few(cells[0], height, width, mines, faces, work, values, hints)
    if task == SEARCH:
        best = search_layouts(work, hints)
        place: int = work[CELLS + (best & 255)] if best >= 0 else BEYOND
        return place
    found = weigh_scene(height, width, mines, faces, own_work, own_values)
    if found < 0:
        return found
    if task == LAYOUTS_LEFT:
        logs: float = math.log(own_values[WHOLE]) + own_values[FACTOR]
        return logs
    count = won.size // cells.size
    each = dice.size // count
    for at in range(count):
        draw_layout(at * each, dice, laid, own_work, own_values)
        for index in range(cells.size):
            cell = cells[index]
            won[at * cells.size + index] = 0
            if laid[cell] == 1:
                continue
            show_scene(height, width, mines, faces, work)
            won[at * cells.size + index] = wins_if_played_on(
                cell, policy, laid, work, values, hints
            )
    return count


def show_scene(height: int, width: int, mines: int, faces: ByteArray, work: IntArray) -> None:
    """Begin a board and show the player its opened cells, and the mines that blew."""
    begin_board(height, width, mines, work)
    for row in range(height):
        for col in range(width):
            number = int(faces[row * width + col])
            cell = (row + 1) * (width + 2) + col + 1
            if number <= LAST_NUMBER:
                show_number(cell, number, work)
            elif number == BLOWN:
                mark_mine(cell, work)


def advised_cell(
    height: int,
    width: int,
    mines: int,
    policy: int,
    faces: ByteArray,
    work: IntArray,
    values: FloatArray,
    hints: ByteArray,
) -> int:
    """Return what a policy opens on a scene board."""
    values[CHOSEN_RISK] = 0.0
    cell = safe_cell_or_weigh(height, width, mines, faces, work, values)
    return cell if cell != UNCERTAIN else choose_by_policy(policy, work, values, hints)


def safe_cell_or_weigh(
    height: int, width: int, mines: int, faces: ByteArray, work: IntArray, values: FloatArray
) -> int:
    """Weigh a scene board; return a cell that is certainly safe, or `UNCERTAIN`."""
    show_scene(height, width, mines, faces, work)
    cell = next_safe_cell(work)
    if not numbers_are_possible(work):
        return NO_WAY
    if cell >= 0:
        return cell
    # What is certain is settled before anything is weighed, as in a game, where it was seen before.
    left = -1
    while left != work[LEFT]:
        left = work[LEFT]
        if evaluate_position(work, values) < 0:
            return BEYOND
        if values[WHOLE] == 0.0:
            return NO_WAY
        if settle_certain(work, values) > 0:
            return next_safe_cell(work)
    return GONE if work[COVERED] == 0 else UNCERTAIN


def list_layouts_if_few(
    most: int,
    height: int,
    width: int,
    mines: int,
    faces: ByteArray,
    work: IntArray,
    values: FloatArray,
    hints: ByteArray,
) -> int:
    """List the layouts of a scene board, if they are few; return how many."""
    found = safe_cell_or_weigh(height, width, mines, faces, work, values)
    if found >= 0:
        found = weigh_scene(height, width, mines, faces, work, values)
    if found < 0 and found != UNCERTAIN:
        return found
    if math.log(values[WHOLE]) + values[FACTOR] > math.log(most + 0.5):
        return BEYOND
    return list_layouts(work, hints)


def numbers_are_possible(work: IntArray) -> bool:
    """Return whether each number can still be satisfied by itself."""
    if work[LEFT] < 0 or work[LEFT] > work[COVERED]:
        return False
    for row in range(1, work[HEIGHT] + 1):
        first = row * work[STRIDE] + 1
        for cell in range(first, first + work[WIDTH]):
            lack = work[LACK + cell]
            if work[KIND + cell] == OPENED and (lack < 0 or lack > work[UNSEEN + cell]):
                return False
    return True


def weigh_scene(
    height: int, width: int, mines: int, faces: ByteArray, work: IntArray, values: FloatArray
) -> int:
    """Weigh a scene board on which no safe cell is opened by itself."""
    show_scene(height, width, mines, faces, work)
    return weigh_without_opening(work, values)


def weigh_without_opening(work: IntArray, values: FloatArray) -> int:
    """Weigh a position as it is, whatever could be opened; 0, `BEYOND` or `NO_WAY`."""
    settle_without_opening(work)
    if not numbers_are_possible(work):
        return NO_WAY
    if evaluate_position(work, values) < 0:
        return BEYOND
    return 0 if values[WHOLE] > 0.0 else NO_WAY


def wins_if_played_on(
    cell: int, policy: int, laid: ByteArray, work: IntArray, values: FloatArray, hints: ByteArray
) -> int:
    """Play a game to its end, with a cell that is no mine; return 1 if it is won, else 0.

    A position that cannot be weighed is guessed blindly: seldom, and alike in each analysis.
    """
    while True:
        while cell >= 0:
            if work[KIND + cell] == UNKNOWN or work[KIND + cell] == SAFE:
                show_number(cell, mines_around(cell, laid, work[STRIDE]), work)
            cell = next_safe_cell(work)
        if work[COVERED] == work[LEFT]:
            return 1
        if evaluate_position(work, values) < 0:
            cell = cell_away_from_numbers(work)
        elif settle_certain(work, values) > 0:
            cell = next_safe_cell(work)
            continue
        else:
            cell = choose_by_policy(policy, work, values, hints)
        if cell < 0 or laid[cell] == 1:
            return 0


def cell_away_from_numbers(work: IntArray) -> int:
    """Return an unknown cell that touches no opened one, else any unknown cell, else -1."""
    found = -1
    for row in range(1, work[HEIGHT] + 1):
        first = row * work[STRIDE] + 1
        for cell in range(first, first + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN:
                if work[MIXED + cell] == 0:
                    return cell
                found = cell
    return found
