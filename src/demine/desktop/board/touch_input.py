"""Touch and pen on the board: one finger plays or pans, two fingers zoom."""

from __future__ import annotations

import time
from math import hypot
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QEventPoint, QTouchEvent

from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Button
from demine.scene.touch_input import Finger, FingerState, TouchOptions

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QTabletEvent

    from demine.desktop.controller import QtController
    from demine.scene.board_geometry import View
    from demine.scene.mouse_automaton import Cell

SLACK = 12
"""How far a finger may move and still tap, in logical pixels."""


class TouchSurface(Protocol):
    """A board that can be touched; it counts in device pixels."""

    controller: QtController
    view: View

    @property
    def ratio(self) -> float:
        """Device pixels per logical pixel."""

    def to_device_pixel(self, point: QPointF) -> tuple[int, int]:
        """Return the device pixel (x, y) at a point of the widget."""

    def cell_at(self, point: QPointF) -> Cell | None:
        """Return the cell at a point of the widget, or None."""

    def pan(self, dx_px: int, dy_px: int) -> None:
        """Move the board by device pixels."""

    def zoom_to(self, cell_px: float, x_px: int, y_px: int) -> None:
        """Zoom to a cell size around a device pixel, which keeps its place on the board."""


class TouchHandler(QObject):
    """Turns touch and pen events on a board into commands and panning."""

    def __init__(self, board: TouchSurface) -> None:
        super().__init__()
        self._board = board
        self._finger = Finger()
        self._spread = 0.0
        self._cell = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_hold_timeout)
        self.apply_preferences()

    def apply_preferences(self) -> None:
        """Read the touch options from the preferences again."""
        chosen = self._board.controller.preferences
        tap, long = Command.ACT, Command.FLAG
        if chosen.tap == "flag":
            tap, long = long, tap
        slack = round(SLACK * self._board.ratio)
        self._finger.habits = TouchOptions(tap, long, chosen.hold_ms, slack)

    def handle_touch(self, event: QEvent) -> bool:
        """Handle a touch event; return False for any other event."""
        if not isinstance(event, QTouchEvent):
            return False
        points = event.points()
        if event.type() is QEvent.Type.TouchCancel:
            self.cancel_gesture()
        elif len(points) > 1:
            self._pinch([point.position() for point in points[:2]], event)
        elif event.type() is QEvent.Type.TouchBegin:
            self._press(points[0].position())
        elif event.type() is QEvent.Type.TouchUpdate:
            self._move(points[0].position())
        else:
            self._release()
        event.accept()
        return True

    def handle_pen(self, event: QTabletEvent) -> None:
        """Handle a pen event: the tip is a finger, the barrel button the right button."""
        controller, cell = self._board.controller, self._board.cell_at(event.position())
        kind, right = event.type(), event.button() is Qt.MouseButton.RightButton
        if kind is QEvent.Type.TabletPress and right:
            controller.press(Button.RIGHT, cell, shift=False, ctrl=False)
        elif kind is QEvent.Type.TabletPress:
            self._press(event.position())
        elif kind is QEvent.Type.TabletMove:
            self._move(event.position())
            controller.move(cell)
        elif kind is QEvent.Type.TabletRelease and right:
            controller.release(Button.RIGHT, cell)
        elif kind is QEvent.Type.TabletRelease:
            self._release()
        event.accept()

    def cancel_gesture(self) -> None:
        """Cancel the gesture that is under way."""
        self._timer.stop()
        self._finger.cancel()
        self._spread = 0.0
        self._show_pressed_cells()

    def _press(self, at: QPointF) -> None:
        board = self._board
        self._finger.press(board.cell_at(at), board.to_device_pixel(at), _now())
        self._timer.start(self._finger.habits.hold_ms + 1)
        self._show_pressed_cells()

    def _move(self, at: QPointF) -> None:
        way = self._finger.move(self._board.to_device_pixel(at))
        if way is not None:
            self._board.pan(*way)
        self._show_pressed_cells()

    def _on_hold_timeout(self) -> None:
        self._perform(self._finger.due_long_press(_now()))
        if self._finger.state is FingerState.WAITING:
            self._timer.start(1)  # the timer was early

    def _release(self) -> None:
        self._timer.stop()
        self._perform(self._finger.release(_now()))
        self._spread = 0.0

    def _pinch(self, points: list[QPointF], event: QTouchEvent) -> None:
        """Zoom with the distance of two fingers."""
        self._timer.stop()
        self._finger.cancel()
        self._show_pressed_cells()
        one, two = (self._board.to_device_pixel(point) for point in points)
        spread = max(1.0, hypot(one[0] - two[0], one[1] - two[1]))
        if any(each.state() is QEventPoint.State.Released for each in event.points()):
            self._spread = 0.0  # the next pinch starts anew
            return
        if not self._spread:
            self._spread, self._cell = spread, self._board.view.cell
        middle = (one[0] + two[0]) // 2, (one[1] + two[1]) // 2
        self._board.zoom_to(self._cell * spread / self._spread, *middle)

    def _perform(self, asked: tuple[Command, Cell] | None) -> None:
        self._show_pressed_cells()
        if asked is not None:
            self._board.controller.act_at(*asked)

    def _show_pressed_cells(self) -> None:
        controller = self._board.controller
        controller.set_touched_cells(self._finger.pressed_cells(controller.faces))


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
