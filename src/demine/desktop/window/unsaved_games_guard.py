"""Keeps a window open while games are unsaved, and asks what to do if saving fails."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from demine.play.unsaved_games_at_exit import RETRY_INTERVAL_S, UnsavedGamesSaver
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from demine.play.game_session import GameSession
    from demine.store.store import Store


class UnsavedGamesGuard(QObject):
    """Keeps a window open until its games are saved; ask it before the window closes.

    `say` shows a message in the window.
    """

    def __init__(
        self, window: QWidget, store: Store, session: GameSession, say: Callable[[str], object]
    ) -> None:
        super().__init__(window)
        self._window, self._store, self._session, self._say = window, store, session, say
        self._saver: UnsavedGamesSaver | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(int(RETRY_INTERVAL_S * 1000))
        self._timer.timeout.connect(self._continue_saving)

    def may_close_or_start_saving(self) -> bool:
        """Return True if no game is unsaved, else start saving and return False.

        The window is closed when all games are saved. Once saving has failed, closing again
        discards the unsaved games.
        """
        self._session.close()
        waiting = self._store.retry_queue
        if self._saver is not None and self._saver.failure is not None:
            waiting.discard()
        if not waiting.has_unsaved_games:
            self._timer.stop()
            return True
        if self._saver is None:
            self._start_saving()
        return False

    def _start_saving(self) -> None:
        self._saver = UnsavedGamesSaver(self._store)
        self._timer.start()

    def _continue_saving(self) -> None:
        saver = self._saver
        if saver is None:
            return
        done = saver.done_after_retry()
        self._say(saver.message)
        if not done:
            return
        self._timer.stop()
        if saver.failure is None:
            self._window.close()
        else:
            self._offer_file(saver.message)

    def _offer_file(self, said: str) -> None:
        """Offer to save the games as a file, because saving them failed."""
        from PySide6.QtWidgets import QMessageBox  # with all of its enumerations

        box = QMessageBox(QMessageBox.Icon.Warning, "demine", said, parent=self._window)
        save = box.addButton(tr("Save as a file…"), QMessageBox.ButtonRole.AcceptRole)
        again = box.addButton(tr("Try again"), QMessageBox.ButtonRole.ActionRole)
        leave = box.addButton(tr("Close without saving"), QMessageBox.ButtonRole.DestructiveRole)
        back = box.addButton(tr("Keep playing"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        save.clicked.connect(self._choose_file)
        again.clicked.connect(self._start_saving)
        leave.clicked.connect(self._window.close)
        back.clicked.connect(self._cancel_closing)
        box.open()

    def _cancel_closing(self) -> None:
        self._saver = None

    def _choose_file(self) -> None:
        from PySide6.QtWidgets import QFileDialog

        from demine.desktop.widget_builders import documents_folder

        folder = documents_folder()
        dialog = QFileDialog(self._window, tr("Save as a file…"), folder)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("jsonl")
        dialog.selectFile(str(Path(folder, "demine-games.jsonl")))
        dialog.fileSelected.connect(self._save_to_file)
        dialog.rejected.connect(
            lambda: self._offer_file(self._saver.message if self._saver else "")
        )
        dialog.open()

    def _save_to_file(self, file: str) -> None:
        saver = self._saver
        if saver is not None and saver.save_to(file):
            self._window.close()
        elif saver is not None:
            self._offer_file(saver.message)
