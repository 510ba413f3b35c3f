"""The clock of a game: it counts the time of play."""

from __future__ import annotations

import time
from collections.abc import Callable


class Clock:
    """A stopwatch in milliseconds. `now` returns seconds of a monotonic clock."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        """Seconds of the monotonic clock, whether this one is running or stopped."""
        self._held = 0
        self._since: float | None = None

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self._since is not None

    @property
    def ms(self) -> int:
        """The time on the clock, whole milliseconds."""
        if self._since is None:
            return self._held
        return self._held + int((self.now() - self._since) * 1000)

    def set(self, ms: int, *, running: bool) -> None:
        """Set the clock to a time, running or stopped."""
        self._held = ms
        self._since = self.now() if running else None

    def stop(self) -> None:
        """Stop the clock at its present time."""
        self.set(self.ms, running=False)
