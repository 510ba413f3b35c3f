"""Tasks of the kernels that give advice: what to open on a board that is already begun.

The kernels are given the faces of a scene board. For playouts they are also given a layout, from
which they read the number of each cell that they open.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import BEYOND, NO_WAY
from demine.solver.player.kernels.box_probabilities import evaluate_position
from demine.solver.player.kernels.certain_or_safest import settle_certain
from demine.solver.player.kernels.endgame import search_endgame
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
    HEIGHT,
    KIND,
    LACK,
    LOG_FACTOR,
    MINES_LEFT,
    NEIGHBOUR_HASH,
    OPENED,
    SAFE,
    SPENT,
    STRIDE,
    TOTAL_WEIGHT,
    UNKNOWN,
    UNKNOWN_AROUND,
    WIDTH,
)
from demine.solver.player.kernels.policies import choose_by_policy
from demine.solver.player.kernels.sample_layouts import draw_layout
from demine.solver.player.kernels.small_boards import count_first_cell_wins

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, FloatArray, IntArray
    from demine.solver.player.kernels.return_types import CellOrCode, CountOrCode, ErrorCode

NOTHING_LEFT = -3
"""Returned if nothing is left to open."""
NONE_SAFE = -4
"""Returned if no cell is certainly safe."""
LAST_NUMBER = 8
BLOWN = 13
"""`Face.BLOWN`."""

# The tasks of `run_advice_task`.
CHOOSE_CELL = 0
LOG_LAYOUTS = 1
PLAYOUTS = 2
COUNT_FIRST_CELL_WINS = 3
LIST_LAYOUTS = 4
SEARCH_LISTED = 5


def run_advice_task(  # noqa: PLR0913, PLR0917 - what a kernel works in comes from outside
    task: int,
    height: int,
    width: int,
    mines: int,
    policy: int,
    faces: ByteArray,
    parameters: IntArray,
    randoms: FloatArray,
    padded_mines: ByteArray,
    results: IntArray,
    work: IntArray,
    values: FloatArray,
    hints: ByteArray,
    own_work: IntArray,
    own_values: FloatArray,
) -> float:
    """Do one of the tasks above on a scene board; a single entry, so that all is compiled once.

    `faces` is the board, row by row. All cells are padded indices. `own_work` and `own_values` hold
    the position itself while playouts use `work` and `values`.

    * `CHOOSE_CELL`: return the cell that `policy` opens; its risk is left in `CHOSEN_RISK`.
    * `LOG_LAYOUTS`: return the natural logarithm of the number of layouts left.
    * `PLAYOUTS`: draw as many layouts as `randoms` has rows and return their number. `parameters`
      are cells; `results` gets a row for each layout, with 1 for each of these cells from which the
      policy wins when it plays on, else 0.
    * `COUNT_FIRST_CELL_WINS`: return how many layouts of an untouched board the best play wins.
      `parameters` are the first cell, the highest number that it may show and the budget of work;
      `results` gets the work done.
    * `LIST_LAYOUTS`: list the layouts, if they are no more than the first of `parameters`, and
      return how many there are. Certainly safe cells are listed with the others.
    * `SEARCH_LISTED`: return the cell that wins most of the layouts listed last; `results` gets how
      many it wins.

    Returns `BEYOND`, `NO_WAY` or `NOTHING_LEFT` if the task cannot be done.
    """
    if task == CHOOSE_CELL:
        return advised_cell(height, width, mines, policy, faces, work, values, hints)
    if task == COUNT_FIRST_CELL_WINS:
        wins = count_first_cell_wins(
            parameters[0], parameters[1], parameters[2], height, width, mines, work, values, hints
        )
        results[0] = work[SPENT]
        return wins
    if task == LIST_LAYOUTS:
        return list_layouts_if_few(parameters[0], height, width, mines, faces, work, values, hints)
    if task == SEARCH_LISTED:
        best = search_endgame(work, hints)
        results[0] = best >> 8
        best_cell: int = work[CELLS + (best & 255)] if best >= 0 else BEYOND
        return best_cell
    found = evaluate_scene(height, width, mines, faces, own_work, own_values)
    if found < 0:
        return found
    if task == LOG_LAYOUTS:
        logs: float = math.log(own_values[TOTAL_WEIGHT]) + own_values[LOG_FACTOR]
        return logs
    cells = parameters.size
    count = results.size // cells
    randoms_each = randoms.size // count
    for layout in range(count):
        draw_layout(layout * randoms_each, randoms, padded_mines, own_work, own_values)
        for index in range(cells):
            cell = parameters[index]
            results[layout * cells + index] = 0
            if padded_mines[cell] == 1:
                continue
            begin_from_faces(height, width, mines, faces, work)
            results[layout * cells + index] = is_won_if_played_on(
                cell, policy, padded_mines, work, values, hints
            )
    return count


def begin_from_faces(height: int, width: int, mines: int, faces: ByteArray, work: IntArray) -> None:
    """Begin a board with the opened cells and blown mines of a scene board."""
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
) -> CellOrCode:
    """Return the cell that a policy opens on a scene board."""
    values[CHOSEN_RISK] = 0.0
    cell = safe_cell_or_code(height, width, mines, faces, work, values)
    return cell if cell != NONE_SAFE else choose_by_policy(policy, work, values, hints)


def safe_cell_or_code(
    height: int, width: int, mines: int, faces: ByteArray, work: IntArray, values: FloatArray
) -> CellOrCode:
    """Return a certainly safe cell of a scene board, or why there is none.

    That is `NONE_SAFE`, after evaluating the position, `NOTHING_LEFT`, `BEYOND` or `NO_WAY`.
    """
    begin_from_faces(height, width, mines, faces, work)
    cell = next_safe_cell(work)
    if not numbers_are_possible(work):
        return NO_WAY
    if cell >= 0:
        return cell
    # Settle what is certain before evaluating, as in a game, where it was found earlier.
    mines_left = -1
    while mines_left != work[MINES_LEFT]:
        mines_left = work[MINES_LEFT]
        if evaluate_position(work, values) < 0:
            return BEYOND
        if values[TOTAL_WEIGHT] == 0.0:
            return NO_WAY
        if settle_certain(work, values) > 0:
            return next_safe_cell(work)
    return NOTHING_LEFT if work[COVERED] == 0 else NONE_SAFE


def list_layouts_if_few(
    max_layouts: int,
    height: int,
    width: int,
    mines: int,
    faces: ByteArray,
    work: IntArray,
    values: FloatArray,
    hints: ByteArray,
) -> CountOrCode:
    """List the layouts of a scene board if they are no more than `max_layouts`; return how many.

    Returns `BEYOND` for more, `NO_WAY` for none.
    """
    found = safe_cell_or_code(height, width, mines, faces, work, values)
    if found >= 0:
        found = evaluate_scene(height, width, mines, faces, work, values)
    if found < 0 and found != NONE_SAFE:
        return found
    if math.log(values[TOTAL_WEIGHT]) + values[LOG_FACTOR] > math.log(max_layouts + 0.5):
        return BEYOND
    return list_layouts(work, hints)


def numbers_are_possible(work: IntArray) -> bool:
    """Return whether each number, taken alone, can still be satisfied, and the mine count too."""
    if work[MINES_LEFT] < 0 or work[MINES_LEFT] > work[COVERED]:
        return False
    for row in range(1, work[HEIGHT] + 1):
        first = row * work[STRIDE] + 1
        for cell in range(first, first + work[WIDTH]):
            lack = work[LACK + cell]
            if work[KIND + cell] == OPENED and (lack < 0 or lack > work[UNKNOWN_AROUND + cell]):
                return False
    return True


def evaluate_scene(
    height: int, width: int, mines: int, faces: ByteArray, work: IntArray, values: FloatArray
) -> ErrorCode:
    """Evaluate a scene board as it is, without opening its safe cells."""
    begin_from_faces(height, width, mines, faces, work)
    return evaluate_without_opening(work, values)


def evaluate_without_opening(work: IntArray, values: FloatArray) -> ErrorCode:
    """Evaluate a position as it is, without opening its safe cells."""
    settle_without_opening(work)
    if not numbers_are_possible(work):
        return NO_WAY
    if evaluate_position(work, values) < 0:
        return BEYOND
    return 0 if values[TOTAL_WEIGHT] > 0.0 else NO_WAY


def is_won_if_played_on(
    cell: int,
    policy: int,
    padded_mines: ByteArray,
    work: IntArray,
    values: FloatArray,
    hints: ByteArray,
) -> int:
    """Open a cell that is no mine, play the game to its end and return 1 if it is won, else 0.

    Guesses blindly in the rare positions that cannot be evaluated.
    """
    while True:
        while cell >= 0:
            if work[KIND + cell] == UNKNOWN or work[KIND + cell] == SAFE:
                show_number(cell, mines_around(cell, padded_mines, work[STRIDE]), work)
            cell = next_safe_cell(work)
        if work[COVERED] == work[MINES_LEFT]:
            return 1
        if evaluate_position(work, values) < 0:
            cell = cell_away_from_numbers(work)
        elif settle_certain(work, values) > 0:
            cell = next_safe_cell(work)
            continue
        else:
            cell = choose_by_policy(policy, work, values, hints)
        if cell < 0 or padded_mines[cell] == 1:
            return 0


def cell_away_from_numbers(work: IntArray) -> CellOrCode:
    """Return an unknown cell with no opened neighbour, else any unknown cell, else -1."""
    found = -1
    for row in range(1, work[HEIGHT] + 1):
        first = row * work[STRIDE] + 1
        for cell in range(first, first + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN:
                if work[NEIGHBOUR_HASH + cell] == 0:
                    return cell
                found = cell
    return found
