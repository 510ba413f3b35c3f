"""Ctrl-C, a polite kill, and other threads, heard at once even by a window that is asleep."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pygame

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


class Signals:
    """What arrived; `source` becomes readable with it, where the system can wait for such."""

    def __init__(self, source: int | None, sink: int | None = None) -> None:
        self.source = source
        self._sink = sink
        self._writing = threading.Lock()
        self.interrupted = False
        """Whether Ctrl-C asked for the end."""

    def stir(self) -> None:
        """Wake whoever waits for `source`; for other threads, at any time."""
        with self._writing, suppress(BlockingIOError):  # full of reasons to wake up already
            if self._sink is not None:
                os.write(self._sink, b"\0")

    def deafen(self) -> None:
        """Wake nobody any more: the ends of the pipe are about to be somebody else's."""
        with self._writing:
            self._sink = None

    def hear(self, number: int, _frame: FrameType | None) -> None:
        """Turn a signal into the closing of the window."""
        self.interrupted |= number == signal.SIGINT
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    def drain(self) -> None:
        """Forget the bytes that woke the sleeper."""
        if self.source is not None:
            with suppress(BlockingIOError):
                os.read(self.source, 64)


@contextmanager
def heard() -> Iterator[Signals]:
    """Hear SIGINT and SIGTERM meanwhile instead of dying of them half-way through an act."""
    # Windows can wait for sockets only, and its window looks up by itself often enough.
    ends = None if sys.platform == "win32" else os.pipe()
    signals = Signals(*ends) if ends else Signals(None)
    before = -1
    if ends:
        for end in ends:
            os.set_blocking(end, False)
        before = signal.set_wakeup_fd(ends[1], warn_on_full_buffer=False)
    handlers = [
        (number, signal.signal(number, signals.hear)) for number in (signal.SIGINT, signal.SIGTERM)
    ]
    try:
        yield signals
    finally:
        for number, handler in handlers:
            signal.signal(number, handler)
        signals.deafen()
        if ends:
            signal.set_wakeup_fd(before)
            for end in ends:
                os.close(end)
