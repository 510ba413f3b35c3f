"""Other processes, as tests see them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

SECONDS = 60


def until(condition: Callable[[], object]) -> None:
    """Wait for something that will be so."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def gone(number: int) -> bool:
    """Whether a process has ended; what nobody has waited for may still have its number."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"
