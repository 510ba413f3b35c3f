"""RMV, the replays of Viennasweeper: versions 1 and 2 are read, version 2 is written.

docs/formats.md describes the bytes. Not checked: the checksum, whose key is secret, the stated
lengths of the file and of its events, the claimed 3BV and time, and the recorded board changes.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from struct import Struct
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.metadata import LazyFacts
from demine.replay import reduce_to_mouse
from demine.replay.big_endian_reader import BigEndianReader, outside_board_flaw
from demine.replay.errors import Flaw, Loss, ReplayError
from demine.replay.fact_dates import parse_utc_datetime
from demine.replay.format import Evidence, WritableFormat
from demine.replay.formats.rmv.events import WIN, EventList, read_events, write_events
from demine.replay.model import (
    LEVELS,
    MODES,
    Replay,
    corrected_times_fact,
    demine_with_version,
    has_original,
    level_name,
    pointer_goes_beyond,
    recorded_changes_losses,
    replay_losses,
)
from demine.replay.text_encoding import decode_guessing, text_facts
from demine.statistics.board_3bv import three_bv
from demine.statistics.play_recording import play_recording
from demine.statistics.played_recording import Click
from demine.statistics.recording_type import Recording, Signal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.statistics.played_recording import PlayedRecording

NAME: Final = "RMV"
NEWEST: Final = 2

_MAGIC: Final = b"*rmv"
_LENGTHS: Final = {1: Struct(">4x6H4xH"), 2: Struct(">6x6H4xH")}
"""The part before the sections."""
_CELL: Final = 16
_PEOPLE: Final = ("player", "nick", "country", "token")
_MARKS, _NO_FLAG, _MODE, _LEVEL, _UTF8 = range(5)
"""The indices of the properties; from the fifth on they are different in version 2."""
_BV, _SQUARE = slice(4, 6), 6
_BV_SAID: Final = re.compile(rb"#3BV:(\d{1,5})#")

_MODES: Final = 14
"""The number of modes in version 2."""
_FAR: Final = 32767
_LONGEST: Final = (1 << 24) - 1
_LINE: Final = 255


class Header(NamedTuple):
    """The part before the events, with texts as bytes."""

    version: int
    result: bytes
    program: bytes
    people: tuple[bytes, ...]
    created: int
    board: NDArray[np.bool_]
    flags: tuple[tuple[int, int], ...]
    """The flags set before the first cell was opened: row, column."""
    properties: bytes
    extensions: Mapping[bytes, bytes]
    checksum_size: int

    def property_or_zero(self, index: int) -> int:
        """Return a property, or 0 if the file does not have it."""
        return self.properties[index] if index < len(self.properties) else 0

    @property
    def texts_are_utf8(self) -> bool:
        """Whether the file states that its texts are UTF-8."""
        return self.version == NEWEST or self.property_or_zero(_UTF8) == 1

    @property
    def cell_px(self) -> int:
        """The size of a cell in pixels."""
        known = self.version == NEWEST and len(self.properties) > _SQUARE
        return self.properties[_SQUARE] if known else _CELL


def recognises(data: bytes) -> bool:
    """Return whether it begins as every RMV file does."""
    return data.startswith(_MAGIC)


def read(data: bytes) -> Replay:
    """Return the game in an RMV file; raises `ReplayError`."""
    reader = BigEndianReader(NAME, data)
    return read_game(reader, _read_header(reader))


def read_game(reader: BigEndianReader, head: Header) -> Replay:
    """Read the events that follow a header; the replay gets the name of the reader's format."""
    data, shape = reader.data, (head.board.shape[0], head.board.shape[1])
    events = read_events(reader, head.version, shape, head.flags, head.cell_px)
    recording = Recording(
        head.board, events.t, events.signal, events.x, events.y, head.cell_px,
        questions=head.property_or_zero(_MARKS) == 1,
    )  # fmt: skip

    def facts() -> dict[str, Fact]:
        said = {"format": f"{reader.format} {head.version}"}
        return (
            said
            | _facts(head, events, data[events.end :])
            | corrected_times_fact(events.corrected_ms)
        )

    kept = {"file": data}
    return Replay(
        reader.format, str(head.version), recording, LazyFacts(facts), events.board_changes, kept
    )


def _read_header(reader: BigEndianReader) -> Header:
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise reader.error(Flaw("this is not an RMV file"), at=0)
    version = reader.u16()
    if not 1 <= version <= NEWEST:
        raise reader.error(Flaw("version {version} is not known", version=version), at=4)
    lengths = _LENGTHS[version]
    *sizes, checksum_size = lengths.unpack(reader.take(lengths.size))
    result_size = sizes.pop(0) if version == 1 else 0
    return read_header_sections(reader, version, (result_size, *sizes, checksum_size))


def read_header_sections(reader: BigEndianReader, version: int, lengths: Sequence[int]) -> Header:
    """Read the sections before the events, whose lengths in bytes are given.

    `lengths` are those of the result, the program, the people, the board, the flags, the
    properties, in version 2 the extensions, and the checksum.
    """
    result_size, *sizes = lengths
    result, program = reader.take(result_size), reader.take(sizes[0])
    people = _read_people(reader, sizes[1])
    made, board = _read_creation_and_mine_map(reader, sizes[2])
    flags = _read_standing_flags(reader, sizes[3], board)
    properties = reader.take(sizes[4])
    extensions = _read_extensions(reader, sizes[5]) if version == NEWEST else {}
    head = Header(
        version, result, program, people, made, board, flags, properties, extensions, lengths[-1]
    )
    _check_header(reader, head)
    return head


def _check_header(reader: BigEndianReader, head: Header) -> None:
    if not head.cell_px:
        raise reader.error(Flaw("the cells have no size"))
    if head.texts_are_utf8:
        for said in (head.result, head.program, *head.people, *head.extensions):
            if said.isascii():
                continue
            try:
                said.decode("utf-8")
            except UnicodeDecodeError:
                at = reader.data.find(said)
                raise reader.error(Flaw("a text is not UTF-8"), at=at) from None


def _read_people(reader: BigEndianReader, size: int) -> tuple[bytes, ...]:
    end = reader.at + size
    people = [reader.u8_length_prefixed() for _ in range(reader.u16())]
    _skip_to_section_end(reader, end)
    return tuple(people)


def _read_creation_and_mine_map(
    reader: BigEndianReader, size: int
) -> tuple[int, NDArray[np.bool_]]:
    end = reader.at + size
    made, board = reader.u32(), reader.read_size_with_mine_list()
    _skip_to_section_end(reader, end)
    return made, board


def _read_standing_flags(
    reader: BigEndianReader, size: int, board: NDArray[np.bool_]
) -> tuple[tuple[int, int], ...]:
    if not size:
        return ()
    end = reader.at + size
    height, width = board.shape
    flags = []
    for _ in range(reader.u16()):
        at = reader.at
        col, row = reader.u8(), reader.u8()
        if col >= width or row >= height:
            raise reader.error(outside_board_flaw(row, col, height, width), at=at)
        flags.append((row, col))
    _skip_to_section_end(reader, end)
    return tuple(flags)


def _read_extensions(reader: BigEndianReader, size: int) -> dict[bytes, bytes]:
    end = reader.at + size
    extensions = {}
    for _ in range(reader.u16()):
        name = reader.u8_length_prefixed()
        extensions[name] = reader.u8_length_prefixed()
    _skip_to_section_end(reader, end)
    return extensions


def _skip_to_section_end(reader: BigEndianReader, end: int) -> None:
    """Skip the unknown rest of a section."""
    if reader.at > end:
        raise reader.error(Flaw("a section is longer than the file says"), at=end)
    if reader.at < end:
        reader.take(end - reader.at)


def _facts(head: Header, events: EventList, tail: bytes) -> dict[str, Fact]:
    level = head.property_or_zero(_LEVEL)
    mode = head.property_or_zero(_MODE)
    facts: dict[str, Fact] = {
        "program": decode_guessing(head.program.partition(b" Copyright")[0])[0],
        "level": LEVELS[level] if level < len(LEVELS) else level_name(head.board),
        "mode": MODES.get(mode, str(mode)),
        "marks": head.property_or_zero(_MARKS) == 1,
        "no_flag": head.property_or_zero(_NO_FLAG) == 1,
        "cell_px": head.cell_px,
        "claimed_ms": events.game_ms,
        "claimed_won": events.ending == WIN,
    }
    bv = (
        int.from_bytes(head.properties[_BV], "little")
        if head.version == NEWEST
        else _bv_from_result(head)
    )
    if bv:
        facts["claimed_bv"] = bv
    if head.created:
        facts["started"] = datetime.fromtimestamp(head.created, UTC).isoformat()
    for name, said in zip(_PEOPLE, head.people, strict=False):
        if said:
            facts |= text_facts(name, said, try_utf8_first=head.texts_are_utf8)
    for key, name in ((b"vsweep_skin_fname", "skin"), (b"demine_source", "source")):
        if key in head.extensions:
            facts[name] = decode_guessing(head.extensions[key])[0]
    checksum = tail[len(tail) - head.checksum_size :] if head.checksum_size else b""
    if checksum:
        facts["checksum"] = checksum.hex()
    return facts


def _bv_from_result(head: Header) -> int:
    said = _BV_SAID.search(head.result)
    return int(said[1]) if said else 0


def write(replay: Replay) -> bytes:
    """Return a replay as a file: unchanged if it was read from RMV, else as version 2.

    Raises `ReplayError` for a board, cells or a length that the format cannot hold.
    """
    if has_original(replay, NAME):
        return replay.original_parts["file"]
    recording = reduce_to_mouse.as_three_button_recording(replay)
    course = play_recording(recording)
    _check_fits(recording, course)
    start = course.start if course.start >= 0 else recording.t.size
    events = write_events(course, recording, start)
    return _encode_header(replay, recording, _standing_flags(course), len(events)) + events


def _standing_flags(course: PlayedRecording) -> list[int]:
    """Return the cells that were flagged when the first cell opened."""
    flags: dict[int, None] = {}
    rows = zip(course.clicks.tolist(), course.cells.tolist(), course.events.tolist(), strict=True)
    for code, cell, event in rows:
        if 0 <= course.start <= event:
            break
        if code == Click.FLAGGED:
            flags[cell] = None
        elif code in {Click.UNFLAGGED, Click.DOUBTED}:
            flags.pop(cell, None)
    return list(flags)


def _check_fits(recording: Recording, course: PlayedRecording) -> None:
    height, width = recording.mine_map.shape
    if max(height, width, recording.cell) > _LINE:
        raise ReplayError(
            "an RMV file holds boards and cells up to {most}, not {width}x{height} of {cell}",
            most=_LINE,
            width=width,
            height=height,
            cell=recording.cell,
        )
    if pointer_goes_beyond(recording, _FAR):
        raise ReplayError("an RMV file holds no pointer so far away")
    if course.recording.t.size and int(recording.t[-1]) - course.start_ms > _LONGEST:
        raise ReplayError("an RMV file holds games up to 4 hours and 39 minutes")


def _encode_header(replay: Replay, recording: Recording, flags: list[int], size: int) -> bytes:
    """Return the head of a new file, which names demine as an extension."""
    width = recording.mine_map.shape[1]
    mines = np.argwhere(recording.mine_map)
    board = bytes((width, recording.mine_map.shape[0]))
    board += len(mines).to_bytes(2, "big") + mines[:, ::-1].astype(np.uint8).tobytes()
    said = replay.facts
    people = [_text_of_255_bytes(said.get(name)) for name in _PEOPLE]
    extensions = {"clone_name": "demine"}
    if replay.format:
        extensions["demine_source"] = f"{replay.format} {replay.version}".strip()
    sections = (
        demine_with_version().encode(),
        _with_count([_length_prefixed(text) for text in people]),
        _seconds_since_1970(said.get("started")).to_bytes(4, "big") + board,
        _with_count([bytes((flag % width, flag // width)) for flag in flags]),
        _encode_properties(replay, recording),
        _with_count([b"".join(map(_length_prefixed, pair)) for pair in extensions.items()]),
    )
    sizes = b"".join(len(section).to_bytes(2, "big") for section in sections)
    body = sizes + size.to_bytes(4, "big") + bytes(2) + b"".join(sections)
    whole = len(_MAGIC) + 2 + 2 + 4 + len(body) + size
    return _MAGIC + bytes((0, NEWEST, 0, 0)) + whole.to_bytes(4, "big") + body


def _encode_properties(replay: Replay, recording: Recording) -> bytes:
    flagged = bool((replay.course.clicks == Click.FLAGGED).any())
    bv = three_bv(recording.mine_map)
    level = LEVELS.index(level_name(recording.mine_map))
    mode = _mode_number(replay.facts.get("mode")) or 0
    low, high = bv & 0xFF, bv >> 8 & 0xFF
    return bytes((recording.questions, not flagged, mode, level, low, high, recording.cell))


def _mode_number(said: Fact) -> int | None:
    """Return the number of a mode; None if the format does not have it."""
    return next((code for code, name in MODES.items() if name == said and code < _MODES), None)


def _with_count(parts: list[bytes]) -> bytes:
    return len(parts).to_bytes(2, "big") + b"".join(parts)


def _length_prefixed(text: str) -> bytes:
    data = text.encode()
    return bytes((len(data),)) + data


def _text_of_255_bytes(fact: Fact) -> str:
    """Return a text fact cut to 255 bytes of UTF-8."""
    text = fact if isinstance(fact, str) else ""
    return text.encode("utf-8", "replace")[:_LINE].decode("utf-8", "ignore")


def _seconds_since_1970(fact: Fact) -> int:
    """Return a date and time as seconds since 1970; 0 if the fact is none."""
    moment = parse_utc_datetime(fact)
    return 0 if moment is None else min(max(0, int(moment.timestamp())), (1 << 32) - 1)


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what a file made from this replay does not hold: nothing if it was read from RMV."""
    if has_original(replay, NAME):
        return ()
    facts = replay.facts
    lost = replay_losses(replay, reduce_to_mouse.losses(replay), {"source", *_PEOPLE})
    if any(_text_of_255_bytes(facts.get(name)) != (facts.get(name) or "") for name in _PEOPLE):
        lost.append(Loss("the ends of long names"))
    if facts.get("mode") and _mode_number(facts["mode"]) is None:
        lost.append(Loss("the mode of the game"))
    started = str(facts.get("started", ""))
    if _seconds_since_1970(started):
        if "." in started:
            lost.append(Loss("fractions of a second in its starting time"))
        if "+" not in started[10:]:
            lost.append(Loss("that the time zone of its date is unknown"))
    lost += recorded_changes_losses(replay)
    if _loses_its_start(replay.recording, replay.course):
        lost.append(Loss("what the hand did before the first cell opened, except flags"))
    return tuple(lost)


def _loses_its_start(recording: Recording, course: PlayedRecording) -> bool:
    """Return whether more than standing flags was recorded before the first cell opened."""
    start = course.start if course.start >= 0 else recording.t.size
    if (recording.signal[:start] == Signal.MV).any():
        return True
    return int(np.count_nonzero(course.events < start)) > len(_standing_flags(course))


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".rmv",),
    holds=Replay,
    evidence=Evidence.MAGIC,
    recognises=recognises,
    read=read,
    write=write,
    losses=losses,
    program="Viennasweeper",
    versions="1 and 2",
    writes="version 2",
    largest=_LINE,
)
