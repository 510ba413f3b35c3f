"""The header's tools: what they do, when they can, and how they look."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from demine.desktop.header_images import (
    header_icon_image,
    led_image,
    restart_button_image,
    tool_ground_image,
)
from demine.desktop.window.main_window import MainWindow
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.logic.rules import EXPERT
from demine.picture import panel
from demine.picture.header_shapes import IconName, ToolLook, icon_shapes, tool_ground_shapes
from demine.picture.rasterise_shapes import paint
from demine.scene.face_mood import FaceMood
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
def test_icons_are_painted_as_their_shapes_say(name: IconName, size: int) -> None:
    ink, ground = (20, 30, 40), (250, 251, 252)
    exact = paint(icon_shapes(name, ink, size), size, size, ground)
    assert exact.std() > 1
    assert_nearly_equal(header_icon_image(name, ink, ground, size), exact)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("height", [32, 40, 48, 64])
def test_grounds_are_painted_as_their_shapes_say(name: str, height: int) -> None:
    look, width = theme(name), 3 * height
    for state in (ToolLook(), ToolLook(enabled=False), ToolLook(accented=True, focused=True)):
        exact = paint(tool_ground_shapes(look, state, width, height), width, height, look.panel)
        assert_nearly_equal(tool_ground_image(look, state, width, height), exact)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("mood", FaceMood)
def test_faces_and_lamps_are_those_of_the_small_window(name: str, mood: FaceMood) -> None:
    look = theme(name)
    face = restart_button_image(mood, look, 48, pressed=False)
    assert_nearly_equal(face, panel.restart_button_picture(mood, look, 48))
    assert_nearly_equal(led_image("-07", look, 36), panel.led_display("-07", look, 36))


def assert_nearly_equal(image: QImage, exact: NDArray[np.uint8]) -> None:
    """Fail if Qt's rounding, to some 16 steps across a pixel, does not explain a difference."""
    line = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    painted = line[:, : 3 * image.width()].reshape(exact.shape)
    difference = np.abs(painted.astype(int) - exact)
    assert difference.max() <= 16
    assert difference.mean() <= 1
