"""The coach beside the player: asked in the window's thread, answered from another process."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from concurrent.futures import Future

    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.play.hints import Coach
    from demine.play.session import Sitting
    from demine.scene.overlay import Overlay
    from demine.solver.service.client import Aside


_GLANCE_MS: Final = 100
"""How often a proof that waits looks whether the board is seen again."""


class Advice(QObject):
    """What a coach says and marks.

    The coach is made when the board stands, or is first needed; its solver's process starts with
    the first question.
    """

    answered = Signal()
    """Something else may be said or marked, and the game may have gone on."""
    _woken = Signal()

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self._sitting = sitting
        self._looked_at: Overlay | None = None
        self._overlay: Overlay | None = None
        self._aside: Aside | None = None
        self._made = False
        self._waiting = False
        """Whether a proof waits for the board to be seen again."""
        sitting.layer = self._lay

    @cached_property
    def coach(self) -> Coach:
        """The coach."""
        from PySide6.QtCore import Qt

        from demine.play.hints import Coach

        # Answers come in a thread of the solver's; this is how they get into the window's.
        self._woken.connect(self._hear, Qt.ConnectionType.QueuedConnection)
        self._pace.timeout.connect(self._due)
        self._made = True
        return Coach(self._sitting, self._ask, self._woken.emit)

    @cached_property
    def _pace(self) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        return timer

    def _ask(self, name: str, /, *args: object, **kwargs: object) -> Future[object]:
        if self._aside is None:
            from demine.solver.service.client import Aside

            self._aside = Aside()
        return self._aside.ask(name, *args, **kwargs)

    def _lay(self, rules: Rules, seed: int, cell: Cell) -> None:
        """Have a board laid; the coach, once made, does so itself."""
        self.coach.follow()
        layer = self._sitting.layer
        if layer is not None:
            layer(rules, seed, cell)

    def close(self) -> None:
        """End the solver's process."""
        if self._made:
            self._pace.stop()
        if self._aside is not None:
            self._aside.close()

    # Out

    @property
    def words(self) -> str:
        """What there is to say; empty if nothing."""
        return self.coach.words if self._made else ""

    def title(self) -> str:
        """What is being played, and how hard it is if that is known."""
        return self.coach.title() if self._made else self._sitting.title()

    @property
    def proving(self) -> bool:
        """Whether a proof is being shown."""
        return self._made and self.coach.proving

    @property
    def showing_chances(self) -> bool:
        """Whether the risks of all cells are shown."""
        return self._made and self.coach.showing_chances

    @property
    def standing(self) -> bool:
        """Whether there is anything to let go of."""
        return self._made and bool(self.words or self.coach.busy or self.overlay)

    @property
    def overlay(self) -> Overlay | None:
        """What is laid over the board; None where that would show nothing."""
        found = self.coach.overlay if self._made else None
        if found is not self._looked_at:
            self._looked_at = found
            self._overlay = found or None
        return self._overlay

    # In

    def hint(self) -> None:
        """Ask for a hint."""
        self.coach.hint()
        self._changed()

    def toggle_chances(self) -> None:
        """Show the risk of every cell, or no longer."""
        self.coach.toggle_chances()
        self._changed()

    def prove(self) -> None:
        """Have the board proven."""
        self.coach.prove()
        self._changed()

    def step(self) -> None:
        """Go on with the proof."""
        self.coach.step()
        self._changed()

    def stop(self) -> None:
        """Let go of whatever is asked, said or marked."""
        if self._made:
            self.coach.stop()
            self._changed()

    def follow(self) -> None:
        """Look at the board again, which may have changed."""
        self.coach.follow()
        self._keep_pace()

    def _hear(self) -> None:
        try:
            heard = self.coach.hear()
        finally:
            # Even when one answer was an error nobody foresaw, the others count.
            self._keep_pace()
        if heard:
            self._changed()

    def _changed(self) -> None:
        self._keep_pace()
        self.answered.emit()

    def _due(self) -> None:
        """Go on with a proof, unless a dialog or a menu stands over the board: then it waits."""
        if QApplication.activeModalWidget() or QApplication.activePopupWidget():
            self._waiting = True
            self._pace.start(_GLANCE_MS)
        elif self._waiting:
            self._keep_pace()
        else:
            self.step()

    def _keep_pace(self) -> None:
        """Let a proof go on by itself, as fast as it can be read."""
        self._waiting = False
        if self.proving:
            self._pace.start(self.coach.pace_ms)
        else:
            self._pace.stop()
