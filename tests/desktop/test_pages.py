"""From the menus to the dialogs and back: what is chosen there is played here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog, QSpinBox

from demine.desktop.actions import ABOUT, HOW_TO_PLAY
from demine.desktop.dialogs.about import AboutDialog
from demine.desktop.dialogs.help import HelpDialog
from demine.desktop.dialogs.records import RecordsDialog
from demine.desktop.dialogs.settings import SettingsDialog
from demine.desktop.dialogs.setup import SetupDialog
from demine.desktop.pages import Pages
from demine.desktop.window import MainWindow
from demine.logic.rules import Rules
from demine.scene.keys import Command
from tests.desktop.room import click, room

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def window() -> Iterator[MainWindow]:
    with room() as opened:
        yield opened


def meet(act: Callable[[QDialog], object]) -> list[str]:
    """Do something to the next dialog as soon as it stands there; its class is then in the list."""
    met: list[str] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog):
            QTimer.singleShot(10, look)
            return
        met.append(type(dialog).__name__)
        act(dialog)

    QTimer.singleShot(0, look)
    return met


@pytest.mark.parametrize(
    ("command", "dialog"),
    [
        (Command.SETUP, SetupDialog),
        (Command.RECORDS, RecordsDialog),
        (Command.SETTINGS, SettingsDialog),
        (Command.HELP, HelpDialog),
        (HOW_TO_PLAY, HelpDialog),
        (ABOUT, AboutDialog),
        (Command.OPEN_SHARE, QInputDialog),
    ],
)
def test_every_dialog_opens_and_closes(
    window: MainWindow, command: Command | str, dialog: type[QDialog]
) -> None:
    game = window.player.sitting.game
    met = meet(lambda shown: shown.reject())
    window.do(command)
    assert met == [dialog.__name__]
    assert window.player.sitting.game is game


def test_what_setup_says_is_played(window: MainWindow) -> None:
    def fill(dialog: QDialog) -> None:
        numbers = dialog.findChildren(QSpinBox)
        for field, value in zip(numbers, (20, 12, 30), strict=False):
            field.setValue(value)
        dialog.accept()

    met = meet(fill)
    window.do(Command.SETUP)
    assert met == ["SetupDialog"]
    assert window.player.sitting.game.rules.shape == (12, 20)
    assert window.player.sitting.game.rules.mines == 30
    assert window.board.view.whole


def test_own_presets_are_kept(window: MainWindow) -> None:
    def add(dialog: QDialog) -> None:
        assert isinstance(dialog, SetupDialog)
        dialog.presets.append("20x12/30")
        dialog.reject()

    meet(add)
    window.do(Command.SETUP)
    assert window.preferences.presets == ("20x12/30",)
    assert window.store.settings.get("presets") == ["20x12/30"]


def test_settings_take_effect_while_the_dialog_stands_there(window: MainWindow) -> None:
    seen: list[str] = []

    def change(dialog: QDialog) -> None:
        assert isinstance(dialog, SettingsDialog)
        dialog.changed.emit({"theme": "dark", "left_chord": True})
        seen.append(window.board.theme.name)
        dialog.reject()

    meet(change)
    window.do(Command.SETTINGS)
    assert seen == ["dark"]
    assert window.player.mouse.options.left_chords


def test_records_know_the_game_just_played(window: MainWindow) -> None:
    click(window, 4, 4)
    window.do(Command.NEW)
    met = meet(lambda dialog: dialog.reject())
    window.do(Command.RECORDS)
    assert met == ["RecordsDialog"]
    assert len(window.store.games(Rules.parse("9x9/10"))) == 1


def test_what_has_no_page_opens_none(window: MainWindow) -> None:
    Pages(window, window.player, window.store, window.choose).show(Command.PAUSE)
    assert QApplication.activeModalWidget() is None
