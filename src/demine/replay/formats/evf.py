"""EVF, the replays of Metasweeper: versions 0 to 4 are read and rewritten, version 4 is written.

docs/formats.md describes the bytes. Not checked: the checksum, whose key is secret, the claimed 3BV
and time, and what follows the checksum. Texts need not be UTF-8.
"""

from __future__ import annotations

import contextlib
from array import array
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.metadata import LazyFacts
from demine.replay import reduce_to_mouse
from demine.replay.big_endian_reader import BigEndianReader, all_below
from demine.replay.board_changes import CellDisplay, RecordedBoardChanges
from demine.replay.errors import Flaw, Loss, ReplayError
from demine.replay.fact_dates import parse_utc_datetime
from demine.replay.format import Evidence, WritableFormat, check_board_size
from demine.replay.model import (
    MODES,
    Replay,
    corrected_times_fact,
    demine_with_version,
    has_original,
    level_name,
    recorded_changes_losses,
    replay_losses,
)
from demine.replay.text_encoding import text_facts, text_losses
from demine.statistics.board_3bv import three_bv
from demine.statistics.played_recording import Click
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.replay.big_endian_reader import BigEndianReader
    from demine.statistics.recording_type import Recording

_MOUSE: Final = 12
"""The codes of the mouse are 1 to 12; each of the last three is either a press or a release."""
_CERTAIN: Final = 9
_PAUSE: Final = 255
_GAUGE, _WORDS = 200, 201
"""A number or text named by another program; skipped when reading, and kept."""
_STATES: Final = frozenset({81, 82, 83, 92, 93, 94, 99})
_SHOWN: Final = {
    **{100 + number: CellDisplay(number) for number in range(9)},
    110: CellDisplay.COVERED,
    111: CellDisplay.FLAG,
    114: CellDisplay.WRONG,
    115: CellDisplay.BLOWN,
    116: CellDisplay.MINE,
    118: CellDisplay.PRESSED,
    120: CellDisplay.QUESTION,
    121: CellDisplay.PRESSED_QUESTION,
}
_CODES: Final = {shown: code for code, shown in _SHOWN.items()}
_SHOWN_TABLE: Final = np.zeros(256, np.uint8)
_SHOWN_TABLE[list(_SHOWN)] = list(_SHOWN.values())
_CODE_TABLE: Final = np.zeros(len(CellDisplay), np.uint8)
_CODE_TABLE[list(_CODES)] = list(_CODES.values())


def _record_size(code: int) -> int:
    """Return the length of a record of version 4; 0 if it depends on its content."""
    if 1 <= code <= _MOUSE:
        return 6
    if code in _SHOWN:
        return 4
    return {_PAUSE: 3, _GAUGE: 12}.get(code, 2 if code in _STATES else 0)


_SIZES: Final = tuple(_record_size(code) for code in range(256))
_OTHER: Final = bytes(0 if size == 6 else 1 for size in _SIZES)
_FEW: Final = 1 << 12
"""With more records of other kinds, searching for runs of mouse records does not pay."""
_ROWS_ENDS: Final = bytes((0, 255))
"""The codes that end the events before version 4."""
_OTHER_THAN_MOUSE: Final = bytes(not 1 <= code <= _MOUSE for code in range(256))
_ROW_BEFORE_V4: Final = np.dtype([("code_and_ms", ">u4"), ("x", ">u2"), ("y", ">u2")])
_MS_BITS: Final = np.array(0xFFFFFF, np.uint32)
_ROW: Final = np.dtype([("code", "u1"), ("wait", "u1"), ("x", ">i2"), ("y", ">i2")])
_IS_SHOWN: Final = np.zeros(256, np.bool_)
_IS_SHOWN[list(_SHOWN)] = True
_MOST_WORDS: Final = 1 << 19
"""The most texts among the events of a game."""
_FEW_STEPS: Final = 1 << 16
"""This many steps of 16 bits add up to less than 32 bits."""


class EventList(NamedTuple):
    """The events of a file."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    board_changes: RecordedBoardChanges | None
    end: int
    """The offset of the byte that ends the list."""
    is_canonical: bool
    """Whether the writer would write the same bytes."""
    corrected_ms: int = 0
    """The largest correction of a time in ms, if the clock ran back."""


def read_events_before_v4(reader: BigEndianReader) -> EventList:
    """Read the events of versions 0 to 3: `u8 code, u24 ms, u16 x, u16 y`; 0 or 255 ends them."""
    data, start = reader.data, reader.at
    codes = data[start::8]
    count = codes.translate(_OTHER_THAN_MOUSE).find(1)
    if count < 0:
        raise reader.error(Flaw("the events do not end"), at=len(data))
    if codes[count] not in _ROWS_ENDS:
        flaw = Flaw("{code} is not an event", code=codes[count])
        raise reader.error(flaw, at=start + 8 * count)
    codes, end = codes[:count], start + 8 * count
    rows = np.frombuffer(data, _ROW_BEFORE_V4, count, start)
    ms = (rows["code_and_ms"] & _MS_BITS).astype(np.int64)
    x, y = rows["x"].astype(np.int32), rows["y"].astype(np.int32)
    t, moved = reader.correct_backward_steps(ms, lambda row: start + 8 * row)
    certain = all_below(codes, _CERTAIN + 1)
    signal = np.frombuffer(bytearray(codes), np.uint8)
    signal = signal if certain else _resolve_toggles(signal)
    return EventList(t, signal, x, y, None, end, certain and not moved, moved)


def write_events_before_v4(recording: Recording) -> bytes:
    """Return the bytes of events for versions 0 to 3, without the byte that ends them."""
    rows = recording.signal.astype(np.uint64) << 56
    rows |= recording.t.astype(np.uint64) << 32
    rows |= recording.x.astype(np.uint64) << 16
    rows |= recording.y.astype(np.uint64)
    return rows.astype(">u8").tobytes()


def read_events_v4(reader: BigEndianReader, height: int, width: int) -> EventList:
    """Read the events of version 4, which a 0 ends."""
    mice, others, end = _split_records(reader)
    rows = np.frombuffer(mice, _ROW)
    signal = rows["code"].copy()
    waits = rows["wait"].astype(np.int64)
    x, y = _points_from_steps(reader, rows["x"]), _points_from_steps(reader, rows["y"])
    certain = all_below(mice[::6], _CERTAIN + 1)
    board = None
    if others is not None:
        board = _board_changes(reader, others, waits, (height, width))
        within = others.has_mouse_event_after
        np.add.at(waits, others.mouse_events_before[within], others.waits[within])
    return EventList(
        waits.cumsum(out=waits),
        signal if certain else _resolve_toggles(signal),
        x,
        y,
        board,
        end,
        is_canonical=certain and others is None,
    )


class _NonMouseRecords:
    """The records that are not mouse events."""

    def __init__(
        self, data: bytes, at: NDArray[np.uint32], after: NDArray[np.uint32], mice: int
    ) -> None:
        """`at` has the offset of each, `after` the number of mouse records before it."""
        stored = np.frombuffer(data, np.uint8)
        self.offsets, self.mouse_events_before = at, after
        self.has_mouse_event_after = after < mice
        """Which of them are followed by a mouse event."""
        self.codes = stored.take(at)
        self.waits = stored.take(at + 1).astype(np.int64)
        pauses = (self.codes == _PAUSE).nonzero()[0]
        self.waits[pauses] = self.waits.take(pauses) << 8 | stored.take(at.take(pauses) + 2)


def _split_records(reader: BigEndianReader) -> tuple[bytes, _NonMouseRecords | None, int]:
    """Return the mouse records as bytes, the others, and the offset of the 0 that ends them."""
    data, start = reader.data, reader.at
    size = len(data)
    lanes: list[bytes | None] = [None] * 6
    runs: list[bytes] = []
    places, afters = array("I"), array("I")
    at, mice = start, 0
    while at < size:
        length = _SIZES[data[at]]
        if length == 6:
            # They come in runs of hundreds: search for the end of the run.
            step, phase = divmod(at - start, 6)
            lane = lanes[phase]
            if lane is None:
                lane = lanes[phase] = data[start + phase :: 6].translate(_OTHER)
            last = lane.find(1, step)
            count = (last if last >= 0 else len(lane)) - step
            runs.append(data[at : at + 6 * count])
            mice += count
            at += 6 * count
            continue
        if not length:
            if not data[at]:
                break
            length = _text_record_length(reader, at)
        places.append(at)
        afters.append(mice)
        at += length
        if len(places) > _FEW:
            return _split_records_one_by_one(reader)
    if at >= size:
        raise reader.error(Flaw("the events do not end"), at=size)
    if not places:
        return b"".join(runs), None, at
    others = (np.frombuffer(places, np.uint32), np.frombuffer(afters, np.uint32))
    return b"".join(runs), _NonMouseRecords(data, *others, mice), at


def _split_records_one_by_one(
    reader: BigEndianReader,
) -> tuple[bytes, _NonMouseRecords | None, int]:
    """Do the same as `_split_records` if there are few runs of mouse records."""
    data, at = reader.data, reader.at
    size = len(data)
    sizes = data.translate(bytes(_SIZES))
    places = array("I")
    note, words = places.append, 0
    while at < size:
        length = sizes[at]
        if not length:
            if not data[at]:
                break
            length = _text_record_length(reader, at)
            words += 1
            if words > _MOST_WORDS:
                flaw = Flaw("a game has at most {most} events", most=_MOST_WORDS)
                raise reader.error(flaw, at=at)
        note(at)
        at += length
    if at >= size:
        raise reader.error(Flaw("the events do not end"), at=size)
    found = np.frombuffer(places, np.uint32)
    stored = np.frombuffer(data, np.uint8)
    mouse = stored[found] <= _MOUSE
    mice = found[mouse]
    rows = np.empty((mice.size, _ROW.itemsize), np.uint8)
    for column in range(_ROW.itemsize):
        rows[:, column] = stored[mice + column]
    after = np.cumsum(mouse, dtype=np.uint32)[~mouse]
    return rows.tobytes(), _NonMouseRecords(data, found[~mouse], after, mice.size), at


def _text_record_length(reader: BigEndianReader, at: int) -> int:
    if reader.data[at] != _WORDS:
        raise reader.error(Flaw("{code} is not an event", code=reader.data[at]), at=at)
    end = reader.data.find(0, at + 4)
    if end < 0:
        raise reader.error(Flaw("a text does not end"), at=at)
    return end + 1 - at


def _points_from_steps(reader: BigEndianReader, steps: NDArray[np.int16]) -> NDArray[np.int32]:
    """Return the coordinates that result from the pointer's steps."""
    if steps.size <= _FEW_STEPS:
        line = steps.astype(np.int32)
        return line.cumsum(out=line)
    far = np.cumsum(steps, dtype=np.int64)
    if max(int(far.max()), -int(far.min())) >> 31:
        raise reader.error(Flaw("the pointer goes far off the screen"))
    return far.astype(np.int32)


def _board_changes(
    reader: BigEndianReader,
    others: _NonMouseRecords,
    mouse_waits: NDArray[np.int64],
    shape: tuple[int, int],
) -> RecordedBoardChanges | None:
    found = _IS_SHOWN.take(others.codes).nonzero()[0]
    if not found.size:
        return None
    data = np.frombuffer(reader.data, np.uint8)
    at, after = (
        column[found].astype(np.int64) for column in (others.offsets, others.mouse_events_before)
    )
    rows, cols = data[at + 2].astype(np.int32), data[at + 3].astype(np.int32)
    reader.check_cells_on_board(rows, cols, shape, at)
    t = np.cumsum(others.waits)[found]
    if mouse_waits.size:
        t += np.where(after, np.cumsum(mouse_waits)[after - 1], 0)
    return RecordedBoardChanges(after, t, rows, cols, _SHOWN_TABLE[others.codes[found]])


_MEANS: Final = {
    Signal.LC: (0, True), Signal.LR: (0, False), Signal.RC: (1, True), Signal.RR: (1, False),
    Signal.MC: (2, True), Signal.MR: (2, False),
}  # fmt: skip
"""The button of a signal, and whether it is pressed."""


def _resolve_toggles(signals: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Replace the codes 10, 11 and 12 by a press of a button that is up, or else a release."""
    means = {int(signal): meaning for signal, meaning in _MEANS.items()}
    says = {meaning: signal for signal, meaning in means.items()}
    down = [False, False, False]
    certain = signals.copy()
    for place in np.flatnonzero(signals != Signal.MV).tolist():
        said = certain.item(place)
        if said > _CERTAIN:
            button = said - _CERTAIN - 1
            down[button] = not down[button]
            certain[place] = says[button, down[button]]
        elif said in means:
            button, goes_down = means[said]
            down[button] = goes_down
    return certain


def write_events_v4(recording: Recording, board: RecordedBoardChanges | None) -> bytes:
    """Return the bytes of events for version 4, without the 0 that ends them."""
    mice = recording.t.size
    extra = board.t.size if board is not None else 0
    lengths = np.full(mice + extra, 6)
    lengths[mice:] = 4
    t = recording.t if board is None else np.concatenate((recording.t, board.t))
    order = np.arange(mice)
    if board is not None:
        # A board change after `n` events comes before event number `n`.
        keys = np.concatenate((2 * np.arange(mice) + 1, 2 * board.events_before))
        order = np.argsort(keys, kind="stable")
    waits = np.empty(mice + extra, np.int64)
    sorted_t = t[order]
    waits[order] = sorted_t
    waits[order[1:]] -= sorted_t[:-1]
    pauses = np.where(waits > 255, -(-waits // 0xFFFF), 0)
    ends = np.empty(mice + extra, np.int64)
    ends[order] = np.cumsum((lengths + 3 * pauses)[order])
    out = np.zeros(int(lengths.sum() + 3 * pauses.sum()), np.uint8)
    _write_pauses(out, ends - lengths - 3 * pauses, waits, pauses)
    at = ends - lengths
    out[at + 1] = np.where(pauses, 0, waits)
    at, beside = at[:mice], at[mice:]
    out[at] = recording.signal
    for column, points in ((2, recording.x), (4, recording.y)):
        steps = points.astype(np.int64)
        steps[1:] -= points[:-1]
        out[at + column], out[at + column + 1] = steps >> 8 & 0xFF, steps & 0xFF
    if board is not None:
        out[beside] = _CODE_TABLE[board.display]
        out[beside + 2], out[beside + 3] = board.row, board.col
    return out.tobytes()


def _write_pauses(
    out: NDArray[np.uint8],
    starts: NDArray[np.int64],
    waits: NDArray[np.int64],
    pauses: NDArray[np.int64],
) -> None:
    for record in np.flatnonzero(pauses).tolist():
        left, at = int(waits[record]), int(starts[record])
        while left:
            pause = min(left, 0xFFFF)
            out[at : at + 3] = (_PAUSE, pause >> 8, pause & 0xFF)
            left -= pause
            at += 3


NAME: Final = "EVF"
NEWEST: Final = 4

_TEXT: Final = 1 << 16
_DONE, _OFFICIAL, _FAIR, _NO_FLAG, _MADE = 128, 64, 32, 16, 8
_MARKS: Final = 128
"""According to the specification this bit means "question marks are off"; the program that writes
such files and the library that reads them use it for "on"."""
_TEXTS_BEFORE_V4: Final = (
    "program", "player", "token", "identifier", "started", "ended", "country", "device",
)  # fmt: skip
"""The last one since version 2."""
_ROWS_END: Final = 33
_LARGEST: Final = 255
_FAR: Final = 32767
_BOARD: Final = Struct(">BBHBHH")
"""Height, width, mines, the size of a cell, mode, 3BV."""
_CELL_AT: Final = 4
"""The offset of the size of a cell in these."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Header(NamedTuple):
    """The part before the events, with texts as bytes."""

    version: int
    summary: int
    settings: int
    height: int
    width: int
    mines: int
    cell: int
    mode: int
    bv: int
    ms: int
    texts: dict[str, bytes]
    board: NDArray[np.bool_]


def recognises(data: bytes) -> bool:
    """Return whether there are a known version, cells with a size, and a known mode."""
    if len(data) < 16 or data[0] > NEWEST:
        return False
    at = 6 if data[0] < 3 else 7
    mode = int.from_bytes(data[at + 1 : at + 3], "big")
    return data[at] > 0 and mode in MODES and 0 not in data[at - 4 : at - 2]


def read(data: bytes) -> Replay:
    """Return the game in an EVF file; raises `ReplayError`."""
    reader = BigEndianReader(NAME, data)
    head = _read_header(reader)
    begin = reader.at
    if head.version < NEWEST:
        events = read_events_before_v4(reader)
        reader.at = events.end
        if not reader.u8():
            reader.take(_ROWS_END - 1)
    else:
        events = read_events_v4(reader, head.height, head.width)
        reader.at = events.end + 1
        reader.take(reader.u16())
    checksum = data[events.end : reader.at]
    recording = Recording(
        head.board, events.t, events.signal, events.x, events.y, head.cell,
        questions=bool(head.settings & _MARKS),
    )  # fmt: skip
    kept = {"head": data[:begin], "tail": data[events.end :]}
    if not events.is_canonical:
        kept["events"] = data[begin : events.end]

    def facts() -> dict[str, Fact]:
        return _facts(head, checksum) | corrected_times_fact(events.corrected_ms)

    return Replay(NAME, str(head.version), recording, LazyFacts(facts), events.board_changes, kept)


def _read_header(reader: BigEndianReader) -> Header:
    version, summary = reader.u8(), reader.u8()
    if version > NEWEST:
        raise reader.error(Flaw("version {version} is not known", version=version), at=0)
    settings = reader.u8() if version > 2 else 0
    at = reader.at
    height, width, mines, cell, mode, bv = _BOARD.unpack(reader.take(_BOARD.size))
    reader.check_playable_board(height, width, mines, at=at)
    if not cell:
        raise reader.error(Flaw("the cells have no size"), at=at + _CELL_AT)
    texts: dict[str, bytes] = {}
    if version < NEWEST:
        ms = reader.u24()
        names = _TEXTS_BEFORE_V4 if version >= 2 else _TEXTS_BEFORE_V4[:-1]
        texts = dict(zip(names, reader.texts_until(b"\0", _TEXT, len(names)), strict=True))
    else:
        ms = reader.u32()
        texts["country"] = reader.take(2)
        texts["started"], texts["ended"] = reader.take(8), reader.take(8)
        made = ["transcoder", "source"] if summary & _MADE else []
        for name in ("program", *made, "player", "token", "identifier"):
            texts[name] = reader.until(b"\0", _TEXT)
        texts["device"] = reader.take(reader.u16())
    board = _read_mine_map(reader, height, width, mines)
    if version == NEWEST:
        for _ in range(reader.u16()):
            reader.until(b"\0", _TEXT)
    return Header(
        version, summary, settings, height, width, mines, cell, mode, bv, ms, texts, board
    )  # fmt: skip


def _read_mine_map(
    reader: BigEndianReader, height: int, width: int, mines: int
) -> NDArray[np.bool_]:
    at = reader.at
    bits = np.frombuffer(reader.take(-(-height * width // 8)), np.uint8)
    board = np.unpackbits(bits, count=height * width).view(np.bool_).reshape(height, width)
    found = int(np.count_nonzero(board))
    if found != mines:
        flaw = Flaw("there are {found} mines instead of {mines}", found=found, mines=mines)
        raise reader.error(flaw, at=at)
    return board


def _facts(head: Header, ending: bytes) -> dict[str, Fact]:
    facts: dict[str, Fact] = {
        "format": f"{NAME} {head.version}",
        "level": level_name(head.board),
        "mode": MODES.get(head.mode, str(head.mode)),
        "cell_px": head.cell,
        "claimed_bv": head.bv,
        "claimed_ms": head.ms,
        "claimed_won": bool(head.summary & _DONE),
        "official": bool(head.summary & _OFFICIAL),
        "fair": bool(head.summary & _FAIR),
    }
    if head.version:
        facts["no_flag"] = bool(head.summary & _NO_FLAG)
    if head.version > 2:
        facts["marks"] = bool(head.settings & _MARKS)
    for name, said in head.texts.items():
        if name in {"started", "ended"}:
            moment = _iso_time(said, packed=head.version == NEWEST)
            if moment:
                facts[name] = moment
        elif said.strip(b"\0"):
            facts |= text_facts(name, said.strip(b"\0"))
    checksum = ending[3:] if head.version == NEWEST else ending[1:]
    if checksum:
        facts["checksum"] = checksum.hex()
    return facts


def _iso_time(said: bytes, *, packed: bool) -> str:
    """Return microseconds since 1970 as an ISO date and time, empty if there are none."""
    with contextlib.suppress(ValueError, OverflowError):
        micros = int.from_bytes(said, "big") if packed else int(said[:32])
        if micros > 0:
            return (_EPOCH + timedelta(microseconds=micros)).isoformat()
    return ""


def write(replay: Replay) -> bytes:
    """Return a replay as a file: unchanged if it was read from EVF, else as version 4.

    Raises `ReplayError` for a board, cells or a length that the format cannot hold.
    """
    if has_original(replay, NAME):
        return (
            replay.original_parts["head"] + _rewrite_events(replay) + replay.original_parts["tail"]
        )
    recording = reduce_to_mouse.outside_points_at_corner(reduce_to_mouse.as_mouse_recording(replay))
    _check_fits(recording)
    made = write_events_v4(recording, None)
    return _encode_header(replay, recording) + made + b"\0" + bytes(2)


def _rewrite_events(replay: Replay) -> bytes:
    if "events" in replay.original_parts:
        return replay.original_parts["events"]
    if replay.version != str(NEWEST):
        return write_events_before_v4(replay.recording)
    return write_events_v4(replay.recording, replay.recorded_changes)


def _check_fits(recording: Recording) -> None:
    height, width = recording.mine_map.shape
    largest = min(_LARGEST, _FAR // recording.cell)
    check_board_size(NAME, largest, width=width, height=height)
    if recording.t.size and int(recording.t[-1]) >> 32:
        raise ReplayError("an EVF file holds games up to 49 days")


def _encode_header(replay: Replay, recording: Recording) -> bytes:
    """Return the head of a new file, which states that it is not official."""
    course, facts = replay.course, replay.facts
    height, width = recording.mine_map.shape
    summary = _MADE
    summary |= _DONE if course.won else 0
    summary |= 0 if (course.clicks == Click.FLAGGED).any() else _NO_FLAG
    numbers = (
        (NEWEST, 1), (summary, 1), (_MARKS if recording.questions else 0, 1), (height, 1),
        (width, 1), (int(np.count_nonzero(recording.mine_map)), 2), (recording.cell, 1),
        (_mode_number(facts), 2), (three_bv(recording.mine_map) & 0xFFFF, 2),
        (course.time_ms & 0xFFFFFFFF, 4),
    )  # fmt: skip
    packed = b"".join(number.to_bytes(size, "big") for number, size in numbers)
    times = [
        _microseconds_since_1970(facts.get(name)).to_bytes(8, "big")
        for name in ("started", "ended")
    ]
    texts = [
        demine_with_version(),
        demine_with_version(),
        "utf-8",
        _text_without_nul(facts.get("player")),
        "",
        "",
    ]
    return b"".join((
        packed, _country_code(facts), *times,
        *(text.encode() + b"\0" for text in texts),
        bytes(2),
        np.packbits(recording.mine_map).tobytes(),
        bytes(2),
    ))  # fmt: skip


def _text_without_nul(fact: Fact) -> str:
    return str(fact).replace("\0", "")[: _TEXT // 4] if isinstance(fact, str) else ""


def _mode_number(facts: Mapping[str, Fact]) -> int:
    said = facts.get("mode")
    return next((code for code, name in MODES.items() if name == said), 0)


def _country_code(facts: Mapping[str, Fact]) -> bytes:
    said = facts.get("country")
    code = said if isinstance(said, str) else ""
    plain = len(code) == 2 and code.isascii() and code.isupper()
    return code.encode() if plain else bytes(2)


def _microseconds_since_1970(fact: Fact) -> int:
    """Return a date and time as microseconds since 1970; 0 if the fact is none."""
    moment = parse_utc_datetime(fact)
    return 0 if moment is None else max(0, (moment - _EPOCH) // timedelta(microseconds=1))


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what a file made from this replay does not hold: nothing if it was read from EVF."""
    if has_original(replay, NAME):
        return ()
    facts = replay.facts
    country = {"country"} if _country_code(facts).strip(b"\0") else set()
    lost = replay_losses(replay, reduce_to_mouse.losses(replay), {"player", "ended", *country})
    zoneless = [name for name in ("started", "ended") if _microseconds_since_1970(facts.get(name))]
    if zoneless and "+" not in str(facts[zoneless[0]])[10:]:
        lost.append(Loss("that the time zone of its date is unknown"))
    lost += recorded_changes_losses(replay)
    lost += text_losses(facts, {"player": _text_without_nul(facts.get("player"))})
    lost += reduce_to_mouse.outside_point_losses(replay.recording)
    return tuple(lost)


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".evf",),
    holds=Replay,
    evidence=Evidence.FIELDS,
    recognises=recognises,
    read=read,
    write=write,
    losses=losses,
    program="Metasweeper",
    versions="0 to 4",
    writes="version 4",
    largest=_LARGEST,
)
