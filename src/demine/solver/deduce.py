"""Every cell that is certain, without a probability: what is possible decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

import numpy as np

from demine.solver.count import STATES
from demine.solver.position import Position, certain
from demine.solver.survey import read_scene

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Certain(NamedTuple):
    """What is certain of a scene board: bool maps of its shape."""

    safe: NDArray[np.bool_]
    mines: NDArray[np.bool_]


def deduce(scene: ArrayLike, mines: SupportsIndex, *, states: int = STATES) -> Certain:
    """Return every covered cell that is safe, and every one that is a mine, in all layouts.

    `scene` holds `Face` values of running play, shape `(height, width)`; flags and question marks
    are notes and read as covered. `mines` is the mine count of the whole board, and counts as
    evidence. Raises `SceneError` for malformed input, `InconsistentBoard` if no layout fits, and
    `TooComplex` if the answer needs more than `states` states.
    """
    faces, number = read_scene(scene, mines)
    position = Position.of(faces, number, states)
    return Certain(*certain(position, position.fates()))
