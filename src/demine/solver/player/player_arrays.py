"""The arrays that the player's kernels work in, and how they are set for a policy."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from demine.logic.splitmix import mix_bits
from demine.solver.exact.kernels.offsets import APART, PADDED
from demine.solver.player.kernels import offsets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.solver.player.policy_table import BuiltInPolicy


@dataclass(frozen=True, slots=True)
class PlayerArrays:
    """The arrays that the player's kernels work in; one for each thread."""

    work: NDArray[np.int64] = field(default_factory=lambda: np.zeros(offsets.WORK, np.int64))
    values: NDArray[np.float64] = field(default_factory=lambda: np.zeros(offsets.VALUES))
    hints: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(offsets.HINTS_SIZE, np.uint8))

    def __post_init__(self) -> None:
        hashes = _random_hashes(APART + offsets.LAYOUTS)
        self.work[offsets.CELL_HASH : offsets.CELL_HASH + APART] = hashes[:APART]
        begin = offsets.RANDOM_HASHES
        self.work[begin : begin + offsets.LAYOUTS] = hashes[APART:]
        logs = [math.lgamma(number + 1) for number in range(PADDED)]
        self.values[offsets.LOGS : offsets.LOGS + PADDED] = logs


def _random_hashes(count: int) -> NDArray[np.int64]:
    """Return numbers from 1 to 2**62, always the same ones."""
    mixed = mix_bits(np.arange(count, dtype=np.uint64))
    return (mixed >> np.uint64(2)).astype(np.int64) | 1


def fits_kernels(rules: Rules) -> bool:
    """Return whether a board of these rules is small enough for the kernels."""
    return (rules.height + 2) * (rules.width + 2) <= PADDED


def set_policy(arrays: PlayerArrays, policy: BuiltInPolicy) -> None:
    """Write the dials of a policy into the arrays, and the budget of a search."""
    arrays.values[offsets.DIALS : offsets.VALUES] = 0.0
    for dial, value in policy.dials:
        arrays.values[offsets.DIALS + dial] = value
    arrays.work[offsets.BUDGET] = policy.search_budget
