"""Sets of kernels that are compiled together, and access to the compiled kernels.

Nothing is compiled unless `load_sets` or `KernelSet.load` is called, by a program that has the time
or in another thread. Until then `compiled_kernel` returns None, and callers use the plain function.
"""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType


class KernelSet:
    """Kernels that are compiled together: everything that a kernel calls is in a module of its set.

    `entries` are the kernels that are called from Python, by name, with their Numba signatures, the
    most needed first. Modules are given by name and imported only to be compiled, which most
    programs never do. With `takes_read_only` the entries accept read-only arrays, as plain
    functions do; they must not write to them.
    """

    def __init__(
        self, modules: Sequence[str], entries: Mapping[str, str], *, takes_read_only: bool = False
    ) -> None:
        self.modules = tuple(modules)
        self.entries = dict(entries)
        self.loaded: dict[str, Callable[..., Any]] = {}
        """The entries that are ready, by name."""
        self._takes_read_only = takes_read_only
        self._lock = threading.Lock()

    def compiled_kernel(self, entry: str) -> Callable[..., Any] | None:
        """Return the compiled kernel of an entry, or None if it is not loaded; never waits."""
        return self.loaded.get(entry)

    @property
    def is_loaded(self) -> bool:
        """Whether all entries are loaded; never waits."""
        return self.loaded.keys() >= self.entries.keys()

    def load(self, progress: Callable[[int, int], object] | None = None) -> bool:
        """Load the entries, compiling those that are not cached; return whether Numba is installed.

        Without Numba (the extra `solver`) nothing happens. Each entry can be used as soon as it is
        ready. `progress` is called with the number of entries that are ready and that of all.
        Raises ImportError if Numba cannot be imported.
        """
        if not numba_available():
            return False
        from demine.kernels import cache

        with self._lock:
            if not self.is_loaded:
                cache.fill_or_load_cache(
                    self.cache_folder(),
                    len(self.entries),
                    lambda folder: self._build(folder, progress),
                )
            elif progress is not None:
                progress(len(self.entries), len(self.entries))
        return True

    def _build(
        self, folder: Path | None, progress: Callable[[int, int], object] | None = None
    ) -> None:
        from demine.kernels import build

        done: list[str] = []

        def ready(name: str, kernel: Callable[..., Any]) -> None:
            self.loaded[name] = accept_read_only_arrays(kernel) if self._takes_read_only else kernel
            done.append(name)
            if progress is not None:
                progress(len(done), len(self.entries))

        if progress is not None:
            progress(0, len(self.entries))
        build.compile_or_load(self.import_modules(), self.entries, folder, ready)

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
        from demine.kernels import cache

        return cache.is_complete(folder or self.cache_folder(), len(self.entries))

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


def load_sets(sets: Iterable[KernelSet]) -> bool:
    """Load sets of kernels one after the other; return whether Numba is installed."""
    loaded = [each.load() for each in sets]
    return all(loaded)


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
