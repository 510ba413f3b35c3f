"""The dialog of a finished game: its last board, its result, share code and journal."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import QFileDialog, QScrollArea, QWidget

from demine.desktop.board.qt_board_painting import to_qimage
from demine.desktop.dialogs import formatting
from demine.desktop.dialogs.base import Dialog, MessageLabel
from demine.desktop.widget_builders import documents_folder, vbox
from demine.logic.errors import DemineError, ShareError
from demine.picture import render
from demine.play import record_table
from demine.scene.board_geometry import MAX_CELL, MIN_CELL, ZOOM_STEPS
from demine.scene.board_title import board_title
from demine.scene.cell_highlights import cell_looks
from demine.scene.sight import sight
from demine.scene.system_errors import system_error_reason
from demine.scene.translation import explain, mark, ntr, tr
from demine.statistics.board_3bv import three_bv

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QWheelEvent
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


_FIRST_CELL: Final = 28
_LEAST: Final = 16
_WIDE, _HIGH = 720, 480
"""The most a board takes at first, in logical pixels."""


class BoardView(QScrollArea):
    """Shows faces, uint8 (height, width) of `Face`; plus, minus and Ctrl+wheel zoom."""

    def __init__(self, faces: NDArray[np.uint8], theme: Theme) -> None:
        super().__init__()
        rows, cols = faces.shape
        fitting = min(_WIDE // cols, _HIGH // rows)
        self._canvas = BoardCanvas(faces, theme, min(max(fitting, _LEAST), _FIRST_CELL))
        self.setWidget(self._canvas)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._set_cell_size(self.cell_size)

    @property
    def cell_size(self) -> int:
        """The side of a cell in logical pixels."""
        return self._canvas.cell

    def sizeHint(self) -> QSize:
        """Return room for the whole board, up to what most screens have."""
        frame = 2 * self.frameWidth() + 2
        return self._canvas.size().boundedTo(QSize(_WIDE, _HIGH)) + QSize(frame, frame)

    def minimumSizeHint(self) -> QSize:
        """Return room for some cells."""
        return QSize(8 * _LEAST, 6 * _LEAST)

    def zoom(self, steps: int) -> None:
        """Zoom in by steps, or out if negative, around the middle."""
        sizes = sorted({*ZOOM_STEPS, MIN_CELL, MAX_CELL})
        cell = self.cell_size
        place = sizes.index(cell if cell in sizes else _FIRST_CELL)
        bars = self.horizontalScrollBar(), self.verticalScrollBar()
        middles = [(bar.value() + bar.pageStep() / 2) / cell for bar in bars]
        self._set_cell_size(sizes[min(max(place + steps, 0), len(sizes) - 1)])
        for bar, middle in zip(bars, middles, strict=True):
            bar.setValue(round(middle * self.cell_size - bar.pageStep() / 2))

    def _set_cell_size(self, cell: int) -> None:
        self._canvas.set_cell_size(cell)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.setSingleStep(cell)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, else scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom with plus and minus; scroll with arrows and pages."""
        step = {"+": 1, "=": 1, "-": -1}.get(event.text())
        if step is None:
            super().keyPressEvent(event)
        else:
            self.zoom(step)


class BoardCanvas(QWidget):
    """The whole board, drawn only where it is visible."""

    def __init__(self, faces: NDArray[np.uint8], theme: Theme, cell: int) -> None:
        super().__init__()
        looks = cell_looks(faces, fade_finished=False)  # fading serves play, which is over
        self._faces, self._looks, self._theme = faces, looks, theme
        self.cell = cell

    def set_cell_size(self, cell_px: int) -> None:
        """Resize to cells of some logical pixels."""
        rows, cols = self._faces.shape
        self.cell = cell_px
        self.resize(cols * cell_px, rows * cell_px)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the visible cells, in whole device pixels."""
        seen, cell = event.rect(), self.cell
        rows, cols = self._faces.shape
        top, left = seen.top() // cell, seen.left() // cell
        bottom, right = min(rows, seen.bottom() // cell + 1), min(cols, seen.right() // cell + 1)
        if top >= bottom or left >= right:
            return
        pixels = max(round(cell * self.devicePixelRatioF()), MIN_CELL)
        region = (top, left, bottom, right)
        picture = render(self._faces, self._theme, pixels, self._looks, region=region)
        painter = QPainter(self)
        painter.drawImage(QPoint(left * cell, top * cell), to_qimage(picture, pixels / cell))
        painter.end()
