"""Compile the kernels of studies once, before many worker processes would each do it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from demine.kernels.compile_notice import log_compiling
from demine.kernels.kernel_set import report_compilations
from demine.studies.kernels import STUDY_KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.studies.plan import StudyPlan


def compile_study_kernels(
    plan: StudyPlan | None = None,
    before_compiling: Callable[[], object] = lambda: log_compiling(STUDY_KERNELS),
    before_each: Callable[[str], object] = str,
) -> None:
    """Compile the kernels that play a plan by demine's own policies into the user's cache.

    `before_compiling` is called first unless they are there, since one waits for it; by
    default that is logged. `before_each` is called with the name of each kernel and may raise to
    stop. Nothing happens without Numba, if all policies are one's own, or if the environment
    variable `DEMINE_KERNELS` forbids to compile.
    """
    only_custom = plan is not None and len(plan.custom) == len(plan.policies)
    if only_custom or not STUDY_KERNELS.would_compile():
        return
    before_compiling()
    # If Numba cannot be loaded, playing games either reports that or works without.
    with contextlib.suppress(ImportError), report_compilations(before_each):
        STUDY_KERNELS.load()
