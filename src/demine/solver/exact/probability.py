"""The exact probability of a mine in every covered cell, and the exact number of layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import numpy as np

from demine.kernels.compile_notice import load_and_tell
from demine.logic.errors import DemineError
from demine.solver.errors import SceneError, TooComplex
from demine.solver.exact.combine_components import (
    MineProbabilities,
    correctly_rounded_probabilities,
    float_probabilities,
    total_layouts,
)
from demine.solver.exact.compiled_engine import (
    interpreted_mine_probability,
    loaded_probability_kernel,
)
from demine.solver.exact.dynamic_program import DEFAULT_STATES
from demine.solver.exact.kernels import EXACT_KERNELS
from demine.solver.exact.kernels.offsets import PADDED
from demine.solver.exact.parse_board import checked_scene
from demine.solver.exact.prepared_position import Position
from demine.solver.exact.semirings import Underflow

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from demine.scene.seen_position import HasPosition

MAX_CELLS_FOR_INTEGERS: Final = 600
"""Up to this many unsettled cells integers are fast enough; they round each result correctly."""

MAX_CELLS_AFTER_UNDERFLOW: Final = 8000
"""Up to this many unsettled cells integers are used where floats would lose digits; this takes
seconds. It happens only at mine counts close to the limits of what the numbers allow, which do not
occur in games."""
COMPILE_FROM_BOARDS: Final = 2000
"""From this many boards on compiling saves more time than it takes."""


def mine_probability(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    *,
    states: int = DEFAULT_STATES,
) -> NDArray[np.float64]:
    r"""Return the exact probability of a mine in every covered cell, NaN for opened cells.

    `scene` is a `demine.Game` under way, a diagram as text, or the `Face` values of one, shape
    `(height, width)`. `mines` is the mine count of the whole board: a game tells it itself, a
    diagram may in its first line, an array cannot. Flags and question marks are read as covered
    cells; a mine that blew and was forgiven counts as opened. All layouts that fit are equally
    likely, as if the first cell had no promise. The result is float64 of the same shape, with a
    relative error of at most 1e-12; it is exactly 0.0 or 1.0 where that is proven, and nowhere
    else.

    Raises `SceneError` for malformed input, `InconsistentBoard` if no layout fits, and `TooComplex`
    if more than `states` states are needed.

    >>> import demine
    >>> demine.mine_probability("3x2/1\n1 # #\n1 # #").tolist()
    [[nan, 0.5, 0.0], [nan, 0.5, 0.0]]
    """
    if type(scene) is np.ndarray and scene.dtype == np.uint8 and scene.ndim == 2:
        # The kernel checks everything else itself, and returns nothing for invalid input.
        fast = compiled_probability(scene, mines, states)
        if fast is not None:
            return fast
    faces, number = checked_scene(scene, mines)
    found = kernel_probability(faces, number, states)
    return found if found is not None else plain_probability(faces, number, states)


def kernel_probability(
    faces: NDArray[np.uint8], mines: int, states: int = DEFAULT_STATES
) -> NDArray[np.float64] | None:
    """Return `mine_probability` by the kernel, or None where the plain engine is needed.

    The kernel is compiled if it is loaded, else interpreted, with the same result to the last bit:
    nothing changes when it is loaded between two calls.
    """
    if states != DEFAULT_STATES:
        return None
    kernel = loaded_probability_kernel()
    solve = interpreted_mine_probability if kernel is None else kernel.mine_probability
    return solve(faces, mines)


def compiled_probability(
    faces: NDArray[np.uint8], mines: SupportsIndex | None, states: int = DEFAULT_STATES
) -> NDArray[np.float64] | None:
    """Return `mine_probability` by the compiled engine, or None where the plain one is needed."""
    fast = loaded_probability_kernel()
    if fast is None or type(mines) is not int or states != DEFAULT_STATES:
        return None
    return fast.mine_probability(faces, mines)


def plain_probability(
    faces: NDArray[np.uint8], mines: int, states: int = DEFAULT_STATES
) -> NDArray[np.float64]:
    """Return `mine_probability` of a checked scene board by the engine without limits of size."""
    position = Position.from_board(faces, mines, states)
    chances = position_probabilities(position)
    result = np.full(faces.shape, np.nan)
    position.write_cell_values((0.0, 1.0), chances.boxes, chances.sea, result)
    return result


def position_probabilities(position: Position) -> MineProbabilities:
    """Return the probabilities of a position, by integers if it is small, else by floats."""
    known = position.possible_contents()
    if position.board.unsettled_cells > MAX_CELLS_FOR_INTEGERS:
        try:
            return float_probabilities(position.problem, known)
        except Underflow:
            if position.board.unsettled_cells > MAX_CELLS_AFTER_UNDERFLOW:
                raise TooComplex(
                    "the chances of these {cells} cells are too uneven to be weighed",
                    cells=position.board.unsettled_cells,
                ) from None
    return correctly_rounded_probabilities(position.problem)


def count_layouts(
    scene: ArrayLike | HasPosition,
    mines: SupportsIndex | None = None,
    *,
    states: int = DEFAULT_STATES,
) -> int:
    r"""Return the exact number of layouts with `mines` mines that fit a scene board, at least 1.

    Arguments and errors are those of `mine_probability`.

    >>> import demine
    >>> demine.count_layouts("4x2/1\n# # # #\n1 1 # #")
    2
    """
    faces, number = checked_scene(scene, mines)
    position = Position.from_board(faces, number, states)
    found = total_layouts(position.problem)
    if not found:
        raise position.mine_count_error()
    return found


def mine_probability_batch(
    scenes: ArrayLike, mines: SupportsIndex | ArrayLike, *, states: int = DEFAULT_STATES
) -> NDArray[np.float64]:
    """Return `mine_probability` of many scene boards at once.

    `scenes` has the shape `(boards, height, width)`; `mines` is one number for all boards, or an
    array with one for each. Returns float64 of the shape of `scenes`. From `COMPILE_FROM_BOARDS`
    boards on the compiled engine is loaded first, if Numba is installed. Errors are those of
    `mine_probability`, with the index of the offending board in a note.

    >>> import demine
    >>> demine.mine_probability_batch([[[1, 9, 9]], [[9, 1, 9]]], 1).tolist()
    [[[nan, 1.0, 0.0]], [[0.5, nan, 0.5]]]
    """
    try:
        faces, counts = np.asarray(scenes), np.asarray(mines)
    except (TypeError, ValueError):
        raise SceneError("a scene is a table of faces, all its rows of the same length") from None
    if faces.ndim != 3:
        raise SceneError(
            "scenes have the shape (boards, height, width), not {shape}", shape=tuple(faces.shape)
        )
    if counts.shape not in {(), faces.shape[:1]} or counts.dtype.kind not in "iu":
        raise SceneError(
            "mines are one whole number for all scenes or one for each of the {boards}",
            boards=faces.shape[0],
        )
    each = np.broadcast_to(counts, faces.shape[:1])
    # Counts that may not fit int64 are cut to one that the kernel refuses as well.
    numbers = np.ascontiguousarray(np.minimum(each, PADDED + 1), np.int64)
    result = np.empty(faces.shape)
    for board in _solve_compiled_and_list_rest(faces, numbers, result, states):
        try:
            result[board] = mine_probability(faces[board], int(each[board]), states=states)
        except DemineError as error:
            error.add_note(f"board {board}")
            raise
    return result


def _solve_compiled_and_list_rest(
    faces: NDArray[Any], mines: NDArray[np.int64], result: NDArray[np.float64], states: int
) -> list[int]:
    """Have the compiled engine solve what it can, and return the indices of the other boards."""
    boards = faces.shape[0]
    if boards >= COMPILE_FROM_BOARDS:
        load_and_tell(EXACT_KERNELS)
    fast = loaded_probability_kernel()
    if fast is None or not faces.size or states != DEFAULT_STATES or faces.dtype != np.uint8:
        return list(range(boards))
    solved = fast.write_probabilities(np.array(faces, order="C"), mines, result)
    return [int(board) for board in np.flatnonzero(~solved)]
