"""The line on stderr that shows the progress of long work, if stderr is a terminal."""

from __future__ import annotations

import sys
import time
from typing import Final

import click

from demine.logic.sanitize import escape_control_characters
from demine.scene.sanitized_console import raw_stream

SECONDS_BEFORE_SHOWN: Final = 1.0
"""Seconds before the line is first shown."""
_SECONDS_BETWEEN_UPDATES: Final = 0.2


class ProgressLine:
    """A line on stderr that is redrawn from time to time; shown only on a terminal."""

    def __init__(self) -> None:
        self._due = time.monotonic() + SECONDS_BEFORE_SHOWN if sys.stderr.isatty() else float("inf")
        self._shown = False

    def is_due(self) -> bool:
        """Return whether it is time to redraw the line."""
        return time.monotonic() >= self._due

    def redraw(self, line: str) -> None:
        """Show a line in place of the last one."""
        self._due = time.monotonic() + _SECONDS_BETWEEN_UPDATES
        self._shown = True
        redraw_line(line)

    def clear(self) -> None:
        """Clear the line if one is shown."""
        if self._shown:
            redraw_line("")
            self._shown = False


class Progress(ProgressLine):
    """Shows how many of a number of things are done."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.done = 0
        self._count = count

    def step(self) -> None:
        """Count one more as done."""
        self.done += 1
        self._show()

    def update(self, done: int, count: int) -> None:
        """Set how many are done, and of how many."""
        self.done, self._count = done, count
        self._show()

    def show_failed_tries(self, tries: int) -> None:
        """Show how many tries at the next thing have failed."""
        self._show(f"  (+{tries})")

    def _show(self, more: str = "") -> None:
        if self.is_due():
            self.redraw(f"{self.done} / {self._count}{more}")


def redraw_line(line: str) -> None:
    """Replace the current line of stderr, which must be a terminal; an empty line clears it."""
    click.echo(f"\r\x1b[K{escape_control_characters(line)}", file=raw_stream(sys.stderr), nl=False)
