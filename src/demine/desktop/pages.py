"""The dialogs of the main window: opened when they are asked for, and imported then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog, QLineEdit

from demine.desktop.actions import ABOUT, HOW_TO_PLAY
from demine.desktop.scheme import look_of
from demine.logic.errors import DemineError
from demine.scene.keys import Command
from demine.scene.messages import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from demine.desktop.player import Player
    from demine.store.store import Store


class Pages:
    """Opens dialogs over a window; what the player chooses in them goes to `choose` at once."""

    def __init__(
        self,
        window: QWidget,
        player: Player,
        store: Store,
        choose: Callable[[Mapping[str, object]], object],
    ) -> None:
        self._window = window
        self._player = player
        self._store = store
        self._choose = choose

    def show(self, page: Command | str) -> None:
        """Open the page of a command, if it has one."""
        opener = {
            Command.SETUP: self._setup,
            Command.SHARE: self._copy_share,
            Command.OPEN_SHARE: self._open_share,
            Command.RECORDS: self._records,
            Command.SETTINGS: self._settings,
            Command.HELP: lambda: self._help("keys"),
            HOW_TO_PLAY: lambda: self._help("play"),
            ABOUT: self._about,
        }.get(page)
        if opener is not None:
            self._player.let_go()
            opener()

    def _setup(self) -> None:
        from demine.desktop.dialogs.setup import SetupDialog

        presets = self._player.preferences.presets
        dialog = SetupDialog(self._window, self._player.sitting.game.rules, list(presets))
        accepted = dialog.exec()
        if tuple(dialog.presets) != presets:
            self._choose({"presets": tuple(dialog.presets)})
        if accepted and dialog.rules is not None:
            self._player.begin(dialog.rules)

    def _records(self) -> None:
        from demine.desktop.dialogs.records import RecordsDialog

        rules, look = self._player.sitting.game.rules, look_of(self._player.preferences)
        RecordsDialog(self._window, self._store, rules, look).exec()

    def _settings(self) -> None:
        from demine.desktop.dialogs.settings import SettingsDialog

        chosen = self._player.preferences
        dialog = SettingsDialog(self._window, chosen, chosen.key_map())
        dialog.changed.connect(self._choose)
        dialog.exec()

    def _help(self, page: Literal["play", "keys"]) -> None:
        from demine.desktop.dialogs.help import HelpDialog

        chosen = self._player.preferences
        HelpDialog(self._window, look_of(chosen), page, chosen.key_map()).exec()

    def _about(self) -> None:
        from demine.desktop.dialogs.about import AboutDialog

        AboutDialog(self._window).exec()

    def _copy_share(self) -> None:
        try:
            code = self._player.sitting.game.share()
        except DemineError as error:
            self._player.tell(error)
            return
        QGuiApplication.clipboard().setText(code)
        self._player.say(tr("Share code copied"))

    def _open_share(self) -> None:
        held = QGuiApplication.clipboard().text().strip()
        code, accepted = QInputDialog.getText(
            self._window,
            tr("Open share code"),
            tr("Share code:"),
            QLineEdit.EchoMode.Normal,
            held if held.startswith("1.") else "",
        )
        if not accepted or not code.strip():
            return
        try:
            self._player.open_share(code)
        except DemineError as error:
            self._player.tell(error)
