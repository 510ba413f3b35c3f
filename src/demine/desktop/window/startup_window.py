"""What a window shows at a start while the rest is still being loaded.

What a window shows when it opens is known when it is closed: the unfinished game as it was left.
Its picture is kept beside what it depends on, and shown once: when the records, the language, the
screen or the program are others than they were, when something was asked for on the command line,
when the game was over, or when the last window was killed, there is none.

A board that nobody has touched follows from its rules and settings, and is drawn without more.
Whatever the hand does meanwhile is heard later.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QDeadlineTimer, QEventLoop
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from demine.picture import last_frame
from demine.scene.translation import detect

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from demine.desktop.board.viewport import Field
    from demine.desktop.window.sizing import SizedWindow
    from demine.scene.preferences import Wishes

_PICTURE: Final = "desktop.png"
_PLACE: Final = "desktop.place"
_STATE: Final = "desktop.txt"
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

    def __init__(self, window: SizedWindow) -> None:
        self._window = window
        self._system = _system()
        self._parting: tuple[QPixmap, QByteArray] | None = None

    def recall(self, wishes: Wishes) -> bool:
        """Open the window with what it is about to show, if that is known; return whether it is."""
        shown = self._kept(wishes) or self._drawn(wishes)
        if shown is None:
            return False
        self._window.show()
        waiting = QDeadlineTimer(_PATIENCE_MS)
        while not shown.painted and not waiting.hasExpired():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents, 10)
        return True

    def _kept(self, wishes: Wishes) -> Picture | None:
        """Put the picture that was kept into the window, if it holds."""
        folder = last_frame.folder()
        try:
            state = last_frame.taken(folder / _STATE)
            place = (folder / _PLACE).read_bytes()
        except (OSError, ValueError):
            return None  # none was kept, or somebody else wrote there
        if type(wishes)() != wishes or state != self._state():
            return None
        pixmap = QPixmap(str(folder / _PICTURE))
        pixmap.setDevicePixelRatio(self._window.devicePixelRatioF())
        if pixmap.isNull() or not self._window.restoreGeometry(QByteArray(place)):
            return None
        picture = Picture(pixmap)
        self._window.setCentralWidget(picture)
        return picture

    def _drawn(self, wishes: Wishes) -> Field | None:
        """Put an untouched board into the window, if that is what is played."""
        from demine.store.quick_look import untouched

        found = None if wishes.fullscreen else untouched(wishes)
        if found is None:
            return None
        from demine.desktop.window import first_frame

        return first_frame.show(self._window, found, wishes)

    def take(self) -> None:
        """Take a picture of the window as it closes, to be kept when the records are closed."""
        self._parting = self._window.grab(), self._window.saveGeometry()

    def keep(self) -> None:
        """Keep the picture taken, if one was, for the next start to begin with."""
        if self._parting is None:
            return
        pixmap, place = self._parting
        folder = last_frame.folder()
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if pixmap.save(str(folder / _PICTURE), "PNG", _QUICK):
                (folder / _PLACE).write_bytes(bytes(place.data()))
                (folder / _STATE).write_text(self._state(), encoding="utf-8")

    def _state(self) -> str:
        return last_frame.state(*self._system)


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
