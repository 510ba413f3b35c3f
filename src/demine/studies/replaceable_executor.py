"""The executor a study was given, and another one in its place when that breaks."""

from __future__ import annotations

import contextlib
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, ParamSpec, TypeAlias, TypeVar

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
"""What a standard pool of processes is made of."""


class ReplaceableExecutor:
    """An executor, or a function that makes executors; those that it makes are shut down by it.

    A standard pool of processes is broken for good when one of them is killed. Where a function was
    given it is called again; a `ProcessPoolExecutor` that was given is made anew as it was. Any
    other executor is asked again, and may have recovered.
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
        """Have a function called; errors are those of the executor, or of making one."""
        if self._current is None:
            self._current = self._make()
        return self._current.submit(fn, *args, **kwargs)

    def replace_if_broken(self, error: BaseException) -> None:
        """Have another executor made for what comes next, if this one refused with that error.

        One that its owner has shut down is not broken: that is his will.
        """
        if isinstance(error, self._replaced_after):
            self.close()
            self._current = None

    def close(self) -> None:
        """Shut the executor down, unless its owner will."""
        if self._current is not None and self._current is not self._given:
            # A broken one has nothing more to say.
            with contextlib.suppress(Exception):
                self._current.shutdown()


def _factory_of_same_kind(executor: Executor) -> Callable[[], Executor]:
    """Return what makes an executor like a standard pool of processes; any other is itself."""
    # It tells nobody what it was made of by a public name.
    made_of = {name: getattr(executor, f"_{name}", None) for name in _POOL_ARGUMENTS}
    if type(executor) is not ProcessPoolExecutor or made_of["max_workers"] is None:
        return lambda: executor
    return partial(ProcessPoolExecutor, **made_of)
