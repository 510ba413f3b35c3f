"""The compiled kernels: loaded when asked for, never in the way of a single question.

`warm` loads them from the cache, or compiles them, which takes seconds. Until it has been called,
by a program that has the time or in another thread, the plain engine answers. The cache lies in the
user's cache folder under a name made from the kernels' source and the versions of all that compiles
them, so that nothing stale is ever loaded; a damaged cache is thrown away, and without a place to
write the kernels are compiled for this process alone.
"""

from __future__ import annotations

import pickle
import shutil
import tempfile
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine.solver._kernels.places import PADDED, VALUES_SIZE, WORK_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import TypeAlias

    from numpy.typing import NDArray

    _Arrays: TypeAlias = tuple[
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.uint8],
        NDArray[np.int64],
        NDArray[np.bool_],
    ]

BREATH: Final = 2048
"""So many boards are solved without letting go: a few hundredths of a second."""
# What Numba raises when it loads a file that was cut short or is not its own.
_DAMAGE: Final = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, KeyError, OSError,
    TypeError, ValueError,
)  # fmt: skip


class Engine:
    """Kernels that are ready, with work arrays for each thread."""

    def __init__(self, kernels: Mapping[str, Any]) -> None:
        self._solve_many = kernels["solve_many"]
        self._local = threading.local()

    def probability(self, faces: NDArray[np.uint8], mines: int) -> NDArray[np.float64] | None:
        """Return what `mine_probability` does, or None for what the plain engine must answer.

        `faces` is any uint8 array of two dimensions; what is wrong with it comes back as None too.
        """
        height, width = faces.shape
        if not 0 <= mines <= height * width <= PADDED:
            return None
        work, values, buffer, number, beyond = self._arrays()
        flat = buffer[: height * width]
        flat.reshape(height, width)[:] = faces
        number[0] = mines
        out = np.empty((height, width))
        self._solve_many(flat, height, width, number, out.reshape(-1), work, values, beyond)
        return None if beyond[0] else out

    def many(
        self, faces: NDArray[np.uint8], mines: NDArray[np.int64], out: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Write the probabilities of many boards into `out`, and return which are left to do.

        All arrays are contiguous and writable: `(boards, height, width)` and `(boards,)`.
        """
        boards, height, width = faces.shape
        beyond = np.ones(boards, np.bool_)
        work, values, *_ = self._arrays()
        for at in range(0, boards, BREATH):
            # A slice at a time: between them other threads run and Ctrl-C is heard.
            part = slice(at, at + BREATH)
            flat, result = faces[part].reshape(-1), out[part].reshape(-1)
            self._solve_many(flat, height, width, mines[part], result, work, values, beyond[part])
        return beyond

    def _arrays(self) -> _Arrays:
        """The arrays of this thread."""
        local = self._local
        try:
            arrays: _Arrays = local.arrays
        except AttributeError:
            arrays = local.arrays = (
                np.zeros(WORK_SIZE, np.int64),
                np.zeros(VALUES_SIZE),
                np.zeros(PADDED, np.uint8),
                np.zeros(1, np.int64),
                np.zeros(1, np.bool_),
            )
        return arrays


class _Shop:
    """The one engine of this process, once it is ready."""

    engine: Engine | None = None
    lock = threading.Lock()


def engine() -> Engine | None:
    """Return the compiled engine if it is ready; never waits."""
    return _Shop.engine


def available() -> bool:
    """Whether Numba is installed, so that `warm` can do something."""
    return find_spec("numba") is not None


def warm(progress: Callable[[int, int], object] | None = None) -> bool:
    """Load the compiled kernels, compiling them where the cache has none; return whether it could.

    Without Numba (the extra `solver`) nothing happens and the answer is False. `progress` is called
    with how many kernels are ready and how many there are. From then on this process solves common
    positions compiled. It takes a moment from the cache and some seconds without one; call it where
    nobody waits.
    """
    if not available():
        return False
    with _Shop.lock:
        if _Shop.engine is None:
            _Shop.engine = Engine(_load(progress or _silent))
        elif progress is not None:
            progress(1, 1)
    return True


def _silent(_done: int, _all: int) -> None:
    """Tell nobody."""


def _load(progress: Callable[[int, int], object]) -> Mapping[str, Any]:
    """Build from the cache; from a new one if it is damaged; without one if none can be made."""
    # What compiles is imported by those who ask for it: others would wait for it at every start.
    from demine.solver._kernels import build

    folder = user_cache() / "kernels" / build.fingerprint()
    if _writable(folder):
        for _ in range(2):
            try:
                return build.build(folder, progress)
            except _DAMAGE:
                shutil.rmtree(folder, ignore_errors=True)
                if not _writable(folder):
                    break
    return build.build(None, progress)


def user_cache() -> Path:
    """The player's folder for what can be made again; the kernels lie in it by their name."""
    from platformdirs import user_cache_path

    return user_cache_path("demine", appauthor=False)


def _writable(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
