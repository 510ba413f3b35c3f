"""The kernels that deal boards and play games by the million."""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet
from demine.solver.player.kernels_for_simulation import PLAYER_MODULES

STUDY_KERNELS: Final = KernelSet(
    (*PLAYER_MODULES, "demine.logic.kernels.deal", "demine.studies.kernels.simulated_games"),
    {
        "survival_of_seed":
            "(uint64, uint64, int64, int64, int64, int64, int64,"
            " uint8[::1], uint8[::1], uint8[::1], uint64[::1], int64[::1], uint64[::1], int64[::1],"
            " int64[::1], float64[::1], uint8[::1])",
    },
)  # fmt: skip
