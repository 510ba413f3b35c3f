"""Asking a window for advice, and waiting for the answer of the solver beside it."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QDeadlineTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from demine.desktop.window.main_window import MainWindow
from demine.scene.key_bindings import Command

PATIENCE_MS = 60_000


def until(look: Callable[[], object]) -> None:
    """Let the window run until something holds."""
    patience = QDeadlineTimer(PATIENCE_MS)
    while not look():
        assert not patience.hasExpired()
        # Not Qt's own `qWait`: it holds Python's lock while it sleeps.
        QApplication.processEvents()
        time.sleep(0.005)


def ask(window: MainWindow, command: Command = Command.HINT) -> None:
    """Carry a command out and wait for its answer."""
    window.run_command(command)
    until(lambda: not window.controller.hints.load().is_waiting_for_solver)


def entry(window: MainWindow, text: str) -> QAction:
    """An entry of the menus."""
    actions = window.findChildren(QAction)
    return next(each for each in actions if each.text().replace("&", "") == text)
