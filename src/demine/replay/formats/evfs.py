"""EVFS, the games of one session of Metasweeper: EVF files in a row, each with a name and a check.

    u8 0; u16 length of a check; then for each game: its file's name and a 0, u32 size, EVF, check

Not checked: the checks, whose key is secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.replay.big_endian_reader import BigEndianReader
from demine.replay.errors import Flaw, ReplayError, damaged_file_error
from demine.replay.format import Evidence, WritableFormat
from demine.replay.formats import evf
from demine.replay.model import Replay

if TYPE_CHECKING:
    from demine.replay.errors import Loss

NAME: Final = "EVFS"

_NAME: Final = 1 << 10
_HEAD: Final = 3
_LEAST: Final = 30
"""The least number of bytes of a game."""
_MOST: Final = 5_000
"""The most games of a session: one every five seconds for seven hours."""


def recognises(data: bytes) -> bool:
    """Return whether a game of the stated size follows the first name."""
    end = data.find(0, _HEAD, _HEAD + _NAME)
    if data[:1] != b"\0" or end < 0:
        return False
    size = int.from_bytes(data[end + 1 : end + 5], "big")
    begin = end + 5
    whole = begin + size + int.from_bytes(data[1:_HEAD], "big") <= len(data)
    return size >= _LEAST and whole and evf.recognises(data[begin : begin + _LEAST])


class _Entry(NamedTuple):
    """A game in the file: its name, the offsets of its EVF, and its check."""

    name: bytes
    begin: int
    end: int
    check: bytes


def read_all(data: bytes) -> tuple[Replay, ...]:
    """Return every game of a session, at least one; raises `ReplayError`."""
    return tuple(_read_entry(data, entry) for entry in _entries(data))


def _entries(data: bytes) -> Iterator[_Entry]:
    reader = BigEndianReader(NAME, data)
    if reader.u8():
        raise reader.error(Flaw("version {version} is not known", version=data[0]), at=0)
    length = reader.u16()
    for _ in range(_MOST):
        name = reader.until(b"\0", _NAME)
        size = reader.u32()
        begin = reader.at
        reader.take(size)
        yield _Entry(name, begin, begin + size, reader.take(length))
        if not reader.remaining:
            return
    raise reader.error(Flaw("a sitting has at most {most} games", most=_MOST))


def _read_entry(data: bytes, entry: _Entry) -> Replay:
    try:
        replay = evf.read(data[entry.begin : entry.end])
    except ReplayError as error:
        # The offset in this file, not in the EVF file within.
        raise damaged_file_error(
            NAME, entry.begin + (error.offset or 0), _flaw_of(error)
        ) from error
    own = {"name": entry.name, "check": entry.check}
    return replace(replay, original_parts={**replay.original_parts, **own})


def _flaw_of(error: ReplayError) -> Flaw:
    return error.reason if isinstance(error.reason, Flaw) else Flaw("{reason}", reason=error)


def read(data: bytes) -> Replay:
    """Return the only game of a session; raises `ReplayError`, also if there are several."""
    entries = list(_entries(data))
    if len(entries) > 1:
        raise ReplayError("it holds {count} games: load_all reads them all", count=len(entries))
    return _read_entry(data, entries[0])


def write_all(replays: Sequence[Replay]) -> bytes:
    """Return games as a file; checks are kept only if all games have one of the same length.

    Raises `ReplayError` for a game that no EVF file can hold, and for no or too many games.
    """
    if not replays:
        raise ReplayError("an EVFS file holds at least one game")
    if len(replays) > _MOST:
        raise ReplayError("a sitting has at most {most} games", most=_MOST)
    checks = [replay.original_parts.get("check", b"") for replay in replays]
    lengths = {len(check) for check in checks}
    length = lengths.pop() if len(lengths) == 1 else 0
    parts = [b"\0" + length.to_bytes(2, "big")]
    for number, (replay, check) in enumerate(zip(replays, checks, strict=True), start=1):
        game = evf.write(replay)
        name = replay.original_parts.get("name", f"demine-{number}".encode())
        parts += [name, b"\0", len(game).to_bytes(4, "big"), game, check[:length]]
    return b"".join(parts)


def write(replay: Replay) -> bytes:
    """Return one game as a file; raises `ReplayError`."""
    return write_all([replay])


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what a file made from this replay does not hold, as for EVF."""
    return evf.losses(replay)


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".evfs",),
    holds=Replay,
    evidence=Evidence.STRUCTURE,
    recognises=recognises,
    read=read,
    write=write,
    losses=losses,
    read_all=read_all,
    write_all=write_all,
    program="Metasweeper, the games of a sitting",
)
