"""Advice on what to open on any scene board, from the player's kernels.

Only `load_kernels` waits: it loads the compiled kernels, or compiles them. Until that is done,
perhaps in another thread, `is_compiled` is False and the same kernels run as plain Python: slower,
with the same answers.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from demine.kernels.compile_notice import load_and_tell
from demine.kernels.kernel_set import numba_available
from demine.solver.exact.kernels.offsets import PADDED
from demine.solver.player.endgame import Endgame, EndgameTooLong
from demine.solver.player.kernels import PLAYER_KERNELS, advice_tasks
from demine.solver.player.kernels.offsets import CELL_COUNT, CELLS, CHOSEN_RISK
from demine.solver.player.player_arrays import PlayerArrays, set_policy
from demine.solver.player.policy_table import ENDGAME_LAYOUTS, policy_by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.solver.player.policy_table import BuiltInPolicy

    Cell = tuple[int, int]

ADVISING_POLICY: Final = "strong"
"""The policy that gives advice while too many layouts are left for an exact search."""
_ARRAY_ARGUMENTS: Final = 10
"""The kernel's arguments from this index on are the work arrays."""
_NONE: Final = np.zeros(1, np.int64)
_NO_RANDOMS: Final = np.zeros(1)
_NO_MAP: Final = np.zeros(1, np.uint8)
_THREADS: Final = threading.local()


class PaddedBoard(NamedTuple):
    """A board with a rim of one cell, as the kernels index its cells."""

    height: int
    width: int

    def padded_index(self, cell: Cell) -> int:
        """Return the index of a cell in the padded board, row by row."""
        return (cell[0] + 1) * (self.width + 2) + cell[1] + 1

    def cell_at(self, padded_index: int) -> Cell:
        """Return the cell, `(row, col)`, of a padded index."""
        row, col = divmod(padded_index, self.width + 2)
        return row - 1, col - 1

    @property
    def cells_with_rim(self) -> int:
        """The number of cells, including the rim."""
        return (self.height + 2) * (self.width + 2)

    @property
    def fits_kernels(self) -> bool:
        """Whether the board is small enough for the kernels."""
        return self.cells_with_rim <= PADDED


def is_compiled() -> bool:
    """Return whether the compiled kernels are loaded, without waiting."""
    return PLAYER_KERNELS.compiled_kernel("run_advice_task") is not None


def load_kernels_for(policy: str) -> None:
    """Load the compiled kernels for a policy if they are cached, or it cannot do without."""
    if is_compiled() or not numba_available():
        return
    if policy_by_name(policy).needs_compiler or not PLAYER_KERNELS.would_compile():
        load_kernels()


def load_kernels() -> bool:
    """Load the compiled kernels, compiling them if the cache has none; return whether that worked.

    Compiling takes many times as long as loading and is logged. Without Numba the answer is False.
    """
    return load_and_tell(PLAYER_KERNELS)


def policy_choice(faces: NDArray[np.uint8], mines: int, policy: str | BuiltInPolicy) -> Cell | None:
    """Return the cell that a policy opens, or None if the kernels cannot solve the position.

    `faces` is a checked scene board with something left to open, `policy` a name in
    `policy_table.GUESSING` or a changed copy. Runs as plain Python while the kernels are not
    compiled.
    """
    found = policy_choice_and_risk(faces, mines, policy)
    return None if found is None else found[0]


def policy_choice_and_risk(
    faces: NDArray[np.uint8], mines: int, policy: str | BuiltInPolicy
) -> tuple[Cell, float] | None:
    """Return the `policy_choice` and how likely it is a mine, 0.0 if it is proven safe."""
    board = PaddedBoard(*faces.shape)
    if not board.fits_kernels:
        return None
    padded_index = int(run_task(advice_tasks.CHOOSE_CELL, faces, mines, policy))
    if padded_index < 0:
        return None
    arrays, _ = _thread_arrays()
    return board.cell_at(padded_index), float(arrays.values[CHOSEN_RISK])


def best_guess(faces: NDArray[np.uint8], mines: int) -> Cell | None:
    """Return the cell to guess, or None if the kernels cannot solve the position.

    With up to `ENDGAME_LAYOUTS` layouts left it is the cell that wins most of them; before that,
    the `policy_choice` of `ADVISING_POLICY`. `faces` is a checked scene board on which no covered
    cell is certainly safe. The answer is the same whether the kernels are compiled or not.
    """
    found = best_move_if_few_layouts(faces, mines)
    return policy_choice(faces, mines, ADVISING_POLICY) if found is None else found.cell


def best_start_if_few_layouts(faces: NDArray[np.uint8], mines: int) -> Cell | None:
    """Return the best first cell of an untouched board; None beyond `ENDGAME_LAYOUTS` layouts."""
    found = best_move_if_few_layouts(faces, mines)
    if found is None:
        return None
    # Of the cells that are equal by symmetry, take the one nearest to the top left corner.
    (row, col), (height, width) = found.cell, faces.shape
    return min(row, height - 1 - row), min(col, width - 1 - col)


class EndgameMove(NamedTuple):
    """The cell to open, and the exact chance that the best play then wins."""

    cell: Cell
    win: float


def best_move_if_few_layouts(faces: NDArray[np.uint8], mines: int) -> EndgameMove | None:
    """Return the cell that wins most of the layouts; None beyond `ENDGAME_LAYOUTS` of them.

    None too if neither the kernel nor plain Python gets through the search within its budget.
    """
    layouts = list_layouts_if_few(faces, mines)
    if layouts == 0:
        return None
    for search in (
        (_search_by_kernel, _search_in_python)
        if is_compiled()
        else (_search_in_python, _search_by_kernel)
    ):
        if (found := search(faces, mines, layouts)) is not None:
            cell = PaddedBoard(*faces.shape).cell_at(found.padded_index)
            return EndgameMove(cell, found.wins / layouts)
    return None


def list_layouts_if_few(faces: NDArray[np.uint8], mines: int) -> int:
    """List the layouts of a checked position in this thread's arrays and return how many.

    0 if there are more than `ENDGAME_LAYOUTS`, or the board is too large for the kernels.
    """
    if not PaddedBoard(*faces.shape).fits_kernels:
        return 0
    limit = np.array([ENDGAME_LAYOUTS], np.int64)
    return max(0, int(run_task(advice_tasks.LIST_LAYOUTS, faces, mines, ADVISING_POLICY, limit)))


class ListedEndgame(NamedTuple):
    """The layouts listed last as an endgame, and the padded index of each of its cells."""

    endgame: Endgame
    cells: list[int]


def endgame_of_listed_layouts(layout_count: int) -> ListedEndgame:
    """Return the layouts that `list_layouts_if_few` listed last; `layout_count` is its result."""
    arrays, _ = _thread_arrays()
    cells = int(arrays.work[CELL_COUNT])
    numbers = arrays.hints[: layout_count * cells].reshape(layout_count, cells)
    return ListedEndgame(Endgame(numbers.copy()), arrays.work[CELLS : CELLS + cells].tolist())


class _BestCell(NamedTuple):
    """The cell that wins most layouts, and how many it wins."""

    padded_index: int
    wins: int


def _search_by_kernel(faces: NDArray[np.uint8], mines: int, layouts: int) -> _BestCell | None:
    """Return the best cell of the listed layouts, None if the budget runs out."""
    del layouts
    wins = np.zeros(1, np.int64)
    found = run_task(advice_tasks.SEARCH_LISTED, faces, mines, ADVISING_POLICY, results=wins)
    return _BestCell(int(found), int(wins[0])) if found >= 0 else None


@PLAYER_KERNELS.stands_in
def _search_in_python(faces: NDArray[np.uint8], mines: int, layouts: int) -> _BestCell | None:
    """Return the best cell of the listed layouts, None if the search takes too long."""
    del faces, mines
    endgame, cells = endgame_of_listed_layouts(layouts)
    try:
        best = endgame.best_cell_index()
        return _BestCell(cells[best], endgame.wins_if_opened_first(best))
    except EndgameTooLong:
        return None


def run_task(
    task: int,
    faces: NDArray[np.uint8],
    mines: int,
    policy: str | BuiltInPolicy,
    parameters: NDArray[np.int64] = _NONE,
    results: NDArray[np.int64] = _NONE,
    randoms: NDArray[np.float64] = _NO_RANDOMS,
) -> float:
    """Run one task of `advice_tasks.run_advice_task` on a scene board and return its result.

    `policy` is one of the table, by its name, or a changed copy. Runs compiled if the kernels are
    loaded, else as plain Python.
    """
    arrays, own = _thread_arrays()
    player = policy_by_name(policy) if isinstance(policy, str) else policy
    set_policy(arrays, player)
    height, width = faces.shape
    kernel = PLAYER_KERNELS.compiled_kernel("run_advice_task") or _interpreted
    padded_mines = (
        np.zeros((height + 2) * (width + 2), np.uint8) if randoms is not _NO_RANDOMS else _NO_MAP
    )
    flat = np.array(faces, np.uint8, order="C").reshape(-1)
    return kernel(
        task, height, width, mines, player.number, flat, parameters, randoms.reshape(-1),
        padded_mines, results.reshape(-1), arrays.work, arrays.values, arrays.hints,
        own.work, own.values,
    )  # fmt: skip


def padded_indices(cells: Sequence[Cell], board: PaddedBoard) -> NDArray[np.int64]:
    """Return the padded indices of cells, as `run_task` takes them."""
    return np.array([board.padded_index(cell) for cell in cells], np.int64)


@PLAYER_KERNELS.stands_in
def _interpreted(*arguments: Any) -> float:  # noqa: ANN401 - as the kernel takes them
    return float(
        advice_tasks.run_advice_task(
            *arguments[:_ARRAY_ARGUMENTS],
            *map(as_memoryview, arguments[_ARRAY_ARGUMENTS:]),
        )
    )


def as_memoryview(array: NDArray[Any]) -> Any:  # noqa: ANN401 - a view that is indexed as the array is
    """Return an array's memory view, whose items are Python's own numbers.

    Plain loops over it are three times as fast, and its numbers do not overflow.
    """
    return array.data


def _thread_arrays() -> tuple[PlayerArrays, PlayerArrays]:
    """Return this thread's arrays: the player's, and those that layouts are drawn from."""
    try:
        arrays: tuple[PlayerArrays, PlayerArrays] = _THREADS.arrays
    except AttributeError:
        arrays = _THREADS.arrays = PlayerArrays(), PlayerArrays()
    return arrays
