"""The dialog Records: best times, games, progress and daily boards; exported and imported."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QTabWidget

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.dialogs.best_times_page import BestTimesPage
from demine.desktop.dialogs.daily_boards_page import DailyPage
from demine.desktop.dialogs.finished_game import FinishedGameDialog, write_text_atomically
from demine.desktop.dialogs.games_page import GamesPage
from demine.desktop.dialogs.progress_page import ProgressPage
from demine.desktop.dialogs.statistics_backfill import StatisticsBackfill
from demine.desktop.widget_builders import documents_folder, vbox
from demine.logic.errors import DemineError
from demine.scene.translation import explain, mark, ntr, tr
from demine.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from demine.desktop.dialogs.finished_game import ReplayOpener
    from demine.game import Game
    from demine.logic.rules import Rules
    from demine.scene.themes import Theme
    from demine.store import GameRow, Record, Store


class RecordsDialog(Dialog):
    """The player's records; `rules` are shown first, None for the most played."""

    def __init__(
        self,
        parent: QWidget | None,
        store: Store,
        rules: Rules | None,
        theme: Theme,
        open_replay: ReplayOpener | None = None,
    ) -> None:
        super().__init__(parent, mark("Records"))
        self._store, self._theme, self._open_replay = store, theme, open_replay
        self._first_rules = "" if rules is None else str(rules)
        self._records: tuple[Record, ...] = ()
        self._ended: tuple[tuple[str, int], ...] = ()
        """The rules of all games that ended, and how many those are."""
        self._message = MessageLabel()
        self._message.hide()
        self.tabs = QTabWidget()
        self.best = BestTimesPage(self.texts)
        self.games = GamesPage(store, self.texts)
        self.progress = ProgressPage(store, theme, self.texts)
        self.daily = DailyPage(store, theme, self.texts)
        for page, title in (
            (self.best, mark("&Best")),
            (self.games, mark("G&ames")),
            (self.progress, mark("&Progress")),
            (self.daily, mark("Dail&y boards")),
        ):
            self.texts.add_tab(self.tabs, page, title)
        buttons = self.make_button_box(actions=(self._make_transfer_button(),))
        vbox((self.tabs, 1), self._message, buttons, parent=self)
        self._connect()
        self._reload()
        self._start_backfill()
        self.disable_auto_default()  # Enter opens a game, and the search field needs it too
        self.resize_to_line_heights(64, 38)
        filled = (page for page in (self.best, self.games) if not page.content.is_empty)
        self.tabs.setCurrentWidget(next(filled, self.best))

    def _make_transfer_button(self) -> QPushButton:
        """Return the button whose menu imports and exports."""
        button = QPushButton()
        self.texts.bind(button.setText, mark("&Import and export"))
        self.transfer = QMenu(button)
        for entry in (
            (mark("&Import records…"), self._ask_import),
            (mark("Import games from a &folder…"), self._ask_import_folder),
            None,
            (mark("&Export records…"), self._ask_export),
            (mark("Export games to a fol&der…"), self._ask_export_folder),
        ):
            if entry is None:
                self.transfer.addSeparator()
                continue
            action = self.transfer.addAction("")
            action.triggered.connect(lambda _on=False, ask=entry[1]: ask())
            self.texts.bind(action.setText, entry[0])
        button.setMenu(self.transfer)
        return button

    def _connect(self) -> None:
        self.best.show_requested.connect(self.show_game)
        self.games.show_requested.connect(self.show_game)
        self.games.watch_requested.connect(self.watch_game)
        self.games.watch.setVisible(self._open_replay is not None)
        self.games.model.error_occurred.connect(self._show_message)
        self.daily.message.connect(self._show_message)
        self.daily.play_requested.connect(self.accept)

    def _start_backfill(self) -> None:
        self.backfill = StatisticsBackfill(self._store, self)
        self.backfill.progressed.connect(self._backfill_progressed)
        self.backfill.start()

    def update_composed_texts(self) -> None:
        """Show the records in the current language."""
        played = [record.rules for record in self._records]
        ended = [rules for rules, _ in self._ended]
        self.best.show_records(self._records, self.best.chosen_rules or self._first_rules)
        self.games.fill_filters(ended, self.games.chosen_rules)
        self.progress.show_rules(played, self.progress.chosen_rules or self._first_rules)
        self.daily.reload()

    def _reload(self) -> None:
        """Read the records again."""
        try:
            self._records = self._store.records()
            self._ended = self._store.ended_game_counts()
        except StoreError as error:
            self._show_message(explain(error))
        self.update_composed_texts()

    def _backfill_progressed(self, done: bool) -> None:
        """Show the statistics that were computed meanwhile."""
        if done and self.games.model.sorted_by_statistics:
            self.games.model.reload()
        else:
            self.games.model.refresh()
        if done:
            self.progress.reload()

    def done(self, result: int) -> None:
        """Stop computing statistics, and close."""
        self.backfill.stop()
        super().done(result)

    def _show_message(self, text: str) -> None:
        self._message.set_message(text)
        self._message.show()

    # A game

    def show_game(self, game_id: str) -> None:
        """Open the dialog of a game, or show why it cannot be read."""
        found = self._load(game_id)
        if found is not None:
            FinishedGameDialog(self, *found, self._theme, self._open_replay).exec()

    def watch_game(self, game_id: str) -> None:
        """Open a game in the replay player, or show why it cannot be read."""
        found = self._load(game_id)
        if found is not None and self._open_replay is not None:
            row, game = found
            ended_at = formatting.format_local_time(row.finished_at or row.seen_at)
            self._open_replay(self, ended_at, game)

    def _load(self, game_id: str) -> tuple[GameRow, Game] | None:
        """Return a game of the history, or show why it cannot be read and return None."""
        try:
            return self._store.game_row(game_id), self._store.load_game(game_id)
        except DemineError as error:
            self._show_message(explain(error))
            return None

    # Export and import

    def _ask_export(self) -> None:
        start = str(Path(documents_folder(), "demine-records.jsonl"))
        path, _ = QFileDialog.getSaveFileName(self, tr("Export records"), start, _file_filter())
        if path:
            self.export_store(path)

    def export_store(self, path: str) -> None:
        """Write all games and settings to a file, and show a message with the result."""
        stream = io.StringIO()
        try:
            counts = self._store.export(stream)
            write_text_atomically(path, stream.getvalue())
        except DemineError as error:
            self._show_message(explain(error))
        else:
            self._show_message(
                ntr("{n} game written to {path}.", "{n} games written to {path}.", counts.games,
                    path=path)
            )  # fmt: skip

    def _ask_import(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, tr("Import records"), documents_folder(), _file_filter()
        )
        if path:
            self.import_store(path)

    def import_store(self, path: str) -> None:
        """Add the games of an export or a database, and show a message with their number."""
        try:
            counts = self._store.import_(path)
        except DemineError as error:
            self._show_message(explain(error))
            return
        said = counts.added_sentences()
        if counts.known:
            said.append(ntr("{n} was already here", "{n} were already here", counts.known))
        if counts.unreadable:
            said.append(ntr("{n} could not be read", "{n} could not be read", counts.unreadable))
        self._show_message(" · ".join(said))
        self._reload()

    def _ask_export_folder(self) -> None:
        from demine.desktop.dialogs.history_export_import import ExportDialog

        marked = self.games.selected_game_ids()
        try:
            choices: dict[str, Sequence[str]] = {
                mark("all in the list"): self.games.model.game_ids(),
                mark("all games"): self._store.history().game_ids(),
            }
        except StoreError as error:
            self._show_message(explain(error))
            return
        # One game is always selected; only several are a choice of the player.
        several = {mark("selected in the list"): marked}
        choices = {**several, **choices} if len(marked) > 1 else {**choices, **several}
        dialog = ExportDialog(self, choices)
        if not dialog.exec():
            return
        path = QFileDialog.getExistingDirectory(
            self, tr("Export games to a folder"), documents_folder()
        )
        if path:
            self.export_games_to_folder(path, dialog.selected_game_ids, dialog.selected_format)

    def export_games_to_folder(self, path: str, ids: Sequence[str], format_name: str) -> None:
        """Write games to a folder, with a dialog for progress and problems."""
        from demine.desktop.dialogs.history_export_import import ProgressDialog, export_summary
        from demine.desktop.history_export_import import export_games

        work = partial(export_games, self._store, ids, Path(path), format_name)
        ProgressDialog(self, mark("Export games to a folder"), work, export_summary).exec()

    def _ask_import_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(
            self, tr("Import games from a folder"), documents_folder()
        )
        if path:
            self.import_games_from_folder(path)

    def import_games_from_folder(self, path: str) -> None:
        """Add the games of a folder, with a dialog for progress and problems."""
        from demine.desktop.dialogs.history_export_import import ProgressDialog, import_summary
        from demine.desktop.history_export_import import import_games

        work = partial(import_games, self._store, Path(path))
        self.backfill.stop()
        ProgressDialog(self, mark("Import games from a folder"), work, import_summary).exec()
        self._reload()
        self._start_backfill()


def _file_filter() -> str:
    return ";;".join((tr("Records (*.jsonl *.db)"), tr("All files (*)")))
