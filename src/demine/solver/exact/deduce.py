"""Deducing every cell that is certain: from what is possible, without probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.parse_board import checked_scene
from demine.solver.exact.prepared_position import CertainCells, Position
from demine.solver.exact.probability import compiled_probability

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def deduce(scene: ArrayLike, mines: SupportsIndex, *, states: int = DEFAULT_STATES) -> CertainCells:
    """Return every covered cell that is safe, and every one that is a mine, in all layouts.

    `scene` holds `Face` values of running play, shape `(height, width)`; flags and question marks
    are notes and read as covered. `mines` is the mine count of the whole board, and counts as
    evidence. Raises `SceneError` for malformed input, `InconsistentBoard` if no layout fits, and
    `TooComplex` if the answer needs more than `states` states.
    """
    faces, number = checked_scene(scene, mines)
    chance = compiled_probability(faces, number, states)
    if chance is not None:
        # Exact zeros and ones are proven: the kernel has no other.
        return CertainCells(chance == 0.0, chance == 1.0)
    return Position.from_board(faces, number, states).certain_cells()
