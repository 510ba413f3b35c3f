"""EVF, the replays of Metasweeper: versions 0 to 4 are read and rewritten, version 4 is written.

What the bytes mean is told in docs/formats.md. Not checked: the checksum, whose key is secret, the
claimed 3BV and time, and what follows the checksum. Texts that are no UTF-8 are read all the same.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.replay import mouse_events
from demine.replay.byte_reader import Reader
from demine.replay.errors import Flaw, Loss, ReplayError
from demine.replay.format import Evidence, WritableFormat, check_board_size
from demine.replay.formats.evf_events import read_records, read_rows, write_records, write_rows
from demine.replay.model import (
    MODES,
    Facts,
    Replay,
    author,
    changed_claims,
    level_of,
    lost_facts,
    mended,
)
from demine.replay.text_encoding import decode, lost_text
from demine.statistics.board import three_bv
from demine.statistics.course import Click
from demine.statistics.recording import Recording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from demine.logic.metadata import Fact

NAME: Final = "EVF"
NEWEST: Final = 4

_TEXT: Final = 1 << 16
_DONE, _OFFICIAL, _FAIR, _NO_FLAG, _MADE = 128, 64, 32, 16, 8
_MARKS: Final = 128
"""The specification calls this bit "question marks are off"; the program that writes the files and
the library that reads them both take it for "on"."""
_ROWS_END: Final = 33
_LARGEST: Final = 255
_FAR: Final = 32767
_HELD: Final = frozenset({
    "format", "player", "level", "mode", "started", "ended", "marks", "cell_px", "claimed_bv",
    "claimed_ms", "claimed_won", "no_flag",
})  # fmt: skip
"""The facts that a file made from another one holds, or that its events say."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Head(NamedTuple):
    """What stands before the events, its texts as bytes."""

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
    """Whether there are a version, cells that can be seen and a mode that there is."""
    if len(data) < 16 or data[0] > NEWEST:
        return False
    at = 6 if data[0] < 3 else 7
    mode = int.from_bytes(data[at + 1 : at + 3], "big")
    return data[at] > 0 and mode in MODES and 0 not in data[at - 4 : at - 2]


def read(data: bytes) -> Replay:
    """Return the game in an EVF file; raises `ReplayError`."""
    reader = Reader(NAME, data)
    head = _read_head(reader)
    begin = reader.at
    if head.version < NEWEST:
        events = read_rows(reader)
        reader.at = events.end
        if not reader.u8():
            reader.take(_ROWS_END - 1)
    else:
        events = read_records(reader, head.height, head.width)
        reader.at = events.end + 1
        reader.take(reader.u16())
    checksum = data[events.end : reader.at]
    recording = Recording(
        head.board, events.t, events.signal, events.x, events.y, head.cell,
        questions=bool(head.settings & _MARKS),
    )  # fmt: skip
    kept = {"head": data[:begin], "tail": data[events.end :]}
    if not events.plain:
        kept["events"] = data[begin : events.end]

    def facts() -> dict[str, Fact]:
        return _facts(head, checksum) | mended(events.mended)

    return Replay(NAME, str(head.version), recording, Facts(facts), events.board, kept)


def _read_head(reader: Reader) -> Head:
    version, summary = reader.u8(), reader.u8()
    if version > NEWEST:
        raise reader.error(Flaw("version {version} is not known", version=version), at=0)
    settings = reader.u8() if version > 2 else 0
    at = reader.at
    height, width, mines, cell = reader.u8(), reader.u8(), reader.u16(), reader.u8()
    reader.check_board(height, width, mines, at=at)
    if not cell:
        raise reader.error(Flaw("the cells have no size"), at=reader.at - 1)
    mode, bv = reader.u16(), reader.u16()
    texts: dict[str, bytes] = {}
    if version < NEWEST:
        ms = reader.u24()
        names = ["program", "player", "token", "identifier", "started", "ended", "country"]
        for name in names + ["device"] * (version >= 2):
            texts[name] = reader.until(b"\0", _TEXT)
    else:
        ms = reader.u32()
        texts["country"] = reader.take(2)
        texts["started"], texts["ended"] = reader.take(8), reader.take(8)
        made = ["transcoder", "source"] if summary & _MADE else []
        for name in ("program", *made, "player", "token", "identifier"):
            texts[name] = reader.until(b"\0", _TEXT)
        texts["device"] = reader.take(reader.u16())
    board = _read_board(reader, height, width, mines)
    if version == NEWEST:
        for _ in range(reader.u16()):
            reader.until(b"\0", _TEXT)
    return Head(
        version, summary, settings, height, width, mines, cell, mode, bv, ms, texts, board
    )  # fmt: skip


def _read_board(reader: Reader, height: int, width: int, mines: int) -> NDArray[np.bool_]:
    at = reader.at
    bits = np.frombuffer(reader.take(-(-height * width // 8)), np.uint8)
    board = np.unpackbits(bits, count=height * width).view(np.bool_).reshape(height, width)
    found = int(np.count_nonzero(board))
    if found != mines:
        flaw = Flaw("there are {found} mines instead of {mines}", found=found, mines=mines)
        raise reader.error(flaw, at=at)
    return board


def _facts(head: Head, ending: bytes) -> dict[str, Fact]:
    facts: dict[str, Fact] = {
        "format": f"{NAME} {head.version}",
        "level": level_of(head.board),
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
            moment = _moment(said, packed=head.version == NEWEST)
            if moment:
                facts[name] = moment
        elif said.strip(b"\0"):
            text, certain = decode(said.strip(b"\0"))
            facts[name] = text
            if name == "player" and not certain:
                facts["player_bytes"] = said.hex()
    checksum = ending[3:] if head.version == NEWEST else ending[1:]
    if checksum:
        facts["checksum"] = checksum.hex()
    return facts


def _moment(said: bytes, *, packed: bool) -> str:
    """Return microseconds since 1970 as a date and time."""
    with contextlib.suppress(ValueError, OverflowError):
        micros = int.from_bytes(said, "big") if packed else int(said[:32])
        if micros > 0:
            return (_EPOCH + timedelta(microseconds=micros)).isoformat()
    return ""


def write(replay: Replay) -> bytes:
    """Return a replay as a file: one that was EVF as it was, any other as version 4.

    Raises `ReplayError` for a board, cells or a length that the format cannot hold.
    """
    if replay.format == NAME and "head" in replay.kept:
        return replay.kept["head"] + _events(replay) + replay.kept["tail"]
    recording = mouse_events.cornered(mouse_events.by_mouse(replay))
    _check(recording)
    made = write_records(recording, None)
    return _head(replay, recording) + made + b"\0" + bytes(2)


def _events(replay: Replay) -> bytes:
    if "events" in replay.kept:
        return replay.kept["events"]
    if replay.version != str(NEWEST):
        return write_rows(replay.recording)
    return write_records(replay.recording, replay.board)


def _check(recording: Recording) -> None:
    height, width = recording.mine_map.shape
    largest = min(_LARGEST, _FAR // recording.cell)
    check_board_size(NAME, largest, width=width, height=height)
    if recording.t.size and int(recording.t[-1]) >> 32:
        raise ReplayError("an EVF file holds games up to 49 days")


def _head(replay: Replay, recording: Recording) -> bytes:
    """Return the head of a file that demine made: unofficial, and saying so."""
    course, facts = replay.course, replay.facts
    height, width = recording.mine_map.shape
    summary = _MADE
    summary |= _DONE if course.won else 0
    summary |= 0 if (course.clicks == Click.FLAGGED).any() else _NO_FLAG
    numbers = (
        (NEWEST, 1), (summary, 1), (_MARKS if recording.questions else 0, 1), (height, 1),
        (width, 1), (int(np.count_nonzero(recording.mine_map)), 2), (recording.cell, 1),
        (_mode(facts), 2), (three_bv(recording.mine_map) & 0xFFFF, 2),
        (course.time_ms & 0xFFFFFFFF, 4),
    )  # fmt: skip
    packed = b"".join(number.to_bytes(size, "big") for number, size in numbers)
    times = [_micros(facts.get(name)).to_bytes(8, "big") for name in ("started", "ended")]
    texts = [author(), author(), "utf-8", _text(facts.get("player")), "", ""]
    return b"".join((
        packed, _country(facts), *times,
        *(text.encode() + b"\0" for text in texts),
        bytes(2),
        np.packbits(recording.mine_map).tobytes(),
        bytes(2),
    ))  # fmt: skip


def _text(fact: Fact) -> str:
    return str(fact).replace("\0", "")[: _TEXT // 4] if isinstance(fact, str) else ""


def _mode(facts: Mapping[str, Fact]) -> int:
    said = facts.get("mode")
    return next((code for code, name in MODES.items() if name == said), 0)


def _country(facts: Mapping[str, Fact]) -> bytes:
    said = facts.get("country")
    code = said if isinstance(said, str) else ""
    plain = len(code) == 2 and code.isascii() and code.isupper()
    return code.encode() if plain else bytes(2)


def _micros(fact: Fact) -> int:
    """Return the microseconds since 1970 of a date and time; 0 if there is none."""
    try:
        moment = datetime.fromisoformat(str(fact))
    except ValueError:
        return 0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0, (moment - _EPOCH) // timedelta(microseconds=1))


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what a file made from this replay does not hold; nothing if it was EVF already."""
    if replay.format == NAME and "head" in replay.kept:
        return ()
    facts = replay.facts
    held = set(_HELD)
    if _country(facts).strip(b"\0"):
        held.add("country")
    lost = [*replay.lost, *mouse_events.losses(replay), *lost_facts(facts, held)]
    lost += changed_claims(replay)
    zoneless = [name for name in ("started", "ended") if _micros(facts.get(name))]
    if zoneless and "+" not in str(facts[zoneless[0]])[10:]:
        lost.append(Loss("that nobody knows the time zone of its date"))
    if replay.board is not None:
        lost.append(Loss("the board changes recorded in the file"))
    lost += lost_text(facts, {"player": _text(facts.get("player"))})
    lost += mouse_events.corner_losses(replay.recording)
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
