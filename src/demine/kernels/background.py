"""Loads or compiles kernels beside a program that works with their plain functions for long.

Whatever answers in place of a kernel is decorated by `KernelSet.stands_in`, which adds up its
processor time. After `LOAD_AFTER_SECONDS` of it a thread loads the kernels from the cache. If they
are not there, then after `COMPILE_AFTER_SECONDS` another process of the lowest priority compiles
them into the cache, and each is loaded as soon as it is there. The results are the same before and
after. What happens is logged by the logger `demine.kernels`.

The environment variable `DEMINE_KERNELS` says what is allowed (`CompileSetting`), here and in what
loads kernels at once. Nothing is compiled in worker processes, which would all begin at once, or in
programs that are not a Python interpreter.

The compiling process outlives its parent only until the kernel it is at is compiled and kept. So
the next run of a script that is shorter than the compiling finds it, and nothing runs on for long.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import contextmanager, suppress
from enum import Enum
from functools import cache as cache_results
from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from demine.kernels import cache

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Mapping

SWITCH_VARIABLE: Final = "DEMINE_KERNELS"
COMPILE_AFTER_SECONDS: Final = 2.0
"""After so much processor time of plain functions their kernels are compiled.

Compiling takes longer, but a program that has used the solver so much is likely to go on."""
WAIT_SECONDS: Final = 60.0
"""How long a fork and the end of Python wait at most for a step of loading.

A step is done long before, unless processors are overloaded."""
_PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[3:]; "
    "from demine.kernels.compile_for_parent import compile_for_parent as own; own(*sys.argv[1:3])"
)


class Kernels(Protocol):
    """What is needed of a `demine.kernels.kernel_set.KernelSet`, which see."""

    modules: tuple[str, ...]
    plain_seconds: float
    next_step_after: float

    @property
    def entries(self) -> Mapping[str, str]:
        """The kernels that are called from Python, with their signatures."""

    @property
    def is_loaded(self) -> bool:
        """Whether all entries are loaded."""

    @property
    def is_declared_here(self) -> bool:
        """Whether this process is no fork of the one that declared the set."""

    def has_cached_entry(self) -> bool:
        """Return whether an entry that is not loaded may be in the cache."""

    def load_cached_entry(self, entry: str) -> None:
        """Load an entry if it is cached."""

    def can_write_cache(self) -> bool:
        """Return whether the cache can be written."""


class CompileSetting(Enum):
    """What the environment variable `DEMINE_KERNELS` allows; `demine.warm` compiles anyway."""

    AUTO = "auto"
    """Kernels are loaded from the cache, and compiled into it; the default."""
    FOREGROUND = "foreground"
    """The same, but only by what waits for them, such as a study; nothing in the background."""
    CACHED = "cached"
    """Kernels are loaded from the cache and never compiled."""
    PLAIN = "plain"
    """Kernels are neither loaded nor compiled."""

    @property
    def compiles(self) -> bool:
        """Whether kernels may be compiled."""
        return self in {CompileSetting.AUTO, CompileSetting.FOREGROUND}


def compile_setting() -> CompileSetting:
    """Return what the environment allows; an unknown value allows nothing, and is logged once."""
    return _switch_of(
        os.environ.get(SWITCH_VARIABLE, "").strip().lower() or CompileSetting.AUTO.value
    )


@cache_results
def _switch_of(value: str) -> CompileSetting:
    names = [each.value for each in CompileSetting]
    if value in names:
        return CompileSetting(value)
    _warn_of_unknown(value, names)
    return CompileSetting.PLAIN


def _warn_of_unknown(value: str, names: list[str]) -> None:
    with _STEPS.step():
        from difflib import get_close_matches
        from logging import getLogger
    similar = get_close_matches(value, names, 1)
    getLogger("demine.kernels").warning(
        "%s is %r, which is none of %s%s, so nothing is compiled",
        SWITCH_VARIABLE,
        value,
        ", ".join(names),
        f" (did you mean {similar[0]}?)" if similar else "",
    )


def load_or_compile_in_background(kernels: Kernels) -> None:
    """Have the kernels of a set loaded, or compiled and loaded, in a thread; returns at once."""
    _STEPS.watch_process()
    if kernels in _STEPS.served:
        return
    _STEPS.served.add(kernels)
    with suppress(RuntimeError):  # Python is ending and starts no more threads
        threading.Thread(target=_serve, args=(kernels,), name="demine.kernels", daemon=True).start()


def load_what_is_cached(kernels: Kernels) -> None:
    """Load the kernels of a set that are cached, and wait; whatever fails is only logged."""
    _STEPS.watch_process()
    if compile_setting() is CompileSetting.PLAIN or _is_numba_disabled():
        return
    try:
        _load_cached(kernels)
    except Exception as error:  # noqa: BLE001 - the plain functions do the work
        _log_failure(error)


def _log_failure(error: Exception) -> None:
    _log("kernels are not used: %s: %s", type(error).__name__, error)


def _is_numba_disabled() -> bool:
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}


def _serve(kernels: Kernels) -> None:
    try:
        kernels.next_step_after = _load_or_compile(kernels)
    except Exception as error:  # noqa: BLE001 - whatever it is, the plain functions go on
        _log_failure(error)
    finally:
        _STEPS.served.discard(kernels)


def _load_or_compile(kernels: Kernels) -> float:
    """Return after how many seconds of plain work there is more to be done."""
    allowed = compile_setting()
    if allowed in {CompileSetting.PLAIN, CompileSetting.FOREGROUND} or _is_numba_disabled():
        return inf
    if _load_cached(kernels) or allowed is CompileSetting.CACHED:
        return inf
    if not (may_compile() and kernels.is_declared_here):
        return inf
    if kernels.plain_seconds < COMPILE_AFTER_SECONDS:
        return COMPILE_AFTER_SECONDS
    _have_compiled(kernels)
    return inf


def _load_cached(kernels: Kernels) -> bool:
    """Load the kernels that are cached; return whether all are loaded."""
    if not kernels.is_loaded:
        _load_missing(kernels)
    return kernels.is_loaded


def _load_missing(kernels: Kernels) -> None:
    with _STEPS.step():
        if not kernels.has_cached_entry():
            return
        import_module("numba")
    for entry in kernels.entries:
        with _STEPS.step():
            kernels.load_cached_entry(entry)
    if kernels.is_loaded:
        _log("loaded from the cache: %s", ", ".join(kernels.entries))


def _have_compiled(kernels: Kernels) -> None:
    """Have another process compile the kernels, and load each when it is in the cache."""
    with _STEPS.step():
        can_write = kernels.can_write_cache()
    if not can_write:
        _log("not compiled: %s cannot be written", cache.kernel_cache_folder())
        return
    # Another process may be compiling the same.
    with cache.compile_lock():
        pass
    if _load_cached(kernels):
        return
    names = ", ".join(kernels.entries)
    _log("compiling in another process of low priority: %s", names)
    with _STEPS.step():
        process = _start_compiler(kernels)
    with process:
        for _ in process.stdout or ():
            _load_cached(kernels)
    if process.returncode or not _load_cached(kernels):
        _log("not compiled, exit code %s: %s", process.returncode, names)


def may_compile() -> bool:
    """Return whether this process may start another one that compiles."""
    multiprocessing = sys.modules.get("multiprocessing")
    is_worker = multiprocessing is not None and multiprocessing.parent_process() is not None
    # In a frozen program, or one that embeds Python, the executable is not Python.
    is_python = Path(sys.executable or "").stem.lower().startswith(("python", "pypy"))
    return is_python and not getattr(sys, "frozen", False) and not is_worker


def _start_compiler(kernels: Kernels) -> subprocess.Popen[bytes]:
    import json
    import subprocess

    flags = 0
    if sys.platform == "win32":
        flags = subprocess.IDLE_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
    return subprocess.Popen(  # noqa: S603 - our own command
        [
            sys.executable,
            # As multiprocessing does: with -I or -E no folder of PYTHONPATH is searched there.
            *subprocess._args_from_interpreter_flags(),  # type: ignore[attr-defined] # noqa: SLF001
            "-W",
            "ignore",
            "-c",
            _PROGRAM,
            json.dumps(kernels.modules),
            json.dumps(kernels.entries),
            *(os.path.abspath(folder) for folder in sys.path),  # noqa: PTH100 - may be no path
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, SWITCH_VARIABLE: CompileSetting.PLAIN.value},
        # Ctrl-C in the terminal is not for it, and no console opens on Windows.
        start_new_session=True,
        creationflags=flags,
    )


def _log(message: str, *values: object) -> None:
    with _STEPS.step():
        from logging import getLogger
    getLogger("demine.kernels").info(message, *values)


class _Steps:
    """The steps of the loading threads, between which Python can fork or end.

    A fork while another thread imports, or is inside Numba or LLVM, would leave their locks taken
    in the child for ever, and the end of Python must not take LLVM away from under a thread.
    """

    def __init__(self) -> None:
        self.served: set[Kernels] = set()
        """The sets that a thread is busy with."""
        self._lock = threading.Lock()
        self._has_ended = False
        self._has_waited = False
        self._is_watched = False

    def watch_process(self) -> None:
        """Have forks and the end of Python wait for a step; does so once."""
        if self._is_watched:
            return
        self._is_watched = True
        atexit.register(self._end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._wait, after_in_parent=self._go_on, after_in_child=self._begin_anew
            )

    @contextmanager
    def step(self) -> Iterator[None]:
        """Do a step, one thread at a time; ends the thread if Python ends."""
        with self._lock:
            if self._has_ended:
                raise SystemExit
            yield

    def _wait(self) -> None:
        self._has_waited = self._lock.acquire(timeout=WAIT_SECONDS)

    def _go_on(self) -> None:
        if self._has_waited:
            self._lock.release()

    def _begin_anew(self) -> None:
        self._lock = threading.Lock()
        for kernels in self.served:
            kernels.next_step_after = 0.0
        self.served.clear()

    def _end(self) -> None:
        """Let the step that is being done end, and no other begin."""
        self._has_ended = True
        self._wait()
        # Functions that run later at the end may fork, and must not wait for it.
        self._go_on()


_STEPS: Final = _Steps()
