"""Exports a replay: a frame as PNG, the game as an animated GIF."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QProgressDialog, QSpinBox

from demine.desktop.dialogs.base import Dialog, StandardButton
from demine.desktop.widget_builders import vbox
from demine.logic.errors import DemineError
from demine.picture.animation import playback_frame, write_game_gif
from demine.picture.png_file import png_bytes
from demine.replay.limited_file_io import atomic_write
from demine.scene.board_geometry import MAX_CELL, MIN_CELL
from demine.scene.playback import SPEEDS, Playback
from demine.scene.translation import explain, mark, tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from demine.desktop.watch.replay_board import ReplayBoard
    from demine.scene.overlay import Overlay
    from demine.scene.playback import Trail
    from demine.scene.themes import Theme

_CELL: Final = 16
_LARGEST: Final = 24


def write_bytes_atomically(data: bytes, path: str) -> None:
    """Write a whole file, or leave the existing one alone; raises `ReplayError`."""
    with atomic_write(path) as file:
        file.write(data)


def ask_save_path(parent: QWidget, title: str, file_filter: str, suggested_name: str) -> str:
    """Ask for a file to write; return its path, or an empty text if cancelled."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
    path, _ = QFileDialog.getSaveFileName(
        parent, title, str(Path(folder, suggested_name)), file_filter
    )
    ending = Path(suggested_name).suffix
    return path + ending if path and not Path(path).suffix else path


class AnimationDialog(Dialog):
    """Asks for the speed and the cell size of an animation."""

    def __init__(self, parent: QWidget | None, speed: float, cell: int) -> None:
        super().__init__(parent, mark("Save as GIF"))
        self._speed, self._cell = QComboBox(), QSpinBox()
        for each in SPEEDS:
            self._speed.addItem(f"{each:g}×", each)
        self._speed.setCurrentIndex(SPEEDS.index(speed) if speed in SPEEDS else 4)
        self._cell.setRange(MIN_CELL, MAX_CELL)
        self._cell.setValue(cell or _CELL)
        form = self.texts.make_form(
            ((mark("&Speed:"), self._speed), (mark("&Cell in pixels:"), self._cell))
        )
        buttons = self.make_button_box(StandardButton.Save | StandardButton.Cancel)
        vbox(form, buttons, parent=self)

    @property
    def speed(self) -> float:
        """The chosen factor of speed."""
        return SPEEDS[self._speed.currentIndex()]

    @property
    def cell_px(self) -> int:
        """The chosen side of a cell, in pixels."""
        return self._cell.value()


class AnimationWriter(QObject):
    """Writes an animation in a thread; a dialog shows its progress and can cancel it."""

    finished = Signal(str)
    """The result, as a message to show."""
    _progressed = Signal(int, int)
    _ended = Signal()

    def __init__(self, parent: QWidget, playback: Playback, theme: Theme) -> None:
        super().__init__(parent)
        # A position of its own in the same game: the player goes on meanwhile.
        self._playback = Playback(playback.game, fade_finished=playback.fade_finished)
        self._theme = theme
        self._stopped = threading.Event()
        self._error: DemineError | None = None
        self._is_complete = False
        self._path = ""
        self._thread: threading.Thread | None = None
        self.dialog = QProgressDialog(tr("Drawing the game…"), tr("Cancel"), 0, 0, parent)
        self.dialog.setWindowTitle(tr("Save as GIF"))
        self.dialog.setWindowModality(Qt.WindowModality.WindowModal)
        self.dialog.setMinimumDuration(400)
        self.dialog.setAutoClose(False)
        self.dialog.setAutoReset(False)
        self.dialog.canceled.connect(self.stop)
        self._progressed.connect(self._show_progress, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    def start(self, path: str, cell_px: int, speed: float) -> None:
        """Start the thread, which writes the file."""
        self._path = path
        self.dialog.setValue(0)
        self._thread = threading.Thread(
            target=self._write, args=(path, cell_px, speed), name="recorder", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Ask the thread to stop; an existing file stays as it is."""
        self._stopped.set()

    def close(self) -> None:
        """Stop the thread, and wait until the unfinished file is deleted."""
        self.stop()
        if self._thread is not None:
            self._thread.join(10)

    def _write(self, path: str, cell_px: int, speed: float) -> None:
        try:
            with atomic_write(path) as file:
                self._is_complete = write_game_gif(
                    self._playback, file, self._theme, cell_px, speed, progress=self._progress
                )
                self._raise_if_incomplete()
        except _StoppedError:
            pass
        except DemineError as error:
            self._error = error
        self._ended.emit()

    def _raise_if_incomplete(self) -> None:
        """Raise `_StoppedError`, so that the unfinished file is deleted."""
        if not self._is_complete:
            raise _StoppedError("stopped")

    def _progress(self, done: int, count: int) -> bool:
        if done % 5 == 0:
            self._progressed.emit(done, count)
        return not self._stopped.is_set()

    def _show_progress(self, done: int, count: int) -> None:
        if not self._stopped.is_set():
            self.dialog.setMaximum(count)
            self.dialog.setValue(done)

    def _finish(self) -> None:
        self.dialog.close()
        self.dialog.deleteLater()
        if self._error is not None:
            self.finished.emit(explain(self._error))
        elif self._is_complete:
            self.finished.emit(tr("Game saved to {path}.", path=self._path))
        else:
            self.finished.emit(tr("Nothing was saved."))
        QTimer.singleShot(0, self.deleteLater)


class ReplayView(Protocol):
    """The window of the replay that is exported."""

    playback: Playback
    theme: Theme
    board: ReplayBoard
    name: str

    def shown_trail(self) -> Trail | None:
        """Return the pointer trail that is shown, or None."""

    def shown_overlay(self) -> Overlay | None:
        """Return the overlay that is shown on the board, or None."""


class ReplayExporter(QObject):
    """Exports the replay that a window shows, as a picture or an animation."""

    message = Signal(str)
    """The result, as a message to show."""

    def __init__(self, parent: QWidget, view: ReplayView) -> None:
        super().__init__(parent)
        self._parent, self._view = parent, view
        self._writer: AnimationWriter | None = None

    def ask_to_save_frame(self) -> None:
        """Ask for a path, and write the current frame there."""
        path = ask_save_path(
            self._parent, tr("Save frame"), tr("Pictures (*.png)"), self._file_name(".png")
        )
        if path:
            self.save_frame(path)

    def save_frame(self, path: str) -> None:
        """Write the current frame to a PNG file, and emit the result as `message`."""
        view = self._view
        try:
            picture = playback_frame(
                view.playback,
                view.theme,
                view.board.view.cell,
                trail=view.shown_trail(),
                advice=view.shown_overlay(),
            )
            write_bytes_atomically(png_bytes(picture), path)
        except DemineError as error:
            self.message.emit(explain(error))
        else:
            self.message.emit(tr("Frame saved to {path}.", path=path))

    def ask_to_save_animation(self) -> None:
        """Ask for speed, cell size and path, and start writing the animation."""
        view = self._view
        cell = min(view.board.view.cell, _LARGEST)
        dialog = AnimationDialog(self._parent, view.playback.speed, cell)
        if not dialog.exec():
            return
        path = ask_save_path(
            self._parent, tr("Save as GIF"), tr("Animations (*.gif)"), self._file_name(".gif")
        )
        if path:
            self.save_animation(path, dialog.cell_px, dialog.speed)

    def save_animation(self, path: str, cell_px: int, speed: float) -> None:
        """Start writing the game to a GIF file; the result is emitted as `message`."""
        self._writer = AnimationWriter(self._parent, self._view.playback, self._view.theme)
        self._writer.finished.connect(self._report_result)
        self._writer.start(path, cell_px, speed)

    def _report_result(self, said: str) -> None:
        self._writer = None
        self.message.emit(said)

    def stop(self) -> None:
        """Ask an animation that is being written to stop."""
        if self._writer is not None:
            self._writer.stop()

    def close(self) -> None:
        """Stop an animation that is being written, and wait for its end."""
        if self._writer is not None:
            self._writer.close()

    def _file_name(self, ending: str) -> str:
        stem = Path(self._view.name).stem
        safe = "".join(sign if sign.isalnum() else "-" for sign in stem)
        return f"{safe or 'demine'}{ending}"


class _StoppedError(DemineError):
    """The animation was cancelled."""
