"""Records: best times, every game, and how it goes on; all of it out and in again."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.dialogs.daily import DailyPage
from demine.desktop.dialogs.game_details import GameDialog, write_text
from demine.desktop.dialogs.progress_charts import ProgressPage
from demine.desktop.dialogs.records_and_games_tables import BestTimesPage, GamesPage
from demine.desktop.dialogs.statistics_backfill import StatisticsBackfill
from demine.logic.errors import DemineError
from demine.scene.translation import explain, mark, ntr, tr
from demine.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QCloseEvent

    from demine.desktop.dialogs.game_details import ReplayOpener
    from demine.desktop.import_export import Report
    from demine.logic.rules import Rules
    from demine.scene.themes import Theme
    from demine.store import Record, Store


class RecordsDialog(Dialog):
    """The player's records; `rules` are those to show first, None for the most played."""

    def __init__(
        self,
        parent: QWidget | None,
        store: Store,
        rules: Rules | None,
        theme: Theme,
        player: ReplayOpener | None = None,
    ) -> None:
        super().__init__(parent, mark("Records"))
        self._store, self._theme, self._player = store, theme, player
        self._first = None if rules is None else str(rules)
        self._records: tuple[Record, ...] = ()
        self._news = MessageLabel()
        self._news.hide()
        self.tabs = QTabWidget()
        self.best = BestTimesPage(self.texts)
        self.games = GamesPage(store, self.texts)
        self.progress = ProgressPage(store, theme, self.texts)
        self.daily = DailyPage(store, theme, self.texts)
        self._lay_out()
        for page in (self.best, self.games):
            page.wanted.connect(self.show_game)
        self.games.watched.connect(self.watch_game)
        self.games.watch.setVisible(player is not None)
        self.games.model.trouble.connect(self._show_news)
        self.daily.told.connect(self._show_news)
        self.daily.chosen.connect(self.accept)
        self._read()
        self._catch_up()
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter opens a game, and the field to find one has it too
        self.resize_to_lines(72, 40)

    def _catch_up(self) -> None:
        self.backfill = StatisticsBackfill(self._store, self)
        self.backfill.moved.connect(self._figures_came)
        self.backfill.begin()

    def _lay_out(self) -> None:
        for page, message in (
            (self.best, mark("&Best")),
            (self.games, mark("G&ames")),
            (self.progress, mark("&Progress")),
            (self.daily, mark("Dail&y boards")),
        ):
            self.tabs.addTab(page, "")
            self.texts.say(partial(self.tabs.setTabText, self.tabs.count() - 1), message)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        for message, action in (
            (mark("E&xport…"), self._ask_export),
            (mark("&Import…"), self._ask_import),
            (mark("Games to a fol&der…"), self._ask_export_folder),
            (mark("Games from a f&older…"), self._ask_import_folder),
        ):
            button = QPushButton()
            self.texts.say(button.setText, message)
            button.clicked.connect(action)
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self._news)
        layout.addWidget(buttons)

    def retranslate_ui(self) -> None:
        """Say every text anew."""
        super().retranslate_ui()
        self._offer()

    def _read(self) -> None:
        """Read the records anew."""
        try:
            self._records = self._store.records()
        except StoreError as error:
            self._show_news(explain(error))
        self._offer()

    def _offer(self) -> None:
        played = [record.rules for record in self._records]
        self.best.show_records(self._records, self.best.chosen or self._first or "")
        self.games.offer(played, self.games.chosen)
        self.progress.show_rules(played, self.progress.chosen or self._first or "")
        self.daily.reload()

    def _figures_came(self, done: bool) -> None:
        """Show the statistics that were worked out meanwhile."""
        if not done:
            self.games.model.refresh()
            return
        if self.games.model.sorted_by_figures:
            self.games.model.reload()
        else:
            self.games.model.refresh()
        self.progress.reload()

    def done(self, result: int) -> None:
        """Let the thread end, whichever way the records are closed."""
        self.backfill.stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Let the thread end when the window goes."""
        self.backfill.stop()
        super().closeEvent(event)

    def _show_news(self, text: str) -> None:
        self._news.tell(text)
        self._news.show()

    # A game

    def show_game(self, game_id: str) -> None:
        """Open a game of the history, or say why it cannot be read."""
        try:
            row, game = self._store.game_row(game_id), self._store.load_game(game_id)
        except DemineError as error:
            self._show_news(explain(error))
        else:
            GameDialog(self, row, game, self._theme, self._player).exec()

    def watch_game(self, game_id: str) -> None:
        """Open a game of the history in the player, or say why it cannot be read."""
        try:
            row, game = self._store.game_row(game_id), self._store.load_game(game_id)
        except DemineError as error:
            self._show_news(explain(error))
        else:
            if self._player is not None:
                self._player(self, formatting.moment(row.finished_at or row.seen_at), game)

    # Out and in

    def _ask_export(self) -> None:
        start = str(Path(_documents(), "demine-records.jsonl"))
        path, _ = QFileDialog.getSaveFileName(self, tr("Export records"), start, _kinds())
        if path:
            self.export_to(path)

    def export_to(self, path: str) -> None:
        """Write all games and settings to a file, and say how that went."""
        stream = io.StringIO()
        try:
            counts = self._store.export(stream)
            write_text(path, stream.getvalue())
        except DemineError as error:
            self._show_news(explain(error))
        else:
            self._show_news(
                ntr("{n} game written to {path}.", "{n} games written to {path}.", counts.games,
                    path=path)
            )  # fmt: skip

    def _ask_import(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Import records"), _documents(), _kinds())
        if path:
            self.import_from(path)

    def import_from(self, path: str) -> None:
        """Add what a file holds, an export or a database, and say what that was."""
        try:
            counts = self._store.import_(path)
        except DemineError as error:
            self._show_news(explain(error))
            return
        said = [ntr("{n} game added", "{n} games added", counts.games)]
        if counts.known:
            said.append(ntr("{n} was here already", "{n} were here already", counts.known))
        if counts.unreadable:
            said.append(ntr("{n} could not be read", "{n} could not be read", counts.unreadable))
        self._show_news(" · ".join(said))
        self._read()

    def _ask_export_folder(self) -> None:
        from demine.desktop.dialogs.import_export import ExportDialog

        marked = self.games.selected()
        try:
            choices: dict[str, Sequence[str]] = {
                mark("all that are listed"): self.games.model.ids(),
                mark("all games"): self._store.history().game_ids(),
            }
        except StoreError as error:
            self._show_news(explain(error))
            return
        # The table always stands at one of its games; more than one are meant.
        several = {mark("marked in the list"): marked}
        choices = {**several, **choices} if len(marked) > 1 else {**choices, **several}
        asked = ExportDialog(self, choices)
        if not asked.exec():
            return
        path = QFileDialog.getExistingDirectory(self, tr("Games to a folder"), _documents())
        if path:
            self.export_folder(path, asked.ids, asked.format)

    def export_folder(self, path: str, ids: Sequence[str], form: str) -> None:
        """Write games to a folder, saying how far that is and what could not be held."""
        from demine.desktop.dialogs.import_export import ProgressDialog, export_summary
        from demine.desktop.import_export import export_games

        def work(heard: Callable[[int, int], object], stop: Callable[[], bool]) -> Report:
            return export_games(self._store, ids, Path(path), form, heard, stop)

        ProgressDialog(self, mark("Games to a folder"), work, export_summary).exec()

    def _ask_import_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, tr("Games from a folder"), _documents())
        if path:
            self.import_folder(path)

    def import_folder(self, path: str) -> None:
        """Add the games of a folder, saying how far that is and what cannot be read."""
        from demine.desktop.dialogs.import_export import ProgressDialog, import_summary
        from demine.desktop.import_export import import_games

        def work(heard: Callable[[int, int], object], stop: Callable[[], bool]) -> Report:
            return import_games(self._store, Path(path), heard, stop)

        self.backfill.stop()
        ProgressDialog(self, mark("Games from a folder"), work, import_summary).exec()
        self._read()
        self._catch_up()


def _documents() -> str:
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)


def _kinds() -> str:
    return ";;".join((tr("Records (*.jsonl *.db)"), tr("All files (*)")))
