"""Settings tell of each change at once; keys are pressed, not typed."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialogButtonBox,
    QPushButton,
    QSpinBox,
)

from demine.desktop.dialogs.settings import SettingsDialog
from demine.scene.digit_palettes import PALETTES
from demine.scene.key_bindings import Command, KeyMap
from demine.scene.preferences import MAX_HOLD, Preferences
from demine.scene.themes import SYSTEM, THEMES
from demine.scene.translation import languages, set_language
from tests.desktop.dialogs_desk import access_keys, app, chinese, nameless, shown

__all__ = ["app"]

PermittedStatistics = list[dict[str, Any]]


def opened(preferences: Preferences) -> tuple[SettingsDialog, PermittedStatistics]:
    dialog = SettingsDialog(None, preferences, preferences.key_map())
    told: PermittedStatistics = []
    dialog.changed.connect(told.append)
    shown(dialog)
    return dialog, told


@pytest.fixture
def both(app: QApplication) -> tuple[SettingsDialog, PermittedStatistics]:
    return opened(Preferences())


def choose(dialog: SettingsDialog, name: str, key: Qt.Key, place: int) -> None:
    """Walk to another choice by keyboard."""
    dialog.tabs.setCurrentIndex(place)
    box = dialog._boxes[name]
    box.setFocus()
    QTest.keyClick(box, key)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("first", 0, "safe"),
        ("goal", 0, "flag"),
        ("digits", 0, "led"),
        ("theme", 1, next(iter(THEMES))),
        ("palette", 1, next(iter(PALETTES))),
        ("tap", 2, "flag"),
        ("language", 4, "en"),
    ],
)
def test_a_choice_is_told_at_once_and_is_a_preference(
    both: tuple[SettingsDialog, PermittedStatistics], name: str, place: int, value: str
) -> None:
    dialog, told = both
    choose(dialog, name, Qt.Key.Key_Down, place)
    assert told == [{name: value}]
    assert getattr(Preferences.from_settings(told[0]), name) == value


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("guess_free", 0),
        ("counters", 0),
        ("word_after_loss", 0),
        ("motion", 1),
        ("minimap", 1),
        ("questions", 2),
        ("left_chord", 2),
        ("sound", 4),
    ],
)
def test_a_switch_is_told_at_once(
    both: tuple[SettingsDialog, PermittedStatistics], name: str, place: int
) -> None:
    dialog, told = both
    dialog.tabs.setCurrentIndex(place)
    before = getattr(Preferences(), name)
    boxes = [box for box in dialog.findChildren(QCheckBox) if box.isVisible()]
    for box in boxes:
        QTest.keyClick(box, Qt.Key.Key_Space)
    assert {name: not before} in told
    assert len(told) == len(boxes)


def test_the_long_press_has_limits(both: tuple[SettingsDialog, PermittedStatistics]) -> None:
    dialog, told = both
    dialog.tabs.setCurrentIndex(2)
    box = next(box for box in dialog.findChildren(QSpinBox) if box.isVisible())
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "450")
    assert told[-1] == {"hold_ms": 450}
    for _ in range(100):
        QTest.keyClick(box, Qt.Key.Key_Up)
    assert box.value() == MAX_HOLD
    assert Preferences.from_settings(told[-1]).hold_ms == MAX_HOLD


def test_begins_with_what_is_preferred(app: QApplication) -> None:
    preferences = Preferences(
        first="any", goal="flag", theme="dark", palette="strong", digits="plain",
        questions=True, left_chord=True, sound=True, minimap=False, tap="flag", hold_ms=500,
        language="zh_CN", keys="vi", guess_free=True,
    )  # fmt: skip
    dialog, told = opened(preferences)
    for name, box in dialog._boxes.items():
        assert box.currentData() == getattr(preferences, name), name
    off = [box.text() for box in dialog.findChildren(QCheckBox) if not box.isChecked()]
    assert set(off) == {
        "Show &statistics beside the board",
        "Show an o&verview beside a board that does not fit",
    }
    assert told == []


def test_every_look_and_palette_can_be_chosen(
    both: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog, _ = both
    for name, wanted in (("theme", [SYSTEM, *THEMES]), ("palette", ["", *PALETTES])):
        box = dialog._boxes[name]
        assert [box.itemData(place) for place in range(box.count())] == wanted


def test_a_language_chosen_here_is_spoken_here_at_once(
    both: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog, told = both

    def install_language(changes: dict[str, Any]) -> None:
        set_language(changes["language"])
        QApplication.sendEvent(dialog, QEvent(QEvent.Type.LanguageChange))

    dialog.changed.connect(install_language)
    dialog.tabs.setCurrentIndex(4)
    box = dialog._boxes["language"]
    box.setFocus()
    for _ in range(1 + list(languages()).index("zh_CN")):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert told[-1] == {"language": "zh_CN"}
    assert dialog.windowTitle() == "设置"
    assert (box.currentText(), box.itemText(0)) == ("简体中文", "跟随系统")
    QTest.keyClick(box, Qt.Key.Key_Home)
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert told[-1] == {"language": "en"}
    assert (dialog.windowTitle(), box.itemText(0)) == ("Settings", "Match system")


# Keys


@pytest.fixture
def keys(
    both: tuple[SettingsDialog, PermittedStatistics],
) -> tuple[SettingsDialog, PermittedStatistics]:
    both[0].tabs.setCurrentIndex(3)
    return both


def stand_at(dialog: SettingsDialog, command: Command) -> None:
    dialog._keys.table.setCurrentCell(list(Command).index(command), 0)
    dialog._keys.table.setFocus()


def press(dialog: SettingsDialog, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    held = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        held |= modifier
    QTest.keyClick(dialog._keys.table, key, held)


def button(dialog: SettingsDialog, text: str) -> QPushButton:
    return next(found for found in dialog.findChildren(QPushButton) if text in found.text())


def cells(dialog: SettingsDialog, row: int) -> tuple[str, str]:
    """A command and its keys as the table says them."""
    model = dialog._keys.table.model()
    return model.index(row, 0).data(), model.index(row, 1).data()


def said(dialog: SettingsDialog) -> str:
    return dialog._keys._message.text()


def test_the_page_lists_every_command_with_its_keys(
    keys: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog = keys[0]
    listed = [cells(dialog, row) for row in range(dialog._keys.table.rowCount())]
    assert len(listed) == len(Command)
    assert ("New game", "F2   Ctrl+N") in listed


def test_enter_waits_for_a_key_and_takes_it(
    keys: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog, told = keys
    stand_at(dialog, Command.PAUSE)
    press(dialog, Qt.Key.Key_Return)
    assert "Pause or resume" in said(dialog)
    press(dialog, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert told == [{"keymap": "pause: ctrl+f9"}]
    assert dialog.changed_keys_text == "pause: ctrl+f9"
    assert "Ctrl+F9" in said(dialog)
    assert Preferences.from_settings(told[0]).key_map().keys(Command.PAUSE) == ("ctrl+f9",)


def test_a_key_is_added_beside_the_others(keys: tuple[SettingsDialog, PermittedStatistics]) -> None:
    dialog, told = keys
    stand_at(dialog, Command.FLAG)
    QTest.mouseClick(button(dialog, "&Add"), Qt.MouseButton.LeftButton)
    press(dialog, Qt.Key.Key_Shift)
    assert told == []
    press(dialog, Qt.Key.Key_X)
    assert told == [{"keymap": "flag: f x"}]


def test_a_taken_key_says_whose_it_is_and_moves_when_pressed_again(
    keys: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog, told = keys
    stand_at(dialog, Command.FLAG)
    press(dialog, Qt.Key.Key_Return)
    press(dialog, Qt.Key.Key_C)
    assert said(dialog).startswith("C is already used for “Chord: open the cells around a number")
    assert told == []
    press(dialog, Qt.Key.Key_E)
    assert said(dialog).startswith("E is already used for")
    press(dialog, Qt.Key.Key_E)
    assert told == [{"keymap": "flag: e\nhover-act:"}]
    assert "“Open or chord at the pointer” has no key now" in said(dialog)


def test_keys_that_move_or_close_can_be_bound_while_waiting(
    keys: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog, told = keys
    stand_at(dialog, Command.UNDO)
    for key, name in ((Qt.Key.Key_Tab, "tab"), (Qt.Key.Key_Backspace, "backspace")):
        press(dialog, Qt.Key.Key_Return)
        press(dialog, key)
        assert told[-1] == {"keymap": f"undo: {name}"}
    assert dialog._keys.table.hasFocus()
    press(dialog, Qt.Key.Key_Return)
    press(dialog, Qt.Key.Key_K, Qt.KeyboardModifier.AltModifier)
    assert told[-1] == {"keymap": "undo: alt+k"}


def test_escape_and_leaving_let_go_of_waiting(
    keys: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog, told = keys
    stand_at(dialog, Command.UNDO)
    press(dialog, Qt.Key.Key_Return)
    press(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    press(dialog, Qt.Key.Key_Return)
    stand_at(dialog, Command.PAUSE)
    press(dialog, Qt.Key.Key_F9)
    assert told == []
    press(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_keys_are_taken_away_and_given_back(
    keys: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog, told = keys
    stand_at(dialog, Command.QUIT)
    QTest.mouseClick(button(dialog, "&No key"), Qt.MouseButton.LeftButton)
    assert told[-1] == {"keymap": "quit:"}
    QTest.mouseClick(button(dialog, "&Default key"), Qt.MouseButton.LeftButton)
    assert told[-1] == {"keymap": ""}
    stand_at(dialog, Command.NEW)
    press(dialog, Qt.Key.Key_Return)
    press(dialog, Qt.Key.Key_J)
    QTest.mouseClick(button(dialog, "All default key&s"), Qt.MouseButton.LeftButton)
    assert told[-1] == {"keymap": ""}
    assert dialog._keys.keymap == KeyMap()


def test_own_keys_stay_when_the_set_of_keys_changes(
    keys: tuple[SettingsDialog, PermittedStatistics],
) -> None:
    dialog, told = keys
    stand_at(dialog, Command.NEW)
    press(dialog, Qt.Key.Key_Return)
    press(dialog, Qt.Key.Key_J)
    choose(dialog, "keys", Qt.Key.Key_Down, 3)
    changes = told[-1]
    assert changes["keys"] == "vi"
    kept = Preferences.from_settings(changes).key_map()
    assert kept.lookup("j") is Command.NEW
    assert kept.lookup("k") is Command.UP
    assert dialog._keys.keymap == kept


def test_the_keys_given_are_shown(app: QApplication) -> None:
    preferences = Preferences(keymap="new: f5")
    dialog, _ = opened(preferences)
    assert dialog.changed_keys_text == "new: f5"
    assert cells(dialog, 0)[1] == "F5"


# Language, names, keys of the dialog


@pytest.mark.parametrize("place", range(5))
def test_every_page_has_names_and_access_keys_in_both_languages(
    both: tuple[SettingsDialog, PermittedStatistics], place: int
) -> None:
    dialog, told = both
    dialog.tabs.setCurrentIndex(place)
    assert nameless(dialog) == []
    keys = access_keys(dialog)
    assert len(keys) == len(set(keys)) >= 7
    with chinese():
        keys = access_keys(dialog)
        assert len(keys) == len(set(keys)) >= 7
        assert dialog.windowTitle() == "设置"
        assert dialog._boxes["goal"].currentText() == "打开所有安全格"
        assert cells(dialog, 0)[0] == "新局"
    assert told == []


def test_buttons_are_read_on_dark_ground(both: tuple[SettingsDialog, PermittedStatistics]) -> None:
    # Qt's own drawings are dark; where the desktop has icons they suit its looks.
    (box,) = both[0].findChildren(QDialogButtonBox)
    (close,) = box.buttons()
    assert close.text()
    assert close.icon().isNull() is not QIcon.hasThemeIcon("window-close")
