"""The time stamp of AVF and FSVF files: when the game was played, how long, and its 3BV."""

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
"""The values of the byte that says whether question marks are on."""
_STAMP: Final = re.compile(rb"([\x11\x7f]).\[([0-3])\|([^\]]{0,160})\]", re.DOTALL)
_MAX_GAP: Final = 1 << 10
"""The stamp begins at most this many bytes after the mines; in real files it is up to 40."""
_START: Final = re.compile(rb"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{2}):(\d{2}):(\d{1,6})")
_END: Final = re.compile(rb"\|(\d{1,2})\.(\d{1,2}):(\d{2}):(\d{2}):(\d{1,6})")
_CLAIMED_BV_AND_TIME: Final = re.compile(rb"B(\d{1,5})T(\d{1,9}(?:[.,]\d{1,3})?)$")
_UNKNOWN_START: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - a stamp has no time zone
"""Written if it is not known when the game began, since the date cannot be left out."""
_UNKNOWN_END: Final = "0.00:00:00:000"
"""Written if it is not known when the game ended."""
_SHORTEST_MONTH: Final = timedelta(days=28)


def find_time_stamp(data: bytes, search_from: int) -> re.Match[bytes] | None:
    """Search for the stamp from an offset on; its groups are the marks byte, level and fields."""
    return _STAMP.search(data, search_from, search_from + _MAX_GAP)


def time_stamp_facts(stamp: bytes, clock_start_ms: int) -> dict[str, Fact]:
    """Return the facts in a stamp, whose clock shows `clock_start_ms` when the game begins."""
    facts: dict[str, Fact] = {}
    claim = _CLAIMED_BV_AND_TIME.search(stamp)
    if claim:
        facts["claimed_bv"] = int(claim[1])
        facts["claimed_ms"] = seconds_to_ms(claim[2]) - clock_start_ms
    if b"|HS|" in stamp:
        facts["high_score"] = True
    with contextlib.suppress(ValueError, OverflowError):
        start = _start_time(stamp)
        if start is None or start == _UNKNOWN_START:
            return facts
        facts["started"] = start.isoformat(timespec="milliseconds")
        ended = _END.search(stamp)
        if ended is not None:
            facts["ended"] = _end_time(start, ended).isoformat(timespec="milliseconds")
    return facts


def _start_time(stamp: bytes) -> datetime | None:
    begun = _START.search(stamp)
    if begun is None:
        return None
    day, month, year, hour, minute, second = map(int, begun.groups()[:6])
    # Local time; the stamp has no time zone.
    return datetime(year, month, day, hour, minute, second, _microseconds(begun[7]))  # noqa: DTZ001


def _end_time(start: datetime, ended: re.Match[bytes]) -> datetime:
    day, hour, minute, second = map(int, ended.groups()[:4])
    end = start
    if day != start.day:
        # The stamp has no month for the end: it is the first such day from the start on.
        end += timedelta(
            days=(day - start.day) if day > start.day else _days_to_next_month(start, day)
        )
    return end.replace(hour=hour, minute=minute, second=second, microsecond=_microseconds(ended[5]))


def _days_to_next_month(start: datetime, day: int) -> int:
    """Return the number of days from a date to a day of the next month."""
    year, month = divmod(start.year * 12 + start.month, 12)
    return (start.replace(year=year, month=month + 1, day=day) - start).days


def _microseconds(digits: bytes) -> int:
    # The hundreds and tens digits are repeated before the number: "6606" is 606 ms.
    return int(digits[-3:]) * 1000


def seconds_to_ms(seconds: bytes) -> int:
    """Convert seconds, with or without decimals, to milliseconds."""
    whole, _, part = seconds.replace(b",", b".").partition(b".")
    return int(whole) * 1000 + int(part.ljust(3, b"0"))


def format_time_stamp(facts: Mapping[str, Fact], level_fields: str, time_ms: int, bv: int) -> str:
    """Return Arbiter's stamp of a game; `level_fields` is the level and the board's size."""
    start, end = storable_dates(facts)
    start = start or _UNKNOWN_START
    ended = f"{end.day}.{_format_clock(end)}" if end else _UNKNOWN_END
    score = time_ms + 1000
    record = "|HS" if facts.get("high_score") is True else ""
    return (
        f"[{level_fields}|{start.day}.{start.month}.{start.year:04}.{_format_clock(start)}|{ended}"
        f"{record}|B{bv}T{score // 1000}.{score % 1000 // 10:02}]"
    )


def storable_dates(facts: Mapping[str, Fact]) -> tuple[datetime | None, datetime | None]:
    """Return the start and the end in local time, each None if a stamp cannot hold it."""
    start, end = (_local_datetime(facts.get(name)) for name in ("started", "ended"))
    if start is None or start == _UNKNOWN_START or end is None:
        return start, None
    return start, end if timedelta() <= end - start < _SHORTEST_MONTH else None


def _local_datetime(fact: Fact) -> datetime | None:
    """Return a date and time without its time zone, cut to milliseconds."""
    moment = parse_datetime(fact)
    if moment is None:
        return None
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=None)


def _format_clock(moment: datetime) -> str:
    ms = moment.microsecond // 1000
    return f"{moment:%H:%M:%S}:{ms // 100}{ms // 10}{ms}"


def time_stamp_losses(facts: Mapping[str, Fact]) -> tuple[Loss, ...]:
    """Return what a stamp cannot hold of the dates."""
    lost = []
    moments = [
        moment for name in ("started", "ended") if (moment := parse_datetime(facts.get(name)))
    ]
    if any(moment.tzinfo is not None for moment in moments):
        lost.append(Loss("the time zone of its date"))
    if any(moment.microsecond % 1000 for moment in moments):
        lost.append(Loss("fractions of a millisecond in its date"))
    if facts.get("ended") and storable_dates(facts)[1] is None:
        lost.append(Loss("when the game ended"))
    return tuple(lost)
