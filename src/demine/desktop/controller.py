"""The controller of the desktop: it reports changes to the widgets as Qt signals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from demine.desktop.colour_scheme import system_is_dark
from demine.play.controller import Controller
from demine.play.controller_output import Changes
from demine.play.lazy_solver import LazySolver

if TYPE_CHECKING:
    from concurrent.futures import Future

    from demine.desktop.system_sound_player import Speaker
    from demine.play.game_session import GameSession
    from demine.scene.preferences import Preferences


class QtController(Controller, QObject):
    """A controller with a signal for each of the `Changes`, and a solver in another process."""

    faces_changed = Signal()
    """Some cells show other faces."""
    held_changed = Signal()
    """The pressed cells, the cursor or the restart face may differ, but no faces."""
    cursor_moved = Signal()
    panel_changed = Signal()
    """The panel's values may differ."""
    words_changed = Signal()
    """The status line may differ, or the time when the picture changes by itself."""
    game_changed = Signal()
    """Another game was begun, perhaps under other rules."""
    hints_changed = Signal()
    """The text or the marks of hints may differ."""
    preferences_changed = Signal()
    _woken = Signal()

    def __init__(self, session: GameSession, preferences: Preferences) -> None:
        QObject.__init__(self)
        self._solver = LazySolver()
        self._connected = False
        Controller.__init__(
            self,
            session,
            preferences,
            ask=self._ask,
            wake=self._woken.emit,
            changed=self._emit,
            speaker=_speaker,
            dark=system_is_dark,
        )

    def _ask(self, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        if not self._connected:
            # Qt's enumerations are built when the first is used, and are many.
            from PySide6.QtCore import Qt

            # Answers arrive in a thread of the solver; a queued signal moves them to the window's.
            self._woken.connect(self.tick, Qt.ConnectionType.QueuedConnection)
            self._connected = True
        return self._solver.ask(name, *args, **kwargs)

    def tick(self, *, board_hidden: bool = False) -> None:
        """Tick; while a dialog or a menu is open, the board counts as hidden."""
        over = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        super().tick(board_hidden=board_hidden or over is not None)

    def stop_solver(self) -> None:
        """Stop the solver process."""
        self._solver.close()

    def _emit(self, changes: Changes) -> None:
        if changes.faces:
            self.faces_changed.emit()
        elif changes.held:
            self.held_changed.emit()
        if changes.cursor:
            self.cursor_moved.emit()
        if changes.faces or changes.held or changes.panel:
            self.panel_changed.emit()
        if changes.words:
            self.words_changed.emit()
        if changes.game:
            self.game_changed.emit()
        if changes.hints:
            self.hints_changed.emit()
        if changes.preferences:
            self.preferences_changed.emit()


def _speaker() -> Speaker:
    from demine.desktop.system_sound_player import Speaker

    return Speaker()
