"""Long work at a terminal: how far it is, and Ctrl-C heard where nothing is half done."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

import click

from demine.logic.sanitize import escape_control_characters
from demine.scene.sanitized_console import bare_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS_BEFORE_SHOWN: Final = 1.0
"""So many seconds pass before anything is said."""
_SECONDS_BETWEEN_UPDATES: Final = 0.2


class ProgressLine:
    """A line on stderr that is redrawn now and then, for eyes at a terminal only."""

    def __init__(self) -> None:
        self._due = time.monotonic() + SECONDS_BEFORE_SHOWN if sys.stderr.isatty() else float("inf")
        self._shown = False

    def is_due(self) -> bool:
        """Whether it is time to redraw it."""
        return time.monotonic() >= self._due

    def redraw(self, line: str) -> None:
        """Show a line in the place of the last one."""
        self._due = time.monotonic() + _SECONDS_BETWEEN_UPDATES
        self._shown = True
        redraw_line(line)

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            redraw_line("")
            self._shown = False


class Progress(ProgressLine):
    """How much of a number of things is done."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.done = 0
        self._count = count

    def step(self) -> None:
        """Say that one more is done."""
        self.done += 1
        self._show()

    def update(self, done: int, count: int) -> None:
        """Say that so many are done, of so many."""
        self.done, self._count = done, count
        self._show()

    def show_failed_tries(self, tries: int) -> None:
        """Say that so many tries at the next one have failed."""
        self._show(f"  (+{tries})")

    def _show(self, more: str = "") -> None:
        if self.is_due():
            self.redraw(f"{self.done} / {self._count}{more}")


def redraw_line(line: str) -> None:
    """Put a line of words in the place of the one that stands on stderr; an empty one clears it."""
    click.echo(f"\r\x1b[K{escape_control_characters(line)}", file=bare_stream(sys.stderr), nl=False)


@contextlib.contextmanager
def catch_ctrl_c() -> Iterator[Callable[[], bool]]:
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


def raise_when_stopped(stop: Callable[[], bool]) -> Callable[[str], None]:
    """Return what `report_compilations` of the kernels calls, so that Ctrl-C ends what compiles.

    What a handler raises while LLVM calls back into Python is lost there, so `catch_ctrl_c` only
    notes Ctrl-C, and this raises KeyboardInterrupt between two kernels.
    """

    def each(_name: str) -> None:
        if stop():
            raise KeyboardInterrupt

    return each
