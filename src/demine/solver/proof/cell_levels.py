"""How hard each certain cell is to find: the level of the hardest step that its proof needs.

A step adds up some numbers and takes others away (see `Pattern`). The levels differ in what a step
may use, and each is closed: what it finds is used until nothing more follows, so a level does not
depend on the order of steps, nor on how the board is turned.

1. one number;
2. one number, or one less another;
3. any numbers, added and taken away as often as one likes. By the duality of linear programmes this
   finds just the cells that stay certain if a cell may hold a fraction of a mine;
4. the same with the mine count. It is one equation over all components, and helps only where the
   mines left are just as many as the components need at least (or, with the sea full, at most):
   strictly between, no cell is pinned by it;
5. what is left of the cells that are certain: a mine is whole, so both cases can be tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, SupportsIndex

import numpy as np

from demine.solver.exact.deduce import deduce
from demine.solver.exact.dynamic_program import STATES
from demine.solver.exact.frontier import split
from demine.solver.exact.parse import boxes_of, read_scene, survey
from demine.solver.proof.difficulty import Pattern
from demine.solver.proof.linear import Polytope
from demine.solver.proof.simple_steps import Steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from demine.solver.exact.parse import Box, Survey

HARDEST: Final = Pattern.CASES.level


def levels(
    scene: ArrayLike,
    mines: SupportsIndex,
    *,
    most: int = HARDEST,
    enough: bool = False,
    states: int = STATES,
) -> NDArray[np.uint8]:
    """Return the level of every covered cell that is certain, 1 to 5, uint8 `(height, width)`.

    0 is what is opened or not certain. Levels above `most` are not looked for; with `enough` nor
    are those above the first that finds a safe cell. Arguments and errors are those of `deduce`,
    but a contradiction may go unnoticed where `most` or `enough` end the search before level 3.
    """
    faces, number = read_scene(scene, mines)
    result = np.zeros(faces.shape, np.uint8)
    flat = result.reshape(-1)
    for cell, (level, _) in graded(faces, number, most, enough=enough, states=states).items():
        flat[cell] = level
    return result


class Grade(NamedTuple):
    """The level of a certain cell, and whether it is a mine."""

    level: int
    is_mine: bool


def graded(
    faces: NDArray[np.uint8],
    mines: int,
    most: int = HARDEST,
    *,
    enough: bool = False,
    states: int = STATES,
) -> dict[int, Grade]:
    """Do what `levels` does for a checked scene board; cells are flat indices."""
    seen = survey(faces, mines)
    found = {cell: Grade(1, is_mine) for cell, is_mine in seen.settled.items()}
    if most < 2 or (enough and not all(seen.settled.values())):
        return found
    steps = steps_of(faces, seen)
    steps.pairs()
    found |= {cell: Grade(2, is_mine) for cell, is_mine in steps.known.items()}
    if most < 3 or (enough and not all(steps.known.values())):
        return found
    certain = deduce(faces, mines, states=states)
    wanted = {
        cell: is_mine
        for is_mine, places in zip((False, True), certain, strict=True)
        for cell in np.flatnonzero(places).tolist()
        if cell not in found
    }
    left = seen.left - sum(steps.known.values())
    levels_of = hard(steps, wanted, Sea(int(seen.sea.size), left), most, enough=enough)
    return found | {cell: Grade(level, wanted[cell]) for cell, level in levels_of.items()}


def steps_of(faces: NDArray[np.uint8], seen: Survey) -> Steps:
    """Return the numbers of a survey, ready for steps on what is not settled."""
    rooms: dict[int, list[int]] = {}
    for box in seen.boxes:
        for number in box.numbers:
            rooms.setdefault(number, []).extend(box.cells)
    return Steps(faces, rooms, seen.needs)


class Sea(NamedTuple):
    """How many covered cells are beside no number, and how many mines are not known yet."""

    cells: int
    left: int


def hard(
    steps: Steps,
    wanted: Mapping[int, bool],
    sea: Sea | None,
    most: int = HARDEST,
    *,
    enough: bool = False,
) -> dict[int, int]:
    """Return the levels from 3 on of certain cells that steps on two numbers have not found.

    `wanted` says which are mines. Without `sea` the mine count is not known.
    """
    parts = [_Part(boxes, steps.needs) for boxes in split(boxes_of(steps.talk, steps.known))]
    found: dict[int, int] = {}
    for part in parts:
        if inside := part.wanted(wanted):
            found |= dict.fromkeys(part.forced(inside), Pattern.CHAIN.level)

    def done(level: int) -> bool:
        safe = enough and any(not wanted[cell] for cell in found)
        return most <= level or safe or len(found) == len(wanted)

    if done(Pattern.CHAIN.level):
        return found
    if sea is not None:
        rest = {cell: is_mine for cell, is_mine in wanted.items() if cell not in found}
        found |= dict.fromkeys(_pinned(parts, rest, sea), Pattern.COUNT.level)
    if done(Pattern.COUNT.level):
        return found
    return dict.fromkeys(wanted, Pattern.CASES.level) | found


def _pinned(parts: Sequence[_Part], wanted: Mapping[int, bool], sea: Sea) -> set[int]:
    """Return which cells the mine count proves, together with the numbers."""
    found: set[int] = set()
    for is_full in (False, True):
        pinned = sea.left - (sea.cells if is_full else 0)
        ends = [part.end(most=is_full) for part in parts] if pinned >= 0 else []
        if pinned < 0 or sum(ends) != pinned:
            continue
        beside = {cell for part in parts for box in part.boxes for cell in box.cells}
        found.update(wanted.keys() - beside)
        for part, end in zip(parts, ends, strict=True):
            if inside := part.wanted(wanted):
                found.update(part.forced(inside, end))
    return found


class _Part:
    """A component: its boxes are the variables, its numbers the equations."""

    def __init__(self, boxes: list[Box], needs: Mapping[int, int]) -> None:
        self.boxes = boxes
        self._sizes = [len(box.cells) for box in boxes]
        rows: dict[int, list[int]] = {}
        for index, box in enumerate(boxes):
            for number in box.numbers:
                rows.setdefault(number, []).append(index)
        self._rows = [(row, needs[number]) for number, row in rows.items()]

    def wanted(self, wanted: Mapping[int, bool]) -> dict[int, bool]:
        """Return the boxes whose cells are wanted, and whether they are mines."""
        return {
            index: wanted[box.cells[0]]
            for index, box in enumerate(self.boxes)
            if box.cells[0] in wanted
        }

    def forced(self, wanted: Mapping[int, bool], total: Fraction | None = None) -> set[int]:
        """Return the cells of the wanted boxes that adding and subtracting proves.

        With a total, so many mines are in the component.
        """
        rows: list[tuple[Sequence[int], int | Fraction]] = list(self._rows)
        if total is not None:
            rows.append((range(len(self.boxes)), total))
        found = Polytope(self._sizes, rows).forced(wanted)
        return {cell for index in found for cell in self.boxes[index].cells}

    def end(self, *, most: bool) -> Fraction:
        """Return the least or the most mines that it can have, if a mine may be cut to pieces."""
        sign = -1 if most else 1
        costs = dict.fromkeys(range(len(self.boxes)), sign)
        return sign * Polytope(self._sizes, self._rows).least(costs)
