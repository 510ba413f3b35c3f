"""The values above the board, of games in every status."""

from __future__ import annotations

import numpy as np
import pytest

from demine.logic.event import Act, Lay, Verb
from demine.logic.game import BaseGame, Status
from demine.logic.rules import Rules
from demine.scene.face_mood import FaceMood
from demine.scene.led_text import led_text
from demine.scene.panel import Panel, panel_of

#   * 1 .
#   1 1 .
#   . . .
MINES = np.array([[1, 0, 0], [0, 0, 0], [0, 0, 0]], dtype=np.bool_)


def game() -> BaseGame:
    made = BaseGame(Rules(3, 3, 1), seed=0)
    made.lay(Lay(0, MINES))
    return made


def test_a_new_game() -> None:
    assert panel_of(game(), 5999) == Panel(1, 0, FaceMood.IDLE, "", can_hint=True)


def test_flags_count_and_the_clock_waits_for_the_first_opening() -> None:
    made = game()
    for t, (row, col) in enumerate([(0, 0), (2, 2), (2, 1)]):
        made.play(Act(t, Verb.FLAG, row, col))
    assert panel_of(made, 5000) == Panel(-2, 0, FaceMood.IDLE, "", can_hint=True)


def test_a_running_game_follows_the_callers_clock() -> None:
    made = game()
    made.play(Act(0, Verb.OPEN, 0, 1))
    assert made.status is Status.RUNNING
    assert [panel_of(made, ms).seconds for ms in (-5, 0, 999, 1000, 3_600_000)] == [
        0,
        0,
        0,
        1,
        3600,
    ]
    assert panel_of(made, 0, cell_held=True).mood is FaceMood.WORRIED
    running = panel_of(made, 0, can_undo=True)
    assert (running.can_undo, running.can_hint, running.can_pause) == (True, True, True)
    assert not running.can_resume
    assert not running.over
    assert panel_of(made, 0, cell_held=True, face_pressed=True).mood is FaceMood.PRESSED


def test_a_paused_game() -> None:
    made = game()
    made.play(Act(0, Verb.OPEN, 0, 1))
    made.play(Act(2500, Verb.PAUSE))
    assert panel_of(made, 2500, cell_held=True) == Panel(
        1, 2, FaceMood.IDLE, "Paused", can_resume=True
    )


def test_a_won_game_shows_every_mine_flagged_and_its_own_time() -> None:
    made = game()
    made.play(Act(0, Verb.OPEN, 0, 1))
    made.play(Act(7300, Verb.OPEN, 2, 2))
    assert panel_of(made, 99_000, cell_held=True) == Panel(0, 7, FaceMood.WON, "Win", over=True)
    assert panel_of(made, 0, face_pressed=True).mood is FaceMood.PRESSED


def test_a_lost_game() -> None:
    made = game()
    made.play(Act(0, Verb.OPEN, 0, 1))
    made.play(Act(1100, Verb.FLAG, 1, 1))
    made.play(Act(4200, Verb.OPEN, 0, 0))
    assert panel_of(made, 99_000) == Panel(0, 4, FaceMood.LOST, "Game over", over=True)


def test_a_resigned_game_is_over() -> None:
    made = game()
    made.play(Act(0, Verb.OPEN, 0, 1))
    made.play(Act(1999, Verb.RESIGN))
    assert panel_of(made, 5000) == Panel(1, 1, FaceMood.LOST, "Given up", over=True)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (42, 3, "042"),
        (0, 3, "000"),
        (-7, 3, "-07"),
        (-99, 3, "-99"),
        (-100, 3, "-99"),
        (999, 3, "999"),
        (1000, 3, "999"),
        (1000, 4, "1000"),
        (-1000, 4, "-999"),
        (5, 2, "05"),
        (-10, 2, "-9"),
    ],
)
def test_led(value: int, digits: int, text: str) -> None:
    assert led_text(value, digits) == text
    assert len(led_text(value, digits)) == digits
