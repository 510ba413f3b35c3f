"""The time stamp of AVF files, which FreeSweeper's have too: when, how long, and the 3BV."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from demine.replay.errors import Loss
from demine.replay.fact_dates import parse_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.logic.metadata import Fact

MARKS, NO_MARKS = 17, 127
"""The byte that says whether question marks are on."""
_STAMP: Final = re.compile(rb"([\x11\x7f]).\[([0-3])\|([^\]]{0,160})\]", re.DOTALL)
_MAX_GAP: Final = 1 << 10
"""The stamp begins at most so many bytes after the mines; real files need 40."""
_START: Final = re.compile(rb"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{2}):(\d{2}):(\d{1,6})")
_END: Final = re.compile(rb"\|(\d{1,2})\.(\d{1,2}):(\d{2}):(\d{2}):(\d{1,6})")
_CLAIMED_BV_AND_TIME: Final = re.compile(rb"B(\d{1,5})T(\d{1,9}(?:[.,]\d{1,3})?)$")
_UNKNOWN_START: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - a stamp has no time zone
"""What stands in a stamp if nobody knows when the game was: one cannot be left out."""
_UNKNOWN_END: Final = "0.00:00:00:000"
"""The same for the end."""
_SHORTEST_MONTH: Final = timedelta(days=28)


def find_time_stamp(data: bytes, after: int) -> re.Match[bytes] | None:
    """Return the stamp behind the mines: the byte of the marks, the level, and the fields."""
    return _STAMP.search(data, after, after + _MAX_GAP)


def time_stamp_facts(stamp: bytes, first_ms: int) -> dict[str, Fact]:
    """Return what the fields of a stamp say, on whose clock the game begins at `first_ms`."""
    said: dict[str, Fact] = {}
    claim = _CLAIMED_BV_AND_TIME.search(stamp)
    if claim:
        said["claimed_bv"] = int(claim[1])
        said["claimed_ms"] = seconds_to_ms(claim[2]) - first_ms
    if b"|HS|" in stamp:
        said["high_score"] = True
    with contextlib.suppress(ValueError, OverflowError):
        start = _start_time(stamp)
        if start is None or start == _UNKNOWN_START:
            return said
        said["started"] = start.isoformat(timespec="milliseconds")
        ended = _END.search(stamp)
        if ended is not None:
            said["ended"] = _end_time(start, ended).isoformat(timespec="milliseconds")
    return said


def _start_time(stamp: bytes) -> datetime | None:
    begun = _START.search(stamp)
    if begun is None:
        return None
    day, month, year, hour, minute, second = map(int, begun.groups()[:6])
    # Local time, of a place that nobody wrote down.
    return datetime(year, month, day, hour, minute, second, _microseconds(begun[7]))  # noqa: DTZ001


def _end_time(start: datetime, ended: re.Match[bytes]) -> datetime:
    day, hour, minute, second = map(int, ended.groups()[:4])
    end = start
    if day != start.day:
        # The stamp says no month: the first such day from the start on.
        end += timedelta(
            days=(day - start.day) if day > start.day else _days_to_next_month(start, day)
        )
    return end.replace(hour=hour, minute=minute, second=second, microsecond=_microseconds(ended[5]))


def _days_to_next_month(start: datetime, day: int) -> int:
    """Return the days from a date to that day of the next month."""
    year, month = divmod(start.year * 12 + start.month, 12)
    return (start.replace(year=year, month=month + 1, day=day) - start).days


def _microseconds(digits: bytes) -> int:
    # Hundreds and tens are said again before the whole: "6606" is 606 ms.
    return int(digits[-3:]) * 1000


def seconds_to_ms(seconds: bytes) -> int:
    """Return seconds with decimals, or without, as milliseconds."""
    whole, _, part = seconds.replace(b",", b".").partition(b".")
    return int(whole) * 1000 + int(part.ljust(3, b"0"))


def format_time_stamp(said: Mapping[str, Fact], fields: str, ms: int, bv: int) -> str:
    """Return the stamp of a game of Arbiter, of which `fields` is the level and the board."""
    start, end = start_and_end(said)
    start = start or _UNKNOWN_START
    ended = f"{end.day}.{_format_clock(end)}" if end else _UNKNOWN_END
    score = ms + 1000
    record = "|HS" if said.get("high_score") is True else ""
    return (
        f"[{fields}|{start.day}.{start.month}.{start.year:04}.{_format_clock(start)}|{ended}"
        f"{record}|B{bv}T{score // 1000}.{score % 1000 // 10:02}]"
    )


def start_and_end(said: Mapping[str, Fact]) -> tuple[datetime | None, datetime | None]:
    """Return the dates that a stamp holds of a start and an end, by the clock on the wall."""
    start, end = (_local_datetime(said.get(name)) for name in ("started", "ended"))
    if start is None or start == _UNKNOWN_START or end is None:
        return start, None
    return start, end if timedelta() <= end - start < _SHORTEST_MONTH else None


def _local_datetime(fact: Fact) -> datetime | None:
    """Return a moment without its time zone, in whole milliseconds."""
    moment = parse_datetime(fact)
    if moment is None:
        return None
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=None)


def _format_clock(moment: datetime) -> str:
    ms = moment.microsecond // 1000
    return f"{moment:%H:%M:%S}:{ms // 100}{ms // 10}{ms}"


def time_stamp_losses(said: Mapping[str, Fact]) -> tuple[Loss, ...]:
    """Return what of the dates a stamp does not hold."""
    lost = []
    moments = [
        moment for name in ("started", "ended") if (moment := parse_datetime(said.get(name)))
    ]
    if any(moment.tzinfo is not None for moment in moments):
        lost.append(Loss("the time zone of its date"))
    if any(moment.microsecond % 1000 for moment in moments):
        lost.append(Loss("fractions of a millisecond in its date"))
    if said.get("ended") and start_and_end(said)[1] is None:
        lost.append(Loss("when the game ended"))
    return tuple(lost)
