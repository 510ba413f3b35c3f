"""The main window in this process: menus, choices, languages, place, large boards."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QMenu, QWidget

from demine.desktop import colour_scheme
from demine.desktop.qt_keys import key_name, key_sequences
from demine.desktop.window.dialog_opener import DialogOpener
from demine.desktop.window.main_window import MainWindow
from demine.desktop.window.run_session import _reporting_errors
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import EXPERT, Rules
from demine.picture import seven_segment
from demine.scene.cell_faces import Face
from demine.scene.colours import contrast
from demine.scene.digit_palettes import OKABE_ITO, STRONG
from demine.scene.header_layout import LAMPS, Tool
from demine.scene.key_bindings import DEFAULT_KEYS, VI_KEYS, Command
from demine.scene.sounds import Sound
from demine.scene.themes import THEMES
from demine.scene.translation import current_language
from demine.store import StoreError
from tests.desktop.dialogs_desk import pixels, until
from tests.desktop.room import click, room

pytestmark = pytest.mark.usefixtures("app")
NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


def actions(window: MainWindow) -> dict[str, QAction]:
    """Every entry of the menus by its words, without access keys."""
    return {each.text().replace("&", ""): each for each in walk(window.menuBar().actions())}


def walk(entries: list[QAction]) -> Iterator[QAction]:
    """The entries of menus and of the menus in them."""
    for entry in entries:
        menu = entry.menu()
        if isinstance(menu, QMenu):
            yield from walk(menu.actions())
        elif not entry.isSeparator():
            yield entry


def test_the_menus_reach_all_that_was_promised(window: MainWindow) -> None:
    assert {
        "New game", "Beginner", "Intermediate", "Expert", "Setup…", "Restart this board",
        "Copy share code", "Open share code…", "Records…", "Quit", "Larger cells", "Smaller cells",
        "Fit the board to the window", "Classic", "Light", "Dark", "High contrast", "English",
        "简体中文", "LED digits", "Plain digits", "Full screen", "Question marks", "How to play",
        "Keys", "About demine", "Hint", "Guess-free boards", "Show risks",
        "Prove no guess is needed",
    } <= set(actions(window))  # fmt: skip


def test_every_entry_says_something_else_in_chinese(window: MainWindow) -> None:
    english = set(actions(window))
    window.change_preferences({"language": "zh_CN"})
    QApplication.processEvents()
    assert english & set(actions(window)) == {"English", "简体中文"}


def test_access_keys_are_told_apart(window: MainWindow) -> None:
    for menu in window.menuBar().findChildren(QMenu):  # submenus, too
        letters = [
            text[text.index("&") + 1].lower()
            for entry in menu.actions()
            if "&" in (text := entry.text())
        ]
        assert len(letters) == len(set(letters)), menu.title()


@pytest.mark.parametrize("command", Command)
def test_every_command_is_carried_out(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    shown: list[object] = []
    monkeypatch.setattr(DialogOpener, "open_dialog_of", lambda _pages, page: shown.append(page))
    window.run_command(command)
    needs_page = {
        Command.SETUP, Command.OPEN_FILE, Command.SHARE, Command.OPEN_SHARE, Command.RECORDS,
        Command.SETTINGS, Command.HELP, Command.DAILY, Command.RESULT, Command.TRAIN,
        Command.ANALYSE,
    }  # fmt: skip
    assert shown == ([command] if command in needs_page else [])
    if command is Command.STATISTICS:  # the game is not over
        assert window.controller.news.text == "Statistics are shown when the game is over"
    if window.isFullScreen():
        window.run_command(command)
        assert not window.isFullScreen()


def test_levels(window: MainWindow) -> None:
    window.run_command(Command.EXPERT)
    assert window.controller.faces.shape == EXPERT.shape
    assert window.board.view.shows_whole_board
    assert window.windowTitle() == "Expert — demine"


# Keys


@pytest.mark.parametrize("key", sorted({key for keys in DEFAULT_KEYS.values() for key in keys}))
def test_every_key_is_a_shortcut(key: str) -> None:
    assert key_sequences(key)
    assert all(each.count() == 1 for each in key_sequences(key)), [
        each.toString() for each in key_sequences(key)
    ]


@pytest.mark.parametrize(
    ("key", "held", "typed", "name"),
    [
        (Qt.Key.Key_F2, NONE, "", "f2"),
        (Qt.Key.Key_Return, NONE, "\r", "enter"),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier, "\r", "enter"),
        (Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier, "?", "?"),
        (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, "\x1a", "ctrl+z"),
        (Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier, "H", "shift+h"),
        (Qt.Key.Key_Plus, NONE, "+", "+"),
        (Qt.Key.Key_Space, NONE, " ", "space"),
        (Qt.Key.Key_Eacute, NONE, "é", "é"),
        (Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier, "", ""),
    ],
)
def test_key_names(key: Qt.Key, held: Qt.KeyboardModifier, typed: str, name: str) -> None:
    assert key_name(QKeyEvent(QKeyEvent.Type.KeyPress, key, held, typed)) == name


def test_keys_are_the_players(window: MainWindow) -> None:
    window.change_preferences({"keymap": "new: x\nact: g"})
    assert actions(window)["New game"].shortcuts() == [QKeySequence("X")]
    QTest.keyClick(window.board, Qt.Key.Key_Down)
    QTest.keyClick(window.board, Qt.Key.Key_G)
    assert window.controller.session.game.status is Status.RUNNING


def test_vi_keys_move_the_cursor(window: MainWindow) -> None:
    assert VI_KEYS[Command.LEFT] == ("h",)
    window.change_preferences({"keys": "vi"})
    QTest.keyClick(window.board, Qt.Key.Key_H)
    QTest.keyClick(window.board, Qt.Key.Key_H)
    assert window.controller.cursor == (4, 3)


def test_the_face_is_reached_by_tab_and_begins_anew(window: MainWindow) -> None:
    click(window, 4, 4)
    assert window.panel.face.focusPolicy() & Qt.FocusPolicy.TabFocus
    QTest.keyClick(window.panel.face, Qt.Key.Key_Space)
    assert window.controller.session.game.status is Status.READY


# Choices


def test_a_choice_is_ticked_and_kept(window: MainWindow) -> None:
    actions(window)["Dark"].trigger()
    assert window.theme.name == "dark"
    assert actions(window)["Dark"].isChecked()
    assert not actions(window)["Light"].isChecked()
    assert window.store.settings.get("theme") == "dark"


def test_a_palette_colours_the_digits(window: MainWindow) -> None:
    window.change_preferences({"palette": "strong"})
    assert window.board.theme.digits == STRONG.on_light
    window.run_command(Command.PALETTE)
    assert window.board.theme.digits == OKABE_ITO.on_light
    assert (
        window.central.message_strip.text == "Colours of the numbers: Okabe-Ito, colour-blind safe"
    )
    assert window.store.settings.get("palette") == "okabe-ito"
    window.run_command(Command.PALETTE)
    assert window.board.theme == window.theme == THEMES["light"]


@pytest.mark.parametrize("dark", [True, False])
def test_the_look_follows_the_system(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, dark: bool
) -> None:
    monkeypatch.setattr(colour_scheme, "system_is_dark", lambda: dark)
    window.change_preferences({"theme": "system"})
    assert window.theme.name == ("dark" if dark else "light")


def test_menus_are_dark_with_a_dark_board_and_light_again(window: MainWindow) -> None:
    light = QApplication.palette().window().color().lightness()
    window.change_preferences({"theme": "contrast"})
    assert QApplication.palette().window().color().lightness() < 60
    window.change_preferences({"theme": "classic"})
    assert QApplication.palette().window().color().lightness() == light


@pytest.mark.parametrize("look", ["dark", "contrast"])
def test_an_empty_check_box_of_a_menu_is_seen(window: MainWindow, look: str) -> None:
    entry = actions(window)["Sounds"]
    menu = next(each for each in window.findChildren(QMenu) if entry in each.actions())
    light = menu.palette().window()
    window.change_preferences({"theme": look})
    QApplication.processEvents()
    spot = menu.actionGeometry(entry)
    seen = pixels(menu)[spot.top() : spot.bottom(), spot.left() : spot.left() + spot.height()]
    colours = {(int(red), int(green), int(blue)) for red, green, blue in seen.reshape(-1, 3)}
    ground = next(iter(seen[0, 2:3].tolist()))
    assert max(contrast(each, tuple(ground)) for each in colours) >= 3
    window.change_preferences({"theme": "light"})
    QApplication.processEvents()
    assert menu.palette().window() == light


def test_first_click_and_goal_hold_from_the_next_game(window: MainWindow) -> None:
    window.change_preferences({"first": "any", "goal": "flag"})
    assert str(window.controller.session.game.rules) == "9x9/10 first=any goal=flag"
    click(window, 4, 4)
    window.change_preferences({"first": ""})
    assert str(window.controller.session.game.rules) == "9x9/10 first=any goal=flag"
    window.run_command(Command.INTERMEDIATE)
    assert window.controller.session.game.rules == Rules(16, 16, 40, goal=window.preferences.goal)


def test_question_marks(window: MainWindow) -> None:
    right = Qt.MouseButton.RightButton
    window.change_preferences({"questions": True})
    for face in (Face.FLAG, Face.QUESTION, Face.COVERED):
        click(window, 0, 0, right)
        assert window.controller.faces[0, 0] == face


def test_the_language_is_switched_with_qts_own_buttons(window: MainWindow) -> None:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, window)
    assert "Cancel" in box.buttons()[0].text().replace("&", "")
    window.change_preferences({"language": "zh_CN"})
    QApplication.processEvents()
    assert current_language() == "zh_CN"
    assert box.buttons()[0].text() == "取消"
    assert window.windowTitle().startswith("初级")
    assert window.panel.tools[Tool.LEVEL].text() == "初级"
    window.change_preferences({"language": "en"})
    QApplication.processEvents()
    assert "Cancel" in box.buttons()[0].text().replace("&", "")


def test_panel_digits_may_be_plain(window: MainWindow) -> None:
    plain = window.panel.mines.grab().toImage()
    window.change_preferences({"digits": "led"})
    lamps = window.panel.mines.grab().toImage()
    assert lamps != plain
    window.change_preferences({"digits": "plain"})
    assert window.panel.mines.grab().toImage() == plain
    window.change_preferences({"digits": ""})
    assert window.panel.mines.grab().toImage() == plain
    window.change_preferences({"theme": "classic"})
    assert window.panel.mines.width() > lamps.width() // 2
    assert window.preferences.shows_led_digits(window.theme)


def test_sounds_go_on_and_off(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Sound] = []
    monkeypatch.setattr(window.controller.speaker, "play", heard.append)
    monkeypatch.setattr(window.controller.speaker, "is_available", lambda: True)
    window.run_command(Command.SOUND)
    assert window.central.message_strip.text == "Sound on"
    click(window, 4, 4)
    assert heard == [Sound.OPENING]
    window.run_command(Command.SOUND)
    assert window.central.message_strip.text == "Sound off"
    window.run_command(Command.NEW)
    click(window, 4, 4)
    assert heard == [Sound.OPENING]


def test_a_machine_without_sound_says_so(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.controller.speaker, "is_available", lambda: False)
    window.run_command(Command.SOUND)
    assert window.central.message_strip.text == "No sound on this machine"
    assert not window.preferences.sound


# The line of words


def test_the_end_is_told_in_the_line_and_no_dialog_stands_over_the_board(
    window: MainWindow,
) -> None:
    click(window, 4, 4)
    row, col = np.argwhere(window.controller.session.game.board.mine_map)[0]
    click(window, int(row), int(col))
    assert window.central.message_strip.accessibleName().startswith("You hit a mine")
    assert QApplication.activeModalWidget() is None
    bottom = window.panel.mapTo(window, QPoint(0, window.panel.height())).y()
    assert bottom <= window.board.mapTo(window, QPoint(0, 0)).y()


def test_large_numbers_have_lamps_enough() -> None:
    with room("100x100/1500", digits="led") as window:
        four = window.panel.mines.width()
        window.run_command(Command.BEGINNER)
        QApplication.processEvents()
        one = seven_segment.digit_width(LAMPS)
        assert window.panel.mines.width() == four - one


def test_long_sentences_keep_the_line_as_it_is(window: MainWindow) -> None:
    height = window.panel.height()
    window.controller.show_news(
        "A sentence that is much longer than any line of words can be. " * 5
    )
    QApplication.processEvents()
    window.central.message_strip.grab()
    assert window.panel.height() == height
    assert window.central.message_strip.toolTip() == window.central.message_strip.text


def test_an_unforeseen_error_is_told_and_the_game_goes_on(
    window: MainWindow, capsys: pytest.CaptureFixture[str]
) -> None:
    with _reporting_errors(window):
        sys.excepthook(ZeroDivisionError, ZeroDivisionError("by zero"), None)
    assert "by zero" in window.central.message_strip.text
    assert "ZeroDivisionError" in capsys.readouterr().err
    click(window, 4, 4)
    assert window.controller.session.game.status is Status.RUNNING


# Sharing


def test_sharing_copies_a_code_that_opens_the_same_board(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.run_command(Command.SHARE)
    assert window.central.message_strip.text.startswith("There is no board to share")
    click(window, 4, 4)
    mines = window.controller.session.game.board.mine_map.copy()
    window.run_command(Command.SHARE)
    code = QGuiApplication.clipboard().text()
    window.run_command(Command.NEW)
    monkeypatch.setattr("demine.desktop.window.dialog_opener.ask_share_code", lambda *_: code)
    window.run_command(Command.OPEN_SHARE)
    assert np.array_equal(window.controller.session.game.board.mine_map, mines)
    assert window.controller.prescribed_start == (4, 4)


def test_a_damaged_code_is_refused_in_words(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = window.controller.session.game
    monkeypatch.setattr("demine.desktop.window.dialog_opener.ask_share_code", lambda *_: "nonsense")
    window.run_command(Command.OPEN_SHARE)
    assert window.central.message_strip.text == "'nonsense' is not a share code"
    assert window.controller.session.game is game


def test_a_paused_game_goes_on_with_the_first_press(window: MainWindow) -> None:
    click(window, 4, 4)
    window.run_command(Command.PAUSE)
    assert (window.controller.faces == Face.COVERED).all()
    click(window, 0, 0)
    assert window.controller.session.game.status is Status.RUNNING
    acts = [each for each in window.controller.session.game.events if isinstance(each, Act)]
    assert [act.verb for act in acts] == [Verb.OPEN, Verb.PAUSE, Verb.RESUME]


def test_a_short_word_goes_by_itself(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demine.scene.status_message.SECONDS", 0.05)
    title = window.central.message_strip.text
    window.run_command(Command.THEME)
    assert window.central.message_strip.text != title
    until(lambda: window.central.message_strip.text == title)


def is_paused(window: MainWindow) -> bool:
    return window.controller.is_paused


def test_a_dialog_pauses_the_game_behind_it(window: MainWindow) -> None:
    click(window, 4, 4)
    before = window.board.grab().toImage()
    dialog = QDialog(window)
    dialog.open()
    assert is_paused(window)
    dialog.reject()
    assert is_paused(window)
    assert window.board.grab().toImage() != before
    click(window, 0, 0)
    assert not is_paused(window)
    assert window.board.grab().toImage() == before


def test_a_minimised_window_pauses_its_game(window: MainWindow) -> None:
    click(window, 4, 4)
    window.showMinimized()
    assert is_paused(window)


def test_another_window_pauses_the_game_if_that_is_wanted(window: MainWindow) -> None:
    click(window, 4, 4)
    other = QWidget()
    for wanted in (False, True):
        window.change_preferences({"pause_unfocused": wanted})
        other.show()
        QTest.qWaitForWindowActive(other)
        assert is_paused(window) is wanted
        other.hide()
        window.activateWindow()
        QTest.qWaitForWindowActive(window)
    other.deleteLater()


def test_a_pause_says_how_to_go_on(window: MainWindow) -> None:
    click(window, 4, 4)
    window.run_command(Command.PAUSE)
    strip = window.central.message_strip
    assert strip.text == ""  # the card on the board says it already
    assert strip.accessibleName() == "Paused · Click or press P to resume"
    click(window, 4, 4)
    assert window.controller.session.game.status is Status.RUNNING


LONG = "The records were damaged. They are kept as /media/somebody/" + 9 * "far-away/" + "x.db."


def test_trouble_stands_below_the_board_until_it_is_closed(window: MainWindow) -> None:
    size, strip = window.size(), window.central.message_strip
    before = strip.text
    for text in ("The disk is full.", LONG):
        window.controller.show_error(StoreError(text))
        assert strip.text == strip.toolTip() == text
        assert strip.footer == "Esc close"
        assert window.size() == size
        QTest.keyClick(window.board, Qt.Key.Key_Escape)
        assert strip.text == before
        assert window.windowTitle() == "Beginner · chosen seed — demine"


def test_trouble_below_the_board_goes_when_it_was_read(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.scene.status_message.SECONDS", 0.0)
    window.controller.show_error(StoreError(LONG))
    assert window.central.message_strip.text == LONG
    click(window, 4, 4)
    assert window.central.message_strip.text != LONG


def test_trouble_stays_until_it_was_read(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("demine.scene.status_message.SECONDS", 0.05)
    window.controller.show_error(StoreError("The disk is full."))
    QTest.qWait(100)
    assert window.central.message_strip.text == "The disk is full."
    click(window, 4, 4)
    assert window.central.message_strip.text != "The disk is full."
