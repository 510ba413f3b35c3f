"""What follows from a position, by trying every layout: slow, and independent of the solver."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]


def border(faces: NDArray[np.uint8]) -> list[Cell]:
    """The covered cells beside numbers, in an order in which numbers are soon complete."""
    found: dict[Cell, None] = {}
    for row, col in np.argwhere(faces <= 8).tolist():
        for cell in around(row, col, faces):
            if faces[cell] > 8:
                found.setdefault(cell)
    return list(found)


def around(row: int, col: int, faces: NDArray[np.uint8]) -> list[Cell]:
    """The cells beside a cell."""
    height, width = faces.shape
    near = product(range(max(0, row - 1), min(height, row + 2)),
                   range(max(0, col - 1), min(width, col + 2)))  # fmt: skip
    return [cell for cell in near if cell != (row, col)]


def risks(faces: NDArray[np.uint8], mines: int) -> NDArray[np.float64]:
    """The chance of a mine in each covered cell, NaN elsewhere, by counting all layouts."""
    cells = border(faces)
    covered = faces > 8
    sea = int(covered.sum()) - len(cells)
    hits = [0] * len(cells)
    total, sea_hits = 0, 0
    for layout in layouts(faces, cells):
        left = mines - sum(layout)
        ways = comb(sea, left) if 0 <= left <= sea else 0
        hits = [count + ways * mine for count, mine in zip(hits, layout, strict=True)]
        total += ways
        sea_hits += ways * left
    found = np.where(covered, sea_hits / (total * sea) if sea else 0.0, np.nan)
    for cell, count in zip(cells, hits, strict=True):
        found[cell] = count / total
    return found


def layouts(faces: NDArray[np.uint8], cells: list[Cell]) -> Iterator[tuple[int, ...]]:
    """Every layout of these cells that fits all numbers."""
    place = {cell: index for index, cell in enumerate(cells)}
    numbers = [
        (int(faces[row, col]), [place[c] for c in around(row, col, faces) if c in place])
        for row, col in np.argwhere(faces <= 8).tolist()
    ]
    touching: list[list[tuple[int, list[int]]]] = [[] for _ in cells]
    for need, near in numbers:
        for index in near:
            touching[index].append((need, near))
    layout = [0] * len(cells)

    def fits(done: int) -> bool:
        for need, near in touching[done]:
            set_ = sum(layout[index] for index in near if index <= done)
            free = sum(index > done for index in near)
            if not set_ <= need <= set_ + free:
                return False
        return True

    def fill(index: int) -> Iterator[tuple[int, ...]]:
        if index == len(cells):
            yield tuple(layout)
            return
        for value in (0, 1):
            layout[index] = value
            if fits(index):
                yield from fill(index + 1)
        layout[index] = 0

    return fill(0)
