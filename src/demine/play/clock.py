"""The clock of a game: it counts play, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable


class Clock:
    """Milliseconds of play: stands, runs, and stands again; `now` gives seconds that never jump."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        """Seconds that never jump, whether the clock stands or runs."""
        self._held = 0
        self._since: float | None = None

    @property
    def ms(self) -> int:
        """Whole milliseconds on the clock."""
        if self._since is None:
            return self._held
        return self._held + int((self.now() - self._since) * 1000)

    def set(self, ms: int, *, running: bool) -> None:
        """Put the clock to a time, running or standing."""
        self._held = ms
        self._since = self.now() if running else None

    def stop(self) -> None:
        """Stop the clock where it is."""
        self.set(self.ms, running=False)
