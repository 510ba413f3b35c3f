"""Threads that share work on a row of boards: each has a range of them."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class RangeThreads:
    """Threads that wait for work on ranges of boards; the calling thread is one of them.

    The others begin at the first work, and anew after a fork or in a copy, which have no threads.
    What a range does must not depend on the others, and leave the interpreter's lock alone.
    """

    def __init__(self, boards: int, threads: int) -> None:
        count = min(threads, boards)
        self._ranges = [
            (boards * each // count, boards * (each + 1) // count) for each in range(count)
        ]
        self._executor: ThreadPoolExecutor | None = None
        self._process = 0

    def run(self, work: Callable[[int, int], object]) -> None:
        """Call `work` with the begin and the end of each range, and wait for all."""
        others = self._ranges[1:]
        if not others:
            work(*self._ranges[0])
            return
        if self._executor is None or self._process != os.getpid():
            self._executor = ThreadPoolExecutor(len(others), "demine.envs")
            self._process = os.getpid()
        begun = [self._executor.submit(work, *each) for each in others]
        try:
            work(*self._ranges[0])
        finally:
            # Whatever interrupts this one: nobody may touch the boards while they are played.
            wait(begun)
        for each in begun:
            each.result()

    def close(self) -> None:
        """End the threads; further work begins others."""
        if self._executor is not None and self._process == os.getpid():
            self._executor.shutdown()
        self._executor = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_executor": None}
