"""RawVF, the text form of replays that tools exchange: revision 6 is read and written, and 7 read.

docs/formats.md describes the lines. Not checked: the claimed 3BV and time, the columns and rows
beside the points, which some programs count from 0 and some from 1, and the recorded board changes.
Lines about scrolling, or about switching question marks during a game, are skipped.
"""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine import __version__
from demine.logic.errors import WorkError
from demine.logic.fast_replay import MOST_WORK
from demine.logic.metadata import LazyFacts
from demine.replay import reduce_to_mouse
from demine.replay.big_endian_reader import BigEndianReader, outside_board_flaw
from demine.replay.board_changes import CellDisplay, RecordedBoardChanges, board_changes_of_clicks
from demine.replay.errors import Flaw, Loss, ReplayError
from demine.replay.format import Evidence, WritableFormat
from demine.replay.kernels import RAWVF_KERNELS
from demine.replay.kernels.rawvf import CHANGE, GAME, MOUSE, NUMBERED_CHANGE, number_of_word
from demine.replay.line_blocks import LONGEST, block_numbers, line_blocks, line_shapes
from demine.replay.model import (
    LEVELS,
    MODES,
    Replay,
    corrected_times_fact,
    has_original,
    level_name,
    pointer_goes_beyond,
    recorded_changes_losses,
    replay_losses,
)
from demine.replay.text_encoding import (
    as_single_line,
    decode_guessing,
    text_facts,
    text_losses,
)
from demine.statistics.board_3bv import three_bv
from demine.statistics.play_recording import play_recording
from demine.statistics.played_recording import Click
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.replay.big_endian_reader import BigEndianReader
    from demine.replay.line_blocks import BlockNumbers
    from demine.statistics.played_recording import PlayedRecording

LOOKS: Final = {
    b"closed": CellDisplay.COVERED,
    b"flag": CellDisplay.FLAG,
    b"pressed": CellDisplay.PRESSED,
    b"pressedqm": CellDisplay.PRESSED_QUESTION,
    b"questionmark": CellDisplay.QUESTION,
    b"blast": CellDisplay.BLOWN,
}
"""The words for what a cell shows, except `number0` to `number8`."""
_SIGNALS: Final = {
    signal.name.lower().encode(): signal
    for signal in (
        Signal.MV, Signal.LC, Signal.LR, Signal.RC, Signal.RR, Signal.MC, Signal.MR, Signal.SC,
    )
}  # fmt: skip
_GAME_WORDS: Final = (b"start", b"boom", b"lost", b"loss", b"blast", b"won", b"nonstandard")
"""The words for the start of a game and, all others, for its end."""
_LINES: Final = 1 << 20
"""The most events of a game."""
_FEW: Final = 1000
"""How many lines may be empty, or nearly so."""
_KINDS: Final = 256
"""The most kinds of lines in a file."""
MOST: Final = 10**LONGEST - 1
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
    rb"|(?P<word>" + b"|".join(_GAME_WORDS) + rb")"
    rb"|(?P<scroll>s[xy])" + _GAP + rb"-?(?P<both>" + _GAP + rb"-?)?)"
    rb"|)[ \t]*"
)  # fmt: skip
"""A line without its digits."""
_BLANK, _MOUSE, _TOGGLE, _CHANGE, _WORD, _OTHER = range(6)
_KERNEL_WORDS: Final = np.array(
    [
        *((number_of_word(word), MOUSE, signal) for word, signal in _SIGNALS.items()),
        (number_of_word(b"number"), NUMBERED_CHANGE, 0),
        *((number_of_word(word), CHANGE, look) for word, look in LOOKS.items()),
        *((number_of_word(word), GAME, word != b"start") for word in _GAME_WORDS),
    ],
    np.int64,
).ravel()
"""What the kernel knows of words."""


class _LineKind(NamedTuple):
    """The meaning of lines of one shape."""

    sort: int
    numbers: int
    timed: bool
    code: int = 0
    """The signal, or what a cell shows; for a word whether it ends the game."""
    point: int = 0
    """How many numbers come before the point or the cell."""
    minus: int = 1
    minus_x: int = 1
    minus_y: int = 1


class EventList(NamedTuple):
    """The events of a file."""

    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    question_mark_toggles: int
    """How often question marks were switched on or off before the first right click."""
    board_changes: RecordedBoardChanges | None
    says_ending: bool
    """Whether a line says that the game ended."""
    corrected_ms: int
    """The largest correction of a time in ms, if the clock ran back."""


@RAWVF_KERNELS.stands_in
def read_event_lines(reader: BigEndianReader, start: int, shape: tuple[int, int]) -> EventList:
    """Read the event lines from offset `start` to the end; `shape` is `(height, width)`."""
    # In a fifth of the time that the bytes themselves would take to count.
    text = np.frombuffer(reader.data, np.uint8, offset=start)
    count = int(np.count_nonzero(text == ord("\n")))
    if count > _LINES or count > _FEW + (len(reader.data) - start) // 4:
        raise reader.error(Flaw("a game has at most {most} events", most=_LINES), at=start)
    kernel = RAWVF_KERNELS.compiled_kernel("read_event_lines")
    events = (
        None if kernel is None else _read_compiled(kernel, reader.data[start:], count + 1, shape)
    )
    return events or _read_plain(reader, start, shape)


def _read_compiled(
    kernel: Callable[..., int], text: bytes, most: int, shape: tuple[int, int]
) -> EventList | None:
    """Read at most so many lines by the compiled kernel; None for those that it does not know."""
    data = np.frombuffer(text + b"\n", np.uint8)
    t, signal = np.empty(most, np.int64), np.empty(most, np.uint8)
    x, y = np.empty(most, np.int32), np.empty(most, np.int32)
    after, row = np.empty(most, np.int64), np.empty(most, np.int32)
    col, look = np.empty(most, np.int32), np.empty(most, np.uint8)
    found = np.zeros(2, np.int64)
    count = kernel(data, _KERNEL_WORDS, *shape, t, signal, x, y, after, row, col, look, found)
    if count < 0:
        return None
    changes, says_ending = found.tolist()
    # Copies, since views would keep the whole columns in memory.
    times = t[:count].copy()
    did = (
        after[:changes].copy(), row[:changes].copy(), col[:changes].copy(), look[:changes].copy(),
    )  # fmt: skip
    return EventList(
        times, signal[:count].copy(), x[:count].copy(), y[:count].copy(), 0,
        _recorded_changes(times, *did) if changes else None, bool(says_ending), 0,
    )  # fmt: skip


def _recorded_changes(
    t: NDArray[np.int64],
    after: NDArray[np.int64],
    row: NDArray[np.int32],
    col: NDArray[np.int32],
    look: NDArray[np.uint8],
) -> RecordedBoardChanges:
    """Return changes of the board, each after so many events, at the time of the last of these."""
    times = t[np.maximum(after, 1) - 1] if t.size else np.zeros(after.size, np.int64)
    return RecordedBoardChanges(after, times, row, col, look)


def _read_plain(reader: BigEndianReader, start: int, shape: tuple[int, int]) -> EventList:
    """Read event lines; raises `ReplayError`."""
    shapes: defaultdict[bytes, int] = defaultdict(lambda: len(shapes))
    lines, blocks = [], []
    for at, block in line_blocks(reader.data, start):
        lines.append(line_shapes(block, shapes))
        if len(shapes) > _KINDS:
            raise reader.error(Flaw("the lines are of too many kinds"), at=start)
        blocks.append(block_numbers(block, at))
    which = np.concatenate(lines)
    kinds = [_line_kind(line) for line in shapes]
    unknown = [place for place, kind in enumerate(kinds) if kind is None]
    if unknown:
        first = int(np.isin(which, unknown).argmax())
        at = _line_offset(reader.data, start, first)
        raise reader.error(Flaw("this line is not an event"), at=at)
    known = [kind for kind in kinds if kind is not None]
    return _EventLines(reader, start, which, known, blocks).event_list(shape)


def _line_kind(line: bytes) -> _LineKind | None:
    """Return the kind of lines of a shape; None if they are not valid event lines."""
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
        return _LineKind(sort, point + 2, timed, code, point, *signs)
    if found["look"] and len(found["at"]) > 1:
        point = before + (found["look"] == b"number")
        return _LineKind(_CHANGE, point + 2, timed, LOOKS.get(found["look"], 0), point)
    if found["look"] and found["look"] != b"blast":
        return None
    if found["look"] or found["word"]:
        return _LineKind(_WORD, before, timed, found["word"] != b"start")
    if found["scroll"]:
        return _LineKind(_OTHER, before + 1 + (found["both"] is not None), timed)
    return _LineKind(_BLANK, 0, False)


def _line_offset(data: bytes, start: int, number: int) -> int:
    """Return the offset of a line, counted from the offset `start`."""
    ends = np.flatnonzero(np.frombuffer(data, np.uint8, offset=start) == ord("\n"))
    return start + (int(ends[number - 1]) + 1 if number else 0)


class _EventLines:
    """Event lines whose kinds are known."""

    def __init__(
        self,
        reader: BigEndianReader,
        start: int,
        which: NDArray[np.uint16],
        kinds: Sequence[_LineKind],
        blocks: Sequence[BlockNumbers],
    ) -> None:
        self.reader, self.start = reader, start
        self.which = which
        columns = np.array(kinds, np.int64).T
        self.sort, self.count, self.timed, self.code, self.point = columns[:5].astype(np.int32)
        self.signs = columns[5:].astype(np.int32)
        counts = self.count[which]
        after = np.cumsum(counts, dtype=np.int64)
        self.first = after - counts
        self.numbers = self._sound_numbers(blocks, int(after[-1]))

    def _sound_numbers(self, blocks: Sequence[BlockNumbers], count: int) -> NDArray[np.int32]:
        """Return so many numbers, which are those of the blocks; raises `ReplayError`."""
        numbers = np.concatenate([block.numbers for block in blocks])
        if numbers.size != count:
            raise self.reader.error(Flaw("a number is missing"), at=self.start)
        for flaw, places in (
            (Flaw("a number is too long"), [block.too_long for block in blocks]),
            (Flaw("a time has two or three decimals"), [block.wrong_time for block in blocks]),
        ):
            found = [at for at in places if at >= 0]
            if found:
                raise self.reader.error(flaw, at=found[0])
        return numbers

    def event_list(self, shape: tuple[int, int]) -> EventList:
        """Return the events; `shape` is `(height, width)`."""
        sort = self.sort[self.which]
        mouse = np.flatnonzero((sort == _MOUSE) | (sort == _TOGGLE))
        kind = self.which[mouse]
        first = self.first[mouse]
        t, moved = self.reader.correct_backward_steps(
            self._times(first, kind), lambda event: self._file_offset_of_line(mouse[event])
        )
        place = first + self.point[kind]
        x = self._signed(self.numbers[place], self.signs[1], kind)
        y = self._signed(self.numbers[place + 1], self.signs[2], kind)
        signal = self.code[kind].astype(np.uint8)
        toggles = 0
        if (self.sort == _TOGGLE).any():
            heard = sort[mouse] == _MOUSE
            right = (heard & (signal == Signal.RC)).nonzero()[0]
            toggles = int(np.count_nonzero(~heard[: right[0] if right.size else None]))
            t, signal, x, y = (column[heard] for column in (t, signal, x, y))
        words = self.code[self.which[sort == _WORD]]
        recorded = np.cumsum(sort == _MOUSE, dtype=np.int64)
        board = self._board_changes(sort, recorded, t, shape)
        return EventList(t, signal, x, y, toggles, board, bool(words.any()), moved)

    @staticmethod
    def _signed(
        numbers: NDArray[np.int32], signs: NDArray[np.int32], kind: NDArray[np.uint16]
    ) -> NDArray[np.int32]:
        """Return numbers with the signs of their lines' kinds."""
        return numbers * signs[kind] if (signs < 0).any() else numbers

    def _times(self, first: NDArray[np.int64], kind: NDArray[np.uint16]) -> NDArray[np.int64]:
        """Return times in ms, given the index of the first number and the kind of each line."""
        t = self.numbers[first].astype(np.int64)
        t *= 1000
        t += self.numbers[first + 1]
        return t * self.signs[0][kind] if (self.signs[0] < 0).any() else t

    def _board_changes(
        self,
        sort: NDArray[np.int32],
        recorded: NDArray[np.int64],
        t: NDArray[np.int64],
        shape: tuple[int, int],
    ) -> RecordedBoardChanges | None:
        lines = np.flatnonzero(sort == _CHANGE)
        if not lines.size:
            return None
        kind = self.which[lines]
        place = self.first[lines] + self.point[kind]
        col, row = self.numbers[place] - 1, self.numbers[place + 1] - 1
        outside = (row < 0) | (row >= shape[0]) | (col < 0) | (col >= shape[1])
        numbered = (self.point - 2 * self.timed)[kind] == 1
        look = np.where(numbered, self.numbers[place - 1], self.code[kind])
        if (outside | numbered & (look > CellDisplay.EIGHT)).any():
            bad = int((outside | numbered & (look > CellDisplay.EIGHT)).argmax())
            flaw = outside_board_flaw(int(row[bad]) + 1, int(col[bad]) + 1, *shape)
            flaw = (
                flaw if outside[bad] else Flaw("{code} is not an event", code=f"number{look[bad]}")
            )
            raise self._line_error(flaw, int(lines[bad]))
        return _recorded_changes(t, recorded[lines], row, col, look.astype(np.uint8))

    def _line_error(self, flaw: Flaw, line: int) -> Exception:
        return self.reader.error(flaw, at=self._file_offset_of_line(line))

    def _file_offset_of_line(self, line: int) -> int:
        """Return the offset of a line in the file."""
        return _line_offset(self.reader.data, self.start, line)


NAME: Final = "RawVF"
REVISION: Final = "Rev6.1"

_HEAD: Final = 1 << 16
"""The longest description in bytes."""
_LARGEST: Final = 1 << 13
"""The most rows or columns of a board."""
_CELL: Final = 16
_FIRST_LINE: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*+[A-Za-z][\w ]{0,40}:[^\r\n]*\r?\n")
_BOARD: Final = re.compile(rb"^[ \t]*Board:[ \t]*\r?\n", re.MULTILINE | re.IGNORECASE)
_EVENTS: Final = re.compile(rb"^[ \t]*Events:[ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.IGNORECASE)
_OPTION: Final = re.compile(rb"^[ \t]*([A-Za-z][\w ]{0,40}):[ \t]*([^\r\n]*)", re.MULTILINE)
_ROWS: Final = re.compile(rb"(?:[ \t]*[*0-8]++[ \t]*\r?\n)*+")
_IS_EVENT: Final = re.compile(rb"\s*(?:-?\d+\.\d|[a-z])")
_BOUNDS: Final = {
    "width": (1, _LARGEST), "height": (1, _LARGEST), "mines": (0, _LARGEST**2),
    "squaresize": (1, 1 << 10),
}  # fmt: skip
"""The required numbers of a description, with their least and greatest values."""
_WORDS: Final = {
    **{CellDisplay(number): f"number{number}" for number in range(9)},
    **{look: word.decode() for word, look in LOOKS.items()},
}
_MODES: Final = {
    "classic": MODES[0], "normal": MODES[0], "upk": MODES[1], "cheat": MODES[2],
    "density": MODES[3], "ng": MODES[5], "classic ng": MODES[5],
}  # fmt: skip
_MODE_WORDS: Final = {
    MODES[0]: "Classic", MODES[1]: "UPK", MODES[2]: "Cheat", MODES[3]: "Density", MODES[5]: "NG",
}  # fmt: skip
_TEXTS: Final = {
    "player": "Player", "nick": "Nick", "country": "Country", "token": "Token",
    "identifier": "Identifier", "skin": "Skin", "source": "Source", "comment": "Comment",
}  # fmt: skip
"""The facts that have their own lines, with the names of these."""


def recognises(data: bytes) -> bool:
    """Return whether it has description lines and then a board."""
    return _FIRST_LINE.match(data) is not None and _BOARD.search(data, 0, _HEAD) is not None


def read(data: bytes) -> Replay:
    """Return the game in a RawVF file; raises `ReplayError`."""
    reader = BigEndianReader(NAME, data)
    board = _BOARD.search(data, 0, _HEAD)
    if board is None:
        raise reader.error(Flaw("there is no board"))
    options = _parse_options(data[: board.start()])
    sizes = _parse_sizes(reader, options)
    mine_map, begin = _read_mine_map(reader, sizes, board.end())
    cell = sizes.get("squaresize", _CELL)
    events = read_event_lines(reader, begin, (mine_map.shape[0], mine_map.shape[1]))
    recording = Recording(
        mine_map,
        events.t,
        events.signal,
        events.x,
        events.y,
        cell,
        questions=_is_option_on(options, "marks") != bool(events.question_mark_toggles % 2),
        left_chords=_is_option_on(options, "superclick"),
    )
    course = (
        None if events.says_ending or "status" in options else _course_unless_too_long(recording)
    )
    if course is not None and course.end < 0:
        raise reader.error(Flaw("the file ends before the game does"), at=len(data))
    kept = {"head": data[:begin], "events": data[begin:]}

    def facts() -> dict[str, Fact]:
        return _facts(options, recording) | corrected_times_fact(events.corrected_ms)

    version = _option_text(options, "rawvf_version").lower().removeprefix("rev") or "6"
    replay = Replay(NAME, version[:8], recording, LazyFacts(facts), events.board_changes, kept)
    if course is not None:
        vars(replay)["course"] = course  # not to be played again
    return replay


def _course_unless_too_long(recording: Recording) -> PlayedRecording | None:
    """Return the game that results from a recording; None if that takes too long."""
    try:
        # Whoever needs the game computes it again with a higher limit.
        return play_recording(recording, MOST_WORK // 4)
    except WorkError:
        return None


def _parse_options(head: bytes) -> dict[str, bytes]:
    options: dict[str, bytes] = {}
    for name, said in _OPTION.findall(head):
        options.setdefault(name.decode("ascii").lower(), said)
    return options


def _option_text(options: Mapping[str, bytes], name: str) -> str:
    return decode_guessing(options.get(name, b"").strip())[0]


def _is_option_on(options: Mapping[str, bytes], name: str) -> bool:
    return _option_text(options, name).lower() == "on"


def _option_number(options: Mapping[str, bytes], name: str) -> int:
    """Return a number of a description, 0 if there is none."""
    said = options.get(name, b"").strip()
    return int(said) if said.isdigit() and len(said) < 6 else 0


def _parse_sizes(reader: BigEndianReader, options: Mapping[str, bytes]) -> dict[str, int]:
    """Return those of the numbers in `_BOUNDS` that a description states."""
    sizes = {}
    for name, (least, most) in _BOUNDS.items():
        said = options.get(name, b"").strip()
        if not said:
            continue
        sizes[name] = int(said) if said.isdigit() and len(said) < 10 else -1
        if not least <= sizes[name] <= most:
            flaw = Flaw(
                "{name} is {said}, not a number from {least} to {most}",
                name=name, said=repr(decode_guessing(said[:20])[0]), least=least, most=most,
            )  # fmt: skip
            raise reader.error(flaw, at=_option_offset(reader.data, name))
    return sizes


def _option_offset(data: bytes, name: str) -> int:
    """Return the offset of the value of an option in a description."""
    found = (each for each in _OPTION.finditer(data) if each[1].lower() == name.encode())
    return next(found).start(2)


def _read_mine_map(
    reader: BigEndianReader, sizes: Mapping[str, int], start: int
) -> tuple[NDArray[np.bool_], int]:
    """Return the mine map and the offset of the events."""
    data = reader.data
    end, begin = _end_of_board(reader, start)
    rows = data[start:end].split()
    width, height = len(rows[0]) if rows else 0, len(rows)
    named = (sizes.get("width", width), sizes.get("height", height))
    if not rows or (width, height) != named or any(len(row) != width for row in rows):
        flaw = Flaw("the board is not {width}x{height}", width=named[0], height=named[1])
        raise reader.error(flaw, at=start)
    if max(width, height) > _LARGEST:
        raise reader.error(Flaw("the board is too large"), at=start)
    cells = np.frombuffer(b"".join(rows), np.uint8).reshape(height, width)
    mine_map = cells == ord("*")
    other = ~mine_map & ((cells < ord("0")) | (cells > ord("8")))
    if other.any():
        said = chr(int(cells.flat[int(other.argmax())]))
        raise reader.error(Flaw("{letter!r} is not a cell", letter=said), at=start)
    reader.check_playable_board(height, width, int(np.count_nonzero(mine_map)), at=start)
    return mine_map, begin


def _end_of_board(reader: BigEndianReader, start: int) -> tuple[int, int]:
    """Return the offset of the end of the rows, and that of the events."""
    events = _EVENTS.search(reader.data, start)
    if events is not None:
        return events.start(), events.end()
    # FreeSweeper writes no line between the rows and the events.
    rows = _ROWS.match(reader.data, start)
    end = start if rows is None else rows.end()
    if _IS_EVENT.match(reader.data, end) is None:
        raise reader.error(Flaw("there are no events"), at=len(reader.data))
    return end, end


def _facts(options: Mapping[str, bytes], recording: Recording) -> dict[str, Fact]:
    level = _option_text(options, "level").lower()
    mode = _option_text(options, "mode").lower()
    facts: dict[str, Fact] = {
        "format": f"{NAME} {_option_text(options, 'rawvf_version') or 6}",
        "level": level if level in LEVELS else level_name(recording.mine_map),
        "mode": _MODES.get(mode, mode or MODES[0]),
        "marks": recording.questions,
        "cell_px": recording.cell,
    }
    for name in ("program", "version", "checksum"):
        if _option_text(options, name):
            facts[name] = _option_text(options, name)
    for name, line in _TEXTS.items():
        # Not stripped, since a name may end in spaces.
        if options.get(line.lower()):
            facts |= text_facts(name, options[line.lower()])
    if _option_number(options, "bbbv"):
        facts["claimed_bv"] = _option_number(options, "bbbv")
    solved, time = (options.get(name, b"").strip() for name in ("solved3bv", "time"))
    if re.fullmatch(rb"\d{1,7}", solved):
        facts["claimed_bv_solved"] = int(solved)
    if re.fullmatch(rb"\d{1,7}\.\d{3}", time):
        facts["claimed_ms"] = int(time.replace(b".", b""))
    if "status" in options:
        facts["claimed_won"] = _option_text(options, "status").lower() == "won"
    if _option_text(options, "style").upper() in {"NF", "FL"}:
        facts["no_flag"] = _option_text(options, "style").upper() == "NF"
    moment = _iso_time(_option_text(options, "timestamp"))
    if moment:
        facts["started"] = moment
    return facts


def _iso_time(said: str) -> str:
    """Return an ISO date and time from a time stamp, which is one or seconds since 1970."""
    try:
        if said.isascii() and said.isdigit():
            return datetime.fromtimestamp(int(said[:12]), UTC).isoformat()
        return datetime.fromisoformat(said).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def write(replay: Replay) -> bytes:
    """Return a replay as a file: unchanged if it was read from RawVF, else as revision 6.1."""
    if has_original(replay, NAME):
        return replay.original_parts["head"] + replay.original_parts["events"]
    recording = reduce_to_mouse.as_three_button_recording(replay)
    _check_fits(recording)
    course = play_recording(recording)
    cells = np.where(recording.mine_map, ord("*"), ord("0")).astype(np.uint8)
    rows = [row.tobytes().decode("ascii") for row in cells]
    description, events = _description_lines(replay, recording), _event_lines(course)
    text = [*description, "Board:", *rows, "Events:", *events, ""]
    return "\n".join(text).encode("utf-8", "replace")


def _check_fits(recording: Recording) -> None:
    """Raise `ReplayError` for numbers that could be written but not read again."""
    if pointer_goes_beyond(recording, MOST):
        raise ReplayError("a RawVF file cannot hold a pointer so far from the board")
    if recording.t.size and int(recording.t[-1]) // 1000 > MOST:
        raise ReplayError("a RawVF file cannot hold so long a time")


def _description_lines(replay: Replay, recording: Recording) -> Iterator[str]:
    course, facts = replay.course, replay.facts
    height, width = recording.mine_map.shape
    bv = three_bv(recording.mine_map)
    yield f"RawVF_Version: {REVISION}"
    yield "Program: demine"
    yield f"Version: {__version__}"
    for name, said in _description_texts(facts).items():
        if said:
            yield f"{_TEXTS[name]}: {said}"
    if replay.format and "source" not in facts:
        yield f"Source: {as_single_line(f'{replay.format} {replay.version}')}"
    yield f"Level: {level_name(recording.mine_map).capitalize()}"
    yield f"Width: {width}"
    yield f"Height: {height}"
    yield f"Mines: {np.count_nonzero(recording.mine_map)}"
    yield f"Marks: {'On' if recording.questions else 'Off'}"
    yield f"SquareSize: {recording.cell}"
    yield f"Time: {_format_seconds(course.time_ms)}"
    yield f"BBBV: {bv}"
    if course.won and course.time_ms:
        yield f"BBBVS: {bv * 1000 / course.time_ms:.3f}"
    yield f"Status: {_status_word(course)}"
    if facts.get("started"):
        yield f"Timestamp: {as_single_line(str(facts['started']))}"
    mode = str(facts.get("mode", MODES[0]))
    yield f"Mode: {_MODE_WORDS.get(mode, as_single_line(mode))}"
    yield f"Style: {'FL' if (course.clicks == Click.FLAGGED).any() else 'NF'}"


def _description_texts(facts: Mapping[str, Fact]) -> dict[str, str]:
    """Return the texts as they are written: without leading spaces, which readers drop."""
    return {name: as_single_line(facts.get(name)).lstrip(" \t") for name in _TEXTS}


def _status_word(course: PlayedRecording) -> str:
    return "won" if course.won else "lost" if course.lost else "nonstandard"


def _format_seconds(ms: int) -> str:
    return f"{'-' if ms < 0 else ''}{abs(ms) // 1000}.{abs(ms) % 1000:03}"


def _event_lines(course: PlayedRecording) -> Iterator[str]:
    """Yield the lines of the events, with times from when the first cell opens."""
    found, cell = course.recording, course.recording.cell
    did: dict[int, list[str]] = {}
    for event, look, row, col in board_changes_of_clicks(course, 0):
        did.setdefault(event, []).append(f"{_WORDS[look]} {col + 1} {row + 1}")
    columns = ((found.t - course.start_ms), found.signal, found.x, found.y)
    events = zip(*(column.tolist() for column in columns), strict=True)
    for event, (t, signal, x, y) in enumerate(events):
        if event == course.start:
            yield f"{_format_seconds(t)} start"
        code = Signal(signal)
        clicked = (Signal.RC, Signal.RR) if code is Signal.PF else (code,)
        for each in clicked:
            name = each.name.lower()
            yield f"{_format_seconds(t)} {name} {x // cell + 1} {y // cell + 1} ({x} {y})"
        yield from did.get(event, ())
    # The tools that define the format fail if a time precedes this word.
    yield _status_word(course)


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what a file made from this replay does not hold: nothing if it was read from RawVF."""
    if has_original(replay, NAME):
        return ()
    lost = replay_losses(replay, reduce_to_mouse.losses(replay), _TEXTS)
    lost += text_losses(replay.facts, _description_texts(replay.facts))
    lost += recorded_changes_losses(replay)
    return tuple(lost)


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".rawvf",),
    holds=Replay,
    evidence=Evidence.MAGIC,
    recognises=recognises,
    read=read,
    write=write,
    losses=losses,
    program="tools, as text",
    versions="6 and 7",
    writes="revision 6.1",
)
