"""The signals that close a window: caught from the first frame on, obeyed once it is ready."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from PySide6.QtCore import QSocketNotifier, QTimer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from PySide6.QtWidgets import QWidget


class ExitSignals:
    """Catches SIGINT and SIGTERM; inside `with` they do not end the program."""

    def __init__(self) -> None:
        self._came: list[int] = []
        self._window: QWidget | None = None

    def __enter__(self) -> Self:
        """Install the handlers."""
        self._before = [
            (each, signal.signal(each, self._receive)) for each in (signal.SIGINT, signal.SIGTERM)
        ]
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the previous handlers."""
        for each, handler in self._before:
            signal.signal(each, handler)

    @property
    def ctrl_c_received(self) -> bool:
        """Whether the player pressed Ctrl-C in the terminal."""
        return signal.SIGINT in self._came

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        self._came.append(number)
        if self._window is not None:
            # Within the event loop: closed before it starts, the window would leave it running
            # for ever.
            QTimer.singleShot(0, self._window.close)

    @contextmanager
    def close_on_signal(self, window: QWidget) -> Iterator[None]:
        """Close the window when a signal arrives, or at once if one has arrived already.

        Python handles signals only while it runs, and an idle event loop runs no Python: the bytes
        that Python writes for each signal wake the loop up.
        """
        import socket  # takes 3 ms, better spent while the window is being mapped

        here, there = socket.socketpair()
        here.setblocking(False)
        there.setblocking(False)
        notifier = QSocketNotifier(here.fileno(), QSocketNotifier.Type.Read)
        notifier.activated.connect(lambda: here.recv(64))
        before = signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
        self._window = window
        if self._came:
            QTimer.singleShot(0, window.close)
        try:
            yield
        finally:
            self._window = None
            signal.set_wakeup_fd(before)
            notifier.setEnabled(False)
            here.close()
            there.close()
