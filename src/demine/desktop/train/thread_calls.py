"""Calls in threads, whose results come back in the thread of the window."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
_THREADS: Final = 2
"""One for what a player waits for, beside one for what may take its time."""


class ThreadCalls(QObject):
    """Runs functions in threads, and passes their results on unless it is closed.

    What a function raises is raised in the thread of the window.
    """

    _finished = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._stop = threading.Event()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="drills")
        self._finished.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)

    @property
    def should_stop(self) -> Callable[[], bool]:
        """Tells work that takes long whether nobody waits for it any more."""
        return self._stop.is_set

    def start(self, work: Callable[[], T], then: Callable[[T], object]) -> None:
        """Call `work` in a thread, and `then` with its result in this one."""

        def emit(future: Future[T]) -> None:
            if not self._stop.is_set():
                self._finished.emit(partial(_hand_over, future, then))

        self._threads.submit(work).add_done_callback(emit)

    def _pass_on(self, hand_over: Callable[[], object]) -> None:
        if not self._stop.is_set():
            hand_over()

    def close(self) -> None:
        """Ask the work to stop, and forget its results."""
        self._stop.set()
        self._threads.shutdown(wait=False, cancel_futures=True)


def _hand_over(future: Future[T], then: Callable[[T], object]) -> None:
    then(future.result())
