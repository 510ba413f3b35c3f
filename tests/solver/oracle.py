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
from demine.scene.cell_faces import Face

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


def sweep(faces: Faces, mines: int) -> int:
    """The number of layouts, the other way: cell by cell along each stretch of the frontier.

    No boxes, no settled cells, no packed states, no polynomials but tables. It shares nothing with
    the solver, and is what its larger answers are held to.
    """
    height, width = faces.shape
    asks: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for row, col in np.argwhere(faces < Face.COVERED).tolist():
        for cell in neighbours(row, col, height, width):
            if faces[cell] >= Face.COVERED:
                asks.setdefault(cell, set()).add((row, col))
    sea = int(np.count_nonzero(faces >= Face.COVERED)) - len(asks)
    # A zero is satisfied by nothing; a number without covered neighbours asks nobody.
    for row, col in np.argwhere(faces < Face.COVERED).tolist():
        near = [cell for cell in neighbours(row, col, height, width) if cell in asks]
        if not near and faces[row, col]:
            return 0
    table = {0: 1}
    while asks:
        part = _stretch(asks)
        table = _both(table, _along({cell: asks.pop(cell) for cell in part}, faces))
    return sum(ways * comb(sea, mines - used) for used, ways in table.items() if used <= mines)


def _stretch(asks: dict[tuple[int, int], set[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the cells of one component, from one end of it on."""
    order = [next(iter(asks))]
    for _ in range(2):
        order = order[-1:]
        seen = set(order)
        for row, col in order:
            near = [
                (row + down, col + right)
                for down in range(-2, 3)
                for right in range(-2, 3)
                if asks.get((row + down, col + right), set()) & asks[row, col]
            ]
            order += [cell for cell in near if cell not in seen]
            seen.update(near)
    return order


def _along(asks: dict[tuple[int, int], set[tuple[int, int]]], faces: Faces) -> dict[int, int]:
    """Return in how many ways these cells hold so many mines."""
    last = {number: cell for cell, numbers in asks.items() for number in numbers}
    begun: dict[tuple[int, int], None] = {}
    states: dict[tuple[int, ...], dict[int, int]] = {(): {0: 1}}
    for cell, numbers in asks.items():
        fresh = [number for number in numbers if number not in begun]
        states = {
            (*state, *(int(faces[number]) for number in fresh)): table
            for state, table in states.items()
        }
        begun.update(dict.fromkeys(fresh))
        spots = [number in numbers for number in begun]
        stays = [last[number] != cell for number in begun]
        after: dict[tuple[int, ...], dict[int, int]] = {}
        for state, table in states.items():
            for mine in (0, 1):
                rest = [need - mine * spot for need, spot in zip(state, spots, strict=True)]
                if min(rest) < 0 or any(
                    need and not stay for need, stay in zip(rest, stays, strict=True)
                ):
                    continue
                kept = tuple(need for need, stay in zip(rest, stays, strict=True) if stay)
                into = after.setdefault(kept, {})
                for used, ways in table.items():
                    into[used + mine] = into.get(used + mine, 0) + ways
        states = after
        begun = dict.fromkeys(
            number for number, stay in zip(list(begun), stays, strict=True) if stay
        )
    return states.get((), {})


def _both(left: dict[int, int], right: dict[int, int]) -> dict[int, int]:
    """Return in how many ways two parts hold so many mines together."""
    table: dict[int, int] = {}
    for used, ways in left.items():
        for more, others in right.items():
            table[used + more] = table.get(used + more, 0) + ways * others
    return table
