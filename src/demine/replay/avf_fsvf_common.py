"""The parts that AVF and FSVF files share: level, mines, time stamp, and events of eight bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from demine.replay import avf_timestamp
from demine.replay.big_endian_reader import all_below
from demine.replay.errors import Flaw
from demine.replay.model import LEVELS, MODES, corrected_times_fact
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.replay.big_endian_reader import BigEndianReader

_Kind = TypeVar("_Kind", bound="np.integer[Any]")

LEVEL_BOARDS: Final = {3: (8, 8, 10), 4: (16, 16, 40), 5: (16, 30, 99)}
CUSTOM_LEVEL: Final = 6
_HEAD_SIZE: Final = 6
_FIRST_EVENT: Final = re.compile(rb"[\x00\x01]\x01", re.DOTALL)
"""The second and third byte of the first event: x below 512 pixels, in the first second."""
FIRST_CLICK_LEFT_OF: Final = 512
_MAX_GAP: Final = 64
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
_SIGNAL_OF_CODE: Final = bytes(_SIGNALS.get(code, 0) for code in range(256))
_CODE_OF_SIGNAL: Final = np.zeros(256, np.uint8)
_CODE_OF_SIGNAL[list(reversed(_SIGNALS.values()))] = list(reversed(_SIGNALS))
"""The first code of each signal."""
_USUAL_CODES: Final = _CODE_OF_SIGNAL[_CODE_OF_SIGNAL > 0].tobytes()
_RECORD: Final = np.dtype([
    ("code", "u1"), ("x_high", "i1"), ("s_low", "u1"), ("x_low", "u1"),
    ("hundredths", "u1"), ("y_high", "i1"), ("s_high", "u1"), ("y_low", "u1"),
])  # fmt: skip
# NumPy handles zero-dimensional arrays in half the time of Python's numbers.
_SECOND: Final = np.array(1000, np.int64)
_BYTE: Final = np.array(8, np.uint8)
_MS_OF_HUNDREDTHS: Final = np.arange(256, dtype=np.int64) * 10 - 1000
"""Less the second at which the clock starts."""
END_OF_EVENTS: Final = bytes((1, 0, 0, 0, 0, 0, 0, 0))
"""A record with 0 seconds, which ends the events."""


class EventList(NamedTuple):
    """The events of a file."""

    recording: Recording
    begin: int
    """The offset of the first event."""
    end: int
    """The offset where the list ends."""
    is_canonical: bool
    """Whether `write_events` would write the same bytes."""
    corrected_ms: int
    """The largest correction of a time in ms, if the clock ran back."""


def read_events(
    reader: BigEndianReader, search_from: int, mine_map: NDArray[np.bool_], *, question_marks: bool
) -> EventList:
    """Read the events, whose first one is searched for from the offset `search_from` on.

    Raises `ReplayError` if there are none or they do not end.
    """
    first = _FIRST_EVENT.search(reader.data, search_from, search_from + _MAX_GAP)
    if first is None:
        raise reader.error(Flaw("there are no events"), at=search_from)
    data, start = reader.data, first.start() - 1
    most = (len(data) - start) // 8
    rows = np.frombuffer(data, _RECORD, most, start)
    # The seconds count from 1, and a record with 0 seconds ends the list.
    seconds = _joined(rows["s_high"], rows["s_low"], np.uint16)
    count = int(seconds.argmin()) if most else 0
    if not most or seconds[count]:
        raise reader.error(Flaw("the events do not end"), at=len(data))
    rows, end = rows[:count], start + 8 * count
    codes = data[start:end:8]
    signal = codes.translate(_SIGNAL_OF_CODE)
    if 0 in signal:
        at = signal.find(0)
        raise reader.error(Flaw("{code} is not an event", code=codes[at]), at=start + 8 * at)
    ms = seconds[:count] * _SECOND
    ms += _MS_OF_HUNDREDTHS.take(rows["hundredths"])
    t, moved = reader.correct_backward_steps(ms, lambda event: start + 8 * event)
    recording = Recording(
        mine_map,
        t,
        np.frombuffer(bytearray(signal), np.uint8),
        _joined(rows["x_high"], rows["x_low"], np.int32),
        _joined(rows["y_high"], rows["y_low"], np.int32),
        questions=question_marks,
    )
    usual = not codes.translate(None, _USUAL_CODES) and all_below(data[start + 4 : end : 8], 100)
    return EventList(recording, start, end, usual and not moved, moved)


def _joined(
    high: NDArray[np.integer[Any]], low: NDArray[np.uint8], kind: type[_Kind]
) -> NDArray[_Kind]:
    """Return numbers of two bytes each; they are signed if the high bytes are."""
    numbers = high.astype(kind)
    numbers <<= _BYTE
    numbers |= low
    return numbers


def write_events(recording: Recording) -> bytes:
    """Return the events as records, without the last one that ends them, rounded down to 10 ms."""
    seconds, rest = np.divmod(recording.t + 1000, 1000)
    out = np.empty((recording.t.size, 8), np.uint8)
    x, y = recording.x, recording.y
    columns = (
        _CODE_OF_SIGNAL[recording.signal], x >> 8, seconds, x, rest // 10, y >> 8, seconds >> 8, y
    )  # fmt: skip
    for place, column in enumerate(columns):
        out[:, place] = column & 0xFF
    return out.tobytes()


def has_level_and_time_stamp(data: bytes) -> bool:
    """Return whether there are a level and, in its place, a time stamp."""
    if len(data) < _HEAD_SIZE or data[5] not in (*LEVEL_BOARDS, CUSTOM_LEVEL):
        return False
    return (
        avf_timestamp.find_time_stamp(data, mines_offset(data) + 2 * _board_dimensions(data)[2])
        is not None
    )


class AvfGame(NamedTuple):
    """The parts of a file up to the end of its events."""

    mines_end: int
    stamp: re.Match[bytes]
    events: EventList


def read_game(reader: BigEndianReader) -> AvfGame:
    """Read the parts that Arbiter's and FreeSweeper's files share."""
    mine_map = _read_mine_map(reader)
    stamp = avf_timestamp.find_time_stamp(reader.data, reader.at)
    if stamp is None:
        raise reader.error(Flaw("there is no timestamp"))
    marks = stamp[1][0] == avf_timestamp.MARKS
    return AvfGame(
        reader.at, stamp, read_events(reader, stamp.end(), mine_map, question_marks=marks)
    )


def common_facts(data: bytes, game: AvfGame) -> dict[str, Fact]:
    """Return the facts that Arbiter's and FreeSweeper's files state in the same way."""
    recording = game.events.recording
    return {
        "level": LEVELS[data[5] - 3],
        "mode": MODES[0],
        "marks": recording.questions,
        "cell_px": recording.cell,
        **corrected_times_fact(game.events.corrected_ms),
    }


def mines_offset(data: bytes) -> int:
    """Return the offset of the mines."""
    return 10 if data[5] == CUSTOM_LEVEL else _HEAD_SIZE


def _board_dimensions(data: bytes) -> tuple[int, int, int]:
    """Return height, width and the number of mines."""
    if data[5] in LEVEL_BOARDS:
        return LEVEL_BOARDS[data[5]]
    custom = data[6:10].ljust(4, b"\0")
    return custom[1] + 1, custom[0] + 1, int.from_bytes(custom[2:], "big")


def _read_mine_map(reader: BigEndianReader) -> NDArray[np.bool_]:
    if reader.remaining < _HEAD_SIZE or reader.data[5] not in (*LEVEL_BOARDS, CUSTOM_LEVEL):
        raise reader.error(Flaw("there is no level"), at=min(reader.remaining, 5))
    height, width, mines = _board_dimensions(reader.data)
    reader.take(mines_offset(reader.data))
    reader.check_playable_board(height, width, mines, at=6)
    return reader.read_mine_list(height, width, mines, index_base=1, row_first=True)
