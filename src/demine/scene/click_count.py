"""The number of clicks of a game: the hand's by the field's rules, the keyboard's one an act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.event import BOARD_VERBS, Act, Lay, Touch
from demine.logic.game import Game, follow
from demine.logic.metadata import FIELD_CELL
from demine.scene.cell_face import Face
from demine.scene.mouse_automaton import Mouse, Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.event import Event
    from demine.scene.mouse_automaton import Cell

# The automaton counts by the one face under the pointer, and asks only whether it is open.
_OPENED: Final = np.full((1, 1), Face.ONE, np.uint8)
_COVERED: Final = np.full((1, 1), Face.COVERED, np.uint8)


class Clicks:
    """Counts clicks event by event: a fold that never slows down, however long the game is.

    What the mouse did is counted by `Tally`, wasted clicks too. An act on a cell that no click
    asked for came from the keyboard or a finger, and is one click.
    """

    def __init__(self, cell_px: int = FIELD_CELL) -> None:
        """`cell_px` is how many pixels a cell of the game's touches has."""
        self._cell_px = cell_px
        self._tally = Tally()
        self._mouse = Mouse(tally=self._tally)
        self._clicked: Cell | None = None
        """Where the last event was a click that may have asked for the next act."""
        self._keyed = 0

    @classmethod
    def of(cls, game: Game) -> Clicks:
        """Return the clicks of a game so far."""
        clicks = cls(game.cell_px)
        again = Game(game.rules, game.seed, origin=game.origin, start=game.start)
        for event in game.events:
            clicks.hear(event, again.board.open_map)
            follow(again, event)
        return clicks

    @property
    def count(self) -> int:
        """All clicks: left, right, double and those of the keyboard."""
        return sum(self._counted) + self._keyed

    def hear(self, event: Event, open_map: NDArray[np.bool_]) -> None:
        """Count an event; `open_map`, bool `(height, width)`, is the board's before it."""
        if isinstance(event, Touch):
            self._touch(event, open_map)
        elif isinstance(event, Act):
            self._act(event)
        elif isinstance(event, Lay):
            return  # the first open lays the mines between the click and the act

    def _touch(self, touch: Touch, open_map: NDArray[np.bool_]) -> None:
        self._clicked = None
        if touch.action == "move":
            return
        row, col = touch.y // self._cell_px, touch.x // self._cell_px
        inside = 0 <= row < open_map.shape[0] and 0 <= col < open_map.shape[1]
        faces = _OPENED if inside and open_map[row, col] else _COVERED
        at = 0 if inside else -1
        before = self._counted
        self._mouse.hear(Touch(touch.t, touch.button, touch.action, at, at), faces)
        if inside and self._counted != before:
            self._clicked = row, col

    def _act(self, act: Act) -> None:
        if act.verb in BOARD_VERBS and self._clicked != (act.row, act.col):
            self._keyed += 1
        self._clicked = None

    @property
    def _counted(self) -> tuple[int, int, int]:
        return self._tally.left, self._tally.right, self._tally.double
