"""A limit to the time that a call of somebody else's code may take."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
import time
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_AGAIN_SECONDS: Final = 1.0
"""After the limit the call is interrupted so often, in case it catches everything."""
_POLL_SECONDS: Final = 0.1


class TimeLimitReached(BaseException):
    """The call took longer than allowed; not an `Exception`, which that code might catch."""


@contextlib.contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `TimeLimitReached` from the body once it has taken `seconds`; None is no limit.

    In the main thread a timer signal does that, which interrupts waiting too. In other threads, on
    Windows, and where the program uses that timer itself, another thread raises the exception,
    which takes effect when the body next executes Python code.
    """
    if seconds is None:
        yield
    elif _timer_is_free():
        with _limit_by_signal(seconds):
            yield
    else:
        with _WATCHDOG.limit(seconds):
            yield


def _timer_is_free() -> bool:
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
    )


@contextlib.contextmanager
def _limit_by_signal(seconds: float) -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _on_alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_SECONDS)
        yield
    finally:
        _finish(lambda: _stop_timer(before))


def _stop_timer(before: Any) -> None:  # noqa: ANN401 - a signal handler of any kind
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    # None if it was not set from Python; then it cannot be put back.
    signal.signal(signal.SIGALRM, signal.SIG_DFL if before is None else before)


def _finish(stop: Callable[[], None]) -> None:
    """Stop a limit, even if it is reached at this very moment."""
    while True:
        try:
            stop()
            _let_interruption_through()
        except TimeLimitReached:
            continue
        return


def _let_interruption_through() -> None:
    """Do nothing: Python raises an exception that another thread has set when a function begins."""


def _on_alarm(_number: int, _frame: object) -> None:
    raise TimeLimitReached


class _Watchdog:
    """A thread that interrupts other threads at their limits; it ends when there are none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._due: dict[int, float] = {}
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        me = threading.get_ident()
        before = self._due.get(me)
        with self._lock:
            self._due[me] = time.monotonic() + seconds
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            _finish(lambda: self._stop(me, before))

    def _stop(self, me: int, before: float | None) -> None:
        with self._lock:
            if before is None:
                self._due.pop(me, None)
            else:
                self._due[me] = before

    def _watch(self) -> None:
        while True:
            time.sleep(_POLL_SECONDS)
            with self._lock:
                if not self._due:
                    self._thread = None
                    return
                now = time.monotonic()
                for thread, due in self._due.items():
                    if due <= now:
                        _set_exception_in_thread(thread, TimeLimitReached)
                        self._due[thread] = now + _AGAIN_SECONDS


def _set_exception_in_thread(thread: int, kind: type[BaseException]) -> None:
    # It is never taken back with None: CPython 3.11 would go on looking for it in every function,
    # and under a profiler or a debugger never come further than that.
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


_WATCHDOG: Final = _Watchdog()
