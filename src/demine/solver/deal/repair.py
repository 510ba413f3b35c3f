"""Repairing layouts until one is guess-free: mines are moved to where they do not stop the proofs.

A layout is played by proofs alone until nothing more can be proven. Then a mine is moved, mostly
from beside the opened cells to where nothing is known yet, and the new layout is played from its
first cell. It replaces the old one if at least as many cells become known. After many moves without
gain a new layout is drawn. The result needs no guess, but some guess-free layouts are found more
often than others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.neighbours import count_around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from demine.solver.deal.layout_stream import LayoutStream
    from demine.solver.proof.play_by_proofs import ProofPlayer

_UNBOUNDED: Final = 1 << 62
MAX_FAILED_MOVES: Final = 200
"""After this many moves in a row by which no more cells became known, a new layout is drawn."""


class MoveCandidates(NamedTuple):
    """Cells that a mine may be moved from (`mines`) and to (`safe`), as flat indices.

    `near` cells are unknown and beside an opened one, `far` cells unknown and beside none; `safe`
    has the known cells too.
    """

    near_mines: NDArray[np.intp]
    near_safe: NDArray[np.intp]
    far_mines: NDArray[np.intp]
    far_safe: NDArray[np.intp]
    safe: NDArray[np.intp]

    @classmethod
    def for_stuck_layout(
        cls, mine_map: NDArray[np.bool_], known: NDArray[np.bool_], never_mined: NDArray[np.intp]
    ) -> MoveCandidates:
        """Find the candidates in a layout of which no more than the `known` cells can be proven.

        `never_mined` are flat indices of cells that must not get a mine.
        """
        near = ~known & (count_around(known & ~mine_map) > 0)
        far = ~known & ~near
        may = ~mine_map
        may.reshape(-1)[never_mined] = False
        return cls(
            *map(
                np.flatnonzero,
                (near & mine_map, near & may, far & mine_map, far & may, may),
            )
        )


def repair_layouts(
    player: ProofPlayer, stream: LayoutStream, step_limit: int
) -> Iterator[NDArray[np.bool_] | None]:
    """Yield None for each layout that needs a guess, and at the end one that is guess-free.

    Ends without such a layout when `player.steps_spent` reaches `step_limit`.
    """
    while player.steps_spent < step_limit:
        mine_map = stream.draw_layouts(1)[0]
        solved, known = _play_layout(player, mine_map)
        in_vain = 0
        while not solved and in_vain < MAX_FAILED_MOVES and player.steps_spent < step_limit:
            yield None
            moved = _with_one_mine_moved(
                mine_map,
                MoveCandidates.for_stuck_layout(mine_map, known, stream.never_mined),
                stream,
            )
            if moved is None:
                break
            solved, now_known = _play_layout(player, moved)
            gain = np.count_nonzero(now_known) - np.count_nonzero(known)
            in_vain = 0 if gain > 0 else in_vain + 1
            if solved or gain >= 0:
                mine_map, known = moved, now_known
        if solved:
            yield mine_map
            return
        yield None


def _play_layout(
    player: ProofPlayer, mine_map: NDArray[np.bool_]
) -> tuple[bool, NDArray[np.bool_]]:
    """Play a layout from its first cell; return whether it is solved, and the known cells."""
    solved = player.find_guess_free(mine_map[None], _UNBOUNDED, stop_when_stuck=True).solved
    return solved, player.known_cells()


def _with_one_mine_moved(
    mine_map: NDArray[np.bool_], candidates: MoveCandidates, stream: LayoutStream
) -> NDArray[np.bool_] | None:
    """Return the layout with one mine moved, or None if no mine can move."""
    chance = stream.draw_int_below(10)
    sources, targets = candidates.near_mines, candidates.far_safe
    if chance in (1, 2) and candidates.far_mines.size and candidates.near_safe.size:
        sources, targets = candidates.far_mines, candidates.near_safe
    elif chance == 0 or not targets.size:
        targets = candidates.safe
    if not sources.size:
        sources = candidates.far_mines
    if not (sources.size and targets.size):
        return None
    moved = mine_map.copy()
    moved.reshape(-1)[[stream.draw_cell(sources), stream.draw_cell(targets)]] = False, True
    return moved
