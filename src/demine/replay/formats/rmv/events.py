"""The events of RMV files: records of nine and of three bytes, of the mouse and of the board."""

from __future__ import annotations

import re
from array import array
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

import numpy as np

from demine.replay.board_changes import CellDisplay, RecordedBoardChanges, board_changes
from demine.replay.byte_reader import ByteReader, all_below
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
"""A small movement of the mouse: `u8 ms, i4 x, i4 y` after the event before it."""
_MOUSE: Final = 7
"""The codes of the mouse in full are 1 to 7, which are the numbers of `Signal` too."""
_CLOCK: Final = 0
"""A new date and time, in very old files: `u32`."""
_SHORT: Final = (*range(9, 15), *range(18, 28), STEP)
_SIZES: Final = tuple(
    9 if 1 <= code <= _MOUSE else 3 if code in _SHORT else 5 * (code == _CLOCK)
    for code in range(256)
)
"""How long each record is; 0 for what ends the list or is none."""
_STOPS: Final = bytes(size not in {3, 9} for size in _SIZES)
_OTHERS: Final = re.compile(
    rb"(?:[\x01-\x07].{8}|[" + b"".join(b"\\x%02x" % code for code in _SHORT) + rb"].{2})++",
    re.DOTALL,
)
_CLOCKS: Final = re.compile(rb"(?:\x00.{4})++", re.DOTALL)

# NumPy takes arrays without dimensions in half the time of Python's numbers, and what is left to do
# for a file of usual length is dozens of steps that take no longer than such a number does.
_ONE: Final = np.array(1, np.uint8)
_SEVEN: Final = np.array(_MOUSE, np.uint8)
_EIGHT: Final = np.array(_MOUSE + 1, np.uint8)
_STEP: Final = np.array(STEP, np.uint8)
_BITS: Final = np.array(8)
_TRIPLET: Final = np.dtype("V3")
_PAIR: Final = np.dtype("<u2")
_READ, _NUMBER = np.dtype(">u8"), np.dtype("<u8")


class BoardRecords(NamedTuple):
    """The records of three bytes that say what the board did: code, column, row."""

    triplets: NDArray[np.intp]
    """Which triplets of the list they are."""
    data: bytes
    """Their bytes, one after the other."""


class RecordTriplets(NamedTuple):
    """The records, three or nine bytes each, as triplets of bytes."""

    data: bytes
    """Bytes in which they stand without the records of the clock."""
    begin: int
    """The byte of these where the first one is."""
    first: int
    """The byte of the file where the first one is."""
    events: NDArray[np.bool_]
    """Which triplets begin an event of the mouse: all records but those of the board."""
    has_steps: bool
    """Whether there may be small movements among them."""
    places: NDArray[np.intp]
    """Where all but these begin; without small movements all but the records of nine bytes.

    The last is the triplet of what ends them."""
    said: NDArray[np.uint8]
    """The codes of these."""
    full: NDArray[np.bool_]
    """Which of these are records of nine bytes; and the last."""
    end: int
    """The byte of the file where what ends them is."""
    clocks: NDArray[np.int64]
    """How many bytes, without these, stand before each record of the clock, which are left out."""

    def board_records(self) -> BoardRecords:
        """Return the records of the board."""
        triplets = self.places.take((~self.full).nonzero()[0])
        every = np.ndarray(self.events.shape, _TRIPLET, self.data, self.begin)
        return BoardRecords(triplets, every.take(triplets).tobytes())

    def long_record_numbers(self, starts: NDArray[np.intp]) -> NDArray[np.uint64]:
        """Return what stands behind the codes of records of nine bytes, as one number each."""
        every = np.ndarray((self.events.size - 2,), _READ, self.data, self.begin + 1, (3,))
        return every[starts].astype(_NUMBER)

    def step_bytes(self, which: NDArray[np.bool_]) -> NDArray[np.uint16]:
        """Return what stands behind the codes of records of three bytes, the first one low."""
        every = np.ndarray(self.events.shape, _PAIR, self.data, self.begin + 1, (3,))
        return every[which]

    def long_records(self) -> NDArray[np.void]:
        """Return all records of nine bytes, if there are no small movements."""
        # They are copied a run at a time, which is why no list of places is made of them.
        rows = np.ones(self.events.size, np.bool_)
        rows[self.places[:-1]] = False
        every = np.ndarray(rows.shape, _TRIPLET, self.data, self.begin)
        return every[rows].view("V9")

    def file_offset(self, triplet: int) -> int:
        """Return the byte of the file where a triplet begins."""
        found = 3 * triplet
        return self.first + found + 5 * int(np.searchsorted(self.clocks, found, "right"))


_NO_CLOCKS: Final = np.empty(0, np.int64)


def find_records(reader: ByteReader, version: int) -> RecordTriplets:
    """Return the records."""
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
    """Return what `RecordTriplets` tells of the triplets up to the end of the list.

    None if nothing ends the list.
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
    """Return which triplets begin a record, by which would begin one of nine bytes."""
    # All records but those of the clock are three bytes or three times three, so the question is
    # which of the triplets begin one. That hangs on a chain from the first on; but any two short
    # triplets in a row end whatever was begun, so most stretches of eight know by themselves how
    # many of the next are to be skipped.
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
    """What eight triplets come to, whose long ones are the bits of a byte."""

    certain: bytes
    """How many of the next are to be skipped, by the byte alone, or `_OPEN`."""
    goes_on: tuple[bytes, ...]
    """The same by how many are skipped first, and the byte."""
    begins: NDArray[np.uint64]
    """Which of them begin a record, a byte each, by both as one number."""


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


def _find_records_between_clocks(reader: ByteReader) -> RecordTriplets:
    """Do the same where records of five bytes are among them, which are left out."""
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
"""Bits of a record of nine bytes that are not its time."""
_NARROW: Final = 19
_WIDE: Final = 31
_FEW: Final = 28_000
"""So many movements of 8 pixels leave a field of 19 bits no more than a point of 16 bits does."""
_HALVES: Final = np.array([*range(8), *range(-8, 0)], np.int64)
"""What half a byte says."""


def points_from_steps(
    numbers: NDArray[np.uint64], steps: NDArray[np.uint16], firsts: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    """Return times and points: some events say them in full, the others are steps from there.

    The numbers are what stands behind the code of a record of nine bytes: `u24` time, `u8` buttons,
    2 `i16` x and y. Of each event `steps` are two bytes: ms as the low one, right and down. After
    the events in full `firsts` are how many events there are.
    """
    # Right and down as one number, whose halves never leave their fields; time too, if there are
    # not so many movements that they could.
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
    """Return where steps lead that begin anew at some events; nothing of both is left.

    The first event is one of these, whose own steps mean nothing. After them `firsts` are how many
    events there are.
    """
    steps.cumsum(out=steps)
    there -= steps.take(firsts[:-1])
    steps += there.repeat(firsts[1:] - firsts[:-1])
    return steps


class _PackedPointLayout(NamedTuple):
    """How a number holds a point and, if its fields are narrow, the time above it."""

    size: NDArray[np.int64]
    """Bits of x, and of y below it."""
    low: NDArray[np.int32]
    middle: NDArray[np.int32]
    """What stands for 0."""
    middles: NDArray[np.int64]
    """The same in both fields."""
    moves: NDArray[np.int64]
    """What two bytes say, the second as the high one: right and down, and ms if narrow."""


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
"""What ends the list."""

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
"""The bit of each button among those that are down: one to set or all others to keep."""


class EventList(NamedTuple):
    """What a list of events says."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    board_changes: RecordedBoardChanges | None
    ending: int
    """`BLAST`, `WIN` or `OTHER`."""
    game_ms: int
    """The game's time."""
    end: int
    """The byte after the list."""
    corrected_ms: int = 0
    """Milliseconds by which a time was moved at most, because the clock ran back."""


def read_events(
    reader: ByteReader,
    version: int,
    shape: tuple[int, int],
    flags: Sequence[tuple[int, int]],
    cell: int,
) -> EventList:
    """Return the events of a board of that shape, on which flags stood at rows and columns."""
    kernel = RMV_KERNELS.compiled_kernel("read_mouse_events")
    made = None if kernel is None else _read_compiled(kernel, reader, version, shape, len(flags))
    made = made or _read_plain(reader, version, shape, len(flags))
    return _with_standing_flags(made, flags, cell) if flags else made


def _read_compiled(
    kernel: Callable[..., int], reader: ByteReader, version: int, shape: tuple[int, int], flags: int
) -> EventList | None:
    """Let the compiled kernel read the events; None if something is wrong with them."""
    begin = reader.at
    most = reader.remaining // 3 + 1
    columns = (
        np.empty(most, np.int64),
        np.empty(most, np.uint8),
        np.empty(most, np.int32),
        np.empty(most, np.int32),
    )
    found = np.zeros(3, np.int64)
    data = np.frombuffer(reader.data, np.uint8)
    count = kernel(data, begin, version, *shape, *columns, found)
    if count < 0:
        return None
    end, gap, did = found.tolist()
    # A view of a little would keep all.
    t, signal, x, y = columns
    mouse = _MouseEvents(
        t[:count].copy(), signal[:count].copy(), x[:count].copy(), y[:count].copy(), gap
    )

    def log() -> RecordedBoardChanges:
        again = ByteReader(reader.format, reader.data, begin)
        return cast("RecordedBoardChanges", _read_plain(again, version, shape, flags).board_changes)

    reader.at = end + 1
    ms = reader.u24()
    return _event_list(mouse, _LazyBoardChanges(log) if did else None, reader, end, ms)


def _read_plain(reader: ByteReader, version: int, shape: tuple[int, int], flags: int) -> EventList:
    records = find_records(reader, version)
    ending = reader.data[records.end]
    if not BLAST <= ending <= OTHER:
        raise reader.error(Flaw("{code} is no event", code=ending), at=records.end)
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

    steady, moved = reader.monotonic_times(mouse.t, place)
    mouse = mouse._replace(t=steady)
    log = (
        _LazyBoardChanges(lambda: _board_changes(records, board, mouse, flags))
        if board.triplets.size
        else None
    )
    return _event_list(mouse, log, reader, records.end, ms)._replace(corrected_ms=moved)


def _event_list(
    mouse: _MouseEvents, log: RecordedBoardChanges | None, reader: ByteReader, end: int, ms: int
) -> EventList:
    ending = reader.data[end]
    return EventList(mouse.t, mouse.signal, mouse.x, mouse.y, log, ending, ms, reader.at)


def _misplaced_step_error(
    reader: ByteReader, records: RecordTriplets, triplet: np.intp
) -> ReplayError:
    return reader.error(Flaw("{code} is no event", code=STEP), at=records.file_offset(int(triplet)))


def _check_board_records(
    reader: ByteReader, records: RecordTriplets, board: BoardRecords, shape: tuple[int, int]
) -> None:
    """Raise `ReplayError` for the first record of a cell that is not on the board."""
    height, width = shape
    if not all_below(board.data[1::3], width) or not all_below(board.data[2::3], height):
        cells = np.frombuffer(board.data, np.uint8).astype(np.int32)
        offsets = np.array([records.file_offset(place) for place in board.triplets.tolist()])
        reader.check_cells_on_board(cells[2::3], cells[1::3], shape, offsets)


def _board_changes(
    records: RecordTriplets, board: BoardRecords, mouse: _MouseEvents, flags: int
) -> RecordedBoardChanges:
    """Return what the board did, of which so many flags stood before the first event."""
    after = records.events.nonzero()[0].searchsorted(board.triplets)
    after += after > mouse.gap
    times = mouse.t[np.maximum(after, 1) - 1] if mouse.t.size else np.zeros_like(after)
    numbers = np.frombuffer(board.data, np.uint8)
    rows, cols = numbers[2::3].astype(np.int32), numbers[1::3].astype(np.int32)
    return RecordedBoardChanges(after + flags, times, rows, cols, _SHOWN_TABLE[numbers[::3]])


class _LazyBoardChanges(RecordedBoardChanges):
    """What the board did, worked out when first asked for: few do, and the rules say the same."""

    __slots__ = ("_make",)
    _make: Callable[[], RecordedBoardChanges]

    def __init__(self, make: Callable[[], RecordedBoardChanges]) -> None:
        object.__setattr__(self, "_make", make)

    def __getattr__(self, name: str) -> AnyNumbers:
        # Only slots that nobody has filled yet come here.
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
    """Put the flags before the events that stood before them."""
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
    """What the mouse did."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    gap: int
    """The event before which a press was put that nobody recorded; past the end if none was."""


def _read_without_steps(rows: NDArray[np.void], version: int) -> _MouseEvents:
    """Return what records in full say."""
    if not rows.size:
        empty = np.empty(0, np.int32)
        return _MouseEvents(np.empty(0, np.int64), np.empty(0, np.uint8), empty, empty.copy(), 0)
    # What stands behind the code: `u24` time, `u8` buttons, 2 `u16` x and y.
    numbers = np.ndarray((rows.size,), ">u8", rows, 1, (9,))
    said = rows.view(np.uint8)[::9].tobytes()
    gap = _release_without_press(said)
    if gap == len(said):
        numbers = numbers.astype("<u8")
    else:
        # The release is heard twice, first as the press.
        twice = np.empty(numbers.size + 1, "<u8")
        twice[: gap + 1] = numbers[: gap + 1]
        twice[gap + 1 :] = numbers[gap:]
        numbers, said = twice, b"%b%c%b" % (said[:gap], Signal.LC, said[gap:])
    t = (numbers >> np.uint64(40)).view(np.int64)
    parts = numbers.view("<u2" if version == 1 else "<i2")
    x, y = parts[1::4].astype(np.int32), parts[0::4].astype(np.int32)
    if version == 1:
        # Counted from the corner of the window, whose board was always here.
        x -= 12
        y -= 56
    return _MouseEvents(t, np.frombuffer(bytearray(said), np.uint8), x, y, gap)


def _release_without_press(said: bytes) -> int:
    """Return the release whose press nobody recorded, where recording begins with it."""
    press, release = said.find(Signal.LC), said.find(Signal.LR)
    return release if release >= 0 and not 0 <= press < release else len(said)


def _read_with_steps(reader: ByteReader, records: RecordTriplets) -> _MouseEvents:
    """Return what records in full and the small movements after them say."""
    full = records.full.nonzero()[0]
    starts = records.places.take(full)
    before = full[0]
    if starts[0] > before:
        # All triplets up to there are records, and the first step is where `places` leave one out.
        step = (records.places[:before] == np.arange(before)).sum()
        raise _misplaced_step_error(reader, records, step)
    if full.size == 1:
        return _read_without_steps(records.long_records(), NEWEST)
    # Before each one stand the others, of whose nine bytes only three are counted, and the records
    # of the board, which are not. The last is the end.
    firsts = starts - full
    firsts -= np.arange(full.size)
    starts = starts[:-1]
    events = records.events
    said = records.said.take(full[:-1]).tobytes()
    row = _release_without_press(said)
    gap = int(firsts[row])
    missing = row < len(said)
    if missing:
        # The release is heard twice, first as the press, after which nothing moves.
        events = events.copy()
        events[starts[row] + 1] = True
        firsts[row + 1 :] += 1
    steps = records.step_bytes(events)
    if missing:
        steps[gap + 1] = 0
    t, x, y = points_from_steps(records.long_record_numbers(starts), steps, firsts)
    signal = np.frombuffer(bytearray(_MOVED) * t.size, np.uint8)
    signal[firsts[:-1]] = np.frombuffer(said, np.uint8)
    if missing:
        signal[gap], signal[gap + 1] = _CLICK
    return _MouseEvents(t, signal, x, y, gap)


def write_events(course: PlayedRecording, recording: Recording, start: int) -> bytes:
    """Return the list of events from event number `start` on, whose time becomes 0.

    `course` is what the rules make of the recording: its clicks become the events of the board.
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
        (event, _CODE[look], col, row) for event, look, row, col in board_changes(course, start)
    ]
    did = np.array(rows, np.int64).reshape(-1, 4)
    board = np.zeros((len(did), 9), np.uint8)
    board[:, :3] = did[:, 1:]
    # What a click did stands behind its event.
    keys = np.concatenate((2 * np.arange(signal.size), 2 * (did[:, 0] - start) + 1))
    order = np.argsort(keys, kind="stable")
    lengths = np.concatenate((np.where(small, 3, 9), np.full(len(did), 3)))[order]
    table = np.concatenate((mouse, board))[order]
    made = table[np.arange(9) < lengths[:, None]].tobytes()
    ending = WIN if course.won else BLAST if course.lost else OTHER
    last = course.time_ms if course.end >= 0 else int(t[-1]) if t.size else 0
    return made + bytes((ending,)) + last.to_bytes(3, "big")


def _big_endian_bytes(numbers: AnyNumbers, count: int) -> Iterator[AnyNumbers]:
    """Yield the bytes of numbers, the high ones first."""
    return (numbers >> 8 * place & 0xFF for place in reversed(range(count)))


def _held_buttons(signal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return which buttons are down after each event."""
    held, found = 0, bytearray()
    for said in signal.tolist():
        bit = _HELD.get(said, ~0)
        held = held & bit if bit < 0 else held | bit
        found.append(held)
    return np.frombuffer(found, np.uint8)
