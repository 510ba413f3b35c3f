"""The compiled kernels: loaded when asked for, never in the way of a single question.

`warm` loads them from the cache, or compiles them, which takes seconds. Until it has been called,
by a program that has the time or in another thread, the plain engine answers. The kernel of single
questions comes first and answers at once; the others follow. The cache lies in the
user's cache folder under a name made from the kernels' source, where it lies and the versions of
all that compiles it, so that nothing stale is ever loaded; a damaged cache is thrown away, and
without a place to write the kernels are compiled for this process alone.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demine.logic.twins import TWINS
from demine.solver._kernels.places import PADDED, VALUES_SIZE, WORK_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import TypeAlias

    from numpy.typing import NDArray

    from demine.solver._kernels.build import Kit

    _Arrays: TypeAlias = tuple[
        NDArray[np.int64],
        NDArray[np.float64],
        NDArray[np.uint8],
        NDArray[np.int64],
        NDArray[np.bool_],
    ]

FIRST: Final = ("solve_many",)
"""The entries that single questions wait for."""
KEPT_DAYS: Final = 30
"""A cache of other kernels is removed when nobody has used it for so many days."""
_LOOK_SECONDS: Final = 0.1
BREATH: Final = 2048
"""So many boards are solved without letting go: a few hundredths of a second."""
# What Numba raises when it loads a file that was cut short or is not its own.
_DAMAGE: Final = (
    pickle.UnpicklingError, AttributeError, EOFError, ImportError, IndexError, KeyError, OSError,
    TypeError, ValueError,
)  # fmt: skip


_TWINS: Final = {
    "zini_clear": "zini", "hand_play": "hand", "parts_label": "label", "moves_read": "moves",
    "chain_least": "chain", "wom_clear": "wom",
}  # fmt: skip
"""The entries that are twins of plain functions, and the names they are left under."""


class Engine:
    """Kernels that are ready, with work arrays for each thread."""

    def __init__(self, kernels: Mapping[str, Any]) -> None:
        self._kernels = dict(kernels)
        self._solve_many = kernels["solve_many"]
        self._local = threading.local()

    @property
    def seek(self) -> Any:  # noqa: ANN401 - Numba has no types
        """`demine.solver._kernels.prove.seek`, for those who have its arrays; None until it is."""
        return self._kernels.get("seek")

    def has(self, entries: Iterable[str]) -> bool:
        """Whether these entries are ready."""
        return self._kernels.keys() >= set(entries)

    def add(self, name: str, kernel: Any) -> None:  # noqa: ANN401
        """Take another entry that is ready."""
        self._kernels[name] = kernel

    def probability(self, faces: NDArray[np.uint8], mines: int) -> NDArray[np.float64] | None:
        """Return what `mine_probability` does, or None for what the plain engine must answer.

        `faces` is any uint8 array of two dimensions; what is wrong with it comes back as None too.
        """
        height, width = faces.shape
        if not height * width or not 0 <= mines <= height * width <= PADDED:
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

        All arrays are contiguous: `(boards, height, width)` and `(boards,)`.
        """
        boards, height, width = faces.shape
        faces, mines = _own(faces), _own(mines)
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


def _forgiving(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Let a kernel take arrays that nobody may write to, as the plain function does."""

    def twin(*arguments: Any) -> Any:  # noqa: ANN401 - Numba has no types
        return kernel(*map(_own, arguments))

    return twin


def _own(argument: Any) -> Any:  # noqa: ANN401
    """Return an array as the kernels were compiled for it; they write to no input."""
    frozen = isinstance(argument, np.ndarray) and not argument.flags.writeable
    return argument.copy() if frozen else argument


class _Shop:
    """The one engine of this process, once it is ready."""

    engine: Engine | None = None
    lock = threading.Lock()


def names() -> frozenset[str]:
    """Return the names of the kernels that `warm` compiles."""
    from demine.solver._kernels import build

    return frozenset(build.plain())


@contextmanager
def watching(each: Callable[[str], object]) -> Iterator[None]:
    """Call `each` with the name of every kernel that is compiled meanwhile; Numba is needed.

    A kernel that only others call is compiled when the first of them needs it.
    """
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, _event: Any) -> None:  # noqa: ANN401
            """Nothing is to be told yet."""

        def on_end(self, ended: Any) -> None:  # noqa: ANN401
            # The event's own word for it, `is_failed`, says the opposite in Numba 0.68.
            if sys.exception() is None:
                each(ended.data["dispatcher"].py_func.__name__)

    with event.install_listener("numba:compile", Listener()):
        yield


def engine() -> Engine | None:
    """Return the compiled engine if it is ready; never waits."""
    return _Shop.engine


def available() -> bool:
    """Whether Numba is installed, so that `warm` can do something."""
    return find_spec("numba") is not None


def warm(
    progress: Callable[[int, int], object] | None = None, entries: Collection[str] | None = None
) -> bool:
    """Load the compiled kernels, compiling them where the cache has none; return whether it could.

    Without Numba (the extra `solver`) nothing happens and the answer is False. `progress` is called
    with how many kernels are ready and how many there are. From then on this process solves common
    positions compiled. It takes a moment from the cache and some seconds without one; call it where
    nobody waits. `entries` are those of `_kernels.build` that are wanted, all unless told
    otherwise; each is in use as soon as it is ready.
    """
    if not available():
        return False
    from demine.solver._kernels import build

    wanted = build.ENTRIES if entries is None else entries
    while not _Shop.lock.acquire(timeout=_LOOK_SECONDS):
        # Another thread is at it, and may have come far enough.
        if _has(wanted):
            return True
    try:
        if not _has(wanted):
            _load(_Counter(progress, len(wanted)), wanted)
        elif progress is not None:
            progress(1, 1)
    finally:
        _Shop.lock.release()
    return True


def _has(wanted: Collection[str]) -> bool:
    return _Shop.engine is not None and _Shop.engine.has(wanted)


class _Counter:
    """Counts the entries that are ready, and tells of them."""

    def __init__(self, progress: Callable[[int, int], object] | None, of: int) -> None:
        self._progress = progress
        self._of = of
        self._done = 0
        self._early: dict[str, Any] = {}

    def begin(self) -> None:
        """Begin, or begin again."""
        self._done = 0
        self._tell()

    def ready(self, name: str, kernel: Any) -> None:  # noqa: ANN401
        """Put an entry to use."""
        if name in _TWINS:
            TWINS[_TWINS[name]] = _forgiving(kernel)
        self._early[name] = kernel
        if _Shop.engine is not None:
            _Shop.engine.add(name, kernel)
        elif "solve_many" in self._early:
            _Shop.engine = Engine(self._early)
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self._done, self._of)


def _load(counter: _Counter, entries: Collection[str]) -> None:
    """Have the entries of the solver's own kit ready, one after the other."""
    # What compiles is imported by those who ask for it: others would wait for it at every start.
    from demine.solver._kernels import build

    def make(cache: Path | None) -> None:
        counter.begin()
        build.build(cache, counter.ready, entries)

    _build(make, home())


def _build(make: Callable[[Path | None], None], folder: Path, files: int | None = None) -> None:
    """Build from the cache; from a new one if it is damaged; without one if none can be made."""
    if _writable(folder):
        for _ in range(2):
            try:
                make(folder)
            except _DAMAGE:
                shutil.rmtree(folder, ignore_errors=True)
                if not _writable(folder):
                    break
            else:
                tidy(folder, files)
                return
    make(None)


_KITS: Final[dict[tuple[str, ...], Mapping[str, Any]]] = {}
_KITS_LOCK: Final = threading.Lock()


def entries_of(kit: Kit) -> Mapping[str, Any]:
    """Return the entries of another kit, compiled or loaded from the cache, once for this process.

    It takes as long as it takes. Raises ImportError without Numba.
    """
    from demine.solver._kernels import build

    with _KITS_LOCK:
        made = _KITS.get(kit.entries)
        if made is None:
            found: dict[str, Any] = {}

            def make(cache: Path | None) -> None:
                build.build(cache, found.__setitem__, kit.entries, kit)

            folder = user_cache() / "kernels" / build.fingerprint(kit)
            _build(make, folder, len(kit.entries))
            made = _KITS[kit.entries] = found
        return made


def tidy(folder: Path, files: int | None = None) -> None:
    """Note that a cache is in use; once it is whole, remove others that have not been for long.

    Other versions of demine may be installed beside this one, so those used lately stay.
    """
    try:
        os.utime(folder)
        if not cached(folder, files):
            return
        old = time.time() - KEPT_DAYS * 86_400
        for other in folder.parent.iterdir():
            if (
                other != folder
                and re.fullmatch("[0-9a-f]{24}", other.name)
                and not other.is_symlink()
                and other.stat().st_mtime < old
            ):
                shutil.rmtree(other, ignore_errors=True)
    except OSError:
        # Somebody else tidies up too, or nobody may.
        return


def home() -> Path:
    """Return the folder that these kernels are kept in; it need not exist. Numba is needed."""
    from demine.solver._kernels import build

    return user_cache() / "kernels" / build.fingerprint()


def cached(folder: Path | None = None, files: int | None = None) -> bool:
    """Whether `warm` will find kernels to load: a moment rather than seconds.

    `folder` is what `home` said before, while an upgrade may be on its way; `files` is how many
    entries are to be there.
    """
    from demine.solver._kernels import build

    wanted = len(build.ENTRIES) if files is None else files
    return len(list((folder or home()).rglob("*.nbi"))) >= wanted


def keeps() -> bool:
    """Whether what `warm` compiles can be kept for the next process; makes the folder for it."""
    return _writable(home())


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
