"""Counts the clicks of a game: those of the mouse, and one for each act of the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.board_state import Board
from demine.logic.event import BOARD_VERBS, Act, Touch, Verb
from demine.scene.cell_faces import Face
from demine.scene.mouse_automaton import ClickTally, Mouse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.game import BaseGame
    from demine.logic.undoable_openings import Change
    from demine.scene.mouse_automaton import Cell

# What counts as a click depends only on whether the cell under the pointer is open.
_OPENED: Final = np.full((1, 1), Face.ONE, np.uint8)
_COVERED: Final = np.full((1, 1), Face.COVERED, np.uint8)


class ClickCounter:
    """Counts the clicks of one game, each of its events once.

    `ClickTally` counts those of the mouse, including wasted ones. An act on a cell without a click
    there came from the keyboard or a finger, and counts as one click.
    """

    def __init__(self, game: BaseGame) -> None:
        self._game = game
        self._board = Board(game.rules)
        """The board at the last event that was counted."""
        self._changes: list[Change] = []
        self._events = 0
        """How many events have been counted."""
        self._tally = ClickTally()
        self._mouse = Mouse(tally=self._tally)
        self._clicked: Cell | None = None
        """The cell of the last event, if that was a click that may have caused the next act."""
        self._keyed = 0

    @property
    def count(self) -> int:
        """All clicks so far: left, right and double ones, and acts of the keyboard or a finger."""
        self.count_new_events()
        return sum(self._counted) + self._keyed

    def count_new_events(self) -> None:
        """Count the events since the last call."""
        events = self._game.events
        for event in events[self._events :]:
            if isinstance(event, Touch):
                self._touch(event, self._board.open_map)
            elif isinstance(event, Act):
                self._act(event)
            else:
                self._board.apply_unless_refused(event)
        self._events = len(events)

    def _touch(self, touch: Touch, open_map: NDArray[np.bool_]) -> None:
        self._clicked = None
        if touch.action == "move":
            return
        row, col = touch.y // self._game.cell_px, touch.x // self._game.cell_px
        inside = 0 <= row < open_map.shape[0] and 0 <= col < open_map.shape[1]
        faces = _OPENED if inside and open_map[row, col] else _COVERED
        at = 0 if inside else -1
        before = self._counted
        self._mouse.replay_touch(Touch(touch.t, touch.button, touch.action, at, at), faces)
        if inside and self._counted != before:
            self._clicked = row, col

    def _act(self, act: Act) -> None:
        if act.verb in BOARD_VERBS and self._clicked != (act.row, act.col):
            self._keyed += 1
        self._clicked = None
        if act.verb in BOARD_VERBS:
            self._changes.append(self._board.apply_unchecked(act))
        elif act.verb is Verb.UNDO:
            self._board.take_back(self._changes.pop())

    @property
    def _counted(self) -> tuple[int, int, int]:
        return self._tally.left, self._tally.right, self._tally.double
