"""Deducing every certain cell from what is possible, without probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.kernels import EXACT_KERNELS
from demine.solver.exact.parse_board import checked_scene
from demine.solver.exact.prepared_position import CertainCells, Position
from demine.solver.exact.probability import compiled_probability

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition


def deduce(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    *,
    states: int = DEFAULT_STATES,
) -> CertainCells:
    r"""Return the covered cells that are safe in all layouts, and those that are mines in all.

    The mine count of the whole board is used as evidence too. Arguments and errors are those of
    `mine_probability`.

    >>> import demine
    >>> demine.deduce("3x2/1\n1 # #\n1 # #").safe.tolist()
    [[False, False, True], [False, False, True]]
    """
    faces, number = checked_scene(scene, mines)
    chance = compiled_probability(faces, number, states)
    if chance is not None:
        # The kernel returns exactly 0.0 and 1.0 only where that is proven.
        return CertainCells(chance == 0.0, chance == 1.0)
    return _deduce_plainly(faces, number, states)


@EXACT_KERNELS.stands_in
def _deduce_plainly(faces: NDArray[np.uint8], mines: int, states: int) -> CertainCells:
    return Position.from_board(faces, mines, states).certain_cells()
