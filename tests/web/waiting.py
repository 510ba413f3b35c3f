"""Waiting for something that a server does by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

SECONDS: Final = 60.0
"""How long a test waits before it fails."""


def until(is_so: Callable[[], bool]) -> None:
    """Ask until something is so, first often and then rarely: a player may ask only so often."""
    end = time.monotonic() + SECONDS
    pause = 0.01
    while not is_so():
        assert time.monotonic() < end
        time.sleep(pause)
        pause = min(1.5 * pause, 0.5)
