"""The desktop from opening to closing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from demine.desktop.afterimage import Afterimage
from demine.desktop.display import obstacle
from demine.desktop.signals import Signals
from demine.desktop.window import MainWindow

if TYPE_CHECKING:
    from demine.scene.wishes import Wishes


def run(wishes: Wishes) -> int:
    """Open the window, play until it is closed, and return the exit code.

    Raises `DisplayError` when no window can be shown here.
    """
    lost = obstacle()
    if lost is not None:
        raise lost
    app = application()
    window = MainWindow()
    afterimage = Afterimage(window)
    with Signals() as signals:
        afterimage.recall(wishes)
        # Arrays, records and menus take longer to load than a window to open.
        from demine.desktop.session import play

        return play(app, window, wishes, afterimage, signals)


def application() -> QApplication:
    """Return the application, made once in a process."""
    found = QApplication.instance()
    if isinstance(found, QApplication):
        return found
    app = QApplication(["demine"])
    app.setApplicationName("demine")
    app.setApplicationDisplayName("demine")
    app.setDesktopFileName("demine")
    return app
