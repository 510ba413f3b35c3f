"""The one QApplication of a process."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication


def application() -> QApplication:
    """Return the application of this process, created at the first call."""
    found = QApplication.instance()
    if isinstance(found, QApplication):
        return found
    app = QApplication(["demine"])
    app.setApplicationName("demine")
    app.setApplicationDisplayName("demine")
    app.setDesktopFileName("demine")
    return app
