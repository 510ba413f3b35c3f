"""Help says the truth about its boards; help and about speak both languages."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

import demine
from demine.desktop.dialogs.about import AboutDialog
from demine.desktop.dialogs.help import HelpDialog, PageName, lesson_board_image
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face
from demine.scene.diagram import parse_scene
from demine.scene.how_to_play import LESSONS, LessonBoard
from demine.scene.key_bindings import Command, KeyMap
from demine.scene.sight import sight
from demine.scene.themes import THEMES
from tests.desktop.dialogs_desk import access_keys, app, chinese, nameless, pixels, shown, until
from tests.pictures import compare

__all__ = ["app"]

BOARDS = [shown for lesson in LESSONS for shown in lesson.boards]
PUZZLES = [board for board in BOARDS if parse_scene(board.diagram)[1].max() <= Face.FLAG]
_NUMBERED = Face.EIGHT


def layouts(board: LessonBoard) -> list[NDArray[np.bool_]]:
    """Every layout that fits the numbers, whatever the flags say."""
    rules, faces = parse_scene(board.diagram)
    number = faces <= _NUMBERED
    covered = np.flatnonzero(~number)
    matching = []
    for mines in combinations(covered, rules.mines):
        mine_map = np.zeros(rules.cells, np.bool_)
        mine_map[list(mines)] = True
        mine_map = mine_map.reshape(rules.shape)
        if (count_around(mine_map)[number] == faces[number]).all():
            matching.append(mine_map)
    return matching


SMALL = [board for board in PUZZLES if parse_scene(board.diagram)[0].cells < 30]


@pytest.mark.parametrize("board", SMALL, ids=lambda board: board.caption)
def test_flags_are_mines_and_marked_cells_safe_in_every_layout_that_fits(
    board: LessonBoard,
) -> None:
    matching = layouts(board)
    assert matching
    _, faces = parse_scene(board.diagram)
    for mine_map in matching:
        assert mine_map[faces == Face.FLAG].all()
        assert not any(mine_map[cell] for cell in board.safe)


def test_the_lesson_on_openings_is_a_real_click() -> None:
    before, after = next(lesson.boards for lesson in LESSONS if lesson.name == "opening")
    rules, faces = parse_scene(after.diagram)
    assert parse_scene(before.diagram)[0] == rules
    game = Game(rules, 16)
    assert after.ring is not None
    game.play(Act(0, Verb.OPEN, *after.ring))
    assert (sight(game) == faces).all()


def test_the_lesson_on_numbers_shows_a_single_covered_cell() -> None:
    (board, _) = next(lesson.boards for lesson in LESSONS if lesson.name == "numbers")
    _, faces = parse_scene(board.diagram)
    assert board.ring is not None
    row, col = board.ring
    around = faces[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
    assert (around == Face.COVERED).sum() == faces[row, col]


def test_the_chord_of_the_lesson_opens_what_is_shown() -> None:
    before, after = next(lesson.boards for lesson in LESSONS if lesson.name == "chord")
    (mine_map,) = layouts(after)
    rules, faces = parse_scene(after.diagram)
    _, started = parse_scene(before.diagram)
    assert before.ring is not None
    row, col = before.ring
    around = slice(row - 1, row + 2), slice(col - 1, col + 2)
    opened = started.copy()
    part = opened[around]
    part[part == Face.COVERED] = count_around(mine_map)[around][part == Face.COVERED]
    assert (opened == faces).all()
    assert rules.mines == mine_map.sum()


def test_the_guess_is_one() -> None:
    (board,) = next(lesson.boards for lesson in LESSONS if lesson.name == "guess")
    first, second = layouts(board)
    assert not (first & second).any()


def test_the_ends_show_one_layout_won_and_lost() -> None:
    won, lost = next(lesson.boards for lesson in LESSONS if lesson.name == "end")
    _, faces = parse_scene(won.diagram)
    (mine_map,) = [each for each in layouts(won) if (each == (faces == Face.FLAG)).all()]
    _, other = parse_scene(lost.diagram)
    shown_mines = np.isin(other, (Face.MINE, Face.BLOWN, Face.FLAG))
    assert (shown_mines == mine_map).all()
    assert (other == Face.BLOWN).sum() == (other == Face.WRONG).sum() == 1
    number = other <= _NUMBERED
    assert (count_around(mine_map)[number] == other[number]).all()


# The dialog


@pytest.fixture
def dialog(app: QApplication) -> HelpDialog:
    dialog = HelpDialog(None, THEMES["light"])
    shown(dialog)
    return dialog


@pytest.mark.parametrize(("page", "place"), [("play", 0), ("keys", 1)])
def test_opens_at_the_page_asked_for(app: QApplication, page: PageName, place: int) -> None:
    assert HelpDialog(None, THEMES["dark"], page, KeyMap()).tabs.currentIndex() == place


def test_shows_every_lesson_and_every_board(dialog: HelpDialog) -> None:
    said = dialog.play.text.toPlainText()
    for lesson in LESSONS:
        assert lesson.heading in said
        assert all(text in said for text in lesson.paragraphs)
        assert all(board.caption in said for board in lesson.boards)
    assert said.count("\ufffc") == len(BOARDS)
    assert dialog.play.sections.count() == len(LESSONS)


def test_a_section_is_gone_to_by_mouse_and_by_key(dialog: HelpDialog) -> None:
    bar = dialog.play.text.verticalScrollBar()
    sections = dialog.play.sections
    place = sections.visualItemRect(sections.item(4)).center()
    QTest.mouseClick(sections.viewport(), Qt.MouseButton.LeftButton, pos=place)
    far = bar.value()
    assert far > 0
    QTest.keyClick(sections, Qt.Key.Key_Up)
    assert 0 < bar.value() < far


def test_words_are_found_counted_and_gone_through(dialog: HelpDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = dialog.play.field
    assert field.hasFocus()
    QTest.keyClicks(field, "pink")
    assert dialog.play.match_count.text() == "1 place"
    assert dialog.play.text.textCursor().selectedText() == "pink"
    field.clear()
    QTest.keyClicks(field, "chord")
    count = dialog.play.text.toPlainText().lower().count("chord")
    assert dialog.play.match_count.text() == f"{count} places"
    places = []
    for _ in range(count + 1):
        places.append(dialog.play.text.textCursor().selectionStart())
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert len(set(places)) == count
    assert places[-1] == places[0]
    field.setText("xyzzy")
    assert dialog.play.match_count.text() == "Nothing found"
    assert dialog.play.text.extraSelections() == []
    assert dialog.isVisible()


def test_the_page_of_keys_says_the_keys_that_are_bound(app: QApplication) -> None:
    keymap = KeyMap.parse("new: f5\nquit:")
    dialog = HelpDialog(None, THEMES["light"], "keys", keymap)
    said = dialog.keys.text.toPlainText()
    assert "New game\nF5" in said
    assert "F2\n" not in said.replace("Shift+F2", "")
    assert "\nQuit\n" not in said
    assert keymap.keys(Command.QUIT) == ()
    with chinese():
        shown(dialog)
        assert "新局\nF5" in dialog.keys.text.toPlainText()


def test_a_language_switch_rewrites_and_keeps_the_place(dialog: HelpDialog) -> None:
    bar = dialog.play.text.verticalScrollBar()
    bar.setValue(300)
    with chinese():
        assert dialog.windowTitle() == "帮助"
        assert "定式 1-1" in dialog.play.text.toPlainText()
        assert dialog.play.text.toPlainText().count("\ufffc") == len(BOARDS)
        assert bar.value() == 300
        assert [b.text() for b in dialog.findChildren(QPushButton) if b.isVisible()][-1] == "关闭"
    assert "The pattern 1-1" in dialog.play.text.toPlainText()


@pytest.mark.parametrize("place", [0, 1])
def test_help_has_names_and_access_keys(dialog: HelpDialog, place: int) -> None:
    dialog.tabs.setCurrentIndex(place)
    assert nameless(dialog) == []
    assert sorted(access_keys(dialog)) == ["f", "h", "k", "n"]
    with chinese():
        assert sorted(access_keys(dialog)) == ["f", "h", "k", "n"]


def test_boards_grow_with_the_text(app: QApplication) -> None:
    thumbnail = HelpDialog(None, THEMES["light"]).play.cell_size
    dialog = HelpDialog(None, THEMES["light"])
    font = QFont(dialog.font())
    font.setPointSize(font.pointSize() * 2)
    dialog.play.text.setFont(font)
    assert dialog.play.cell_size > 1.5 * thumbnail


@pytest.mark.parametrize("wide", [420, 640, 760, 1100])
@pytest.mark.parametrize("points", [9, 14])
def test_nothing_is_to_be_scrolled_sideways(app: QApplication, wide: int, points: int) -> None:
    help_ = HelpDialog(None, THEMES["light"])
    help_.setFont(QFont(help_.font().family(), points))
    shown(help_)
    for width in (wide, 1500, wide):
        help_.resize(width, 560)
        columns = (
            (1 if width < 700 else 2) if points == 9 or width > 1200 else help_.play.boards_per_row
        )
        until(lambda: help_.play.boards_per_row == columns)  # noqa: B023  (called at once)
        until(lambda: help_.play.text.horizontalScrollBar().maximum() == 0)
        assert help_.width() == width


def test_escape_closes(dialog: HelpDialog) -> None:
    QTest.keyClick(dialog.play.text, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.parametrize("name", list(THEMES))
def test_boards_look_as_they_did_in_every_look(
    app: QApplication, name: str, regenerate: bool
) -> None:
    board = LESSONS[5].boards[1]
    drawn = lesson_board_image(board, THEMES[name], 28, 2.0)
    assert drawn.devicePixelRatio() == 2.0
    compare(array(drawn), f"desktop_dialogs/lesson-{name}", regenerate)


def array(drawn: QImage) -> NDArray[np.uint8]:
    plain = drawn.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1)
    return rows[:, : plain.width() * 3].reshape(plain.height(), plain.width(), 3).copy()


# About


def test_about_says_what_a_report_needs_and_copies_it(app: QApplication) -> None:
    dialog = AboutDialog(None)
    shown(dialog)
    copy = next(b for b in dialog.findChildren(QPushButton) if "Copy" in b.text())
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    for word in (f"demine {demine.__version__}", "Python 3.", "Qt 6.", "PySide 6.", "NumPy"):
        assert word in copied
    assert "player" in copied.splitlines()[-1]
    assert "MIT" in dialog._what.text()
    assert nameless(dialog) == []
    with chinese():
        assert "自由软件" in dialog._what.text()
        assert dialog._report.text().splitlines()[-1].startswith("对局与设置：")
    assert pixels(dialog).std() > 5
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
