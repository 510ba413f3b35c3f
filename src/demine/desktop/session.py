"""One session at the window: from the store's opening to its closing."""

from __future__ import annotations

import signal
import sys
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QSocketNotifier, QTimer

from demine.desktop.language import Interpreter, first_language
from demine.desktop.player import Player
from demine.scene.messages import tr
from demine.scene.wishes import Preferences
from demine.store.sitting import Sitting, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType, TracebackType

    from PySide6.QtWidgets import QApplication

    from demine.desktop.afterimage import Afterimage
    from demine.desktop.window import MainWindow
    from demine.scene.wishes import Wishes

INTERRUPTED = 130


def play(app: QApplication, window: MainWindow, wishes: Wishes, afterimage: Afterimage) -> int:
    """Play in a window until it is closed, and return the exit code."""
    with opened() as (store, troubles):
        preferences = Preferences.read({**store.settings.all(), **wishes.settings})
        interpreter = Interpreter()
        interpreter.speak(first_language(preferences, wishes))
        sitting = Sitting.begin(store, wishes, preferences)
        sitting.troubles[:0] = troubles
        sitting.remember(wishes.settings)
        window.furnish(Player(sitting, preferences), store, preferences, interpreter)
        window.open(fullscreen=wishes.fullscreen, as_asked="cell" in wishes.settings)
        window.player.tick()
        window.closing.connect(window.player.part)
        if store.path is not None:
            window.closing.connect(afterimage.take)
        with _signals(window) as interrupted, _reported(window):
            code = app.exec()
    # Only now the records are as the next start will find them.
    afterimage.keep()
    return INTERRUPTED if interrupted else code


@contextmanager
def _signals(window: MainWindow) -> Iterator[list[int]]:
    """Close the window on SIGINT and SIGTERM, at once even when it sleeps; yield what came.

    Python hears signals only while it runs, and a window that sleeps runs none of it: the bytes
    that Python writes for each signal wake it up.
    """
    import socket  # 3 ms that are better spent while the window system maps the window

    came: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            came.append(number)
        # In the event loop, which a window closed before it begins would leave running for ever.
        QTimer.singleShot(0, window.close)

    here, there = socket.socketpair()
    here.setblocking(False)
    there.setblocking(False)
    notifier = QSocketNotifier(here.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: here.recv(64))
    before = signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
    handlers = [(each, signal.signal(each, hear)) for each in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield came
    finally:
        for each, handler in handlers:
            signal.signal(each, handler)
        signal.set_wakeup_fd(before)
        notifier.setEnabled(False)
        here.close()
        there.close()


@contextmanager
def _reported(window: MainWindow) -> Iterator[None]:
    """Tell of an error nobody foresaw, and play on: every act so far is kept."""
    before = sys.excepthook

    def report(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        traceback.print_exception(kind, error, trace)
        window.player.say(tr("Something went wrong; the game is kept. {error}", error=error))

    sys.excepthook = report
    try:
        yield
    finally:
        sys.excepthook = before
