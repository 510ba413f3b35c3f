"""The line on stderr that shows the progress of long work, if stderr is a terminal."""

from __future__ import annotations

import os
import sys
import time
from typing import Final

import click

from demine.cli.text_table import cut_to_width
from demine.logic.sanitize import escape_control_characters
from demine.scene.sanitized_console import raw_stream
from demine.scene.translation import mark, tr

SECONDS_BEFORE_SHOWN: Final = 1.0
"""Seconds before the line is first shown."""
_SECONDS_BETWEEN_UPDATES: Final = 0.2
_USUAL_COLUMNS: Final = 80
UNITS: Final = (
    mark("boards"), mark("files"), mark("frames"), mark("games"), mark("moves"),
)  # fmt: skip
"""What is counted."""


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
        redraw_line(cut_to_width(line, _columns_of_stderr() - 1))

    def clear(self) -> None:
        """Clear the line if one is shown."""
        if self._shown:
            redraw_line("")
            self._shown = False


def _columns_of_stderr() -> int:
    """Return how wide the terminal is; a longer line would not be replaced by the next."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_COLUMNS
    except (OSError, ValueError):
        return _USUAL_COLUMNS


class Progress(ProgressLine):
    """Shows how many of a number of things are done, how fast, and how much time is left."""

    def __init__(self, count: int, unit: str, name: str = "") -> None:
        """Begin with nothing done.

        `unit` is the untranslated word for the things, one of `UNITS`; `name` precedes the line.
        """
        super().__init__()
        self.done = 0
        self._count = count
        self._unit = unit
        self._name = name
        self.start_from(0)

    def start_from(self, done: int) -> None:
        """Set how many were done before this run; the rate counts from the next one on."""
        self.done = self._before = done
        self._begun = time.monotonic()
        self._running = False

    def step(self) -> None:
        """Count one more as done."""
        self.update(self.done + 1)

    def update(self, done: int, count: int | None = None) -> None:
        """Set how many are done, those before this run included, and of how many."""
        now = time.monotonic()
        if not self._running and done > self._before:
            # Until now what does the work was starting and compiling.
            self._running, self._before, self._begun = True, done, now
        self.done, self._count = done, self._count if count is None else count
        self._show(now)

    def show_failed_tries(self, tries: int) -> None:
        """Show how many tries at the next thing have failed."""
        self._show(time.monotonic(), f"  (+{tries:,})")

    def _show(self, now: float, more: str = "") -> None:
        if self.is_due():
            self.redraw(self.line_text(now - self._begun) + more)

    def line_text(self, seconds: float) -> str:
        """Return the line, `seconds` after the start."""
        rate = (self.done - self._before) / seconds if seconds > 0 else 0.0
        text = tr(
            "{done} of {count} {unit} ({share}), {rate} {unit}/s, {left} left",
            done=f"{self.done:,}",
            count=f"{self._count:,}",
            unit=tr(self._unit),
            share=f"{self.done / max(self._count, 1):.0%}",
            rate=f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}",
            left=_hours_minutes_seconds((self._count - self.done) / rate) if rate > 0 else "?",
        )
        return f"{self._name}  {text}" if self._name else text


def _hours_minutes_seconds(seconds: float) -> str:
    """Return a time as `h:mm:ss`, or `m:ss` below an hour."""
    minutes, second = divmod(round(min(max(seconds, 0.0), 3.6e9)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def redraw_line(line: str) -> None:
    """Replace the current line of stderr, which must be a terminal; an empty line clears it."""
    click.echo(f"\r\x1b[K{escape_control_characters(line)}", file=raw_stream(sys.stderr), nl=False)
