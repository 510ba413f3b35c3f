"""The one place where kernels are compiled."""

from __future__ import annotations

import hashlib
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from demine.solver._kernels import (
    chain,
    component,
    count,
    ground,
    hand,
    look,
    meet,
    moves,
    order,
    parts,
    prove,
    whole,
    wom,
    zini,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


class Kit(NamedTuple):
    """Kernels that are compiled together: what a kernel calls is in a module of its kit."""

    modules: tuple[ModuleType, ...]
    entries: tuple[str, ...]
    """Those that are called from outside, the most wanted first."""
    signatures: Callable[[], Mapping[str, tuple[Any, ...]]]
    """Tells the types of what the entries are called with."""


ENTRIES: Final = (
    "solve_many", "seek", "zini_clear", "hand_play", "parts_label", "moves_read", "chain_least",
    "wom_clear",
)  # fmt: skip
"""The kernels that are called from outside, the most wanted first; the others are compiled into
them, again for each."""
# Nobody but other kernels calls them: ways in from Python would only take time to make.
_INNER: Final[Mapping[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_MODULES: Final = (
    look,
    order,
    count,
    meet,
    whole,
    ground,
    component,
    prove,
    zini,
    chain,
    wom,
    hand,
    parts,
    moves,
)


def fingerprint(kit: Kit | None = None) -> str:
    """Return a name for just these kernels, in this place, and for what compiles them here.

    Numba's own cache looks at one file at a time: a kernel that calls one in another file would
    keep the old one after that file has changed. Under a name of all sources nothing is stale.
    What it keeps it finds again only for a file of the same path and time: where another copy of
    demine has compiled the same kernels, nothing is there for this one.
    """
    if kit is None:
        sources = sorted(Path(__file__).parent.glob("*.py"))
    else:
        sources = [Path(module.__file__ or "") for module in kit.modules]
    parts = [
        *(source.read_bytes() for source in sources),
        *(f"{source} {source.stat().st_mtime_ns}".encode() for source in sources),
        *(f"{name} {version(name)}".encode() for name in ("numba", "llvmlite", "numpy")),
        f"{sys.implementation.cache_tag} {sys.version} {platform.machine()}".encode(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]


def build(
    cache: Path | None,
    ready: Callable[[str, Any], object],
    entries: Collection[str] = ENTRIES,
    kit: Kit | None = None,
) -> None:
    """Compile the kernels or load them from the folder `cache`.

    `ready` is called with the name of each entry and the entry, as soon as it can be called.
    `kit` is that of a single question unless another is given.
    """
    import numba
    from numba.core import config

    kit = kit or SOLVER
    inner = {**_INNER, **_unoptimised()}
    shapes = {name: shape for name, shape in kit.signatures().items() if name in entries}

    def jit(kernel: FunctionType) -> Any:  # noqa: ANN401 - Numba has no types
        if kernel.__name__ not in shapes:
            return numba.njit(**inner)(kernel)
        # Other threads go on meanwhile: a window, say.
        made = numba.njit(cache=cache is not None, nogil=True)(kernel)
        made.compile(shapes[kernel.__name__])
        # From here on an argument of another kind is an error and not a compilation.
        made.disable_compile()
        ready(kernel.__name__, made)
        return made

    # The setting belongs to the whole process, and other users of Numba want it as it was.
    kept = vars(config)["CACHE_DIR"]
    vars(config)["CACHE_DIR"] = str(cache) if cache is not None else kept
    try:
        compiled(jit, kit)
    finally:
        vars(config)["CACHE_DIR"] = kept


def _unoptimised() -> dict[str, Any]:
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


def signatures() -> dict[str, tuple[Any, ...]]:
    """Return the types of what the entries are called with."""
    from numba import types

    def flat(kind: object) -> Any:  # noqa: ANN401 - Numba has no types
        return types.Array(kind, 1, "C")

    def table(kind: object) -> Any:  # noqa: ANN401
        return types.Array(kind, 2, "C")

    number, faces, chances = types.int64, flat(types.uint8), flat(types.float64)
    work = flat(number)
    marks, numbers = table(types.uint8), table(number)
    return {
        "solve_many": (faces, number, number, work, chances, work, chances, flat(types.boolean)),
        "seek": (faces, work, work, faces, work, work),
        "hand_play": (
            work,
            faces,
            work,
            table(number),
            faces,
            faces,
            work,
            table(types.uint8),
            work,
            work,
            work,
            table(number),
        ),
        "moves_read": (
            faces,
            number,
            number,
            number,
            number,
            work,
            faces,
            flat(types.int32),
            flat(types.int32),
            work,
        ),
        "parts_label": (faces, number, work, work),
        "zini_clear": (faces, number, number, work, marks, numbers),
        "chain_least": (faces, number, numbers, marks, numbers, work),
        "wom_clear": (faces, number, number, number, marks, numbers, marks, numbers),
    }


SOLVER: Final = Kit(_MODULES, ENTRIES, signatures)
"""What single questions, hints and statistics need."""


def plain(kit: Kit = SOLVER) -> dict[str, FunctionType]:
    """Return every kernel by name, as it was written."""
    return {
        kernel.__name__: kernel
        for module in kit.modules
        for kernel in vars(module).values()
        if isinstance(kernel, FunctionType) and kernel.__module__ == module.__name__
    }


def compiled(jit: Callable[[FunctionType], Any], kit: Kit = SOLVER) -> Mapping[str, Any]:
    """Return every kernel by name, compiled by `jit`, so that they call each other compiled.

    What is compiled are copies with globals of their own: the functions themselves stay plain.
    """
    kernels = plain(kit)
    # Each module's own constants: others may have different ones by the same names.
    worlds = {
        module.__name__: {
            name: value for name, value in vars(module).items() if name not in kernels
        }
        for module in kit.modules
    }
    made: dict[str, Any] = {}
    # Callees first: Numba looks a name up when it compiles what uses it. Entries are called by no
    # other, and come last, in their own order, since only they take time.
    while kernels:
        inner = [name for name in kernels if name not in kit.entries]
        for name in inner or [name for name in kit.entries if name in kernels]:
            kernel = kernels[name]
            if not kernels.keys() & set(kernel.__code__.co_names):
                copy = FunctionType(kernel.__code__, worlds[kernel.__module__] | made, name)
                copy.__module__, copy.__qualname__ = kernel.__module__, kernel.__qualname__
                made[name] = jit(copy)
                del kernels[name]
    return made
