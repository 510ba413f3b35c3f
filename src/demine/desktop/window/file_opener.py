"""Opens recordings and boards: from the menu, from the recent files, and dropped on the window."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from demine.desktop.watch.choose_game import ask_path, choose_game
from demine.logic.errors import DemineError
from demine.play.opened_files import (
    RECENT_FILES_SETTING,
    Opened,
    read_file_to_open,
    read_text_to_open,
    recent_file_labels,
    recent_files,
    with_recent_file,
    without_missing_file,
)
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QMimeData
    from PySide6.QtWidgets import QMenu, QWidget

    from demine.desktop.controller import QtController
    from demine.game import Game
    from demine.store.store import Store


class FileOpener(QObject):
    """Opens files and texts over a window: a recording in the player, a board as the next game.

    They are read in a thread, so the game goes on meanwhile. `watch` opens the player, with the
    window, the name of the recording and the game.
    """

    _read = Signal(object, object)
    """What was read or the error, and the path; from the thread."""

    def __init__(
        self,
        window: QWidget,
        controller: QtController,
        store: Store,
        watch: Callable[[QWidget, str, Game], object],
    ) -> None:
        super().__init__(window)
        self._window, self._controller, self._store, self._watch = window, controller, store, watch
        self._wanted = ""
        """The path or text that was asked for last; others are dropped once read."""
        self._read.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def ask(self) -> None:
        """Ask for a file, and open it."""
        latest = next(iter(self._recent_files()), "")
        folder = str(Path(latest).parent) if latest else ""
        path = ask_path(self._window, tr("Open a replay or a board"), boards=True, folder=folder)
        if path:
            self.open_file(path)

    def open_file(self, path: str) -> None:
        """Open a file as soon as it is read."""
        self._start_reading(path, read_file_to_open)

    def open_text(self, text: str) -> None:
        """Open the recording or the board of a text."""
        self._start_reading(text, read_text_to_open)

    # Dropped

    @staticmethod
    def can_open_drop(dropped: QMimeData) -> bool:
        """Whether something that is dragged over the window may be a file or a text to open."""
        return dropped.hasUrls() or dropped.hasText()

    def open_drop(self, dropped: QMimeData) -> None:
        """Open the first file that was dropped, or else the text."""
        paths = [url.toLocalFile() for url in dropped.urls() if url.isLocalFile()]
        if not paths:
            self.open_text(dropped.text())
            return
        if len(paths) > 1:
            self._controller.show_news(tr("Opened the first of {count} files", count=len(paths)))
        self.open_file(paths[0])

    # Recent files

    def fill_recent_menu(self, menu: QMenu) -> None:
        """Fill a menu with the recent files; call it whenever it is about to be shown."""
        menu.clear()
        paths = self._recent_files()
        for number, (path, label) in enumerate(
            zip(paths, recent_file_labels(paths), strict=True), 1
        ):
            action = menu.addAction(f"&{number}  {label.replace('&', '&&')}")
            action.triggered.connect(partial(self.open_file, path))
        if paths:
            menu.addSeparator()
            menu.addAction(tr("&Clear list")).triggered.connect(self._clear_recent_files)
        else:
            menu.addAction(tr("No recent files")).setEnabled(False)

    def _recent_files(self) -> tuple[str, ...]:
        try:
            return recent_files(self._store.settings.get(RECENT_FILES_SETTING))
        except DemineError:
            return ()  # the window reports errors of the store itself

    def _clear_recent_files(self) -> None:
        self._controller.session.save_settings({RECENT_FILES_SETTING: []})

    # Reading

    def _start_reading(self, source: str, read: Callable[[str], Opened]) -> None:
        self._wanted = source
        is_file = read is read_file_to_open

        def work() -> None:
            try:
                found: Opened | DemineError = read(source)
            except DemineError as error:
                found = error
            with suppress(RuntimeError):  # the window is closed already
                self._read.emit(found, (source, is_file))

        # A daemon: a disk on a network may never answer.
        threading.Thread(target=work, name="open", daemon=True).start()

    def _show(self, found: Opened | DemineError, asked: tuple[str, bool]) -> None:
        source, is_file = asked
        if source != self._wanted:
            return
        self._wanted = ""
        if isinstance(found, DemineError):
            self._controller.show_error(found)
            left = without_missing_file(self._recent_files(), source) if is_file else None
            if left is not None:
                self._controller.session.save_settings({RECENT_FILES_SETTING: left})
            return
        if is_file:
            paths = with_recent_file(self._recent_files(), source)
            self._controller.session.save_settings({RECENT_FILES_SETTING: paths})
        board = found.board
        if board is not None:
            self._controller.begin_opened_board(board)
            return
        try:
            game = choose_game(self._window, found.games)
        except DemineError as error:
            self._controller.show_error(error)
            return
        if game is not None:
            self._watch(self._window, found.name, game)
