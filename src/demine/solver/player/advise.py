"""Advising what to open on any scene board, by the compiled player where it is loaded.

Nothing here waits unless it is told to: `load_kernels` loads the player's kernels or compiles them,
and until it has been called by a program that has the time, or in another thread, `is_compiled` is
False. Until then the same kernels are interpreted: the answers are the same, and take longer.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from demine.solver.exact.kernels.offsets import BEYOND, PADDED
from demine.solver.player.endgame import Endgame, EndgameTooLong
from demine.solver.player.kernels import PLAYER_KERNELS, advice_tasks
from demine.solver.player.kernels.offsets import CELLS, CELLS_NOW
from demine.solver.player.player_arrays import PlayerArrays, set_policy
from demine.solver.player.policy_table import ENDGAME_LAYOUTS, policy_by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Cell = tuple[int, int]

ADVISING_POLICY: Final = "strong"
"""The policy that looks ahead for whoever asks what to open, until the end can be played out."""
_ARRAY_ARGUMENTS: Final = 10
"""The arguments of the kernel from here on are the desks' arrays."""
_NONE: Final = np.zeros(1, np.int64)
_NO_DICE: Final = np.zeros(1)
_NO_MAP: Final = np.zeros(1, np.uint8)


_THREADS: Final = threading.local()


class PaddedBoard(NamedTuple):
    """A board with a rim, as the kernels number its cells."""

    height: int
    width: int

    def padded_index(self, cell: Cell) -> int:
        """Return the number of a cell."""
        return (cell[0] + 1) * (self.width + 2) + cell[1] + 1

    def cell_at(self, place: int) -> Cell:
        """Return the cell of a number."""
        row, col = divmod(place, self.width + 2)
        return row - 1, col - 1

    @property
    def size(self) -> int:
        """How many cells there are, the rim's among them."""
        return (self.height + 2) * (self.width + 2)

    @property
    def fits_kernels(self) -> bool:
        """Whether the kernels take so many."""
        return self.size <= PADDED


def is_compiled() -> bool:
    """Whether the compiled player is there; never waits."""
    return PLAYER_KERNELS.compiled_kernel("answer_task") is not None


def load_kernels() -> bool:
    """Load the compiled player, compiling it where the cache has none; return whether it could.

    It takes a second from the cache and up to a minute without one. Without Numba the answer is
    False.
    """
    return PLAYER_KERNELS.load()


def policy_choice(faces: NDArray[np.uint8], mines: int, policy: str) -> Cell | None:
    """Return the cell that a policy opens, or None where the position is not for the player.

    `faces` is a checked scene board on which something is left to open, `policy` a name of
    `policy_table.GUESSING`. Interpreted where the compiled player is not ready.
    """
    rims = PaddedBoard(*faces.shape)
    if not rims.fits_kernels:
        return None
    place = int(ask_kernel(advice_tasks.MOVE, faces, mines, policy))
    return rims.cell_at(place) if place >= 0 else None


def best_guess(faces: NDArray[np.uint8], mines: int) -> Cell | None:
    """Return the cell to open, or None where the position is not for the player.

    The last layouts are played out, up to `ENDGAME_LAYOUTS` of them; before that it is the
    `policy_choice` of `ADVISING_POLICY`. `faces` is a checked scene board on which no covered cell
    is certainly safe. The answer is the same whether the compiled player is ready or not.
    """
    found = best_in_endgame(faces, mines)
    return policy_choice(faces, mines, ADVISING_POLICY) if found is None else found


def best_opening(faces: NDArray[np.uint8], mines: int) -> Cell | None:
    """Return the cell to begin with on a board with few layouts; None on others."""
    found = best_in_endgame(faces, mines)
    # All corners are alike: of cells that are, the first.
    height, width = faces.shape
    return found and (min(found[0], height - 1 - found[0]), min(found[1], width - 1 - found[1]))


def best_in_endgame(faces: NDArray[np.uint8], mines: int) -> Cell | None:
    """Return the cell with which most layouts are won; None where they are not few."""
    layouts = list_last_layouts(faces, mines)
    if layouts < 1:
        return None
    for search in (
        (_search_by_kernel, _search_in_python)
        if is_compiled()
        else (_search_in_python, _search_by_kernel)
    ):
        if (place := search(faces, mines, layouts)) >= 0:
            return PaddedBoard(*faces.shape).cell_at(place)
    return None


def list_last_layouts(faces: NDArray[np.uint8], mines: int) -> int:
    """List the layouts of a checked position and return how many there are.

    Less than 1 for more than `ENDGAME_LAYOUTS`, and for a board too large for the player.
    """
    if not PaddedBoard(*faces.shape).fits_kernels:
        return 0
    return int(
        ask_kernel(
            advice_tasks.LIST,
            faces,
            mines,
            ADVISING_POLICY,
            np.array([ENDGAME_LAYOUTS], np.int64),
        )
    )


class ListedEndgame(NamedTuple):
    """The layouts listed last as an endgame to search, and the padded indices of its cells."""

    endgame: Endgame
    cells: list[int]


def listed_endgame(layouts: int) -> ListedEndgame:
    """Return the so many layouts that `list_last_layouts` listed."""
    desk, _ = _thread_arrays()
    cells = int(desk.work[CELLS_NOW])
    numbers = desk.hints[: layouts * cells].reshape(layouts, cells)
    return ListedEndgame(Endgame(numbers.copy()), desk.work[CELLS : CELLS + cells].tolist())


def _search_by_kernel(faces: NDArray[np.uint8], mines: int, layouts: int) -> int:
    """Return the best cell of the layouts listed last, or less than 0 beyond the budget."""
    del layouts
    return int(ask_kernel(advice_tasks.SEARCH, faces, mines, ADVISING_POLICY))


def _search_in_python(faces: NDArray[np.uint8], mines: int, layouts: int) -> int:
    """Return the best cell of the layouts listed last, or less than 0 beyond so many steps."""
    del faces, mines
    found, cells = listed_endgame(layouts)
    try:
        return cells[found.best_cell()]
    except EndgameTooLong:
        return BEYOND


def ask_kernel(
    task: int,
    faces: NDArray[np.uint8],
    mines: int,
    policy: str,
    cells: NDArray[np.int64] = _NONE,
    won: NDArray[np.int64] = _NONE,
    dice: NDArray[np.float64] = _NO_DICE,
) -> float:
    """Ask the kernel at the table, compiled if it is ready; see `advise_kernel.at_table`."""
    desk, own = _thread_arrays()
    player = policy_by_name(policy)
    set_policy(desk, player)
    height, width = faces.shape
    kernel = PLAYER_KERNELS.compiled_kernel("answer_task") or _interpreted
    laid = np.zeros((height + 2) * (width + 2), np.uint8) if dice is not _NO_DICE else _NO_MAP
    flat = np.array(faces, np.uint8, order="C").reshape(-1)
    return kernel(
        task, height, width, mines, player.number, flat, cells, dice.reshape(-1), laid,
        won.reshape(-1), desk.work, desk.values, desk.hints, own.work, own.values,
    )  # fmt: skip


def padded_indices(cells: Sequence[Cell], board: PaddedBoard) -> NDArray[np.int64]:
    """Return the numbers of cells, as `ask_kernel` takes them."""
    return np.array([board.padded_index(cell) for cell in cells], np.int64)


def _interpreted(*arguments: Any) -> float:  # noqa: ANN401 - as the kernel takes them
    return float(
        advice_tasks.answer_task(
            *arguments[:_ARRAY_ARGUMENTS],
            *map(view_of_python_numbers, arguments[_ARRAY_ARGUMENTS:]),
        )
    )


def view_of_python_numbers(array: NDArray[Any]) -> Any:  # noqa: ANN401 - a view that is indexed as the array is
    """Return a view of an array that gives Python's own numbers: three times as fast, one by one.

    They neither overflow nor wrap round, as they do not when they are compiled either.
    """
    return array.data


def _thread_arrays() -> tuple[PlayerArrays, PlayerArrays]:
    """Return the arrays of this thread: the player's, and those that layouts are drawn from."""
    try:
        desks: tuple[PlayerArrays, PlayerArrays] = _THREADS.desks
    except AttributeError:
        desks = _THREADS.desks = PlayerArrays(), PlayerArrays()
    return desks
