"""Shows the main window with its first frame while the rest is loaded.

Input waits in the event queue meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QByteArray, QDeadlineTimer, QEventLoop
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from demine.play.first_frame import PictureFile, SavedPicture, first_frame_candidates

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from demine.desktop.board.viewport import BoardViewport
    from demine.desktop.window.auto_sized_window import AutoSizedWindow
    from demine.play.first_frame import UntouchedBoard
    from demine.scene.preferences import StartOptions

_PAINT_TIMEOUT_MS: Final = 150
"""How long to wait for the window system; if it is later, the frame is painted then."""
_PNG_QUALITY: Final = 80
"""Fast, weak compression; PNG loses nothing by it."""


class PixmapWidget(QWidget):
    """A widget that shows a pixmap."""

    def __init__(self, pixmap: QPixmap) -> None:
        super().__init__()
        self._pixmap = pixmap
        self.painted = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pixmap."""
        del event
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._pixmap)
        painter.end()
        self.painted = True


class StartupWindow:
    """Shows the first frame of a window, and saves a picture for that of the next start.

    Create it before preferences change fonts or colours: a saved picture is valid only with the
    same fonts and colours of the system.
    """

    def __init__(self, window: AutoSizedWindow) -> None:
        self._window = window
        self._file = PictureFile("desktop", *_system_appearance())
        self._grabbed: SavedPicture | None = None

    def show_first_frame(self, options: StartOptions) -> bool:
        """Show the window with its first frame; return False, showing nothing, if none is known."""
        shown = map(self._show_frame, first_frame_candidates(self._file, options))
        content = next((each for each in shown if each is not None), None)
        if content is None:
            return False
        self._window.show()
        deadline = QDeadlineTimer(_PAINT_TIMEOUT_MS)
        while not content.painted and not deadline.hasExpired():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 10)
        return True

    def _show_frame(
        self, frame: SavedPicture | UntouchedBoard
    ) -> PixmapWidget | BoardViewport | None:
        """Put a frame into the window; return its widget, or None if it is not possible."""
        if isinstance(frame, SavedPicture):
            return self._show_picture(frame)
        from demine.desktop.window import untouched_board  # not needed for a saved picture

        return untouched_board.show_untouched_board(self._window, frame)

    def _show_picture(self, saved: SavedPicture) -> PixmapWidget | None:
        pixmap = QPixmap()
        pixmap.loadFromData(saved.png)
        pixmap.setDevicePixelRatio(self._window.devicePixelRatioF())
        if pixmap.isNull() or not self._window.restoreGeometry(QByteArray(saved.geometry)):
            return None  # the file is damaged
        content = PixmapWidget(pixmap)
        self._window.setCentralWidget(content)
        return content

    def grab_picture(self) -> None:
        """Take a picture of the window, to be saved later."""
        png = QBuffer()
        if self._window.grab().save(png, "PNG", _PNG_QUALITY):
            geometry = bytes(self._window.saveGeometry().data())
            self._grabbed = SavedPicture(bytes(png.data().data()), geometry)

    def save_picture(self) -> None:
        """Save the picture if one was taken; call this when the store is closed."""
        if self._grabbed is not None:
            self._file.save(self._grabbed)


def _system_appearance() -> tuple[object, ...]:
    """Return what a picture depends on: font, background colour, screen and pixel ratio."""
    screen = QGuiApplication.primaryScreen()
    return (
        QApplication.font().toString(),
        # Asking for the colour scheme would build all of Qt's enumerations.
        QGuiApplication.palette().window().color().name(),
        screen.geometry().getRect(),
        screen.devicePixelRatio(),
    )
