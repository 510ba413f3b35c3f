"""Guess-free boards and their proofs, from a real solver beside the window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from demine.desktop.window.main_window import MainWindow
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.play.board_message import BoardMessage, MessageKind
from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command
from tests.desktop.asking import ask, entry, until
from tests.desktop.room import click, room

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def window() -> Iterator[MainWindow]:
    with room("9x9/10", cell=24) as opened:
        yield opened


def test_guess_free_begins_at_once_or_with_the_next_game(window: MainWindow) -> None:
    window.run_command(Command.BEGINNER)
    entry(window, "Guess-free boards").trigger()
    assert entry(window, "Guess-free boards").isChecked()
    assert window.controller.session.game.rules == Rules(9, 9, 10, guess_free=True)
    assert window.windowTitle().startswith("Beginner, guess-free")
    click(window, 4, 4)
    until(lambda: window.controller.session.game.begun)
    game = window.controller.session.game
    assert game.ranked
    until(lambda: "hardest: " in window.windowTitle())
    assert "hardest: " in window.controller.status_text()
    QTest.keyClick(window.board, Qt.Key.Key_G)
    assert window.controller.session.game is game
    assert window.controller.status_text() == "Ordinary boards from the next game"
    window.run_command(Command.NEW)
    assert window.controller.session.game.rules == BEGINNER
    window.change_preferences({"guess_free": True})
    window.run_command(Command.EXPERT)
    assert window.controller.session.game.rules == Rules(
        EXPERT.width, EXPERT.height, EXPERT.mines, guess_free=True
    )


def test_where_the_first_cell_may_be_a_mine_nothing_is_guess_free(window: MainWindow) -> None:
    window.change_preferences({"first": "any"})
    window.run_command(Command.GUESS_FREE)
    assert not window.controller.session.game.rules.guess_free
    assert "need a safe first click" in window.controller.status_text()


def test_laying_is_told_and_may_be_given_up(window: MainWindow) -> None:
    window.controller.begin_game(Rules(9, 9, 10, guess_free=True))
    click(window, 4, 4)
    assert window.central.message_strip.text == "Making a guess-free board…"
    window.run_command(Command.CANCEL)
    assert not window.controller.session.game.begun
    click(window, 0, 0)
    until(lambda: window.controller.session.game.begun)
    assert window.controller.session.game.first_cell() == (0, 0)


# A proof


def test_a_proof_is_asked_for_twice_and_runs_to_its_end(window: MainWindow) -> None:
    window.controller.begin_game(Rules(9, 9, 10, guess_free=True))
    assert not entry(window, "Prove no guess is needed").isEnabled()
    window.run_command(Command.PROVE)
    assert "nothing to prove" in window.central.message_strip.text
    click(window, 4, 4)
    until(lambda: window.controller.session.game.begun)
    assert entry(window, "Prove no guess is needed").isEnabled()
    game = window.controller.session.game
    entry(window, "Prove no guess is needed").trigger()
    assert "Press again to confirm" in window.central.message_strip.text
    assert window.controller.session.game is game
    entry(window, "Prove no guess is needed").trigger()
    until(lambda: window.controller.hints.is_showing_proof)
    assert game.resigned
    strip = window.central.message_strip
    assert strip.text.startswith("Step 1 of ")
    assert not any(each.isVisible() for each in strip.buttons)
    back, forward, play = strip.proof_buttons
    shown = [each for each in strip.proof_buttons if each.isVisible()]
    assert [each.accessibleName() for each in shown] == ["Back", "Next", "Play"]
    assert [each.toolTip() for each in shown] == ["Back (Ctrl+Z)", "Next (Space)", "Play (P)"]
    QTest.mouseClick(forward, Qt.MouseButton.LeftButton)
    assert strip.text.startswith("Step 2 of ")
    QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    assert strip.text.startswith("Step 1 of ")
    QTest.mouseClick(play, Qt.MouseButton.LeftButton)
    assert (play.accessibleName(), play.icon_name) == ("Pause", "pause")
    until(lambda: strip.text.startswith("Step 3 of "))  # by itself
    QTest.keyClick(window.board, Qt.Key.Key_P)
    assert (play.accessibleName(), play.icon_name) == ("Play", "resume")
    while window.controller.hints.is_showing_proof:
        QTest.keyClick(window.board, Qt.Key.Key_Space)
    assert window.controller.session.game.status is Status.WON
    assert strip.text == "Proven: this board needs no guess"
    assert not window.controller.session.game.ranked
    assert not any(each.isVisible() for each in strip.proof_buttons)
    assert all(each.isVisible() for each in strip.buttons)


@pytest.mark.parametrize("width", [348, 1000])
def test_a_step_of_a_proof_has_four_lines_beside_its_buttons(
    window: MainWindow, width: int
) -> None:
    window.controller.begin_game(Rules(9, 9, 10, guess_free=True))
    click(window, 4, 4)
    until(lambda: window.controller.session.game.begun)
    window.run_command(Command.AGAIN)
    window.run_command(Command.PROVE)
    window.run_command(Command.PROVE)
    until(lambda: window.controller.hints.is_showing_proof)
    window.resize(width, window.height())
    until(lambda: window.central.message_strip.width() == width)
    strip = window.central.message_strip
    spots = [each.geometry() for each in (*strip.proof_buttons, strip.close_button)]
    assert all(strip.rect().contains(spot) for spot in spots)
    assert not any(one.intersects(other) for one, other in combinations(spots, 2))
    assert min(spot.x() for spot in spots) > strip._text_rect().right()
    strip.show_message(BoardMessage(MessageKind.HINT, "One\nTwo\nThree\nFour"))
    assert strip.shown_text == "One\nTwo\nThree\nFour"
    strip.show_message(BoardMessage(MessageKind.HINT, "One\nTwo\nThree\nFour\nFive"))
    assert strip.shown_text != "One\nTwo\nThree\nFour\nFive"


def test_a_proof_waits_while_a_dialog_stands_over_the_board(window: MainWindow) -> None:
    window.controller.begin_game(Rules(9, 9, 10, guess_free=True))
    click(window, 4, 4)
    until(lambda: window.controller.session.game.begun)
    window.run_command(Command.AGAIN)
    ask(window, Command.PROVE)
    until(lambda: window.controller.hints.is_showing_proof)
    window.run_command(Command.PAUSE)  # plays
    advice, dialog = window.controller.hints, QDialog(window)
    dialog.open()
    until(dialog.isVisible)
    said = window.central.message_strip.text
    looks: list[None] = []
    window._clock.timeout.connect(lambda: looks.append(None))
    until(lambda: len(looks) > 20)  # ten a second, which is longer than a step stands
    assert window.central.message_strip.text == said
    assert advice.is_showing_proof
    dialog.close()
    until(lambda: not dialog.isVisible())
    QTest.keyClick(window.board, Qt.Key.Key_Space)  # uncovers the board
    until(lambda: window.central.message_strip.text != said)
    assert advice.is_showing_proof


@pytest.mark.parametrize("how", ["escape", "flag"])
def test_a_proof_ends_when_the_player_wants_something_else(window: MainWindow, how: str) -> None:
    window.controller.begin_game(Rules(9, 9, 10, guess_free=True))
    click(window, 4, 4)
    until(lambda: window.controller.session.game.begun)
    window.run_command(Command.AGAIN)  # nothing is lost with this one
    ask(window, Command.PROVE)
    until(lambda: window.controller.hints.is_showing_proof)
    if how == "escape":
        QTest.keyClick(window.board, Qt.Key.Key_Escape)
    else:
        covered = np.argwhere(window.controller.faces == Face.COVERED)[0]
        click(window, int(covered[0]), int(covered[1]), Qt.MouseButton.RightButton)
    assert not window.controller.hints.is_showing_proof
    assert not window.controller.hints.overlay
