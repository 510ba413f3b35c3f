"""Games from recordings and recordings from games."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given

from demine.logic.errors import LayoutError
from demine.logic.event import BOARD_VERBS, Act, Touch, Verb
from demine.logic.game import BaseGame
from demine.logic.journal import format_journal, parse_journal
from demine.logic.rules import Rules
from demine.statistics.compute import Timeline, stats
from demine.statistics.game_from_recording import game_from_recording
from demine.statistics.play_recording import play_recording
from demine.statistics.recording_from_game import recording_from_game
from demine.statistics.recording_type import Recording, Signal
from tests.statistics.hands import fields, hand, recordings

PLAIN = "5x2/1\n*....\n....."


def acts(game: BaseGame) -> list[tuple[Verb, int, int, int]]:
    found = [event for event in game.events if isinstance(event, Act)]
    return [(act.verb, act.row, act.col, act.t) for act in found if act.verb in BOARD_VERBS]


@given(recordings())
def test_a_game_knows_its_recording(given_recording: Recording) -> None:
    game = game_from_recording(BaseGame, given_recording)
    again = recording_from_game(game)
    before, after = play_recording(given_recording), play_recording(again)
    assert [(*act[:3], act.t) for act in after.acts()] == [
        (*act[:3], act.t) for act in before.acts()
    ]
    assert np.array_equal(before.opened, after.opened)
    assert game_from_recording(BaseGame, again).board == game.board
    assert np.count_nonzero(again.signal < Signal.OPEN) == sum(
        isinstance(event, Touch) for event in game.events
    )
    if not (again.signal >= Signal.OPEN).any():
        assert np.array_equal(before.clicks, after.clicks)


FLAG_TOO_LATE = Recording(
    np.array([[True, False], [False, False]]),
    np.zeros(3, np.int64),
    np.array([Signal.LC, Signal.LR, Signal.PF], np.uint8),
    np.array([0, 1, 1], np.int32),
    np.array([0, 1, 1], np.int32),
    cell=1,
)
"""A flag "from before the recording began" on a cell that is open by then: nobody clicked."""


@example(FLAG_TOO_LATE)
@given(fields())
def test_a_recording_its_game_and_its_journal_have_the_same_figures(
    given_recording: Recording,
) -> None:
    game = game_from_recording(BaseGame, given_recording)
    again = parse_journal(BaseGame, format_journal(game))
    assert again == game
    figures = dict(Timeline(given_recording).at())
    assert dict(stats(game)) == figures
    assert dict(stats(again)) == figures


@pytest.mark.parametrize("second", ["rc", "cc"])
def test_half_clicks_hear_a_second_button_that_nobody_named(second: str) -> None:
    layout = "4x3/2\n*..*\n....\n...."
    text = f"lc 0,1; lr 0,1; rc 0,0; rr 0,0; lc 0,1; {second} 0,1; lr 0,1; rr 0,1"
    found = stats(game_from_recording(BaseGame, hand(layout, text)))
    # The press that flagged came up again before the chord, which began with another one.
    assert (found.half_clicks, found.half_clicks_rawvf, found.double_effective) == (0, 0, 1)


def test_keys_stand_beside_the_mouse() -> None:
    game = game_from_recording(
        BaseGame, hand(PLAIN, "lc 1,1; lr 1,1; flag 0,0; rc 0,1; rr 0,1; chord 1,1")
    )
    kept = recording_from_game(game).signal.tolist()
    assert kept == [Signal.LC, Signal.LR, Signal.FLAG, Signal.RC, Signal.RR]
    game = game_from_recording(
        BaseGame, hand(PLAIN, "lc 1,1; lr 1,1; flag 0,0; lc 1,1; rc 1,1; lr 1,1; rr 1,1")
    )
    assert acts(game_from_recording(BaseGame, recording_from_game(game))) == acts(game)


def test_undone_acts_are_left_out() -> None:
    game = BaseGame(Rules(9, 9, 10), 5)
    game.touch(Touch(0, "left", "press", 70, 70))
    game.touch(Touch(0, "left", "release", 70, 70))
    game.play(Act(0, Verb.OPEN, 4, 4))
    game.play(Act(9, Verb.FLAG, 0, 0))
    game.play(Act(10, Verb.UNDO))
    game.play(Act(11, Verb.FLAG, 0, 1))
    kept = recording_from_game(game)
    assert kept.signal.tolist() == [Signal.MV, Signal.MV, Signal.OPEN, Signal.FLAG]
    again = game_from_recording(BaseGame, kept)
    assert np.array_equal(again.board.flag_map, game.board.flag_map)
    assert np.array_equal(again.board.open_map, game.board.open_map)


def test_clicks_are_timed_by_the_acts_they_cause() -> None:
    game = BaseGame(Rules(9, 9, 10), 5)
    game.touch(Touch(0, "left", "press", 70, 70))
    game.touch(Touch(40, "left", "release", 70, 70))
    game.touch(Touch(160, "", "move", 71, 70))  # while the mines of a guess-free board are laid
    game.play(Act(300, Verb.OPEN, 4, 4))
    row, col = np.argwhere(game.board.mine_map)[0].tolist()
    x, y = 16 * col + 8, 16 * row + 8
    game.touch(Touch(1200, "left", "press", x, y))
    game.touch(Touch(1425, "left", "release", x, y))
    game.play(Act(1426, Verb.OPEN, row, col))
    found = stats(parse_journal(BaseGame, format_journal(game)))
    assert (found["time"], game.time_ms) == (1.426, 1426)
    assert (found["left"], found["double"], found["right"]) == (2, 0, 0)
    assert recording_from_game(game).signal.tolist() == [
        Signal.LC, Signal.LR, Signal.MV, Signal.LC, Signal.LR
    ]  # fmt: skip


def test_a_release_may_name_a_modifier() -> None:
    game = BaseGame(Rules(9, 9, 10), 5)
    game.touch(Touch(0, "ctrl+left", "press", 70, 70))
    game.play(Act(0, Verb.FLAG, 4, 4))
    game.touch(Touch(1, "ctrl+left", "release", 70, 70))
    game.play(Act(2, Verb.OPEN, 0, 0))
    kept = recording_from_game(game)
    assert kept.signal.tolist() == [Signal.TR, Signal.LR, Signal.OPEN]


def test_a_game_without_mines_is_no_recording() -> None:
    with pytest.raises(LayoutError, match="without mines"):
        recording_from_game(BaseGame(Rules(9, 9, 10), 5))
