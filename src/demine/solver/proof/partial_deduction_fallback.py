"""Fallback for boards too complex to be solved as a whole: find some of the certain cells.

What follows from some of the numbers is certain, whatever the other numbers say. So the numbers
that are too much are left out: the cells beside them count as cells that touch no number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.solver.errors import TooComplex
from demine.solver.exact.combine_components import CountingProblem
from demine.solver.exact.dynamic_program import (
    DEFAULT_STATES,
    Contradiction,
    StateBudget,
    StateGraph,
)
from demine.solver.exact.ordered_components import ordered_component, split_into_components
from demine.solver.exact.parse_board import (
    contradiction_error,
    covered_map,
    group_into_boxes,
    parse_board,
)
from demine.solver.exact.prepared_position import CertainCells, Position, unsatisfiable_number
from demine.solver.proof.cell_levels import simple_steps_on

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.solver.exact.parse_board import Box

_SHARE: Final = 4
"""A quarter of the budget goes to this: all of it has already been spent in vain."""
_UNKNOWN: Final = 0.5


def deduce_some_cells(
    faces: NDArray[np.uint8], mines: int, states: int = DEFAULT_STATES
) -> CertainCells:
    """Return certain cells of a checked scene board; there may be more of them.

    These are the cells that steps on one or two numbers find, and those that follow from small
    components and the mine count. Raises `InconsistentBoard` for a contradiction found on the way;
    the other numbers are not checked.
    """
    board = parse_board(faces, mines)
    steps = simple_steps_on(faces, board)
    steps.apply_number_pair_steps()
    settled = {**board.settled, **steps.known}
    parts = split_into_components(group_into_boxes(steps.numbers_beside, steps.known))
    graphs = _smallest_graphs(faces, parts, steps.needs, states)
    beyond = board.covered.copy().reshape(-1)
    beyond[list(settled)] = False
    for graph in graphs:
        for box in graph.component.boxes:
            beyond[list(box.cells)] = False
    rest = replace(
        board,
        settled=settled,
        boxes=tuple(box for graph in graphs for box in graph.component.boxes),
        needs=steps.needs,
        sea=np.flatnonzero(beyond),
        mines_left=board.mines_left - sum(steps.known.values()),
    )
    position = Position(rest, CountingProblem(graphs, rest.mines_left, int(rest.sea.size)))
    return position.certain_cells()


def certain_else_half_probability(
    faces: NDArray[np.uint8], mines: int, states: int
) -> NDArray[np.float64]:
    """Return a `mine_probability` map from `deduce_some_cells`, with 0.5 for unknown cells."""
    known = deduce_some_cells(faces, mines, states)
    probability = np.where(covered_map(faces), _UNKNOWN, np.nan)
    probability[known.safe], probability[known.mines] = 0.0, 1.0
    return probability


def _smallest_graphs(
    faces: NDArray[np.uint8], parts: list[list[Box]], needs: dict[int, int], states: int
) -> list[StateGraph]:
    """Return the state graphs of the smallest components, as many as the budget allows."""
    budget = StateBudget(states // _SHARE)
    graphs: list[StateGraph] = []
    try:
        for part in sorted(parts, key=len):
            graph = StateGraph.build(ordered_component(part, needs, faces.shape[1]), budget)
            graphs.append(graph)
    except TooComplex:
        pass
    except Contradiction as found:
        raise contradiction_error(faces, unsatisfiable_number(found, budget)) from None
    return graphs
