"""The board of a replay: a moment of a game, with the pointer, its trail and overlays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF

from demine.desktop.board.qt_board_painting import (
    BoardSnapshot,
    from_device_pixels,
    paint_board,
    to_qimage,
)
from demine.desktop.board.viewport import BoardViewport
from demine.desktop.colour_scheme import to_qcolor
from demine.picture.pointer_trail import (
    TRAIL_HALO,
    click_picture,
    field_points_to_pixels,
    pointer_picture,
    thinned_points,
    trail_width,
)
from demine.scene.board_geometry import Rect

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent

    from demine.scene.overlay import Overlay
    from demine.scene.playback import Snapshot, Trail
    from demine.scene.themes import Theme

_CELL: Final = 24
"""The side of a cell in the preferred size of the board, in logical pixels."""
_DRAG_PIXELS: Final = 6
"""How far the mouse may move in a click, in logical pixels."""


class ReplayBoard(BoardViewport):
    """The board at one moment of a replay; Ctrl and the wheel zoom, dragging pans."""

    clicked = Signal()
    """The mouse was pressed and released without dragging."""

    def __init__(self, still: Snapshot, theme: Theme) -> None:
        rows, cols = still.faces.shape
        super().__init__((rows, cols), theme)
        self._still = still
        self._advice: Overlay | None = None
        self._trail: Trail | None = None
        self._dragged_from: QPointF | None = None
        self._is_dragging = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)

    def show_snapshot(
        self, still: Snapshot, trail: Trail | None = None, advice: Overlay | None = None
    ) -> None:
        """Show a moment, and repaint where it differs from the one before."""
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
            x, y = self._to_widget_pixels(np.array([place], np.int64))[0]
            size = self.view.cell + 14
            self.update(from_device_pixels(Rect(int(x) - 2, int(y) - 2, size, size), self._ratio))

    # Painting

    def paint_region(self, painter: QPainter, region_px: Rect) -> None:
        """Paint a part of the board, and over it the trail and the pointer."""
        still, view = self._still, self.view
        shown = BoardSnapshot(still.faces, still.looks, still.cursor, None, self._advice)
        painter.save()
        paint_board(painter, region_px, shown, view, self._theme, self.edge_px)
        painter.setClipRect(QRect(*region_px.intersection(view.viewport)))
        if self._trail is not None:
            self._paint_trail(painter, self._trail)
        if still.pointer is not None:
            x, y = self._to_widget_pixels(np.array([still.pointer], np.int64))[0]
            arrow = to_qimage(pointer_picture(self._theme, view.cell))
            painter.drawImage(QPointF(int(x) - 1, int(y) - 1), arrow)
        painter.restore()

    def _paint_trail(self, painter: QPainter, trail: Trail) -> None:
        points = self._to_widget_pixels(trail.points)
        cell = self.view.cell
        if len(points) > 1:
            pen = trail_width(cell)
            line = QPolygonF([QPointF(x, y) for x, y in thinned_points(points, max(1.5, pen))])
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for ink, wide in (
                (self._theme.cursor_halo, TRAIL_HALO * pen),
                (self._theme.cursor, pen),
            ):
                painter.setPen(
                    QPen(to_qcolor(ink), wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap,
                         Qt.PenJoinStyle.RoundJoin)
                )  # fmt: skip
                painter.drawPolyline(line)
        for x, y, button in trail.clicks:
            mark = click_picture(self._theme, button, cell)
            place = self._to_widget_pixels(np.array([[x, y]], np.int64))[0]
            half = mark.shape[0] // 2
            painter.drawImage(QPointF(int(place[0]) - half, int(place[1]) - half), to_qimage(mark))

    def _to_widget_pixels(self, points: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return points of the board in device pixels of the widget."""
        corner = np.array((self.view.left, self.view.top), np.float64)
        return field_points_to_pixels(points, self.view.cell) + corner

    def sizeHint(self) -> QSize:
        """Return room for the whole board."""
        return self.size_for_cell(_CELL)

    def scroll_to_cell(self, row: int, col: int) -> None:
        """Scroll a cell into view."""
        self._set_view(self.view.scrolled_to(row, col))

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start to drag or click."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._dragged_from, self._is_dragging = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan the board while the button is held."""
        if self._dragged_from is None:
            return
        way = event.position() - self._dragged_from
        if self._is_dragging or way.manhattanLength() > _DRAG_PIXELS:
            self._is_dragging = True
            self._dragged_from = event.position()
            self.pan(round(way.x() * self._ratio), round(way.y() * self._ratio))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End dragging, or emit `clicked` if nothing was dragged."""
        if self._dragged_from is not None and event.button() is Qt.MouseButton.LeftButton:
            self._dragged_from = None
            if not self._is_dragging:
                self.clicked.emit()
