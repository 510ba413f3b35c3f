"""The analysis board under a real hand: painting, keys, fields, and the solver's answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import demine
from demine.cli.main import run
from demine.desktop.dialogs.analysis_board import AnalysisDialog, EditorBoard
from demine.logic.event import Act, Verb
from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command
from demine.scene.overlay import Mark
from demine.scene.themes import THEMES
from tests.desktop.dialogs_desk import access_keys, app, chinese, nameless, shown, until
from tests.desktop.room import room
from tests.desktop.watch_desk import watching

__all__ = ["app"]

ONE_TWO_ONE = "3x2/2\n1 2 1\n# # #\n"
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def dialog(app: QApplication) -> Iterator[AnalysisDialog]:
    """The analysis board on the screen, with three columns and two rows."""
    dialog = AnalysisDialog(None, THEMES["light"])
    shown(dialog)
    for box, number in ((dialog.width_box, 3), (dialog.height_box, 2), (dialog.mines_box, 2)):
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, str(number))
        QTest.keyClick(box, Qt.Key.Key_Return)
    yield dialog
    dialog.close()


def centre(board: EditorBoard, row: int, col: int) -> QPoint:
    """The middle of a cell on the widget."""
    rect = board.view.cell_rect(row, col)
    return QPoint(
        int((rect.x + rect.width / 2) / board.ratio), int((rect.y + rect.height / 2) / board.ratio)
    )


def answered(dialog: AnalysisDialog) -> None:
    """Wait for the solver."""
    until(lambda: not dialog.editor.view.is_thinking)


def test_a_painted_pattern_is_proven(dialog: AnalysisDialog) -> None:
    for col, face in enumerate((Face.ONE, Face.TWO, Face.ONE)):
        QTest.mouseClick(dialog.tools[face], LEFT)
        QTest.mouseClick(dialog.board, LEFT, pos=centre(dialog.board, 0, col))
    answered(dialog)
    assert dialog.answer_label.text().splitlines() == [
        "1 layout fits",
        "Certain: 1 safe, 2 mines",
        "Best: row 2, column 2, which is safe",
        "Chance to win, exactly: 100%",
    ]
    QTest.mouseClick(dialog.prove, LEFT)
    answered(dialog)
    assert str(demine.explain(ONE_TWO_ONE)) in dialog.answer_label.text()
    overlay = dialog.editor.view.overlay
    assert overlay is not None
    assert overlay.marks[1, 1] == Mark.SAFE
    QTest.mouseClick(dialog.tools["why"], LEFT)
    QTest.mouseClick(dialog.board, LEFT, pos=centre(dialog.board, 1, 0))
    answered(dialog)
    assert "Row 2, column 1 is a mine." in dialog.answer_label.text()


def test_keys_paint_at_the_cursor_and_take_it_back(dialog: AnalysisDialog) -> None:
    board = dialog.board
    QTest.mouseClick(board, RIGHT, pos=centre(board, 0, 0))
    assert dialog.editor.view.position.faces[0, 0] == Face.FLAG
    QTest.keyClicks(board, "1")
    QTest.keyClick(board, Qt.Key.Key_Right)
    QTest.keyClicks(board, "2")
    QTest.keyClick(board, Qt.Key.Key_Right)
    QTest.keyClicks(board, "1")
    QTest.keyClick(board, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == ONE_TWO_ONE
    QTest.keyClick(board, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert dialog.editor.view.position.faces[0].tolist() == [1, 2, Face.COVERED]
    QTest.mouseClick(dialog.clear, LEFT)
    QTest.mouseClick(dialog.paste, LEFT)
    assert dialog.editor.text_to_copy() == ONE_TWO_ONE
    assert not dialog.redo.isEnabled()


def test_a_drag_paints_every_cell(dialog: AnalysisDialog) -> None:
    QTest.mouseClick(dialog.tools[Face.TWO], LEFT)
    QTest.mousePress(dialog.board, LEFT, pos=centre(dialog.board, 0, 0))
    for col in (1, 2):
        QTest.mouseMove(dialog.board, centre(dialog.board, 0, col))
    QTest.mouseRelease(dialog.board, LEFT, pos=centre(dialog.board, 0, 2))
    assert dialog.editor.view.position.faces[0].tolist() == [2, 2, 2]
    QTest.mouseClick(dialog.undo, LEFT)
    assert dialog.editor.view.position.faces[0].tolist() == [Face.COVERED] * 3


def test_an_impossible_number_is_named(dialog: AnalysisDialog) -> None:
    dialog.board.setFocus()
    QTest.mouseClick(dialog.board, LEFT, pos=centre(dialog.board, 0, 0))
    QTest.keyClicks(dialog.board, "7")
    answered(dialog)
    assert dialog.trouble_label.text() == "the 7 at row 1, column 1 cannot be satisfied"
    assert dialog.trouble_label.isVisible()


def test_everything_has_a_name_and_a_key_of_its_own(dialog: AnalysisDialog) -> None:
    assert nameless(dialog) == []
    keys = access_keys(dialog)
    assert len(keys) == len(set(keys))
    with chinese():
        keys = access_keys(dialog)
        assert len(keys) == len(set(keys)) == 11
        assert dialog.windowTitle() == "分析局面"


def test_the_key_opens_it_and_the_game_is_taken_over(
    app: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[AnalysisDialog] = []

    def keep_open(page: AnalysisDialog) -> None:
        opened.append(page)

    monkeypatch.setattr(AnalysisDialog, "exec", keep_open)
    with room() as window:
        window.controller.session.play(Verb.OPEN, 4, 4)
        window.run_command(Command.ANALYSE)
        (page,) = opened
        assert (page.editor.view.position.faces == Face.COVERED).all()
        assert not page.undo.isEnabled()
        QTest.mouseClick(page.from_game, LEFT)
        assert page.undo.isEnabled()
        game = window.controller.session.game
        assert (page.editor.view.position.faces == demine.sight(game)).all()
        assert any(isinstance(act, Act) and act.verb is Verb.HINT for act in game.events)
        page.done(0)


def test_the_shell_opens_a_position_in_a_window(
    app: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    (tmp_path / "board.txt").write_text(ONE_TWO_ONE)
    said: list[str] = []

    def look() -> None:
        (page,) = [each for each in app.topLevelWidgets() if isinstance(each, AnalysisDialog)]
        answered(page)
        said.extend([page.editor.text_to_copy(), page.answer_label.text().splitlines()[0]])
        assert not page.undo.isEnabled()
        page.close()

    QTimer.singleShot(0, app, look)
    assert run(["analyse", str(tmp_path / "board.txt"), "--window"]) == 0
    assert said == [ONE_TWO_ONE, "1 layout fits"]


def test_a_moment_of_a_replay_is_analysed(
    app: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[AnalysisDialog] = []

    def keep_open(page: AnalysisDialog) -> None:
        opened.append(page)

    monkeypatch.setattr(AnalysisDialog, "exec", keep_open)
    with watching() as window:
        window.run_command("forth")
        QTest.keyClick(window, Qt.Key.Key_E)
        (page,) = opened
        faces = page.editor.view.position.faces
        assert (faces <= Face.EIGHT).any()
        assert (faces == window.playback.snapshot().faces).all()
        page.done(0)
