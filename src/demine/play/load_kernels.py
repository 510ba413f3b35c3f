"""The kernels of solver, statistics and replays: loaded at once, or compiled beside a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from demine.kernels.kernel_set import KernelSet

BACKGROUND_KERNEL_SETS: Final = (
    "demine.statistics.kernels:STATISTICS_KERNELS",
    "demine.replay.kernels:RMV_KERNELS",
    "demine.replay.kernels:RAWVF_KERNELS",
)
"""The sets compiled after the solver's own; by name, because a window loads none of them."""


def all_kernel_sets() -> tuple[KernelSet, ...]:
    """Return the kernel sets of solver, statistics, replays and boards, the most needed first."""
    from demine.kernels.kernel_set import kernel_set_by_name
    from demine.logic.kernels import DEALING_KERNELS, OPENING_KERNELS
    from demine.solver.proof.kernels import SOLVER_KERNELS

    background = map(kernel_set_by_name, BACKGROUND_KERNEL_SETS)
    return (*SOLVER_KERNELS, *background, OPENING_KERNELS, DEALING_KERNELS)


def kernels_are_cached() -> bool:
    """Return whether all kernels are compiled in the cache; False without Numba."""
    from demine.kernels import kernel_set

    return kernel_set.numba_available() and kernel_set.are_cached(all_kernel_sets())


def load_common_kernels() -> bool:
    """Load the kernels of solver, statistics and replays, and wait; return whether Numba is there.

    What is not cached is compiled first. `demine.warm` does this for all kernels there are.
    """
    from demine.kernels.kernel_set import load_sets

    return load_sets(all_kernel_sets())
