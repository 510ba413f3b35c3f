"""The events of AVF files, which FreeSweeper's have too: records of eight bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.replay.errors import Flaw
from demine.statistics.recording import Recording, Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.replay.byte_reader import Reader

_FIRST: Final = re.compile(rb"[\x00\x01]\x01", re.DOTALL)
"""The second and third byte of the first event: left of pixel 512, in the first second."""
FIRST_LEFT_OF: Final = 512
_NEAR: Final = 64
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
_WRITTEN: Final = np.zeros(256, np.uint8)
_WRITTEN[list(reversed(_SIGNALS.values()))] = list(reversed(_SIGNALS))
"""The number of each signal, of several the first."""
_USUAL: Final = _WRITTEN[_WRITTEN > 0].tobytes()
END: Final = bytes((1, 0, 0, 0, 0, 0, 0, 0))
"""A record whose seconds are 0, which ends the events."""


class Events(NamedTuple):
    """What a list of events says."""

    recording: Recording
    begin: int
    """The byte where the first event is."""
    end: int
    """The byte where the list ends."""
    plain: bool
    """Whether `write_events` writes the same bytes."""
    mended: int
    """Milliseconds by which a time was moved at most, because the clock ran back."""


def read_events(
    reader: Reader, after: int, mine_map: NDArray[np.bool_], *, questions: bool
) -> Events:
    """Return the events that begin soon after a byte."""
    first = _FIRST.search(reader.data, after, after + _NEAR)
    if first is None:
        raise reader.error(Flaw("there are no events"), at=after)
    start = first.start() - 1
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
    codes = left >> 24
    signal = _CODES[codes]
    if not signal.all():
        at = int(signal.argmin())
        raise reader.error(Flaw("{code} is no event", code=int(codes[at])), at=start + 8 * at)
    hundredths = seconds[:count] * 100 + (right >> 24)
    t, moved = reader.mended(hundredths * np.int64(10) - 1000, lambda event: start + 8 * event)
    x = (left >> 8 & 0xFF00 | left & 0xFF).astype(np.int16).astype(np.int32)
    y = (right >> 8 & 0xFF00 | right & 0xFF).astype(np.int16).astype(np.int32)
    end = start + 8 * count
    usual = not reader.data[start:end:8].translate(None, _USUAL)
    plain = usual and not moved and int((right >> 24).max(initial=0)) < 100
    recording = Recording(mine_map, t, signal, x, y, questions=questions)
    return Events(recording, start, end, plain, moved)


def write_events(recording: Recording) -> bytes:
    """Return events as records, without what ends them; times are hundredths of a second."""
    seconds, rest = np.divmod(recording.t + 1000, 1000)
    out = np.empty((recording.t.size, 8), np.uint8)
    x, y = recording.x, recording.y
    columns = (
        _WRITTEN[recording.signal], x >> 8, seconds, x, rest // 10, y >> 8, seconds >> 8, y
    )  # fmt: skip
    for place, column in enumerate(columns):
        out[:, place] = column & 0xFF
    return out.tobytes()
