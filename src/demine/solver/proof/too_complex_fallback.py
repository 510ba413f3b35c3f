"""Some of what is certain on a board that is too complex to be solved whole.

What follows from a part of the numbers is certain, whatever the others say. So the numbers that are
too much are left out: the cells beside them count as cells beside no number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.solver.errors import TooComplex
from demine.solver.exact.board_to_position import Position, certain, culprit
from demine.solver.exact.combine import Whole
from demine.solver.exact.deduce import Certain
from demine.solver.exact.dynamic_program import STATES, Budget, Contradiction, Graph
from demine.solver.exact.frontier import component, split
from demine.solver.exact.parse import boxes_of, contradiction, covered_map, survey
from demine.solver.proof.cell_levels import steps_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.solver.exact.parse import Box

_SHARE: Final = 4
"""A quarter of the budget is for this: all of it has been spent in vain before."""
_UNKNOWN: Final = 0.5


def partly(faces: NDArray[np.uint8], mines: int, states: int = STATES) -> Certain:
    """Return cells of a checked scene board that are certain; there may be others.

    They are those that steps on one number and on one less another find, and those that follow in
    small components, with the mine count. Raises `InconsistentBoard` where these come to it; of the
    other numbers nothing is said.
    """
    seen = survey(faces, mines)
    steps = steps_of(faces, seen)
    steps.pairs()
    settled = {**seen.settled, **steps.known}
    parts = split(boxes_of(steps.talk, steps.known))
    graphs = _small(faces, parts, steps.needs, states)
    beyond = seen.covered.copy().reshape(-1)
    beyond[list(settled)] = False
    for graph in graphs:
        for box in graph.component.boxes:
            beyond[list(box.cells)] = False
    rest = replace(
        seen,
        settled=settled,
        boxes=tuple(box for graph in graphs for box in graph.component.boxes),
        needs=steps.needs,
        sea=np.flatnonzero(beyond),
        left=seen.left - sum(steps.known.values()),
    )
    position = Position(rest, Whole(graphs, rest.left, int(rest.sea.size)))
    return Certain(*certain(position, position.fates()))


def rough(faces: NDArray[np.uint8], known: Certain) -> NDArray[np.float64]:
    """Return a map like that of `mine_probability`, with a half for what is not known."""
    chance = np.where(covered_map(faces), _UNKNOWN, np.nan)
    chance[known.safe], chance[known.mines] = 0.0, 1.0
    return chance


def _small(
    faces: NDArray[np.uint8], parts: list[list[Box]], needs: dict[int, int], states: int
) -> list[Graph]:
    """Return the states of the smallest components, as many as the budget has room for."""
    budget = Budget(states // _SHARE)
    graphs: list[Graph] = []
    try:
        for part in sorted(parts, key=len):
            graph = Graph.build(component(part, needs, faces.shape[1]), budget)
            graphs.append(graph)
    except TooComplex:
        pass
    except Contradiction as found:
        raise contradiction(faces, culprit(found, budget)) from None
    return graphs
