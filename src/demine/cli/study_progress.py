"""The progress line of a study: games played, games per second, time left."""

from __future__ import annotations

import time

from demine.cli.progress_line import ProgressLine
from demine.scene.translation import tr


class StudyProgress(ProgressLine):
    """Shows how many games of a study are played, how fast, and how much time is left."""

    def __init__(self, games: int, name: str = "") -> None:
        super().__init__()
        self._games = games
        self._name = name
        self._begun = time.monotonic()
        self._before = 0
        self._playing = False

    def start_from(self, done: int) -> None:
        """Set how many games were played before this run."""
        self._before = done
        self._begun = time.monotonic()

    def update(self, done: int) -> None:
        """Set how many games are played, those of earlier runs included."""
        now = time.monotonic()
        if not self._playing and done > self._before:
            # Until now the workers were starting and compiling.
            self._playing, self._before, self._begun = True, done, now
        if self.is_due():
            self.redraw(self.line_text(done, now - self._begun))

    def line_text(self, done: int, seconds: float) -> str:
        """Return the line for this many games, `seconds` after the start."""
        rate = (done - self._before) / seconds if seconds > 0 else 0.0
        left = _hours_minutes_seconds((self._games - done) / rate) if rate > 0 else "?"
        text = tr(
            "{done} of {games} games ({share}), {rate} per second, {left} left",
            done=f"{done:,}",
            games=f"{self._games:,}",
            share=f"{done / self._games:.0%}",
            rate=f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}",
            left=left,
        )
        return f"{self._name}  {text}" if self._name else text


def _hours_minutes_seconds(seconds: float) -> str:
    """Return a time as `h:mm:ss`, or `m:ss` below an hour."""
    minutes, second = divmod(round(min(seconds, 3.6e9)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
