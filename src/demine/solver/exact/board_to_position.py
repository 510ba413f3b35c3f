"""From a scene board to a position ready to be weighed, and from weights back to maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from demine.solver.errors import InconsistentBoard, TooComplex
from demine.solver.exact.combine import Fate, Fates, Whole, allowed, fates
from demine.solver.exact.dynamic_program import STATES, Budget, Contradiction, Graph, graphs_of
from demine.solver.exact.frontier import Component, components
from demine.solver.exact.parse import Box, contradiction, survey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.solver.exact.parse import Survey


@dataclass(frozen=True, slots=True)
class Position:
    """A checked scene board, surveyed, with the states of its components."""

    survey: Survey
    whole: Whole

    @classmethod
    def of(cls, faces: NDArray[np.uint8], mines: int, states: int = STATES) -> Position:
        """Take a checked scene board apart (see `read_scene`).

        Raises `InconsistentBoard` where the numbers contradict each other, or `TooComplex`.
        """
        seen = survey(faces, mines)
        budget = Budget(states)
        try:
            graphs = graphs_of(components(seen), budget)
        except Contradiction as found:
            raise contradiction(faces, culprit(found, budget)) from None
        return cls(seen, Whole(graphs, seen.left, int(seen.sea.size)))

    def fates(self) -> Fates:
        """What may be; raises `InconsistentBoard` if the mine count fits no layout."""
        found = fates(self.whole)
        if found is None:
            raise self.miscount()
        return found

    def miscount(self) -> InconsistentBoard:
        """The error that says how many mines the numbers allow."""
        settled = self.survey.mines - self.survey.left
        runs = ((low + settled, high + settled) for low, high in allowed(self.whole))
        said = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
        if self.survey.mines == 1:
            return InconsistentBoard(
                "no layout with one mine fits the numbers, which allow {allowed}", allowed=said
            )
        return InconsistentBoard(
            "no layout with {mines} mines fits the numbers, which allow {allowed}",
            mines=self.survey.mines,
            allowed=said,
        )

    def map(
        self,
        settled: tuple[float, float],
        boxes: Sequence[Sequence[float]],
        sea: float,
        out: NDArray[np.float64] | NDArray[np.bool_],
    ) -> None:
        """Write a value for each covered cell: what is settled safe or a mine, boxes, the sea."""
        flat = out.reshape(-1)
        flat[self.survey.sea] = sea
        for cell, is_mine in self.survey.settled.items():
            flat[cell] = settled[is_mine]
        for graph, values in zip(self.whole.graphs, boxes, strict=True):
            for box, value in zip(graph.component.boxes, values, strict=True):
                for cell in box.cells:
                    flat[cell] = value


def culprit(found: Contradiction, budget: Budget) -> int:
    """Return a number that cannot be satisfied while others are that can be satisfied together.

    The number at which the states ended need not be one, so numbers are dropped until the rest
    agrees: the last one dropped disagrees with that rest.
    """
    component = found.component
    number = found.number
    while True:
        boxes = (
            Box(box.cells, tuple(other for other in box.numbers if other != number))
            for box in component.boxes
        )
        component = Component(tuple(box for box in boxes if box.numbers), component.needs)
        try:
            budget.spend(len(component.boxes), 0)
            Graph.build(component, budget)
        except Contradiction as again:
            number = again.number
        except TooComplex:
            # Whether the rest agrees is too much to ask: the board is contradictory all the same.
            return number
        else:
            return number


def certain(position: Position, found: Fates) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the maps of the certainly safe cells and of the certain mines."""
    maps = np.zeros(position.survey.shape, np.bool_), np.zeros(position.survey.shape, np.bool_)
    for is_mine, out in enumerate(maps):
        boxes = [[_sure(fate, is_mine) for fate in row] for row in found.boxes]
        sea = _sure(found.sea, is_mine)
        position.map((not is_mine, bool(is_mine)), boxes, sea, out)
    return maps


def _sure(fate: Fate, is_mine: int) -> bool:
    return not fate.safe if is_mine else not fate.mine
