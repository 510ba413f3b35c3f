"""Long work at a terminal: how far it is, and Ctrl-C heard where nothing is half done."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

import click

from demine.logic.sanitize import inert
from demine.scene.sanitized_console import bare_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE: Final = 1.0
"""So many seconds pass before anything is said."""
_PAUSE: Final = 0.2


class Progress:
    """A line on stderr that says how far the work is, for eyes at a terminal only."""

    def __init__(self, count: int) -> None:
        self.done = 0
        self._count = count
        self._due = time.monotonic() + PATIENCE if sys.stderr.isatty() else float("inf")
        self._shown = False

    def step(self) -> None:
        """Say that one more is done."""
        self.done += 1
        self._say("")

    def reach(self, done: int, count: int) -> None:
        """Say that so many are done, of so many."""
        self.done, self._count = done, count
        self._say("")

    def vain(self, tries: int) -> None:
        """Say that so many tries at the next one have failed."""
        self._say(f"  (+{tries})")

    def _say(self, more: str) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _PAUSE
        line = f"{self.done} / {self._count}{more}"
        redraw(line)
        self._shown = True

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            redraw("")
            self._shown = False


def redraw(line: str) -> None:
    """Put a line of words in the place of the one that stands on stderr; an empty one clears it."""
    click.echo(f"\r\x1b[K{inert(line)}", file=bare_stream(sys.stderr), nl=False)


@contextlib.contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether Ctrl-C was pressed; pressed again, it interrupts at once.

    So that what is being written is written whole.
    """
    heard = threading.Event()

    def hear(_number: int, _frame: object) -> None:
        if heard.is_set():
            raise KeyboardInterrupt
        heard.set()

    if threading.current_thread() is not threading.main_thread():
        yield heard.is_set
        return
    before = signal.signal(signal.SIGINT, hear)
    try:
        yield heard.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def breaking(stop: Callable[[], bool]) -> Callable[[str], None]:
    """Return what `report_compilations` of the kernels calls, so that Ctrl-C ends what compiles.

    What a handler raises while LLVM calls back into Python is lost there, so `stopping` only notes
    Ctrl-C, and this raises KeyboardInterrupt between two kernels.
    """

    def each(_name: str) -> None:
        if stop():
            raise KeyboardInterrupt

    return each
