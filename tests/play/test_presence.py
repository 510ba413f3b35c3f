"""Whoever leaves the board finds it covered, and its clock as it stood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from demine.logic.daily_board import Daily
from demine.logic.event import Act, Touch, Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER
from demine.play.clock import Clock
from demine.play.game_session import GameSession
from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Button, Cell
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store
from demine.store.daily import today_utc
from tests.play.test_controller import Played
from tests.play.test_game_session import Time

AWAY = ({"shown": False}, {"covered": True}, {"focused": False})


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def played(time: Time) -> Iterator[Played]:
    with Store.memory() as store:
        yield at_board(store, time, StartOptions(rules=BEGINNER, seed=7))


def at_board(store: Store, time: Time, options: StartOptions | None = None) -> Played:
    preferences = Preferences()
    return Played(
        GameSession.begin(store, options or StartOptions(), preferences, Clock(time)), preferences
    )


def under_way(played: Played, time: Time) -> None:
    """An opening is open, a cell is flagged, and a second has passed."""
    played.click(Button.LEFT, played.session.game.start or (4, 4))
    played.act_at(Command.FLAG, mine(played, 0))
    time.pass_ms(1000)


def mine(played: Played, number: int) -> Cell:
    row, col = np.argwhere(played.session.game.board.mine_map)[number]
    return int(row), int(col)


def covered(played: Played) -> bool:
    frame = played.frame()
    return bool((frame.faces == Face.COVERED).all()) and frame.pause_sign is not None


@pytest.mark.parametrize("away", AWAY)
def test_the_clock_stands_while_the_player_is_away(
    played: Played, time: Time, away: dict[str, bool]
) -> None:
    under_way(played, time)
    faces = played.frame().faces
    played.report_presence(**away)
    assert covered(played)
    time.pass_ms(60_000)
    played.report_presence()
    time.pass_ms(60_000)
    assert covered(played)  # nobody but the player uncovers it
    assert played.session.clock_ms == 1000
    played.click(Button.LEFT, (0, 0))
    np.testing.assert_array_equal(played.frame().faces, faces)
    time.pass_ms(10)
    assert played.session.clock_ms == pytest.approx(1010, abs=1)
    pause, resume = (event for event in played.session.game.events[-2:])
    assert (pause, resume) == (Act(1000, Verb.PAUSE), Act(1000, Verb.RESUME))


@pytest.mark.parametrize("away", AWAY)
def test_nothing_is_paused_before_the_beginning_or_after_the_end(
    played: Played, away: dict[str, bool]
) -> None:
    played.report_presence(**away)
    played.report_presence()
    assert played.status() is Status.READY
    played.click(Button.LEFT, (4, 4))
    for row, col in np.argwhere(~played.session.game.board.mine_map):
        played.act_at(Command.ACT, (int(row), int(col)))
    played.report_presence(**away)
    assert played.status() is Status.WON


def test_who_turns_elsewhere_pauses_only_if_that_is_wanted(played: Played, time: Time) -> None:
    under_way(played, time)
    played.save_preferences(pause_unfocused=False)
    played.report_presence(focused=False)
    assert played.status() is Status.RUNNING
    played.report_presence(focused=False, covered=True)
    assert played.status() is Status.PAUSED


def test_what_cannot_be_seen_cannot_be_uncovered(played: Played, time: Time) -> None:
    under_way(played, time)
    played.report_presence(covered=True)
    played.does(Command.PAUSE)
    played.act_at(Command.ACT, (0, 0))
    assert played.status() is Status.PAUSED


BOTH = (Button.LEFT, Button.RIGHT)


@pytest.mark.parametrize("buttons", [BOTH[:1], BOTH[1:], BOTH, BOTH[::-1]])
def test_the_click_that_uncovers_does_nothing_else(
    played: Played, time: Time, buttons: tuple[Button, ...]
) -> None:
    under_way(played, time)
    faces, cell = played.frame().faces, mine(played, 1)
    played.does(Command.PAUSE)
    begun = len(played.session.game.events)
    for button in buttons:
        played.press(button, cell, (8, 8))
    assert played.status() is Status.RUNNING
    for button in buttons:
        played.release(button, cell, (8, 8))
    np.testing.assert_array_equal(played.frame().faces, faces)
    assert list(played.session.game.events[begun:]) == [Act(1000, Verb.RESUME)]
    played.press(Button.RIGHT, cell, (8, 8))  # the next one counts
    assert played.face(*cell) is Face.FLAG
    assert isinstance(played.session.game.events[-2], Touch)


def test_a_release_that_is_lost_leaves_no_click_ignored(played: Played, time: Time) -> None:
    under_way(played, time)
    played.does(Command.PAUSE)
    played.press(Button.LEFT, mine(played, 1))
    played.cancel_input(releases_lost=True)
    played.press(Button.RIGHT, mine(played, 1))
    assert played.face(*mine(played, 1)) is Face.FLAG


@pytest.mark.parametrize(
    "command",
    [Command.ACT, Command.FLAG, Command.UP, Command.UNDO, Command.HINT, Command.HOVER_FLAG],
)
def test_the_key_that_uncovers_does_nothing_else(
    played: Played, time: Time, command: Command
) -> None:
    under_way(played, time)
    played.move_cursor(mine(played, 1))
    played.move(mine(played, 1))
    faces = played.frame().faces
    played.does(Command.PAUSE, command)
    assert played.status() is Status.RUNNING
    frame = played.frame()
    np.testing.assert_array_equal(frame.faces, faces)
    assert (frame.cursor, frame.hint) == (mine(played, 1), "")


def test_a_finger_on_a_covered_board_presses_nothing(played: Played, time: Time) -> None:
    under_way(played, time)
    played.does(Command.PAUSE)
    cell = mine(played, 1)
    played.set_touched_cells((cell,))
    assert not played.touched_cells
    played.act_at(Command.ACT, cell)
    assert (played.status(), played.face(*cell)) == (Status.RUNNING, Face.COVERED)


def test_the_board_says_why_it_is_covered(played: Played, time: Time) -> None:
    under_way(played, time)
    played.report_presence(focused=False)
    assert "Settings" in played.board_message().text
    played.does(Command.PAUSE, Command.PAUSE)
    assert "Settings" not in played.board_message().text
    sign = played.frame().pause_sign
    assert sign is not None
    assert sign == ("Paused", "Resume", "Click or press P to resume")


def quit_and_return(played: Played) -> None:
    played.reset_for_exit()
    played.session.close()


@pytest.mark.parametrize("leave", [quit_and_return, lambda _: None])
def test_a_game_waits_covered_after_a_new_start(
    data_dir: Path, time: Time, leave: Callable[[Played], None]
) -> None:
    del data_dir
    with Store.open() as store:
        before = at_board(store, time, StartOptions(rules=BEGINNER, seed=7))
        under_way(before, time)
        before.session.close()
        faces = before.frame().faces
        leave(before)
    with Store.open() as store:
        again = at_board(store, time)
        time.pass_ms(60_000)
        assert covered(again)
        assert again.session.clock_ms == 1000
        assert again.board_message().text == "This is your last game, as you left it."
        assert sum(isinstance(each, Act) for each in again.session.game.events) == 3
        again.click(Button.RIGHT, (0, 0))
        np.testing.assert_array_equal(again.frame().faces, faces)
        time.pass_ms(5)
        assert again.session.clock_ms == pytest.approx(1005, abs=1)


def test_uncovering_a_board_gives_no_other_game_up(data_dir: Path, time: Time) -> None:
    del data_dir
    daily = Daily(today_utc(), "beginner")
    with Store.open() as store:
        first = at_board(store, time, StartOptions(daily=daily))
        under_way(first, time)
        first.session.close()
    with Store.open() as store:
        played = at_board(store, time, StartOptions(rules=BEGINNER, seed=7, new=True))
        under_way(played, time)
        game = played.session.game
        played.resume_or_begin_daily(daily)
        assert covered(played)
        played.click(Button.LEFT, (0, 0))
        assert played.status() is Status.RUNNING
        assert played.session.can_bring_back_left_game
        played.does(Command.UNDO)
        assert played.session.game is game
        assert played.status() is Status.RUNNING
