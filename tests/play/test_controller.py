"""The controller that every scene stands on, without a scene."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from itertools import count

import numpy as np
import pytest

from demine.logic.event import Act, Touch
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT
from demine.play.clock import Clock
from demine.play.controller import Controller
from demine.play.controller_output import Changes
from demine.play.game_session import GameSession
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Button, Cell, recorded_button_name
from demine.scene.preferences import Preferences, StartOptions
from demine.scene.sounds import Sound
from demine.statistics.compute import stats
from demine.store import Store


class Played(Controller):
    """A controller that nobody draws; it writes down what it tells."""

    def __init__(self, session: GameSession, preferences: Preferences | None = None) -> None:
        self.told: list[Changes] = []
        self.heard: list[Sound] = []
        super().__init__(
            session,
            preferences or Preferences(sound=True),
            ask=nobody,
            wake=lambda: None,
            changed=self.told.append,
            speaker=lambda: self,
        )

    def is_available(self) -> bool:
        """Whether this machine can play sounds."""
        return True

    def play(self, sound: Sound) -> None:
        """Write a sound down."""
        self.heard.append(sound)

    # What tests ask of it

    def does(self, *commands: Command) -> None:
        for command in commands:
            assert self.run_command(command)

    def click(self, button: Button, cell: Cell | None) -> None:
        self.press(button, cell)
        self.release(button, cell)

    def face(self, row: int, col: int) -> Face:
        return Face(int(self.frame().faces[row, col]))

    def status(self) -> Status:
        return self.session.game.status


def nobody(*_: object, **__: object) -> Future[object]:
    """A solver that never answers."""
    return Future()


@pytest.fixture
def played() -> Iterator[Played]:
    store = Store.memory()
    yield Played(GameSession.begin(store, StartOptions(rules=BEGINNER, seed=7), Preferences()))
    store.close()


def test_nobody_acts_at_a_cell_unseen(played: Played) -> None:
    played.does(Command.ACT)
    assert played.status() is Status.READY
    assert played.frame().cursor == (4, 4)
    assert played.told[-1].cursor
    played.does(Command.ACT)
    assert played.status() is Status.RUNNING
    assert played.heard == [Sound.OPENING]


def test_the_mouse_hides_the_cursor_and_says_where_it_is(played: Played) -> None:
    played.does(Command.UP)
    played.click(Button.RIGHT, (2, 3))
    assert played.frame().cursor is None
    assert played.face(2, 3) is Face.FLAG
    played.does(Command.RIGHT)
    assert played.frame().cursor == (2, 4)


def test_a_paused_board_is_only_woken(played: Played) -> None:
    played.click(Button.LEFT, (4, 4))
    played.does(Command.PAUSE)
    assert played.frame().line() == "Paused · Click or press P to resume"
    played.click(Button.RIGHT, (0, 0))
    assert played.status() is Status.RUNNING
    assert played.face(0, 0) is not Face.FLAG
    played.does(Command.PAUSE, Command.ACT)
    assert played.status() is Status.RUNNING


def test_finished_numbers_fade_only_until_the_game_is_over(played: Played) -> None:
    played.click(Button.LEFT, (4, 4))
    board = played.session.game.board
    mines, safe = (np.argwhere(cells).tolist() for cells in (board.mine_map, ~board.mine_map))
    for row, col in mines:
        played.click(Button.RIGHT, (row, col))
    assert Look.DIM in played.frame().looks
    for row, col in safe:
        if played.face(row, col) is Face.COVERED:
            played.click(Button.LEFT, (row, col))
    assert played.status() is Status.WON
    assert Look.DIM not in played.frame().looks


def test_keys_at_the_pointer_need_a_pointer(played: Played) -> None:
    played.does(Command.HOVER_FLAG)
    played.move((1, 1))
    played.does(Command.HOVER_FLAG)
    assert played.face(1, 1) is Face.FLAG
    played.move(None)
    played.does(Command.HOVER_FLAG)
    assert played.face(1, 1) is Face.FLAG


def test_another_board_has_another_cursor(played: Played) -> None:
    played.does(Command.UP, Command.EXPERT)
    assert played.frame().faces.shape == EXPERT.shape
    assert played.told[-1].game
    assert played.frame().cursor == (EXPERT.height // 2, EXPERT.width // 2)


def test_what_is_the_scenes_own_is_left_to_it(played: Played) -> None:
    assert not played.run_command(Command.ZOOM_IN)
    assert not played.run_command(Command.HELP)


@pytest.mark.parametrize("command", [Command.UNDO, Command.PAUSE])
def test_what_cannot_be_done_before_the_game_is_answered_in_words(
    played: Played, command: Command
) -> None:
    title = played.status_text()
    played.does(command)
    assert played.status_text() not in ("", title)
    assert played.frame().line() == played.status_text()


def test_news_do_not_hide_the_hint_that_is_asked_after_them(played: Played) -> None:
    played.does(Command.UNDO, Command.HINT)
    assert played.board_message().text == "Start anywhere: the first cell is safe"


def test_changes_are_told_once_a_call(played: Played) -> None:
    played.press(Button.LEFT, (4, 4))
    played.told.clear()
    played.release(Button.LEFT, (4, 4))
    assert played.told == [Changes(faces=True, held=True, panel=True, words=True)]
    played.told.clear()
    played.move((4, 5))
    assert played.told == []


def test_choices_count_at_once_and_are_told(played: Played) -> None:
    played.told.clear()
    played.apply_preferences({"questions": True, "guess_free": True})
    assert str(played.session.game.rules) == "9x9/10 guess-free"
    assert played.mouse.options.questions
    assert len(played.told) == 1
    assert played.told[0].preferences
    assert played.told[0].game
    played.does(Command.SOUND, Command.GUESS_FREE)
    assert played.preferences.as_settings()["sound"] is False
    assert str(played.session.game.rules) == "9x9/10"
    assert played.frame().news == "Ordinary boards, which may need a guess"


def test_who_leaves_shows_what_the_next_start_shows(played: Played) -> None:
    played.does(Command.UP, Command.THEME)
    played.press(Button.LEFT, (0, 0))
    assert Look.PRESSED in played.frame().looks
    played.reset_for_exit()
    hints = played.hints
    assert (hints.text, hints.is_waiting_for_solver, hints.overlay) == ("", False, None)
    frame = played.frame()
    assert (frame.cursor, frame.news, frame.overlay) == (None, "", None)
    assert Look.PRESSED not in frame.looks


@pytest.mark.parametrize(
    ("button", "shift", "ctrl", "name"),
    [
        (Button.LEFT, False, False, "left"),
        (Button.LEFT, True, True, "shift+left"),
        (Button.LEFT, False, True, "ctrl+left"),
        (Button.RIGHT, True, False, "right"),
    ],
)
def test_touches_name_the_key_that_was_held(
    button: Button, shift: bool, ctrl: bool, name: str
) -> None:
    assert recorded_button_name(button, shift=shift, ctrl=ctrl) == name


def touched_and_acted(played: Played, row: int, col: int) -> None:
    """Click on a cell; the release and the act have to be of one moment."""
    point = 16 * col + 8, 16 * row + 8
    played.press(Button.LEFT, (row, col), point)
    played.release(Button.LEFT, (row, col), point)
    events = played.session.game.events
    releases = [event for event in events if isinstance(event, Touch)]
    acts = [event for event in events if isinstance(event, Act)]
    assert releases[-1].t == acts[-1].t


def test_a_click_and_what_it_does_have_one_time() -> None:
    """Even where every reading of the clock is a millisecond later than the one before."""
    readings = (number / 1000 for number in count())
    with Store.memory() as store:
        options, clock = StartOptions(rules=BEGINNER, seed=7), Clock(now=lambda: next(readings))
        played = Played(GameSession.begin(store, options, Preferences(), clock))
        game = played.session.game
        touched_and_acted(played, 4, 4)
        touched_and_acted(played, *np.argwhere(game.board.mine_map)[0].tolist())
    assert game.status is Status.LOST
    assert stats(game)["time"] == game.time_ms / 1000


def well_under_way(played: Played) -> None:
    """Open the middle and flag a mine."""
    played.click(Button.LEFT, (4, 4))
    row, col = (int(at) for at in np.argwhere(played.session.game.board.mine_map)[0])
    played.click(Button.RIGHT, (row, col))


def test_undo_tells_how_much_more_it_can_take_back(played: Played) -> None:
    well_under_way(played)
    played.does(Command.UNDO)
    assert played.status_text() == "Undone, 1 more to undo · Beginner · chosen seed"
    played.does(Command.UNDO)
    assert played.status_text() == "Undone, nothing left to undo · Beginner · practice: undone"


def test_what_was_chosen_for_the_next_game_comes_back_too(played: Played) -> None:
    played.save_preferences(rules="9x9/10")
    well_under_way(played)
    played.does(Command.GUESS_FREE)
    chosen = played.chosen_next_rules
    assert chosen is not None
    played.does(Command.EXPERT)
    assert played.preferences.rules != "9x9/10"
    assert played.chosen_next_rules is None
    played.does(Command.UNDO)
    assert played.preferences.rules == "9x9/10"
    assert played.rules_of_next_game == chosen


def test_the_word_names_the_players_own_key(played: Played) -> None:
    played.save_preferences(keymap="undo: f9")
    well_under_way(played)
    played.does(Command.NEW)
    assert played.status_text() == "New game. F9 brings the last one back."


def test_who_leaves_after_a_slip_leaves_with_the_game(played: Played) -> None:
    played.save_preferences(rules="9x9/10")
    well_under_way(played)
    faces = played.frame().faces
    played.does(Command.EXPERT)
    played.reset_for_exit()
    assert played.status() is Status.PAUSED
    played.does(Command.PAUSE)
    np.testing.assert_array_equal(played.frame().faces, faces)
    assert played.preferences.rules == "9x9/10"


def test_the_same_board_again_before_the_first_click_is_nothing(played: Played) -> None:
    title = played.status_text()
    played.does(Command.AGAIN)
    assert played.status_text() == title
