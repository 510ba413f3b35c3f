"""Computes missing statistics of games in a thread."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from demine.store import StoreError

if TYPE_CHECKING:
    from demine.store import Store

_EVERY_MS: Final = 700


class StatisticsBackfill(QObject):
    """Computes missing statistics of old games; emits `progressed` now and then."""

    progressed = Signal(bool)
    """Whether the thread has ended."""

    def __init__(self, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._stop = threading.Event()
        self._found = 0
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._report_progress)
        self._thread = threading.Thread(target=self._compute, name="figures", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()
        self._timer.start()

    def stop(self) -> None:
        """Ask the thread to stop; the rest is computed another time."""
        self._stop.set()
        self._timer.stop()

    @property
    def running(self) -> bool:
        """Whether the thread still runs."""
        return self._thread.is_alive()

    def _compute(self) -> None:
        try:
            self._found = self._store.compute_missing_statistics(self._stop.is_set)
            self._store.verify_all_games(self._stop.is_set)
        except StoreError:
            return  # the window reports errors of the store itself

    def _report_progress(self) -> None:
        done = not self.running
        if done:
            self._timer.stop()
        if not done or self._found:
            self.progressed.emit(done)


def compute_newest_in_thread(store: Store) -> None:
    """Start computing the statistics of the game that ended last, in a thread."""

    def work() -> None:
        with suppress(StoreError):  # tried again when the records are opened
            store.compute_missing_statistics(max_games=2)

    threading.Thread(target=work, name="figures", daemon=True).start()
