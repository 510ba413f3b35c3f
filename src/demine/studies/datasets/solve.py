"""Solve positions: the exact probability of every cell, the best move, and the chance to win."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.solver.exact.probability import mine_probability_batch
from demine.solver.player.kernels_for_simulation import (
    ADVISING_POLICY,
    best_move_if_few_layouts,
    least_risky_cells,
    policy_choice,
)
from demine.studies.datasets.columns import joined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.studies.datasets.columns import Table

_AT_ONCE: Final = 1024
"""Positions whose probabilities are in memory as float64."""


def solve_positions(scenes: NDArray[np.uint8], mines: int) -> Table:
    """Return the columns `probability`, `best_row`, `best_col`, `risk` and `win_chance`.

    `scenes` has the shape `(positions, height, width)`. Moves are those of `demine.best_move`, with
    their exact risks. The chance to win by the best play is NaN beyond `ENDGAME_LAYOUTS` layouts.
    """
    parts = [
        _solve_some(scenes[begin : begin + _AT_ONCE], mines)
        for begin in range(0, len(scenes), _AT_ONCE)
    ]
    return joined(parts, len(scenes))


def _solve_some(scenes: NDArray[np.uint8], mines: int) -> Table:
    chances = mine_probability_batch(scenes, mines)
    flat = chances.reshape(len(scenes), -1)
    cells = least_risky_cells(chances)
    at = np.arange(cells.size)
    wins = np.full(cells.size, np.nan)
    is_guess = flat[at, cells] > 0.0
    for position, scene in enumerate(scenes):
        ending = best_move_if_few_layouts(scene, mines)
        if ending is not None:
            wins[position] = ending.win
        if is_guess[position]:
            found = policy_choice(scene, mines, ADVISING_POLICY) if ending is None else ending.cell
            if found is not None:
                cells[position] = found[0] * scenes.shape[2] + found[1]
    rows, cols = np.divmod(cells, scenes.shape[2])
    return {
        "probability": as_float32(chances),
        "best_row": rows.astype(np.int16),
        "best_col": cols.astype(np.int16),
        "risk": flat[at, cells],
        "win_chance": wins,
    }


def as_float32(chances: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return probabilities as float32, of which only those that are proven are 0 or 1."""
    limits = np.finfo(np.float32)
    almost_one = np.float32(1.0) - limits.epsneg
    rounded = chances.astype(np.float32)
    rounded[(rounded == 0.0) & (chances > 0.0)] = limits.smallest_subnormal
    rounded[(rounded == 1.0) & (chances < 1.0)] = almost_one
    return rounded
