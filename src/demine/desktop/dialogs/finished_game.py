"""The dialog of a finished game: its last board, its result, share code and journal."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.dialogs.zoomable_board import BoardView
from demine.desktop.widget_builders import documents_folder, vbox
from demine.logic.errors import DemineError, ShareError
from demine.play import record_table
from demine.scene.board_title import board_title
from demine.scene.sight import sight
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import explain, mark, ntr, tr
from demine.statistics.board_3bv import three_bv

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from demine.game import Game
    from demine.scene.themes import Theme
    from demine.store.game_rows import GameRow


ReplayOpener: TypeAlias = "Callable[[QWidget, str, Game], object]"
"""Opens the replay player: called with the parent, the name of the game and the game."""


class FinishedGameDialog(Dialog):
    """Shows a game at its end, with buttons to watch, copy and save it."""

    def __init__(
        self,
        parent: QWidget | None,
        row: GameRow,
        game: Game,
        theme: Theme,
        open_replay: ReplayOpener | None = None,
    ) -> None:
        super().__init__(parent, mark("Game"))
        self._row, self._game, self._open_replay = row, game, open_replay
        self._heading, self._summary, self._message = MessageLabel(), MessageLabel(), MessageLabel()
        self._heading.make_heading(1.3)
        self._view = BoardView(sight(game), theme)
        self._three_bv = three_bv(game.board.mine_map) if game.board.laid else None
        make = partial(self.texts.make_button, auto_default=True)
        watch = make(mark("&Watch…"), self.open_replay)
        watch.setVisible(open_replay is not None)
        statistics = make(mark("S&tatistics…"), self.show_statistics)
        statistics.setEnabled(game.board.laid)
        share = make(mark("&Copy share code"), self.copy_share_code)
        journal = make(mark("&Save journal…"), self._ask_journal_path)
        buttons = self.make_button_box(actions=(watch, statistics, share, journal))
        view = (self._view, 1)
        vbox(self._heading, self._summary, view, self._message, buttons, parent=self)
        self._message.setText(" ")  # reserves its line, so that a message does not move the board
        self.update_composed_texts()
        self._view.setFocus()
        # By itself Qt would make it two thirds of the screen at most.
        self.resize(self.sizeHint().boundedTo(self.screen().availableSize() * 0.94))

    @property
    def _ended_at(self) -> str:
        return formatting.format_local_time(self._row.finished_at or self._row.seen_at)

    def update_composed_texts(self) -> None:
        """Set the rules, the result and the summary of the game."""
        row, game = self._row, self._game
        title = board_title(row.rules)
        self._heading.set_message(f"{title} · {formatting.game_result_text(row.status)}")
        self.setWindowTitle(f"{tr('Game')} · {title}")
        share = 100 * game.board.opened // max(game.rules.safe_cells, 1)
        said = [
            self._ended_at,
            tr("{time} s", time=record_table.format_seconds(row.time_ms)),
            tr("{percent}% open", percent=share),
            ntr("{n} move", "{n} moves", row.acts),
        ]
        if self._three_bv is not None:
            said.append(f"3BV {self._three_bv}")
        if row.unranked:
            said.append(formatting.unranked_reason_text(row.unranked))
        self._summary.set_message(" · ".join(said))
        self._view.setAccessibleName(tr("The board at the end of the game"))

    def open_replay(self) -> None:
        """Open the game in the replay player, over this dialog."""
        if self._open_replay is not None:
            self._open_replay(self, self._ended_at, self._game)

    def show_statistics(self) -> None:
        """Open the dialog with all statistics of the game."""
        from demine.desktop.dialogs.game_statistics import StatisticsDialog

        title = f"{self._heading.text()} · {self._summary.text()}"
        StatisticsDialog(self, self._game, title).exec()

    def copy_share_code(self) -> None:
        """Copy the share code of the board to the clipboard, and show a message."""
        try:
            QGuiApplication.clipboard().setText(self._game.share())
        except ShareError as error:
            self._message.set_message(explain(error))
        else:
            self._message.set_message(tr("Share code copied."))

    def _ask_journal_path(self) -> None:
        name = "".join(sign if sign.isalnum() else "-" for sign in f"demine-{self._ended_at}")
        path, _ = QFileDialog.getSaveFileName(
            self,
            tr("Save journal"),
            str(Path(documents_folder(), f"{name}.jsonl")),
            tr("Journals (*.jsonl)"),
        )
        if path:
            self.save_journal(path)

    def save_journal(self, path: str) -> None:
        """Write the game's journal to a file, and show a message with the result."""
        try:
            write_text_atomically(path, self._game.journal())
        except DemineError as error:
            self._message.set_message(explain(error))
        else:
            self._message.set_message(tr("Journal saved to {path}.", path=path))


class FileError(DemineError):
    """A file that cannot be written."""


def write_text_atomically(path: str, text: str) -> None:
    """Write a whole file, or leave the existing one alone; raises `FileError`."""
    part = Path(f"{path}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise FileError(
            "{path} cannot be written: {reason}", path=path, reason=system_error_reason(error)
        ) from error
