"""All kernels but the player's: loaded for a program of one's own, or compiled beside a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from demine.kernels.kernel_set import KernelSet

BACKGROUND_KERNEL_SETS: Final = (
    "demine.statistics.kernels:STATISTICS_KERNELS",
    "demine.replay.kernels:RMV_KERNELS",
)
"""What is compiled once the solver has its own kernels. Named, since a window loads none of it."""


def all_kernel_sets() -> tuple[KernelSet, ...]:
    """Return what answers, counts and reads faster when compiled, the most wanted first."""
    from demine.kernels.kernel_set import kernel_set_by_name
    from demine.solver.proof.kernels import SOLVER_KERNELS

    return (*SOLVER_KERNELS, *map(kernel_set_by_name, BACKGROUND_KERNEL_SETS))


def kernels_are_cached() -> bool:
    """Whether `warm` takes a moment rather than many seconds; False without Numba."""
    from demine.kernels import kernel_set

    return kernel_set.numba_available() and kernel_set.are_cached(all_kernel_sets())


def warm() -> bool:
    """Load the compiled kernels, compiling them where the cache has none; return whether it could.

    From then on this process solves, counts and reads common boards compiled, with the same
    results. It takes a moment from the cache and some seconds without one; call it where nobody
    waits. Without Numba (the extra `solver`) nothing happens and the answer is False.
    """
    from demine.kernels.kernel_set import load_sets

    return load_sets(all_kernel_sets())
