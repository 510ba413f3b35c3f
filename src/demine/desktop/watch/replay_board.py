"""The board of a player: a moment of a game, with the pointer, its way and what is advised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from demine.desktop.board.qt_images import (
    BoardSnapshot,
    from_device_pixels,
    paint_board,
    to_device_pixels,
    to_qimage,
    use_device_pixels,
)
from demine.desktop.colour_scheme import to_qcolor
from demine.picture.pointer_trail import (
    click_picture,
    pointer_picture,
    thinned_points,
    trail_widths,
)
from demine.picture.pointer_trail import to_pixels as scaled
from demine.scene.board_geometry import Rect, View

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent

    from demine.scene.overlay import Overlay
    from demine.scene.playback import Snapshot, Trail
    from demine.scene.themes import Theme

EDGE: Final = 3
"""Width of the line around the board, in Qt's pixels."""
_NOTCH: Final = 120
_LIKED: Final = 24
_LEAST: Final = QSize(160, 120)


class ReplayBoard(QWidget):
    """The board at one moment of a replay; Ctrl and the wheel zoom, dragging pans."""

    clicked = Signal()
    """Somebody pressed and let go without dragging."""

    def __init__(self, still: Snapshot, theme: Theme) -> None:
        super().__init__()
        self._theme, self._still = theme, still
        self._advice: Overlay | None = None
        self._trail: Trail | None = None
        self._ratio = self.devicePixelRatioF()
        self._dragged: QPointF | None = None
        self._moved = False
        self._turned = 0
        self.view = View.fit(self._shape, self._viewport())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(_LEAST)

    @property
    def _shape(self) -> tuple[int, int]:
        rows, cols = self._still.faces.shape
        return rows, cols

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def show_still(
        self, still: Snapshot, trail: Trail | None = None, advice: Overlay | None = None
    ) -> None:
        """Show a moment, and paint where it differs from the one before."""
        before, way, laid = self._still, self._trail, self._advice
        self._still, self._trail, self._advice = still, trail, advice
        if trail is not None or way is not None or advice is not laid:
            self.update()
            return
        differ = (before.faces != still.faces) | (before.looks != still.looks)
        for here, there in ((before.cursor, still.cursor), (still.cursor, before.cursor)):
            if here is not None and here != there:
                differ[here] = True
        if differ.any():
            self._update_cells(differ)
        if before.pointer != still.pointer:
            self._update_pointer(before.pointer)
            self._update_pointer(still.pointer)

    def _update_cells(self, differ: NDArray[np.bool_]) -> None:
        rows, cols = np.flatnonzero(differ.any(axis=1)), np.flatnonzero(differ.any(axis=0))
        first, last = self.view.cell_rect(rows[0], cols[0]), self.view.cell_rect(rows[-1], cols[-1])
        whole = Rect(first.x, first.y, last.right - first.x, last.bottom - first.y)
        self.update(from_device_pixels(whole.intersection(self.view.viewport), self._ratio))

    def _update_pointer(self, place: tuple[int, int] | None) -> None:
        if place is not None:
            x, y = self._at(np.array([place], np.int64))[0]
            size = self.view.cell + 14
            self.update(from_device_pixels(Rect(int(x) - 2, int(y) - 2, size, size), self._ratio))

    # Out

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the board, and over it the way and the pointer."""
        painter = QPainter(self)
        use_device_pixels(painter, self._ratio)
        part = to_device_pixels(event.rect(), self._ratio).intersection(
            to_device_pixels(self.rect(), self._ratio)
        )
        still = self._still
        shot = BoardSnapshot(still.faces, still.looks, still.cursor, None, self._advice)
        paint_board(painter, part, shot, self.view, self._theme, round(EDGE * self._ratio))
        painter.setClipRect(QRect(*self.view.viewport))
        if self._trail is not None:
            self._paint_trail(painter, self._trail)
        if still.pointer is not None:
            x, y = self._at(np.array([still.pointer], np.int64))[0]
            arrow = to_qimage(pointer_picture(self._theme, self.view.cell))
            painter.drawImage(QPointF(int(x) - 1, int(y) - 1), arrow)
        painter.end()

    def _paint_trail(self, painter: QPainter, trail: Trail) -> None:
        points = self._at(trail.points)
        cell = self.view.cell
        if len(points) > 1:
            halo, pen = trail_widths(cell)
            line = QPolygonF([QPointF(x, y) for x, y in thinned_points(points, max(1.5, pen))])
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for ink, wide in ((self._theme.cursor_halo, halo), (self._theme.cursor, pen)):
                painter.setPen(
                    QPen(to_qcolor(ink), wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
                         Qt.PenJoinStyle.RoundJoin)
                )  # fmt: skip
                painter.drawPolyline(line)
        for x, y, button in trail.clicks:
            mark = click_picture(self._theme, button, cell)
            place = self._at(np.array([[x, y]], np.int64))[0]
            half = mark.shape[0] // 2
            painter.drawImage(QPointF(int(place[0]) - half, int(place[1]) - half), to_qimage(mark))

    def _at(self, points: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return points of the board in the widget's pixels."""
        corner = np.array((self.view.left, self.view.top), np.float64)
        return scaled(points, self.view.cell) + corner

    # The view

    def _viewport(self) -> Rect:
        wide, high = round(self.width() * self._ratio), round(self.height() * self._ratio)
        edge = round(EDGE * self._ratio)
        return Rect(edge, edge, max(1, wide - 2 * edge), max(1, high - 2 * edge))

    def size_for_cell(self, cell: int) -> QSize:
        """Return the size that shows the whole board in cells of so many of Qt's pixels."""
        rows, cols = self._shape
        pixels = max(1, round(cell * self._ratio)) / self._ratio
        return QSize(int(np.ceil(cols * pixels)) + 2 * EDGE, int(np.ceil(rows * pixels)) + 2 * EDGE)

    def sizeHint(self) -> QSize:
        """The whole board, as the window asks for it; it takes whatever it gets."""
        return self.size_for_cell(_LIKED)

    def zoom(self, steps: int, at: QPointF | None = None) -> None:
        """Make the cells larger or smaller; 0 fits the board to the window."""
        if not steps:
            self._set_view(View.fit(self._shape, self._viewport()))
            return
        spot = () if at is None else (int(at.x() * self._ratio), int(at.y() * self._ratio))
        self._set_view(self.view.zoomed_by_steps(steps, *spot))

    def bring(self, row: int, col: int) -> None:
        """Bring a cell into view."""
        self._set_view(self.view.scrolled_to(row, col))

    def _set_view(self, view: View) -> None:
        if view != self.view:
            self.view = view
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep fitting a board that fitted."""
        del event
        fitted = self.view.is_fitted or self.view.viewport.width <= 1
        port = self._viewport()
        self._set_view(View.fit(self._shape, port) if fitted else self.view.resized(port))

    def event(self, event: QEvent) -> bool:
        """Hear that the screen's density changed."""
        if event.type() is QEvent.Type.DevicePixelRatioChange:
            self._ratio = self.devicePixelRatioF()
            self._set_view(View.fit(self._shape, self._viewport()))
        return super().event(event)

    # In

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._dragged, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a board that is larger than the window."""
        if self._dragged is None:
            return
        way = event.position() - self._dragged
        if self._moved or way.manhattanLength() > 6:
            self._moved = True
            self._dragged = event.position()
            self._set_view(
                self.view.panned(round(way.x() * self._ratio), round(way.y() * self._ratio))
            )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click that dragged nothing."""
        if self._dragged is not None and event.button() is Qt.MouseButton.LeftButton:
            self._dragged = None
            if not self._moved:
                self.clicked.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, else scroll what does not fit."""
        angle = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._turned += angle.y()
            steps = int(self._turned / _NOTCH)
            self._turned -= steps * _NOTCH
            if steps:
                self.zoom(steps, event.position())
        else:
            notch = 2 * self.view.cell / _NOTCH
            self._set_view(self.view.panned(round(angle.x() * notch), round(angle.y() * notch)))
