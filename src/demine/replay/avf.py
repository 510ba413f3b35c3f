"""AVF, the replays of Minesweeper Arbiter: read, not written.

What the bytes mean is told in docs/formats.md. Not checked: the board's sum, the checksum, the
claimed 3BV and time. Between the mines and the time stamp, and after the events, are bytes that
nobody outside Arbiter knows; they are kept.
"""

from __future__ import annotations

import contextlib
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.neighbours import count_around
from demine.replay.errors import Flaw
from demine.replay.model import LEVELS, MODES, Facts, Replay
from demine.replay.reader import Reader
from demine.replay.text import decode
from demine.stats.recording import Recording, Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.facts import Fact

NAME: Final = "AVF"
EXTENSIONS: Final = (".avf",)

_BOARDS: Final = {3: (8, 8, 10), 4: (16, 16, 40), 5: (16, 30, 99)}
_CUSTOM: Final = 6
_LEAST: Final = 6
_MARKS: Final = 17
_STAMP: Final = re.compile(rb"([\x11\x7f]).\[([0-3])\|([^\]]{0,160})\]", re.DOTALL)
_FAR: Final = 1 << 10
"""The stamp begins at most so many bytes after the mines; real files need 40."""
_FIRST: Final = re.compile(rb"[\x00\x01]\x01", re.DOTALL)
"""The second and third byte of the first event: left of pixel 512, in the first second."""
_TAIL: Final = re.compile(
    rb"cs=(?P<checksum>.{16})\r"
    rb"(?:RealTime: (?P<seconds>\d{1,9}(?:[.,]\d{1,3})?)\r)?"
    rb"(?:Skin: (?P<skin>[^\r]{0,200})\r)?"
    rb"(?P<player>[^\r]{0,400})\r"
    rb"(?P<program>[^\r]{0,400})",
    re.DOTALL,
)
_SIGNALS: Final = {
    1: Signal.MV,
    3: Signal.LC,
    5: Signal.LR,
    21: Signal.LR,
    9: Signal.RC,
    17: Signal.RR,
    145: Signal.RR,
    33: Signal.MC,
    65: Signal.MR,
    193: Signal.MR,
    11: Signal.SC,
}
_CODES: Final = np.zeros(256, np.uint8)
_CODES[list(_SIGNALS)] = list(_SIGNALS.values())
_COUNTRIES: Final = {
    8: "CN", 10: "GB", 12: "FR", 13: "DE", 23: "KR", 29: "PL", 31: "RU", 41: "US", 69: "JP",
}  # fmt: skip
"""Arbiter numbers its list of countries; those that are known, by their codes of two letters."""
_START: Final = re.compile(rb"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{2}):(\d{2}):(\d{1,6})")
_END: Final = re.compile(rb"\|(\d{1,2})\.(\d{1,2}):(\d{2}):(\d{2}):(\d{1,6})")
_CLAIM: Final = re.compile(rb"B(\d{1,5})T(\d{1,9}(?:[.,]\d{1,3})?)$")


def recognises(data: bytes) -> bool:
    """Whether there are a level and, where it has to be, a time stamp."""
    if len(data) < _LEAST or data[5] not in (*_BOARDS, _CUSTOM):
        return False
    at = _mines_at(data) + 2 * _board(data)[2]
    return _STAMP.search(data, at, at + _FAR) is not None


def read(data: bytes) -> Replay:
    """Return the game in a file of Arbiter; raises `ReplayError`."""
    reader = Reader(NAME, data)
    mine_map = _read_mines(reader)
    after_mines = reader.at
    stamp = _STAMP.search(data, after_mines, after_mines + _FAR)
    if stamp is None:
        raise reader.error(Flaw("there is no time stamp"))
    first = _FIRST.search(data, stamp.end(), stamp.end() + 64)
    if first is None:
        raise reader.error(Flaw("there are no events"), at=stamp.end())
    recording, end = _read_events(reader, first.start() - 1, mine_map, stamp[1][0] == _MARKS)
    kept = {
        "head": data[: _mines_at(data)],
        "stamp": data[after_mines : first.start() - 1],
        "tail": data[end:],
    }

    def facts() -> dict[str, Fact]:
        return _facts(data, recording, stamp, end)

    return Replay(NAME, str(data[0]), recording, Facts(facts), kept=kept)


def _facts(data: bytes, recording: Recording, stamp: re.Match[bytes], end: int) -> dict[str, Fact]:
    facts: dict[str, Fact] = {
        "format": f"{NAME} {data[0]}",
        "level": LEVELS[data[5] - 3],
        "mode": MODES[0],
        "marks": recording.questions,
        "cell_px": recording.cell,
    }
    _add_stamp(facts, stamp[3])
    _add_tail(facts, _TAIL.search(data, end))
    _add_country(facts, data, recording.mine_map)
    return facts


def _mines_at(data: bytes) -> int:
    return 10 if data[5] == _CUSTOM else _LEAST


def _board(data: bytes) -> tuple[int, int, int]:
    """Return height, width and mines."""
    if data[5] in _BOARDS:
        return _BOARDS[data[5]]
    custom = data[6:10].ljust(4, b"\0")
    return custom[1] + 1, custom[0] + 1, int.from_bytes(custom[2:], "big")


def _read_mines(reader: Reader) -> NDArray[np.bool_]:
    if reader.left < _LEAST or reader.data[5] not in (*_BOARDS, _CUSTOM):
        raise reader.error(Flaw("there is no level"), at=min(reader.left, 5))
    if not reader.data[0]:
        raise reader.error(Flaw("this is a game of FreeSweeper"))
    height, width, mines = _board(reader.data)
    reader.take(_mines_at(reader.data))
    reader.check_board(height, width, mines, at=6)
    start = reader.at
    places = np.frombuffer(reader.take(2 * mines), np.uint8).reshape(mines, 2).astype(np.intp) - 1
    return reader.mine_map(start, places[:, 0], places[:, 1], height, width)


def _read_events(
    reader: Reader, start: int, mine_map: NDArray[np.bool_], questions: bool
) -> tuple[Recording, int]:
    """Return the events and the byte where they end."""
    # A record is: what, x high, s low, x low, hundredths, y high, s high, y low. The seconds
    # count from 1, and 0 of them end the list.
    most = (len(reader.data) - start) // 8
    words = np.frombuffer(reader.data, ">u4", 2 * most, start).reshape(most, 2)
    left, right = np.ascontiguousarray(words.T).astype(np.uint32)
    seconds = right & 0xFF00 | left >> 8 & 0xFF
    count = int(seconds.argmin()) if most else 0
    if not most or seconds[count]:
        raise reader.error(Flaw("the events do not end"), at=len(reader.data))
    left, right = left[:count], right[:count]
    signal = _CODES[left >> 24]
    if not signal.all():
        at = int(signal.argmin())
        flaw = Flaw("{code} is no event", code=int(left[at] >> 24))
        raise reader.error(flaw, at=start + 8 * at)
    hundredths = seconds[:count] * 100 + (right >> 24)
    if (hundredths[1:] < hundredths[:-1]).any():
        at = int((hundredths[1:] < hundredths[:-1]).argmax()) + 1
        raise reader.error(Flaw("the time runs back"), at=start + 8 * at)
    t = hundredths * np.int64(10) - 1000
    x = (left >> 8 & 0xFF00 | left & 0xFF).astype(np.int16).astype(np.int32)
    y = (right >> 8 & 0xFF00 | right & 0xFF).astype(np.int16).astype(np.int32)
    return Recording(mine_map, t, signal, x, y, questions=questions), start + 8 * count


def _add_stamp(facts: dict[str, Fact], stamp: bytes) -> None:
    claim = _CLAIM.search(stamp)
    if claim:
        facts["claimed_bv"] = int(claim[1])
        # Arbiter's clock begins at one second.
        facts["claimed_ms"] = _milliseconds(claim[2]) - 1000
    if b"|HS|" in stamp:
        facts["high_score"] = True
    begun, ended = _START.search(stamp), _END.search(stamp)
    with contextlib.suppress(ValueError, OverflowError):
        if begun is None:
            return
        day, month, year, hour, minute, second = map(int, begun.groups()[:6])
        # Local time, of a place that nobody wrote down.
        start = datetime(year, month, day, hour, minute, second, _micros(begun[7]))  # noqa: DTZ001
        facts["started"] = start.isoformat(timespec="milliseconds")
        if ended is None:
            return
        day, hour, minute, second = map(int, ended.groups()[:4])
        end = start
        if day != start.day:
            # The stamp says no month: the first such day from the start on.
            end += timedelta(days=(day - start.day) if day > start.day else _to_next(start, day))
        end = end.replace(hour=hour, minute=minute, second=second, microsecond=_micros(ended[5]))
        facts["ended"] = end.isoformat(timespec="milliseconds")


def _to_next(start: datetime, day: int) -> int:
    """Return the days from a date to that day of the next month."""
    year, month = divmod(start.year * 12 + start.month, 12)
    return (start.replace(year=year, month=month + 1, day=day) - start).days


def _micros(digits: bytes) -> int:
    # Hundreds and tens are said again before the whole: "6606" is 606 ms.
    return int(digits[-3:]) * 1000


def _milliseconds(seconds: bytes) -> int:
    whole, _, part = seconds.replace(b",", b".").partition(b".")
    return int(whole) * 1000 + int(part.ljust(3, b"0"))


def _add_tail(facts: dict[str, Fact], tail: re.Match[bytes] | None) -> None:
    if tail is None:
        return
    facts["checksum"] = tail["checksum"].hex()
    if tail["seconds"]:
        # The stamp's time is sometimes wrong, this one never was.
        facts["claimed_ms"] = _milliseconds(tail["seconds"])
    if tail["skin"]:
        facts["skin"] = decode(tail["skin"])[0]
    facts["player"], certain = decode(tail["player"])
    if not certain:
        facts["player_bytes"] = tail["player"].hex()
    facts["program"] = decode(tail["program"].partition(b". Copyright")[0])[0]


def _add_country(facts: dict[str, Fact], data: bytes, mine_map: NDArray[np.bool_]) -> None:
    """Find the country: behind the digits of the board's sum and four more bytes."""
    height, width = mine_map.shape
    weights = (1 + np.arange(height))[:, None] * np.arange(width)
    total = int((np.where(mine_map, 10, count_around(mine_map) + 1) * weights).sum())
    digits = bytes(ord(digit) - 45 for digit in str(total))
    after_mines = _mines_at(data) + 2 * int(np.count_nonzero(mine_map))
    at = after_mines + len(digits) + 4
    if data.startswith(digits, after_mines) and at < len(data) and data[at] in _COUNTRIES:
        facts["country"] = _COUNTRIES[data[at]]
