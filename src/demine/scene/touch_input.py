"""Touch input: how taps, long presses and drags of a finger or pen become commands.

A tap does one thing and a long press the other; the long press acts while the finger is still down,
so that the player sees it. A finger that moves too far for either drags the board.
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
"""A pixel, (x, y)."""


class FingerState(StrEnum):
    """What the finger is doing."""

    NOTHING = "nothing"
    WAITING = "waiting"
    """It is down, and may still become a tap or a long press."""
    DONE = "done"
    """The long press has acted; lifting the finger does nothing."""
    DRAGGING = "dragging"
    """It drags the board until it is lifted."""


@dataclass(frozen=True, slots=True)
class TouchOptions:
    """The player's settings of touch input."""

    tap: Command = Command.ACT
    long: Command = Command.FLAG
    hold_ms: int = 300
    tremble_px: int = 12
    """How far a finger may move, in pixels, without dragging."""


class Finger:
    """Turns the input of one finger into commands at cells.

    The caller calls `due_long_press` when `hold_ms` have passed since `press`, or later.
    """

    def __init__(self, habits: TouchOptions | None = None) -> None:
        self.habits = habits or TouchOptions()
        self.state = FingerState.NOTHING
        self._cell: Cell | None = None
        self._from: Point = (0, 0)
        self._since_ms = 0

    def press(self, cell: Cell | None, point: Point, now_ms: int) -> None:
        """Handle a touch at a pixel, on a cell or (None) outside the board."""
        self.state = FingerState.WAITING
        self._cell, self._from, self._since_ms = cell, point, now_ms

    def move(self, point: Point) -> Point | None:
        """Handle a move to a pixel; return how far (dx, dy) it drags the board, or None if not.

        The first drag covers the whole way since the press.
        """
        dx, dy = point[0] - self._from[0], point[1] - self._from[1]
        if self.state is FingerState.WAITING and max(abs(dx), abs(dy)) > self.habits.tremble_px:
            self.state = FingerState.DRAGGING
        if self.state is not FingerState.DRAGGING:
            return None
        self._from = point
        return dx, dy

    def due_long_press(self, now_ms: int) -> tuple[Command, Cell] | None:
        """Return the command of a long press and its cell, once, when it has lasted `hold_ms`."""
        if self.state is not FingerState.WAITING or now_ms - self._since_ms < self.habits.hold_ms:
            return None
        self.state = FingerState.DONE
        return None if self._cell is None else (self.habits.long, self._cell)

    def release(self, now_ms: int) -> tuple[Command, Cell] | None:
        """Handle the end of a touch; return its command and cell, if it has any."""
        asked = self.due_long_press(now_ms)
        if self.state is FingerState.WAITING and self._cell is not None:
            asked = self.habits.tap, self._cell
        self.cancel()
        return asked

    def cancel(self) -> None:
        """Drop the touch, because of a second finger or on behalf of the system."""
        self.state = FingerState.NOTHING
        self._cell = None

    def pressed_cells(self, faces: Faces) -> tuple[Cell, ...]:
        """Return the cells that look pressed: the one that a tap may still open."""
        cell = self._cell
        if self.state is not FingerState.WAITING or cell is None:
            return ()
        return (cell,) if faces[cell] in (Face.COVERED, Face.QUESTION) else ()
