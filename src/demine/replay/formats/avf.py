"""AVF, the replays of Minesweeper Arbiter: read and written.

docs/formats.md describes the bytes. Not checked: the board's sum, the checksum, the claimed 3BV and
time. There are bytes of unknown meaning between the mines and the time stamp, and after the events;
they are kept, and files that demine creates have none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.metadata import LazyFacts
from demine.logic.neighbours import count_around
from demine.replay import avf_timestamp, reduce_to_centiseconds, reduce_to_mouse
from demine.replay.avf_fsvf_common import (
    CUSTOM_LEVEL,
    END_OF_EVENTS,
    FIRST_CLICK_LEFT_OF,
    LEVEL_BOARDS,
    AvfGame,
    common_facts,
    has_level_and_time_stamp,
    mines_offset,
    read_game,
    write_events,
)
from demine.replay.big_endian_reader import BigEndianReader
from demine.replay.errors import Flaw, Loss, ReplayError
from demine.replay.format import Evidence, WritableFormat, check_board_size
from demine.replay.model import (
    MODES,
    Replay,
    demine_with_version,
    has_original,
    recorded_changes_losses,
    replay_losses,
)
from demine.replay.text_encoding import (
    as_single_line,
    decode_guessing,
    player_facts,
    player_name_bytes,
    text_losses,
)
from demine.statistics.board_3bv import three_bv
from demine.statistics.play_recording import play_recording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from demine.logic.metadata import Fact
    from demine.statistics.recording_type import Recording

NAME: Final = "AVF"
VERSION: Final = 52
"""New files are written as by version 0.52."""

_TAIL: Final = re.compile(
    rb"cs=(?P<checksum>.{16})\r"
    rb"(?:RealTime: (?P<seconds>\d{1,9}(?:[.,]\d{1,3})?)\r)?"
    rb"(?:Skin: (?P<skin>[^\r]{0,200})\r)?"
    rb"(?P<player>[^\r]{0,400})\r"
    rb"(?P<program>[^\r]{0,400})",
    re.DOTALL,
)
_COUNTRIES: Final = {
    8: "CN", 10: "GB", 12: "FR", 13: "DE", 23: "KR", 29: "PL", 31: "RU", 41: "US", 69: "JP",
}  # fmt: skip
"""The known numbers of countries in Arbiter's list, with their two-letter codes."""
_COUNTRY_NUMBERS: Final = {code: number for number, code in _COUNTRIES.items()}
_AFTER_SUM: Final = 4
"""The number of bytes between the board's sum and the country."""
_DIGIT: Final = 45
"""Digits are stored as their ASCII codes less this."""
_NO_DIGITS: Final = bytes(5)
"""The digits of unknown meaning before the events."""
_LONGEST_NAME, _LONGEST_SKIN = 400, 200
_LARGEST: Final = 255
_LONGEST: Final = 65_534_000
"""Milliseconds."""
_KEPT_FACTS: Final = frozenset({"player", "player_bytes", "ended", "high_score", "skin"})
"""The facts that a file made from another format keeps, besides those of every replay format."""


def recognises(data: bytes) -> bool:
    """Return whether there are a version, a level and, in its place, a time stamp."""
    return bool(data[:1].strip(b"\0")) and has_level_and_time_stamp(data)


def read(data: bytes) -> Replay:
    """Return the game in a file of Arbiter; raises `ReplayError`."""
    reader = BigEndianReader(NAME, data)
    if data[5:6] and not data[0]:
        raise reader.error(Flaw("this is a FreeSweeper replay, not AVF"))
    found = read_game(reader)
    events = found.events
    kept = {
        "head": data[: mines_offset(data)],
        "mines": data[mines_offset(data) : found.mines_end],
        "stamp": data[found.mines_end : events.begin],
        "tail": data[events.end :],
    }
    if not events.is_canonical:
        kept["events"] = data[events.begin : events.end]

    def facts() -> dict[str, Fact]:
        return _facts(data, found)

    return Replay(NAME, str(data[0]), events.recording, LazyFacts(facts), original_parts=kept)


def _facts(data: bytes, found: AvfGame) -> dict[str, Fact]:
    facts: dict[str, Fact] = {"format": f"{NAME} {data[0]}", **common_facts(data, found)}
    # Arbiter's clock starts at one second.
    facts |= avf_timestamp.time_stamp_facts(found.stamp[3], 1000)
    _add_tail_facts(facts, _TAIL.search(data, found.events.end))
    _add_country(facts, data, found.events.recording.mine_map)
    return facts


def _add_tail_facts(facts: dict[str, Fact], tail: re.Match[bytes] | None) -> None:
    if tail is None:
        return
    if tail["checksum"].strip(b"\0"):
        facts["checksum"] = tail["checksum"].hex()
    if tail["seconds"]:
        # The stamp's time is sometimes wrong, while this one has always been right.
        facts["claimed_ms"] = avf_timestamp.seconds_to_ms(tail["seconds"])
    if tail["skin"]:
        facts["skin"] = decode_guessing(tail["skin"])[0]
    facts |= player_facts(tail["player"])
    facts["program"] = decode_guessing(tail["program"].partition(b". Copyright")[0])[0]


def _add_country(facts: dict[str, Fact], data: bytes, mine_map: NDArray[np.bool_]) -> None:
    """Add the country, which follows the digits of the board's sum and four more bytes."""
    digits = _board_sum_digits(mine_map)
    after_mines = mines_offset(data) + 2 * int(np.count_nonzero(mine_map))
    at = after_mines + len(digits) + _AFTER_SUM
    if data.startswith(digits, after_mines) and at < len(data) and data[at] in _COUNTRIES:
        facts["country"] = _COUNTRIES[data[at]]


def _board_sum_digits(mine_map: NDArray[np.bool_]) -> bytes:
    """Return the digits of the board's sum as they are stored."""
    height, width = mine_map.shape
    weights = (1 + np.arange(height))[:, None] * np.arange(width)
    total = int((np.where(mine_map, 10, count_around(mine_map) + 1) * weights).sum())
    return bytes(ord(digit) - _DIGIT for digit in str(total))


def write(replay: Replay) -> bytes:
    """Return a replay as a file: unchanged if it was read from AVF, else as version 0.52.

    Raises `ReplayError` for a board, a length or a first click that the format cannot hold.
    """
    if has_original(replay, NAME):
        kept = replay.original_parts
        events = kept["events"] if "events" in kept else write_events(replay.recording)
        return kept["head"] + kept["mines"] + kept["stamp"] + events + kept["tail"]
    recording = reduce_to_mouse.outside_points_at_corner(
        reduce_to_centiseconds.as_centisecond_recording(replay, NAME)
    )
    _check_fits(recording)
    ms = play_recording(recording).time_ms
    head, tail = _encode_head(replay.facts, recording, ms), _encode_tail(replay.facts, ms)
    return head + write_events(recording) + END_OF_EVENTS + tail


def _check_fits(recording: Recording) -> None:
    height, width = recording.mine_map.shape
    check_board_size(NAME, _LARGEST, width=width, height=height)
    if recording.t[-1] > _LONGEST:
        raise ReplayError("an AVF file holds games up to 18 hours and 12 minutes")
    if recording.x[0] >= FIRST_CLICK_LEFT_OF:
        raise ReplayError(
            "an AVF file holds no game whose first click is right of column {most}",
            most=FIRST_CLICK_LEFT_OF // recording.cell,
        )


def _encode_head(facts: Mapping[str, Fact], recording: Recording, ms: int) -> bytes:
    """Return the part before the events, with 0 for bytes of unknown meaning."""
    board = recording.mine_map
    mines = np.argwhere(board)
    (height, width), count = board.shape, len(mines)
    levels = {size: level for level, size in LEVEL_BOARDS.items()}
    level = levels.get((height, width, count), CUSTOM_LEVEL)
    head, fields = bytes((VERSION, 0, 0, 0, 0, level)), str(level - 3)
    if level == CUSTOM_LEVEL:
        head += bytes((width - 1, height - 1)) + count.to_bytes(2, "big")
        fields += f"|W{width}H{height}M{count}"
    head += (mines + 1).astype(np.uint8).tobytes() + _board_sum_digits(board) + bytes(_AFTER_SUM)
    country = _COUNTRY_NUMBERS.get(str(facts.get("country")), 0)
    marks = avf_timestamp.MARKS if recording.questions else avf_timestamp.NO_MARKS
    stamp = avf_timestamp.format_time_stamp(facts, fields, ms, three_bv(board))
    return head + bytes((country, marks, 0)) + stamp.encode("ascii") + _NO_DIGITS


def _encode_tail(facts: Mapping[str, Fact], ms: int) -> bytes:
    """Return the part after the events, with zeros as its checksum."""
    skin, name = _skin_and_player_bytes(facts)
    time = b"RealTime: %d.%02d" % (ms // 1000, ms % 1000 // 10)
    return b"\r".join(
        (b"", b"cs=" + bytes(16), time, b"Skin: " + skin, name, demine_with_version().encode())
    )


def _skin_and_player_bytes(facts: Mapping[str, Fact]) -> tuple[bytes, bytes]:
    """Return the skin and the player's name as they are written to a file."""
    skin = as_single_line(facts.get("skin")).encode("utf-8", "replace")
    name = player_name_bytes(facts).replace(b"\r", b" ")
    return skin[:_LONGEST_SKIN], name[:_LONGEST_NAME]


def losses(replay: Replay) -> tuple[Loss, ...]:
    """Return what a file made from this replay does not hold: nothing if it was read from AVF."""
    if has_original(replay, NAME):
        return ()
    facts = replay.facts
    held = {*_KEPT_FACTS, *({"country"} if facts.get("country") in _COUNTRY_NUMBERS else ())}
    lost = replay_losses(replay, reduce_to_centiseconds.losses(replay), held)
    lost += [Loss("the mode of the game")] if facts.get("mode", MODES[0]) != MODES[0] else []
    lost += avf_timestamp.time_stamp_losses(facts)
    skin, name = _skin_and_player_bytes(facts)
    lost += text_losses(facts, {"player": name, "skin": skin})
    lost += reduce_to_mouse.outside_point_losses(
        reduce_to_centiseconds.as_centisecond_recording(replay, NAME)
    )
    lost += recorded_changes_losses(replay)
    return tuple(lost)


FORMAT: Final = WritableFormat(
    name=NAME,
    extensions=(".avf",),
    holds=Replay,
    evidence=Evidence.FIELDS,
    recognises=recognises,
    read=read,
    write=write,
    losses=losses,
    program="Minesweeper Arbiter",
    largest=_LARGEST,
)
