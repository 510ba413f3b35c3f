"""Compiles kernels with Numba; nothing else does."""

from __future__ import annotations

import hashlib
import operator
import platform
import sys
import threading
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_NO_WRAPPERS: Final[Mapping[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""What is not called from Python needs nothing that would make it so."""
_CONFIG_LOCK: Final = threading.Lock()
_FRAME_SLOTS: Final = 80_000
"""Slots of a frame for which CPython takes 1 MB, of which it leaves 400 kB to the frames above."""
InnerKernels: TypeAlias = "dict[tuple[object, ...], Any]"
"""Kernels that only other kernels call, as Numba has them, by their names and all that they use."""


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
    shared: InnerKernels | None = None,
) -> None:
    """Compile the kernels of modules, or load them from `cache_folder` as far as they are there.

    `entries` are the kernels that are called from Python, by name, with their Numba signatures.
    `on_ready` is called with the name and the compiled function of each as soon as it is ready.
    `shared` are the kernels that earlier calls compiled, which this one uses and adds to.
    """
    import numba

    inner = _inner_kernel_options()
    shared = {} if shared is None else shared

    def jit(kernel: FunctionType) -> Any:  # noqa: ANN401 - Numba has no types
        signature = entries.get(kernel.__name__)
        if signature is None:
            key = kernel.__module__, kernel.__qualname__, *_ids_of_globals(kernel)
            if key not in shared:
                options = {
                    **inner,
                    "forceinline": "inlined" in vars(kernel),
                    "_nrt": "makes_arrays" in vars(kernel),
                }
                shared[key] = _without_literal_types(numba.njit(**options)(kernel))
            return shared[key]
        made = _entry(kernel, signature, cache_folder)
        on_ready(kernel.__name__, made)
        return made

    in_one_chunk(lambda: compile_callees_first(jit, modules, entries))


def in_one_chunk(work: Callable[[], object]) -> None:
    """Call a function above a frame that is so large that all frames within it share its memory.

    CPython takes memory for frames in chunks of 16 kB and gives each back with its last frame.
    Numba calls so deeply that some of its busiest functions begin a chunk, and a quarter of the
    time went into asking the system for two million chunks, one for a call.
    """

    def call() -> None:
        work()

    call.__code__ = call.__code__.replace(co_stacksize=_FRAME_SLOTS)
    call()


def _ids_of_globals(kernel: FunctionType) -> list[int]:
    # In another set a kernel of the same name may be another one.
    used = kernel.__code__.co_names
    return [id(kernel.__globals__[name]) for name in used if name in kernel.__globals__]


def load_cached(
    modules: Sequence[ModuleType], entry: str, signature: str, cache_folder: Path
) -> Any:  # noqa: ANN401 - Numba has no types
    """Return the kernel of an entry from the cache, or None if it is not there."""
    from numba.core.errors import TypingError

    if not any(cache_folder.rglob(f"*.{entry}-*.nbc")):
        return None
    kernel = plain_kernels(modules)[entry]
    # The functions that it calls are not given, so it cannot be compiled instead.
    copy = FunctionType(kernel.__code__, {"__name__": kernel.__module__}, entry)
    copy.__module__, copy.__qualname__ = kernel.__module__, kernel.__qualname__
    try:
        return _entry(copy, signature, cache_folder)
    except TypingError:
        return None


def _entry(kernel: FunctionType, signature: str, cache_folder: Path | None) -> Any:  # noqa: ANN401
    """Return a kernel for calls from Python, from the cache if it is there, else compiled."""
    import numba

    with _numba_cache_folder(cache_folder):
        # Without the GIL, so that other threads, such as a window, go on meanwhile.
        made = numba.njit(cache=cache_folder is not None, nogil=True)(kernel)
    made.compile(signature)
    # From here on an argument of another type is an error instead of a compilation.
    made.disable_compile()
    return made


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


def _inner_kernel_options() -> dict[str, Any]:
    """Return the options for kernels that only other kernels call.

    With them Numba types and lowers a kernel, and leaves optimising and machine code to the entries
    that call it, which do both for all that they call. Otherwise it does so for each kernel and all
    below it, over and over, which is a quarter of the time and makes no entry faster. Numba
    documents how to replace the compiler, but not what is replaced here: without that, only the
    time is lost.

    In these kernels an index counts from the start of an array and is never negative. Numba would
    look at each whether it counts from the end, which is a quarter of the time of a game.
    """
    try:
        from numba._dynfunc import make_function
        from numba.core.codegen import JITCodeLibrary
        from numba.core.compiler import Compiler
    except ImportError:
        return dict(_NO_WRAPPERS)

    class Library(JITCodeLibrary):  # type: ignore[misc, unused-ignore]
        def finalize(self) -> None:
            """Link the callees, and do nothing else."""
            for library in dict.fromkeys(self._linking_libraries):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)  # noqa: SLF001
            self._finalized = True

    def never_called(library: Any, descriptor: Any, environment: Any) -> Any:  # noqa: ANN401
        """Return what stands for the executable, of which there is none."""
        module, name = descriptor.lookup_module(), descriptor.qualname
        return make_function(module, name, "", 0, environment, (library,))

    class Inner(Compiler):  # type: ignore[misc, unused-ignore]
        def define_pipelines(self) -> Any:  # noqa: ANN401 - Numba has no types
            state, library = self.state, cast("Any", Library)
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.targetctx = state.targetctx.subtarget(
                get_executable=never_called,
                get_function=_function_finder(state.targetctx.get_function),
            )
            return cast("Any", super()).define_pipelines()

    return {**_NO_WRAPPERS, "pipeline_class": Inner}


def _function_finder(find: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that finds what Numba does for a signature, as `find` does.

    An integer that is an index of an array is taken as unsigned, which cannot count from the end.
    """
    from numba import types

    def find_function(function: Any, signature: Any, **options: Any) -> Any:  # noqa: ANN401
        operation = getattr(function, "typing_key", None)
        if operation in {operator.getitem, operator.setitem}:
            array, index, *value = signature.args
            if isinstance(array, types.Array) and index == types.int64:
                from_start = signature.replace(args=(array, types.uint64, *value))
                return find(operation, from_start, **options)
        return find(function, signature, **options)

    return find_function


def _without_literal_types(dispatcher: Any) -> Any:  # noqa: ANN401 - Numba has no types
    """Have a kernel compiled once for all integers, and not again for constant arguments.

    Where a constant makes code faster, the optimiser of the entry still sees it.
    """
    from numba import types

    typed = dispatcher.get_call_template

    def get_call_template(arguments: Iterable[Any], keywords: Any) -> Any:  # noqa: ANN401
        return typed(tuple(map(types.unliteral, arguments)), keywords)

    dispatcher.get_call_template = get_call_template
    return dispatcher


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
                vars(copy).update(vars(kernel))
                made[name] = jit(copy)
                del kernels[name]
