"""Ctrl-C during long work: noted at once, obeyed where nothing is left half done."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextlib.contextmanager
def catch_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed, so that work can stop cleanly.

    A second Ctrl-C raises KeyboardInterrupt at once.
    """
    pressed = threading.Event()

    def on_sigint(_number: int, _frame: object) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return
    before = signal.signal(signal.SIGINT, on_sigint)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def interrupt_between_kernels(should_stop: Callable[[], bool]) -> Callable[[str], None]:
    """Return a callback for `report_compilations`: KeyboardInterrupt once `should_stop()` is true.

    An exception of a signal handler is lost while LLVM calls back into Python. So `catch_ctrl_c`
    only notes Ctrl-C, and compiling is interrupted between two kernels.
    """

    def on_kernel(_name: str) -> None:
        if should_stop():
            raise KeyboardInterrupt

    return on_kernel
