"""FSVF, the replays of FreeSweeper: read, but never tested with a real file.

The layout is the one that the public tools for RawVF read: like AVF, with a 0 before it, and a list
of thousandths of seconds after it. docs/formats.md describes the bytes. Not checked: the claimed
3BV and time.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.metadata import LazyFacts
from demine.replay import avf_fsvf_common, avf_timestamp
from demine.replay.big_endian_reader import BigEndianReader
from demine.replay.errors import Flaw
from demine.replay.format import Evidence, Format
from demine.replay.model import MODES, Replay, corrected_times_fact
from demine.replay.text_encoding import decode_guessing, player_facts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.metadata import Fact

NAME: Final = "FSVF"

_THOUSANDTHS: Final = b"cs="
"""The bytes before the list of thousandths."""
_CHEATS: Final = 0b11001
"""The bits of the third byte that mean a cheat was used."""
_TAIL: Final = re.compile(
    rb".{17}[^\r]*+\r"
    rb"(?:RealTime:[^\r]{0,40}\r)?"
    rb"(?:Skin: (?P<skin>[^\r]{0,200})\r)?"
    rb"(?P<player>[^\r<]{0,400})[^\r]{0,400}\r"
    rb"(?P<program>[^\r]{0,400})",
    re.DOTALL,
)


def recognises(data: bytes) -> bool:
    """Return whether it has the layout of AVF and begins with a 0."""
    return data.startswith(b"\0") and avf_fsvf_common.has_level_and_time_stamp(data)


def read(data: bytes) -> Replay:
    """Return the game in a file of FreeSweeper; raises `ReplayError`."""
    reader = BigEndianReader(NAME, data)
    if not data.startswith(b"\0"):
        raise reader.error(Flaw("this is not a FreeSweeper replay"))
    found = avf_fsvf_common.read_game(reader)
    recording = found.events.recording
    thousandths, end = _read_thousandths(reader, found.events.end, recording.t.size)
    begin = found.events.begin
    t, moved = reader.correct_backward_steps(
        recording.t + thousandths, lambda event: begin + 8 * event
    )

    def facts() -> dict[str, Fact]:
        said = {"format": f"{NAME} {data[1]}", **avf_fsvf_common.common_facts(data, found)}
        said |= avf_timestamp.time_stamp_facts(found.stamp[3], 0) | _tail_facts(
            _TAIL.match(data, end)
        )
        said |= corrected_times_fact(max(moved, found.events.corrected_ms))
        return said | {"version": f"R{data[1]}", "mode": MODES[2 if data[2] & _CHEATS else 0]}

    return Replay(NAME, str(data[1]), replace(recording, t=t), LazyFacts(facts))


def _read_thousandths(
    reader: BigEndianReader, start: int, count: int
) -> tuple[NDArray[np.int64], int]:
    """Return the thousandths of a second of each event, and the offset after them."""
    found = reader.data.find(_THOUSANDTHS, start)
    if found < 0:
        raise reader.error(Flaw("there are no thousandths of seconds"), at=len(reader.data))
    reader.at = found + len(_THOUSANDTHS)
    at = reader.at
    said = np.frombuffer(reader.take(count), np.uint8) & 0xF
    if (said > 9).any():
        flaw = Flaw("there are no thousandths of seconds")
        raise reader.error(flaw, at=at + int((said > 9).argmax()))
    return said.astype(np.int64), reader.at


def _tail_facts(tail: re.Match[bytes] | None) -> dict[str, Fact]:
    """Return the facts in the lines after the thousandths."""
    if tail is None:
        return {}
    facts: dict[str, Fact] = {"program": decode_guessing(tail["program"])[0]}
    if tail["skin"]:
        facts["skin"] = decode_guessing(tail["skin"])[0]
    return facts | player_facts(tail["player"])


FORMAT: Final = Format(
    name=NAME,
    extensions=(".fsvf",),
    holds=Replay,
    evidence=Evidence.STRUCTURE,
    recognises=recognises,
    read=read,
    program="FreeSweeper",
    verified=False,
)
