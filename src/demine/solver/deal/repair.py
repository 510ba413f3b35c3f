"""Making a layout guess-free, where hardly any is: mines move out of the way of the proofs.

A layout is played by proofs until it is stuck. Then a mine moves from beside the opened cells to
where nothing is known yet, or now and then another way, and the new layout is played from its first
cell. It is kept if as many cells become known as before. After many moves in vain a new one is
drawn. What comes out needs no guess, but some guess-free layouts come out more often than others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.neighbours import count_around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from demine.solver.deal.random_stream import Draws
    from demine.solver.proof.play_by_proofs import Prover

_UNBOUNDED: Final = 1 << 62
IN_VAIN: Final = 200
"""After so many moves that made nothing more known, another layout is drawn."""


class Places(NamedTuple):
    """Where mines may move from and to, flat: beside opened cells, beyond them, anywhere."""

    near_mines: NDArray[np.intp]
    near_safe: NDArray[np.intp]
    far_mines: NDArray[np.intp]
    far_safe: NDArray[np.intp]
    safe: NDArray[np.intp]

    @classmethod
    def of(
        cls, mine_map: NDArray[np.bool_], known: NDArray[np.bool_], free: NDArray[np.intp]
    ) -> Places:
        """Look where a layout is stuck; the cells in `free` are never given a mine."""
        near = ~known & (count_around(known & ~mine_map) > 0)
        far = ~known & ~near
        may = ~mine_map
        may.reshape(-1)[free] = False
        return cls(
            *map(
                np.flatnonzero,
                (near & mine_map, near & may, far & mine_map, far & may, may),
            )
        )


def repairs(prover: Prover, draws: Draws, effort: int) -> Iterator[NDArray[np.bool_] | None]:
    """Play one layout after the other; yield None for each but the last, which needs no guess.

    Ends without such a one when `effort` is spent.
    """
    while prover.spent < effort:
        mine_map = draws.layouts(1)[0]
        solved, known = _played(prover, mine_map)
        in_vain = 0
        while not solved and in_vain < IN_VAIN and prover.spent < effort:
            yield None
            moved = _moved(mine_map, Places.of(mine_map, known, draws.free), draws)
            if moved is None:
                break
            solved, now_known = _played(prover, moved)
            gain = np.count_nonzero(now_known) - np.count_nonzero(known)
            in_vain = 0 if gain > 0 else in_vain + 1
            if solved or gain >= 0:
                mine_map, known = moved, now_known
        if solved:
            yield mine_map
            return
        yield None


def _played(prover: Prover, mine_map: NDArray[np.bool_]) -> tuple[bool, NDArray[np.bool_]]:
    """Play one layout from its first cell; return whether it is solved, and what became known."""
    solved = prover.seek(mine_map[None], _UNBOUNDED, patient=True).solved
    return solved, prover.known()


def _moved(mine_map: NDArray[np.bool_], places: Places, draws: Draws) -> NDArray[np.bool_] | None:
    """Return the layout with one mine moved, or None if there is nowhere to."""
    chance = draws.below(10)
    sources, targets = places.near_mines, places.far_safe
    if chance in (1, 2) and places.far_mines.size and places.near_safe.size:
        sources, targets = places.far_mines, places.near_safe
    elif chance == 0 or not targets.size:
        targets = places.safe
    if not sources.size:
        sources = places.far_mines
    if not (sources.size and targets.size):
        return None
    moved = mine_map.copy()
    moved.reshape(-1)[[draws.one(sources), draws.one(targets)]] = False, True
    return moved
