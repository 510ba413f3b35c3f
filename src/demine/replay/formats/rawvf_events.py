"""The events of RawVF files: lines of words and numbers.

There are many lines and few kinds of them, so each line without its digits is looked up among the
kinds, and the digits of all lines become numbers at once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.replay.errors import Flaw
from demine.replay.model import BoardLog, Shown
from demine.statistics.recording import Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.replay.byte_reader import Reader

LOOKS: Final = {
    b"closed": Shown.COVERED,
    b"flag": Shown.FLAG,
    b"pressed": Shown.PRESSED,
    b"pressedqm": Shown.PRESSED_QUESTION,
    b"questionmark": Shown.QUESTION,
    b"blast": Shown.BLOWN,
}
"""The words for what a cell shows, besides `number0` to `number8`."""
_SIGNALS: Final = {
    signal.name.lower().encode(): signal
    for signal in (
        Signal.LC, Signal.LR, Signal.RC, Signal.RR, Signal.MC, Signal.MR, Signal.MV, Signal.SC,
    )
}  # fmt: skip
_DIGITS: Final = b"0123456789"
_LINES: Final = 1 << 20
"""No game has more events."""
_FEW: Final = 1000
"""So many lines may be empty, or nearly so."""
_KINDS: Final = 256
"""No file has more kinds of lines."""
_LONGEST: Final = 7
"""No number has more digits."""
MOST: Final = 10**_LONGEST - 1
"""The largest number."""
_GAP: Final = rb"[ \t]"
_TIME: Final = rb"(?P<minus>-?)(?P<time>\.)" + _GAP
_SHAPE: Final = re.compile(
    rb"[ \t]*(?:"
    + _TIME + rb"(?P<mouse>lc|lr|rc|rr|mc|mr|mv|sc|mt)" + _GAP
    + rb"(?P<cell>-?" + _GAP + rb"-?[ \t]*)?\([ \t]*(?P<x>-?)" + _GAP
    + rb"(?P<y>-?)[ \t]*\)(?:[ \t]*\([lrm]*\))?"
    rb"|(?:" + _TIME.replace(b"<", b"<also_") + rb")?(?:"
    rb"(?P<look>number|closed|flag|pressedqm|pressed|questionmark|blast)(?P<at>[ \t]*)"
    rb"|(?P<word>start|boom|lost|loss|blast|won|nonstandard)"
    rb"|(?P<scroll>s[xy])" + _GAP + rb"-?(?P<both>" + _GAP + rb"-?)?)"
    rb"|)[ \t]*"
)  # fmt: skip
"""A line without its digits."""
_BLANK, _MOUSE, _TOGGLE, _BOARD, _WORD, _OTHER = range(6)


class _Kind(NamedTuple):
    """What the lines of one shape are."""

    sort: int
    numbers: int
    timed: bool
    code: int = 0
    """The signal, or the look; for a word whether it ends the game."""
    point: int = 0
    """How many numbers stand before the point or the cell."""
    minus: int = 1
    minus_x: int = 1
    minus_y: int = 1


class Told(NamedTuple):
    """What the lines say."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    toggles: int
    """How often question marks were switched before the first right click."""
    board: BoardLog | None
    ended: bool
    """Whether it is said how the game ended."""
    mended: int
    """Milliseconds by which a time was moved at most, because the clock ran back."""


def read_lines(reader: Reader, start: int, shape: tuple[int, int]) -> Told:
    """Return what the lines from a byte to the end say of a board of that shape."""
    text = reader.data[start:]
    count = text.count(b"\n")
    if count > _LINES or count > _FEW + len(text) // 4:
        raise reader.error(Flaw("more than {most} events are no game", most=_LINES), at=start)
    lines = text.translate(None, _DIGITS + b"\r").split(b"\n")
    shapes = {line: place for place, line in enumerate(dict.fromkeys(lines))}
    if len(shapes) > _KINDS:
        raise reader.error(Flaw("the lines are of too many kinds"), at=start)
    kinds = [_kind(line) for line in shapes]
    which = np.fromiter(map(shapes.__getitem__, lines), np.uint8, len(lines))
    del lines
    unknown = [place for place, kind in enumerate(kinds) if kind is None]
    if unknown:
        first = int(np.isin(which, unknown).argmax())
        raise reader.error(Flaw("this line is no event"), at=_line_at(text, first) + start)
    known = [kind for kind in kinds if kind is not None]
    return _Lines(reader, start, text, which, known).told(shape)


def _kind(line: bytes) -> _Kind | None:
    """Return what lines of a shape are, and None for lines that are no event."""
    found = _SHAPE.fullmatch(line)
    if found is None:
        return None
    timed = bool(found["time"] or found["also_time"])
    before = 2 * timed
    if found["mouse"]:
        point = before + 2 * (found["cell"] is not None)
        signs = [-1 if found[name] else 1 for name in ("minus", "x", "y")]
        sort = _TOGGLE if found["mouse"] == b"mt" else _MOUSE
        code = _SIGNALS.get(found["mouse"], Signal.MV)
        return _Kind(sort, point + 2, timed, code, point, *signs)
    if found["look"] and len(found["at"]) > 1:
        point = before + (found["look"] == b"number")
        return _Kind(_BOARD, point + 2, timed, LOOKS.get(found["look"], 0), point)
    if found["look"] and found["look"] != b"blast":
        return None
    if found["look"] or found["word"]:
        return _Kind(_WORD, before, timed, found["word"] != b"start")
    if found["scroll"]:
        return _Kind(_OTHER, before + 1 + (found["both"] is not None), timed)
    return _Kind(_BLANK, 0, False)


def _line_at(text: bytes, number: int) -> int:
    """Return where a line begins."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
    return int(ends[number - 1]) + 1 if number else 0


class _Lines:
    """Lines of known kinds."""

    def __init__(
        self,
        reader: Reader,
        start: int,
        text: bytes,
        which: NDArray[np.uint8],
        kinds: Sequence[_Kind],
    ) -> None:
        self.reader, self.start, self.text = reader, start, text
        self.which = which
        columns = np.array(kinds, np.int64).T
        self.sort, self.count, self.timed, self.code, self.point = columns[:5].astype(np.int32)
        self.signs = columns[5:].astype(np.int32)
        self.numbers = self._numbers()
        counts = self.count[which]
        self.first = np.cumsum(counts, dtype=np.int64) - counts

    def _numbers(self) -> NDArray[np.int32]:
        """Return every number in the text."""
        digits = np.frombuffer(b" " + self.text + b" ", np.uint8) - np.uint8(ord("0"))
        edges = np.flatnonzero(np.diff(digits < 10))
        starts, lengths = edges[::2], edges[1::2] - edges[::2]
        if starts.size != int(self.count[self.which].sum()):
            raise self.reader.error(Flaw("a number is missing"), at=self.start)
        most = int(lengths.max(initial=0))
        if most > _LONGEST:
            at = self.start + int(starts[lengths.argmax()])
            raise self.reader.error(Flaw("a number is too long"), at=at)
        numbers, last = np.zeros(starts.size, np.int32), edges[1::2]
        for place in range(most):
            numbers += np.where(lengths > place, digits[last - place], 0) * np.int32(10**place)
        return numbers

    def told(self, shape: tuple[int, int]) -> Told:
        """Return what they say."""
        sort = self.sort[self.which]
        mouse = np.flatnonzero((sort == _MOUSE) | (sort == _TOGGLE))
        kind = self.which[mouse]
        t, moved = self.reader.mended(self._times()[mouse], lambda event: self._byte(mouse[event]))
        place = self.first[mouse] + self.point[kind]
        x = self.numbers[place] * self.signs[1][kind]
        y = self.numbers[place + 1] * self.signs[2][kind]
        heard = sort[mouse] == _MOUSE
        signal = self.code[kind].astype(np.uint8)
        right = (heard & (signal == Signal.RC)).argmax() if heard.any() else 0
        toggles = np.flatnonzero(~heard)
        before = (
            int((toggles < right).sum()) if (signal[heard] == Signal.RC).any() else toggles.size
        )
        words = self.code[self.which[sort == _WORD]]
        recorded = np.cumsum(sort == _MOUSE, dtype=np.int64)
        t, signal, x, y = (column[heard] for column in (t, signal, x, y))
        board = self._board(sort, recorded, t, shape)
        return Told(t, signal, x, y, before, board, bool(words.any()), moved)

    def _times(self) -> NDArray[np.int64]:
        """Return the millisecond of each line, 0 where none is said."""
        data = np.frombuffer(self.text + b"   \n", np.uint8)
        digit = (data >= ord("0")) & (data <= ord("9"))
        dots = np.flatnonzero(data == ord("."))
        timed = np.flatnonzero(self.timed[self.which])
        third = digit[dots + 3]
        wrong = ~(digit[dots + 1] & digit[dots + 2]) | (
            third & digit[np.minimum(dots + 4, data.size - 1)]
        )
        if wrong.any():
            at = self.start + int(dots[wrong.argmax()])
            raise self.reader.error(Flaw("a time has two or three decimals"), at=at)
        first = self.first[timed]
        part = self.numbers[first + 1] * np.where(third, 1, 10)
        t = np.zeros(self.which.size, np.int64)
        t[timed] = (self.numbers[first].astype(np.int64) * 1000 + part) * self.signs[0][
            self.which[timed]
        ]
        return t

    def _board(
        self,
        sort: NDArray[np.int32],
        recorded: NDArray[np.int64],
        t: NDArray[np.int64],
        shape: tuple[int, int],
    ) -> BoardLog | None:
        lines = np.flatnonzero(sort == _BOARD)
        if not lines.size:
            return None
        kind = self.which[lines]
        place = self.first[lines] + self.point[kind]
        col, row = self.numbers[place] - 1, self.numbers[place + 1] - 1
        outside = (row < 0) | (row >= shape[0]) | (col < 0) | (col >= shape[1])
        numbered = (self.point - 2 * self.timed)[kind] == 1
        look = np.where(numbered, self.numbers[place - 1], self.code[kind])
        if (outside | numbered & (look > Shown.EIGHT)).any():
            bad = int((outside | numbered & (look > Shown.EIGHT)).argmax())
            flaw = Flaw(
                "row {row}, column {col} is outside the {width}x{height} board",
                row=int(row[bad]) + 1,
                col=int(col[bad]) + 1,
                width=shape[1],
                height=shape[0],
            )
            flaw = flaw if outside[bad] else Flaw("{code} is no event", code=f"number{look[bad]}")
            raise self._error(flaw, int(lines[bad]))
        after = recorded[lines]
        times = t[np.maximum(after, 1) - 1] if t.size else np.zeros(after.size, np.int64)
        return BoardLog(after, times, row, col, look.astype(np.uint8))

    def _error(self, flaw: Flaw, line: int) -> Exception:
        return self.reader.error(flaw, at=self._byte(line))

    def _byte(self, line: int) -> int:
        """Return the byte of the file where a line begins."""
        return self.start + _line_at(self.text, line)
