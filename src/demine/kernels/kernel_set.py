"""Sets of kernels that are compiled together, and access to the compiled kernels.

`compiled_kernel` returns None until a kernel is loaded, and callers use the plain function, which
`KernelSet.stands_in` decorates. When that has worked for long, `demine.kernels.background` loads
the kernels, or has them compiled. `KernelSet.load` does so at once and waits.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from math import inf
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    from demine.kernels.build import InnerKernels

LOAD_AFTER_SECONDS: Final = 0.4
"""After so much processor time of plain functions their kernels are loaded from the cache.

Loading takes about as much. So whoever uses the solver less pays nothing, and nobody pays more than
twice what the better choice would have cost (`benchmarks/script_start.py`)."""

P = ParamSpec("P")
R = TypeVar("R")


class KernelSet:
    """Kernels that are compiled together: everything that a kernel calls is in a module of its set.

    `entries` are the kernels that are called from Python, by name, with their Numba signatures, the
    most needed first. Modules are given by name and imported only to be compiled, which most
    programs never do. With `takes_read_only` the entries accept read-only arrays, as plain
    functions do; they must not write to them.
    """

    loads_in_background: bool = True
    """Whether plain work has kernels loaded; False, for all sets or for one, in a process that must
    stay small and quick."""

    def __init__(
        self, modules: Sequence[str], entries: Mapping[str, str], *, takes_read_only: bool = False
    ) -> None:
        self.modules = tuple(modules)
        self.entries = dict(entries)
        self.loaded: dict[str, Callable[..., Any]] = {}
        """The entries that are ready, by name."""
        self.plain_seconds = 0.0
        """How much processor time functions that stand in for the kernels have taken."""
        self.next_step_after = LOAD_AFTER_SECONDS
        """After how many of these seconds the kernels are loaded or compiled in the background."""
        self._process = os.getpid()
        self._takes_read_only = takes_read_only
        self._lock = threading.Lock()

    def compiled_kernel(self, entry: str) -> Callable[..., Any] | None:
        """Return the compiled kernel of an entry, or None if it is not loaded; never waits."""
        return self.loaded.get(entry)

    def stands_in(self, plain: Callable[P, R]) -> Callable[P, R]:
        """Decorate a function that answers in place of kernels which are not loaded.

        Once it has worked for long, they are loaded or compiled in the background.
        """

        @wraps(plain)
        def timed(*args: P.args, **kwargs: P.kwargs) -> R:
            if self.is_loaded:
                return plain(*args, **kwargs)
            begin = time.thread_time()
            try:
                return plain(*args, **kwargs)
            finally:
                self._add_plain_seconds(time.thread_time() - begin)

        return timed

    def _add_plain_seconds(self, seconds: float) -> None:
        self.plain_seconds += seconds
        if self.plain_seconds >= self.next_step_after:
            self.next_step_after = inf
            if not (self.loads_in_background and numba_available()):
                return
            from demine.kernels import background

            background.load_or_compile_in_background(self)

    @property
    def is_loaded(self) -> bool:
        """Whether all entries are loaded; never waits."""
        return len(self.loaded) >= len(self.entries)

    @property
    def is_declared_here(self) -> bool:
        """Whether this process is no fork of the one that declared the set."""
        return os.getpid() == self._process

    def load(
        self,
        progress: Callable[[int, int], object] | None = None,
        shared: InnerKernels | None = None,
        *,
        anyway: bool = False,
    ) -> bool:
        """Load the entries, compiling those that are not cached; return whether they are loaded.

        Without Numba (the extra `solver`) nothing happens. The environment variable
        `DEMINE_KERNELS` may forbid compiling, or all of it (`background.CompileSetting`);
        `anyway` does it nevertheless. Each entry can be used as soon as it is ready. `progress` is
        called with the number of entries that are ready and that of all. Sets that are given the
        same dict as `shared` compile what they have in common once. Raises ImportError if Numba
        cannot be imported.
        """
        if not numba_available():
            return False
        from demine.kernels import background, cache

        if not (background.compile_setting().compiles or anyway):
            return self._load_what_is_cached()
        with self._lock:
            if not self.is_loaded:
                cache.fill_or_load_cache(
                    self.cache_folder(),
                    len(self.entries),
                    lambda folder: self._build(folder, progress, shared),
                )
            elif progress is not None:
                progress(len(self.entries), len(self.entries))
        return True

    def load_before_long_work(self) -> None:
        """Load the entries that are cached, and wait: for work that takes longer than that.

        Nothing is compiled or raised. Where plain work loads no kernels, nothing happens.
        """
        if self.is_loaded or not (self.loads_in_background and numba_available()):
            return
        from demine.kernels import background

        background.load_what_is_cached(self)

    def _load_what_is_cached(self) -> bool:
        from demine.kernels.background import CompileSetting, compile_setting

        if compile_setting() is CompileSetting.CACHED and self.has_cached_entry():
            for entry in self.entries:
                self.load_cached_entry(entry)
        return self.is_loaded

    def load_cached_entry(self, entry: str) -> None:
        """Load one entry if it is cached, and compile nothing; a damaged cache is deleted."""
        from demine.kernels import build, cache

        # Who has the lock is loading it.
        if not self._lock.acquire(blocking=False):
            return
        try:
            if entry not in self.loaded:
                folder = self.cache_folder()
                with cache.delete_if_damaged(folder):
                    kernel = build.load_cached(
                        self.import_modules(), entry, self.entries[entry], folder
                    )
                    if kernel is not None:
                        self._add_loaded(entry, kernel)
                        cache.mark_used_and_remove_old(folder, len(self.entries))
        finally:
            self._lock.release()

    def _add_loaded(self, entry: str, kernel: Callable[..., Any]) -> None:
        self.loaded[entry] = accept_read_only_arrays(kernel) if self._takes_read_only else kernel

    def _build(
        self,
        folder: Path | None,
        progress: Callable[[int, int], object] | None,
        shared: InnerKernels | None,
    ) -> None:
        from demine.kernels import build

        done: list[str] = []

        def ready(name: str, kernel: Callable[..., Any]) -> None:
            self._add_loaded(name, kernel)
            done.append(name)
            if progress is not None:
                progress(len(done), len(self.entries))

        if progress is not None:
            progress(0, len(self.entries))
        build.compile_or_load(self.import_modules(), self.entries, folder, ready, shared)

    def import_modules(self) -> list[ModuleType]:
        """Import the modules of the set and return them."""
        return [import_module(name) for name in self.modules]

    def cache_folder(self) -> Path:
        """Return the folder in which the kernels are cached; it need not exist. Needs Numba."""
        from demine.kernels import build, cache

        return cache.kernel_cache_folder() / build.cache_folder_name(self.import_modules())

    def is_cached(self, folder: Path | None = None) -> bool:
        """Return whether all entries are cached, so that they load quickly. Needs Numba.

        `folder` is an earlier result of `cache_folder()`, which may differ during an upgrade.
        """
        folder = folder or self.cache_folder()
        # Sets of one package share a folder.
        return all(any(folder.rglob(f"*.{entry}-*.nbc")) for entry in self.entries)

    def would_compile(self) -> bool:
        """Return whether `load` would compile, for which somebody has to wait."""
        from demine.kernels.background import compile_setting

        if self.is_loaded or not numba_available() or not compile_setting().compiles:
            return False
        return not self.is_cached()

    def has_cached_entry(self) -> bool:
        """Return whether an entry that is not loaded yet may be in the cache. Needs Numba."""
        return not self.is_loaded and self.cache_folder().is_dir()

    def can_write_cache(self) -> bool:
        """Return whether the cache folder can be written; creates it if missing. Needs Numba."""
        from demine.kernels import cache

        return cache.ensure_writable(self.cache_folder())

    def kernel_names(self) -> frozenset[str]:
        """Return the names of all kernels, including those that only other kernels call."""
        from demine.kernels import build

        return frozenset(build.plain_kernels(self.import_modules()))


def numba_available() -> bool:
    """Return whether Numba is installed, so that kernels can be compiled or loaded."""
    return find_spec("numba") is not None


def load_sets(
    sets: Sequence[KernelSet],
    progress: Callable[[int, int], object] | None = None,
    *,
    anyway: bool = False,
) -> bool:
    """Load sets of kernels one after the other; return whether all are loaded.

    `progress` is called with the number of entries of all sets that are ready, and that of all;
    `anyway` is that of `KernelSet.load`.
    """
    shared: InnerKernels = {}
    number = sum(len(each.entries) for each in sets)
    before, told = 0, -1
    for each in sets:

        def tell(done: int, _number: int, before: int = before) -> None:
            nonlocal told
            # A set begins with what the one before ended with.
            if progress is not None and before + done > told:
                told = before + done
                progress(told, number)

        if not each.load(tell, shared, anyway=anyway):
            return False
        before += len(each.entries)
    return True


def kernel_set_by_name(name: str) -> KernelSet:
    """Return the set that a name such as `package.module:SET` refers to."""
    module, _, attribute = name.partition(":")
    found: KernelSet = getattr(import_module(module), attribute)
    return found


def are_cached(sets: Iterable[KernelSet]) -> bool:
    """Return whether all entries of all sets are cached, so that they load quickly. Needs Numba."""
    return all(each.is_cached() for each in sets)


@contextmanager
def report_compilations(on_compiled: Callable[[str], object]) -> Iterator[None]:
    """Call `on_compiled` with the name of each kernel compiled within this context; needs Numba.

    A kernel that only other kernels call is compiled with the first of them.
    """
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, _event: Any) -> None:  # noqa: ANN401
            """Ignore the start: only finished compilations are reported."""

        def on_end(self, ended: Any) -> None:  # noqa: ANN401
            # The event's own `is_failed` is the wrong way round in Numba 0.68.
            if sys.exception() is None:
                on_compiled(ended.data["dispatcher"].py_func.__name__)

    with event.install_listener("numba:compile", Listener()):
        yield


def accept_read_only_arrays(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls a kernel with copies of its read-only arrays."""

    def fast(*arguments: Any) -> Any:  # noqa: ANN401 - Numba has no types
        return kernel(*map(copy_if_read_only, arguments))

    return fast


def copy_if_read_only(argument: Any) -> Any:  # noqa: ANN401
    """Return an argument for a kernel: a copy if it is a read-only array, else unchanged."""
    # Without importing NumPy: windows declare kernels before it is loaded.
    flags = getattr(argument, "flags", None)
    return argument if flags is None or flags.writeable else argument.copy()
