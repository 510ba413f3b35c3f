"""What a screen reader finds, asked through Qt's own accessibility."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtGui import QAccessible, QAccessibleEvent, QAccessibleInterface
from PySide6.QtTest import QTest

from demine.desktop.accessibility import AccessibleBoard, AccessibleCell
from demine.desktop.window.main_window import MainWindow
from demine.logic.event import Verb
from demine.scene.cell_faces import Face
from demine.scene.header_layout import Tool
from demine.scene.key_bindings import Command
from tests.desktop.room import middle, room

pytestmark = pytest.mark.usefixtures("app")
NAME, VALUE = QAccessible.Text.Name, QAccessible.Text.Value
DESCRIPTION = QAccessible.Text.Description


@pytest.fixture
def window() -> Iterator[MainWindow]:
    with room() as opened:
        opened.finish_startup()
        yield opened


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What a screen reader is told from now on: event and name, or the sentence."""
    heard: list[tuple[Any, ...]] = []

    def hear(event: QAccessibleEvent) -> None:
        kind = event.type()
        if kind is QAccessible.Event.Announcement:
            heard.append((kind, event.message()))  # type: ignore[attr-defined]
            return
        about = event.accessibleInterface()
        heard.append((kind, about.text(NAME)))

    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", hear)
    return heard


def board_of(window: MainWindow) -> AccessibleBoard:
    found = QAccessible.queryAccessibleInterface(window.board)
    assert isinstance(found, AccessibleBoard)
    return found


def cell_of(window: MainWindow, row: int, col: int) -> QAccessibleInterface:
    found = board_of(window).child(row * 9 + col)
    assert found is not None
    return found


def actions_of(window: MainWindow, row: int, col: int) -> AccessibleCell:
    cell = cell_of(window, row, col)
    assert isinstance(cell, AccessibleCell)
    return cell


def test_the_board_is_a_table_of_cells(window: MainWindow) -> None:
    board = board_of(window)
    assert board.role() is QAccessible.Role.Table
    assert board.text(NAME) == "Board of 9 rows and 9 columns"
    assert board.text(VALUE) == "Beginner · chosen seed"
    assert board.childCount() == 81
    cell = cell_of(window, 3, 6)
    assert cell.role() is QAccessible.Role.Cell
    assert cell.parent() is board
    assert board.indexOfChild(cell) == 33
    assert board.child(81) is None
    assert cell.childCount() == 0


def test_cells_say_where_they_are_and_what_they_show(window: MainWindow) -> None:
    play = window.controller.session.play
    assert cell_of(window, 3, 6).text(NAME) == "row 4, column 7: covered"
    window.controller.act_at(Command.ACT, (4, 4))
    window.controller.act_at(Command.FLAG, (0, 8))
    faces = window.controller.faces
    for row in range(9):
        for col in range(9):
            said, face = cell_of(window, row, col), Face(int(faces[row, col]))
            words = {Face.ZERO: "empty", Face.COVERED: "covered", Face.FLAG: "flag"}
            shown = words.get(face, str(int(face)))
            assert said.text(NAME) == f"row {row + 1}, column {col + 1}: {shown}"
            # Said twice it would be heard twice.
            assert said.text(VALUE) == said.text(DESCRIPTION) == ""
    assert play(Verb.RESIGN)


def test_cells_speak_the_language_set(window: MainWindow) -> None:
    window.change_preferences({"language": "zh_CN"})
    assert cell_of(window, 3, 6).text(NAME) == "第 4 行第 7 列：未打开"
    actions = actions_of(window, 3, 6)
    assert [actions.localizedActionName(name) for name in actions.actionNames()[:3]] == [
        "打开",
        "插旗",
        "双击",
    ]


def test_the_cell_at_a_point_is_found(window: MainWindow) -> None:
    spot = window.board.mapToGlobal(middle(window, 3, 6))
    cell = cell_of(window, 3, 6)
    assert board_of(window).childAt(spot.x(), spot.y()) is cell
    assert cell.rect().contains(spot)
    assert board_of(window).childAt(-5, -5) is None


def test_moving_the_cursor_moves_the_focus(window: MainWindow, told: list[tuple[Any, ...]]) -> None:
    window.board.setFocus()
    window.run_command(Command.DOWN)
    assert told[-1] == (QAccessible.Event.Focus, "row 5, column 5: covered")
    window.run_command(Command.RIGHT)
    assert told[-1] == (QAccessible.Event.Focus, "row 5, column 6: covered")
    focused = board_of(window).focusChild()
    assert focused is not None
    assert focused.text(NAME) == "row 5, column 6: covered"
    assert focused.state().focused == window.board.hasFocus()
    assert not cell_of(window, 0, 0).state().focused


def test_what_changes_is_told(window: MainWindow, told: list[tuple[Any, ...]]) -> None:
    cell_of(window, 0, 8)
    window.controller.act_at(Command.FLAG, (0, 8))
    assert (QAccessible.Event.NameChanged, "row 1, column 9: flag") in told


def test_of_a_cell_never_asked_for_nothing_is_told(
    window: MainWindow, told: list[tuple[Any, ...]]
) -> None:
    window.controller.act_at(Command.FLAG, (0, 8))
    assert not [each for each in told if each[0] is QAccessible.Event.NameChanged]


def test_what_the_cursor_finds_is_said(window: MainWindow, told: list[tuple[Any, ...]]) -> None:
    window.controller.move_cursor((0, 8))
    window.run_command(Command.FLAG)
    window.run_command(Command.FLAG)
    said = [each[1] for each in told if each[0] is QAccessible.Event.Announcement]
    assert said == ["flag", "covered"]


def test_a_board_of_another_shape_has_another_name(
    window: MainWindow, told: list[tuple[Any, ...]]
) -> None:
    window.run_command(Command.INTERMEDIATE)
    assert (QAccessible.Event.NameChanged, "Board of 16 rows and 16 columns") in told


def test_actions_act_at_their_cell_and_bring_the_cursor(window: MainWindow) -> None:
    faces = window.controller.faces
    actions = actions_of(window, 0, 8)
    assert actions.actionNames()[:3] == ["Open", "Flag", "Chord"]
    assert actions.keyBindingsForAction("Flag") == ["F"]
    actions.doAction("Flag")
    assert window.controller.faces[0, 8] == Face.FLAG
    assert window.controller.cursor == (0, 8)
    actions.doAction("Chord")
    actions.doAction("Open")
    assert window.controller.faces[0, 8] == Face.FLAG
    actions_of(window, 4, 4).doAction("Open")
    assert window.controller.faces[4, 4] == Face.ZERO
    assert faces[4, 4] == Face.COVERED
    actions_of(window, 2, 2).doAction(actions.setFocusAction())
    assert window.controller.cursor == (2, 2)


def test_the_end_is_announced(window: MainWindow, told: list[tuple[Any, ...]]) -> None:
    window.controller.act_at(Command.ACT, (4, 4))
    window.controller.session.play(Verb.RESIGN)
    window.controller.tick()
    sentences = [each[1] for each in told if each[0] is QAccessible.Event.Announcement]
    assert sentences[-1].startswith("You gave up after ")


def test_a_cell_of_a_board_that_is_gone_is_not_valid(window: MainWindow) -> None:
    window.run_command(Command.INTERMEDIATE)
    cell = board_of(window).child(255)
    assert cell is not None
    assert cell.isValid()
    window.run_command(Command.BEGINNER)
    assert not cell.isValid()
    assert cell.text(NAME) == ""


def test_a_cell_out_of_view_has_no_place_on_the_screen() -> None:
    with room("500x500/50000") as window:
        window.finish_startup()
        row = board_of(window).child(499)
        assert row is not None
        assert row.state().offscreen
        cell = row.child(0)
        assert cell is not None
        assert cell.rect().isEmpty()
        assert cell.state().offscreen


def test_the_panel_has_names(window: MainWindow) -> None:
    panel = window.panel
    said = {
        widget: QAccessible.queryAccessibleInterface(widget)
        for widget in (panel.mines, panel.time, panel.face, *panel.tools.values())
    }
    assert said[panel.mines].text(NAME) == "Mines left: 10"
    assert said[panel.time].text(NAME) == "Seconds: 0"
    assert said[panel.face].text(NAME) == "New game"
    assert said[panel.face].text(QAccessible.Text.Description) == "smiling"
    assert said[panel.face].role() is QAccessible.Role.Button
    names = [said[panel.tools[tool]].text(NAME) for tool in Tool]
    assert names == ["New game", "Level: Beginner", "Undo", "Hint", "Pause"]
    assert {said[panel.tools[tool]].role() for tool in Tool} == {QAccessible.Role.Button}
    states = [bool(said[panel.tools[tool]].state().disabled) for tool in Tool]
    assert states == [False, False, True, False, True]


def test_without_a_reader_nothing_is_made(window: MainWindow) -> None:
    made = len(board_of(window)._cells)
    window.controller.act_at(Command.ACT, (4, 4))
    QTest.qWait(1)
    assert len(board_of(window)._cells) == made or QAccessible.isActive()


def test_what_the_coach_says_is_announced(window: MainWindow, told: list[tuple[Any, ...]]) -> None:
    window.run_command(Command.HINT)
    sentence = "Start anywhere: the first cell is safe"
    assert (QAccessible.Event.Announcement, sentence) in told
    bar = QAccessible.queryAccessibleInterface(window.central.message_strip)
    assert bar.role() is QAccessible.Role.StatusBar
    assert bar.text(NAME) == sentence


def test_the_cells_of_a_large_board_stand_in_rows() -> None:
    with room("300x200/9000") as window:
        window.finish_startup()
        board = board_of(window)
        assert board.childCount() == 200
        row = board.child(7)
        assert row is not None
        assert (row.role(), row.text(NAME)) == (QAccessible.Role.Row, "Row 8")
        assert (row.childCount(), board.indexOfChild(row)) == (300, 7)
        cell = row.child(5)
        assert cell is not None
        assert cell.text(NAME) == "row 8, column 6: covered"
        assert row.indexOfChild(cell) == 5
        assert board.indexOfChild(cell) == -1
        above = cell.parent()
        assert above is not None
        assert above.text(NAME) == row.text(NAME)
        assert row.rect().contains(cell.rect())
        spot = cell.rect().center()
        found = row.childAt(spot.x(), spot.y())
        assert found is not None
        assert found.text(NAME) == cell.text(NAME)
        window.controller.move_cursor((7, 5))
        focused = board.focusChild()
        assert focused is not None
        assert focused.text(NAME) == cell.text(NAME)
        assert board.child(200) is None
        assert row.child(300) is None
        window.run_command(Command.BEGINNER)
        assert not row.isValid()
        assert board.childCount() == 81
