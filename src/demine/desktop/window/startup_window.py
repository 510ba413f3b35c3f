"""Opens the main window with its first frame, while the rest is being loaded.

Whatever the player does meanwhile waits in the event queue.
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
"""How long to wait for the window system; it paints all the same when it comes later."""
_PNG_QUALITY: Final = 80
"""For PNG, how little time to spend on compression; nothing is lost."""


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
    """Shows a window's first frame, and keeps the picture for the first frame of the next start.

    Create it before fonts or colours of the player's choice are set: a kept picture is valid only
    under the same ones of the system.
    """

    def __init__(self, window: AutoSizedWindow) -> None:
        self._window = window
        self._file = PictureFile("desktop", *_system_appearance())
        self._grabbed: SavedPicture | None = None

    def show_first_frame(self, options: StartOptions) -> bool:
        """Open the window with its first frame, if that is known; return whether it is."""
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
        """Put a frame into the window; return its widget, or None if it cannot be shown."""
        if isinstance(frame, SavedPicture):
            return self._show_picture(frame)
        from demine.desktop.window import untouched_board  # a kept picture needs none of it

        return untouched_board.show_untouched_board(self._window, frame)

    def _show_picture(self, saved: SavedPicture) -> PixmapWidget | None:
        pixmap = QPixmap()
        pixmap.loadFromData(saved.png)
        pixmap.setDevicePixelRatio(self._window.devicePixelRatioF())
        if pixmap.isNull() or not self._window.restoreGeometry(QByteArray(saved.geometry)):
            return None  # somebody else wrote there
        content = PixmapWidget(pixmap)
        self._window.setCentralWidget(content)
        return content

    def grab_picture(self) -> None:
        """Take the picture of the window, which is about to close."""
        png = QBuffer()
        if self._window.grab().save(png, "PNG", _PNG_QUALITY):
            geometry = bytes(self._window.saveGeometry().data())
            self._grabbed = SavedPicture(bytes(png.data().data()), geometry)

    def save_picture(self) -> None:
        """Keep the picture, if one was taken; call it when the records are closed."""
        if self._grabbed is not None:
            self._file.save(self._grabbed)


def _system_appearance() -> tuple[object, ...]:
    """Return what the picture takes from the system: font, light or dark, screen."""
    screen = QGuiApplication.primaryScreen()
    return (
        QApplication.font().toString(),
        # Asking for the scheme itself would first build all of Qt's own names.
        QGuiApplication.palette().window().color().name(),
        screen.geometry().getRect(),
        screen.devicePixelRatio(),
    )
