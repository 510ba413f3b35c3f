"""Compiles kernels with Numba; nothing else does."""

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

# Only other kernels call these: wrappers for Python would only take time to compile.
_INNER_KERNEL_OPTIONS: Final[Mapping[str, Any]] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_CONFIG_LOCK: Final = threading.Lock()


def cache_folder_name(modules: Sequence[ModuleType]) -> str:
    """Return a name for the cache folder of these kernels: a hash of their sources and compiler.

    Numba's own cache checks one file at a time, so a kernel that uses a function or constant of
    another file would be stale after that file has changed. This name changes with any file beside
    the kernels, so nothing is stale. It includes paths and modification times, because Numba finds
    a cached kernel only for the same path and time.
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
    """Compile the kernels of modules, or load them from `cache_folder` as far as they are there.

    `entries` are the kernels that are called from Python, by name, with their Numba signatures.
    `on_ready` is called with the name and the compiled function of each as soon as it is ready.
    """
    import numba

    inner = {**_INNER_KERNEL_OPTIONS, **_unoptimised_options()}

    def jit(kernel: FunctionType) -> Any:  # noqa: ANN401 - Numba has no types
        signature = entries.get(kernel.__name__)
        if signature is None:
            return numba.njit(**inner)(kernel)
        with _numba_cache_folder(cache_folder):
            # Without the GIL, so that other threads, such as a window, go on meanwhile.
            made = numba.njit(cache=cache_folder is not None, nogil=True)(kernel)
        made.compile(signature)
        # From here on an argument of another type is an error instead of a compilation.
        made.disable_compile()
        on_ready(kernel.__name__, made)
        return made

    compile_callees_first(jit, modules, entries)


@contextmanager
def _numba_cache_folder(folder: Path | None) -> Iterator[None]:
    """Make Numba cache functions that are decorated within this context in a folder.

    The setting is global to the process, so it is restored for other users of Numba.
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
    """Return options that make Numba optimise a kernel only as a part of the entries that call it.

    Otherwise it would also optimise each kernel by itself, with all that it calls, which takes a
    third of the compilation time and makes no entry faster. Numba documents how to replace the
    compiler, but not the two names imported here: without them only that time is lost.
    """
    try:
        from numba.core.codegen import JITCodeLibrary
        from numba.core.compiler import Compiler
    except ImportError:
        return {}

    class Library(JITCodeLibrary):  # type: ignore[misc, unused-ignore]
        def _optimize_final_module(self) -> None:
            """Do nothing: the entry that calls this kernel optimises it."""

    class Inner(Compiler):  # type: ignore[misc, unused-ignore]
        def define_pipelines(self) -> Any:  # noqa: ANN401 - Numba has no types
            state, library = self.state, cast("Any", Library)
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return cast("Any", super()).define_pipelines()

    return {"pipeline_class": Inner}


def plain_kernels(modules: Sequence[ModuleType]) -> dict[str, FunctionType]:
    """Return every kernel of modules by name, as a plain Python function."""
    return {
        kernel.__name__: kernel
        for module in modules
        for kernel in vars(module).values()
        if isinstance(kernel, FunctionType) and kernel.__module__ == module.__name__
    }


def compile_callees_first(
    jit: Callable[[FunctionType], Any], modules: Sequence[ModuleType], entries: Mapping[str, str]
) -> None:
    """Call `jit` for every kernel, callees first, so that compiled kernels call compiled ones.

    Copies with their own globals are compiled; the functions themselves stay plain.
    """
    kernels = plain_kernels(modules)
    # Each module keeps its own constants, since others may use the same names.
    worlds = {
        module.__name__: {
            name: value for name, value in vars(module).items() if name not in kernels
        }
        for module in modules
    }
    made: dict[str, Any] = {}
    # Numba looks a name up when it compiles a function that uses it. Entries are called by no other
    # kernel and come last, in their own order, since only they take time.
    while kernels:
        inner = [name for name in kernels if name not in entries]
        for name in inner or [name for name in entries if name in kernels]:
            kernel = kernels[name]
            if not kernels.keys() & set(kernel.__code__.co_names):
                copy = FunctionType(kernel.__code__, worlds[kernel.__module__] | made, name)
                copy.__module__, copy.__qualname__ = kernel.__module__, kernel.__qualname__
                made[name] = jit(copy)
                del kernels[name]
