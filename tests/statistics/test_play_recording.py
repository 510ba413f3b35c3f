"""The automaton of whole recordings, held to the windows' own mouse and to the rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.logic import flood_by_rows, undoable_openings
from demine.logic.errors import LayoutError
from demine.logic.event import BOARD_VERBS, Act, Verb
from demine.logic.game import BaseGame, Status
from demine.statistics import play_recording as plain_module
from demine.statistics.game_from_recording import game_from_recording
from demine.statistics.kernels import STATISTICS_KERNELS
from demine.statistics.kernels import play_recording as twin
from demine.statistics.layout_regions import LayoutRegions
from demine.statistics.play_recording import play_recording
from demine.statistics.played_recording import TAKES_BACK, Click, PlayedRecording
from demine.statistics.recording_type import Recording, Signal
from tests.statistics.hands import hand, recording, recordings, slowly

PLAIN = """6x4/3
*.....
......
......
..**.."""


def verbs(game: BaseGame) -> list[tuple[Verb, int, int, int]]:
    acts = [event for event in game.events if isinstance(event, Act)]
    return [(act.verb, act.row, act.col, act.t) for act in acts if act.verb in BOARD_VERBS]


def told(course: PlayedRecording) -> list[object]:
    """All that a course says, as plain values and the kinds of its arrays."""
    found = [getattr(course, name) for name in course.__dataclass_fields__ if name != "recording"]
    plain = [v.mines if isinstance(v, LayoutRegions) else v for v in found]
    return [(v.tolist(), str(v.dtype)) if isinstance(v, np.ndarray) else v for v in plain]


@given(recordings())
def test_the_kernel_is_a_twin(recorded: Recording) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(STATISTICS_KERNELS.loaded, "play_button_events", raising=False)
        plain = play_recording(recorded)
        patch.setitem(STATISTICS_KERNELS.loaded, "play_button_events", twin.play_button_events)
        assert told(play_recording(recorded)) == told(plain)


@pytest.mark.parametrize("questions", [0, 1])
@pytest.mark.parametrize("flags_hold", [0, 1])
def test_the_kernel_knows_every_act(questions: int, flags_hold: int) -> None:
    text = "question 0,1; pf 0,2; pf 0,2; pf out; flag 0,0; question 0,0; flag 0,1; question out;"
    text += "open 3,5; question 3,5; cc 1,1; cc 1,2; rr 1,2; lr 1,1; chord 1,1; chord out; open 0,3"
    recorded = hand(PLAIN, text, questions=questions, flags_hold=flags_hold)
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(STATISTICS_KERNELS.loaded, "play_button_events", raising=False)
        plain = play_recording(recorded)
        patch.setitem(STATISTICS_KERNELS.loaded, "play_button_events", twin.play_button_events)
        assert told(play_recording(recorded)) == told(plain)
    assert plain.events.size > 8


def test_the_kernel_is_asked_for_small_boards_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> int:
        raise AssertionError("too large for the kernel")

    monkeypatch.setitem(STATISTICS_KERNELS.loaded, "play_button_events", refuse)
    mines = np.zeros((65, 64), np.bool_)
    mines[0, 0] = True
    lines = [(0, Signal.LC, 500, 500), (9, Signal.LR, 500, 500)]
    assert play_recording(recording(mines, lines)).won
    with pytest.raises(AssertionError, match="too large"):
        play_recording(recording(mines[:64], lines))


def test_the_kernel_means_the_same_by_every_number() -> None:
    clicks = {each.name: each.value for each in Click}
    numbers = {name.removeprefix("CLICK_"): value for name, value in vars(twin).items()
               if name.startswith("CLICK_")}  # fmt: skip
    assert numbers == clicks
    assert (twin.BACK, twin.FACTS) == (TAKES_BACK, plain_module._FACTS)
    actions = ("OPEN", "MARK", "CHORD", "CHORD_BACK", "ASK", "PREFLAG")
    for action in actions:
        assert vars(twin)[f"ACTION_{action}"] == vars(plain_module)[f"_{action}"]
    for name in ("LC", "LR", "RC", "RR", "MC", "MR", "CC", "SC", "TR"):
        assert vars(twin)[name] == Signal[name]
    assert int(Signal.MV) == twin.NOTHING


def clicks(course: PlayedRecording) -> list[Click]:
    return [Click(click) for click in course.clicks.tolist()]


@given(recordings())
def test_plays_what_the_windows_play(recorded: Recording) -> None:
    course = play_recording(recorded)
    fast = game_from_recording(BaseGame, recorded)
    slow, _ = slowly(recorded, fast.rules.first)
    assert verbs(fast) == verbs(slow)
    assert fast.board == slow.board
    assert fast.status is slow.status
    assert fast.events == slow.events
    assert course.won == (slow.status is Status.WON)
    assert course.lost == (slow.status is Status.LOST)
    assert {divmod(cell, slow.rules.width) for cell in course.blown} == set(slow.board.blown)
    mask = np.zeros(slow.rules.cells, np.bool_)
    mask[course.opened] = True
    assert np.array_equal(mask.reshape(slow.rules.shape), slow.board.open_map)
    if course.flags.size:
        assert course.flags[-1] == slow.board.flags


@given(recordings())
def test_counts_what_the_windows_count(recorded: Recording) -> None:
    course = play_recording(recorded)
    _, tally = slowly(recorded)
    counts = np.bincount(course.clicks, minlength=16)
    back = np.count_nonzero(course.codes & TAKES_BACK)
    assert counts[1:6].sum() == tally.left
    assert counts[13:15].sum() == tally.double
    # The windows' count knows no board, so it also takes back what never counted.
    assert counts[6:13].sum() - back >= tally.right
    assert course.counted <= course.clicks.size


@given(recordings())
def test_every_click_knows_what_it_opened(recorded: Recording) -> None:
    course = play_recording(recorded)
    for place in range(course.events.size):
        opened = course.opened_by(place)
        code = course.clicks[place]
        assert bool(opened.size) <= (code in {Click.OPENED, Click.CHORDED, Click.LEFT_CHORDED})
        assert recorded.signal[course.events[place]] != Signal.MV
    assert (course.start >= 0) == bool(course.opened.size or course.blown)
    assert np.all(np.diff(course.events) >= 0)


def test_a_chord_begun_on_a_number_takes_its_right_click_back() -> None:
    text = "lc 0,5; lr 0,5; rc 0,0; rr 0,0; rc 0,1; lc 0,1; rr 0,1; lr 0,1"
    course = play_recording(hand(PLAIN, text))
    assert clicks(course)[:2] == [Click.OPENED, Click.FLAGGED]
    assert clicks(course)[2:] == [Click.RIGHT_IDLE, Click.CHORDED]
    assert course.codes[-1] & TAKES_BACK


def test_flag_slide_and_chord_keeps_its_right_click() -> None:
    course = play_recording(hand(PLAIN, "lc 1,1; lr 1,1; rc 0,0; lc 1,1; lr 1,1; rr 1,1"))
    assert clicks(course) == [Click.OPENED, Click.FLAGGED, Click.CHORDED]
    assert not (course.codes & TAKES_BACK).any()
    assert sorted(course.opened_by(2).tolist())[:2] == [1, 2]


def test_counting_begins_anew_while_no_flag_stands() -> None:
    course = play_recording(
        hand(PLAIN, "rc 0,0; rr 0,0; rc 0,0; rr 0,0; rc out; rr out; lc 0,5; lr 0,5")
    )
    assert clicks(course) == [
        Click.FLAGGED, Click.UNFLAGGED, Click.RIGHT_OUTSIDE, Click.OPENED,
    ]  # fmt: skip
    assert course.counted == 3
    assert (
        play_recording(hand(PLAIN, "rc 0,0; rr 0,0; lc out; lr out; lc 0,5; lr 0,5")).counted == 0
    )


def test_a_flag_from_before_the_recording_counts_once() -> None:
    course = play_recording(hand(PLAIN, "pf 0,0; pf 0,0; pf out; lc 0,5; lr 0,5"))
    assert clicks(course) == [Click.FLAGGED, Click.OPENED]
    assert course.flags.tolist() == [1, 1]


@pytest.mark.parametrize("pair", ["lc 1,1; cc 1,1", "rc 1,1; cc 1,1"])
def test_the_second_of_two_buttons_need_not_be_named(pair: str) -> None:
    course = play_recording(hand(PLAIN, f"lc 1,1; lr 1,1; rc 0,0; rr 0,0; {pair}; lr 0,1; rr 0,1"))
    assert Click.CHORDED not in clicks(course)  # 0,1 is still covered
    course = play_recording(hand(PLAIN, f"lc 1,1; lr 1,1; rc 0,0; rr 0,0; {pair}; lr 1,1; rr 1,1"))
    assert clicks(course)[-1] is Click.CHORDED


def test_keys_and_fingers_are_clicks_too() -> None:
    course = play_recording(
        hand(PLAIN, "open 1,1; flag 0,0; question 3,2; question 3,2; chord 1,1")
    )
    assert clicks(course) == [
        Click.OPENED, Click.FLAGGED, Click.ASKED, Click.CLEARED, Click.CHORDED,
    ]  # fmt: skip


def test_question_marks_come_where_the_player_wants_them() -> None:
    text = "rc 0,0; rr 0,0; rc 0,0; rr 0,0; rc 0,0; rr 0,0"
    assert clicks(play_recording(hand(PLAIN, text, questions=1))) == [
        Click.FLAGGED, Click.DOUBTED, Click.CLEARED,
    ]  # fmt: skip
    assert clicks(play_recording(hand(PLAIN, text))) == [
        Click.FLAGGED,
        Click.UNFLAGGED,
        Click.FLAGGED,
    ]


def test_left_alone_chords_where_the_player_wants_it() -> None:
    text = "lc 1,1; lr 1,1; rc 0,0; rr 0,0; lc 1,1; lr 1,1"
    assert clicks(play_recording(hand(PLAIN, text, left_chords=1)))[-1] is Click.LEFT_CHORDED
    assert clicks(play_recording(hand(PLAIN, text)))[-1] is Click.LEFT_IDLE


CUT = "6x2/1\n*.....\n......"
"""A board whose one opening a flag cuts."""
UNCUT = "rc 0,3; rr 0,3; rc 1,3; rr 1,3; lc 0,5; lr 0,5; rc 0,3; rr 0,3; rc 1,3; rr 1,3"
"""What cuts it, opens what is on this side, and takes the flags away."""


@pytest.mark.parametrize("how", ["lc 1,4; rc 1,4; lr 1,4; rr 1,4", "mc 1,4; mr 1,4", "chord 1,4"])
@pytest.mark.parametrize("compiled", [False, True])
def test_a_chord_on_an_open_zero_opens_what_a_flag_had_kept_covered(
    how: str, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(STATISTICS_KERNELS.loaded, "play_button_events", raising=False)
    if compiled:
        monkeypatch.setitem(
            STATISTICS_KERNELS.loaded, "play_button_events", twin.play_button_events
        )
    recorded = hand(CUT, f"{UNCUT}; {how}; lc 0,1; lr 0,1; lc 1,1; lr 1,1; lc 1,0; lr 1,0")
    course = play_recording(recorded)
    chord = clicks(course).index(Click.CHORDED)
    assert sorted(course.opened_by(chord).tolist()) == [1, 2, 3, 7, 8, 9]
    assert course.won
    game = game_from_recording(BaseGame, recorded)
    assert game.status is Status.WON
    assert [verb for verb, *_ in verbs(game)][5:] == [Verb.CHORD, Verb.OPEN]


def test_a_chord_on_an_open_zero_with_a_flag_around_it_opens_nothing() -> None:
    course = play_recording(hand(CUT, "rc 0,3; rr 0,3; lc 0,5; lr 0,5; mc 1,4; mr 1,4"))
    assert clicks(course)[-1] is Click.DOUBLE_IDLE


def test_left_alone_chords_on_an_open_zero_too() -> None:
    recorded = hand(CUT, f"{UNCUT}; lc 1,4; lr 1,4", left_chords=1)
    assert clicks(play_recording(recorded))[-1] is Click.LEFT_CHORDED
    game, _ = slowly(recorded, game_from_recording(BaseGame, recorded).rules.first)
    assert verbs(game)[-1][:3] == (Verb.CHORD, 1, 4)


def test_a_wrong_chord_opens_the_rest_and_loses() -> None:
    course = play_recording(
        hand(PLAIN, "lc 1,1; lr 1,1; rc 0,1; rr 0,1; lc 1,1; rc 1,1; lr 1,1; rr 1,1")
    )
    assert course.lost
    assert not course.won
    assert course.blown == (0,)
    assert course.opened_by(2).size
    assert course.end == 6


def test_nothing_is_heard_after_the_end() -> None:
    course = play_recording(hand("3x1/1\n*..", "lc 0,2; lr 0,2; rc 0,0; rr 0,0; lc 0,0; lr 0,0"))
    assert course.won
    assert clicks(course) == [Click.OPENED]
    assert (course.start, course.end, course.time_ms) == (1, 1, 0)


def test_a_recording_without_an_open_is_no_game_yet() -> None:
    for lines in ([], [(5, Signal.MV, 1, 1)], [(5, Signal.RC, 1, 1), (9, Signal.RR, 1, 1)]):
        course = play_recording(recording(np.eye(3, dtype=np.bool_), lines))
        assert (course.start, course.end, course.time_ms, course.won) == (-1, -1, 0, False)
        assert not game_from_recording(BaseGame, course.recording).begun


def test_points_as_far_as_points_go_are_outside() -> None:
    far = np.iinfo(np.int32)
    lines = [(0, signal, x, x) for x in (far.min, far.max) for signal in (Signal.RC, Signal.RR)]
    course = play_recording(recording(np.eye(3, dtype=np.bool_), lines))
    assert clicks(course) == [Click.RIGHT_OUTSIDE] * 2
    assert game_from_recording(BaseGame, course.recording).events


def test_refuses_a_mine_map_without_rows() -> None:
    with pytest.raises(LayoutError, match="rows and columns"):
        play_recording(recording(np.zeros(4, np.bool_), []))


@pytest.mark.parametrize("flags_hold", [False, True])
def test_a_huge_board_opens_in_no_time(flags_hold: bool) -> None:
    mines = np.zeros((1500, 1500), np.bool_)
    mines[::40, ::40] = True
    at = 20 * 16 + 8
    lines = [(0, Signal.RC, at + 64, at), (0, Signal.RR, at, at), (1, Signal.LC, at, at)]
    course = play_recording(
        recording(mines, [*lines, (2, Signal.LR, at, at)], flags_hold=flags_hold)
    )
    assert course.opened.size == mines.size - np.count_nonzero(mines) - flags_hold
    assert course.won != flags_hold


@given(recordings())
def test_large_openings_open_the_same(recorded: Recording) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_module, "_FAR", 0)
        far = play_recording(recorded)
        patch.setattr(undoable_openings, "_LARGE", 4)
        rows = play_recording(recorded)
        patch.setattr(flood_by_rows, "_PATIENCE", 0)
        winding = play_recording(recorded)
    near = play_recording(recorded)
    for other in (far, rows, winding):
        assert np.array_equal(other.codes, near.codes)
        assert np.array_equal(other.ends, near.ends)
        assert sorted(other.opened.tolist()) == sorted(near.opened.tolist())
        assert np.array_equal(other.flags, near.flags)


@given(recordings(), st.sampled_from((1, 7, 24, 255)))
def test_any_cell_size_is_the_same_game(recorded: Recording, cell: int) -> None:
    other = Recording(
        recorded.mine_map, recorded.t, recorded.signal,
        (recorded.x // 16 * cell).astype(np.int32), (recorded.y // 16 * cell).astype(np.int32),
        cell, recorded.questions, recorded.left_chords, recorded.flags_hold,
    )  # fmt: skip
    mine, its = play_recording(recorded), play_recording(other)
    assert np.array_equal(mine.codes, its.codes)
    assert np.array_equal(mine.opened, its.opened)
    assert verbs(game_from_recording(BaseGame, other)) == verbs(
        game_from_recording(BaseGame, recorded)
    )
