"""The board of a game: a widget that paints it and handles mouse, keyboard, touch and pen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QNativeGestureEvent, QRegion

from demine.desktop.board.board_motion import BoardMotion, paint_motion
from demine.desktop.board.hand_drag import HandDrag
from demine.desktop.board.qt_board_painting import (
    BoardSnapshot,
    from_device_pixels,
    paint_board,
    to_qimage,
)
from demine.desktop.board.viewport import BoardViewport
from demine.desktop.qt_keys import key_name
from demine.scene.board_geometry import Rect
from demine.scene.key_bindings import Command, KeyMap
from demine.scene.keyboard_cursor import MOVES
from demine.scene.mouse_automaton import Button
from demine.scene.overlay import Overlay
from demine.scene.overview_colours import overview_colours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import (
        QEnterEvent,
        QFocusEvent,
        QImage,
        QKeyEvent,
        QMouseEvent,
        QPainter,
        QTabletEvent,
    )

    from demine.desktop.board.touch_input import TouchHandler
    from demine.desktop.controller import QtController
    from demine.play.controller import Point
    from demine.scene.board_geometry import View
    from demine.scene.mouse_automaton import Cell
    from demine.scene.themes import Theme

_BUTTONS: Final = {
    Qt.MouseButton.LeftButton: Button.LEFT,
    Qt.MouseButton.MiddleButton: Button.MIDDLE,
    Qt.MouseButton.RightButton: Button.RIGHT,
}
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier.value
_CTRL: Final = Qt.KeyboardModifier.ControlModifier.value
"""As numbers, because PySide's flags are slow to compare, and every click compares both."""
_TOUCHES: Final = (
    QEvent.Type.TouchBegin,
    QEvent.Type.TouchUpdate,
    QEvent.Type.TouchEnd,
    QEvent.Type.TouchCancel,
)
_HAND_KEY: Final = "space"
"""The key that has the left button drag the board."""
_FEW = 400
"""Up to this many changed cells are painted one by one."""


class BoardWidget(BoardViewport):
    """The board of the game that a controller plays."""

    command_triggered = Signal(Command)

    def __init__(self, controller: QtController, theme: Theme, keys: KeyMap) -> None:
        super().__init__(controller.faces.shape, theme)
        self.controller = controller
        self.keys = keys
        self._pointer: QPointF | None = None
        """The last position of the pointer over the board, in screen coordinates; None outside."""
        self.motion = BoardMotion(self, controller.session.game, self._show_glass)
        self._motion_reduced = False
        self._truth = self._glass = self._take_snapshot()
        """What the controller shows, and what of that is on the glass while the board moves."""
        self._is_paused = controller.is_paused
        self._followed: Overlay | None = None
        """The hint whose cell was scrolled into view."""
        self.touches: TouchHandler | None = None
        self.hand = HandDrag(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        controller.faces_changed.connect(self.refresh)
        controller.held_changed.connect(self.refresh)
        controller.cursor_moved.connect(self._scroll_to_cursor)
        controller.hints_changed.connect(self._scroll_to_hint)

    # Painting

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the current game."""
        rows, cols = self.controller.faces.shape
        return rows, cols

    @property
    def painted_faces(self) -> NDArray[np.uint8]:
        """The faces on the glass, which motion holds back for a moment."""
        return self._glass.faces

    def refresh(self) -> None:
        """Request repainting of the cells that look different, and only of those."""
        before, self._truth = self._truth, self._take_snapshot()
        was_paused, self._is_paused = self._is_paused, self.controller.is_paused
        if was_paused is not self._is_paused or before.faces.shape != self._truth.faces.shape:
            self.motion.finish()
            self._glass = self._truth
            self.update()
            return
        if before.faces is not self._truth.faces:
            self.motion.animate_change(
                self.controller.session.game,
                before.faces,
                self._truth.faces,
                self.view,
                on=self.controller.preferences.motion and not self._motion_reduced,
            )
        self._show_glass()

    def _show_glass(self) -> None:
        """Bring to the glass what a refresh or a frame of motion changed."""
        before, moving = self._glass, self.motion.is_running
        self._glass = self.motion.displayed_snapshot(self._truth) if moving else self._truth
        cells = _changed_cells(before, self._glass, self.view)
        if not cells:
            return
        if len(cells) > _FEW and not self.motion.is_running:
            self.update(from_device_pixels(self.view.visible_rect, self._ratio))
            return
        region = QRegion()
        for row, col, length in _horizontal_runs(cells):
            spot = self.view.cell_rect(row, col)
            strip = Rect(spot.x, spot.y, spot.width * length, spot.height)
            region += QRegion(
                from_device_pixels(strip.intersection(self.view.viewport), self._ratio)
            )
        self.update(region)

    def _set_view(self, view: View) -> None:
        """Show another part of the board, or in another size; its motion ends."""
        if view != self.view:
            self.motion.finish()
            self._glass = self._truth
        super()._set_view(view)

    def set_motion_reduced(self, reduced: bool) -> None:
        """Move nothing while the system asks for less motion."""
        self._motion_reduced = reduced

    def _take_snapshot(self) -> BoardSnapshot:
        now = self.controller
        return BoardSnapshot(
            now.faces, now.cell_looks, now.cursor, now.prescribed_start, now.overlay
        )

    def paint_region(self, painter: QPainter, region_px: Rect) -> None:
        """Paint a part of the widget, in device pixels."""
        paint_board(painter, region_px, self._glass, self.view, self._theme, self.edge_px)
        if self._glass.moving is not None:
            inside = region_px.intersection(self.view.visible_rect)
            paint_motion(painter, self._glass.moving, self.view, self._theme, inside)

        if self._is_paused:
            self._paint_pause_sign(painter, region_px)

    def _paint_pause_sign(self, painter: QPainter, region_px: Rect) -> None:
        from demine.desktop.board.pause_sign import paint_pause_sign

        sign = self.controller.pause_sign
        if sign is not None:
            painter.setClipRect(QRect(*region_px))
            paint_pause_sign(painter, sign, self.view, self._theme, self.font(), self._ratio)

    def thumbnail(self) -> QImage:
        """Return an image with one pixel per cell, in the main colour of its face."""
        return to_qimage(overview_colours(self._theme)[self.controller.faces])

    def _scroll_to_hint(self) -> None:
        """Scroll to the cell of a new hint, once: the player may scroll elsewhere then.

        Under a hand nothing moves, or a press or release would meet another cell: not under a
        pointer that is in use, a held button or a finger. The hint waits then.
        """
        hand = self.controller
        held = hand.mouse.has_button_down or hand.touched_cells
        pointed = self._pointer is not None and hand.cursor is None
        if not (held or pointed) and hand.hints.overlay is not self._followed:
            self._follow_hint()
        elif not self.hint_is_out_of_sight:
            self._followed = hand.hints.overlay

    def _follow_hint(self) -> None:
        self._followed = advice = self.controller.hints.overlay
        cell = None if advice is None else advice.main_cell
        if cell is not None:
            self._set_view(self.view.scrolled_or_centred_on(*cell))

    @property
    def hint_is_out_of_sight(self) -> bool:
        """Whether the cell of the present hint is on no part of the board that is visible."""
        advice = self.controller.hints.overlay
        cell = None if advice is None else advice.main_cell
        if cell is None or advice is self._followed:
            return False
        rows, cols = self.view.visible_rows_and_cols()
        return cell[0] not in rows or cell[1] not in cols

    def show_hint_out_of_sight(self) -> bool:
        """Scroll to the hint that waits out of sight; return whether there was one.

        For a player who asks for it: the board moves at once, under the hand too.
        """
        if not self.hint_is_out_of_sight or self.controller.mouse.has_button_down:
            return False
        self._follow_hint()
        return True

    def _scroll_to_cursor(self) -> None:
        if self.controller.cursor is not None:
            self._set_view(self.view.scrolled_or_centred_on(*self.controller.cursor))

    def handle_other_event(self, kind: QEvent.Type, event: QEvent) -> bool:
        """Handle gestures and touches, which have no method in Qt."""
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom_to(
                    self.view.cell * (1 + event.value()), *self.to_device_pixel(event.position())
                )
                return True
        elif kind in _TOUCHES:
            return self._touch_handler().handle_touch(event)
        return False

    # Touch

    def _touch_handler(self) -> TouchHandler:
        if self.touches is None:
            from demine.desktop.board.touch_input import TouchHandler

            self.touches = TouchHandler(self)
        return self.touches

    def reset_touch(self) -> None:
        """Cancel a touch gesture, and read the touch options again."""
        if self.touches is not None:
            self.touches.cancel_gesture()
            self.touches.apply_preferences()

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Handle a pressed button."""
        button = _BUTTONS.get(event.button())
        if button is None or self.hand.press(event):
            return
        held = event.modifiers().value
        self.controller.press(
            button, *self._place(event), shift=bool(held & _SHIFT), ctrl=bool(held & _CTRL)
        )

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Handle a double click like a second press."""
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Handle a released button."""
        button = _BUTTONS.get(event.button())
        if button is None or self.hand.release(event):
            return
        self.controller.release(button, *self._place(event))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Handle the pointer entering the board."""
        self._pointer = event.globalPosition()
        self._update_hovered_cell()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Handle a moved pointer."""
        held = self.hand.is_dragging
        if self.hand.move(event):
            self._pointer = event.globalPosition()
            if not held:
                self.controller.cancel_input()  # the middle button drags now, and does not chord
            return
        self.controller.move(*self._place(event))

    def leaveEvent(self, event: QEvent) -> None:
        """Handle the pointer leaving the board."""
        del event
        self._pointer = None
        self.controller.move(None)
        self._scroll_to_hint()

    def _update_hovered_cell(self) -> None:
        """Report the cell under the pointer, which may be another one although it did not move."""
        if self._pointer is not None:
            self.controller.move(self.cell_at(self.mapFromGlobal(self._pointer)))

    def _place(self, event: QMouseEvent) -> tuple[Cell | None, Point]:
        """Return the cell under the pointer, and its point on the board; remember its position."""
        self._pointer = event.globalPosition()
        x, y = self.to_device_pixel(event.position())
        return self.view.cell_at(x, y), self.view.to_field_pixels(x, y)

    def tabletEvent(self, event: QTabletEvent) -> None:
        """Handle a pen: the tip is a finger, the barrel button the right button."""
        self._touch_handler().handle_pen(event)

    # The keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Run the command of a key that is no menu shortcut."""
        name = key_name(event)
        if name == _HAND_KEY and self._can_be_dragged():
            if not event.isAutoRepeat():
                self.hand.hold_space()
            return
        command = self.keys.lookup(name)
        if command is None:
            super().keyPressEvent(event)
        elif command in MOVES or not event.isAutoRepeat():
            self._update_hovered_cell()
            self.command_triggered.emit(command)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Let the left button play again; if nothing was dragged, run the command of the key."""
        if event.isAutoRepeat() or not self.hand.is_ready or key_name(event) != _HAND_KEY:
            super().keyReleaseEvent(event)
            return
        self.hand.release_space()
        command = self.keys.lookup(_HAND_KEY)
        if command is not None and not self.hand.used:
            self.command_triggered.emit(command)

    def _can_be_dragged(self) -> bool:
        """Whether Space drags: on a board larger than its viewport that the mouse is used on."""
        return (
            self._pointer is not None
            and self.controller.cursor is None
            and not self.view.shows_whole_board
        )

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor when the focus arrives by Tab."""
        by_tab = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if event.reason() in by_tab and self.controller.cursor is None:
            self.controller.show_cursor()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Cancel what mouse and touch have begun."""
        self.controller.cancel_input(releases_lost=True)
        self.reset_touch()
        self.hand.cancel()
        super().focusOutEvent(event)


def _changed_cells(before: BoardSnapshot, now: BoardSnapshot, view: View) -> list[Cell]:
    """Return the visible cells that look different, row by row."""
    rows, cols = view.visible_rows_and_cols()
    part = slice(rows.start, rows.stop), slice(cols.start, cols.stop)
    differ: NDArray[np.bool_] = now.faces[part] != before.faces[part]
    differ |= now.looks[part] != before.looks[part]
    if now.advice is not before.advice:
        empty = Overlay.empty(now.faces.shape)
        differ |= (now.advice or empty).differences(before.advice or empty)[part]
    if now.moving is not before.moving:
        moving, other = (now.moving, before.moving) if now.moving else (before.moving, None)
        if moving is not None:
            differ |= moving.differences(other)
    for here, there in ((now.cursor, before.cursor), (now.start, before.start)):
        if here != there:
            for cell in (here, there):
                if cell is not None and cell[0] in rows and cell[1] in cols:
                    differ[cell[0] - rows.start, cell[1] - cols.start] = True
    found_rows, found_cols = differ.nonzero()
    found = zip((found_rows + rows.start).tolist(), (found_cols + cols.start).tolist(), strict=True)
    return list(found)


def _horizontal_runs(cells: list[Cell]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of adjacent cells in a row as (row, first column, count)."""
    start = length = 0
    row_before = -1
    for row, col in cells:
        if length and row == row_before and col == start + length:
            length += 1
            continue
        if length:
            yield row_before, start, length
        row_before, start, length = row, col, 1
    if length:
        yield row_before, start, length
