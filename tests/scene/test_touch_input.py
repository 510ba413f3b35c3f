"""What a finger does: taps, long presses, drags."""

from __future__ import annotations

import numpy as np
import pytest

from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command
from demine.scene.touch_input import Finger, FingerState, TouchOptions

HABITS = TouchOptions(hold_ms=300, tremble_px=12)
CELL = (3, 4)
FACES = np.full((9, 9), Face.COVERED, np.uint8)


@pytest.fixture
def finger() -> Finger:
    down = Finger(HABITS)
    down.press(CELL, (100, 100), 5000)
    return down


def test_a_tap(finger: Finger) -> None:
    assert finger.pressed_cells(FACES) == (CELL,)
    assert finger.due_long_press(5299) is None
    assert finger.release(5299) == (Command.ACT, CELL)
    assert finger.state is FingerState.NOTHING
    assert finger.pressed_cells(FACES) == ()


def test_a_long_press_acts_once_and_while_the_finger_is_down(finger: Finger) -> None:
    assert finger.due_long_press(5300) == (Command.FLAG, CELL)
    assert finger.due_long_press(5400) is None
    assert finger.release(5900) is None


def test_a_long_press_nobody_asked_about_acts_when_the_finger_is_lifted(finger: Finger) -> None:
    assert finger.release(5300) == (Command.FLAG, CELL)


def test_habits_may_be_the_other_way_round() -> None:
    finger = Finger(TouchOptions(tap=Command.FLAG, long=Command.ACT))
    finger.press(CELL, (0, 0), 0)
    assert finger.release(10) == (Command.FLAG, CELL)
    finger.press(CELL, (0, 0), 20)
    assert finger.due_long_press(2000) == (Command.ACT, CELL)


@pytest.mark.parametrize("tremble", [(112, 88), (100, 112), (88, 100)])
def test_a_finger_may_tremble(finger: Finger, tremble: tuple[int, int]) -> None:
    assert finger.move(tremble) is None
    assert finger.release(5100) == (Command.ACT, CELL)


def test_a_finger_that_moves_drags_and_asks_for_nothing(finger: Finger) -> None:
    assert finger.move((113, 100)) == (13, 0)
    assert finger.move((115, 90)) == (2, -10)
    assert finger.pressed_cells(FACES) == ()
    assert finger.due_long_press(9000) is None
    assert finger.release(9000) is None


def test_after_a_long_press_moving_drags_nothing(finger: Finger) -> None:
    finger.due_long_press(5300)
    assert finger.move((200, 200)) is None


def test_a_cancelled_finger_does_nothing(finger: Finger) -> None:
    finger.cancel()
    assert finger.release(5100) is None
    assert finger.move((200, 200)) is None


def test_beside_the_board_there_is_nothing_to_do() -> None:
    finger = Finger(HABITS)
    finger.press(None, (0, 0), 0)
    assert finger.pressed_cells(FACES) == ()
    assert finger.due_long_press(400) is None
    assert finger.release(401) is None


@pytest.mark.parametrize(
    ("face", "shown"),
    [(Face.COVERED, True), (Face.QUESTION, True), (Face.FLAG, False), (Face.ONE, False)],
)
def test_only_what_can_be_opened_looks_held_down(finger: Finger, face: Face, shown: bool) -> None:
    faces = FACES.copy()
    faces[CELL] = face
    assert finger.pressed_cells(faces) == ((CELL,) if shown else ())
