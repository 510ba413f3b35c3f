"""MVF, the replays of Minesweeper Clone: read, not written.

What the bytes mean is told in docs/formats.md. Files of 0.97 were read; the layouts of 2006, 2007
and of 0.96 and before were never seen in the wild, only described. Not checked: the claimed counts
and time, and the checksum at the end of the oldest files.
"""

from __future__ import annotations

import contextlib
import math
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.replay.errors import Flaw
from demine.replay.model import LEVELS, MODES, Facts, Replay, level_of
from demine.replay.reader import Reader
from demine.replay.text import decode
from demine.stats.recording import Recording, Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.facts import Fact

NAME: Final = "MVF"
EXTENSIONS: Final = (".mvf",)

_MAGIC: Final = b"\x11M"
_BARE: Final = b"\0\0"
_LEVELS: Final = {(8, 8): 10, (16, 16): 40, (30, 16): 99}
"""The boards of the oldest files, by width and height."""
_MODES: Final = {1: MODES[0], 2: MODES[3], 3: MODES[1], 4: MODES[2]}
_NAME: Final = 100
_ORDER: Final = (
    Signal.MV, Signal.LC, Signal.RC, Signal.MC, Signal.LR, Signal.RR, Signal.MR,
)  # fmt: skip


class _Layout(NamedTuple):
    """How a record's bits are laid out."""

    size: int
    y: int
    x: int
    time: int
    bits: int
    """Of a coordinate."""
    origin: int


_OLD: Final = _Layout(5, 3, 12, 21, 9, 0)
_NEW: Final = _Layout(6, 3, 14, 25, 11, 32)


class _Found(NamedTuple):
    """What a file says."""

    board: NDArray[np.bool_]
    marks: bool
    states: NDArray[np.int64]
    """A row each: time, x, y, buttons as bits: right, middle, left."""
    end: int
    facts: dict[str, Fact]


def recognises(data: bytes) -> bool:
    """Whether it begins as Clone's files do, or has a level's board and then is long enough."""
    if data.startswith(_MAGIC):
        return True
    if data.startswith(_BARE):
        return len(data) > 40 and _is_date(data[7:16])
    return _is_oldest(data)


def _is_date(said: bytes) -> bool:
    """Whether it is month, day, year, hour, minute, second, level and mode."""
    month, day, high, low, hour, minute, second, level, mode = said
    year = high << 8 | low
    right = 1 <= month <= 12 and day <= 31 and 2000 <= year <= 2040 and hour < 24
    return right and minute < 60 and second < 60 and 1 <= level <= 5 and 1 <= mode <= 4


def _is_oldest(data: bytes) -> bool:
    mines = _LEVELS.get((data[0], data[1])) if len(data) > 1 else None
    if mines is None or data[2:4] != mines.to_bytes(2, "big"):
        return False
    return len(data) >= 4 + 2 * mines + 2 + 8 + 13


def read(data: bytes) -> Replay:
    """Return the game in a file of Clone; raises `ReplayError`."""
    reader = Reader(NAME, data)
    if data.startswith((_MAGIC, _BARE)):
        version, found = _read_headed(reader)
    elif _is_oldest(data):
        version, found = _read_oldest(reader)
    else:
        raise reader.error(Flaw("this is no MVF file"), at=0)
    t, signal, x, y = _events(found.states)
    recording = Recording(found.board, t, signal, x, y, questions=found.marks)
    facts = {
        "format": f"{NAME} {version}",
        "program": "Minesweeper Clone",
        "version": version,
        "marks": found.marks,
        "cell_px": recording.cell,
        **found.facts,
    }
    return Replay(NAME, version, recording, Facts(lambda: facts), kept={"file": data})


def _read_headed(reader: Reader) -> tuple[str, _Found]:
    """Read a file of 0.97 or newer."""
    data = reader.data
    if data.startswith(_BARE):
        reader.at = 7
        return "0.97 (changed)", _read_packed(reader, _OLD)
    kind = data[27:28]
    if kind in {b"6", b"7"}:
        reader.at = 53
        version = decode(reader.take(reader.u8()))[0]
        reader.at = 71
        return version.removeprefix("version "), _read_packed(reader, _NEW)
    if kind not in {b"5", b"8"}:
        raise reader.error(Flaw("the version is not known"), at=min(27, len(data)))
    reader.at = 74
    found = _read_packed(reader, _OLD)
    if kind == b"8":
        found.facts["mode"] = MODES[1]
        return "0.97 (changed)", found
    return "0.97 beta", found


def _read_packed(reader: Reader, layout: _Layout) -> _Found:
    date = reader.take(7)
    level, mode = reader.u8(), reader.u8()
    facts: dict[str, Fact] = {"mode": _MODES.get(mode, MODES[0])}
    if layout is _OLD:
        facts["claimed_ms"] = reader.u16() * 1000 + reader.u8() * 10
        bv, solved = reader.u16(), reader.u16()
        reader.take(6)
        facts |= {"claimed_bv": bv, "claimed_bv_solved": solved, "claimed_won": bv == solved}
    else:
        facts["claimed_ms"] = reader.u24()
    marks = reader.u8() != 0
    board = _read_board(reader, one=1)
    facts["level"] = LEVELS[level - 1] if 1 <= level <= 3 else level_of(board)
    facts |= _player(reader.take(reader.u8()))
    with contextlib.suppress(ValueError):
        # Local time, of a place that nobody wrote down; 2007 sometimes says day 0.
        moment = datetime(date[2] << 8 | date[3], date[0], *date[1:2], *date[4:])  # noqa: DTZ001
        facts["started"] = moment.isoformat()
    key = reader.u16()
    count = reader.u24()
    at = reader.at
    rows = np.frombuffer(reader.take(count * layout.size), np.uint8).reshape(count, layout.size)
    states = _unpacked(rows, key, layout)
    back = states[1:, 0] < states[:-1, 0]
    if back.any():
        raise reader.error(
            Flaw("the time runs back"), at=at + layout.size * (int(back.argmax()) + 1)
        )
    return _Found(board, marks, states, reader.at, facts)


def _read_board(reader: Reader, *, one: int) -> NDArray[np.bool_]:
    at = reader.at
    width, height, mines = reader.u8(), reader.u8(), reader.u16()
    reader.check_board(height, width, mines, at=at)
    return reader.mines(height, width, mines, one=one)


def _player(said: bytes) -> dict[str, Fact]:
    name = said.strip(b" \0")
    if not name:
        return {}
    text, certain = decode(name)
    return {"player": text} if certain else {"player": text, "player_bytes": name.hex()}


def permutation(key: int, size: int) -> list[tuple[int, int]]:
    """Return where each bit of a record stands: byte and bit. The key fixes it."""
    n1, n2 = math.sqrt(key), math.sqrt(key + 1000)
    n3, n4 = math.sqrt(n1 + 1000), math.sqrt(n2 + 1000)
    waves = (
        math.cos(n3 + 1000), math.sin(math.sqrt(n2)), math.cos(n3),
        math.sin(math.sqrt(n1) + 1000), math.cos(n4), math.sin(n4),
    )[:size]  # fmt: skip
    digits = "".join(f"{round(abs(wave) * 10**8):08}" for wave in waves)[: 8 * size]
    order = sorted(range(8 * size), key=lambda place: (digits[place], place))
    return [divmod(place, 8) for place in order]


def _unpacked(rows: NDArray[np.uint8], key: int, layout: _Layout) -> NDArray[np.int64]:
    """Return the states that records say."""
    places = permutation(key, layout.size)

    def number(first: int, count: int) -> NDArray[np.int64]:
        found = np.zeros(len(rows), np.int64)
        for place in range(count):
            byte, bit = places[first + place]
            found |= (rows[:, byte] >> np.uint8(bit) & np.uint8(1)).astype(np.int64) << place
        return found

    t = number(28, 10) * 1000 + number(21, 7) * 10 if layout is _OLD else number(25, 22)
    x, y = (number(first, layout.bits) - layout.origin for first in (layout.x, layout.y))
    return np.stack((t, x, y, number(0, 3)), axis=1)


def _events(states: NDArray[np.int64]) -> tuple[
    NDArray[np.int64], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]
]:  # fmt: skip
    """Return what happened between states."""
    count = len(states)
    happened = np.zeros((count, len(_ORDER)), np.bool_)
    before = np.zeros_like(states[:, 3])
    before[1:] = states[:-1, 3]
    happened[1:, 0] = (states[1:, 1:3] != states[:-1, 1:3]).any(axis=1)
    happened[:1, 0] = states[:1, 3] == 0
    # The bits are right, middle, left, and the order is left, right, middle.
    for place, bit in enumerate((4, 1, 2), 1):
        now, then = states[:, 3] & bit, before & bit
        happened[:, place] = now > then
        happened[:, place + 3] = now < then
    row, what = np.nonzero(happened)
    t, x, y = states[row, 0], states[row, 1].astype(np.int32), states[row, 2].astype(np.int32)
    return t, np.array(_ORDER, np.uint8)[what], x, y


def _read_oldest(reader: Reader) -> tuple[str, _Found]:
    """Read a file of 0.96 or before: no header, and what stands after the events has no mark."""
    data = reader.data
    board = _read_board(reader, one=0)
    marks = reader.u8() != 0
    reader.take(1)
    version, score_at = _end_of_oldest(data)
    if score_at < reader.at + 8:
        raise reader.error(Flaw("the file ends"), at=len(data))
    score = int.from_bytes(data[score_at : score_at + 2], "big") * 1000 + data[score_at + 2] * 10
    count = (score_at - reader.at) // 8
    rows = np.frombuffer(data, np.uint8, 8 * count, reader.at).reshape(count, 8).astype(np.int64)
    t = rows[:, 0] * 1000 + rows[:, 1] * 10
    stops = t > score
    stops[1:] |= t[1:] < t[:-1]
    count = int(stops.argmax()) if stops.any() else count
    if not count:
        raise reader.error(Flaw("there are no events"))
    rows, t = rows[:count], t[:count]
    # The bits are left, middle, right here.
    buttons = (rows[:, 2] & 1) << 2 | rows[:, 2] & 2 | rows[:, 2] >> 2 & 1
    x, y = rows[:, 3] << 8 | rows[:, 4], rows[:, 5] << 8 | rows[:, 6]
    states = np.stack((t, x, y, buttons), axis=1)
    # The release that ends the game is not recorded.
    states = np.concatenate((states, states[-1:] * (1, 1, 1, 0)))
    facts: dict[str, Fact] = {"level": level_of(board), "mode": MODES[0], "claimed_ms": score}
    if version != "0.75":
        facts |= _player(data[score_at + 3 : score_at + 3 + _NAME])
    return version, _Found(board, marks, states, reader.at + 8 * count, facts)


def _end_of_oldest(data: bytes) -> tuple[str, int]:
    """Return the version, or the newest it may be, and where the time stands."""
    if not (data[-1:].isdigit() or data[-22:-21].isdigit()):
        return "0.96", len(data) - 125
    if data[-13:-10] == b"   ":
        return "0.76", len(data) - 113
    return "0.75", len(data) - 13
