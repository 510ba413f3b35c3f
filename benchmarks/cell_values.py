"""How many games a policy wins that opens one cell or another in a position.

    python -m benchmarks.cell_values "0,0=1" "0,29 15,0 2,0" --playouts 500000 --seed 2

The position is a board on which some cells show numbers: row, column and number of each, counted
from 0. Each cell is opened on layouts that fit, drawn alike, the same ones for all, and the policy
plays on. The first cell is the one that the others are compared with.

Intervals are normal ones, at 95 %. The same arguments give the same figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.paired_policies import Cell, Mean
from demine.logic.rules import Rules
from demine.scene.cell_faces import Face
from demine.solver.player import advise
from demine.solver.player.kernels import advice_tasks
from demine.solver.player.policy_table import GUESSING

AT_ONCE: Final = 2000
"""How many layouts are drawn at once; their random numbers take 23 MB on an expert board."""


def position(rules: Rules, text: str) -> NDArray[np.uint8]:
    """Return the scene board on which the cells of `text` are opened, as in `0,0=1 0,29=2`."""
    faces = np.full((rules.height, rules.width), Face.COVERED, np.uint8)
    for word in text.split():
        cell, _, number = word.partition("=")
        faces[cell_of(cell)] = int(number)
    return faces


def cell_of(text: str) -> Cell:
    """Return the cell of `ROW,COL`."""
    row, _, col = text.partition(",")
    return int(row), int(col)


def games_won(
    faces: NDArray[np.uint8], mines: int, cells: Sequence[Cell], by: str, playouts: int, seed: int
) -> NDArray[np.float64]:
    """Return for each layout and cell whether the policy `by` wins, (playouts, cells), 1.0 or 0.0.

    Each row is the same layout with another first cell.
    """
    random = np.random.default_rng(seed)
    places = advise.padded_indices(cells, advise.PaddedBoard(*faces.shape))

    def parts() -> Iterator[NDArray[np.int64]]:
        for begin in range(0, playouts, AT_ONCE):
            count = min(AT_ONCE, playouts - begin)
            randoms = random.random((count, 3 * faces.size + 1))
            won = np.zeros((count, len(cells)), np.int64)
            advise.run_task(advice_tasks.PLAYOUTS, faces, mines, by, places, won, randoms)
            yield won

    return np.concatenate(list(parts())).astype(np.float64)


def main() -> None:
    """Play, and print what each cell wins."""
    parser = argparse.ArgumentParser(description="What each of some cells wins.")
    parser.add_argument("position", help="the opened cells and their numbers: ROW,COL=NUMBER ...")
    parser.add_argument("cells", help="the cells to be opened: ROW,COL ...")
    parser.add_argument("--rules", default="30x16/99")
    parser.add_argument("--by", choices=GUESSING, default="strong", help="who plays on")
    parser.add_argument("--playouts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rules, cells = Rules.parse(arguments.rules), [*map(cell_of, arguments.cells.split())]
    advise.load_kernels()
    won = games_won(
        position(rules, arguments.position),
        rules.mines,
        cells,
        arguments.by,
        arguments.playouts,
        arguments.seed,
    )
    for at, (row, col) in enumerate(cells):
        share = 100 * won[:, at].mean()
        print(f"{row},{col}: {share:.3f} %, {Mean.of(won[:, at] - won[:, 0])} more")


if __name__ == "__main__":
    main()
