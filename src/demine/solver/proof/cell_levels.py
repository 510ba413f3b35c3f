"""Levels of the certain cells: how hard the hardest step is that the proof of each cell needs.

A step adds up some numbers and subtracts others (see `Pattern`). The levels differ in which steps
are allowed. Each is complete: its steps are repeated until nothing more follows, so that a level
depends neither on the order of steps nor on how the board is turned.

1. One number.
2. One number, or one minus another.
3. Any numbers, each added or subtracted any number of times. By the duality of linear programmes
   this finds exactly the cells that stay certain even if a cell may hold a fraction of a mine.
4. The same with the mine count. That is one equation over all components. It helps only if the
   mines left are exactly as many as the components need at least (or, with every cell of the sea a
   mine, at most): strictly between the two, it fixes no cell.
5. All other certain cells: a mine is whole, so both cases can be tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, SupportsIndex

import numpy as np

from demine.solver.exact.deduce import deduce
from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.ordered_components import split_into_components
from demine.solver.exact.parse_board import checked_scene, group_into_boxes, parse_board
from demine.solver.proof.difficulty_levels import Pattern
from demine.solver.proof.polytope import Polytope
from demine.solver.proof.simple_steps import SimpleSteps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from numpy.typing import ArrayLike, NDArray

    from demine.solver.exact.parse_board import Box, ParsedBoard

HARDEST_LEVEL: Final = Pattern.CASES.level


def levels(
    scene: ArrayLike,
    mines: SupportsIndex,
    *,
    highest: int = HARDEST_LEVEL,
    stop_at_safe: bool = False,
    states: int = DEFAULT_STATES,
) -> NDArray[np.uint8]:
    """Return the level of every covered cell that is certain, 1 to 5, uint8 `(height, width)`.

    Cells that are opened or not certain are 0. Levels above `highest` are not searched, and with
    `stop_at_safe` none above the first one that finds a safe cell. Arguments and errors are those
    of `deduce`, but a contradiction may go unnoticed if `highest` or `stop_at_safe` ends the search
    before level 3.
    """
    faces, number = checked_scene(scene, mines)
    result = np.zeros(faces.shape, np.uint8)
    flat = result.reshape(-1)
    for cell, (level, _) in grade_cells(
        faces, number, highest, stop_at_safe=stop_at_safe, states=states
    ).items():
        flat[cell] = level
    return result


class Grade(NamedTuple):
    """The level of a certain cell, and whether it is a mine."""

    level: int
    is_mine: bool


def grade_cells(
    faces: NDArray[np.uint8],
    mines: int,
    highest: int = HARDEST_LEVEL,
    *,
    stop_at_safe: bool = False,
    states: int = DEFAULT_STATES,
) -> dict[int, Grade]:
    """Return the grades of the certain cells of a checked scene board, by flat index.

    The arguments are those of `levels`.
    """
    board = parse_board(faces, mines)
    found = {cell: Grade(1, is_mine) for cell, is_mine in board.settled.items()}
    if highest < 2 or (stop_at_safe and not all(board.settled.values())):
        return found
    steps = simple_steps_on(faces, board)
    steps.apply_number_pair_steps()
    found |= {cell: Grade(2, is_mine) for cell, is_mine in steps.known.items()}
    if highest < 3 or (stop_at_safe and not all(steps.known.values())):
        return found
    deduced = deduce(faces, mines, states=states)
    certain = {
        cell: is_mine
        for is_mine, places in zip((False, True), deduced, strict=True)
        for cell in np.flatnonzero(places).tolist()
        if cell not in found
    }
    left = board.mines_left - sum(steps.known.values())
    levels_of = levels_beyond_simple_steps(
        steps, certain, Sea(int(board.sea.size), left), highest, stop_at_safe=stop_at_safe
    )
    return found | {cell: Grade(level, certain[cell]) for cell, level in levels_of.items()}


def simple_steps_on(faces: NDArray[np.uint8], board: ParsedBoard) -> SimpleSteps:
    """Return the `SimpleSteps`, none made yet, on the numbers and unsettled cells of a board."""
    rooms: dict[int, list[int]] = {}
    for box in board.boxes:
        for number in box.numbers:
            rooms.setdefault(number, []).extend(box.cells)
    return SimpleSteps(faces, rooms, board.needs)


class Sea(NamedTuple):
    """How many covered cells touch no number, and how many mines are not known yet."""

    cells: int
    mines_left: int


def levels_beyond_simple_steps(
    steps: SimpleSteps,
    certain: Mapping[int, bool],
    sea: Sea | None,
    highest: int = HARDEST_LEVEL,
    *,
    stop_at_safe: bool = False,
) -> dict[int, int]:
    """Return the levels, 3 to 5, of certain cells that steps on two numbers did not find.

    `certain` says for each cell whether it is a mine. Without `sea` the mine count is not known.
    """
    parts = [
        _ComponentPolytope(boxes, steps.needs)
        for boxes in split_into_components(group_into_boxes(steps.numbers_beside, steps.known))
    ]
    found: dict[int, int] = {}
    for part in parts:
        if inside := part.certain_boxes(certain):
            found |= dict.fromkeys(part.forced_cells(inside), Pattern.CHAIN.level)

    def done(level: int) -> bool:
        safe = stop_at_safe and any(not certain[cell] for cell in found)
        return highest <= level or safe or len(found) == len(certain)

    if done(Pattern.CHAIN.level):
        return found
    if sea is not None:
        rest = {cell: is_mine for cell, is_mine in certain.items() if cell not in found}
        found |= dict.fromkeys(_proven_by_mine_count(parts, rest, sea), Pattern.COUNT.level)
    if done(Pattern.COUNT.level):
        return found
    return dict.fromkeys(certain, Pattern.CASES.level) | found


def _proven_by_mine_count(
    parts: Sequence[_ComponentPolytope], certain: Mapping[int, bool], sea: Sea
) -> set[int]:
    """Return the certain cells that the mine count proves together with the numbers."""
    found: set[int] = set()
    for is_full in (False, True):
        pinned = sea.mines_left - (sea.cells if is_full else 0)
        ends = [part.extreme_mine_count(highest=is_full) for part in parts] if pinned >= 0 else []
        if pinned < 0 or sum(ends) != pinned:
            continue
        beside = {cell for part in parts for box in part.boxes for cell in box.cells}
        found.update(certain.keys() - beside)
        for part, end in zip(parts, ends, strict=True):
            if inside := part.certain_boxes(certain):
                found.update(part.forced_cells(inside, end))
    return found


class _ComponentPolytope:
    """A component as equations: its boxes are the variables, its numbers the equations."""

    def __init__(self, boxes: list[Box], needs: Mapping[int, int]) -> None:
        self.boxes = boxes
        self._sizes = [len(box.cells) for box in boxes]
        rows: dict[int, list[int]] = {}
        for index, box in enumerate(boxes):
            for number in box.numbers:
                rows.setdefault(number, []).append(index)
        self._rows = [(row, needs[number]) for number, row in rows.items()]

    def certain_boxes(self, certain: Mapping[int, bool]) -> dict[int, bool]:
        """Return which boxes, by index, have certain cells, and whether these are mines."""
        return {
            index: certain[box.cells[0]]
            for index, box in enumerate(self.boxes)
            if box.cells[0] in certain
        }

    def forced_cells(
        self, boxes: Mapping[int, bool], mine_total: Fraction | None = None
    ) -> set[int]:
        """Return the cells of these boxes that adding and subtracting numbers proves.

        `mine_total` is the number of mines in the component, if that is known.
        """
        rows: list[tuple[Sequence[int], int | Fraction]] = list(self._rows)
        if mine_total is not None:
            rows.append((range(len(self.boxes)), mine_total))
        found = Polytope(self._sizes, rows).forced_variables(boxes)
        return {cell for index in found for cell in self.boxes[index].cells}

    def extreme_mine_count(self, *, highest: bool) -> Fraction:
        """Return the lowest or highest mine count of the component if mines may be fractions."""
        sign = -1 if highest else 1
        costs = dict.fromkeys(range(len(self.boxes)), sign)
        return sign * Polytope(self._sizes, self._rows).minimise(costs)
