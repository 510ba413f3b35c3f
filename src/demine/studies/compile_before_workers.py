"""Compile what plays once, before many processes would each do it for themselves."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from demine.kernels.kernel_set import numba_available, report_compilations
from demine.studies.kernels import STUDY_KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable


def compile_study_kernels(
    told: Callable[[], object] | None = None, each: Callable[[str], object] = str
) -> None:
    """See that the player's kernels lie in the user's cache, if they can.

    `told` is called before they are compiled, which takes a minute or so; there is
    nothing to tell where they lie there already, or without Numba. `each` is called with the name
    of every kernel that is compiled, and may end it by raising.
    """
    if not numba_available() or STUDY_KERNELS.is_cached():
        return
    if told is not None:
        told()
    # A Numba that cannot be loaded is no reason to stop: whoever plays says so, or does without.
    with contextlib.suppress(ImportError), report_compilations(each):
        STUDY_KERNELS.load()
