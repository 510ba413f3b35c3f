"""The events of EVF files: records of eight bytes up to version 3, of many lengths in version 4."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.replay.errors import Flaw
from demine.replay.model import BoardLog, Shown
from demine.statistics.recording import Signal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.replay.byte_reader import Reader
    from demine.statistics.recording import Recording

_MOUSE: Final = 12
"""The codes of the mouse are 1 to 12; the last three are presses or releases, who knows which."""
_CERTAIN: Final = 9
_PAUSE: Final = 255
_GAUGE, _WORDS = 200, 201
"""A number or a text that a program gave a name; read over, and kept."""
_STATES: Final = frozenset({81, 82, 83, 92, 93, 94, 99})
_SHOWN: Final = {
    **{100 + number: Shown(number) for number in range(9)},
    110: Shown.COVERED,
    111: Shown.FLAG,
    114: Shown.WRONG,
    115: Shown.BLOWN,
    116: Shown.MINE,
    118: Shown.PRESSED,
    120: Shown.QUESTION,
    121: Shown.PRESSED_QUESTION,
}
_CODES: Final = {shown: code for code, shown in _SHOWN.items()}
_SHOWN_TABLE: Final = np.zeros(256, np.uint8)
_SHOWN_TABLE[list(_SHOWN)] = list(_SHOWN.values())
_CODE_TABLE: Final = np.zeros(len(Shown), np.uint8)
_CODE_TABLE[list(_CODES)] = list(_CODES.values())


def _size(code: int) -> int:
    """Return the length of a record of version 4; 0 where only its bytes tell."""
    if 1 <= code <= _MOUSE:
        return 6
    if code in _SHOWN:
        return 4
    return {_PAUSE: 3, _GAUGE: 12}.get(code, 2 if code in _STATES else 0)


_SIZES: Final = tuple(_size(code) for code in range(256))
_OTHER: Final = bytes(0 if size == 6 else 1 for size in _SIZES)
_FEW: Final = 1 << 12
"""With more records of other kinds it is no use to look for runs of the mouse's."""
_ROW: Final = np.dtype([("code", "u1"), ("wait", "u1"), ("x", ">i2"), ("y", ">i2")])
_IS_SHOWN: Final = np.zeros(256, np.bool_)
_IS_SHOWN[list(_SHOWN)] = True
_MOST_WORDS: Final = 1 << 19
"""No game has more texts among its events."""
_FAR: Final = 1 << 16
"""So many steps of 16 bits add up to less than 32."""


class Events(NamedTuple):
    """What a list of events says."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    board: BoardLog | None
    end: int
    """The byte that ends the list."""
    plain: bool
    """Whether one could not have written this in another way."""
    mended: int = 0
    """Milliseconds by which a time was moved at most, because the clock ran back."""


def read_rows(reader: Reader) -> Events:
    """Return the events of versions 0 to 3: `u8 code, u24 ms, u16 x, u16 y`; 0 or 255 ends them."""
    start = reader.at
    codes = np.frombuffer(reader.data, np.uint8, offset=start)[::8]
    # 255 becomes 0 and ends the list too.
    ends = codes + np.uint8(1) <= 1
    count = int(ends.argmax()) if codes.size else 0
    if not codes.size or not ends[count]:
        raise reader.error(Flaw("the events do not end"), at=len(reader.data))
    rows = np.frombuffer(reader.data, ">u8", count, start).astype(np.uint64)
    signal = codes[:count].copy()
    wrong = signal > _MOUSE
    if wrong.any():
        at = int(wrong.argmax())
        flaw = Flaw("{code} is no event", code=int(signal[at]))
        raise reader.error(flaw, at=start + 8 * at)
    t, moved = reader.mended((rows >> 32 & 0xFFFFFF).view(np.int64), lambda row: start + 8 * row)
    x, y = (rows >> 16 & 0xFFFF).astype(np.int32), (rows & 0xFFFF).astype(np.int32)
    certain = not count or int(signal.max()) <= _CERTAIN
    signal = signal if certain else _made_certain(signal)
    plain = certain and not moved
    return Events(t, signal, x, y, None, start + 8 * count, plain, moved)


def write_rows(recording: Recording) -> bytes:
    """Return events as versions 0 to 3 hold them, without what ends them."""
    rows = recording.signal.astype(np.uint64) << 56
    rows |= recording.t.astype(np.uint64) << 32
    rows |= recording.x.astype(np.uint64) << 16
    rows |= recording.y.astype(np.uint64)
    return rows.astype(">u8").tobytes()


def read_records(reader: Reader, height: int, width: int) -> Events:
    """Return the events of version 4, which a 0 ends."""
    mice, others, end = _sorted_out(reader)
    rows = np.frombuffer(mice, _ROW)
    signal = rows["code"].copy()
    waits = rows["wait"].astype(np.int64)
    x, y = (_positions(reader, rows[name]) for name in ("x", "y"))
    certain = not signal.size or int(signal.max()) <= _CERTAIN
    board = None
    if others.at.size:
        board = _board(reader, others, waits, (height, width))
        within = others.within
        np.add.at(waits, others.after[within], others.waits[within])
    return Events(
        waits.cumsum(out=waits),
        signal if certain else _made_certain(signal),
        x,
        y,
        board,
        end,
        plain=certain and not others.at.size,
    )


class _Others:
    """The records that are not the mouse's."""

    def __init__(
        self, data: bytes, at: NDArray[np.uint32], after: NDArray[np.uint32], mice: int
    ) -> None:
        """Take where each begins and how many of the mouse's stand before it."""
        stored = np.frombuffer(data, np.uint8)
        self.at, self.after = at, after
        self.within = after < mice
        """Which of them an event of the mouse follows."""
        self.codes = stored.take(at)
        self.waits = stored.take(at + 1).astype(np.int64)
        pauses = (self.codes == _PAUSE).nonzero()[0]
        self.waits[pauses] = self.waits.take(pauses) << 8 | stored.take(at.take(pauses) + 2)


def _sorted_out(reader: Reader) -> tuple[bytes, _Others, int]:
    """Return the mouse's records in one piece, the others, and where the 0 is that ends them."""
    data, start = reader.data, reader.at
    size = len(data)
    lanes: list[bytes | None] = [None] * 6
    runs: list[bytes] = []
    places, afters = array("I"), array("I")
    at, mice = start, 0
    while at < size:
        length = _SIZES[data[at]]
        if length == 6:
            # They follow one another by hundreds: look for the last at once.
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
            length = _odd_length(reader, at)
        places.append(at)
        afters.append(mice)
        at += length
        if len(places) > _FEW:
            return _one_by_one(reader)
    if at >= size:
        raise reader.error(Flaw("the events do not end"), at=size)
    others = (np.frombuffer(places, np.uint32), np.frombuffer(afters, np.uint32))
    return b"".join(runs), _Others(data, *others, mice), at


def _one_by_one(reader: Reader) -> tuple[bytes, _Others, int]:
    """Do the same where the mouse's records do not follow one another."""
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
            length = _odd_length(reader, at)
            words += 1
            if words > _MOST_WORDS:
                flaw = Flaw("more than {most} events are no game", most=_MOST_WORDS)
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
    return rows.tobytes(), _Others(data, found[~mouse], after, mice.size), at


def _odd_length(reader: Reader, at: int) -> int:
    if reader.data[at] != _WORDS:
        raise reader.error(Flaw("{code} is no event", code=reader.data[at]), at=at)
    end = reader.data.find(0, at + 4)
    if end < 0:
        raise reader.error(Flaw("a text does not end"), at=at)
    return end + 1 - at


def _positions(reader: Reader, steps: NDArray[np.int16]) -> NDArray[np.int32]:
    """Return where the pointer was from its steps."""
    if steps.size <= _FAR:
        line = steps.astype(np.int32)
        return line.cumsum(out=line)
    far = np.cumsum(steps, dtype=np.int64)
    if max(int(far.max()), -int(far.min())) >> 31:
        raise reader.error(Flaw("the pointer goes far from every screen"))
    return far.astype(np.int32)


def _board(
    reader: Reader, others: _Others, mouse_waits: NDArray[np.int64], shape: tuple[int, int]
) -> BoardLog | None:
    found = _IS_SHOWN.take(others.codes).nonzero()[0]
    if not found.size:
        return None
    data = np.frombuffer(reader.data, np.uint8)
    at, after = (column[found].astype(np.int64) for column in (others.at, others.after))
    rows, cols = data[at + 2].astype(np.int32), data[at + 3].astype(np.int32)
    outside = (rows >= shape[0]) | (cols >= shape[1])
    if outside.any():
        first = int(outside.argmax())
        flaw = Flaw(
            "row {row}, column {col} is outside the {width}x{height} board",
            row=int(rows[first]),
            col=int(cols[first]),
            width=shape[1],
            height=shape[0],
        )
        raise reader.error(flaw, at=int(at[first]))
    t = np.cumsum(others.waits)[found]
    if mouse_waits.size:
        t += np.where(after, np.cumsum(mouse_waits)[after - 1], 0)
    return BoardLog(after, t, rows, cols, _SHOWN_TABLE[others.codes[found]])


_MEANS: Final = {
    Signal.LC: (0, True), Signal.LR: (0, False), Signal.RC: (1, True), Signal.RR: (1, False),
    Signal.MC: (2, True), Signal.MR: (2, False),
}  # fmt: skip
"""The button of a signal, and whether it goes down."""


def _made_certain(signals: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Resolve the codes 10, 11 and 12: a button that is up goes down, one that is down goes up."""
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


def write_records(recording: Recording, board: BoardLog | None) -> bytes:
    """Return events as version 4 holds them, without the 0 that ends them."""
    mice = recording.t.size
    extra = board.t.size if board is not None else 0
    lengths = np.full(mice + extra, 6)
    lengths[mice:] = 4
    t = recording.t if board is None else np.concatenate((recording.t, board.t))
    order = np.arange(mice)
    if board is not None:
        # A board event with `after` events before it stands in front of event number `after`.
        keys = np.concatenate((2 * np.arange(mice) + 1, 2 * board.after))
        order = np.argsort(keys, kind="stable")
    waits = np.empty(mice + extra, np.int64)
    sorted_t = t[order]
    waits[order] = sorted_t
    waits[order[1:]] -= sorted_t[:-1]
    pauses = np.where(waits > 255, -(-waits // 0xFFFF), 0)
    ends = np.empty(mice + extra, np.int64)
    ends[order] = np.cumsum((lengths + 3 * pauses)[order])
    out = np.zeros(int(lengths.sum() + 3 * pauses.sum()), np.uint8)
    _put_pauses(out, ends - lengths - 3 * pauses, waits, pauses)
    at = ends - lengths
    out[at + 1] = np.where(pauses, 0, waits)
    at, beside = at[:mice], at[mice:]
    out[at] = recording.signal
    for column, points in ((2, recording.x), (4, recording.y)):
        steps = points.astype(np.int64)
        steps[1:] -= points[:-1]
        out[at + column], out[at + column + 1] = steps >> 8 & 0xFF, steps & 0xFF
    if board is not None:
        out[beside] = _CODE_TABLE[board.code]
        out[beside + 2], out[beside + 3] = board.row, board.col
    return out.tobytes()


def _put_pauses(
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
