"""Moments as the text that the database stores them in."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache


def utc_now_text() -> str:
    """Return the present moment as ISO text, UTC, to the microsecond; such texts sort by time."""
    return utc_text_of_ns(time.time_ns())


def utc_text_of_ns(moment_ns: int) -> str:
    """Return a moment, in nanoseconds as `time.time_ns` counts them, as `utc_now_text` does."""
    # A server asks for thousands a second: what changes once a second is kept.
    seconds, nanoseconds = divmod(moment_ns, 10**9)
    return f"{_until_seconds(seconds)}.{nanoseconds // 1000:06d}Z"


@lru_cache(maxsize=1)
def _until_seconds(timestamp: int) -> str:
    # Not `strftime`, which goes through the import system each time.
    return datetime.fromtimestamp(timestamp, UTC).isoformat().removesuffix("+00:00")


def utc_text(moment: datetime) -> str:
    """Return a moment with a time zone as ISO text, UTC, to the microsecond."""
    utc = moment.astimezone(UTC).isoformat(timespec="microseconds")
    return utc.removesuffix("+00:00") + "Z"
