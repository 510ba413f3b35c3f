"""What a policy opens on any scene board: the compiled player in a seat of somebody else's game.

Nothing here waits unless it is told to: `warm` loads the player's kernels or compiles them, and
until it has been called by a program that has the time, or in another thread, `ready` is False.
Until then the same kernels are interpreted: the answers are the same, and take longer.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from demine.solver.exact.kernels.offsets import BEYOND, PADDED
from demine.solver.player.compiled_policies import Desk, set_to
from demine.solver.player.endgame import Ending, EndingError
from demine.solver.player.kernels import PLAYER_KERNELS, advise_kernel
from demine.solver.player.kernels.offsets import CELLS, CELLS_NOW
from demine.solver.player.policy_table import LAST, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Cell = tuple[int, int]

ADVISER: Final = "strong"
"""The policy that looks ahead for whoever asks what to open, until the end can be played out."""
_DESKS: Final = 10
"""The arguments of the kernel from here on are the desks' arrays."""
_NONE: Final = np.zeros(1, np.int64)
_NO_DICE: Final = np.zeros(1)
_NO_MAP: Final = np.zeros(1, np.uint8)


_THREADS: Final = threading.local()


class Rims(NamedTuple):
    """A board with a rim, as the kernels number its cells."""

    height: int
    width: int

    def place(self, cell: Cell) -> int:
        """Return the number of a cell."""
        return (cell[0] + 1) * (self.width + 2) + cell[1] + 1

    def cell(self, place: int) -> Cell:
        """Return the cell of a number."""
        row, col = divmod(place, self.width + 2)
        return row - 1, col - 1

    @property
    def size(self) -> int:
        """How many cells there are, the rim's among them."""
        return (self.height + 2) * (self.width + 2)

    @property
    def fits(self) -> bool:
        """Whether the kernels take so many."""
        return self.size <= PADDED


def ready() -> bool:
    """Whether the compiled player is there; never waits."""
    return PLAYER_KERNELS.compiled("at_table") is not None


def warm() -> bool:
    """Load the compiled player, compiling it where the cache has none; return whether it could.

    It takes a second from the cache and up to a minute without one. Without Numba the answer is
    False.
    """
    return PLAYER_KERNELS.load()


def choice(faces: NDArray[np.uint8], mines: int, policy: str) -> Cell | None:
    """Return the cell that a policy opens, or None where the position is not for the player.

    `faces` is a checked scene board on which something is left to open, `policy` a name of
    `policy_table.GUESSING`. Interpreted where the compiled player is not ready.
    """
    rims = Rims(*faces.shape)
    if not rims.fits:
        return None
    place = int(ask(advise_kernel.MOVE, faces, mines, policy))
    return rims.cell(place) if place >= 0 else None


def advice(faces: NDArray[np.uint8], mines: int) -> Cell | None:
    """Return the cell to open, or None where the position is not for the player.

    The last layouts are played out, up to `LAST` of them; before that it is the `choice` of
    `ADVISER`. `faces` is a checked scene board on which no covered cell is certainly safe. The
    answer is the same whether the compiled player is ready or not.
    """
    found = last_best(faces, mines)
    return choice(faces, mines, ADVISER) if found is None else found


def opening(faces: NDArray[np.uint8], mines: int) -> Cell | None:
    """Return the cell to begin with on a board with few layouts; None on others."""
    found = last_best(faces, mines)
    # All corners are alike: of cells that are, the first.
    height, width = faces.shape
    return found and (min(found[0], height - 1 - found[0]), min(found[1], width - 1 - found[1]))


def last_best(faces: NDArray[np.uint8], mines: int) -> Cell | None:
    """Return the cell with which most layouts are won; None where they are not few."""
    layouts = listed(faces, mines)
    if layouts < 1:
        return None
    for search in (_by_kernel, _by_hand) if ready() else (_by_hand, _by_kernel):
        if (place := search(faces, mines, layouts)) >= 0:
            return Rims(*faces.shape).cell(place)
    return None


def listed(faces: NDArray[np.uint8], mines: int) -> int:
    """List the layouts of a checked position; return how many, or less than 1 for over `LAST`.

    So it is too where the position is too large for the player.
    """
    if not Rims(*faces.shape).fits:
        return 0
    return int(ask(advise_kernel.LIST, faces, mines, ADVISER, np.array([LAST], np.int64)))


def ending(layouts: int) -> tuple[Ending, list[int]]:
    """Return the layouts `listed` last, to be played out, and the numbers of their cells."""
    desk, _ = _desks()
    cells = int(desk.work[CELLS_NOW])
    numbers = desk.hints[: layouts * cells].reshape(layouts, cells)
    return Ending(numbers.copy()), desk.work[CELLS : CELLS + cells].tolist()


def _by_kernel(faces: NDArray[np.uint8], mines: int, layouts: int) -> int:
    """Return the best cell of the layouts listed last, or less than 0 beyond the budget."""
    del layouts
    return int(ask(advise_kernel.SEARCH, faces, mines, ADVISER))


def _by_hand(faces: NDArray[np.uint8], mines: int, layouts: int) -> int:
    """Return the best cell of the layouts listed last, or less than 0 beyond so many steps."""
    del faces, mines
    found, cells = ending(layouts)
    try:
        return cells[found.best()]
    except EndingError:
        return BEYOND


def ask(
    task: int,
    faces: NDArray[np.uint8],
    mines: int,
    policy: str,
    cells: NDArray[np.int64] = _NONE,
    won: NDArray[np.int64] = _NONE,
    dice: NDArray[np.float64] = _NO_DICE,
) -> float:
    """Ask the kernel at the table, compiled if it is ready; see `advise_kernel.at_table`."""
    desk, own = _desks()
    player = named(policy)
    set_to(desk, player)
    height, width = faces.shape
    kernel = PLAYER_KERNELS.compiled("at_table") or _interpreted
    laid = np.zeros((height + 2) * (width + 2), np.uint8) if dice is not _NO_DICE else _NO_MAP
    flat = np.array(faces, np.uint8, order="C").reshape(-1)
    return kernel(
        task, height, width, mines, player.number, flat, cells, dice.reshape(-1), laid,
        won.reshape(-1), desk.work, desk.values, desk.hints, own.work, own.values,
    )  # fmt: skip


def places_of(cells: Sequence[Cell], rims: Rims) -> NDArray[np.int64]:
    """Return the numbers of cells, as `ask` takes them."""
    return np.array([rims.place(cell) for cell in cells], np.int64)


def _interpreted(*arguments: Any) -> float:  # noqa: ANN401 - as the kernel takes them
    return float(advise_kernel.at_table(*arguments[:_DESKS], *map(plainly, arguments[_DESKS:])))


def plainly(array: NDArray[Any]) -> Any:  # noqa: ANN401 - a view that is indexed as the array is
    """Return a view of an array that gives Python's own numbers: three times as fast, one by one.

    They neither overflow nor wrap round, as they do not when they are compiled either.
    """
    return array.data


def _desks() -> tuple[Desk, Desk]:
    """Return the arrays of this thread: the player's, and those that layouts are drawn from."""
    try:
        desks: tuple[Desk, Desk] = _THREADS.desks
    except AttributeError:
        desks = _THREADS.desks = Desk(), Desk()
    return desks
