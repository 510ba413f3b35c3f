"""The line on stderr that shows the progress of long work, if stderr is a terminal."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import Final, Self

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
    mark("boards"), mark("entries"), mark("files"), mark("frames"), mark("games"), mark("kernels"),
    mark("layouts"), mark("moves"), mark("positions"), mark("puzzles"),
)  # fmt: skip
"""What is counted."""


class Progress:
    """A line on stderr that says how much is done, how fast, and how much time is left.

    It is redrawn from time to time, and cleared where its context ends; where stderr is no terminal
    nothing is shown.
    """

    def __init__(
        self, count: int | None, unit: str, name: str = "", *, seconds: float | None = None
    ) -> None:
        """Begin with nothing done.

        `unit` is the untranslated word for the things, one of `UNITS`; `name` precedes the line.
        Work without a `count` ends after so many `seconds`.
        """
        self._due = time.monotonic() + SECONDS_BEFORE_SHOWN if sys.stderr.isatty() else float("inf")
        self._shown = False
        self.done = 0
        self._count = count
        self._unit = unit
        self._name = name
        self._seconds = seconds
        self.start_from(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.clear()

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

    def clear(self) -> None:
        """Clear the line if one is shown."""
        if self._shown:
            _redraw("")
            self._shown = False

    def _show(self, now: float, more: str = "") -> None:
        if now < self._due:
            return
        self._due = now + _SECONDS_BETWEEN_UPDATES
        self._shown = True
        line = self.line_text(now - self._begun) + more
        _redraw(cut_to_width(line, _columns_of_stderr() - 1))

    def line_text(self, seconds: float) -> str:
        """Return the line, `seconds` after the start."""
        rate = (self.done - self._before) / seconds if seconds > 0 else 0.0
        text = tr(
            "{amount}, {rate} {unit}/s, {left} left",
            amount=self._amount_text(),
            unit=tr(self._unit),
            rate=f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}",
            left=self._time_left(seconds, rate),
        )
        return f"{self._name}  {text}" if self._name else text

    def _amount_text(self) -> str:
        done, unit = f"{self.done:,}", tr(self._unit)
        if self._count is None:
            return tr("{done} {unit}", done=done, unit=unit)
        return tr(
            "{done} of {count} {unit} ({share})",
            done=done,
            count=f"{self._count:,}",
            unit=unit,
            share=f"{self.done / max(self._count, 1):.0%}",
        )

    def _time_left(self, seconds: float, rate: float) -> str:
        if self._seconds is not None and rate > 0:
            return _hours_minutes_seconds(self._seconds - seconds)
        known = self._count is not None and rate > 0
        return _hours_minutes_seconds(((self._count or 0) - self.done) / rate) if known else "?"


def _columns_of_stderr() -> int:
    """Return how wide the terminal is; a longer line would not be replaced by the next."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_COLUMNS
    except (OSError, ValueError):
        return _USUAL_COLUMNS


def _hours_minutes_seconds(seconds: float) -> str:
    """Return a time as `h:mm:ss`, or `m:ss` below an hour."""
    minutes, second = divmod(round(min(max(seconds, 0.0), 3.6e9)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def _redraw(line: str) -> None:
    """Replace the current line of stderr, which is a terminal; an empty line clears it."""
    # Work goes on though nobody can see it any more.
    with suppress(OSError, ValueError):
        shown = f"\r\x1b[K{escape_control_characters(line)}"
        click.echo(shown, file=raw_stream(sys.stderr), nl=False)
