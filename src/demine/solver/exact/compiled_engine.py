"""The engine for boards of common size: its kernel compiled, or until it is loaded interpreted."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from demine.kernels.kernel_set import copy_if_read_only
from demine.solver.exact.kernels import EXACT_KERNELS, solve_boards
from demine.solver.exact.kernels.offsets import PADDED, VALUES_SIZE, WORK_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

BOARDS_PER_CALL: Final = 2048
"""How many boards one uninterruptible call solves: it takes a few hundredths of a second."""
_THREADS: Final = threading.local()


class ProbabilityKernel:
    """The compiled kernel `solve_boards`, run with the work arrays of this thread."""

    __slots__ = ("_solve_boards",)

    def __init__(self, solve_boards: Callable[..., Any]) -> None:
        self._solve_boards = solve_boards

    def mine_probability(self, faces: NDArray[np.uint8], mines: int) -> NDArray[np.float64] | None:
        """Return the probabilities of one board, or None where the plain engine must answer.

        `faces` is any two-dimensional uint8 array. None also means that `faces` or `mines` is not
        valid, or that no layout fits.
        """
        height, width = faces.shape
        if not height * width or not 0 <= mines <= height * width <= PADDED:
            return None
        work, values, buffer, number, beyond = _work_arrays()
        flat = buffer[: height * width]
        flat.reshape(height, width)[:] = faces
        number[0] = mines
        out = np.empty((height, width))
        self._solve_boards(flat, height, width, number, out.reshape(-1), work, values, beyond)
        return None if beyond[0] else out

    def write_probabilities(
        self, faces: NDArray[np.uint8], mines: NDArray[np.int64], out: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Write the probabilities of many boards into `out`; return which boards were solved.

        The others are left for the plain engine. All arrays are contiguous, of the shapes
        `(boards, height, width)` and `(boards,)`.
        """
        boards, height, width = faces.shape
        faces, mines = copy_if_read_only(faces), copy_if_read_only(mines)
        beyond = np.ones(boards, np.bool_)
        work, values, *_ = _work_arrays()
        for at in range(0, boards, BOARDS_PER_CALL):
            # Slice by slice, so that other threads can run in between, and Ctrl-C has an effect.
            part = slice(at, at + BOARDS_PER_CALL)
            flat, result = faces[part].reshape(-1), out[part].reshape(-1)
            self._solve_boards(flat, height, width, mines[part], result, work, values, beyond[part])
        return ~beyond


@EXACT_KERNELS.stands_in
def interpreted_mine_probability(
    faces: NDArray[np.uint8], mines: int
) -> NDArray[np.float64] | None:
    """Return what `ProbabilityKernel.mine_probability` does, to the last bit, in plain Python."""
    height, width = faces.shape
    if not faces.size or not 0 <= mines <= faces.size <= PADDED:
        return None
    work, values = _work_lists()
    out = [0.0] * faces.size
    board: Any = faces.tobytes(), 0, height, width, mines, out, work, values
    if solve_boards.solve_board(*board) < 0:
        return None
    return np.array(out).reshape(height, width)


def loaded_probability_kernel() -> ProbabilityKernel | None:
    """Return the compiled kernel, or None if it is not loaded yet; never waits for it."""
    solve_boards = EXACT_KERNELS.compiled_kernel("solve_boards")
    return None if solve_boards is None else ProbabilityKernel(solve_boards)


class _WorkArrays(NamedTuple):
    """The work arrays of one thread, and buffers for the arguments of a single board."""

    work: NDArray[np.int64]
    values: NDArray[np.float64]
    faces: NDArray[np.uint8]
    mines: NDArray[np.int64]
    beyond: NDArray[np.bool_]


def _work_arrays() -> _WorkArrays:
    try:
        arrays: _WorkArrays = _THREADS.arrays
    except AttributeError:
        arrays = _THREADS.arrays = _WorkArrays(
            np.zeros(WORK_SIZE, np.int64),
            np.zeros(VALUES_SIZE),
            np.zeros(PADDED, np.uint8),
            np.zeros(1, np.int64),
            np.zeros(1, np.bool_),
        )
    return arrays


def _work_lists() -> tuple[Any, Any]:
    """Return the same for plain Python, which reads lists faster than arrays."""
    try:
        lists: tuple[list[int], list[float]] = _THREADS.lists
    except AttributeError:
        lists = _THREADS.lists = [0] * WORK_SIZE, [0.0] * VALUES_SIZE
    return lists
