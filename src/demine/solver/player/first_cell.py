"""The first cell to open: a rule for all boards, and the exact best cell of a small board."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.neighbours import neighbours
from demine.logic.rules import First
from demine.solver.player import advise
from demine.solver.player.kernels import advice_tasks
from demine.solver.player.policy_table import SMALL_BOARD_LAYOUTS

if TYPE_CHECKING:
    from demine.logic.rules import Rules

    Cell = tuple[int, int]

BUDGET: Final = 200_000_000
"""The work allowed for all searches of one board: some seconds, compiled."""
_SMALL_CELLS: Final = 36
_DENSE: Final = 4.2
"""Boards of up to `_SMALL_CELLS` cells are dense if at least one in so many is a mine."""


def usual_first_cell(rules: Rules) -> Cell:
    """Return the cell, `(row, col)`, in which most policies begin.

    If the first cell is not promised to open an opening, it is a corner, or next to one where mines
    are dense. If it is, it lies two cells from both edges, three on large boards (win rates of all
    first cells: README of b1f6c1c4/MSolver, 100 to 500 million games each), and nearer to the
    corner on small boards, so that it fits.
    """
    if rules.first is First.ZERO:
        return _cell_if_first_opens(rules.height, rules.width)
    return _cell_if_first_is_safe(rules.height, rules.width, rules.mines)


def _cell_if_first_opens(height: int, width: int) -> Cell:
    """Return the usual first cell if the rules promise that it opens an opening."""
    cells = 3 if min(height, width) >= 16 and max(height, width) > 16 else 2
    return min(cells, (height - 1) // 2), min(cells, (width - 1) // 2)


def _cell_if_first_is_safe(height: int, width: int, mines: int) -> Cell:
    """Return the usual first cell otherwise: a corner, which is most likely to open an opening.

    On small boards with many mines that is rare, and the cell beside it on the shorter edge tells
    more (exact on boards of up to 25 cells).
    """
    cells = height * width
    if cells > _SMALL_CELLS or mines * _DENSE < cells or min(height, width) == 1:
        return 0, 0
    return (0, 1) if height >= width else (1, 0)


def best_first_cell(rules: Rules) -> Cell:
    """Return the first cell, `(row, col)`, that wins most; on large boards the usual one."""
    return best_first_cell_of_board(
        rules.height, rules.width, rules.mines, rules.first is First.ZERO
    )


@lru_cache(maxsize=64)
def best_first_cell_of_board(height: int, width: int, mines: int, opens_zero: bool) -> Cell:
    """Return the first cell from which the best play wins the largest share of layouts.

    With `opens_zero` these are the layouts in which the cell opens an opening; all cells are
    compared. Otherwise they are those in which it is safe; only the four cells of a corner are
    compared, since no other cell was ever found to be best. Boards with more than
    `SMALL_BOARD_LAYOUTS` layouts get the usual first cell, as do those whose budget runs out.
    """
    usual = (
        _cell_if_first_opens(height, width)
        if opens_zero
        else _cell_if_first_is_safe(height, width, mines)
    )
    if comb(height * width, mines) > SMALL_BOARD_LAYOUTS or not 0 < mines < height * width:
        return usual
    advise.load_kernels()
    best, most = usual, Fraction(-1)
    left = BUDGET
    for cell in _candidate_cells(usual, height, width, opens_zero):
        layouts = layouts_of_first_cell(cell, height, width, mines, opens_zero)
        if layouts == 0:
            continue
        wins, spent = count_first_cell_wins(cell, height, width, mines, opens_zero, left)
        left -= spent
        if wins < 0 or left <= 0:
            return usual
        if Fraction(wins, layouts) > most:
            best, most = cell, Fraction(wins, layouts)
    return best


def _candidate_cells(usual: Cell, height: int, width: int, opens_zero: bool) -> list[Cell]:
    """Return cells of which no two are equal by symmetry, the usual one first."""
    if opens_zero:
        found = cells_of_one_part(height, width, (height + 1) // 2, (width + 1) // 2)
    else:
        found = cells_of_one_part(height, width, min(2, height), min(2, width))
    return sorted(found, key=lambda cell: cell != usual)


def cells_of_one_part(height: int, width: int, rows: int, cols: int) -> list[Cell]:
    """Return the cells, `(row, col)`, of a board's first rows and columns.

    If the board is a square, those on one side of its diagonal stand for those on the other.
    """
    return [
        (row, col) for row in range(rows) for col in range(cols) if height != width or row <= col
    ]


def layouts_of_first_cell(cell: Cell, height: int, width: int, mines: int, opens_zero: bool) -> int:
    """Return in how many layouts a cell is safe, or opens an opening."""
    kept = len(list(neighbours(*cell, height, width))) if opens_zero else 0
    return comb(height * width - 1 - kept, mines)


class FirstCellWins(NamedTuple):
    """How many layouts are won, less than 0 if the budget or the room ran out; the work done."""

    wins: int
    spent: int


def count_first_cell_wins(
    cell: Cell, height: int, width: int, mines: int, opens_zero: bool, budget: int
) -> FirstCellWins:
    """Count the layouts that the best play wins from a first cell that is safe, or shows no number.

    The work, in steps of the search, is done up to a budget, and for as many layouts as
    `offsets.LAYOUTS` has room for.
    """
    covered = np.full((height, width), 9, np.uint8)
    place = advise.PaddedBoard(height, width).padded_index(cell)
    highest = 0 if opens_zero else advice_tasks.LAST_NUMBER
    wanted = np.array([place, highest, budget], np.int64)
    spent = np.zeros(1, np.int64)
    wins = advise.run_task(
        advice_tasks.COUNT_FIRST_CELL_WINS, covered, mines, "best", wanted, spent
    )
    return FirstCellWins(int(wins), int(spent[0]))
