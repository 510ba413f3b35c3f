"""The text form of replays: read, written, written again as it was, damage, and other dialects."""

from __future__ import annotations

import re
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from demine import __version__
from demine.game import Game
from demine.logic.event import Touch
from demine.replay import Replay, ReplayError
from demine.replay.board_changes import CellDisplay
from demine.replay.formats import rawvf
from demine.statistics.recording_type import Recording, Signal
from tests import samples
from tests.logic.boards import game_on, played
from tests.replay.builders import CLICKS, Line, mines
from tests.replay.formats.test_rmv import assert_board_follows
from tests.replay.others import Raw
from tests.statistics.hands import recordings


def lines(replay: Replay) -> list[Line]:
    found = replay.recording
    columns = (found.t, found.signal, found.x, found.y)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_whole_file(end: str) -> None:
    data = Raw(end=end).data()
    assert rawvf.recognises(data)
    replay = rawvf.read(data)
    assert (replay.format, replay.version) == ("RawVF", "6.1")
    assert np.array_equal(replay.recording.mine_map, mines())
    assert lines(replay) == list(CLICKS)
    assert dict(replay.facts) == {
        "format": "RawVF Rev6.1",
        "program": "Minesweeper Clone",
        "version": "0.97 beta",
        "player": "小雷",
        "level": "custom",
        "mode": "upk",
        "marks": False,
        "cell_px": 16,
        "claimed_bv": 9,
        "claimed_ms": 2240,
        "claimed_won": False,
        "no_flag": False,
        "started": "2024-08-10T18:06:28+00:00",
    }
    log = replay.recorded_changes
    assert log is not None
    told = zip(log.events_before, log.t, log.row, log.col, log.display, strict=True)
    assert [tuple(map(int, one)) for one in told] == [
        (11, 2500, 2, 0, CellDisplay.ONE), (11, 2500, 2, 2, CellDisplay.FLAG),
    ]  # fmt: skip
    assert rawvf.write(replay) == data
    assert rawvf.losses(replay) == ()


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("-1.25 lc (3 -4)", (-1250, Signal.LC, 3, -4)),
        ("0.5 lc (3 4)", None),
        ("0.50\tsc 1 1 (3 4) (lr)", (500, Signal.SC, 3, 4)),
        ("12.345 mr -1 0 (-3 4)", (12345, Signal.MR, -3, 4)),
        ("0.100 won", ()),
        ("won", ()),
        ("", ()),
        ("1.000 sx 4 5", ()),
        ("0.50 number8 1 1", ()),
        ("number9 1 1", None),
        ("number 1 1", None),
        ("flag 1", None),
        ("flag 5 1", None),
        ("flag 0 1", None),
        ("lc (3 4)", None),
        ("0.500 xx (3 4)", None),
        ("0.500 lc ( 4)", None),
        ("0.500 lc (34)", None),
        ("0.500 lc 1 (3 4)", None),
        (".500 lc (3 4)", None),
        ("0.5000 lc (3 4)", None),
        ("0.500 lc (12345678 4)", None),
        ("0.500 lc (3 4) x", None),
        ("\0", None),
    ],
)
def test_lines(line: str, event: tuple[int, ...] | None) -> None:
    data = Raw(lines=[], extra=[line]).data()
    if event is None:
        with pytest.raises(ReplayError):
            rawvf.read(data)
    else:
        assert lines(rawvf.read(data)) == ([event] if event else [])


def test_other_dialects() -> None:
    options = ["RawVF_Version: Rev6.2", "Program: LlamaSweeper", "SuperClick: On", "Marks: On"]
    options += ["SquareSize: 64", "Status: won", "Mode: Eff Boards", "Timestamp: 2026-02-24T01:13Z"]
    extra = ["0.100 mt 0 0 (1 1)", "0.200 rc 0 0 (1 1)", "0.300 mt 0 0 (1 1)"]
    replay = rawvf.read(Raw(options=options, lines=[], extra=extra).data())
    assert (replay.version, replay.recording.cell) == ("6.2", 64)
    assert replay.recording.left_chords
    assert not replay.recording.questions
    assert replay.facts["mode"] == "eff boards"
    assert replay.facts["started"] == "2026-02-24T01:13:00+00:00"
    bare = rawvf.read(Raw(options=["Level: x"], lines=[], extra=["won"]).data())
    assert (bare.facts["level"], bare.facts["mode"]) == ("custom", "standard")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("gap", ["", "{end}"])
def test_free_sweeper_says_nothing_before_the_events(gap: str, end: str) -> None:
    data = Raw(end=end).data()
    free = data.replace(f"Events:{end}0.000 start{end}".encode(), gap.format(end=end).encode())
    assert free != data
    replay = rawvf.read(free)
    assert lines(replay) == lines(rawvf.read(data))
    assert np.array_equal(replay.recording.mine_map, mines())
    assert rawvf.write(replay) == free


@pytest.mark.parametrize(
    "said",
    [
        "SquareSize: 0", "SquareSize: -16", "SquareSize: 1025", "SquareSize: 99999999999999999999",
        "SquareSize: sixteen", "SquareSize: 16.5", "Width: 99999999", "Width: 0", "Width: -4",
        "Width: 8193", "Height: 99999999", "Height: -1", "Mines: -1", "Mines: 1e3", "Mines: \x00",
        "Mines: " + "9" * 5000,
    ],
    ids=lambda said: said[:20],
)  # fmt: skip
def test_numbers_that_make_no_sense(said: str) -> None:
    name = said.partition(":")[0]
    plain = [line for line in Raw().options if not line.startswith(name)]
    data = Raw(options=[*plain, said]).data()
    with pytest.raises(ReplayError, match=f"{name.lower()} is '.*', not a number") as caught:
        rawvf.read(data)
    assert caught.value.offset == data.index(said.encode()) + len(name) + 2
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_numbers_that_nobody_said() -> None:
    options = ["Level: x", "Width:", "SquareSize: ", "Mines:  "]
    assert rawvf.read(Raw(options=options, extra=["won"]).data()).recording.cell == 16
    options = ["SquareSize: 1024", "Width: 4 ", "Mines: 0004", "Status: won"]
    assert rawvf.read(Raw(options=options).data()).recording.cell == 1024


@pytest.mark.parametrize(("acts", "status"), [
    ("open 0,3; open 2,0", b"won"), ("open 0,3; open 0,0", b"lost"), ("open 0,3", b"nonstandard"),
])  # fmt: skip
def test_what_is_written_ends_in_a_word(acts: str, status: bytes) -> None:
    """The tools of the format crash at one with a time before it."""
    game = played(game_on("4x3/2\n*...\n....\n...*\n"), acts)
    game.touch(Touch(game.events[-1].t + 500, "", "move", 3, 3))
    data = rawvf.write(Replay.of(game))
    assert data.endswith(b"\n" + status + b"\n")
    words = [line for line in data.split(b"\n") if re.search(rb"won|lost|nonstandard", line)]
    assert words == [b"Status: " + status, status]
    assert [line[1:] for line in lines(rawvf.read(data))][-1] == (Signal.MV, 3, 3)


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Ada ", True), ("Ada\t", True), ("小雷\u3000", True), (" Ada", False), ("A\nda", False),
     ("Ada\n", False), ("A\u2028da", False)],
)  # fmt: skip
def test_a_name_survives_or_is_told(name: str, kept: bool) -> None:
    game = played(game_on("4x3/2\n*...\n....\n...*\n"), "open 0,3")
    replay = replace(Replay.of(game), facts={"player": name})
    assert (rawvf.read(rawvf.write(replay)).facts["player"] == name) is kept
    told = [str(loss) for loss in rawvf.losses(replay)]
    assert ("the exact wording of player" in told) is not kept


def converted(game: Game) -> Replay:
    return rawvf.read(rawvf.write(Replay.of(game)))


def test_a_game_of_our_own() -> None:
    game = played(game_on("4x3/2\n*...\n....\n...*\n"), "flag 0,0; open 0,3; open 2,0")
    replay = converted(game)
    board = replay.game().board
    assert np.array_equal(board.open_map, game.board.open_map)
    assert np.array_equal(board.flag_map, game.board.flag_map)
    assert (replay.facts["program"], replay.facts["version"]) == ("demine", __version__)
    assert "checksum" not in replay.facts
    lost = [str(loss) for loss in rawvf.losses(Replay.of(game))]
    assert lost == ["what was done by key or finger: stored as clicks"]


@given(recordings())
def test_any_recording_comes_to_the_same_game(hand: Recording) -> None:
    if hand.mine_map.all() or (hand.signal == Signal.CC).any():
        return
    before = Replay("", "", hand)
    again = rawvf.read(rawvf.write(before))
    assert again.course.opened.tolist() == before.course.opened.tolist()
    assert again.course.blown == before.course.blown
    assert (again.course.won, again.course.time_ms) == (before.course.won, before.course.time_ms)


_HEAD = Raw(lines=[], extra=[]).data()
_BOARD = _HEAD.index(b"*00*")


@pytest.mark.parametrize(
    ("data", "offset", "reason"),
    [
        (b"", 0, "there is no board"),
        (b"Width: 4\n", 0, "there is no board"),
        (_HEAD[: _BOARD + 3], _BOARD + 3, "there are no events"),
        (_HEAD.replace(b"Width: 4", b"Width: 5"), _BOARD, "the board is not 5x5"),
        (_HEAD.replace(b"*00*", b"*00"), _BOARD - 0, "the board is not 4x5"),
        (_HEAD.replace(b"*00*", b"*0?*"), _BOARD, "'?' is not a cell"),
        (_HEAD.replace(b"0", b"*"), _BOARD, ""),
        (_HEAD + b"0.5 lc (1 1)\n", len(_HEAD) + 1, "two or three decimals"),
        (_HEAD + b"0.50 lc (1 1)\nabc\n", len(_HEAD) + 14, "this line is not an event"),
        (_HEAD + b"0.50 lc (1 1)\n0.40 lr (1 1)\n", len(_HEAD) + 14, "the time runs backwards"),
        (_HEAD + b"won\nflag 1 9\n", len(_HEAD) + 4, "row 10, column 2 is outside"),
        (_HEAD.replace(b"Status", b"S") + b"0.1 rc (1 1)\n", len(_HEAD) - 4, "decimals"),
    ],
    ids=lambda value: str(value)[-12:],
)  # fmt: skip
def test_damage_is_told(data: bytes, offset: int, reason: str) -> None:
    with pytest.raises(ReplayError) as caught:
        rawvf.read(data)
    assert reason in str(caught.value)
    assert caught.value.format == "RawVF"
    if reason:
        assert caught.value.offset == offset


def test_a_file_that_ends_too_soon() -> None:
    data = _HEAD.replace(b"Status", b"S") + b"0.10 rc (1 1)\n"
    with pytest.raises(ReplayError, match="the file ends before the game does"):
        rawvf.read(data)
    assert rawvf.read(data + b"nonstandard\n").course.end < 0


@pytest.mark.parametrize(
    "line", [b"0.100 mv 1 1 (1 1)\n", b"flag 1 1\n", b"won\n", b"0.10 mv (1 1)\n"]
)
def test_large_files_need_no_more_than_a_few_times_their_size(line: bytes) -> None:
    data = _HEAD + line * (300_000 // len(line))
    tracemalloc.start()
    try:
        rawvf.read(data)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 24 * len(data) + 400_000


def test_more_lines_than_any_game_has() -> None:
    with pytest.raises(ReplayError, match="at most 1048576 events"):
        rawvf.read(_HEAD + b"won\n" * (1 << 20) + b"\n")
    with pytest.raises(ReplayError, match="at most 1048576 events"):
        rawvf.read(_HEAD + b"\n" * 2000)
    assert lines(rawvf.read(_HEAD + b"\n" * 900)) == []


@pytest.mark.parametrize("name", samples.names("rawvf/**/*.rawvf"))
def test_samples(name: str) -> None:
    data = samples.data(name)
    if samples.manifest()[name]["expected"].get("must_fail"):
        with pytest.raises(ReplayError):
            rawvf.read(data)
        return
    replay = rawvf.read(data)
    assert rawvf.write(replay) == data
    assert replay.course.won
    # A file that was made from a Clone's counts from the first press.
    assert abs(replay.course.time_ms - int(str(replay.facts["claimed_ms"]))) <= 10
    if replay.recorded_changes is not None:
        assert_board_follows(replay)
