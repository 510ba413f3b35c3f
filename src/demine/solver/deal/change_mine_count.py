"""Growing a guess-free layout from one that is solved, where drawing and repairing find none.

A board without mines needs no guess, and neither does one that is full of mines except for an
opening around its first cell. From there mines are added, or removed, a few at a time, and a change
after which the board needs a guess is undone, until the number of mines is right. The result needs
no guess, but some guess-free layouts are found more often than others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.neighbours import block_around, count_around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from demine.solver.deal.layout_stream import LayoutStream
    from demine.solver.proof.play_by_proofs import ProofPlayer

_UNBOUNDED: Final = 1 << 62
MAX_FAILED_TRIES: Final = 200
"""After this many failed tries in a row the search goes backwards for a while."""
STEPS_BACK: Final = 20
"""How many cells a try backwards changes at most, and for about how many tries it lasts."""


def grow_guess_free(
    player: ProofPlayer, stream: LayoutStream, max_steps: int, *, from_full: bool
) -> Iterator[NDArray[np.bool_] | None]:
    """Yield None for each change that is tried, and at the end a guess-free layout.

    With `from_full` mines are removed from a full board, else they are added to an empty one. Ends
    without a layout after `max_steps` more steps of `player`, or if the mines do not fit beside the
    opening that a full board needs.
    """
    never_mined = _never_mined(player, stream, from_full=from_full)
    mine_map = ~never_mined if from_full else np.zeros_like(never_mined)
    if np.count_nonzero(~never_mined) < stream.rules.mines:
        return
    until, size, vain = player.steps_spent + max_steps, 1, 0
    while player.steps_spent < until:
        lack = stream.rules.mines - int(np.count_nonzero(mine_map))
        if not lack:
            yield mine_map
            return
        back = vain >= MAX_FAILED_TRIES
        most = STEPS_BACK if back else abs(lack)
        cells = _draw_cells_to_change(mine_map, never_mined, stream, size, most, (lack > 0) != back)
        yield None
        before = mine_map
        if cells.size:
            mine_map, kept = _change_if_solved(player, mine_map, cells)
            size = 2 * size if 2 * kept >= cells.size else max(1, size // 2)
        progressed = mine_map is not before and not back
        vain = 0 if progressed or vain >= MAX_FAILED_TRIES + STEPS_BACK else vain + 1


def _never_mined(
    player: ProofPlayer, stream: LayoutStream, *, from_full: bool
) -> NDArray[np.bool_]:
    """Return the cells that never get a mine; with `from_full` all cells around the first too."""
    never_mined = np.zeros(stream.rules.shape, np.bool_)
    never_mined.reshape(-1)[stream.never_mined] = True
    if from_full:
        never_mined[block_around(*player.first, *stream.rules.shape)] = True
    return never_mined


def _draw_cells_to_change(
    mine_map: NDArray[np.bool_],
    never_mined: NDArray[np.bool_],
    stream: LayoutStream,
    clumps: int,
    most: int,
    adding: bool,  # mines are added, else removed
) -> NDArray[np.intp]:
    """Draw cells to change, at most `most`, as flat indices.

    They come in clumps of one cell, two cells, or up to nine.
    """
    may = ~mine_map & ~never_mined if adding else mine_map
    # A mine that touches only mines is not removed: no number would tell of that.
    seeds = np.flatnonzero(may if adding else may & (count_around(~mine_map) > 0))
    chosen: dict[int, None] = {}
    for _ in range(min(clumps, most) if seeds.size else 0):
        at = stream.draw_cell(seeds)
        near = _draw_clump(may, at, stream) if stream.draw_int_below(2) else [at]
        for cell in near:
            chosen[cell] = None
    return np.array(list(chosen)[:most], np.intp)


def _draw_clump(may: NDArray[np.bool_], at: int, stream: LayoutStream) -> list[int]:
    """Draw a clump: the cell `at` with one of its changeable neighbours, or with all of them."""
    height, width = may.shape
    row, col = divmod(at, width)
    rows, cols = block_around(row, col, height, width)
    grid = np.arange(rows.start, rows.stop)[:, None] * width + np.arange(cols.start, cols.stop)
    near = grid[may[rows, cols]]
    near = near[near != at]
    if near.size and stream.draw_int_below(2):
        near = np.array([stream.draw_cell(near)])
    return [at, *near.tolist()]


def _change_if_solved(
    player: ProofPlayer, mine_map: NDArray[np.bool_], cells: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], int]:
    """Return the board after a change that leaves it solved, and how many cells were changed.

    Where not all `cells` can be changed, those are that did no harm, if there are any.
    """
    changed = _with_flipped(mine_map, cells)
    if _is_solved(player, changed, stop_when_stuck=cells.size > 1):
        return changed, cells.size
    if cells.size > 1:
        # A change did no harm where the cell and all its neighbours became known.
        known = player.known_cells()
        harmless = cells[(count_around(~known) + ~known).ravel()[cells] == 0]
        if harmless.size:
            changed = _with_flipped(mine_map, harmless)
            if _is_solved(player, changed, stop_when_stuck=False):
                return changed, harmless.size
    return mine_map, 0


def _with_flipped(mine_map: NDArray[np.bool_], cells: NDArray[np.intp]) -> NDArray[np.bool_]:
    changed = mine_map.copy()
    changed.reshape(-1)[cells] ^= True
    return changed


def _is_solved(player: ProofPlayer, mine_map: NDArray[np.bool_], *, stop_when_stuck: bool) -> bool:
    return player.find_guess_free(
        mine_map[None], _UNBOUNDED, stop_when_stuck=stop_when_stuck
    ).solved
