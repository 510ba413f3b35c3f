"""A position: a parsed scene board with the state graphs of its components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.exact.combine_components import (
    CountingProblem,
    PossibleContent,
    PossibleContents,
    possible_contents,
    possible_mine_count_ranges,
)
from demine.solver.exact.dynamic_program import (
    DEFAULT_STATES,
    Contradiction,
    StateBudget,
    StateGraph,
    build_graphs,
)
from demine.solver.exact.ordered_components import Component, find_components
from demine.solver.exact.parse_board import Box, contradiction_error, parse_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.solver.exact.parse_board import ParsedBoard


class CertainCells(NamedTuple):
    r"""The certainly safe cells and certain mines of a scene board, as bool maps of its shape.

    >>> import demine
    >>> certain = demine.deduce("3x2/1\n1 # #\n1 # #")
    >>> certain.safe.tolist()
    [[False, False, True], [False, False, True]]
    >>> certain.mines.tolist()
    [[False, False, False], [False, False, False]]
    """

    safe: NDArray[np.bool_]
    mines: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Position:
    """A parsed scene board with the state graphs of its components."""

    board: ParsedBoard
    problem: CountingProblem

    @classmethod
    def from_board(
        cls, faces: NDArray[np.uint8], mines: int, states: int = DEFAULT_STATES
    ) -> Position:
        """Prepare a scene board that `checked_scene` has returned.

        Raises `InconsistentBoard` if the numbers contradict each other, and `TooComplex` if there
        are more than `states` states.
        """
        board = parse_board(faces, mines)
        budget = StateBudget(states)
        try:
            graphs = build_graphs(find_components(board), budget)
        except Contradiction as found:
            raise contradiction_error(faces, unsatisfiable_number(found, budget)) from None
        return cls(board, CountingProblem(graphs, board.mines_left, int(board.sea.size)))

    def possible_contents(self) -> PossibleContents:
        """Return what may be a mine and what may be safe.

        Raises `InconsistentBoard` if the mine count fits no layout.
        """
        found = possible_contents(self.problem)
        if found is None:
            raise self.mine_count_error()
        return found

    def mine_count_error(self) -> InconsistentBoard:
        """Return the error for a mine count that fits no layout; it names those that do."""
        settled = self.board.mines - self.board.mines_left
        ranges = possible_mine_count_ranges(self.problem)
        totals = ((low + settled, high + settled) for low, high in ranges)
        allowed = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in totals)
        if self.board.mines == 1:
            return InconsistentBoard(
                "no layout with one mine fits the numbers, which allow {allowed}", allowed=allowed
            )
        return InconsistentBoard(
            "no layout with {mines} mines fits the numbers, which allow {allowed}",
            mines=self.board.mines,
            allowed=allowed,
        )

    def write_cell_values(
        self,
        safe_and_mine: tuple[float, float],
        boxes: Sequence[Sequence[float]],
        sea: float,
        out: NDArray[np.float64] | NDArray[np.bool_],
    ) -> None:
        """Write a value into `out` for each covered cell, and leave the opened ones as they are.

        `safe_and_mine` are the values of settled safe cells and settled mines; `boxes` has a value
        for each box, `[component][box]`.
        """
        flat = out.reshape(-1)
        flat[self.board.sea] = sea
        for cell, is_mine in self.board.settled.items():
            flat[cell] = safe_and_mine[is_mine]
        for graph, values in zip(self.problem.graphs, boxes, strict=True):
            for box, value in zip(graph.component.boxes, values, strict=True):
                for cell in box.cells:
                    flat[cell] = value

    def certain_cells(self) -> CertainCells:
        """Return the certain cells.

        Raises `InconsistentBoard` if the mine count fits no layout.
        """
        possible = self.possible_contents()
        found = CertainCells(*np.zeros((2, *self.board.shape), np.bool_))
        for is_mine, out in enumerate(found):
            boxes = [[_is_certain(each, is_mine) for each in row] for row in possible.boxes]
            sea = _is_certain(possible.sea, is_mine)
            self.write_cell_values((not is_mine, bool(is_mine)), boxes, sea, out)
        return found


def unsatisfiable_number(contradiction: Contradiction, budget: StateBudget) -> int:
    """Return a number, as a flat index, that contradicts others which agree with each other.

    The number of the contradiction need not be one. So numbers are dropped until the rest agrees:
    the last one dropped contradicts that rest.
    """
    component = contradiction.component
    number = contradiction.number
    while True:
        boxes = (
            Box(box.cells, tuple(other for other in box.numbers if other != number))
            for box in component.boxes
        )
        component = Component(tuple(box for box in boxes if box.numbers), component.needs)
        try:
            budget.spend(len(component.boxes), 0)
            StateGraph.build(component, budget)
        except Contradiction as again:
            number = again.number
        except TooComplex:
            # Whether the rest agrees takes too long to find out; the board is contradictory anyway.
            return number
        else:
            return number


def _is_certain(contents: PossibleContent, is_mine: int) -> bool:
    return not contents.may_be_safe if is_mine else not contents.may_be_mine
