"""The finger and the pen: how touching the glass becomes commands.

A tap does one thing and a long press the other, and the long press acts while the finger is still
down, so that it is seen. A finger that moves further than it may does neither: it drags the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from demine.scene.cell_faces import Face
from demine.scene.key_bindings import Command

if TYPE_CHECKING:
    from demine.scene.mouse_automaton import Cell, Faces

Point = tuple[int, int]


class FingerState(StrEnum):
    """What the one finger is doing."""

    NOTHING = "nothing"
    WAITING = "waiting"
    """It is down and may still become a tap or a long press."""
    DONE = "done"
    """The long press has acted; lifting the finger does nothing."""
    DRAGGING = "dragging"
    """It moves the board until it is lifted."""


@dataclass(frozen=True, slots=True)
class TouchOptions:
    """The player's habits: which command a tap is, and what counts as long and as moving."""

    tap: Command = Command.ACT
    long: Command = Command.FLAG
    hold_ms: int = 300
    tremble_px: int = 12
    """Pixels a finger may tremble."""


class Finger:
    """Turns what one finger does into commands at cells; every time is in milliseconds.

    The caller asks for `long_press` when `hold_ms` have passed since `press`; it may ask late.
    """

    def __init__(self, habits: TouchOptions | None = None) -> None:
        self.habits = habits or TouchOptions()
        self.state = FingerState.NOTHING
        self._cell: Cell | None = None
        self._from: Point = (0, 0)
        self._since = 0

    def press(self, cell: Cell | None, at: Point, now: int) -> None:
        """A finger comes down on a cell, or beside the board."""
        self.state = FingerState.WAITING
        self._cell, self._from, self._since = cell, at, now

    def move(self, at: Point) -> Point | None:
        """The finger moves; return by how many pixels it drags the board, or None if it does not.

        The first drag returns the whole way since the press.
        """
        dx, dy = at[0] - self._from[0], at[1] - self._from[1]
        if self.state is FingerState.WAITING and max(abs(dx), abs(dy)) > self.habits.tremble_px:
            self.state = FingerState.DRAGGING
        if self.state is not FingerState.DRAGGING:
            return None
        self._from = at
        return dx, dy

    def long_press(self, now: int) -> tuple[Command, Cell] | None:
        """The long press and its cell, once, if the finger has been still for long enough."""
        if self.state is not FingerState.WAITING or now - self._since < self.habits.hold_ms:
            return None
        self.state = FingerState.DONE
        return None if self._cell is None else (self.habits.long, self._cell)

    def release(self, now: int) -> tuple[Command, Cell] | None:
        """The finger is lifted: return what it asks for at its cell, if anything."""
        asked = self.long_press(now)
        if self.state is FingerState.WAITING and self._cell is not None:
            asked = self.habits.tap, self._cell
        self.cancel()
        return asked

    def cancel(self) -> None:
        """Forget the finger: a second one came down, or the system took it."""
        self.state = FingerState.NOTHING
        self._cell = None

    def pressed_cells(self, faces: Faces) -> tuple[Cell, ...]:
        """The cells to draw held down: the one a tap may still open."""
        cell = self._cell
        if self.state is not FingerState.WAITING or cell is None:
            return ()
        return (cell,) if faces[cell] in (Face.COVERED, Face.QUESTION) else ()
