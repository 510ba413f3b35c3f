"""The board: a widget that paints what is seen of it, and hears the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import numpy as np
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QNativeGestureEvent, QPainter, QRegion
from PySide6.QtWidgets import QSizePolicy, QWidget

from demine.desktop.glass import Shot, from_pixels, on_pixels, paint_board, to_pixels
from demine.desktop.keyboard import key_name
from demine.scene.cursor import MOVES
from demine.scene.geometry import Rect, View
from demine.scene.keys import Command, KeyMap
from demine.scene.mouse import Button

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray
    from PySide6.QtCore import QPointF, QRect
    from PySide6.QtGui import (
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
        QTabletEvent,
        QWheelEvent,
    )

    from demine.desktop.player import Player
    from demine.desktop.touches import Touches
    from demine.logic.event import Action
    from demine.scene.mouse import Cell
    from demine.scene.theme import Theme

EDGE: Final = 3
"""Width of the line around the board, in Qt's pixels."""
NOTCH: Final = 120
"""One step of a mouse wheel, in Qt's eighths of a degree."""
_BUTTONS: Final = {
    Qt.MouseButton.LeftButton: Button.LEFT,
    Qt.MouseButton.MiddleButton: Button.MIDDLE,
    Qt.MouseButton.RightButton: Button.RIGHT,
}
_TOUCHES: Final = (
    QEvent.Type.TouchBegin,
    QEvent.Type.TouchUpdate,
    QEvent.Type.TouchEnd,
    QEvent.Type.TouchCancel,
)
_FEW = 400
"""Changed cells that are worth painting one by one."""


class Board(QWidget):
    """The board of a player. It counts in the screen's own pixels, so that cells are sharp."""

    view_changed = Signal()
    commanded = Signal(Command)
    cells_changed = Signal(list)
    """The visible cells, (row, col), that are about to look different."""
    first_painted = Signal()
    """The board stands on the screen: now is the time for all that can wait."""

    def __init__(self, player: Player, theme: Theme, keys: KeyMap) -> None:
        super().__init__()
        self.player = player
        self.keys = keys
        self._theme = theme
        self._ratio = self.devicePixelRatioF()
        self._wheel = 0
        self._shot = self._now()
        self.touches: Touches | None = None
        self._painted = False
        self.view = View.fit(player.faces.shape, self._viewport())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 90)
        player.faces_changed.connect(self.refresh)
        player.hand_changed.connect(self.refresh)
        player.cursor_moved.connect(self._follow_cursor)

    # Out

    @property
    def ratio(self) -> float:
        """How many of the screen's pixels make one of Qt's."""
        return self._ratio

    @property
    def theme(self) -> Theme:
        """The colours."""
        return self._theme

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def refresh(self) -> None:
        """Ask for paint where something looks different, and nowhere else."""
        before, self._shot = self._shot, self._now()
        if before.faces.shape != self._shot.faces.shape:
            self.update()
            return
        cells = list(_changed(before, self._shot, self.view))
        if not cells:
            return
        self.cells_changed.emit(cells)
        if len(cells) > _FEW:
            self.update(from_pixels(self.view.shown, self._ratio))
            return
        region = QRegion()
        for row, col, length in _runs(cells):
            spot = self.view.rect(row, col)
            strip = Rect(spot.x, spot.y, spot.width * length, spot.height)
            region += QRegion(from_pixels(strip.clip(self.view.viewport), self._ratio))
        self.update(region)

    def _now(self) -> Shot:
        player = self.player
        return Shot(player.faces, player.looks, player.cursor, player.start)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the parts that Qt asks for."""
        painter = QPainter(self)
        on_pixels(painter, self._ratio)
        whole = to_pixels(self.rect(), self._ratio)
        for rect in _rects(event.region()):
            part = to_pixels(rect, self._ratio).clip(whole)
            edge = self._edge
            paint_board(painter, part, self._shot, self.view, self._theme, edge)
        painter.end()
        if not self._painted:
            self._painted = True
            self.first_painted.emit()

    # The view

    @property
    def _edge(self) -> int:
        return round(EDGE * self._ratio)

    def _viewport(self) -> Rect:
        width, height = round(self.width() * self._ratio), round(self.height() * self._ratio)
        edge = self._edge
        return Rect(edge, edge, max(1, width - 2 * edge), max(1, height - 2 * edge))

    def size_for(self, cell: int) -> QSize:
        """Return the size that shows the whole board in cells of so many of Qt's pixels."""
        rows, cols = self.player.faces.shape
        pixels = max(1, round(cell * self._ratio))
        return QSize(
            int(np.ceil(cols * pixels / self._ratio)) + 2 * EDGE,
            int(np.ceil(rows * pixels / self._ratio)) + 2 * EDGE,
        )

    @property
    def cell(self) -> int:
        """The size of a cell in Qt's pixels."""
        return round(self.view.cell / self._ratio)

    def show_cells(self, cell: int) -> None:
        """Show the board in cells of so many of Qt's pixels; 0 fits the whole board."""
        shape = self.player.faces.shape
        if cell:
            self._see(View.at(shape, self._viewport(), round(cell * self._ratio)))
        else:
            self._see(View.fit(shape, self._viewport()))

    def zoom(self, steps: int, at: QPointF | None = None) -> None:
        """Make the cells larger or smaller by steps, about a point."""
        self._see(self.view.stepped(steps, *(() if at is None else self.pixel(at))))

    def zoom_to(self, cell: float, x: int, y: int) -> None:
        """Give the cells a size in the screen's pixels, about a pixel."""
        self._see(self.view.zoomed(round(cell), x, y))

    def pan(self, dx: int, dy: int) -> None:
        """Move the board by so many of the screen's pixels, as far as it may."""
        self._see(self.view.panned(dx, dy))

    def centre(self, row: int, col: int) -> None:
        """Bring a cell to the middle."""
        self._see(self.view.centred_on(row, col))

    def _follow_cursor(self) -> None:
        if self.player.cursor is not None:
            self._see(self.view.scroll_to(*self.player.cursor))

    def _see(self, view: View) -> None:
        if view == self.view:
            return
        self.view = view
        self.update()
        self.view_changed.emit()

    def pixel(self, at: QPointF) -> tuple[int, int]:
        """Return the screen's pixel at a point."""
        return int(at.x() * self._ratio), int(at.y() * self._ratio)

    def cell_at(self, at: QPointF) -> Cell | None:
        """Return the cell at a point."""
        return self.view.cell_at(*self.pixel(at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep fitting a board that fitted; keep the cells of another."""
        del event
        if self.view.fitted:
            self._see(View.fit((self.view.rows, self.view.cols), self._viewport()))
        else:
            self._see(self.view.resized(self._viewport()))

    def event(self, event: QEvent) -> bool:
        """Hear what Qt has no method of its own for."""
        kind = event.type()
        if kind is QEvent.Type.DevicePixelRatioChange:
            before, self._ratio = self._ratio, self.devicePixelRatioF()
            cell = max(1, round(self.view.cell * self._ratio / before))
            self._see(View.at((self.view.rows, self.view.cols), self._viewport(), cell))
        elif isinstance(event, QNativeGestureEvent):
            if event.gestureType() is Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom_to(self.view.cell * (1 + event.value()), *self.pixel(event.position()))
                return True
        elif kind in _TOUCHES and self._fingers().hear(event):
            return True
        return super().event(event)

    # Fingers

    def _fingers(self) -> Touches:
        if self.touches is None:
            from demine.desktop.touches import Touches

            self.touches = Touches(self)
        return self.touches

    def forget_fingers(self) -> None:
        """Drop what fingers had begun, and take up the player's habits of touching anew."""
        if self.touches is not None:
            self.touches.cancel()
            self.touches.apply()

    # In: the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A button comes down."""
        button = _BUTTONS.get(event.button())
        if button is None:
            return
        held = event.modifiers()
        shift = bool(held & Qt.KeyboardModifier.ShiftModifier)
        ctrl = bool(held & Qt.KeyboardModifier.ControlModifier)
        name = button.value
        if button is Button.LEFT and (shift or ctrl):
            name = "shift+left" if shift else "ctrl+left"
        self._touch(name, "press", event.position())
        self.player.press(button, self.cell_at(event.position()), shift=shift, ctrl=ctrl)
        self.player.panel_changed.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's other name for a second press: quick hands press often."""
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A button goes up."""
        button = _BUTTONS.get(event.button())
        if button is None:
            return
        self._touch(button.value, "release", event.position())
        self.player.release(button, self.cell_at(event.position()))
        self.player.panel_changed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The pointer moves."""
        self._touch("", "move", event.position())
        self.player.move(self.cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer leaves."""
        del event
        self.player.move(None)

    def _touch(self, button: str, action: Action, at: QPointF) -> None:
        self.player.touch(button, action, self.view.board_point(*self.pixel(at)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel turns: it scrolls, zooms with Ctrl, and goes sideways with Shift."""
        angle, pixels = event.angleDelta(), event.pixelDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._wheel += angle.y()
            steps = int(self._wheel / NOTCH)
            self._wheel -= steps * NOTCH
            if steps:
                self.zoom(steps, event.position())
            return
        if not pixels.isNull():
            dx, dy = pixels.x() * self._ratio, pixels.y() * self._ratio
        else:
            notch = 2 * self.view.cell / NOTCH
            dx, dy = angle.x() * notch, angle.y() * notch
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not dx:
            dx, dy = dy, 0
        self.pan(round(dx), round(dy))

    def tabletEvent(self, event: QTabletEvent) -> None:
        """A pen: its tip is a finger, the button on its side the right button."""
        self._fingers().hear_pen(event)

    # In: the keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key comes down that is no menu's shortcut."""
        command = self.keys.lookup(key_name(event))
        if command is None:
            super().keyPressEvent(event)
        elif command in MOVES or not event.isAutoRepeat():
            self.commanded.emit(command)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A keyboard that arrives by Tab finds the cursor."""
        by_tab = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if event.reason() in by_tab and self.player.cursor is None:
            rows, cols = self.player.faces.shape
            self.player.point((rows // 2, cols // 2))
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The window stops listening: what the hand had begun is dropped."""
        self.player.let_go(lost=True)
        self.forget_fingers()
        super().focusOutEvent(event)


def _rects(region: QRegion) -> Iterator[QRect]:
    # PySide's stubs do not know that a region can be walked through.
    yield from cast("Iterable[QRect]", region)


def _changed(before: Shot, now: Shot, view: View) -> Iterator[Cell]:
    """Yield the visible cells that look different, row by row."""
    rows, cols = view.visible()
    part = np.s_[rows.start : rows.stop, cols.start : cols.stop]
    differ: NDArray[np.bool_] = now.faces[part] != before.faces[part]
    differ |= now.looks[part] != before.looks[part]
    for here, there in ((now.cursor, before.cursor), (now.start, before.start)):
        if here != there:
            for cell in (here, there):
                if cell is not None and cell[0] in rows and cell[1] in cols:
                    differ[cell[0] - rows.start, cell[1] - cols.start] = True
    for row, col in np.argwhere(differ):
        yield rows.start + int(row), cols.start + int(col)


def _runs(cells: list[Cell]) -> Iterator[tuple[int, int, int]]:
    """Yield cells side by side as (row, first column, count)."""
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
