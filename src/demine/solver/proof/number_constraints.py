"""What a scene board says, number by number, and what follows from some of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.solver.errors import TooComplex
from demine.solver.exact.dynamic_program import (
    STATES,
    Budget,
    Graph,
    forward,
    graphs_of,
    last,
    masses,
)
from demine.solver.exact.frontier import component, split
from demine.solver.exact.parse import (
    blown_count,
    boxes_of,
    covered_map,
    needs_of,
    rooms_of,
    settle,
    talk_of,
)
from demine.solver.exact.semirings import Possible
from demine.solver.proof.simple_steps import Steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from demine.solver.exact.parse import Box

WORK: Final = 120_000
"""So many numbers may be looked at for one proof: some seconds of plain Python."""
TIMES: Final = 2
"""How many times the budget of states all questions about one board may take together."""


class Part(NamedTuple):
    """Some numbers by themselves: the cells beside them, those settled, and the components."""

    cells: int
    settled: dict[int, bool]
    graphs: list[Graph]

    def totals(self, but: Graph | None = None) -> int:
        """Return how many mines the part may hold, as bits; a component may be left out."""
        ring = Possible()
        total = 1 << sum(self.settled.values())
        for graph in self.graphs:
            if graph is not but:
                total = ring.convolve(total, last(graph, ring) << graph.least)
        return total

    def home(self, cell: int) -> Graph | None:
        """Return the component of a cell that is not settled."""
        for graph in self.graphs:
            if any(cell in box.cells for box in graph.component.boxes):
                return graph
        return None


class Evidence:
    """The covered cells beside each number of a checked scene board, and the mine count.

    `rooms` are the covered cells beside each number, `talk` the numbers beside each of them. A cell
    that is opened is known to be no mine, but says no more unless its number is asked. A mine that
    blew is known to be one: `needs`, how many mines each number asks for, and `left`, how many are
    under covered cells, are without it.
    """

    def __init__(self, faces: NDArray[np.uint8], mines: int, states: int = STATES) -> None:
        covered = covered_map(faces)
        self.faces = faces
        self.mines = mines
        self.covered = int(np.count_nonzero(covered))
        self.rooms = rooms_of(faces, covered)
        self.left = mines - blown_count(faces)
        self.needs = needs_of(faces, self.rooms)
        self.talk = talk_of(self.rooms)
        self._budget = Budget(TIMES * states)
        self._work = WORK

    def steps(self, numbers: Iterable[int]) -> Steps:
        """Return just these numbers, ready for steps."""
        return Steps(self.faces, {number: self.rooms[number] for number in numbers}, self.needs)

    def around(self, numbers: Sequence[int]) -> list[int]:
        """Return these numbers, and after them those that share a cell with one of them."""
        others = (
            other for number in numbers for near in self.rooms[number] for other in self.talk[near]
        )
        return list(dict.fromkeys((*numbers, *others)))

    def part(self, numbers: Iterable[int]) -> Part:
        """Take some numbers by themselves. Raises `TooComplex`."""
        cells, settled, boxes, needs = self._settled(numbers)
        return Part(cells, settled, self._graphs(split(boxes), needs))

    def proves(self, numbers: Iterable[int], cell: int) -> bool:
        """Return whether a cell is certain by these numbers, whatever the mine count is."""
        _, settled, boxes, needs = self._settled(numbers)
        if cell in settled:
            return True
        home = [part for part in split(boxes) if any(cell in box.cells for box in part)]
        return any(sure(graph, cell, (2 << graph.most) - 1) for graph in self._graphs(home, needs))

    def _settled(
        self, numbers: Iterable[int]
    ) -> tuple[int, dict[int, bool], tuple[Box, ...], dict[int, int]]:
        """Settle what these numbers settle one by one.

        Return how many cells are beside them, the settled ones, the boxes of the others, and the
        mines that the numbers still ask for.
        """
        rooms = {number: self.rooms[number] for number in numbers}
        self._work -= len(rooms)
        if self._work < 0:
            raise TooComplex("this proof takes more than {work} steps", work=WORK)
        talk = talk_of(rooms)
        needs = {number: self.needs[number] for number in rooms}
        settled = settle(self.faces, rooms, needs, talk)
        return len(talk), settled, boxes_of(talk, settled), needs

    def _graphs(self, parts: Iterable[list[Box]], needs: dict[int, int]) -> list[Graph]:
        width = self.faces.shape[1]
        return graphs_of((component(part, needs, width) for part in parts), self._budget)


def sure(graph: Graph, cell: int, totals: int) -> bool:
    """Return whether a cell of a component is certain if it may hold so many mines (bits)."""
    ring = Possible()
    layers, end = forward(graph, ring), totals >> graph.least
    boxes = reversed(graph.component.boxes)
    for box, (mine, safe) in zip(boxes, masses(graph, ring, layers, end), strict=True):
        if cell in box.cells:
            return not (mine and safe)
    return False
