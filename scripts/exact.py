"""How many layouts of small boards a policy wins, counted over all of them, beside the optimum.

A policy is asked once for each scene that it meets; its answer parts the layouts by what the cell
shows. So the count is exact, and no game is played at random. `any` is over all layouts, `safe`
over those where the first cell is safe, `zero` over those where it opens an opening.

    python scripts/exact.py [--policy best] [BOARD ...]

Boards are rows of the table below, `4x4/4` for one, all unless told otherwise.
The optimum of each was found by exhaustive search; 4x4/4 agrees with codegolf.SE 34276.

    python scripts/exact.py --first-cells BOARD

counts, for every first cell of a board, the layouts that the search of the whole game wins. The
largest count is the board's optimum, whether it is in the table or not. Boards with more layouts
than the search has room for end with an error that names the constant to raise in a checkout.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from demine.logic.neighbours import count_around, neighbours
from demine.scene.cell_faces import Face

Layouts = NDArray[np.uint8]
"""What each cell shows in each layout, `(layouts, cells)`; `MINE` for a mine."""
MINE: Final = 9
OPTIMA: Final = {
    # board: the wins from a safe first cell, the share won from one that opens an opening
    "3x3/1": (8, Fraction(5, 5)),
    "3x3/2": (24, Fraction(3, 3)),
    "3x3/3": (33, Fraction(1, 1)),
    "3x3/4": (27, Fraction(3, 5)),
    "4x4/1": (15, Fraction(12, 12)),
    "4x4/2": (102, Fraction(66, 66)),
    "4x4/3": (400, Fraction(35, 35)),
    "4x4/4": (961, Fraction(34, 35)),
    "4x4/5": (1461, Fraction(20, 21)),
    "4x4/6": (1584, Fraction(7, 7)),
    "4x4/7": (1317, Fraction(1, 1)),
    "4x4/8": (859, Fraction(23, 45)),
    "5x4/1": (19, Fraction(16, 16)),
    "5x4/2": (166, Fraction(90, 91)),
    "5x4/3": (864, Fraction(158, 165)),
    "5x4/4": (2950, Fraction(309, 330)),
    "5x4/5": (6998, Fraction(425, 462)),
    "5x4/6": (11695, Fraction(418, 462)),
    "5x5/1": (24, Fraction(21, 21)),
    "5x5/2": (266, Fraction(204, 210)),
    "5x5/3": (1798, Fraction(512, 560)),
    "5x5/4": (8236, Fraction(1557, 1820)),
    "5x5/5": (27271, Fraction(3500, 4368)),
    "5x5/6": (67536, Fraction(6074, 8008)),
    "6x5/3": (3449, Fraction(1953, 2024)),
    "6x5/4": (20891, Fraction(5542, 5985)),
    "6x5/5": (93674, Fraction(18013, 20349)),
    "6x6/1": (35, Fraction(32, 32)),
    "6x6/2": (592, Fraction(496, 496)),
    "6x6/3": (6427, Fraction(2921, 2925)),
    "6x6/4": (50088, Fraction(17435, 17550)),
    "6x6/5": (296295, Fraction(79092, 80730)),
    "7x7/2": (1125, Fraction(990, 990)),
    "7x7/3": (17139, Fraction(9872, 9880)),
    "8x8/1": (63, Fraction(60, 60)),
    "8x8/2": (1950, Fraction(1770, 1770)),
    "8x8/3": (39496, Fraction(30835, 30856)),
}
"""What the best play wins, from its best first cell. Over all layouts it wins as many as over those
where the first cell is safe."""


class WinCount(NamedTuple):
    """How many of how many layouts are won."""

    wins: int
    layouts: int


class SmallBoard(NamedTuple):
    """A small board."""

    width: int
    height: int
    mines: int

    @classmethod
    def parse(cls, text: str) -> SmallBoard:
        """Read `WxH/M`."""
        size, mines = text.split("/")
        width, height = size.split("x")
        return cls(int(width), int(height), int(mines))

    @property
    def cells(self) -> int:
        """How many cells it has."""
        return self.width * self.height

    def neighbours_of(self, cell: int) -> list[int]:
        """Return the cells around a cell."""
        row, col = divmod(cell, self.width)
        return [r * self.width + c for r, c in neighbours(row, col, self.height, self.width)]


def all_layouts(board: SmallBoard, without: set[int]) -> Layouts:
    """Return every layout that has no mine in some cells."""
    free = [cell for cell in range(board.cells) if cell not in without]
    found = np.empty((comb(len(free), board.mines), board.cells), np.uint8)
    mine_map = np.zeros((board.height, board.width), np.bool_)
    flat = mine_map.ravel()
    for at, mines in enumerate(combinations(free, board.mines)):
        flat[:] = False
        flat[list(mines)] = True
        found[at] = np.where(flat, MINE, count_around(mine_map).ravel())
    return found


def count_wins(
    board: SmallBoard, start: int, zero: bool, choose: Callable[[NDArray[np.uint8], int], int]
) -> WinCount:
    """Count the layouts that a policy wins from a first cell that is safe, or shows no number.

    `choose` is given the faces and the mine count, and returns the cell to open.
    """
    layouts = all_layouts(board, {start, *board.neighbours_of(start)} if zero else {start})
    wins = 0
    waiting = [(layouts, np.zeros(board.cells, np.bool_), start)]
    while waiting:
        group, opened, cell = waiting.pop()
        for part, shown in split_by_shown_numbers(board, group, opened, cell):
            safe = (part != MINE).all(axis=0) & ~shown
            if len(part) == 1 or shown.sum() == board.cells - board.mines:
                # One layout is left: all is known.
                wins += 1
            elif safe.any():
                waiting.append((part, shown, int(np.flatnonzero(safe)[0])))
            else:
                faces = np.where(shown, part[0], np.uint8(Face.COVERED))
                following = choose(faces.reshape(board.height, board.width), board.mines)
                waiting.append((part[part[:, following] != MINE], shown, following))
    return WinCount(wins, len(layouts))


def split_by_shown_numbers(
    board: SmallBoard, group: Layouts, opened: NDArray[np.bool_], cell: int
) -> Iterator[tuple[Layouts, NDArray[np.bool_]]]:
    """Open a cell that is safe in all layouts, and yield them by all that is shown then."""
    waiting = [(group, opened, [cell])]
    while waiting:
        part, before, cells = waiting.pop()
        cells = [at for at in cells if not before[at]]
        if not cells or not len(part):
            if len(part):
                yield part, before
            continue
        at = cells.pop()
        shown = before.copy()
        shown[at] = True
        for number in np.unique(part[:, at]):
            more = board.neighbours_of(at) if number == 0 else []
            waiting.append((part[part[:, at] == number], shown, cells + more))


def optimal_wins(text: str, zero: bool, of: int) -> Fraction:
    """Return what the best play wins of so many layouts."""
    wins, share = OPTIMA[text]
    return share * of if zero else Fraction(wins)


def main() -> None:
    """Print a line for each board, or for each first cell of one."""
    parser = argparse.ArgumentParser(description="Exact wins of a policy on small boards.")
    parser.add_argument("--policy", default="best")
    parser.add_argument("--first-cells", type=SmallBoard.parse, metavar="BOARD")
    parser.add_argument("boards", nargs="*", default=list(OPTIMA))
    arguments = parser.parse_args()
    if arguments.first_cells is not None:
        print_first_cells(arguments.first_cells)
    else:
        print_boards(arguments.boards, arguments.policy)


def print_first_cells(board: SmallBoard) -> None:
    """Print what the best play wins from each first cell that is safe; equal ones count once."""
    from demine.solver.player import advise, first_cell

    advise.load_kernels()
    print("cell   wins / of   share   seconds")
    rows, cols = (board.height + 1) // 2, (board.width + 1) // 2
    for cell in first_cell.cells_of_one_part(board.height, board.width, rows, cols):
        begun = time.process_time()
        found = first_cell.count_first_cell_wins(
            cell, board.height, board.width, board.mines, opens_zero=False, budget=sys.maxsize
        )
        layouts = comb(board.cells - 1, board.mines)
        if found.wins < 0:
            raise SystemExit(
                f"{layouts} layouts are too many: raise LAYOUTS in "
                "src/demine/solver/player/kernels/offsets.py"
            )
        took = time.process_time() - begun
        share = found.wins / layouts
        print(f"{cell[0]},{cell[1]}   {found.wins}/{layouts}  {share:.4%}  {took:.1f}", flush=True)


def print_boards(boards: list[str], policy: str) -> None:
    """Print how many layouts of each board a policy wins, and the optimum."""
    from demine.solver.player import advise
    from demine.solver.player.first_cell import best_first_cell_of_board

    advise.load_kernels()
    print("board    first  cell   wins / of       best    seconds")
    for text in boards:
        board = SmallBoard.parse(text)
        for first in ("safe", "zero"):
            begun = time.process_time()
            row, col = best_first_cell_of_board(
                board.height, board.width, board.mines, first == "zero"
            )

            def choose(faces: NDArray[np.uint8], mines: int) -> int:
                cell = advise.policy_choice(faces, mines, policy)
                if cell is None:
                    raise SystemExit("the player has no answer")
                return cell[0] * int(faces.shape[1]) + cell[1]

            score = count_wins(board, row * board.width + col, first == "zero", choose)
            best = optimal_wins(text, first == "zero", score.layouts)
            took = time.process_time() - begun
            mark = "=" if score.wins == best else "BELOW"
            print(
                f"{text:8} {first}   {row},{col}   {score.wins}/{score.layouts}  {best} {mark} "
                f"{took:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
