"""What some of the numbers of a scene board prove by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.solver.errors import TooComplex
from demine.solver.exact.dynamic_program import (
    DEFAULT_STATES,
    StateBudget,
    StateGraph,
    all_layers,
    box_masses,
    build_graphs,
    last_value,
)
from demine.solver.exact.ordered_components import ordered_component, split_into_components
from demine.solver.exact.parse_board import (
    blown_count,
    covered_map,
    covered_neighbours_of_numbers,
    group_into_boxes,
    mines_needed,
    numbers_beside_cells,
    settle_by_single_numbers,
)
from demine.solver.exact.semirings import PossibleCounts
from demine.solver.proof.simple_steps import SimpleSteps

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from demine.solver.exact.parse_board import Box

MAX_WORK: Final = 120_000
"""How many numbers all questions about one board may look at: some seconds of plain Python."""
BUDGET_MULTIPLE: Final = 2
"""How many budgets of states all questions about one board may use together."""


class SolvedPart(NamedTuple):
    """Some numbers, solved as if there were no others.

    `cells` is how many covered cells they touch; `settled` are those settled one by one, and
    whether they are mines; `graphs` are the state graphs of the rest.
    """

    cells: int
    settled: dict[int, bool]
    graphs: list[StateGraph]

    def possible_mine_count_bits(self, left_out: StateGraph | None = None) -> int:
        """Return which mine counts the part may have, as bits; a component may be left out."""
        ring = PossibleCounts()
        total = 1 << sum(self.settled.values())
        for graph in self.graphs:
            if graph is not left_out:
                total = ring.convolve(total, last_value(graph, ring) << graph.fewest_mines)
        return total

    def graph_of_cell(self, cell: int) -> StateGraph | None:
        """Return the state graph of the component that an unsettled cell is in, or None."""
        for graph in self.graphs:
            if any(cell in box.cells for box in graph.component.boxes):
                return graph
        return None


class _SettledNumbers(NamedTuple):
    """Some numbers settled: how many cells they touch, the settled ones, the boxes of the others.

    `needs` are the mines that the numbers still lack.
    """

    cells: int
    settled: dict[int, bool]
    boxes: tuple[Box, ...]
    needs: dict[int, int]


class NumberConstraints:
    """The covered cells beside each number of a checked scene board, and the mine count.

    Cells and numbers are flat indices. `covered_beside` are the covered cells beside each number,
    `numbers_beside` the numbers beside each of these cells. An opened cell is known to be safe, but
    says no more unless its number is used. A blown mine is known to be a mine and not counted: not
    in `needs`, how many mines each number lacks, nor in `mines_left`, how many are under covered
    cells. `safe_cells` are covered cells, as flat indices, to take as safe.
    """

    def __init__(
        self,
        faces: NDArray[np.uint8],
        mines: int,
        states: int = DEFAULT_STATES,
        *,
        safe_cells: Sequence[int] = (),
    ) -> None:
        covered = covered_map(faces)
        covered.flat[list(safe_cells)] = False
        self.faces = faces
        self.mines = mines
        self.covered_count = int(np.count_nonzero(covered))
        self.covered_beside = covered_neighbours_of_numbers(faces, covered)
        self.mines_left = mines - blown_count(faces)
        self.needs = mines_needed(faces, self.covered_beside)
        self.numbers_beside = numbers_beside_cells(self.covered_beside)
        self._budget = StateBudget(BUDGET_MULTIPLE * states)
        self._work = MAX_WORK

    def simple_steps(self, numbers: Iterable[int]) -> SimpleSteps:
        """Return the `SimpleSteps`, none made yet, on just these numbers."""
        return SimpleSteps(
            self.faces, {number: self.covered_beside[number] for number in numbers}, self.needs
        )

    def with_adjacent_numbers(self, numbers: Sequence[int]) -> list[int]:
        """Return these numbers, followed by those that share a covered cell with one of them."""
        others = (
            other
            for number in numbers
            for near in self.covered_beside[number]
            for other in self.numbers_beside[near]
        )
        return list(dict.fromkeys((*numbers, *others)))

    def solve_part(self, numbers: Iterable[int]) -> SolvedPart:
        """Solve some numbers as if there were no others. Raises `TooComplex`."""
        cells, settled, boxes, needs = self._settle(numbers)
        return SolvedPart(cells, settled, self._graphs(split_into_components(boxes), needs))

    def proves(self, numbers: Iterable[int], cell: int) -> bool:
        """Return whether these numbers prove a cell, whatever the mine count is."""
        _, settled, boxes, needs = self._settle(numbers)
        if cell in settled:
            return True
        home = [
            part for part in split_into_components(boxes) if any(cell in box.cells for box in part)
        ]
        return any(
            is_certain(graph, cell, (2 << graph.most_mines) - 1)
            for graph in self._graphs(home, needs)
        )

    def _settle(self, numbers: Iterable[int]) -> _SettledNumbers:
        """Settle what each of these numbers settles by itself."""
        rooms = {number: self.covered_beside[number] for number in numbers}
        self._work -= len(rooms)
        if self._work < 0:
            raise TooComplex(
                "this proof is too complex: it takes more than {work} steps",
                work=MAX_WORK,
            )
        talk = numbers_beside_cells(rooms)
        needs = {number: self.needs[number] for number in rooms}
        settled = settle_by_single_numbers(self.faces, rooms, needs, talk)
        return _SettledNumbers(len(talk), settled, group_into_boxes(talk, settled), needs)

    def _graphs(self, parts: Iterable[list[Box]], needs: dict[int, int]) -> list[StateGraph]:
        width = self.faces.shape[1]
        return build_graphs((ordered_component(part, needs, width) for part in parts), self._budget)


def is_certain(graph: StateGraph, cell: int, mine_count_bits: int) -> bool:
    """Return whether a cell is certain if its component has one of these mine counts (as bits)."""
    ring = PossibleCounts()
    layers, end = all_layers(graph, ring), mine_count_bits >> graph.fewest_mines
    boxes = reversed(graph.component.boxes)
    for box, (mine, safe) in zip(boxes, box_masses(graph, ring, layers, end), strict=True):
        if cell in box.cells:
            return not (mine and safe)
    return False
