"""The signals that end a window: heard from its first picture on, obeyed when it can be closed."""

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
    """Hears SIGINT and SIGTERM; `with` a `Signals` they end no program by themselves."""

    def __init__(self) -> None:
        self._came: list[int] = []
        self._window: QWidget | None = None

    def __enter__(self) -> Self:
        """Hear them."""
        self._before = [
            (each, signal.signal(each, self._receive)) for each in (signal.SIGINT, signal.SIGTERM)
        ]
        return self

    def __exit__(self, *_: object) -> None:
        """Leave them to whoever heard them before."""
        for each, handler in self._before:
            signal.signal(each, handler)

    @property
    def interrupted(self) -> bool:
        """Whether the player pressed Ctrl-C in the terminal."""
        return signal.SIGINT in self._came

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        self._came.append(number)
        if self._window is not None:
            # In the event loop, which a window closed before it begins would leave running for
            # ever.
            QTimer.singleShot(0, self._window.close)

    @contextmanager
    def close_on_signal(self, window: QWidget) -> Iterator[None]:
        """Close the window when one comes or came, at once even when it sleeps.

        Python hears signals only while it runs, and a window that sleeps runs none of it: the bytes
        that Python writes for each signal wake it up.
        """
        import socket  # 3 ms that are better spent while the window system maps the window

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
