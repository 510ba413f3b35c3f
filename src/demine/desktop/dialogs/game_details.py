"""One game of the history: its board as it ended, and what it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QPushButton, QVBoxLayout

from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.dialogs.board_view import BoardView
from demine.logic.errors import DemineError, ShareError
from demine.logic.journal import dumps
from demine.scene.sight import sight
from demine.scene.system_errors import reason_of
from demine.scene.translation import explain, mark, ntr, tr
from demine.statistics.board import three_bv

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from demine.game import Game
    from demine.scene.themes import Theme
    from demine.store.game_rows import GameRow


ReplayOpener: TypeAlias = "Callable[[QWidget, str, Game], object]"
"""Opens a game to be watched, over a dialog and under a name."""


class GameDialog(Dialog):
    """Shows a game as it stood at its end, with its share code and its journal to take along."""

    def __init__(
        self,
        parent: QWidget | None,
        row: GameRow,
        game: Game,
        theme: Theme,
        player: ReplayOpener | None = None,
    ) -> None:
        super().__init__(parent, mark("Game"))
        self._row, self._game, self._player = row, game, player
        self._heading, self._verdict, self._news = MessageLabel(), MessageLabel(), MessageLabel()
        font = self._heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        font.setBold(True)
        self._heading.setFont(font)
        self._view = BoardView(sight(game), theme)
        self._three_bv = three_bv(game.board.mine_map) if game.board.laid else None
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        watch, figures, share, journal = (QPushButton() for _ in range(4))
        self.texts.say(watch.setText, mark("&Watch…"))
        self.texts.say(figures.setText, mark("S&tatistics…"))
        self.texts.say(share.setText, mark("&Copy share code"))
        self.texts.say(journal.setText, mark("&Save journal…"))
        watch.clicked.connect(self.watch)
        watch.setVisible(player is not None)
        figures.clicked.connect(self.show_statistics)
        figures.setEnabled(game.board.laid)
        share.clicked.connect(self.copy_share_code)
        journal.clicked.connect(self._ask_journal)
        for button in (watch, figures, share, journal):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        layout = QVBoxLayout(self)
        for part in (self._heading, self._verdict):
            layout.addWidget(part)
        layout.addWidget(self._view, 1)
        layout.addWidget(self._news)
        layout.addWidget(buttons)
        self._news.setText(" ")  # its line is kept free: news must not push the board
        self._tell()
        self._view.setFocus()
        # Qt alone would open it at two thirds of the screen at most.
        self.resize(self.sizeHint().boundedTo(self.screen().availableSize() * 0.94))

    def retranslate_ui(self) -> None:
        """Say every text anew."""
        super().retranslate_ui()
        self._tell()

    def _tell(self) -> None:
        row, game = self._row, self._game
        self._heading.tell(f"{formatting.title(row.rules)} · {formatting.result(row.status)}")
        self.setWindowTitle(f"{tr('Game')} · {formatting.title(row.rules)}")
        share = 100 * game.board.opened // max(game.rules.safe_cells, 1)
        said = [
            formatting.moment(row.finished_at or row.seen_at),
            tr("{time} s", time=formatting.seconds(row.time_ms)),
            tr("{percent} % open", percent=share),
            ntr("{n} act", "{n} acts", row.acts),
        ]
        if self._three_bv is not None:
            said.append(f"3BV {self._three_bv}")
        if row.unranked:
            said.append(formatting.note(row.unranked))
        self._verdict.tell(" · ".join(said))
        self._view.setAccessibleName(tr("The board at the end of the game"))

    def _show_news(self, text: str) -> None:
        self._news.tell(text)

    def watch(self) -> None:
        """Open the game in the player, over this dialog."""
        if self._player is not None:
            name = formatting.moment(self._row.finished_at or self._row.seen_at)
            self._player(self, name, self._game)

    def show_statistics(self) -> None:
        """Open the page with all statistics of the game."""
        from demine.desktop.dialogs.game_statistics import StatisticsDialog

        title = f"{self._heading.text()} · {self._verdict.text()}"
        StatisticsDialog(self, self._game, title).exec()

    def copy_share_code(self) -> None:
        """Put the share code of the board on the clipboard, and say so."""
        try:
            QGuiApplication.clipboard().setText(self._game.share())
        except ShareError as error:
            self._show_news(explain(error))
        else:
            self._show_news(tr("The share code is on the clipboard."))

    def _ask_journal(self) -> None:
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        ended = formatting.moment(self._row.finished_at or self._row.seen_at)
        name = "".join(sign if sign.isalnum() else "-" for sign in f"demine-{ended}")
        kinds = tr("Journals (*.jsonl)")
        path, _ = QFileDialog.getSaveFileName(
            self, tr("Save journal"), str(Path(folder, f"{name}.jsonl")), kinds
        )
        if path:
            self.save_journal(path)

    def save_journal(self, path: str) -> None:
        """Write the game's journal to a file, and say how that went."""
        try:
            write_text(path, dumps(self._game))
        except DemineError as error:
            self._show_news(explain(error))
        else:
            self._show_news(tr("The journal is in {path}.", path=path))


class FileError(DemineError):
    """A file that cannot be written."""


def write_text(path: str, text: str) -> None:
    """Write a whole file or leave the one before it alone; raises `FileError`."""
    part = Path(f"{path}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise FileError(
            "{path} cannot be written: {reason}", path=path, reason=reason_of(error)
        ) from error
