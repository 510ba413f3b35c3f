"""The slow way: every layout of the cells beside numbers, one cell after the other.

No boxes, no components, no states: partial layouts are rows of an array, and each number throws out
the rows that break it. The cells beside no number come in as binomials.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from demine.logic.neighbours import count_around, neighbours
from demine.scene.face import Face

Faces = NDArray[np.uint8]


@dataclass(frozen=True)
class Truth:
    """How many layouts there are, and in how many of them each covered cell is a mine."""

    layouts: int
    mines: dict[tuple[int, int], int]

    def share(self, cell: tuple[int, int]) -> Fraction:
        return Fraction(self.mines[cell], self.layouts)


def every_layout(faces: Faces, mines: int) -> Truth:
    """All layouts of all covered cells, tried out: for very small boards."""
    covered = [tuple(map(int, cell)) for cell in np.argwhere(faces >= Face.COVERED)]
    found, held = 0, dict.fromkeys(covered, 0)
    for chosen in combinations(covered, mines):
        layout = np.zeros(faces.shape, np.bool_)
        for cell in chosen:
            layout[cell] = True
        opened = faces < Face.COVERED
        if np.array_equal(count_around(layout)[opened], faces[opened]):
            found += 1
            for cell in chosen:
                held[cell] += 1
    return Truth(found, {(row, col): held[row, col] for row, col in held})


def count(faces: Faces, mines: int) -> Truth:
    """The same for boards of up to some 60 cells."""
    frontier, rows = _frontier_layouts(faces)
    covered = [tuple(map(int, cell)) for cell in np.argwhere(faces >= Face.COVERED)]
    sea = len(covered) - len(frontier)
    used = np.bitwise_count(rows)
    size = len(frontier) + 1

    def ways(cells: int, kept: NDArray[np.uint8], fixed: int = 0) -> int:
        tally = np.bincount(kept, minlength=size)
        return sum(
            int(number) * comb(cells, mines - fixed - k)
            for k, number in enumerate(tally)
            if mines - fixed - k >= 0
        )

    held = {}
    in_sea = ways(sea - 1, used, 1) if sea else 0
    for row, col in covered:
        if (row, col) in frontier:
            bit = np.uint64(1 << frontier[row, col])
            held[row, col] = ways(sea, used[(rows & bit) != 0])
        else:
            held[row, col] = in_sea
    return Truth(ways(sea, used), held)


def _frontier_layouts(faces: Faces) -> tuple[dict[tuple[int, int], int], NDArray[np.uint64]]:
    """Return the bit of each cell beside a number, and all layouts of them as bits."""
    height, width = faces.shape
    place: dict[tuple[int, int], int] = {}
    rows = np.zeros(1, np.uint64)
    for row, col in np.argwhere(faces < Face.COVERED).tolist():
        near = [cell for cell in neighbours(row, col, height, width) if faces[cell] >= Face.COVERED]
        mask = 0
        for cell in near:
            if cell not in place:
                place[cell] = len(place)
                rows = np.concatenate([rows, rows | np.uint64(1 << place[cell])])
            mask |= 1 << place[cell]
        rows = rows[np.bitwise_count(rows & np.uint64(mask)) == faces[row, col]]
    return place, rows


def agreeing(faces: Faces) -> list[int]:
    """For every layout of any number of mines, which numbers it satisfies, as bits."""
    height, width = faces.shape
    opened = np.argwhere(faces < Face.COVERED).tolist()
    covered = np.argwhere(faces >= Face.COVERED).tolist()
    found = set()
    for chosen in range(1 << len(covered)):
        layout = np.zeros((height, width), np.bool_)
        for bit, (row, col) in enumerate(covered):
            layout[row, col] = chosen >> bit & 1
        around = count_around(layout)
        found.add(
            sum(
                1 << n for n, (row, col) in enumerate(opened) if around[row, col] == faces[row, col]
            )
        )
    return sorted(found)
