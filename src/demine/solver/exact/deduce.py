"""Every cell that is certain, without a probability: what is possible decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.parse_board import checked_scene
from demine.solver.exact.position import Position, certain_cells
from demine.solver.exact.probability import compiled_probability

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class Certain(NamedTuple):
    """What is certain of a scene board: bool maps of its shape."""

    safe: NDArray[np.bool_]
    mines: NDArray[np.bool_]


def deduce(scene: ArrayLike, mines: SupportsIndex, *, states: int = DEFAULT_STATES) -> Certain:
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
        return Certain(chance == 0.0, chance == 1.0)
    position = Position.from_board(faces, number, states)
    return Certain(*certain_cells(position, position.possible_contents()))
