"""Growing guess-free layouts from one that is solved, where drawing and repairing find none.

A board without mines needs no guess, and neither does one that is mines all over but for an opening
around its first cell. From there mines are put, or taken away, a few at a time, and what needs a
guess now is taken back, until there are as many mines as there shall be. What comes out needs no
guess, but some guess-free layouts come out more often than others.
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
"""After this many failed tries in a row some changes are taken back."""
STEPS_BACK: Final = 20


def grow_guess_free(
    player: ProofPlayer, stream: LayoutStream, effort: int, *, from_full: bool
) -> Iterator[NDArray[np.bool_] | None]:
    """Play one layout after the other; yield None for each, and at the end one that is guess-free.

    With `from_full` mines are taken away, else they are put. Ends without a layout when so much
    more effort is spent, or where the board cannot begin full of mines.
    """
    never_mined = _never_mined(player, stream, from_full=from_full)
    mine_map = ~never_mined if from_full else np.zeros_like(never_mined)
    if np.count_nonzero(~never_mined) < stream.rules.mines:
        return
    until, size, vain = player.steps_spent + effort, 1, 0
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
    """Return which cells never get a mine: on a full board the first cell needs an opening."""
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
    adding: bool,  # mines are put, else taken away
) -> NDArray[np.intp]:
    """Draw at most `most` cells to change, as flat indices: clumps of one, two, or up to nine."""
    may = ~mine_map & ~never_mined if adding else mine_map
    # A mine among mines is taken away in vain: nothing tells of it.
    seeds = np.flatnonzero(may if adding else may & (count_around(~mine_map) > 0))
    chosen: dict[int, None] = {}
    for _ in range(min(clumps, most) if seeds.size else 0):
        at = stream.draw_cell(seeds)
        near = _draw_clump(may, at, stream) if stream.draw_int_below(2) else [at]
        for cell in near:
            chosen[cell] = None
    return np.array(list(chosen)[:most], np.intp)


def _draw_clump(may: NDArray[np.bool_], at: int, stream: LayoutStream) -> list[int]:
    """Draw a clump around a cell: the cell with one changeable neighbour, or with all of them."""
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
    """Change cells, or only harmless ones, if the board stays solved; return it and how many."""
    changed = _with_flipped(mine_map, cells)
    if _is_solved(player, changed, stop_when_stuck=cells.size > 1):
        return changed, cells.size
    if cells.size > 1:
        # What was changed where all is known did no harm.
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
