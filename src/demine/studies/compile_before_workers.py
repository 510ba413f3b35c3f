"""Compile the kernels of studies once, before many worker processes would each do it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from demine.kernels.kernel_set import (
    are_cached,
    load_sets,
    numba_available,
    report_compilations,
)
from demine.solver.player.kernels_for_simulation import PROBABILITY_KERNELS
from demine.studies.kernels import STUDY_KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.kernels.kernel_set import KernelSet
    from demine.studies.plan import StudyPlan


def compile_study_kernels(
    plan: StudyPlan | None = None,
    before_compiling: Callable[[], object] | None = None,
    before_each: Callable[[str], object] = str,
) -> None:
    """Compile the kernels of a plan, or of demine's own policies, into the user's cache.

    `before_compiling` is called first unless they are there, since it takes about a minute.
    `before_each` is called with the name of each kernel and may raise to stop. Without Numba
    nothing happens.
    """
    if not numba_available() or are_cached(sets := _kernel_sets(plan)):
        return
    if before_compiling is not None:
        before_compiling()
    # If Numba cannot be loaded, playing games either reports that or works without.
    with contextlib.suppress(ImportError), report_compilations(before_each):
        load_sets(sets)


def _kernel_sets(plan: StudyPlan | None) -> list[KernelSet]:
    """Return the kernels that play by the policies of a plan, or by all of demine's own."""
    custom = plan is not None and len(plan.custom)
    built_in = plan is None or len(plan.custom) < len(plan.policies)
    return [PROBABILITY_KERNELS] * bool(custom) + [STUDY_KERNELS] * built_in
