"""The number of clicks of a game: the hand's by the field's rules, the keyboard's one an act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.board_state import Board
from demine.logic.event import BOARD_VERBS, Act, Touch, Verb
from demine.scene.cell_faces import Face
from demine.scene.mouse_automaton import ClickTally, Mouse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.game import Game
    from demine.logic.undoable_openings import Change
    from demine.scene.mouse_automaton import Cell

# The automaton counts by the one face under the pointer, and asks only whether it is open.
_OPENED: Final = np.full((1, 1), Face.ONE, np.uint8)
_COVERED: Final = np.full((1, 1), Face.COVERED, np.uint8)


class ClickCounter:
    """The clicks of one game: a fold over its events, each of which is looked at once.

    What the mouse did is counted by `ClickTally`, wasted clicks too. An act on a cell that no click
    asked for came from the keyboard or a finger, and is one click.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._board = Board(game.rules)
        """The board as it was at the last event that was counted."""
        self._changes: list[Change] = []
        self._events = 0
        """How many events are counted."""
        self._tally = ClickTally()
        self._mouse = Mouse(tally=self._tally)
        self._clicked: Cell | None = None
        """Where the last event was a click that may have asked for the next act."""
        self._keyed = 0

    @property
    def count(self) -> int:
        """All clicks so far: left, right, double and those of the keyboard."""
        self.catch_up()
        return sum(self._counted) + self._keyed

    def catch_up(self) -> None:
        """Count the events that are new since the last time."""
        events = self._game.events
        for event in events[self._events :]:
            if isinstance(event, Touch):
                self._touch(event, self._board.open_map)
            elif isinstance(event, Act):
                self._act(event)
            else:
                self._board.apply(event)
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
