"""The dialogs of the main window: opened when they are asked for, and imported then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog, QLineEdit

from demine.desktop.actions import ABOUT, HOW_TO_PLAY
from demine.logic.errors import DemineError
from demine.scene.keys import Command
from demine.scene.messages import tr

if TYPE_CHECKING:
    from demine.desktop.window import MainWindow


def show(window: MainWindow, page: Command | str) -> None:
    """Open the page of a command, if it has one."""
    opener = {
        Command.SETUP: _setup,
        Command.SHARE: _copy_share,
        Command.OPEN_SHARE: _open_share,
        Command.RECORDS: _records,
        Command.SETTINGS: _settings,
        Command.HELP: _keys,
        HOW_TO_PLAY: _how_to_play,
        ABOUT: _about,
    }.get(page)
    if opener is not None:
        window.player.let_go()
        opener(window)


def _setup(window: MainWindow) -> None:
    from demine.desktop.dialogs.setup import SetupDialog

    dialog = SetupDialog(window, window.player.sitting.game.rules, list(window.preferences.presets))
    accepted = dialog.exec()
    if tuple(dialog.presets) != window.preferences.presets:
        window.choose({"presets": tuple(dialog.presets)})
    if accepted and dialog.rules is not None:
        window.player.begin(dialog.rules)


def _records(window: MainWindow) -> None:
    from demine.desktop.dialogs.records import RecordsDialog

    RecordsDialog(window, window.store, window.player.sitting.game.rules, window.theme).exec()


def _settings(window: MainWindow) -> None:
    from demine.desktop.dialogs.settings import SettingsDialog

    dialog = SettingsDialog(window, window.preferences, window.keys)
    dialog.changed.connect(window.choose)
    dialog.exec()


def _keys(window: MainWindow) -> None:
    _help(window, "keys")


def _how_to_play(window: MainWindow) -> None:
    _help(window, "play")


def _help(window: MainWindow, page: Literal["play", "keys"]) -> None:
    from demine.desktop.dialogs.help import HelpDialog

    HelpDialog(window, window.theme, page, window.keys).exec()


def _about(window: MainWindow) -> None:
    from demine.desktop.dialogs.about import AboutDialog

    AboutDialog(window).exec()


def _copy_share(window: MainWindow) -> None:
    player = window.player
    try:
        code = player.sitting.game.share()
    except DemineError as error:
        player.tell(error)
        return
    QGuiApplication.clipboard().setText(code)
    player.say(tr("Share code copied"))


def _open_share(window: MainWindow) -> None:
    held = QGuiApplication.clipboard().text().strip()
    code, accepted = QInputDialog.getText(
        window,
        tr("Open share code"),
        tr("Share code:"),
        QLineEdit.EchoMode.Normal,
        held if held.startswith("1.") else "",
    )
    if not accepted or not code.strip():
        return
    try:
        window.player.open_share(code)
    except DemineError as error:
        window.player.tell(error)
