"""Moments as the text that the database stores them in."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now_text() -> str:
    """Return the present moment as ISO text, UTC, to the microsecond; such texts sort by time."""
    return utc_text(datetime.now(UTC))


def utc_text(moment: datetime) -> str:
    """Return a moment with a time zone as ISO text, UTC, to the microsecond."""
    utc = moment.astimezone(UTC).isoformat(timespec="microseconds")
    return utc.removesuffix("+00:00") + "Z"
