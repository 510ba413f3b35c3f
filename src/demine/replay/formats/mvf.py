"""MVF, the replays of Minesweeper Clone: all are read, and those of 0.97 are written.

docs/formats.md describes the bytes. Only files of 0.97 were at hand; the layouts of 2006, 2007 and
of 0.96 and before are known from descriptions. Not checked: the claimed counts and time, and the
checksum at the end of the oldest files.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace
from datetime import datetime
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.errors import WorkError
from demine.logic.fast_replay import MOST_WORK
from demine.logic.metadata import LazyFacts
from demine.replay import reduce_to_centiseconds, reduce_to_mouse
from demine.replay.big_endian_reader import MAX_BACKWARD_MS, BigEndianReader
from demine.replay.errors import Flaw, Loss, ReplayError
from demine.replay.fact_dates import parse_datetime
from demine.replay.format import Evidence, WritableFormat, check_board_size
from demine.replay.model import (
    LEVELS,
    MODES,
    Replay,
    corrected_times_fact,
    demine_with_version,
    has_original,
    level_name,
    recorded_changes_losses,
    replay_losses,
)
from demine.replay.text_encoding import (
    decode_guessing,
    player_facts,
    player_name_bytes,
    text_losses,
)
from demine.statistics.compute import stats
from demine.statistics.play_recording import play_recording
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.statistics.played_recording import PlayedRecording

KEY: Final = 0
"""Any key will do, since it is written into the file."""
_ORDER: Final = (
    Signal.MV, Signal.LC, Signal.RC, Signal.MC, Signal.LR, Signal.RR, Signal.MR,
)  # fmt: skip

_PRESSED: Final[dict[int, int]] = {Signal.RC: 1, Signal.MC: 2, Signal.LC: 4}
_MOVES_AND_LEFT_PRESS: Final = bytes((Signal.MV, Signal.LC))
_RELEASED: Final[dict[int, int]] = {Signal.RR: 1, Signal.MR: 2, Signal.LR: 4}


class RecordLayout(NamedTuple):
    """The layout of a record: its bytes, and the first bits of its numbers after the buttons."""

    size: int
    y: int
    x: int
    time: int
    origin: int
    """The value of a coordinate that stands for 0."""
    values: NDArray[np.float64]
    """What each bit adds to the record's number, whose part from the bit `time` on is in ms."""
    head: Struct
    """What comes before the board: date, level, mode, time, counts, question marks."""


_POWERS: Final = 2.0 ** np.arange(48)
OLD: Final = RecordLayout(
    5, 3, 12, 21, 0,
    np.concatenate((_POWERS[:21], 10 * _POWERS[21:28], 1000 * _POWERS[21:31], (0, 0))),
    Struct(">7sBBHBHH6xB"),
)  # fmt: skip
NEW: Final = RecordLayout(6, 3, 14, 25, 32, np.append(_POWERS[:47], 0), Struct(">7sBBBHB"))


def record_bit_positions(key: int, record_bytes: int) -> list[int]:
    """Return the position, `8 * byte + bit`, of each bit of a record, as the key determines it."""
    n1, n2 = math.sqrt(key), math.sqrt(key + 1000)
    n3, n4 = math.sqrt(n1 + 1000), math.sqrt(n2 + 1000)
    waves = (
        math.cos(n3 + 1000), math.sin(math.sqrt(n2)), math.cos(n3),
        math.sin(math.sqrt(n1) + 1000), math.cos(n4), math.sin(n4),
    )[:record_bytes]  # fmt: skip
    digits = "".join(f"{round(abs(wave) * 10**8):08}" for wave in waves)[: 8 * record_bytes]
    return sorted(range(8 * record_bytes), key=digits.__getitem__)


class MouseStates(NamedTuple):
    """The state of the mouse after each of some events, as columns of one length."""

    t: NDArray[np.int64]
    """Milliseconds."""
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    buttons: NDArray[np.uint8]
    """Which buttons are held, as bits, the lowest first: right, middle, left."""


def unpack_mouse_states(data: bytes, key: int, layout: RecordLayout) -> MouseStates:
    """Decode records into states."""
    values = np.empty(8 * layout.size)
    values[record_bit_positions(key, layout.size)] = layout.values
    # What each value of each byte adds to the record's number.
    tables = (values.reshape(-1, 8) @ _BITS).astype(np.int64)
    rows = np.frombuffer(data, np.uint8).reshape(-1, layout.size)
    numbers = tables[0].take(rows[:, 0])
    for byte in range(1, layout.size):
        numbers += tables[byte].take(rows[:, byte])
    # Point and buttons are in the low half.
    low, most = numbers.astype(np.int32), (1 << layout.x - layout.y) - 1
    x, y = ((low >> first & most) - layout.origin for first in (layout.x, layout.y))
    return MouseStates(numbers >> layout.time, x, y, low.astype(np.uint8) & np.uint8(7))


_BITS: Final = np.unpackbits(np.arange(256, dtype=np.uint8)[None], axis=0, bitorder="little") * 1.0
"""The bits of each byte, lowest first, as numbers `(8, 256)`, since these are multiplied faster."""


def events_between_states(states: MouseStates) -> tuple[
    NDArray[np.int64], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]
]:  # fmt: skip
    """Return the events that lead from state to state, as columns: ms, signal, x, y."""
    t, x, y, buttons = states
    # The buttons before and after, and whether the pointer moved.
    kinds = buttons.copy()
    kinds[1:] |= buttons[:-1] << _AFTER_BUTTONS
    moved = x[1:] != x[:-1]
    moved |= y[1:] != y[:-1]
    kinds[1:] |= moved.view(np.uint8) << _MOVED_BIT
    if kinds.size and not kinds[0]:
        kinds[0] = _MOVED
    # Each state has eight places for events, of which few are taken.
    places = _EVENTS_OF_KIND.take(kinds).view(np.bool_).nonzero()[0]
    row = places >> 3
    return t.take(row), _SIGNAL_OF_PLACE.take(places & 7), x.take(row), y.take(row)


# Of NumPy's kind, so that the numbers stay bytes.
_AFTER_BUTTONS, _MOVED_BIT = np.uint8(3), np.uint8(6)
_MOVED: Final = 64


def _events_of_kinds() -> NDArray[np.uint64]:
    """Return eight bytes for each kind of change of state: which signals it causes, in order."""
    kinds = np.arange(2 * _MOVED)
    now, then = kinds & 7, kinds >> 3 & 7
    happened = np.zeros((kinds.size, 8), np.uint8)
    for place, signal in enumerate(_ORDER):
        pressed, released = _PRESSED.get(signal, 0), _RELEASED.get(signal, 0)
        happened[:, place] = (now & ~then & pressed | then & ~now & released) > 0
    happened[:, 0] = kinds >= _MOVED
    found: NDArray[np.uint64] = happened.view(np.uint64).reshape(-1)
    return found


_EVENTS_OF_KIND: Final = _events_of_kinds()
_SIGNAL_OF_PLACE: Final = np.array([*_ORDER, 0], np.uint8)


def without_unchanged_states(recording: Recording) -> Recording:
    """Return a recording without the events that change neither point nor buttons."""
    states, changed = mouse_states(recording), np.ones(recording.t.size, np.bool_)
    columns = (states.x, states.y, states.buttons)
    changed[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return replace(
        recording, t=recording.t[changed], signal=recording.signal[changed],
        x=recording.x[changed], y=recording.y[changed],
    )  # fmt: skip


def mouse_states(recording: Recording) -> MouseStates:
    """Return the state of the mouse after each event."""
    held, down = 0, np.zeros(recording.t.size, np.uint8)
    for event, signal in enumerate(recording.signal.tolist()):
        held = held & ~_RELEASED.get(signal, 0) | _PRESSED.get(signal, 0)
        down[event] = held
    return MouseStates(recording.t, recording.x, recording.y, down)


def pack_mouse_states(states: MouseStates) -> bytes:
    """Encode states as records of version 0.97."""
    seconds, rest = np.divmod(states.t, 1000)
    numbers = ((states.buttons, 3), (states.y, 9), (states.x, 9), (rest // 10, 7), (seconds, 10))
    places = iter(record_bit_positions(KEY, OLD.size))
    out = np.zeros((states.t.size, OLD.size), np.uint8)
    for number, count in numbers:
        for bit in range(count):
            byte, place = divmod(next(places), 8)
            out[:, byte] |= ((number >> bit & 1) << place).astype(np.uint8)
    return out.tobytes()


NAME: Final = "MVF"

_MAGIC: Final = b"\x11M"
_BARE: Final = b"\0\0"
_LEVELS: Final = {(8, 8): 10, (16, 16): 40, (30, 16): 99}
"""The mines of the oldest files' boards, by width and height."""
_MODES: Final = {1: MODES[0], 2: MODES[3], 3: MODES[1], 4: MODES[2]}
_NAME: Final = 100
_MODE_NUMBERS: Final = {mode: number for number, mode in _MODES.items()}
_VERSION: Final = "0.97 beta"
_YEARS: Final = b"2004-2005"
"""The last digit tells the version."""
_AUTHOR, _AUTHOR_SIZE = 29, 24
"""The offset and length of the name of the program's author."""
_LONGEST_NAME: Final = 255
_LARGEST: Final = 31
"""The most columns or rows of 16 pixels that leave room for points outside the board."""
_FAR: Final = 511
_LONGEST: Final = 1023_990
"""Milliseconds."""
_COUNTS: Final = ("bv", "bv_solved", "left", "double")
"""The statistics in a file, before the number of right presses."""


class _Contents(NamedTuple):
    """The content of a file."""

    board: NDArray[np.bool_]
    marks: bool
    states: MouseStates
    claimed_ms: int
    facts: Callable[[], dict[str, Fact]]
    """Return what else the file states."""


def recognises(data: bytes) -> bool:
    """Return whether it begins as Clone's files do, or with a level's board and is long enough."""
    if data.startswith(_MAGIC):
        return True
    if data.startswith(_BARE):
        return len(data) > 40 and _is_date_level_and_mode(data[7:16])
    return _is_headless(data)


def _is_date_level_and_mode(said: bytes) -> bool:
    """Return whether the bytes are month, day, year, hour, minute, second, level and mode."""
    month, day, high, low, hour, minute, second, level, mode = said
    year = high << 8 | low
    right = 1 <= month <= 12 and day <= 31 and 2000 <= year <= 2040 and hour < 24
    return right and minute < 60 and second < 60 and 1 <= level <= 5 and 1 <= mode <= 4


def _is_headless(data: bytes) -> bool:
    mines = _LEVELS.get((data[0], data[1])) if len(data) > 1 else None
    if mines is None or data[2:4] != mines.to_bytes(2, "big"):
        return False
    return len(data) >= 4 + 2 * mines + 2 + 8 + 13


def read(data: bytes) -> Replay:
    """Return the game in a file of Clone; raises `ReplayError`."""
    reader = BigEndianReader(NAME, data)
    if data.startswith((_MAGIC, _BARE)):
        version, found = _read_with_header(reader)
    elif _is_headless(data):
        version, found = _read_headless(reader)
    else:
        raise reader.error(Flaw("this is not an MVF file"), at=0)
    t, signal, x, y = events_between_states(found.states)
    recording = Recording(found.board, t, signal, x, y, questions=found.marks)
    recording, course = _with_claimed_duration(recording, found.claimed_ms)

    def facts() -> dict[str, Fact]:
        return {
            "format": f"{NAME} {version}",
            "program": _program_name(data),
            "version": version,
            "marks": found.marks,
            "cell_px": recording.cell,
            "claimed_ms": found.claimed_ms,
            **found.facts(),
        }

    replay = Replay(NAME, version, recording, LazyFacts(facts), original_parts={"file": data})
    if course is not None:
        vars(replay)["course"] = course  # not to be played again
    return replay


def _with_claimed_duration(
    recording: Recording, claimed_ms: int
) -> tuple[Recording, PlayedRecording | None]:
    """Return the recording with its opening moved so that the game takes the claimed time.

    Clone's clock starts with the first press, but here time counts from the release that opens.
    The game is returned too if it had to be played for that.
    """
    release = recording.signal.tobytes().find(Signal.LR)
    if release < 0:
        return recording, None
    begin = int(recording.t[-1]) - claimed_ms
    if recording.t[release] == begin:
        return recording, None
    if _is_click_on_board_from(recording, release, begin):
        return _with_opening_moved(recording, release, begin), None
    try:
        course = play_recording(recording, MOST_WORK // 4)
    except WorkError:
        return recording, None
    begin = course.end_ms - claimed_ms
    if course.start < 0 or not int(recording.t[0]) <= begin < course.start_ms:
        return recording, course
    recording = _with_opening_moved(recording, course.start, begin)
    return recording, replace(course, recording=recording)


def _is_click_on_board_from(recording: Recording, release: int, begin: int) -> bool:
    """Return whether nothing but the left button, pressed at the time `begin`, came before.

    Then the release opens the first cell.
    """
    before = recording.signal[:release].tobytes()
    press = before.find(Signal.LC)
    if press < 0 or recording.t[press] != begin or before.translate(None, _MOVES_AND_LEFT_PRESS):
        return False
    height, width = recording.mine_map.shape
    row, col = (int(points[release]) // recording.cell for points in (recording.y, recording.x))
    return row in range(height) and col in range(width)


def _with_opening_moved(recording: Recording, start: int, begin: int) -> Recording:
    """Return the recording with no event later than `begin` up to the one that opens a cell."""
    t = recording.t.copy()
    np.minimum(t[: start + 1], begin, out=t[: start + 1])
    return replace(recording, t=t)


def _program_name(data: bytes) -> str:
    """Return the program that wrote a file: demine puts its name in place of Clone's author."""
    said = data[_AUTHOR : _AUTHOR + _AUTHOR_SIZE] if data.startswith(_MAGIC) else b""
    ours = said.startswith(b"demine ")
    return said.decode("ascii", "replace").rstrip() if ours else "Minesweeper Clone"


def _read_with_header(reader: BigEndianReader) -> tuple[str, _Contents]:
    """Read a file of 0.97 or newer; return its version and content."""
    data = reader.data
    if data.startswith(_BARE):
        reader.at = 7
        return "0.97 (changed)", _read_after_header(reader, OLD)
    kind = data[27:28]
    if kind in {b"6", b"7"}:
        reader.at = 53
        version = decode_guessing(reader.take(reader.u8()))[0]
        reader.at = 71
        return version.removeprefix("version "), _read_after_header(reader, NEW)
    if kind not in {b"5", b"8"}:
        raise reader.error(Flaw("the version is not known"), at=min(27, len(data)))
    reader.at = 74
    if kind == b"8":
        return "0.97 (changed)", _read_after_header(reader, OLD, MODES[1])
    return _VERSION, _read_after_header(reader, OLD)


def _read_after_header(reader: BigEndianReader, layout: RecordLayout, mode: str = "") -> _Contents:
    """Read what follows the header; `mode` is that of the game if it is not what the file says."""
    head = reader.take(layout.head.size)
    date, level, said_mode, *numbers, marks = layout.head.unpack(head)
    if layout is OLD:
        seconds, hundredths, bv, solved = numbers
        claimed_ms = seconds * 1000 + hundredths * 10
    else:
        claimed_ms = numbers[0] << 16 | numbers[1]
    board = reader.read_size_with_mine_list(index_base=1)
    name = reader.take(reader.u8()).strip(b"\0")
    key = reader.u16()
    count = reader.u24()
    at = reader.at
    states = unpack_mouse_states(reader.take(count * layout.size), key, layout)
    t, moved = reader.correct_backward_steps(states.t, lambda state: at + layout.size * state)

    def facts() -> dict[str, Fact]:
        facts: dict[str, Fact] = {
            "mode": mode or _MODES.get(said_mode, MODES[0]),
            "level": LEVELS[level - 1] if 1 <= level <= 3 else level_name(board),
        }
        if layout is OLD:
            facts |= {"claimed_bv": bv, "claimed_bv_solved": solved, "claimed_won": bv == solved}
        facts |= player_facts(name) if name else {}
        with contextlib.suppress(ValueError):
            # Local time of an unknown time zone; files of 2007 sometimes have day 0.
            moment = datetime(date[2] << 8 | date[3], *date[:2], *date[4:])  # noqa: DTZ001
            facts["started"] = moment.isoformat()
        return facts | corrected_times_fact(moved)

    return _Contents(board, marks != 0, states._replace(t=t), claimed_ms, facts)


def _read_headless(reader: BigEndianReader) -> tuple[str, _Contents]:
    """Read a file of 0.96 or before, which has no header and nothing that marks the events' end."""
    data = reader.data
    board = reader.read_size_with_mine_list()
    marks = reader.u8() != 0
    reader.take(1)
    version, score_at = _headless_version_and_time_offset(data)
    if score_at < reader.at + 8:
        raise reader.error(Flaw("the file ends"), at=len(data))
    score = int.from_bytes(data[score_at : score_at + 2], "big") * 1000 + data[score_at + 2] * 10
    count = (score_at - reader.at) // 8
    rows = np.frombuffer(data, np.uint8, 8 * count, reader.at).reshape(count, 8).astype(np.int64)
    t = rows[:, 0] * 1000 + rows[:, 1] * 10
    stops = (t > score) | (np.maximum.accumulate(t) - t > MAX_BACKWARD_MS)
    count = int(stops.argmax()) if stops.any() else count
    if not count:
        raise reader.error(Flaw("there are no events"))
    begin, rows = reader.at, rows[:count]
    t, moved = reader.correct_backward_steps(t[:count], lambda state: begin + 8 * state)
    # The bits are left, middle, right here.
    buttons = (rows[:, 2] & 1) << 2 | rows[:, 2] & 2 | rows[:, 2] >> 2 & 1
    x, y = rows[:, 3] << 8 | rows[:, 4], rows[:, 5] << 8 | rows[:, 6]
    # The release that ends the game is not recorded.
    t, x, y = (np.append(column, column[-1:]) for column in (t, x, y))
    held = np.append(buttons, 0).astype(np.uint8)
    states = MouseStates(t, x.astype(np.int32), y.astype(np.int32), held)

    def facts() -> dict[str, Fact]:
        facts: dict[str, Fact] = {"level": level_name(board), "mode": MODES[0]}
        facts |= corrected_times_fact(moved)
        if version != "0.75":
            # Names are padded with spaces.
            name = data[score_at + 3 : score_at + 3 + _NAME].strip(b" \0")
            facts |= player_facts(name) if name else {}
        return facts

    return version, _Contents(board, marks, states, score, facts)


def _headless_version_and_time_offset(data: bytes) -> tuple[str, int]:
    """Return the version, or the newest possible one, and the offset of the time."""
    if not (data[-1:].isdigit() or data[-22:-21].isdigit()):
        return "0.96", len(data) - 125
    if data[-13:-10] == b"   ":
        return "0.76", len(data) - 113
    return "0.75", len(data) - 13


def write(replay: Replay) -> bytes:
    """Return a replay as a file: unchanged if it was read from MVF, else as version 0.97.

    Raises `ReplayError` for a board or a length that the format cannot hold.
    """
    if has_original(replay, NAME):
        return replay.original_parts["file"]
    recording = _check_fits(reduce_to_centiseconds.as_centisecond_recording(replay, NAME))
    recording = without_unchanged_states(_with_far_points_at_corner(recording))
    states = mouse_states(recording)
    if states.t.size >> 24:
        raise ReplayError("an MVF file holds up to {most} states of the mouse", most=(1 << 24) - 1)
    count = states.t.size.to_bytes(3, "big")
    return (
        _encode_head(replay.facts, recording)
        + KEY.to_bytes(2, "big")
        + count
        + pack_mouse_states(states)
    )


def _check_fits(recording: Recording) -> Recording:
    height, width = recording.mine_map.shape
    check_board_size(NAME, _LARGEST, width=width, height=height)
    if recording.t[-1] > _LONGEST:
        raise ReplayError("an MVF file holds games up to 17 minutes")
    return recording


def _with_far_points_at_corner(recording: Recording) -> Recording:
    """Move points that no state can hold to just beyond the far corner of the board."""
    x, y = recording.x, recording.y
    far = (x < 0) | (x > _FAR) | (y < 0) | (y > _FAR)
    return reduce_to_mouse.with_points_at_corner(recording, far)


def _encode_head(facts: Mapping[str, Fact], recording: Recording) -> bytes:
    """Return the part before the key, with demine in place of the author."""
    board, found = recording.mine_map, stats(recording)
    height, width = board.shape
    counts = [*map(found.__getitem__, _COUNTS), np.count_nonzero(recording.signal == Signal.RC)]
    seconds, rest = divmod(play_recording(recording).time_ms, 1000)
    mines = np.argwhere(board)
    name = _player_bytes(facts)
    said = demine_with_version().encode("ascii", "replace")
    texts = (b"Minesweeper Clone", _YEARS, said.ljust(_AUTHOR_SIZE)[:_AUTHOR_SIZE])
    level = LEVELS.index(level_name(board)) + 1
    mode = _MODE_NUMBERS.get(str(facts.get("mode", MODES[0])), 1)
    return b"".join((
        *(bytes((len(text),)) + text for text in (*texts, b"version 0.97 beta")),
        bytes(3), _encode_date(facts), bytes((level, mode)),
        seconds.to_bytes(2, "big"), bytes((rest // reduce_to_centiseconds.TICK,)),
        *(min(int(count or 0), 0xFFFF).to_bytes(2, "big") for count in counts),
        bytes((recording.questions, width, height)), len(mines).to_bytes(2, "big"),
        (mines[:, ::-1] + 1).astype(np.uint8).tobytes(), bytes((len(name),)), name,
    ))  # fmt: skip


def _player_bytes(facts: Mapping[str, Fact]) -> bytes:
    return player_name_bytes(facts)[:_LONGEST_NAME]


def _encode_date(facts: Mapping[str, Fact]) -> bytes:
    """Return month, day, year and local time as bytes; zeros if they are unknown."""
    when = parse_datetime(facts.get("started"))
    if when is None:
        return bytes(7)
    date = bytes((when.month, when.day)) + when.year.to_bytes(2, "big")
    return date + bytes((when.hour, when.minute, when.second))


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what a file made from this replay does not hold: nothing if it was read from MVF."""
    if has_original(replay, NAME):
        return ()
    facts = replay.facts
    kept_facts = ("player", "player_bytes")
    lost = replay_losses(replay, reduce_to_centiseconds.losses(replay), kept_facts)
    if str(facts.get("mode", MODES[0])) not in _MODE_NUMBERS:
        lost.append(Loss("the mode of the game"))
    lost += text_losses(facts, {"player": _player_bytes(facts)})
    when = parse_datetime(facts.get("started"))
    if when is not None and when.tzinfo is not None:
        lost.append(Loss("the time zone of its date"))
    if when is not None and when.microsecond:
        lost.append(Loss("fractions of a second in its starting time"))
    recording = reduce_to_centiseconds.as_centisecond_recording(replay, NAME)
    within = _with_far_points_at_corner(recording)
    if (within.x != recording.x).any() or (within.y != recording.y).any():
        lost.append(Loss("where the pointer was while it was outside the board"))
    if without_unchanged_states(within).t.size < recording.t.size:
        lost.append(Loss("mouse events that changed nothing"))
    lost += recorded_changes_losses(replay)
    return tuple(lost)


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".mvf",),
    holds=Replay,
    evidence=Evidence.FIELDS,
    recognises=recognises,
    read=read,
    write=write,
    losses=losses,
    program="Minesweeper Clone",
    writes="as 0.97",
    largest=_LARGEST,
)
