"""Formats that are read as they are described: nobody had a file of them."""

from __future__ import annotations

import pytest

from demine.replay import Replay, ReplayError, load
from demine.replay.format import WritableFormat
from demine.replay.formats import fsvf, umf_viennasweeper
from demine.replay.registry import built_in_formats, recognised_format
from demine.statistics.recording_type import Signal
from tests.replay.builders import CLICKS, Line, free
from tests.replay.others import VIENNA_BOARD, VIENNA_CLICKS, old_vienna, vienna_event


def lines(replay: Replay) -> list[Line]:
    found = replay.recording
    columns = (found.t, found.signal, found.x, found.y)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_they_are_read_and_not_written() -> None:
    unverified = [known for known in built_in_formats() if not known.verified]
    assert {known.name for known in unverified} == {"UMF", "FSVF"}
    assert not any(isinstance(known, WritableFormat) for known in unverified)


def test_a_game_of_free_sweeper() -> None:
    data = free()
    assert recognised_format(data) is fsvf.FORMAT
    replay = fsvf.read(data)
    assert lines(replay) == [
        (t + number % 10, signal, x, y) for number, (t, signal, x, y) in enumerate(CLICKS)
    ]
    assert dict(replay.facts) == {
        "format": "FSVF 10", "version": "R10", "program": "FreeSweeper R10", "player": "Ada ",
        "level": "custom", "mode": "standard", "marks": False, "cell_px": 16, "claimed_bv": 9,
        "claimed_ms": 2240, "started": "2021-12-07T22:32:04.990",
        "ended": "2021-12-07T22:33:19.648", "skin": "3.1",
    }  # fmt: skip
    assert load(data).facts == dict(replay.facts)


def test_a_game_that_was_eased_says_so() -> None:
    assert fsvf.read(b"\0\x0a\x08" + free()[3:]).facts["mode"] == "cheat"


def test_thousandths_that_step_back_are_mended() -> None:
    close = [(100, 1, 3, 3), (100, 2, 8, 40), (100, 3, 8, 40)]
    replay = fsvf.read(free([1, 7, 4], lines=[(0, 2, 8, 40), *close], checksum=b"@AGD" + bytes(17)))
    assert replay.recording.t.tolist() == [0, 101, 104, 104]
    assert replay.facts["mended_ms"] == 3


_FREE = free()
_LIST = _FREE.index(b"cs=") + 3


@pytest.mark.parametrize(
    ("data", "offset", "reason"),
    [
        (b"", 0, "this is not a FreeSweeper replay"),
        (b"\x34" + _FREE[1:], 0, "this is not a FreeSweeper replay"),
        (_FREE[:5], 5, "there is no level"),
        (_FREE[: _LIST - 1], _LIST - 1, "there are no thousandths"),
        (_FREE[: _LIST + 4], _LIST + 4, "the file ends"),
        (_FREE[: _LIST + 2] + b"\x0a" + _FREE[_LIST + 3 :], _LIST + 2, "no thousandths"),
    ],
    ids=lambda value: str(value)[-12:],
)
def test_damage_of_free_sweepers_files(data: bytes, offset: int, reason: str) -> None:
    with pytest.raises(ReplayError, match=reason) as caught:
        fsvf.read(data)
    assert (caught.value.format, caught.value.offset) == ("FSVF", offset)


def test_a_file_that_says_nothing_behind_its_thousandths() -> None:
    replay = fsvf.read(_FREE[: _LIST + len(CLICKS)])
    assert len(lines(replay)) == len(CLICKS)
    assert "player" not in replay.facts


def test_a_game_of_viennasweeper_before_rmv() -> None:
    events = vienna_event(*VIENNA_CLICKS[0], version=1) + VIENNA_BOARD[3:9]
    name = "王喆".encode("gb18030")
    data = old_vienna(people=[name], properties=bytes((0, 0, 1, 3)), events=events)
    assert recognised_format(data) is umf_viennasweeper.FORMAT
    replay = umf_viennasweeper.read(data)
    assert lines(replay) == [(0, Signal.PF, 56, 8), (0, 2, 9, 41), (0, 3, 9, 41)]
    assert dict(replay.facts) == {
        "format": "UMF 1", "program": "Vienna Minesweeper - Release 5.0", "player": "王喆",
        "player_bytes": name.hex(), "level": "custom", "mode": "upk", "marks": False,
        "no_flag": False, "cell_px": 16, "claimed_won": False,
        "started": "2024-08-10T18:06:28+00:00",
    }  # fmt: skip
    assert replay.recorded_changes is not None
    assert replay.recorded_changes.display.size == 2
    assert load(data).facts == dict(replay.facts)


def test_the_events_may_be_the_end_of_the_file() -> None:
    data = old_vienna()
    end = data.rindex(bytes((17, 0, 8, 0xC0)))
    assert lines(umf_viennasweeper.read(data[: end + 1])) == lines(umf_viennasweeper.read(data))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"*rmv" + old_vienna()[4:], "this is not a UMF file"),
        (b"*umf\0\2" + old_vienna()[6:], "version 2 is not known"),
        (old_vienna()[:40], "the file ends"),
        (old_vienna()[:-12], "the events do not end"),
    ],
    ids=lambda value: str(value)[-12:],
)
def test_damage_of_old_files_of_viennasweeper(data: bytes, reason: str) -> None:
    with pytest.raises(ReplayError, match=reason) as caught:
        umf_viennasweeper.read(data)
    assert caught.value.format == "UMF"
    assert 0 <= (caught.value.offset or 0) <= len(data)
