"""UMF, the replays of Viennasweeper before RMV: read, but never tested with a real file.

The layout is the one that the public tools for RawVF read: version 1 of RMV without the result and
its length. docs/formats.md describes the bytes. Not checked: what is not checked in RMV files.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Final

from demine.logic.metadata import LazyFacts
from demine.replay.big_endian_reader import BigEndianReader
from demine.replay.errors import Flaw, ReplayError
from demine.replay.format import Evidence, Format
from demine.replay.formats import rmv
from demine.replay.model import Replay

if TYPE_CHECKING:
    from demine.logic.metadata import Fact

NAME: Final = "UMF"

_MAGIC: Final = b"*umf"
_LENGTHS: Final = Struct(">4x5H4x2x")
"""The part before the sections."""
_NO_TIME: Final = bytes(3)
"""According to the tools no time follows the end of the events, unlike in RMV."""


def recognises(data: bytes) -> bool:
    """Return whether it begins as every UMF file does."""
    return data.startswith(_MAGIC)


def read(data: bytes) -> Replay:
    """Return the game in a UMF file; raises `ReplayError`."""
    try:
        return _read(data)
    except ReplayError as error:
        if error.offset != len(data):
            raise
        try:
            return _read(data + _NO_TIME)
        except ReplayError:
            raise error from None


def _read(data: bytes) -> Replay:
    reader = BigEndianReader(NAME, data)
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise reader.error(Flaw("this is not a UMF file"), at=0)
    version = reader.u16()
    if version != 1:
        raise reader.error(Flaw("version {version} is not known", version=version), at=4)
    sizes = _LENGTHS.unpack(reader.take(_LENGTHS.size))
    found = rmv.read_game(reader, rmv.read_header_sections(reader, 1, (0, *sizes, 0)))

    def facts() -> dict[str, Fact]:
        return {name: fact for name, fact in found.facts.items() if name != "claimed_ms"}

    return Replay(NAME, found.version, found.recording, LazyFacts(facts), found.recorded_changes)


FORMAT: Final = Format(
    name=NAME,
    extensions=(".umf",),
    holds=Replay,
    evidence=Evidence.MAGIC,
    recognises=recognises,
    read=read,
    program="Viennasweeper before RMV",
    verified=False,
)
