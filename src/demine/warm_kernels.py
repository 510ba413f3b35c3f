"""All kernels there are: what `demine warm` and `demine.warm` compile in advance."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from demine.kernels.kernel_set import load_sets
from demine.logic.kernels import JOURNAL_KERNELS
from demine.play.load_kernels import all_kernel_sets
from demine.solver.player.kernels_for_simulation import PLAYER_KERNELS
from demine.studies.kernels import STUDY_KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.kernels.kernel_set import KernelSet


def every_kernel_set() -> tuple[KernelSet, ...]:
    """Return all kernel sets, the most needed first.

    Those of environments are among them where Gymnasium is installed, without which there are none.
    """
    return (
        *all_kernel_sets(), JOURNAL_KERNELS, PLAYER_KERNELS, STUDY_KERNELS, *_env_kernel_sets()
    )  # fmt: skip


def _env_kernel_sets() -> tuple[KernelSet, ...]:
    if find_spec("gymnasium") is None:
        return ()
    from demine.envs.kernels import ENV_KERNELS

    return (ENV_KERNELS,)


def warm(progress: Callable[[int, int], object] | None = None) -> bool:
    """Load all compiled kernels, compiling those that are not cached; return whether it could.

    Nobody needs to call this: kernels are loaded or compiled in the background once they would
    save time, and results are the same with and without. It is for programs that would rather wait
    at the start, a second with the cache and minutes without. What is compiled is kept, so
    the next call goes on where one was interrupted. It is compiled whatever the environment
    variable `DEMINE_KERNELS` says.

    `progress` is called with the number of kernels that are ready and that of all. Without Numba
    (the extra `solver`) nothing happens and the answer is False. Raises ImportError if Numba is
    installed and cannot be imported.

    >>> import demine
    >>> ready = demine.warm()
    """
    return load_sets(every_kernel_set(), progress, anyway=True)
