"""The player's draft while it is made: what is assumed, what breaks, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.logic.game import Status
from demine.scene.draft import BrokenCounts, Draft
from demine.scene.key_bindings import Command
from demine.scene.overlay import Mark, Overlay
from demine.scene.sight import sight
from demine.scene.translation import ntr, tr

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.game import Game
    from demine.logic.game import Cell


class Drafting:
    """The draft of a game. It is no part of the game: nothing of it is recorded, saved or counted.

    A draft that is put aside comes back when drafting begins again on the same game.
    """

    def __init__(self) -> None:
        self.is_on = False
        """Whether clicks and keys assume cells instead of opening and flagging them."""
        self.draft = Draft()
        """What is assumed."""
        self._broken = BrokenCounts((), False)
        self._game: Game | None = None

    def begin_or_put_aside(self, game: Game) -> None:
        """Begin to draft on a running game, or put the draft aside."""
        self.is_on = not self.is_on and game.status is Status.RUNNING
        self._game = game
        self._change(self.draft, sight(game))

    def assume(self, cell: Cell, faces: NDArray[np.uint8], *, is_mine: bool) -> None:
        """Assume that a covered cell is a mine or safe; the same again takes it back."""
        self._change(self.draft.toggled(cell, is_mine=is_mine), faces)

    def take_back(self, faces: NDArray[np.uint8]) -> None:
        """Take back the assumption that was made last."""
        self._change(self.draft.without_last(), faces)

    def drop(self) -> None:
        """End the draft and forget it."""
        self.is_on = False
        self.draft = Draft()
        self._broken = BrokenCounts((), False)

    def _change(self, draft: Draft, faces: NDArray[np.uint8]) -> None:
        self.draft = draft.still_covered(faces)
        mines = 0 if self._game is None else self._game.rules.mines
        self._broken = self.draft.broken_counts(faces, mines)

    def marked(self, overlay: Overlay | None, shape: tuple[int, int]) -> Overlay | None:
        """Return an overlay with the marks of the draft added."""
        if not (self.draft.assumptions or self._broken):
            return overlay
        drawn = Overlay.empty(shape) if overlay is None else overlay
        for kind, cells in (
            (Mark.ASSUMED_MINE, self.draft.cells(mines=True)),
            (Mark.ASSUMED_SAFE, self.draft.cells(mines=False)),
            (Mark.BROKEN, self._broken.numbers),
        ):
            drawn = drawn.with_marks(kind, cells)
        return drawn

    def text(self) -> str:
        """Return what the draft says: what breaks, else how much is assumed."""
        lines = []
        if n := len(self._broken.numbers):
            lines.append(ntr("{n} number can no longer hold", "{n} numbers can no longer hold", n))
        if self._broken.mine_count:
            lines.append(tr("the mine count can no longer hold"))
        if lines:
            return tr(", ").join(lines)
        n = len(self.draft.assumptions)
        if not n:
            return tr("Draft: left click assumes a safe cell, right click a mine")
        return ntr("Draft: {n} cell assumed", "Draft: {n} cells assumed", n)

    @property
    def commands(self) -> tuple[tuple[Command, str], ...]:
        """The commands that change, check and end a draft, and what they are called there."""
        return (
            (Command.FLAG, tr("mine")),
            (Command.QUESTION, tr("safe")),
            (Command.ACT, tr("keep")),
            (Command.CANCEL, tr("drop")),
            (Command.HINT, tr("check")),
            (Command.UNDO, tr("back")),
        )
