"""Runs the game in its window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.desktop.display_check import find_display_error
from demine.desktop.exit_signals import ExitSignals
from demine.desktop.qt_application import application
from demine.desktop.window.main_window import MainWindow
from demine.desktop.window.startup_window import StartupWindow

if TYPE_CHECKING:
    from demine.scene.preferences import StartOptions


def run(options: StartOptions) -> int:
    """Open the window, run until it is closed, and return the exit code.

    Raises `DisplayError` when no window can be shown here.
    """
    lost = find_display_error()
    if lost is not None:
        raise lost
    app = application()
    window = MainWindow()
    startup = StartupWindow(window)
    with ExitSignals() as signals:
        startup.show_first_frame(options)
        # Arrays, records and menus take longer to load than the window takes to open.
        from demine.desktop.window.run_session import play

        return play(app, window, options, startup, signals)
