"""Tell through `logging` that somebody has to wait for a compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demine.kernels.kernel_set import KernelSet


def load_and_tell(kernels: KernelSet) -> bool:
    """Load the kernels of a set, and log it if they are compiled; return whether they are there."""
    if kernels.would_compile():
        log_compiling(kernels)
    return kernels.load()


def log_compiling(kernels: KernelSet) -> None:
    """Log a warning, which Python prints unless told otherwise, that kernels are compiled now."""
    from logging import getLogger

    advice = (
        "; `demine warm` does that in advance"
        if kernels.can_write_cache()
        else f", for this process only: {kernels.cache_folder().parent} is not writable"
    )
    getLogger("demine.kernels").warning("demine compiles its player first%s", advice)
