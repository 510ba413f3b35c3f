"""A main window in this process, on no screen, with a player's store in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from demine.desktop.controller import QtController
from demine.desktop.install_translations import TranslationInstaller
from demine.desktop.window.main_window import MainWindow
from demine.logic.rules import Rules
from demine.play.game_session import GameSession
from demine.scene.preferences import Preferences, StartOptions
from demine.store import Store

SEED = 7


@contextmanager
def room(
    text: str = "9x9/10",
    store: Store | None = None,
    window: MainWindow | None = None,
    **chosen: object,
) -> Iterator[MainWindow]:
    """Open a seeded board in a window with some preferences; close it in the end.

    Another window pauses its game only if `pause_unfocused=True` is chosen. Nothing moves unless
    `motion=True` is chosen: what is grabbed after an act is the end of it.
    """
    kept = store or Store.memory()
    usual = {"theme": "light", "motion": False, "pause_unfocused": False}
    preferences = Preferences.from_settings({**usual, **chosen})
    translations = TranslationInstaller()
    translations.install_language(preferences.language or "en")
    session = GameSession.begin(kept, StartOptions(rules=Rules.parse(text), seed=SEED), preferences)
    window = window or MainWindow()
    window.setup_ui(QtController(session, preferences), kept, preferences, translations)
    window.board.set_motion_reduced(False)  # whatever the system says at the end of the start
    window.open(fullscreen=False)
    QTest.qWaitForWindowExposed(window)
    QApplication.processEvents()
    try:
        yield window
    finally:
        window.close()
        window.controller.stop_solver()
        translations.install_language("en")
        window.deleteLater()
        QApplication.processEvents()
        if store is None:
            kept.close()


def middle(window: MainWindow, row: int, col: int) -> QPoint:
    """The middle of a cell, as a point of the board."""
    spot, ratio = window.board.view.cell_rect(row, col), window.board.ratio
    x, y = spot.x + spot.width / 2, spot.y + spot.height / 2
    return QPointF(x / ratio, y / ratio).toPoint()


def click(
    window: MainWindow,
    row: int,
    col: int,
    button: Qt.MouseButton = Qt.MouseButton.LeftButton,
) -> None:
    """Press and release a button of the mouse on a cell."""
    none = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(window.board, button, none, middle(window, row, col))
