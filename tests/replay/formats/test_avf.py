"""Replays of Arbiter: every field, every oddity that real files have, and damage."""

from __future__ import annotations

import numpy as np
import pytest

from demine.replay import ReplayError, load
from demine.replay.formats import avf
from demine.replay.model import Replay
from demine.statistics.board_3bv import three_bv
from demine.statistics.recording_type import Signal
from tests import samples
from tests.replay.builders import CLICKS, Arbiter, arbiter_event, mines

_BEGINNER = np.zeros((8, 8), np.bool_)
_BEGINNER[0] = _BEGINNER[1, :2] = True


def lines(replay: Replay) -> list[tuple[int, int, int, int]]:
    recording = replay.recording
    columns = (recording.t, recording.signal, recording.x, recording.y)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_a_whole_file() -> None:
    data = Arbiter().data()
    assert avf.recognises(data)
    replay = avf.read(data)
    assert (replay.format, replay.version) == ("AVF", "52")
    assert np.array_equal(replay.recording.mine_map, mines())
    assert lines(replay) == list(CLICKS)
    assert dict(replay.facts) == {
        "format": "AVF 52",
        "level": "custom",
        "mode": "standard",
        "marks": False,
        "cell_px": 16,
        "claimed_bv": 9,
        "claimed_ms": 2500,
        "started": "2021-12-07T22:32:04.990",
        "ended": "2021-12-07T22:33:19.648",
        "checksum": bytes(range(16)).hex(),
        "skin": "3.1",
        "player": "Ada",
        "program": "Minesweeper Arbiter 0.52.3",
    }
    kept = replay.original_parts
    events = b"".join(arbiter_event(*line) for line in CLICKS)
    assert kept["head"] + data[10:18] + kept["stamp"] + events + kept["tail"] == data
    assert avf.write(replay) == data
    assert avf.losses(replay) == ()
    assert replay.game().facts == dict(replay.facts)


def test_levels_have_their_boards() -> None:
    stamp = b"[0|7.12.2021.22:32:04:083|7.22:33:19:6648|HS|B9T3,5]"
    replay = avf.read(Arbiter(_BEGINNER, level=3, stamp=stamp, real_time=b"").data())
    assert np.array_equal(replay.recording.mine_map, _BEGINNER)
    assert replay.facts["level"] == "beginner"
    assert replay.facts["started"] == "2021-12-07T22:32:04.083"
    assert replay.facts["high_score"] is True
    assert replay.facts["claimed_ms"] == 2500


def test_marks_are_switched_on() -> None:
    replay = avf.read(Arbiter(marks=17).data())
    assert replay.recording.questions
    assert replay.facts["marks"] is True


def test_a_bracket_before_the_stamp() -> None:
    replay = avf.read(Arbiter(stretch=b"\x05[[3|\x11").data())
    assert lines(replay) == list(CLICKS)


def test_a_wrong_time_in_the_stamp() -> None:
    stamp = b"[3|W4H5M4|7.12.2021.22:32:04:9990|7.22:33:19:6648B9T99.99]"
    facts = avf.read(Arbiter(stamp=stamp).data()).facts
    assert (facts["claimed_ms"], facts["claimed_bv"]) == (2500, 9)


@pytest.mark.parametrize(
    ("start", "end", "ended"),
    [
        (b"31.12.2021.23:59:59:0000", b"1.00:00:01:0000", "2022-01-01T00:00:01.000"),
        (b"28.2.2024.23:59:59:0000", b"29.00:00:01:0000", "2024-02-29T00:00:01.000"),
        (b"31.1.2023.23:59:59:0000", b"1.00:00:01:0000", "2023-02-01T00:00:01.000"),
        (b"31.1.2023.23:59:59:0000", b"30.00:00:01:0000", None),
        (b"40.1.2023.23:59:59:0000", b"1.00:00:01:0000", None),
    ],
)
def test_the_end_has_no_month(start: bytes, end: bytes, ended: str | None) -> None:
    stamp = b"[3|W4H5M4|" + start + b"|" + end + b"|B9T3.51]"
    assert avf.read(Arbiter(stamp=stamp).data()).facts.get("ended") == ended


@pytest.mark.parametrize(
    ("raw", "player"),
    [
        ("小雷".encode("gbk"), "小雷"),
        ("小雷".encode(), "小雷"),
        ("Jürgen Müller".encode("cp1252"), "Jürgen Müller"),
        (b"\x81\x8d\x81", "\x81\x8d\x81"),
    ],
)
def test_names_of_any_encoding(raw: bytes, player: str) -> None:
    facts = avf.read(Arbiter(player=raw).data()).facts
    assert facts["player"] == player
    assert facts.get("player_bytes", raw.hex()) == raw.hex()
    assert ("player_bytes" in facts) is (player.encode() != raw)


def test_the_country_stands_behind_the_boards_sum() -> None:
    # Sum over columns x and rows y of (number + 1, or 10) * (x + x * y), in digits less 45.
    board = mines(("*.", ".."))
    digits = bytes(ord(digit) - 45 for digit in "6")
    stretch = digits + b"\0\0\0\0" + bytes((69,)) + b"\x1e"
    stamp = b"[3|W2H2M1|7.12.2021.22:32:04:9990|7.22:33:19:6648|B3T3.51]"
    assert avf.read(Arbiter(board, stretch=stretch, stamp=stamp).data()).facts["country"] == "JP"
    other = avf.read(Arbiter(board, stretch=b"\1" + stretch[1:], stamp=stamp).data())
    assert "country" not in other.facts


def test_all_buttons_and_points_left_of_the_board() -> None:
    kinds = {
        1: Signal.MV, 3: Signal.LC, 5: Signal.LR, 21: Signal.LR, 9: Signal.RC, 17: Signal.RR,
        145: Signal.RR, 33: Signal.MC, 65: Signal.MR, 193: Signal.MR, 11: Signal.SC,
    }  # fmt: skip
    told = [(0, 1, 0, 0), *((256_000, -kind, -3, 300) for kind in kinds)]
    replay = avf.read(Arbiter(lines=told).data())
    assert lines(replay)[1:] == [(256_000, signal, -3, 300) for signal in kinds.values()]


def test_a_file_without_a_tail() -> None:
    data = Arbiter().data()
    replay = avf.read(data[: data.index(b"cs=")])
    assert lines(replay) == list(CLICKS)
    assert "player" not in replay.facts


_GOOD = Arbiter().data()
_FIRST = _GOOD.index(arbiter_event(*CLICKS[0]))


@pytest.mark.parametrize(
    ("data", "offset", "reason"),
    [
        (b"", 0, "there is no level"),
        (_GOOD[:5], 5, "there is no level"),
        (b"\0" + _GOOD[1:], 0, "this is a FreeSweeper replay, not AVF"),
        (_GOOD[:7], 7, "the file ends"),
        (_GOOD[:13], 13, "the file ends"),
        (_GOOD[:6] + b"\3\4\0\x14" + _GOOD[10:], 6, "20 mines leave no safe cell on 4x5"),
        (_GOOD[:6] + b"\2\4\0\4" + _GOOD[10:], 12, "the mine at row 1, column 4 is outside"),
        (_GOOD[:12] + _GOOD[10:12] + _GOOD[14:], 10, "two mines are in one cell"),
        (_GOOD[:18] + _GOOD[60:], 18, "there is no timestamp"),
        (_GOOD[: _FIRST + 1], _FIRST - 5, "there are no events"),
        (_GOOD[: _FIRST + 50], _FIRST + 50, "the events do not end"),
        (Arbiter(lines=[*CLICKS, (2600, -99, 0, 0)]).data(), _FIRST + 88, "99 is not an event"),
        (Arbiter(lines=[*CLICKS, (2470, 1, 0, 0)]).data(), _FIRST + 88, "the time runs backwards"),
    ],
)
def test_damage_is_told(data: bytes, offset: int, reason: str) -> None:
    with pytest.raises(ReplayError) as caught:
        avf.read(data)
    assert reason in str(caught.value)
    assert (caught.value.format, caught.value.offset) == ("AVF", offset)
    assert str(caught.value).startswith(f"AVF, byte {offset}: ")


def test_games_of_free_sweeper_are_another_format() -> None:
    assert not avf.recognises(b"\0" + _GOOD[1:])


@pytest.mark.parametrize("name", samples.names("avf/**/*.avf"))
def test_samples(name: str) -> None:
    """What Arbiter says of its games, and what another reader makes of them."""
    data = samples.data(name)
    assert avf.write(avf.read(data)) == data
    replay, course = avf.read(data), avf.read(data).course
    board = replay.recording.mine_map
    assert course.won
    assert course.time_ms == replay.facts["claimed_ms"]
    assert three_bv(board) == replay.facts["claimed_bv"]
    said = samples.values("ms_toollib_1.5.20_stats.json")[name]
    assert (*board.shape, np.count_nonzero(board)) == tuple(
        said[key] for key in ("row", "column", "mine_num")
    )
    assert replay.recording.t.size == said["n_events"]
    assert course.time_ms == said["rtime_ms"]
    assert replay.facts["player"] == said["player_identifier"]
    assert replay.facts.get("country", "XX") == said["country"]
    expected = samples.manifest()[name]["expected"]
    assert replay.facts["player"] == expected.get("player", replay.facts["player"])
    assert course.time_ms == round(1000 * expected.get("time_s", course.time_ms / 1000))
    assert three_bv(board) == expected.get("bbbv", three_bv(board))
    if "end_local" in expected:
        assert str(replay.facts["ended"])[:19] == expected["end_local"].replace(" ", "T")
    game = load(data)
    assert game.status.value == "won"
    assert game.events[-1].t == course.time_ms
