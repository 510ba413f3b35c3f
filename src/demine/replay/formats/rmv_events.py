"""The events of RMV files: records of nine and of three bytes, of the mouse and of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

import numpy as np

from demine.logic.neighbours import count_around
from demine.logic.twins import TWINS
from demine.replay.byte_reader import Reader, are_below
from demine.replay.errors import Flaw
from demine.replay.formats.rmv_records import STEP, find
from demine.replay.formats.rmv_steps import walked
from demine.replay.model import BoardLog, Shown
from demine.statistics.course import Click
from demine.statistics.recording import Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from demine.replay.errors import ReplayError
    from demine.replay.formats.rmv_records import Records
    from demine.statistics.course import Course
    from demine.statistics.recording import Recording

    AnyNumbers: TypeAlias = NDArray[Any]

NEWEST: Final = 2
"""The version that has small movements."""
BLAST, WIN, OTHER = 15, 16, 17
"""What ends the list."""

_SHOWN: Final = {
    9: Shown.PRESSED,
    10: Shown.PRESSED_QUESTION,
    11: Shown.COVERED,
    12: Shown.QUESTION,
    13: Shown.FLAG,
    14: Shown.BLOWN,
    **{18 + number: Shown(number) for number in range(9)},
    27: Shown.BLOWN,
}
_SHOWN_TABLE: Final = np.zeros(32, np.uint8)
_SHOWN_TABLE[list(_SHOWN)] = list(_SHOWN.values())
_CODE: Final = {shown: code for code, shown in _SHOWN.items()}
_MARKS: Final = {
    Click.FLAGGED: Shown.FLAG,
    Click.UNFLAGGED: Shown.COVERED,
    Click.ASKED: Shown.QUESTION,
    Click.DOUBTED: Shown.QUESTION,
    Click.CLEARED: Shown.COVERED,
}
"""What a cell shows after a right click."""
_MOVED, _CLICK = bytes((Signal.MV,)), bytes((Signal.LC, Signal.LR))
_HELD: Final = {
    Signal.LC: 1, Signal.LR: ~1, Signal.RC: 2, Signal.RR: ~2, Signal.MC: 4, Signal.MR: ~4,
}  # fmt: skip
"""The bit of each button among those that are down: one to set or all others to keep."""


class Events(NamedTuple):
    """What a list of events says."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    board: BoardLog | None
    ending: int
    """`BLAST`, `WIN` or `OTHER`."""
    ms: int
    """The game's time."""
    end: int
    """The byte after the list."""
    mended: int = 0
    """Milliseconds by which a time was moved at most, because the clock ran back."""


def read_events(
    reader: Reader,
    version: int,
    shape: tuple[int, int],
    flags: Sequence[tuple[int, int]],
    cell: int,
) -> Events:
    """Return the events of a board of that shape, on which flags stood at rows and columns."""
    twin = TWINS.get("moves")
    made = None if twin is None else _read_compiled(twin, reader, version, shape, len(flags))
    made = made or _read_plain(reader, version, shape, len(flags))
    return _with_flags(made, flags, cell) if flags else made


def _read_compiled(
    twin: Callable[..., int], reader: Reader, version: int, shape: tuple[int, int], flags: int
) -> Events | None:
    """Let the compiled twin read the events; None if something is wrong with them."""
    begin = reader.at
    most = reader.left // 3 + 1
    columns = (
        np.empty(most, np.int64),
        np.empty(most, np.uint8),
        np.empty(most, np.int32),
        np.empty(most, np.int32),
    )
    found = np.zeros(3, np.int64)
    data = np.frombuffer(reader.data, np.uint8)
    count = twin(data, begin, version, *shape, *columns, found)
    if count < 0:
        return None
    end, gap, did = found.tolist()
    # A view of a little would keep all.
    t, signal, x, y = columns
    mouse = _Mouse(t[:count].copy(), signal[:count].copy(), x[:count].copy(), y[:count].copy(), gap)

    def log() -> BoardLog:
        again = Reader(reader.format, reader.data, begin)
        return cast("BoardLog", _read_plain(again, version, shape, flags).board)

    reader.at = end + 1
    ms = reader.u24()
    return _events(mouse, _LaterLog(log) if did else None, reader, end, ms)


def _read_plain(reader: Reader, version: int, shape: tuple[int, int], flags: int) -> Events:
    records = find(reader, version)
    ending = reader.data[records.end]
    if not BLAST <= ending <= OTHER:
        raise reader.error(Flaw("{code} is no event", code=ending), at=records.end)
    reader.at = records.end + 1
    ms = reader.u24()
    if not records.has_steps and STEP in records.said.tobytes():
        raise _no_step(reader, records, records.places[(records.said == STEP).argmax()])
    did, said = records.board()
    _check_cells(reader, records, did, said, shape)
    if records.has_steps:
        mouse = _read_among_steps(reader, records)
    else:
        mouse = _read_rows(records.rows(), version)

    def place(event: int) -> int:
        return records.byte(int(records.events.nonzero()[0][event - (event > mouse.gap)]))

    steady, moved = reader.mended(mouse.t, place)
    mouse = mouse._replace(t=steady)
    log = _LaterLog(lambda: _log(records, did, said, mouse, flags)) if did.size else None
    return _events(mouse, log, reader, records.end, ms)._replace(mended=moved)


def _events(mouse: _Mouse, log: BoardLog | None, reader: Reader, end: int, ms: int) -> Events:
    ending = reader.data[end]
    return Events(mouse.t, mouse.signal, mouse.x, mouse.y, log, ending, ms, reader.at)


def _no_step(reader: Reader, records: Records, triplet: np.intp) -> ReplayError:
    return reader.error(Flaw("{code} is no event", code=STEP), at=records.byte(int(triplet)))


def _check_cells(
    reader: Reader, records: Records, did: NDArray[np.intp], said: bytes, shape: tuple[int, int]
) -> None:
    """Check the cells of what the board did: the triplets of its records, and their bytes."""
    height, width = shape
    if not are_below(said[1::3], width) or not are_below(said[2::3], height):
        cells = np.frombuffer(said, np.uint8).astype(np.int32)
        offsets = np.array([records.byte(place) for place in did.tolist()])
        reader.check_cells(cells[2::3], cells[1::3], shape, offsets)


def _log(
    records: Records, did: NDArray[np.intp], said: bytes, mouse: _Mouse, flags: int
) -> BoardLog:
    """Return what the board did."""
    after = records.events.nonzero()[0].searchsorted(did)
    after += after > mouse.gap
    times = mouse.t[np.maximum(after, 1) - 1] if mouse.t.size else np.zeros_like(after)
    shorts = np.frombuffer(said, np.uint8)
    rows, cols = shorts[2::3].astype(np.int32), shorts[1::3].astype(np.int32)
    return BoardLog(after + flags, times, rows, cols, _SHOWN_TABLE[shorts[::3]])


class _LaterLog(BoardLog):
    """What the board did, made out when somebody asks: few do, and the rules say the same."""

    __slots__ = ("_make",)
    _make: Callable[[], BoardLog]

    def __init__(self, make: Callable[[], BoardLog]) -> None:
        object.__setattr__(self, "_make", make)

    def __getattr__(self, name: str) -> AnyNumbers:
        # Only slots that nobody has filled yet come here.
        made = self._make() if name in BoardLog.__slots__ else None
        if made is None:
            raise AttributeError(name)
        for each in BoardLog.__slots__:
            object.__setattr__(self, each, getattr(made, each))
        found: AnyNumbers = getattr(made, name)
        return found


def _with_flags(events: Events, flags: Sequence[tuple[int, int]], cell: int) -> Events:
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


class _Mouse(NamedTuple):
    """What the mouse did."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    gap: int
    """The event before which a press was put that nobody recorded; past the end if none was."""


def _read_rows(rows: NDArray[np.void], version: int) -> _Mouse:
    """Return what records in full say."""
    if not rows.size:
        empty = np.empty(0, np.int32)
        return _Mouse(np.empty(0, np.int64), np.empty(0, np.uint8), empty, empty.copy(), 0)
    # What stands behind the code: `u24` time, `u8` buttons, 2 `u16` x and y.
    numbers = np.ndarray((rows.size,), ">u8", rows, 1, (9,))
    said = rows.view(np.uint8)[::9].tobytes()
    gap = _missing_press(said)
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
    return _Mouse(t, np.frombuffer(bytearray(said), np.uint8), x, y, gap)


def _missing_press(said: bytes) -> int:
    """Return the release whose press nobody recorded, where recording begins with it."""
    press, release = said.find(Signal.LC), said.find(Signal.LR)
    return release if release >= 0 and not 0 <= press < release else len(said)


def _read_among_steps(reader: Reader, records: Records) -> _Mouse:
    """Return what records in full and the small movements after them say."""
    full = records.full.nonzero()[0]
    starts = records.places.take(full)
    before = full[0]
    if starts[0] > before:
        # All triplets up to there are records, and the first step is where `places` leave one out.
        step = (records.places[:before] == np.arange(before)).sum()
        raise _no_step(reader, records, step)
    if full.size == 1:
        return _read_rows(records.rows(), NEWEST)
    # Before each one stand the others, of whose nine bytes only three are counted, and the records
    # of the board, which are not. The last is the end.
    firsts = starts - full
    firsts -= np.arange(full.size)
    starts = starts[:-1]
    events = records.events
    said = records.said.take(full[:-1]).tobytes()
    row = _missing_press(said)
    gap = int(firsts[row])
    missing = row < len(said)
    if missing:
        # The release is heard twice, first as the press, after which nothing moves.
        events = events.copy()
        events[starts[row] + 1] = True
        firsts[row + 1 :] += 1
    steps = records.pairs(events)
    if missing:
        steps[gap + 1] = 0
    t, x, y = walked(records.numbers(starts), steps, firsts)
    signal = np.frombuffer(bytearray(_MOVED) * t.size, np.uint8)
    signal[firsts[:-1]] = np.frombuffer(said, np.uint8)
    if missing:
        signal[gap], signal[gap + 1] = _CLICK
    return _Mouse(t, signal, x, y, gap)


def write_events(course: Course, recording: Recording, start: int) -> bytes:
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
        *_bytes(t, 3),
        _held(signal),
        *_bytes(columns[1], 2),
        *_bytes(columns[2], 2),
    )
    for place, column in enumerate(full, 1):
        mouse[:, place] = column
    mouse[small, 1] = steps[0][small]
    dx, dy = steps[1:]
    mouse[small, 2] = ((dx & 15) << 4 | dy & 15)[small]
    rows = [(event, _CODE[look], col, row) for event, look, row, col in shown(course, start)]
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


def _bytes(numbers: AnyNumbers, count: int) -> Iterator[AnyNumbers]:
    """Yield the bytes of numbers, the high ones first."""
    return (numbers >> 8 * place & 0xFF for place in reversed(range(count)))


def _held(signal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return which buttons are down after each event."""
    held, found = 0, bytearray()
    for said in signal.tolist():
        bit = _HELD.get(said, ~0)
        held = held & bit if bit < 0 else held | bit
        found.append(held)
    return np.frombuffer(found, np.uint8)


def shown(course: Course, start: int) -> Iterator[tuple[int, Shown, int, int]]:
    """Yield what the clicks did to the board from an event on: event, look, row, column."""
    width = course.recording.mine_map.shape[1]
    hints = count_around(course.recording.mine_map).reshape(-1)
    rows = zip(course.clicks.tolist(), course.cells.tolist(), course.events.tolist(), strict=True)
    for click, (code, cell, event) in enumerate(rows):
        if event < start:
            continue
        if code in _MARKS:
            yield event, _MARKS[Click(code)], *divmod(cell, width)
        for at in course.opened_by(click).tolist():
            yield event, Shown(hints[at]), *divmod(at, width)
        if event == course.end:
            for at in course.blown:
                yield event, Shown.BLOWN, *divmod(at, width)
