"""The events of RMV files: records of nine or three bytes, about the mouse or the board."""

from __future__ import annotations

import re
from array import array
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

import numpy as np

from demine.replay.big_endian_reader import BigEndianReader, all_below
from demine.replay.board_changes import CellDisplay, RecordedBoardChanges, board_changes_of_clicks
from demine.replay.errors import Flaw
from demine.replay.kernels import RMV_KERNELS
from demine.statistics.recording_type import Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from demine.replay.errors import ReplayError
    from demine.statistics.played_recording import PlayedRecording
    from demine.statistics.recording_type import Recording

    AnyNumbers: TypeAlias = NDArray[Any]

STEP: Final = 28
"""A small movement of the mouse: `u8 ms, i4 x, i4 y` relative to the event before it."""
_MOUSE: Final = 7
"""The codes of full mouse records are 1 to 7, the same numbers as in `Signal`."""
_CLOCK: Final = 0
"""A clock record in very old files, a date and time: `u32`."""
_SHORT: Final = (*range(9, 15), *range(18, 28), STEP)
_SIZES: Final = tuple(
    9 if 1 <= code <= _MOUSE else 3 if code in _SHORT else 5 * (code == _CLOCK)
    for code in range(256)
)
"""The length of the record with each code; 0 for codes that end the list or are unknown."""
_STOPS: Final = bytes(size not in {3, 9} for size in _SIZES)
_OTHERS: Final = re.compile(
    rb"(?:[\x01-\x07].{8}|[" + b"".join(b"\\x%02x" % code for code in _SHORT) + rb"].{2})++",
    re.DOTALL,
)
_CLOCKS: Final = re.compile(rb"(?:\x00.{4})++", re.DOTALL)

# NumPy handles zero-dimensional arrays in half the time of Python's numbers, which matters because
# a file of usual length needs only dozens of short steps.
_ONE: Final = np.array(1, np.uint8)
_SEVEN: Final = np.array(_MOUSE, np.uint8)
_EIGHT: Final = np.array(_MOUSE + 1, np.uint8)
_STEP: Final = np.array(STEP, np.uint8)
_BITS: Final = np.array(8)
_TRIPLET: Final = np.dtype("V3")
_PAIR: Final = np.dtype("<u2")
_READ, _NUMBER = np.dtype(">u8"), np.dtype("<u8")
_LONG_RECORDS: Final = {
    version: np.dtype(
        {
            "names": ["code_and_ms", "x", "y"],
            "formats": [">u4", point, point],
            "offsets": [0, 5, 7],
            "itemsize": 9,
        }
    )
    for version, point in ((1, ">u2"), (2, ">i2"))
}
"""Records of nine bytes by version: `u8 code, u24 ms, u8 buttons, x, y`."""
_MS_BITS: Final = np.array(0xFFFFFF, np.uint32)


class BoardRecords(NamedTuple):
    """The records of three bytes about the board: code, column, row."""

    triplets: NDArray[np.intp]
    """Their triplets, as numbers in the list."""
    data: bytes
    """Their bytes in a row."""


class RecordTriplets(NamedTuple):
    """The list of records, of three or nine bytes each, seen as triplets of bytes."""

    data: bytes
    """Bytes that contain the list without clock records."""
    begin: int
    """The offset in `data` of the first record."""
    first: int
    """The offset in the file of the first record."""
    events: NDArray[np.bool_]
    """Which triplets begin a mouse event: all records except those about the board."""
    has_steps: bool
    """Whether there may be small movements among them."""
    places: NDArray[np.intp]
    """The triplets at which records begin, except small movements, if there may be any.

    If not, the records of nine bytes are left out instead. The last one ends the list."""
    said: NDArray[np.uint8]
    """The codes of the records in `places`."""
    full: NDArray[np.bool_]
    """Which of them are records of nine bytes; True for the last too."""
    end: int
    """The offset in the file of the byte that ends the list."""
    clocks: NDArray[np.int64]
    """The number of other bytes before each clock record; these are left out of `data`."""

    def board_records(self) -> BoardRecords:
        """Return the records about the board."""
        triplets = self.places.take((~self.full).nonzero()[0])
        every = np.ndarray(self.events.shape, _TRIPLET, self.data, self.begin)
        return BoardRecords(triplets, every.take(triplets).tobytes())

    def long_record_payloads(self, triplets: NDArray[np.intp]) -> NDArray[np.uint64]:
        """Return the eight bytes after the code of each record of nine bytes, as one number."""
        every = np.ndarray((self.events.size - 2,), _READ, self.data, self.begin + 1, (3,))
        return every[triplets].astype(_NUMBER)

    def short_record_payloads(self, events: NDArray[np.bool_]) -> NDArray[np.uint16]:
        """Return the two bytes after the code of each marked record, as a little-endian number."""
        every = np.ndarray(self.events.shape, _PAIR, self.data, self.begin + 1, (3,))
        return every[events]

    def long_records(self) -> NDArray[np.void]:
        """Return all records of nine bytes; only if there are no small movements."""
        # They are copied by a mask, a run at a time, which is faster than by indices.
        rows = np.ones(self.events.size, np.bool_)
        rows[self.places[:-1]] = False
        every = np.ndarray(rows.shape, _TRIPLET, self.data, self.begin)
        return every[rows].view("V9")

    def file_offset(self, triplet: int) -> int:
        """Return the offset in the file at which a triplet begins."""
        found = 3 * triplet
        return self.first + found + 5 * int(np.searchsorted(self.clocks, found, "right"))


_NO_CLOCKS: Final = np.empty(0, np.int64)


def find_records(reader: BigEndianReader, version: int) -> RecordTriplets:
    """Find the records at the reader's offset; raises `ReplayError` if they do not end."""
    data, begin = reader.data, reader.at
    found = _find_record_triplets(data, begin, version)
    if found is None:
        raise reader.error(Flaw("the events do not end"), at=len(data))
    end = begin + 3 * found[0].size
    if data[end] == _CLOCK and version == 1:
        return _find_records_between_clocks(reader)
    return RecordTriplets(data, begin, begin, *found, end, _NO_CLOCKS)


_Found: TypeAlias = (
    "tuple[NDArray[np.bool_], bool, NDArray[np.intp], NDArray[np.uint8], NDArray[np.bool_]]"
)


def _find_record_triplets(data: bytes, begin: int, version: int) -> _Found | None:
    """Return the fields of `RecordTriplets` from `events` to `full`.

    Returns None if nothing ends the list.
    """
    count = (len(data) - begin + 2) // 3
    codes = np.ndarray((count,), np.uint8, data, begin, (3,)).copy()
    mouse = codes - _ONE < _SEVEN
    events = _record_starts(mouse)
    steps = version > 1 and STEP in codes.tobytes()
    places = (events & (codes != _STEP) if steps else events > mouse).nonzero()[0]
    said = codes.take(places)
    last = said.tobytes().translate(_STOPS).find(1)
    if last < 0:
        return None
    places, said = places[: last + 1], said[: last + 1]
    full = said < _EIGHT
    full[-1] = True
    events[places] = full
    return events[: places[-1]], steps, places, said, full


def _record_starts(mouse: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which triplets begin a record; `mouse` marks those with the code of a long one."""
    # All records except clock records are one or three triplets long, so the question is which
    # triplets begin one. That depends on all triplets before; but after two short triplets in a row
    # every record has ended, so most groups of eight determine by themselves how many of the next
    # are to be skipped.
    packed = np.packbits(mouse)
    chain = _eight_triplet_tables()
    stretches = packed.tobytes()
    skips = bytearray(b"\0" + stretches.translate(chain.certain))
    place = skips.find(_OPEN)
    while place >= 0:
        skips[place] = chain.goes_on[skips[place - 1]][stretches[place - 1]]
        place = skips.find(_OPEN, place)
    keys = np.frombuffer(skips, np.uint8)[:-1].astype(np.intp)
    keys <<= _BITS
    keys |= packed
    return chain.begins.take(keys).view(np.bool_)[: mouse.size]


_OPEN: Final = 255


class _EightTripletTables(NamedTuple):
    """Tables for groups of eight triplets, given as a byte whose bits mark the long ones."""

    certain: bytes
    """How many triplets to skip in the next group, by the byte alone, or `_OPEN`."""
    goes_on: tuple[bytes, ...]
    """The same by the number skipped in this group, and the byte."""
    begins: NDArray[np.uint64]
    """Which of the eight begin a record, a byte each, by both as one number."""


@cache
def _eight_triplet_tables() -> _EightTripletTables:
    goes_on = [bytearray(256) for _ in range(3)]
    begins = np.zeros((3 << 8, 8), np.uint8)
    for key in range(3 << 8):
        skip = key >> 8
        for place in range(8):
            if skip:
                skip -= 1
                continue
            begins[key, place] = 1
            if key & 128 >> place:
                skip = 2
        goes_on[key >> 8][key & 255] = skip
    alike = zip(*goes_on, strict=True)
    certain = bytes(each[0] if each[0] == each[1] == each[2] else _OPEN for each in alike)
    return _EightTripletTables(
        certain, tuple(map(bytes, goes_on)), begins.view(np.uint64).reshape(-1)
    )


def _find_records_between_clocks(reader: BigEndianReader) -> RecordTriplets:
    """Do the same as `find_records` if there are clock records, which are left out."""
    at, data = reader.at, reader.data
    parts, clocks, length = [], array("q"), 0
    while True:
        run = _OTHERS.match(data, at)
        if run is not None:
            parts.append(run[0])
            length += len(run[0])
            at = run.end()
        found_clocks = _CLOCKS.match(data, at)
        if found_clocks is None:
            break
        begin, at = at, found_clocks.end()
        clocks.extend([length] * ((at - begin) // _SIZES[_CLOCK]))
    if at >= len(data) or _SIZES[data[at]]:
        raise reader.error(Flaw("the events do not end"), at=len(data))
    whole = b"".join((*parts, data[at : at + 1]))
    found = _find_record_triplets(whole, 0, 1)
    if found is None:  # pragma: no cover - it ends where the walk ended
        raise reader.error(Flaw("the events do not end"), at=len(data))
    return RecordTriplets(whole, 0, reader.at, *found, at, np.frombuffer(clocks, np.int64))


_BELOW_TIME: Final = np.array(40, np.uint64)
"""The bits below the time in the number of a record of nine bytes."""
_NARROW: Final = 19
_WIDE: Final = 31
_FEW: Final = 28_000
"""This many movements of 8 pixels do not leave a field of 19 bits."""
_HALVES: Final = np.array([*range(8), *range(-8, 0)], np.int64)
"""The signed values of half a byte."""


def points_from_steps(
    numbers: NDArray[np.uint64], steps: NDArray[np.uint16], firsts: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return the times in ms, x and y of all events: full ones, and steps after each of them.

    `numbers` are the full events as `long_record_payloads` returns them: `u24` time, `u8` buttons,
    `i16` x and y. `steps` has two bytes for every event: ms in the low one, then right and down.
    `firsts` has the index of every full event, and at its end the number of events.
    """
    # Right and down are added as one number whose halves stay in their fields; time too, if there
    # are few enough movements.
    narrow = steps.size <= _FEW
    fields = _packed_point_layout(_NARROW if narrow else _WIDE)
    t = (numbers >> _BELOW_TIME).view(np.int64)
    parts = numbers.view("<i2")
    points = t if narrow else np.zeros_like(t)
    points <<= fields.size
    points += parts[1::4]
    points <<= fields.size
    points += parts[::4]
    points += fields.middles
    line = _positions_from_steps(fields.moves.take(steps), firsts, points)
    y = line.astype(np.int32)
    line >>= fields.size
    x = line.astype(np.int32)
    x &= fields.low
    x -= fields.middle
    y &= fields.low
    y -= fields.middle
    if narrow:
        line >>= fields.size
        return line, x, y
    return _positions_from_steps((steps & 255).astype(np.int64), firsts, t), x, y


def _positions_from_steps(steps: AnyNumbers, firsts: AnyNumbers, there: AnyNumbers) -> AnyNumbers:
    """Return the positions that steps lead to, starting anew from `there` at each of `firsts`.

    The first event is one of these; their own steps are ignored. `firsts` ends with the number of
    events. Overwrites `steps` and `there`.
    """
    steps.cumsum(out=steps)
    there -= steps.take(firsts[:-1])
    steps += there.repeat(firsts[1:] - firsts[:-1])
    return steps


class _PackedPointLayout(NamedTuple):
    """The layout of a number that holds a point and, if its fields are narrow, also the time."""

    size: NDArray[np.int64]
    """The bits of x, and of y below it."""
    low: NDArray[np.int32]
    middle: NDArray[np.int32]
    """The value that stands for 0."""
    middles: NDArray[np.int64]
    """The same in both fields."""
    moves: NDArray[np.int64]
    """The movement for two bytes as a number: right and down in the high one, ms if narrow."""


@cache
def _packed_point_layout(size: int) -> _PackedPointLayout:
    low, middle = (1 << size) - 1, 1 << size - 1
    moves = (_HALVES.repeat(16) << size) + np.tile(_HALVES, 16)
    ms = np.arange(256) << 2 * size if size == _NARROW else np.zeros(256, np.int64)
    return _PackedPointLayout(
        np.array(size),
        np.array(low, np.int32),
        np.array(middle, np.int32),
        np.array((middle << size) + middle),
        np.add.outer(moves, ms).reshape(-1),
    )


NEWEST: Final = 2
"""The version that has small movements."""
BLAST, WIN, OTHER = 15, 16, 17
"""The codes that end the list."""

_SHOWN: Final = {
    9: CellDisplay.PRESSED,
    10: CellDisplay.PRESSED_QUESTION,
    11: CellDisplay.COVERED,
    12: CellDisplay.QUESTION,
    13: CellDisplay.FLAG,
    14: CellDisplay.BLOWN,
    **{18 + number: CellDisplay(number) for number in range(9)},
    27: CellDisplay.BLOWN,
}
_SHOWN_TABLE: Final = np.zeros(32, np.uint8)
_SHOWN_TABLE[list(_SHOWN)] = list(_SHOWN.values())
_CODE: Final = {shown: code for code, shown in _SHOWN.items()}
_MOVED, _CLICK = bytes((Signal.MV,)), bytes((Signal.LC, Signal.LR))
_HELD: Final = {
    Signal.LC: 1, Signal.LR: ~1, Signal.RC: 2, Signal.RR: ~2, Signal.MC: 4, Signal.MR: ~4,
}  # fmt: skip
"""For each press the bit to set in the buttons held, for each release the bits to keep."""


class EventList(NamedTuple):
    """The events of a file."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    board_changes: RecordedBoardChanges | None
    ending: int
    """`BLAST`, `WIN` or `OTHER`."""
    game_ms: int
    """The game's time in ms."""
    end: int
    """The offset after the list."""
    corrected_ms: int = 0
    """The largest correction of a time in ms, if the clock ran back."""


@RMV_KERNELS.stands_in
def read_events(
    reader: BigEndianReader,
    version: int,
    shape: tuple[int, int],
    standing_flags: Sequence[tuple[int, int]],
    cell_px: int,
) -> EventList:
    """Read the events; `standing_flags` were set, `(row, col)`, before the first of them.

    `shape` is `(height, width)`.
    """
    kernel = RMV_KERNELS.compiled_kernel("read_mouse_events")
    made = (
        None
        if kernel is None
        else _read_compiled(kernel, reader, version, shape, len(standing_flags))
    )
    made = made or _read_plain(reader, version, shape, len(standing_flags))
    return _with_standing_flags(made, standing_flags, cell_px) if standing_flags else made


def _read_compiled(
    kernel: Callable[..., int],
    reader: BigEndianReader,
    version: int,
    shape: tuple[int, int],
    flags: int,
) -> EventList | None:
    """Read the events by the compiled kernel; None if something is wrong with them."""
    begin = reader.at
    most = reader.remaining // 3 + 1
    t, signal = np.empty(most, np.int64), np.empty(most, np.uint8)
    x, y = np.empty(most, np.int32), np.empty(most, np.int32)
    found = np.zeros(2, np.int64)
    data = np.frombuffer(reader.data, np.uint8)
    count = kernel(data, begin, version, *shape, t, signal, x, y, found)
    if count < 0:
        return None
    end, did = found.tolist()

    def log() -> RecordedBoardChanges:
        again = BigEndianReader(reader.format, reader.data, begin)
        return cast("RecordedBoardChanges", _read_plain(again, version, shape, flags).board_changes)

    reader.at = end + 1
    ms = reader.u24()
    # Copies, since views would keep the whole columns in memory.
    return EventList(
        t[:count].copy(), signal[:count].copy(), x[:count].copy(), y[:count].copy(),
        _LazyBoardChanges(log) if did else None, reader.data[end], ms, reader.at,
    )  # fmt: skip


def _read_plain(
    reader: BigEndianReader, version: int, shape: tuple[int, int], flags: int
) -> EventList:
    records = find_records(reader, version)
    ending = reader.data[records.end]
    if not BLAST <= ending <= OTHER:
        raise reader.error(Flaw("{code} is not an event", code=ending), at=records.end)
    reader.at = records.end + 1
    ms = reader.u24()
    if not records.has_steps and STEP in records.said.tobytes():
        raise _misplaced_step_error(
            reader, records, records.places[(records.said == STEP).argmax()]
        )
    board = records.board_records()
    _check_board_records(reader, records, board, shape)
    if records.has_steps:
        mouse = _read_with_steps(reader, records)
    else:
        mouse = _read_without_steps(records.long_records(), version)

    def place(event: int) -> int:
        return records.file_offset(int(records.events.nonzero()[0][event - (event > mouse.gap)]))

    t, moved = reader.correct_backward_steps(mouse.t, place)
    log = (
        _LazyBoardChanges(lambda: _board_changes(records, board, t, mouse.gap, flags))
        if board.triplets.size
        else None
    )
    return EventList(
        t, mouse.signal, mouse.x, mouse.y, log, ending, ms, reader.at, corrected_ms=moved
    )


def _misplaced_step_error(
    reader: BigEndianReader, records: RecordTriplets, triplet: np.intp
) -> ReplayError:
    return reader.error(
        Flaw("{code} is not an event", code=STEP), at=records.file_offset(int(triplet))
    )


def _check_board_records(
    reader: BigEndianReader, records: RecordTriplets, board: BoardRecords, shape: tuple[int, int]
) -> None:
    """Raise `ReplayError` for the first record about a cell that is not on the board."""
    height, width = shape
    if not all_below(board.data[1::3], width) or not all_below(board.data[2::3], height):
        cells = np.frombuffer(board.data, np.uint8).astype(np.int32)
        offsets = np.array([records.file_offset(place) for place in board.triplets.tolist()])
        reader.check_cells_on_board(cells[2::3], cells[1::3], shape, offsets)


def _board_changes(
    records: RecordTriplets, board: BoardRecords, t: NDArray[np.int64], gap: int, flags: int
) -> RecordedBoardChanges:
    """Return the recorded board changes.

    `t` are the times of the mouse events, `gap` is that of `_MouseEvents`, `flags` the number of
    standing flags.
    """
    after = records.events.nonzero()[0].searchsorted(board.triplets)
    after += after > gap
    times = t[np.maximum(after, 1) - 1] if t.size else np.zeros_like(after)
    numbers = np.frombuffer(board.data, np.uint8)
    rows, cols = numbers[2::3].astype(np.int32), numbers[1::3].astype(np.int32)
    return RecordedBoardChanges(after + flags, times, rows, cols, _SHOWN_TABLE[numbers[::3]])


class _LazyBoardChanges(RecordedBoardChanges):
    """Recorded board changes, worked out on first access, since they are rarely needed."""

    __slots__ = ("_make",)
    _make: Callable[[], RecordedBoardChanges]

    def __init__(self, make: Callable[[], RecordedBoardChanges]) -> None:
        object.__setattr__(self, "_make", make)

    def __getattr__(self, name: str) -> AnyNumbers:
        # Only called for slots that are not filled yet.
        made = self._make() if name in RecordedBoardChanges.__slots__ else None
        if made is None:
            raise AttributeError(name)
        for each in RecordedBoardChanges.__slots__:
            object.__setattr__(self, each, getattr(made, each))
        found: AnyNumbers = getattr(made, name)
        return found


def _with_standing_flags(
    events: EventList, flags: Sequence[tuple[int, int]], cell: int
) -> EventList:
    """Insert the standing flags before all events."""
    count = len(flags)
    points = np.array(flags, np.int32) * cell + cell // 2
    begin = int(events.t[0]) if events.t.size else 0
    return events._replace(
        t=np.concatenate((np.full(count, begin, np.int64), events.t)),
        signal=np.concatenate((np.full(count, Signal.PF, np.uint8), events.signal)),
        x=np.concatenate((points[:, 1], events.x)),
        y=np.concatenate((points[:, 0], events.y)),
    )


class _MouseEvents(NamedTuple):
    """The mouse events as columns."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    gap: int
    """The event where an unrecorded press was inserted; past the end if none was."""


def _read_without_steps(rows: NDArray[np.void], version: int) -> _MouseEvents:
    """Return the mouse events of records of nine bytes."""
    if not rows.size:
        empty = np.empty(0, np.int32)
        return _MouseEvents(np.empty(0, np.int64), np.empty(0, np.uint8), empty, empty.copy(), 0)
    said = rows.view(np.uint8)[::9].tobytes()
    gap = _release_without_press(said)
    if gap < len(said):
        # The release is used twice, first as the press.
        rows = np.concatenate((rows[: gap + 1], rows[gap:]))
        said = b"%b%c%b" % (said[:gap], Signal.LC, said[gap:])
    records = rows.view(_LONG_RECORDS[version])
    t = (records["code_and_ms"] & _MS_BITS).astype(np.int64)
    x, y = records["x"].astype(np.int32), records["y"].astype(np.int32)
    if version == 1:
        # Counted from the corner of the window, in which the board is at a fixed place.
        x -= 12
        y -= 56
    return _MouseEvents(t, np.frombuffer(bytearray(said), np.uint8), x, y, gap)


def _release_without_press(said: bytes) -> int:
    """Return the index of a first release without a press before it, else the length."""
    press, release = said.find(Signal.LC), said.find(Signal.LR)
    return release if release >= 0 and not 0 <= press < release else len(said)


def _read_with_steps(reader: BigEndianReader, records: RecordTriplets) -> _MouseEvents:
    """Return the mouse events of records of nine bytes and the small movements after them."""
    full = records.full.nonzero()[0]
    starts = records.places.take(full)
    before = full[0]
    if starts[0] > before:
        # All triplets up to there are records, and the first one missing in `places` is a step.
        step = (records.places[:before] == np.arange(before)).sum()
        raise _misplaced_step_error(reader, records, step)
    if full.size == 1:
        return _read_without_steps(records.long_records(), NEWEST)
    # The index of each among the events: triplets before it, less two for each long record before,
    # less the records about the board. The last is the end.
    firsts = starts - full
    firsts -= np.arange(full.size)
    starts = starts[:-1]
    events = records.events
    said = records.said.take(full[:-1]).tobytes()
    row = _release_without_press(said)
    gap = int(firsts[row])
    missing = row < len(said)
    if missing:
        # The release is used twice, first as the press, after which nothing moves.
        events = events.copy()
        events[starts[row] + 1] = True
        firsts[row + 1 :] += 1
    steps = records.short_record_payloads(events)
    if missing:
        steps[gap + 1] = 0
    t, x, y = points_from_steps(records.long_record_payloads(starts), steps, firsts)
    signal = np.frombuffer(bytearray(_MOVED) * t.size, np.uint8)
    signal[firsts[:-1]] = np.frombuffer(said, np.uint8)
    if missing:
        signal[gap], signal[gap + 1] = _CLICK
    return _MouseEvents(t, signal, x, y, gap)


def write_events(course: PlayedRecording, recording: Recording, start: int) -> bytes:
    """Return the bytes of the events from index `start` on, whose time becomes 0.

    `course` is the game that results from the recording: its clicks become records of the board.
    """
    signal = recording.signal[start:]
    t = recording.t[start:] - (recording.t[start] if signal.size else 0)
    columns = (t, recording.x[start:], recording.y[start:])
    steps = [np.append(column[:1], column[1:] - column[:-1]) for column in columns]
    small = (signal == Signal.MV) & (steps[0] <= 255)
    small[:1] = False
    for step in steps[1:]:
        small &= (step >= -8) & (step <= 7)
    mouse = np.zeros((signal.size, 9), np.uint8)
    mouse[:, 0] = np.where(small, STEP, signal)
    full: tuple[AnyNumbers, ...] = (
        *_big_endian_bytes(t, 3),
        _held_buttons(signal),
        *_big_endian_bytes(columns[1], 2),
        *_big_endian_bytes(columns[2], 2),
    )
    for place, column in enumerate(full, 1):
        mouse[:, place] = column
    mouse[small, 1] = steps[0][small]
    dx, dy = steps[1:]
    mouse[small, 2] = ((dx & 15) << 4 | dy & 15)[small]
    rows = [
        (event, _CODE[look], col, row)
        for event, look, row, col in board_changes_of_clicks(course, start)
    ]
    did = np.array(rows, np.int64).reshape(-1, 4)
    board = np.zeros((len(did), 9), np.uint8)
    board[:, :3] = did[:, 1:]
    # The effects of a click follow its event.
    keys = np.concatenate((2 * np.arange(signal.size), 2 * (did[:, 0] - start) + 1))
    order = np.argsort(keys, kind="stable")
    lengths = np.concatenate((np.where(small, 3, 9), np.full(len(did), 3)))[order]
    table = np.concatenate((mouse, board))[order]
    made = table[np.arange(9) < lengths[:, None]].tobytes()
    ending = WIN if course.won else BLAST if course.lost else OTHER
    last = course.time_ms if course.end >= 0 else int(t[-1]) if t.size else 0
    return made + bytes((ending,)) + last.to_bytes(3, "big")


def _big_endian_bytes(numbers: AnyNumbers, count: int) -> Iterator[AnyNumbers]:
    """Yield columns of the numbers' bytes, the highest first."""
    return (numbers >> 8 * place & 0xFF for place in reversed(range(count)))


def _held_buttons(signal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return which buttons are held after each event, as bits."""
    held, found = 0, bytearray()
    for said in signal.tolist():
        bit = _HELD.get(said, ~0)
        held = held & bit if bit < 0 else held | bit
        found.append(held)
    return np.frombuffer(found, np.uint8)
