"""Replays of Viennasweeper: both versions read and written again, boards that follow, damage."""

from __future__ import annotations

import struct
import tracemalloc
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine import __version__
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.neighbours import count_around
from demine.logic.rules import Rules
from demine.replay import Replay, ReplayError
from demine.replay.board_changes import CellDisplay
from demine.replay.formats import rmv
from demine.statistics.board_3bv import three_bv
from demine.statistics.played_recording import Click
from demine.statistics.recording_type import Recording, Signal
from tests import samples
from tests.logic.boards import game_on, played
from tests.replay.builders import Line, mines
from tests.replay.others import VIENNA_BOARD, VIENNA_CLICKS, Vienna, more, vienna_event
from tests.statistics.hands import recordings

VERSIONS = (1, 2)


def lines(replay: Replay) -> list[Line]:
    found = replay.recording
    columns = (found.t, found.signal, found.x, found.y)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_whole_file(version: int) -> None:
    data = Vienna(version=version).data()
    assert rmv.recognises(data)
    replay = rmv.read(data)
    assert (replay.format, replay.version) == ("RMV", str(version))
    assert np.array_equal(replay.recording.mine_map, mines())
    # The flag that stood, and the press that nobody recorded.
    assert lines(replay) == [(0, 8, 56, 8), (0, 2, 9, 41), *VIENNA_CLICKS]
    facts = {
        "format": f"RMV {version}",
        "program": "Vienna Minesweeper - Release 5.0",
        "player": "小雷",
        "nick": "nick",
        "country": "CN",
        "token": "G1",
        "started": "2024-08-10T18:06:28+00:00",
        "level": "custom",
        "mode": "classic-guess-free" if version == 2 else "upk",
        "marks": False,
        "no_flag": False,
        "cell_px": 16,
        "claimed_bv": 9,
        "claimed_ms": 2240,
        "claimed_won": False,
        "checksum": bytes(range(18)).hex(),
    }
    facts |= {"skin": "24px.bmp"} if version == 2 else {}
    assert dict(replay.facts) == facts
    assert replay.game().facts == facts


@pytest.mark.parametrize("name", sorted(more()))
def test_files_are_written_as_they_were(name: str) -> None:
    data = more()[name] + b"what follows"
    replay = rmv.read(data) if name.startswith("rmv") else None
    if replay is not None:
        assert rmv.write(replay) == data
        assert rmv.losses(replay) == ()


def test_the_board_is_told() -> None:
    replay = rmv.read(more()["rmv2-board"])
    assert lines(replay) == [(0, 2, 9, 41), (0, 3, 9, 41), (5, 1, 10, 40), (12, 1, 10, 38)]
    log = replay.recorded_changes
    assert log is not None
    told = zip(log.events_before, log.t, log.row, log.col, log.display, strict=True)
    assert [tuple(map(int, one)) for one in told] == [
        (3, 5, 1, 0, CellDisplay.PRESSED),
        (3, 5, 0, 1, CellDisplay.TWO),
        (4, 12, 0, 3, CellDisplay.FLAG),
    ]


def test_points_have_signs_in_version_two_and_a_corner_in_version_one() -> None:
    line = (5, 1, -7, -9)
    assert lines(rmv.read(Vienna(lines=[line], flags=None).data())) == [line]
    assert lines(rmv.read(Vienna(version=1, lines=[line], flags=None).data())) == [line]
    far = (5, 1, 40000, 3)
    assert lines(rmv.read(Vienna(version=1, lines=[far], flags=None).data())) == [far]


def test_very_old_files_put_the_date_between_events() -> None:
    first, second = (vienna_event(*line, version=1) for line in VIENNA_CLICKS[:2])
    clock = struct.pack(">BI", 0, 1_200_000_000)
    data = Vienna(version=1, flags=None, events=clock + first + clock * 2 + second).data()
    replay = rmv.read(data)
    assert lines(replay) == [(0, 2, 9, 41), *VIENNA_CLICKS[:2]]
    assert rmv.write(replay) == data
    with pytest.raises(ReplayError, match="0 is not an event"):
        rmv.read(Vienna(flags=None, events=first + clock + second).data())


def test_damage_is_told_where_it_is_behind_a_date() -> None:
    late, early = (vienna_event(t, 1, 20, 60, version=1) for t in (29, 5))
    clock = struct.pack(">BI", 0, 1_200_000_000)
    data = Vienna(version=1, flags=None, events=clock + late + clock * 2 + early).data()
    with pytest.raises(ReplayError, match="the time runs backwards") as caught:
        rmv.read(data)
    assert caught.value.offset == data.index(early)


_CODES = st.sampled_from([1, 2, 3, 4, 5, 6, 7, 9, 13, 18, 27, 28, 28, 28])


@given(st.lists(st.tuples(_CODES, st.integers(0, 9), st.integers(0, 9)), max_size=60))
def test_records_are_found_one_after_another(events: list[tuple[int, int, int]]) -> None:
    """Small numbers make bytes inside of records look like codes."""
    made, told, t, x, y = vienna_event(0, 1, 3, 3), [], 0, 3, 3
    for code, first, second in events:
        if code == 28:
            t, x, y = t + first, x + second % 8, y - 1
            made += bytes((28, first, second % 8 << 4 | 15))
            told.append((t, 1, x, y))
        elif code > 8:
            made += bytes((code, first % 4, second % 5))
        else:
            t, x, y = t + first, second, 1
            made += vienna_event(t, code, x, y, held=first % 8)
            told.append((t, code, x, y))
    replay = rmv.read(Vienna(events=made, flags=None).data())
    found = lines(replay)[1:]
    pressed = [code for _, code, *_ in told if code in {2, 3}]
    if pressed[:1] == [3]:
        at = next(place for place, one in enumerate(told) if one[1] == 3)
        assert found.pop(at) == (told[at][0], 2, *told[at][2:])
    assert found == told


def test_small_movements_alone_are_no_events() -> None:
    data = Vienna(events=bytes((18, 0, 0, 28, 0, 0, 28, 0, 0)), flags=None).data()
    with pytest.raises(ReplayError, match="28 is not an event") as caught:
        rmv.read(data)
    assert caught.value.offset == data.index(bytes((28, 0, 0)))


def test_what_looks_like_a_small_movement_behind_the_end_is_none() -> None:
    for events in (b"", bytes((18, 0, 0)), VIENNA_BOARD[3:6], vienna_event(0, 3, 3, 3)):
        data = Vienna(events=events, flags=None).data()
        assert lines(rmv.read(data + bytes((28,) * 24))) == lines(rmv.read(data))


@pytest.mark.parametrize("count", [27_000, 29_000])
def test_long_ways(count: int) -> None:
    """So far that the points leave the numbers of records in full, in both directions."""
    way = vienna_event(5, 1, 32_767, -32_768 & 0xFFFF) + bytes((28, 255, 0x78)) * count
    back = vienna_event(255 * count + 9, 1, 0, 7) + bytes((28, 1, 0x8F)) * 3
    found = rmv.read(Vienna(events=way + back, flags=None).data()).recording
    steps = np.arange(count + 1)
    assert found.t.tolist() == [
        *(5 + 255 * steps).tolist(), *(255 * count + 9 + np.arange(4)).tolist()
    ]  # fmt: skip
    assert found.x.tolist() == [*(32_767 + 7 * steps).tolist(), 0, -8, -16, -24]
    assert found.y.tolist() == [*(-32_768 - 8 * steps).tolist(), 7, 6, 5, 4]


def test_texts_that_are_no_utf8() -> None:
    name = "王".encode("gbk")
    old = rmv.read(Vienna(version=1, people=[name], properties=bytes((1, 1, 0, 0))).data())
    facts = old.facts
    assert (facts["player"], facts["player_bytes"]) == ("王", name.hex())
    assert (facts["level"], facts["marks"], facts["no_flag"]) == ("beginner", True, True)
    for version in VERSIONS:
        with pytest.raises(ReplayError, match="a text is not UTF-8"):
            rmv.read(Vienna(version=version, people=[b"x", name]).data())


def converted(game: Game) -> Replay:
    return rmv.read(rmv.write(Replay.of(game)))


def test_a_game_of_our_own() -> None:
    game = played(game_on("4x3/2\n*...\n....\n...*\n"), "flag 0,0; open 0,3; open 2,0")
    data = rmv.write(Replay.of(game))
    replay = rmv.read(data)
    board = replay.game().board
    assert np.array_equal(board.open_map, game.board.open_map)
    assert np.array_equal(board.flag_map, game.board.flag_map)
    assert data[:8] == b"*rmv\0\2\0\0"
    assert int.from_bytes(data[8:12], "big") == len(data)
    assert b"\x0aclone_name\x06demine" in data
    assert replay.facts["program"] == f"demine {__version__}"
    assert "checksum" not in replay.facts
    assert replay.facts["claimed_bv"] == three_bv(game.board.mine_map)
    assert replay.recording.signal[0] == Signal.PF
    lost = [str(loss) for loss in rmv.losses(Replay.of(game))]
    assert lost == ["what was done by key or finger: stored as clicks"]
    game = played(game_on("4x3/2\n*...\n....\n...*\n"), "flag 1,1; flag 1,1; open 0,3")
    lost = [str(loss) for loss in rmv.losses(Replay.of(game))]
    assert lost[1:] == ["what the hand did before the first cell opened, except flags"]


def test_what_the_board_does_is_written() -> None:
    game = played(
        game_on("4x3/2\n*...\n....\n...*\n"), "open 2,0; flag 0,0; flag 0,0; open 0,1; open 0,0"
    )
    log = converted(game).recorded_changes
    assert log is not None
    told = list(zip(log.row.tolist(), log.col.tolist(), log.display.tolist(), strict=True))
    assert told[-4:] == [
        (0, 0, CellDisplay.FLAG),
        (0, 0, CellDisplay.COVERED),
        (0, 1, CellDisplay.ONE),
        (0, 0, CellDisplay.BLOWN),
    ]


def test_facts_that_are_held() -> None:
    facts = {
        "player": "雷" * 100, "nick": "a", "country": "CN", "token": "t", "mode": "win7",
        "started": "2024-08-10T18:06:28.5",
    }  # fmt: skip
    replay = rmv.read(Vienna(properties=bytes((0, 0, 5, 3, 9, 0, 24))).data())
    made = replace(replay, format="AVF", version="52", facts=facts)
    again = rmv.read(rmv.write(made))
    held = {name: again.facts[name] for name in facts}
    assert held == {**facts, "player": "雷" * 85, "started": "2024-08-10T18:06:28+00:00"}
    assert (again.facts["source"], again.facts["cell_px"]) == ("AVF 52", 24)
    assert [str(loss) for loss in rmv.losses(made)] == [
        "the ends of long names",
        "fractions of a second in its starting time",
        "that the time zone of its date is unknown",
    ]
    odd = replace(made, facts={"mode": "recursive-guess-free", "device": "x"})
    assert [str(loss) for loss in rmv.losses(odd)] == [
        "these facts: device",
        "the mode of the game",
    ]


@given(recordings())
def test_any_recording_comes_to_the_same_game(hand: Recording) -> None:
    """Whatever keys, fingers and rules were in it: what is opened, when, and how it ends."""
    if hand.mine_map.all() or (hand.signal == Signal.CC).any():
        return
    before = Replay("", "", hand)
    again = rmv.read(rmv.write(before))
    assert again.course.opened.tolist() == before.course.opened.tolist()
    assert again.course.blown == before.course.blown
    assert (again.course.won, again.course.time_ms) == (
        before.course.won,
        before.course.time_ms,
    ) or (before.course.end < 0)
    assert_board_follows(again)


def test_what_does_not_fit() -> None:
    game = Game(Rules(256, 2, 5), 1)
    game.play(Act(0, Verb.OPEN, 0, 0))
    with pytest.raises(ReplayError, match="up to 255, not 256x2 of 16"):
        rmv.write(Replay.of(game))
    replay = rmv.read(Vienna().data())
    far = replace(replay.recording, x=replay.recording.x + 40_000)
    with pytest.raises(ReplayError, match="no pointer so far away"):
        rmv.write(replace(replay, format="", recording=far))
    t = replay.recording.t.copy()
    t[-1] = 1 << 24
    with pytest.raises(ReplayError, match="up to 4 hours"):
        rmv.write(replace(replay, format="", recording=replace(replay.recording, t=t)))


_FILE = Vienna().data()
_FIRST = _FILE.index(vienna_event(*VIENNA_CLICKS[0]))
_BOARD = _FILE.index(bytes((4, 5, 0, 4)))
_ENDS = Vienna(events=b"").data().index(bytes((17, 0, 8, 0xC0)))


def put(data: bytes, at: int, *values: int) -> bytes:
    return data[:at] + bytes(values) + data[at + len(values) :]


@pytest.mark.parametrize(
    ("data", "offset", "reason"),
    [
        (b"*rm", 3, "the file ends"),
        (b"*rmx\0\1", 0, "this is not an RMV file"),
        (b"*rmv\0\3", 4, "version 3 is not known"),
        (_FILE[:50], 50, "the file ends"),
        (put(_FILE, _BOARD, 0), _BOARD, "a board of 0x5 has no cells"),
        (put(_FILE, _BOARD + 3, 20), _BOARD, "20 mines leave no safe cell"),
        (put(_FILE, _BOARD + 3, 5), _BOARD + 12, "longer than the file says"),
        (put(_FILE, _BOARD + 4, 4), _BOARD + 4, "the mine at row 1, column 5 is outside"),
        (put(_FILE, _BOARD + 6, 0, 0), _BOARD + 4, "two mines are in one cell"),
        (put(_FILE, _BOARD + 14, 4), _BOARD + 14, "row 1, column 5 is outside"),
        (put(_FILE, _BOARD + 22, 0), _FIRST, "the cells have no size"),
        (_FILE[:_FIRST], _FIRST, "the events do not end"),
        (_FILE[: _FIRST + 20], _FIRST + 20, "the events do not end"),
        (put(_FILE, _FIRST, 28, 0, 0, 28, 0, 0, 28), _FIRST, "28 is not an event"),
        (put(_FILE, _FIRST, 18, 0, 0, 28, 0, 0, 18, 0, 0), _FIRST + 3, "28 is not an event"),
        (put(_FILE, _FIRST, 18, 0, 0, 18, 0, 0, 28, 0, 0), _FIRST + 6, "28 is not an event"),
        (put(_FILE, _FIRST + 9, 40), _FIRST + 9, "40 is not an event"),
        (put(_FILE, _FIRST + 10, 200), _FIRST + 18, "the time runs backwards"),
        (put(_FILE, _FIRST + 9, 18, 4, 0, 18, 0, 0, 18, 0, 0), _FIRST + 9, "row 1, column 5"),
        (Vienna(events=b"").data()[: _ENDS + 2], _ENDS + 2, "the file ends"),
    ],
    ids=lambda value: str(value)[:12],
)  # fmt: skip
def test_damage_is_told(data: bytes, offset: int, reason: str) -> None:
    with pytest.raises(ReplayError) as caught:
        rmv.read(data)
    assert reason in str(caught.value)
    assert (caught.value.format, caught.value.offset) == ("RMV", offset)


_STEPS = VIENNA_BOARD[:3]


@pytest.mark.parametrize(
    "events",
    [_STEPS, VIENNA_BOARD[3:6], VIENNA_BOARD, vienna_event(1, 1, 1, 1), vienna_event(1, 1, 261, 5)],
    ids=["steps", "board", "both", "moves", "moves like codes"],
)
def test_large_files_need_no_more_than_a_few_times_their_size(events: bytes) -> None:
    data = Vienna(events=vienna_event(0, 1, 261, 5) + events * (300_000 // len(events))).data()
    tracemalloc.start()
    try:
        rmv.read(data)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 20 * len(data) + 400_000


def assert_board_follows(replay: Replay) -> None:
    """What the file says that each cell showed is what the rules make of the hand."""
    course, log = replay.course, replay.recorded_changes
    hints = count_around(replay.recording.mine_map)
    width = hints.shape[1]
    told: dict[int, dict[tuple[int, int], int]] = defaultdict(dict)
    ours: dict[int, dict[tuple[int, int], int]] = defaultdict(dict)
    if log is not None:
        rows = zip(log.events_before, log.row, log.col, log.display, strict=True)
        for after, row, col, code in (map(int, one) for one in rows):
            if code not in {CellDisplay.PRESSED, CellDisplay.PRESSED_QUESTION}:
                told[after - 1][row, col] = code
    shown = {
        Click.FLAGGED: CellDisplay.FLAG,
        Click.ASKED: CellDisplay.QUESTION,
        Click.DOUBTED: CellDisplay.QUESTION,
    }
    flags = np.zeros(hints.shape, np.bool_)
    start = course.start if course.start >= 0 else replay.recording.t.size
    for click, (code, cell, event) in enumerate(
        zip(course.clicks.tolist(), course.cells.tolist(), course.events.tolist(), strict=True)
    ):
        place = divmod(cell, width)
        if code in {Click.FLAGGED, Click.UNFLAGGED, Click.ASKED, Click.DOUBTED, Click.CLEARED}:
            flags[place] = code == Click.FLAGGED
            if event >= start:
                ours[event][place] = shown.get(code, CellDisplay.COVERED)
        for at in course.opened_by(click).tolist():
            ours[event][divmod(at, width)] = int(hints[divmod(at, width)])
        if event == course.end:
            ours[event].update({divmod(at, width): int(CellDisplay.BLOWN) for at in course.blown})
    for event in sorted(told.keys() | ours.keys()):
        # A cell that was pressed and let go is told as covered again.
        said = {
            cell: code
            for cell, code in told[event].items()
            if code != CellDisplay.COVERED or cell in ours[event]
        }
        assert said == ours[event], event


@pytest.mark.parametrize("name", samples.names("rmv/*.rmv"))
def test_samples(name: str) -> None:
    """The same bytes; the board event for event; and what another reader makes of them."""
    data = samples.data(name)
    if samples.manifest()[name]["expected"].get("must_fail"):
        with pytest.raises(ReplayError, match="not UTF-8"):
            rmv.read(data)
        return
    replay = rmv.read(data)
    assert rmv.write(replay) == data
    assert replay.recorded_changes is not None
    assert_board_follows(replay)
    course, board = replay.course, replay.recording.mine_map
    assert course.time_ms == replay.facts["claimed_ms"]
    assert course.won is replay.facts["claimed_won"] is True
    assert three_bv(board) == replay.facts["claimed_bv"]
    said = samples.values("ms_toollib_1.5.20_stats.json").get(name)
    if said is not None:
        own = (*board.shape, np.count_nonzero(board), course.time_ms)
        assert own == tuple(said[key] for key in ("row", "column", "mine_num", "rtime_ms"))
        if said["player_identifier"].isascii():
            assert replay.facts["player"] == said["player_identifier"]
    made = replace(replay, format="AVF")
    again = rmv.read(rmv.write(made))
    assert_board_follows(again)
    assert again.course.opened.tolist() == course.opened.tolist()
    for column in ("t", "signal", "x", "y"):
        ours, theirs = (getattr(one.recording, column).tolist() for one in (again, replay))
        assert ours == theirs
