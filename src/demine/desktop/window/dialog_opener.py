"""Opens the dialogs of the main window, and imports them only then."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QInputDialog

from demine.desktop.colour_scheme import current_theme
from demine.desktop.message_strip import REVIEW
from demine.desktop.window.menus import ABOUT, HOW_TO_PLAY
from demine.logic.errors import DemineError
from demine.logic.rules import First, Rules
from demine.scene.key_bindings import Command
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from demine.desktop.controller import QtController
    from demine.desktop.window.file_opener import FileOpener
    from demine.game import Game
    from demine.store.store import Store


class DialogOpener:
    """Opens dialogs over a window; `choose` gets the preferences that they change, at once."""

    def __init__(
        self,
        window: QWidget,
        controller: QtController,
        store: Store,
        choose: Callable[[Mapping[str, object]], object],
    ) -> None:
        self._window = window
        self._controller = controller
        self._store = store
        self._choose = choose

    def open_dialog_of(self, command: Command | str) -> None:
        """Run the dialog or clipboard action of a command; do nothing if it has none."""
        opener = self._openers.get(command)
        if opener is not None:
            self._controller.cancel_input()
            opener()

    @cached_property
    def _openers(self) -> Mapping[Command | str, Callable[[], object]]:
        controller = self._controller
        return {
            Command.SETUP: self._setup,
            Command.OPEN_FILE: lambda: self.files.ask(),  # noqa: PLW0108 - made when it is needed
            Command.SHARE: lambda: self._copy(controller.share_code_to_copy()),
            Command.OPEN_SHARE: self._open_share,
            Command.RECORDS: self._records,
            Command.TRAIN: self._train,
            Command.DAILY: lambda: self._records(daily=True),
            Command.RESULT: lambda: self._copy(controller.daily_result_to_copy()),
            Command.STATISTICS: self._statistics,
            Command.ANALYSE: self._analyse,
            REVIEW: self._review,
            Command.SETTINGS: self._settings,
            Command.HELP: lambda: self._help("keys"),
            HOW_TO_PLAY: lambda: self._help("play"),
            ABOUT: self._about,
        }

    @cached_property
    def files(self) -> FileOpener:
        """What opens recordings and boards over the window."""
        from demine.desktop.window.file_opener import FileOpener

        return FileOpener(self._window, self._controller, self._store, self.watch)

    def _setup(self) -> None:
        from demine.desktop.dialogs.board_setup import SetupDialog

        chosen, rules = self._controller.preferences, self._controller.session.game.rules
        presets = chosen.presets
        dialog = SetupDialog(
            self._window, rules, presets, current_theme(chosen), self._with_preferences
        )
        accepted = dialog.exec()
        if tuple(dialog.presets) != presets:
            self._choose({"presets": tuple(dialog.presets)})
        if accepted and dialog.rules is not None:
            self._controller.begin_game(dialog.rules)
            if dialog.rules.first is not First.ANY:
                self._choose({"guess_free": dialog.rules.guess_free})

    def _with_preferences(self, rules: Rules) -> Rules:
        """Return the rules of a named board with the options of the player's preferences."""
        chosen = self._controller.preferences
        if rules == Rules(rules.width, rules.height, rules.mines):
            return chosen.with_level_options(rules)
        return replace(rules, guess_free=chosen.guess_free and rules.first is not First.ANY)

    def _records(self, *, daily: bool = False) -> None:
        from demine.desktop.dialogs.records import RecordsDialog

        rules, look = (
            self._controller.session.game.rules,
            current_theme(self._controller.preferences),
        )
        dialog = RecordsDialog(self._window, self._store, rules, look, self.watch)
        if daily:
            dialog.tabs.setCurrentWidget(dialog.daily)
        dialog.exec()
        if dialog.daily.requested is not None:
            self._controller.resume_or_begin_daily(dialog.daily.requested)

    def _train(self) -> None:
        from demine.desktop.train.training_dialog import TrainingDialog

        chosen = self._controller.preferences
        look = current_theme(chosen)
        TrainingDialog(self._window, self._store, look, chosen.key_map()).exec()

    def watch(self, over: QWidget, name: str, game: Game, *, review: bool = False) -> None:
        """Play a game in the replay player, over a window, or have it reviewed there."""
        from demine.desktop.watch.replay_window import ReplayWindow

        chosen = self._controller.preferences
        window = ReplayWindow(game, chosen, name=name, store=self._store, parent=over)
        window.open()
        if review:
            window.start_review()
        else:
            window.toggle_playing()

    def _review(self) -> None:
        controller = self._controller
        self.watch(self._window, controller.game_summary(), controller.session.game, review=True)

    def _analyse(self) -> None:
        from demine.desktop.dialogs.analysis_board import AnalysisDialog

        controller = self._controller
        theme = current_theme(controller.preferences)
        AnalysisDialog(self._window, theme, controller.session).exec()
        # A position that was taken from the running game has marked it as helped.
        controller.tick()

    def _statistics(self) -> None:
        from demine.desktop.dialogs.game_statistics import StatisticsDialog

        game = self._controller.session.game
        StatisticsDialog(self._window, game, self._controller.game_summary()).exec()

    def _settings(self) -> None:
        from demine.desktop.dialogs.settings import SettingsDialog

        chosen = self._controller.preferences
        dialog = SettingsDialog(self._window, chosen, chosen.key_map())
        dialog.changed.connect(self._choose)
        dialog.exec()

    def _help(self, page: Literal["play", "keys"]) -> None:
        from demine.desktop.dialogs.help import HelpDialog

        chosen = self._controller.preferences
        HelpDialog(self._window, current_theme(chosen), page, chosen.key_map()).exec()

    def _about(self) -> None:
        from demine.desktop.dialogs.about import AboutDialog

        AboutDialog(self._window).exec()

    def _copy(self, text: str) -> None:
        if text:
            QGuiApplication.clipboard().setText(text)

    def _open_share(self) -> None:
        held = QGuiApplication.clipboard().text().strip()
        code = ask_share_code(self._window, held if held.startswith("1.") else "")
        if not code.strip():
            return
        try:
            self._controller.begin_shared_board(code)
        except DemineError as error:
            self._controller.show_error(error)


def ask_share_code(parent: QWidget, initial: str) -> str:
    """Ask for a share code, starting with `initial`; return an empty text if cancelled."""
    from demine.desktop.dialogs.base import remove_button_icons

    dialog = QInputDialog(parent)
    dialog.setWindowTitle(tr("Open share code"))
    dialog.setLabelText(tr("Share code:"))
    dialog.setTextValue(initial)
    # Its buttons are created when it is shown.
    QTimer.singleShot(0, dialog, lambda: remove_button_icons(dialog))
    # A code is long, and the title of the window needs room for its buttons.
    dialog.resize(dialog.fontMetrics().averageCharWidth() * 64, dialog.sizeHint().height())
    try:
        return dialog.textValue() if dialog.exec() else ""
    finally:
        dialog.deleteLater()
