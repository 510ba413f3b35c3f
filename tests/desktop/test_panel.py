"""The header's tools: what they do, when they can, and how they look."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from demine.desktop.window.main_window import MainWindow
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import EXPERT
from demine.picture import first_frame_raster, panel
from demine.picture.header_shapes import IconName, ToolLook
from demine.scene.header_layout import Tool
from demine.scene.key_bindings import Command
from demine.scene.themes import THEMES, theme
from tests.desktop.room import click

pytestmark = pytest.mark.usefixtures("app")
LEFT = Qt.MouseButton.LeftButton


def press(window: MainWindow, tool: Tool) -> None:
    """Click on a tool."""
    QTest.mouseClick(window.panel.tools[tool], LEFT)


def able(window: MainWindow) -> set[Tool]:
    """The tools that can be pressed."""
    return {tool for tool, button in window.panel.tools.items() if button.isEnabled()}


def test_tools_are_able_to_do_what_would_do_something(window: MainWindow) -> None:
    assert able(window) == {Tool.NEW, Tool.LEVEL, Tool.HINT}
    click(window, 4, 4)
    assert able(window) == set(Tool)
    window.controller.session.play(Verb.RESIGN)
    window.controller._refresh()
    assert able(window) == {Tool.NEW, Tool.LEVEL}
    assert window.panel.tools[Tool.NEW].accented
    press(window, Tool.NEW)
    assert window.controller.session.game.status is Status.READY
    assert not window.panel.tools[Tool.NEW].accented


def test_pausing_and_going_on_is_one_button(window: MainWindow) -> None:
    click(window, 4, 4)
    button = window.panel.tools[Tool.PAUSE]
    assert button.toolTip() == "Pause (P)"
    press(window, Tool.PAUSE)
    assert button.accessibleName() == "Resume"
    press(window, Tool.PAUSE)
    assert button.toolTip() == "Pause (P)"
    acts = [each for each in window.controller.session.game.events if isinstance(each, Act)]
    assert [act.verb for act in acts] == [Verb.OPEN, Verb.PAUSE, Verb.RESUME]


def test_undo_takes_the_last_act_back(window: MainWindow) -> None:
    click(window, 4, 4)
    press(window, Tool.UNDO)
    assert not window.controller.session.game.changes
    assert Tool.UNDO not in able(window)


def test_the_menu_of_levels_begins_one(window: MainWindow) -> None:
    press(window, Tool.LEVEL)
    menu = next(each for each in window.panel.findChildren(QMenu))
    entries = [action for action in menu.actions() if not action.isSeparator()]
    assert [action.isChecked() for action in entries] == [True, False, False, False]
    entries[2].trigger()
    menu.hide()
    assert window.controller.session.game.rules == EXPERT
    assert window.panel.tools[Tool.LEVEL].text() == "Expert"


def test_tool_tips_follow_the_keys(window: MainWindow) -> None:
    assert window.panel.face.toolTip() == "New game (F2)"
    window.change_preferences({"keymap": "new: x"})
    assert window.panel.face.toolTip() == window.panel.tools[Tool.NEW].toolTip() == "New game (X)"


def test_tab_reaches_every_tool(window: MainWindow) -> None:
    for button in window.panel.tools.values():
        assert button.focusPolicy() == Qt.FocusPolicy.TabFocus


def test_a_press_leaves_the_keyboard_with_the_board(window: MainWindow) -> None:
    press(window, Tool.HINT)
    window.run_command(Command.CANCEL)
    assert window.board.hasFocus() or not window.panel.tools[Tool.HINT].hasFocus()


@pytest.mark.parametrize("name", get_args(IconName))
@pytest.mark.parametrize("size", [16, 20, 24, 30, 48])
def test_icons_are_the_same_without_numpy(name: IconName, size: int) -> None:
    ink, ground = (20, 30, 40), (250, 251, 252)
    drawn = panel.header_icon(name, ink, ground, size)
    assert drawn.std() > 1
    assert first_frame_raster.header_icon(name, ink, ground, size).pixels == drawn.tobytes()


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("height", [32, 40, 48, 64])
def test_grounds_are_the_same_without_numpy(name: str, height: int) -> None:
    for look in (ToolLook(), ToolLook(enabled=False), ToolLook(accented=True, focused=True)):
        drawn = panel.tool_ground(theme(name), look, 3 * height, height)
        assert drawn.shape == (height, 3 * height, 3)
        plain = first_frame_raster.tool_ground(theme(name), look, 3 * height, height)
        assert plain.pixels == np.ascontiguousarray(drawn).tobytes()
