"""The one place where kernels are compiled."""

from __future__ import annotations

import hashlib
import platform
import sys
import threading
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

# Nobody but other kernels calls them: ways in from Python would only take time to make.
_INNER_KERNEL_OPTIONS: Final[Mapping[str, Any]] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_CONFIG_LOCK: Final = threading.Lock()


def source_fingerprint(modules: Sequence[ModuleType]) -> str:
    """Return a name for just these kernels, in this place, and for what compiles them here.

    Numba's own cache looks at one file at a time: a kernel that calls one in another file would
    keep the old one after that file has changed, and so would one that reads a constant from it.
    Under a name of all files beside the kernels nothing is stale. What Numba keeps it finds again
    only for a file of the same path and time: where another copy of demine has compiled the same
    kernels, nothing is there for this one.
    """
    folders = {Path(module.__file__ or "").parent for module in modules}
    sources = sorted({Path(__file__), *(file for each in folders for file in each.glob("*.py"))})
    parts = [
        *(source.read_bytes() for source in sources),
        *(f"{source} {source.stat().st_mtime_ns}".encode() for source in sources),
        *(f"{name} {version(name)}".encode() for name in ("numba", "llvmlite", "numpy")),
        f"{sys.implementation.cache_tag} {sys.version} {platform.machine()}".encode(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]


def compile_or_load(
    modules: Sequence[ModuleType],
    entries: Mapping[str, str],
    cache_folder: Path | None,
    on_ready: Callable[[str, Any], object],
) -> None:
    """Compile the kernels of modules, or load them from the folder `cache_folder`.

    `entries` are those that are called from Python, with their Numba signatures. `on_ready` is
    called with the name of each and its compiled function, as soon as it can be called.
    """
    import numba

    inner = {**_INNER_KERNEL_OPTIONS, **_unoptimised_options()}

    def jit(kernel: FunctionType) -> Any:  # noqa: ANN401 - Numba has no types
        signature = entries.get(kernel.__name__)
        if signature is None:
            return numba.njit(**inner)(kernel)
        with _numba_cache_folder(cache_folder):
            # Other threads go on meanwhile: a window, say.
            made = numba.njit(cache=cache_folder is not None, nogil=True)(kernel)
        made.compile(signature)
        # From here on an argument of another kind is an error and not a compilation.
        made.disable_compile()
        on_ready(kernel.__name__, made)
        return made

    compile_callees_first(jit, modules, entries)


@contextmanager
def _numba_cache_folder(folder: Path | None) -> Iterator[None]:
    """Let Numba keep what is decorated meanwhile in a folder.

    The setting belongs to the whole process, and other users of Numba want it as it was.
    """
    from numba.core import config

    with _CONFIG_LOCK:
        before = vars(config)["CACHE_DIR"]
        vars(config)["CACHE_DIR"] = before if folder is None else str(folder)
        try:
            yield
        finally:
            vars(config)["CACHE_DIR"] = before


def _unoptimised_options() -> dict[str, Any]:
    """Return what lets Numba optimise a kernel only as a part of the entries that call it.

    It would otherwise optimise each, with all that it calls, as if it were called from Python,
    which takes a third of the time to compile and makes no entry faster. Numba documents the way to
    another compiler, not the two names used here: without them nothing but that time is lost.
    """
    try:
        from numba.core.codegen import JITCodeLibrary
        from numba.core.compiler import Compiler
    except ImportError:
        return {}

    class Library(JITCodeLibrary):  # type: ignore[misc, unused-ignore]
        def _optimize_final_module(self) -> None:
            """Leave it to the entry."""

    class Inner(Compiler):  # type: ignore[misc, unused-ignore]
        def define_pipelines(self) -> Any:  # noqa: ANN401 - Numba has no types
            state, library = self.state, cast("Any", Library)
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return cast("Any", super()).define_pipelines()

    return {"pipeline_class": Inner}


def plain_kernels(modules: Sequence[ModuleType]) -> dict[str, FunctionType]:
    """Return every kernel of modules by name, as it was written."""
    return {
        kernel.__name__: kernel
        for module in modules
        for kernel in vars(module).values()
        if isinstance(kernel, FunctionType) and kernel.__module__ == module.__name__
    }


def compile_callees_first(
    jit: Callable[[FunctionType], Any], modules: Sequence[ModuleType], entries: Mapping[str, str]
) -> None:
    """Hand every kernel to `jit`, callees first, so that they call each other compiled.

    What is compiled are copies with globals of their own: the functions themselves stay plain.
    """
    kernels = plain_kernels(modules)
    # Each module's own constants: others may have different ones by the same names.
    worlds = {
        module.__name__: {
            name: value for name, value in vars(module).items() if name not in kernels
        }
        for module in modules
    }
    made: dict[str, Any] = {}
    # Numba looks a name up when it compiles what uses it. Entries are called by no other, and come
    # last, in their own order, since only they take time.
    while kernels:
        inner = [name for name in kernels if name not in entries]
        for name in inner or [name for name in entries if name in kernels]:
            kernel = kernels[name]
            if not kernels.keys() & set(kernel.__code__.co_names):
                copy = FunctionType(kernel.__code__, worlds[kernel.__module__] | made, name)
                copy.__module__, copy.__qualname__ = kernel.__module__, kernel.__qualname__
                made[name] = jit(copy)
                del kernels[name]
