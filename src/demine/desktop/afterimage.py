"""The window's last picture, shown at the next start while the rest is still being loaded.

What a window shows when it opens is known when it is closed: the unfinished game as it was left.
The picture is kept beside what it depends on, and shown once: when the records, the language, the
screen or the program are others than they were, when something was asked for on the command line,
or when the last window was killed, there is none. Whatever the hand does meanwhile is heard later.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QDeadlineTimer, QEventLoop
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from demine.picture import kept
from demine.scene.messages import detect

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from demine.scene.wishes import Wishes

_PICTURE: Final = "desktop.png"
_STATE: Final = "desktop.txt"
_PLACE: Final = "desktop.place"
_PATIENCE_MS: Final = 150
"""How long to wait for the window system; it paints all the same when it comes later."""


class Picture(QWidget):
    """A picture of a window's inside."""

    def __init__(self, pixmap: QPixmap) -> None:
        super().__init__()
        self._pixmap = pixmap
        self.painted = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it."""
        del event
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._pixmap)
        painter.end()
        self.painted = True


class Afterimage:
    """What a window showed last time, and what it will show next time.

    Make it before anything of the player's choice is put on: what it depends on is the system.
    """

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self._system = _system()
        self._parting: tuple[QPixmap, bytes] | None = None

    def recall(self, wishes: Wishes) -> bool:
        """Open the window with the kept picture if that is what it is about to show.

        Returns whether it did.
        """
        folder = kept.folder()
        try:
            state = kept.taken(folder / _STATE)
            place = (folder / _PLACE).read_bytes()
        except (OSError, ValueError):
            return False  # none was kept, or somebody else wrote there
        pixmap = QPixmap(str(folder / _PICTURE))
        if type(wishes)() != wishes or state != self._state() or pixmap.isNull():
            return False
        pixmap.setDevicePixelRatio(self._window.devicePixelRatioF())
        if not self._window.restoreGeometry(QByteArray(place)):
            return False
        self._show(Picture(pixmap))
        return True

    def _show(self, picture: Picture) -> None:
        self._window.setCentralWidget(picture)
        self._window.show()
        waiting = QDeadlineTimer(_PATIENCE_MS)
        while not picture.painted and not waiting.hasExpired():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 10)

    def take(self) -> None:
        """Take a picture of the window as it closes, to be kept when the records are closed."""
        self._parting = self._window.grab(), bytes(self._window.saveGeometry().data())

    def keep(self) -> None:
        """Keep the picture taken, if one was, for the next start to begin with."""
        if self._parting is None:
            return
        (pixmap, place), folder = self._parting, kept.folder()
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if pixmap.save(str(folder / _PICTURE), "PNG", _QUICK):
                (folder / _PLACE).write_bytes(place)
                (folder / _STATE).write_text(self._state(), encoding="utf-8")

    def _state(self) -> str:
        return kept.state(*self._system)


_QUICK: Final = 80
"""For PNG, quality says how little time to spend on smallness; nothing is lost."""


def _system() -> tuple[object, ...]:
    """Return what the picture takes from the system: language, letters, light or dark, screen."""
    screen = QGuiApplication.primaryScreen()
    return (
        detect(),
        os.environ.get("DEMINE_LANG", ""),
        QApplication.font().toString(),
        # Asking for the scheme itself would first build all of Qt's own names.
        QGuiApplication.palette().window().color().name(),
        screen.geometry().getRect(),
        screen.devicePixelRatio(),
    )
