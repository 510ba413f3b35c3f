"""Games written for Arbiter and Clone, whose clocks count hundredths from the opening click."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine import __version__
from demine.logic.event import Touch
from demine.logic.metadata import Fact
from demine.replay import Replay, ReplayError, convert, load, read_replay
from demine.replay.format import WritableFormat
from demine.replay.formats import avf, mvf
from demine.replay.registry import recognised_format
from demine.statistics.recording_type import Recording, Signal
from tests import samples
from tests.logic.boards import game_on, played
from tests.replay.builders import CLICKS, Arbiter, Line, Meta
from tests.replay.others import Clone, Raw, Vienna
from tests.statistics.hands import hand, recordings

AVF, MVF = avf.FORMAT, mvf.FORMAT
BOTH = (AVF, MVF)
LAYOUT = "4x3/2\n*...\n....\n...*\n"


def lines(replay: Replay) -> list[Line]:
    found = replay.recording
    columns = (found.t, found.signal, found.x, found.y)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def made(recording: Recording, **facts: Fact) -> Replay:
    return Replay("", "", recording, facts)


def told(writer: WritableFormat[Replay], replay: Replay) -> list[str]:
    return [str(loss) for loss in writer.losses(replay)]


def same_game(one: Replay, other: Replay) -> None:
    """Both come to the same board, in the same order, in the same hundredths."""
    before, after = one.course, other.course
    assert np.array_equal(one.recording.mine_map, other.recording.mine_map)
    assert after.opened.tolist() == before.opened.tolist()
    assert after.blown == before.blown
    assert (after.won, after.lost) == (before.won, before.lost)
    # Clone cannot say that nothing changed till the end of a game that nobody won or lost.
    if before.end >= 0 or other.format != "MVF":
        assert after.time_ms == before.time_ms // 10 * 10
    if one.format != other.format:
        assert other.facts["claimed_ms"] == after.time_ms


HAND = hand(
    LAYOUT, "mv 2,2; rc 0,0; rr 0,0; lc 0,3; 43; lr 0,3; mv 1,1; 1234; lc 2,0; lr 2,0; mv 1,0"
)
ONE: Recording = replace(hand(LAYOUT, "lc 0,3; lr 0,3"), t=np.zeros(2, np.int64))
"""A click that opens a cell at once."""
CLOCK: list[Line] = [
    (0, 4, 8, 8), (0, 5, 8, 8), (0, 2, 56, 8), (0, 3, 56, 8), (100, 1, 24, 24), (1430, 2, 8, 40),
    (1530, 3, 8, 40),
]  # fmt: skip
"""The same from the first press on, in hundredths from the opening on, up to the end."""


def test_arbiter_hears_from_the_first_press_to_the_end() -> None:
    before = made(HAND, player="小雷 ")
    after = avf.read(avf.write(before))
    assert lines(after) == CLOCK
    same_game(before, after)
    assert dict(after.facts) == {
        "format": "AVF 52", "level": "custom", "mode": "standard", "marks": False, "cell_px": 16,
        "claimed_bv": 2, "claimed_ms": 1530, "player": "小雷 ",
        "program": f"demine {__version__}",
    }  # fmt: skip
    assert told(AVF, before) == [
        ("the times of everything before the first opening, "
         "and the pointer's path to the first click"),
        "what the hand did after the game was over", "the thousandths of a second",
    ]  # fmt: skip


def test_clone_hears_the_same() -> None:
    before = made(HAND, player="小雷 ")
    after = mvf.read(mvf.write(before))
    # Where a button comes down the pointer has come to; what changes nothing is no state.
    there, back = (0, 1, 56, 8), (1430, 1, 8, 40)
    assert lines(after) == [*CLOCK[:2], there, *CLOCK[2:5], back, *CLOCK[5:]]
    same_game(before, after)
    assert dict(after.facts) == {
        "format": "MVF 0.97 beta", "version": "0.97 beta", "level": "custom", "mode": "standard",
        "marks": False, "cell_px": 16, "claimed_bv": 2, "claimed_bv_solved": 2, "claimed_ms": 1530,
        "claimed_won": True,
        "player": "小雷 ", "program": f"demine {__version__}",
    }  # fmt: skip


@pytest.mark.parametrize("writer", BOTH)
@given(hand=recordings())
def test_any_recording_comes_to_the_same_game(
    writer: WritableFormat[Replay], hand: Recording
) -> None:
    before = made(hand)
    if hand.mine_map.all():
        return
    if not list(before.course.acts()):
        return
    data = writer.write(before)
    again = writer.read(data)
    assert recognised_format(data) is writer
    same_game(before, again)
    assert writer.write(again) == data
    assert isinstance(again, Replay)
    fresh = made(again.recording, **again.facts)
    assert lines(writer.read(writer.write(fresh))) == lines(again)


@given(recordings())
def test_avf_has_every_event_between_first_press_and_end(hand: Recording) -> None:
    if not np.isin(hand.signal, (2, 4, 6)).any() or (hand.signal > 7).any():
        return
    before = made(replace(hand, left_chords=False, flags_hold=True))
    found, course = before.recording, before.course
    first = int(np.isin(found.signal, (2, 4, 6)).argmax())
    last = course.end + 1 if course.end >= 0 else found.t.size
    again = avf.read(avf.write(before))
    assert again.recording.signal.tolist() == found.signal[first:last].tolist()
    zero = course.start_ms if course.start >= 0 else int(found.t[first])
    expected = np.maximum(found.t[first:last] - zero, 0) // 10 * 10
    assert again.recording.t.tolist() == expected.tolist()


@pytest.mark.parametrize("writer", BOTH)
@pytest.mark.parametrize(
    "source",
    [
        Vienna().data(), Vienna(version=1).data(), Meta().data(), Meta(cell=24).data(),
        Meta(version=4).data(), Raw().data(), Arbiter().data(), Clone().data(),
    ],
)  # fmt: skip
def test_replays_of_all_programs(writer: WritableFormat[Replay], source: bytes) -> None:
    before = read_replay(source)
    data, lost = convert(before, writer.name.lower())
    after = read_replay(data)
    same_game(before, after)
    assert after.format == writer.name
    assert after.facts.get("player") == before.facts.get("player")
    assert (data == source) is (before.format == writer.name)
    assert bool(lost) is (before.format != writer.name)
    assert load(data).board == before.game().board


@pytest.mark.parametrize("writer", BOTH)
def test_flags_that_stood_are_clicks(writer: WritableFormat[Replay]) -> None:
    hand_with = hand(LAYOUT, "pf 0,0; pf 0,0; pf 2,3; lc 0,3; lr 0,3")
    again = writer.read(writer.write(made(hand_with)))
    assert isinstance(again, Replay)
    clicks = [line[1] for line in lines(again) if line[1] != Signal.MV]
    assert clicks == [4, 5, 4, 5, 2, 3]
    assert again.course.flags[-1] == 2


@pytest.mark.parametrize("writer", BOTH)
@pytest.mark.parametrize("layout", ["8x8/10", "16x16/40", "30x16/99", "9x9/10", "31x31/200"])
@pytest.mark.parametrize("seed", [3, 4])
def test_levels_and_boards(writer: WritableFormat[Replay], layout: str, seed: int) -> None:
    width, _, height = layout.partition("/")[0].partition("x")
    shape, count = (int(height), int(width)), int(layout.partition("/")[2])
    board = np.zeros(shape, np.bool_)
    board.flat[np.random.default_rng(seed).permutation(board.size - 1)[:count]] = True
    x, y = (16 * size - 8 for size in (int(width), int(height)))
    events = np.array([(0, 2, x, y), (40, 3, x, y), (900, 1, 3, 5)]).T
    found = Recording(
        board, events[0].astype(np.int64), events[1].astype(np.uint8),
        events[2].astype(np.int32), events[3].astype(np.int32), questions=bool(seed % 2),
    )  # fmt: skip
    again = writer.read(writer.write(made(found)))
    assert isinstance(again, Replay)
    assert np.array_equal(again.recording.mine_map, board)
    assert again.recording.questions is found.questions
    level = {"8x8/10": "beginner", "16x16/40": "intermediate", "30x16/99": "expert"}.get(layout)
    said = "beginner" if layout == "9x9/10" and writer is MVF else "custom"
    assert again.facts["level"] == (level or said)


@pytest.mark.parametrize("writer", BOTH)
def test_games_that_do_not_fit(writer: WritableFormat[Replay]) -> None:
    with pytest.raises(ReplayError, match=f"{writer.name} files cannot hold a game without clicks"):
        writer.write(made(hand(LAYOUT, "mv 0,0")))
    long = hand(LAYOUT, "lc 0,3; lr 0,3; 70000000; lc 2,0; lr 2,0")
    with pytest.raises(ReplayError, match="holds games up to"):
        writer.write(made(long))
    wide = np.zeros((1, 256), np.bool_)
    wide[0, 0] = True
    with pytest.raises(ReplayError, match=r"holds boards up to \d+x\d+, not 256x1"):
        writer.write(made(replace(HAND, mine_map=wide)))


def test_arbiters_first_click_is_on_the_left() -> None:
    wide = np.zeros((1, 60), np.bool_)
    wide[0, 0] = True
    found = replace(HAND, mine_map=wide, x=HAND.x + 512, y=HAND.y % 16)
    with pytest.raises(ReplayError, match="first click is right of column 32"):
        avf.write(made(found))
    near = avf.read(avf.write(made(replace(found, x=HAND.x + 448))))
    assert near.course.opened.size


@pytest.mark.parametrize("writer", BOTH)
def test_points_outside_the_board(writer: WritableFormat[Replay]) -> None:
    found = hand(LAYOUT, "lc out; lr out; lc 0,3; lr 0,3; mv out; rc out; rr out; lc 2,0; lr 2,0")
    before = made(found)
    again = writer.read(writer.write(before))
    assert isinstance(again, Replay)
    same_game(before, again)
    assert {line[2:] for line in lines(again)} == {(64, 48), (56, 8), (8, 40)}
    assert "where the pointer was while it was outside the board" in told(writer, before)


def test_clone_says_where_the_pointer_was_outside() -> None:
    found = hand(LAYOUT, "lc 0,3; lr 0,3; mv 4,5; lc 2,0; lr 2,0")
    assert (88, 72) in {line[2:] for line in lines(mvf.read(mvf.write(made(found))))}


@pytest.mark.parametrize("writer", BOTH)
def test_larger_cells_are_told(writer: WritableFormat[Replay]) -> None:
    before = made(hand(LAYOUT, "lc 0,3; lr 0,3; lc 2,0; lr 2,0", cell=24))
    same_game(before, writer.read(writer.write(before)))
    assert any("at 24 pixels a cell" in loss for loss in told(writer, before))


def test_clone_says_nothing_twice() -> None:
    again = hand(LAYOUT, "lc 0,3; lr 0,3; mv 0,3; lc 1,1; lc 1,1; lr 1,1; lr 1,1")
    still = made(replace(again, t=np.maximum(again.t - 100, 0)))
    assert told(MVF, still) == ["mouse events that changed nothing"]
    assert told(AVF, still) == []


@pytest.mark.parametrize(
    ("started", "ended", "kept", "lost"),
    [
        (None, None, (None, None), []),
        ("2024-08-10T18:06:28.971", "2024-08-10T18:07:01.005",
         ("2024-08-10T18:06:28.971", "2024-08-10T18:07:01.005"), []),
        ("2023-12-31T23:59:59.009", "2024-01-01T00:00:01",
         ("2023-12-31T23:59:59.009", "2024-01-01T00:00:01.000"), []),
        ("2024-08-10T18:06:28.971031+02:00", None,
         ("2024-08-10T18:06:28.971", None),
         ["the time zone of its date", "fractions of a millisecond in its date"]),
        ("2024-08-10T18:06:28", "2024-08-01T00:00:00",
         ("2024-08-10T18:06:28.000", None), ["when the game ended"]),
        ("2024-08-10T18:06:28", "2024-11-01T00:00:00",
         ("2024-08-10T18:06:28.000", None), ["when the game ended"]),
        ("no date", "2024-11-01T00:00:00", (None, None), ["when the game ended"]),
        ("1970-01-01T00:00:00", "1970-01-01T00:00:01", (None, None), ["when the game ended"]),
    ],
)  # fmt: skip
def test_dates_of_arbiter(
    started: str | None, ended: str | None, kept: tuple[str | None, str | None], lost: list[str]
) -> None:
    facts = {name: said for name, said in (("started", started), ("ended", ended)) if said}
    before = made(ONE, **facts)
    after = avf.read(avf.write(before)).facts
    assert (after.get("started"), after.get("ended")) == kept
    assert [each for each in told(AVF, before) if "date" in each or "ended" in each] == lost


def test_dates_of_clone() -> None:
    said = "2024-08-10T18:06:28.971+00:00"
    before = made(ONE, started=said, mode="win7")
    assert mvf.read(mvf.write(before)).facts["started"] == "2024-08-10T18:06:28"
    assert told(MVF, before) == [
        "the mode of the game", "the time zone of its date",
        "fractions of a second in its starting time",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "lost"),
    [
        ({"country": "JP", "skin": "3.1", "high_score": True}, []),
        ({"country": "Japan"}, ["these facts: country"]),
        ({"mode": "upk"}, ["the mode of the game"]),
        ({"player": "A\rda"}, ["the exact wording of player"]),
        ({"player": "雷" * 134}, ["the exact wording of player"]),
        ({"skin": "a\nb"}, ["the exact wording of skin"]),
        ({"player": "小雷", "player_bytes": "小雷".encode("gbk").hex()}, []),
    ],
)  # fmt: skip
def test_what_arbiter_says_of_a_game(facts: dict[str, Fact], lost: list[str]) -> None:
    before = made(ONE, **facts)
    assert told(AVF, before) == lost
    after = avf.read(avf.write(before)).facts
    if not lost:
        assert {name: after.get(name) for name in facts} == facts


@pytest.mark.parametrize("name", ["", "Ada", "Ada ", "A:b", "x" * 255, "雷" * 86, "a\nb"])
def test_names_of_clone(name: str) -> None:
    before = made(ONE, player=name)
    whole = mvf.read(mvf.write(before)).facts.get("player", "") == name
    assert whole is (len(name.encode()) < 256)
    assert ("the exact wording of player" not in told(MVF, before)) is whole


@pytest.mark.parametrize("writer", BOTH)
def test_nothing_passes_for_another_programs_own_replay(writer: WritableFormat[Replay]) -> None:
    source = read_replay(Vienna(checksum=b"secret").data())
    data = writer.write(source)
    assert f"demine {__version__}".encode() in data
    assert b"secret" not in data
    after = writer.read(data).facts
    assert after["program"] == f"demine {__version__}"
    assert not {"checksum", "official", "fair"} & set(after)


def test_a_game_of_our_own() -> None:
    game = played(game_on(LAYOUT), "flag 0,0; open 0,3; open 2,0")
    game.touch(Touch(9000, "", "move", 3, 3))
    for writer in BOTH:
        data, lost = convert(game, writer.name)
        assert "what was done by key or finger: stored as clicks" in map(str, lost)
        assert np.array_equal(load(data).board.flag_map, game.board.flag_map)


@given(
    t=st.lists(st.integers(0, 3000), max_size=30),
    points=st.lists(st.tuples(st.integers(0, 511), st.integers(0, 511)), min_size=30, max_size=30),
)
def test_states_hold_all_points(t: list[int], points: list[tuple[int, int]]) -> None:
    board = np.zeros((31, 31), np.bool_)
    board[30, 30] = True
    events = [(0, 2, 8, 8), (0, 3, 8, 8)]
    events += [(10 * at, 1, *point) for at, point in zip(sorted(t), points, strict=False)]
    table = np.array(events).T
    found = Recording(
        board, table[0].astype(np.int64), table[1].astype(np.uint8), table[2].astype(np.int32),
        table[3].astype(np.int32),
    )  # fmt: skip
    course = made(found).course
    kept = events if course.end < 0 else events[: course.end + 1]
    again = [line for line in lines(mvf.read(mvf.write(made(found)))) if line[1] == Signal.MV]
    moves, last = [], (8, 8)
    for line in kept[2:]:
        if line[2:] != last:
            moves.append(line)
        last = line[2:]
    assert again == moves


@pytest.mark.parametrize(
    "name",
    [name for name in samples.names("*/**/*.*") if name.endswith((".avf", ".evf", ".mvf", ".rmv"))],
)
@pytest.mark.parametrize("writer", BOTH)
def test_samples(name: str, writer: WritableFormat[Replay]) -> None:
    data = samples.data(name)
    if samples.manifest().get(name, {}).get("expected", {}).get("must_fail"):
        return
    before = read_replay(data)
    if writer is MVF and max(before.recording.mine_map.shape) > 31:
        return
    after = writer.read(writer.write(before))
    assert isinstance(after, Replay)
    same_game(before, after)
    assert after.facts.get("player") == before.facts.get("player")
    if before.format == writer.name:
        assert writer.write(before) == data


def test_events_of_arbiter_that_mean_the_same_are_written_as_they_were() -> None:
    kinds = [(900, -code, 3, 3) for code in (21, 145, 193, 33, 11)]
    data = Arbiter(lines=[*CLICKS[1:3], *kinds]).data()
    assert avf.write(avf.read(data)) == data
