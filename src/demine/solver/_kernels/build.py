"""The one place where kernels are compiled."""

from __future__ import annotations

import hashlib
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from demine.solver._kernels import count, look, meet, order, places, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ENTRIES: Final = ("solve_many",)
"""The kernels that are called from outside; the others are compiled into them, again for each."""
# Nobody but other kernels calls them: ways in from Python would only take time to make.
_INNER: Final[Mapping[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_MODULES: Final = (look, order, count, meet, whole)


def fingerprint() -> str:
    """Return a name for just these kernels, these versions of what compiles them, this machine.

    Numba's own cache looks at one file at a time: a kernel that calls one in another file would
    keep the old one after that file has changed. Under a name of all sources nothing is stale.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    parts = [
        *(source.read_bytes() for source in sources),
        *(f"{name} {version(name)}".encode() for name in ("numba", "llvmlite", "numpy")),
        f"{sys.implementation.cache_tag} {sys.version} {platform.machine()}".encode(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]


def build(cache: Path | None, progress: Callable[[int, int], object]) -> Mapping[str, Any]:
    """Compile the kernels or load them from the folder `cache`; return the entries by name.

    `progress` is called with how many entries are ready and how many there are.
    """
    import numba
    from numba.core import config

    shapes = signatures()
    ready = 0

    def jit(kernel: FunctionType) -> Any:  # noqa: ANN401 - Numba has no types
        nonlocal ready
        if kernel.__name__ not in shapes:
            return numba.njit(**_INNER)(kernel)
        made = numba.njit(cache=cache is not None)(kernel)
        made.compile(shapes[kernel.__name__])
        # From here on an argument of another kind is an error and not a compilation.
        made.disable_compile()
        ready += 1
        progress(ready, len(shapes))
        return made

    progress(0, len(shapes))
    # The setting belongs to the whole process, and other users of Numba want it as it was.
    kept = vars(config)["CACHE_DIR"]
    vars(config)["CACHE_DIR"] = str(cache) if cache is not None else kept
    try:
        world = compiled(jit)
    finally:
        vars(config)["CACHE_DIR"] = kept
    return {name: world[name] for name in ENTRIES}


def signatures() -> dict[str, tuple[Any, ...]]:
    """Return the types of what the entries are called with."""
    from numba import types

    def flat(kind: object) -> Any:  # noqa: ANN401 - Numba has no types
        return types.Array(kind, 1, "C")

    number, faces, chances = types.int64, flat(types.uint8), flat(types.float64)
    work = flat(number)
    return {
        "solve_many": (faces, number, number, work, chances, work, chances, flat(types.boolean))
    }


def compiled(jit: Callable[[FunctionType], Any]) -> Mapping[str, Any]:
    """Return every kernel by name, compiled by `jit`, so that they call each other compiled.

    What is compiled are copies with globals of their own: the functions themselves stay plain.
    """
    kernels = {
        kernel.__name__: kernel
        for module in _MODULES
        for kernel in vars(module).values()
        if isinstance(kernel, FunctionType) and kernel.__module__ == module.__name__
    }
    world: dict[str, Any] = {
        name: value for name, value in (vars(places) | vars(whole)).items() if name not in kernels
    }
    # Callees first: Numba looks a name up when it compiles what uses it.
    while kernels:
        for name, kernel in list(kernels.items()):
            if not kernels.keys() & set(kernel.__code__.co_names):
                copy = FunctionType(kernel.__code__, world, name)
                copy.__module__, copy.__qualname__ = kernel.__module__, kernel.__qualname__
                world[name] = jit(copy)
                del kernels[name]
    return world
