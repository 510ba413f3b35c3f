"""Sets of kernels that are compiled together, and the compiled ones for whoever asks.

Nothing is compiled unless `load_sets` is called, by a program that has the time or in another
thread: kernels are never in the way of a single question. Until then `compiled_kernel` has nothing,
and the plain function answers.
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
    """Kernels that are compiled together: what a kernel calls is in a module of its set.

    `entries` are those that are called from Python, the most wanted first, with their Numba
    signatures. Modules are named and imported when they are compiled, since most programs never
    do. With `takes_read_only` the entries take arrays that nobody may write to, as a plain function
    does; they must not write to them.
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
        """Return the compiled kernel of an entry, or None until it is loaded; never waits."""
        return self.loaded.get(entry)

    @property
    def is_loaded(self) -> bool:
        """Whether all entries are loaded; never waits."""
        return self.loaded.keys() >= self.entries.keys()

    def load(self, progress: Callable[[int, int], object] | None = None) -> bool:
        """Load the entries, compiling them where the cache has none; return whether it could.

        Without Numba (the extra `solver`) nothing happens and the answer is False. Each entry is in
        use as soon as it is ready. `progress` is called with how many are ready and how many there
        are. Raises ImportError for a Numba that cannot be loaded.
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
            self.loaded[name] = accepting_read_only(kernel) if self._takes_read_only else kernel
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
        """Return the folder that the kernels are kept in; it need not exist. Numba is needed."""
        from demine.kernels import build, cache

        return cache.kernel_cache_folder() / build.source_fingerprint(self.import_modules())

    def is_cached(self, folder: Path | None = None) -> bool:
        """Whether `load_sets` will find all entries in the cache. Numba is needed.

        `folder` is what `cache_folder()` returned before, while an upgrade may be on its way.
        """
        from demine.kernels import cache

        return cache.is_complete(folder or self.cache_folder(), len(self.entries))

    def can_write_cache(self) -> bool:
        """Whether kernels can be cached for the next process; makes the folder for them."""
        from demine.kernels import cache

        return cache.ensure_writable(self.cache_folder())

    def kernel_names(self) -> frozenset[str]:
        """Return the names of all kernels, including those that only other kernels call."""
        from demine.kernels import build

        return frozenset(build.plain_kernels(self.import_modules()))


def numba_available() -> bool:
    """Whether Numba is installed, so that kernels can be compiled or loaded."""
    return find_spec("numba") is not None


def load_sets(sets: Iterable[KernelSet]) -> bool:
    """Load sets of kernels, one after the other; return whether it could: Numba is needed."""
    loaded = [each.load() for each in sets]
    return all(loaded)


def kernel_set_by_name(name: str) -> KernelSet:
    """Return the set of a name such as `package.module:SET`."""
    module, _, attribute = name.partition(":")
    found: KernelSet = getattr(import_module(module), attribute)
    return found


def are_cached(sets: Iterable[KernelSet]) -> bool:
    """Whether `load_sets` will find all sets in the cache: a moment rather than many seconds."""
    return all(each.is_cached() for each in sets)


@contextmanager
def report_compilations(on_compiled: Callable[[str], object]) -> Iterator[None]:
    """Call `on_compiled` with the name of each kernel compiled within this context; needs Numba.

    A kernel that only others call is compiled when the first of them needs it.
    """
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, _event: Any) -> None:  # noqa: ANN401
            """Ignore the start: only what was compiled is reported."""

        def on_end(self, ended: Any) -> None:  # noqa: ANN401
            # The event's own word for it, `is_failed`, says the opposite in Numba 0.68.
            if sys.exception() is None:
                on_compiled(ended.data["dispatcher"].py_func.__name__)

    with event.install_listener("numba:compile", Listener()):
        yield


def accepting_read_only(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel that takes read-only arrays too, as the plain function does."""

    def fast(*arguments: Any) -> Any:  # noqa: ANN401 - Numba has no types
        return kernel(*map(writable_copy, arguments))

    return fast


def writable_copy(argument: Any) -> Any:  # noqa: ANN401
    """Return an array that kernels accept: a copy if it is read-only."""
    # NumPy is not imported for this: windows declare kernels before they have it.
    flags = getattr(argument, "flags", None)
    return argument if flags is None or flags.writeable else argument.copy()
