"""Dragging a board larger than its viewport: by the middle button, or by Space and the left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QMouseEvent

    from demine.desktop.board.viewport import BoardViewport

_LEAST_WAY: Final = 10
"""How far the middle button has to move until it drags, in logical pixels: less is a chord."""


class HandDrag:
    """Moves the board with the pointer.

    A middle button that is pressed and released in one place still chords: it drags only once it
    has moved by half a cell.
    """

    def __init__(self, board: BoardViewport) -> None:
        self._board = board
        self._pressed_at: QPointF | None = None
        """Where the middle button was pressed and does not drag yet."""
        self._dragged_to: QPointF | None = None
        """Where the pointer was last while it drags."""
        self._space_held = False
        self.used = False
        """Whether anything was dragged since Space was pressed."""

    @property
    def is_dragging(self) -> bool:
        """Whether the board follows the pointer."""
        return self._dragged_to is not None

    @property
    def is_ready(self) -> bool:
        """Whether Space is held, so that the left button drags."""
        return self._space_held

    def hold_space(self) -> None:
        """Have the left button drag."""
        self._space_held, self.used = True, False
        self._show_cursor()

    def release_space(self) -> None:
        """Have the left button play again."""
        self._space_held = False
        self._show_cursor()

    def cancel(self) -> None:
        """Let go of the board."""
        self._pressed_at = self._dragged_to = None
        self.release_space()

    def press(self, event: QMouseEvent) -> bool:
        """Handle a press; return whether it drags and does nothing else."""
        if self.is_dragging:
            return True
        if self._space_held and event.button() is Qt.MouseButton.LeftButton:
            self._start(event.position())
            return True
        if event.button() is Qt.MouseButton.MiddleButton and not self._board.view.shows_whole_board:
            self._pressed_at = event.position()
        return False

    def move(self, event: QMouseEvent) -> bool:
        """Move the board; return whether it was moved."""
        at = event.position()
        if self._pressed_at is not None:
            way = (at - self._pressed_at).manhattanLength()
            if way < max(_LEAST_WAY, self._board.logical_cell_size / 2):
                return False
            self._start(self._pressed_at)
        if self._dragged_to is None:
            return False
        way_px = (at - self._dragged_to) * self._board.ratio
        self._dragged_to = at
        self._board.pan(round(way_px.x()), round(way_px.y()))
        return True

    def release(self, event: QMouseEvent) -> bool:
        """Handle a release; return whether it ended a drag by the left button."""
        dragged = self.is_dragging
        if not dragged and self._pressed_at is None:
            return False
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed_at = self._dragged_to = None
            self._show_cursor()
        return dragged and event.button() is Qt.MouseButton.LeftButton

    def _start(self, at: QPointF) -> None:
        self._pressed_at, self._dragged_to, self.used = None, at, True
        self._show_cursor()

    def _show_cursor(self) -> None:
        if self.is_dragging:
            self._board.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._space_held:
            self._board.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self._board.unsetCursor()
