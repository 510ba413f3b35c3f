"""Replays of Metasweeper: all five versions read and written again byte for byte, and damage."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine import __version__
from demine.game import Game
from demine.logic.event import Act, Lay, Verb
from demine.logic.game import Status
from demine.logic.layout import parse_layout
from demine.logic.rules import Rules
from demine.replay import Replay, ReplayError
from demine.replay.big_endian_reader import BigEndianReader
from demine.replay.board_changes import CellDisplay, RecordedBoardChanges
from demine.replay.formats import evf
from demine.replay.formats.evf import (
    read_events_before_v4,
    read_events_v4,
    write_events_before_v4,
    write_events_v4,
)
from demine.statistics.board_3bv import three_bv
from demine.statistics.recording_type import Recording, Signal
from tests import samples
from tests.logic.boards import game_on, played
from tests.replay.builders import CLICKS, Line, Meta, mines, records
from tests.statistics.hands import recording, recordings

VERSIONS = range(5)


def lines(replay: Replay) -> list[Line]:
    found = replay.recording
    columns = (found.t, found.signal, found.x, found.y)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_whole_file(version: int) -> None:
    data = Meta(version=version).data()
    assert evf.recognises(data)
    replay = evf.read(data)
    assert (replay.format, replay.version) == ("EVF", str(version))
    assert np.array_equal(replay.recording.mine_map, mines())
    assert lines(replay) == list(CLICKS)
    facts = {
        "format": f"EVF {version}",
        "program": "元3.1.9",
        "player": "小雷",
        "token": "G1",
        "identifier": "id",
        "started": "2024-08-10T18:06:28.971031+00:00",
        "ended": "2024-08-10T18:06:32.767449+00:00",
        "country": "CN",
        "level": "custom",
        "mode": "classic-guess-free",
        "cell_px": 16,
        "claimed_bv": 9,
        "claimed_ms": 2500,
        "claimed_won": True,
        "official": False,
        "fair": True,
        "checksum": bytes(range(32)).hex(),
    }
    facts |= {"device": "0123"} if version > 1 else {}
    facts |= {"no_flag": True} if version else {}
    facts |= {"marks": False} if version > 2 else {}
    assert dict(replay.facts) == facts
    assert replay.game().facts == facts


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("checksum", [None, b"\xff" * 32])
@pytest.mark.parametrize("settings", [0, 0x80, 0x47])
def test_files_are_written_as_they_were(
    version: int, checksum: bytes | None, settings: int
) -> None:
    made = Meta(
        version=version, checksum=checksum, settings=settings, player=b"\xff\xfe", mode=77,
        country=b"\0\0" if version == 4 else b"Narnia", started=1 << 63, summary=0xF7,
    )  # fmt: skip
    data = made.data() + b"what follows"
    replay = evf.read(data)
    assert evf.write(replay) == data
    assert evf.losses(replay) == ()
    assert replay.recording.questions is (version > 2 and settings == 0x80)


def test_a_file_that_says_it_was_made_from_another() -> None:
    data = Meta(version=4, made=(b"tool 1", b"gbk")).data()
    replay = evf.read(data)
    assert (replay.facts["transcoder"], replay.facts["source"]) == ("tool 1", "gbk")
    assert evf.write(replay) == data


def test_version_four_tells_of_the_board() -> None:
    board = bytes((101, 7, 1, 0)) + bytes((111, 3, 0, 3))
    events = records(CLICKS[:3]) + board + struct.pack(">BBhh", 1, 40, 21, 19)
    replay = evf.read(Meta(version=4, events=events).data())
    log = replay.recorded_changes
    assert log is not None
    told = (log.events_before, log.t, log.row, log.col, log.display)
    assert [column.tolist() for column in told] == [
        [3, 3], [267, 270], [1, 0], [0, 3], [CellDisplay.ONE, CellDisplay.FLAG],
    ]  # fmt: skip
    assert lines(replay) == [*CLICKS[:3], (310, 1, 30, 60)]
    assert evf.write(replay) == Meta(version=4, events=events).data()
    assert write_events_v4(replay.recording, log) == events


def test_version_four_tells_more_than_the_game() -> None:
    gauge = b"\xc8\x05" + struct.pack(">Hd", 10000, 1.5)
    words = b"\xc9\x05" + struct.pack(">H", 10001) + b"flow\0"
    pauses = b"\xff\x00\x01" + b"\xff\xff\xff"
    events = b"\x51\x02" + gauge + pauses + records(CLICKS[:2]) + words + b"\x63\x00"
    data = Meta(version=4, events=events, names=(b"x", b"y")).data()
    replay = evf.read(data)
    assert lines(replay)[0] == (2 + 5 + 1 + 65535, *CLICKS[0][1:])
    assert evf.write(replay) == data


@pytest.mark.parametrize("version", VERSIONS)
def test_buttons_that_went_up_or_down(version: int) -> None:
    told = [(0, 10, 8, 40), (10, 11, 8, 40), (20, 10, 8, 40), (30, 3, 8, 40), (40, 11, 8, 40)]
    told += [(50, 12, 8, 40), (60, 12, 8, 40), (70, 4, 8, 40), (80, 11, 8, 40)]
    data = Meta(version=version, lines=told).data()
    replay = evf.read(data)
    names = ["LC", "RC", "LR", "LR", "RR", "MC", "MR", "RC", "RR"]
    assert replay.recording.signal.tolist() == [Signal[name] for name in names]
    assert evf.write(replay) == data


@pytest.mark.parametrize("version", [3, 4])
def test_long_games_and_waits(version: int) -> None:
    told = [
        (0, 1, 0, 0),
        (255, 1, 60, 70),
        (511, 1, 0, 0),
        (16_000_000, 1, 3, 60),
        (16_000_000, 3, 4, 60),
    ]
    if version == 3:
        data = Meta(lines=told).data()
        assert lines(evf.read(data)) == told
    hand = recording(mines(), told)
    if version == 3:
        events = read_events_before_v4(BigEndianReader("EVF", write_events_before_v4(hand) + b"\0"))
    else:
        events = read_events_v4(BigEndianReader("EVF", write_events_v4(hand, None) + b"\0"), 5, 4)
    assert events.t.tolist() == [t for t, *_ in told]


@given(recordings())
def test_events_are_read_as_they_were_written(hand: Recording) -> None:
    told = (hand.signal <= 9) & (np.abs(hand.x) < 9999) & (np.abs(hand.y) < 9999)
    hand = replace(
        hand,
        t=(hand.t - hand.t.min(initial=0))[told],
        signal=hand.signal[told],
        x=hand.x[told],
        y=hand.y[told],
    )
    again = read_events_v4(
        BigEndianReader("EVF", write_events_v4(hand, None) + b"\0"), *hand.mine_map.shape
    )
    for name in ("t", "signal", "x", "y"):
        assert getattr(again, name).tolist() == getattr(hand, name).tolist()


@given(st.data())
def test_events_of_the_board_are_read_as_they_were_written(data: st.DataObject) -> None:
    hand = recording(mines(), CLICKS)
    after = np.array(sorted(data.draw(st.lists(st.integers(0, len(CLICKS)), max_size=8))), np.int64)
    count = after.size
    codes = data.draw(st.lists(st.sampled_from(list(CellDisplay)), min_size=count, max_size=count))
    rows = data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    t = np.where(after, hand.t[after - 1], 0)
    log = RecordedBoardChanges(
        after, t, np.array(rows, np.int32), np.array(rows, np.int32), np.array(codes, np.uint8)
    )
    again = read_events_v4(BigEndianReader("EVF", write_events_v4(hand, log) + b"\0"), 5, 4)
    assert again.t.tolist() == hand.t.tolist()
    if count:
        assert again.board_changes is not None
        for name in ("events_before", "t", "row", "col", "display"):
            assert getattr(again.board_changes, name).tolist() == getattr(log, name).tolist()


def converted(game: Game) -> Replay:
    return evf.read(evf.write(Replay.of(game)))


def test_a_game_of_our_own() -> None:
    game = played(game_on("4x3/2\n*...\n....\n...*\n"), "flag 0,0; open 0,3; open 2,0")
    replay = converted(game)
    board = replay.game().board
    assert np.array_equal(board.open_map, game.board.open_map)
    assert np.array_equal(board.flag_map, game.board.flag_map)
    assert replay.version == "4"
    assert replay.facts["program"] == replay.facts["transcoder"] == f"demine {__version__}"
    assert replay.facts["official"] is replay.facts["fair"] is False
    assert "checksum" not in replay.facts
    assert not {"device", "identifier", "token"} & replay.facts.keys()
    assert replay.facts["claimed_won"] is (game.status is Status.WON)
    lost = [str(loss) for loss in evf.losses(Replay.of(game))]
    assert lost == ["what was done by key or finger: stored as clicks"]


def test_facts_that_are_held() -> None:
    facts = {
        "player": "小雷",
        "country": "CN",
        "mode": "upk",
        "started": "2024-08-10T18:06:28.971031+00:00",
        "token": "x",
    }
    rules, board = parse_layout("3x1/1\n*..\n")
    game = Game(rules, 0, facts=facts)
    game.lay(Lay(0, board))
    game.play(Act(0, Verb.OPEN, 0, 2))
    replay = converted(game)
    assert {name: replay.facts.get(name) for name in facts} == {**facts, "token": None}
    assert [str(loss) for loss in evf.losses(Replay.of(game))][-1] == "these facts: token"


@given(recordings())
def test_any_recording_comes_to_the_same_game(hand: Recording) -> None:
    """Whatever keys, fingers and rules were in it: what is opened, and how it ends."""
    if hand.mine_map.all() or (hand.signal == Signal.CC).any():
        return
    before = Replay("", "", hand)
    again = evf.read(evf.write(before))
    assert again.course.opened.tolist() == before.course.opened.tolist()
    assert again.course.blown == before.course.blown
    assert again.course.won == before.course.won


def test_boards_that_are_too_large() -> None:
    game = Game(Rules(256, 2, 5), 1)
    game.play(Act(0, Verb.OPEN, 0, 0))
    with pytest.raises(ReplayError, match="up to 255x255, not 256x2"):
        evf.write(Replay.of(game))


_OLD = Meta(version=3).data()
_NEW = Meta(version=4).data()
_OLD_FIRST = _OLD.index(struct.pack(">II", 1 << 24, 40 << 16 | 20))
_NEW_FIRST = _NEW.index(struct.pack(">BBhh", 1, 0, 40, 20))


def put(data: bytes, at: int, *values: int) -> bytes:
    return data[:at] + bytes(values) + data[at + len(values) :]


@pytest.mark.parametrize(
    ("data", "offset", "reason"),
    [
        (b"", 0, "the file ends"),
        (b"\5\0", 0, "version 5 is not known"),
        (_OLD[:6], 6, "the file ends"),
        (put(_OLD, 3, 0), 3, "a board of 4x0 has no cells"),
        (put(_OLD, 5, 0, 20), 3, "20 mines leave no safe cell"),
        (put(_OLD, 6, 3), _OLD_FIRST - 3, "there are 4 mines instead of 3"),
        (put(_OLD, 7, 0), 7, "the cells have no size"),
        (_OLD[:18], 15, "a text does not end"),
        (_OLD[: _OLD_FIRST - 1], _OLD_FIRST - 1, "the file ends"),
        (_OLD[:_OLD_FIRST], _OLD_FIRST, "the events do not end"),
        (_OLD[: _OLD_FIRST + 30], _OLD_FIRST + 30, "the events do not end"),
        (put(_OLD, _OLD_FIRST + 8, 13), _OLD_FIRST + 8, "13 is not an event"),
        (put(_OLD, _OLD_FIRST + 3, 255), _OLD_FIRST + 8, "the time runs backwards"),
        (_OLD[:-1], len(_OLD) - 1, "the file ends"),
        (_NEW[:_NEW_FIRST], _NEW_FIRST, "the events do not end"),
        (_NEW[: _NEW_FIRST + 10], _NEW_FIRST + 10, "the events do not end"),
        (put(_NEW, _NEW_FIRST + 6, 99 + 100), _NEW_FIRST + 6, "199 is not an event"),
        (put(_NEW, _NEW_FIRST, 101, 0, 5, 0), _NEW_FIRST, "row 6, column 1 is outside the 4x5"),
        (_NEW[:_NEW_FIRST] + b"\xc9\0\0\0x", _NEW_FIRST, "a text does not end"),
        (_NEW[:-1], len(_NEW) - 1, "the file ends"),
    ],
    ids=lambda value: str(value)[:12],
)  # fmt: skip
def test_damage_is_told(data: bytes, offset: int, reason: str) -> None:
    with pytest.raises(ReplayError) as caught:
        evf.read(data)
    assert reason in str(caught.value)
    assert (caught.value.format, caught.value.offset) == ("EVF", offset)


def test_a_pointer_that_leaves_every_screen() -> None:
    step = struct.pack(">BBhh", 1, 0, 32767, 0)
    with pytest.raises(ReplayError, match="far off the screen"):
        evf.read(Meta(version=4, events=step * 66_000).data())
    many = evf.read(
        Meta(version=4, events=(step + struct.pack(">BBhh", 1, 0, -32767, 0)) * 40_000).data()
    )
    assert many.recording.x[-1] == 0


@pytest.mark.parametrize("name", samples.names("evf/*.evf", "generated/*.evf"))
def test_samples(name: str) -> None:
    """The same bytes, from what they mean; and what another reader makes of them."""
    data = samples.data(name)
    replay = evf.read(data)
    course, board = replay.course, replay.recording.mine_map
    assert evf.write(replay) == data
    events = (
        write_events_v4 if replay.version == "4" else lambda hand, _: write_events_before_v4(hand)
    )
    head, tail = replay.original_parts["head"], replay.original_parts["tail"]
    assert head + events(replay.recording, replay.recorded_changes) + tail == data
    assert course.time_ms == replay.facts["claimed_ms"]
    assert course.won is replay.facts["claimed_won"]
    assert three_bv(board) == replay.facts["claimed_bv"]
    said = samples.values("ms_toollib_1.5.20_stats.json").get(name)
    if said is not None:
        own = (*board.shape, np.count_nonzero(board), replay.recording.t.size, course.time_ms)
        keys = ("row", "column", "mine_num", "n_events", "rtime_ms")
        assert own == tuple(said[key] for key in keys)
        names = ("player", "token", "identifier", "country", "program")
        theirs = (
            "player_identifier",
            "race_identifier",
            "unique_identifier",
            "country",
            "software",
        )
        assert [replay.facts.get(name, "") for name in names] == [said[key] for key in theirs]
    game = replay.game()
    assert (game.status is Status.WON) is course.won
    assert evf.read(evf.write(Replay.of(game))).course.opened.tolist() == course.opened.tolist()


def test_texts_among_events_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evf, "_FEW", 4)
    monkeypatch.setattr(evf, "_MOST_WORDS", 20)
    word = b"\xc9\0\0\0\0"
    evf.read(Meta(version=4, events=word * 20).data())
    data = Meta(version=4, events=word * 21).data()
    with pytest.raises(ReplayError, match="a game has at most 20 events") as caught:
        evf.read(data)
    assert caught.value.offset == data.index(word) + 100
