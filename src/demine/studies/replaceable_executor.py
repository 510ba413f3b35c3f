"""The executor of a study, replaced by a new one when it breaks."""

from __future__ import annotations

import contextlib
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, ParamSpec, TypeAlias, TypeVar

from demine.studies.main_guard import check_main_guard

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    ExecutorOrFactory: TypeAlias = Executor | Callable[[], Executor]

P = ParamSpec("P")
T = TypeVar("T")

_POOL_ARGUMENTS: Final = (
    "max_workers",
    "mp_context",
    "initializer",
    "initargs",
    "max_tasks_per_child",
)
"""The arguments of a `ProcessPoolExecutor`."""


class ReplaceableExecutor:
    """Submits to an executor, and to a new one when that breaks.

    It is given an executor, or a function that makes one and is called again for the next. A
    `ProcessPoolExecutor`, which is broken for good when one of its processes is killed, is replaced
    by one like it; any other executor is used again, as it may recover. Only executors made here
    are shut down here.
    """

    def __init__(self, given: ExecutorOrFactory) -> None:
        self._given: Executor | None = None
        self._replaced_after: type[Exception] = Exception
        if isinstance(given, Executor) or not callable(given):
            self._given, self._replaced_after = given, BrokenExecutor
            self._make = _factory_of_same_kind(given)
        else:
            self._make = given
        self._current = self._given

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call; raises what the executor raises, or what making one raises."""
        if self._current is None:
            self._current = self._make()
        check_main_guard(self._current)
        return self._current.submit(fn, *args, **kwargs)

    def replace_if_broken(self, error: BaseException) -> None:
        """Make the next call use a new executor, if this error means that the current one broke.

        An executor that its owner has shut down is not broken.
        """
        if isinstance(error, self._replaced_after):
            self.close()
            self._current = None

    def close(self) -> None:
        """Shut the executor down if it was made here."""
        if self._current is not None and self._current is not self._given:
            # A broken executor may raise anything.
            with contextlib.suppress(Exception):
                self._current.shutdown()


def _factory_of_same_kind(executor: Executor) -> Callable[[], Executor]:
    """Return a function that makes a process pool like this one, or returns any other executor."""
    # No public name tells its arguments.
    made_of = {name: getattr(executor, f"_{name}", None) for name in _POOL_ARGUMENTS}
    if type(executor) is not ProcessPoolExecutor or made_of["max_workers"] is None:
        return lambda: executor
    return partial(ProcessPoolExecutor, **made_of)
