"""The viewport of a board: which part of it is visible, zoomed and scrolled.

It needs neither games nor Qt's enumerations, so that it can be shown before they are loaded.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from demine.desktop.board.qt_board_painting import to_device_pixels, use_device_pixels
from demine.scene.board_geometry import Rect, View

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QPointF, QRect
    from PySide6.QtGui import QImage, QPaintEvent, QResizeEvent, QWheelEvent

    from demine.scene.board_geometry import ScrollAxis
    from demine.scene.themes import Theme

EDGE: Final = 3
"""Width of the line around the board, in logical pixels."""
NOTCH: Final = 120
"""One notch of a mouse wheel, in Qt's eighths of a degree."""
LEAST_COMFORTABLE_CELL: Final = 32
MOST_COMFORTABLE_CELL: Final = 40
"""Between these cells are to start with on an ordinary screen, in logical pixels."""


class BoardViewport(QWidget):
    """A board of some shape; it counts in device pixels, so that cells are sharp."""

    view_changed = Signal()
    first_painted = Signal()
    """The board is on the screen: what could wait can start now."""

    def __init__(self, shape: tuple[int, int], theme: Theme) -> None:
        super().__init__()
        self._shape = shape
        self._theme = theme
        self._ratio = self.devicePixelRatioF()
        self._wheel = 0
        """How far the wheel was turned beyond its last whole notch."""
        self.painted = False
        self.view = View.fitted(shape, self._viewport())
        self._opened: tuple[tuple[int, int] | None, View | None] = None, None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 90)

    # Painting

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._shape

    @property
    def ratio(self) -> float:
        """Device pixels per logical pixel."""
        return self._ratio

    @property
    def theme(self) -> Theme:
        """The theme, which can be set."""
        return self._theme

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paint_region(self, painter: QPainter, region_px: Rect) -> None:
        """Paint a part of the widget, in device pixels."""
        raise NotImplementedError

    def thumbnail(self) -> QImage:
        """Return an image of the board with one pixel per cell."""
        raise NotImplementedError

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the parts that Qt asks for, and report the first time."""
        painter = QPainter(self)
        use_device_pixels(painter, self._ratio)
        whole = to_device_pixels(self.rect(), self._ratio)
        # PySide's stubs do not know that a region can be walked through.
        for rect in cast("Iterable[QRect]", event.region()):
            self.paint_region(painter, to_device_pixels(rect, self._ratio).intersection(whole))
        painter.end()
        if not self.painted:
            self.painted = True
            self.first_painted.emit()

    # The view

    @property
    def edge_px(self) -> int:
        """Width of the line around the board, in device pixels."""
        return round(EDGE * self._ratio)

    def _viewport(self) -> Rect:
        width, height = round(self.width() * self._ratio), round(self.height() * self._ratio)
        edge = self.edge_px
        return Rect(edge, edge, max(1, width - 2 * edge), max(1, height - 2 * edge))

    def size_for_cell(self, logical_px: int) -> QSize:
        """Return the widget size that shows the whole board in cells of a size."""
        rows, cols = self.shape
        pixels = max(1, round(logical_px * self._ratio))
        return QSize(
            ceil(cols * pixels / self._ratio) + 2 * EDGE,
            ceil(rows * pixels / self._ratio) + 2 * EDGE,
        )

    def comfortable_cell_size(self, room: QSize, min_cell_px: int) -> int:
        """Return a cell size for this screen, or a smaller one, as `fitting_cell_size`."""
        high = self.screen().size().height()
        cell = min(max(high // 30, LEAST_COMFORTABLE_CELL), MOST_COMFORTABLE_CELL)
        # A screen of very many pixels that nobody scales shows everything small.
        cell = max(cell, min(high // 40, 64))
        return self.fitting_cell_size(cell, room, min_cell_px)

    def fitting_cell_size(self, cell_px: int, room: QSize, min_cell_px: int) -> int:
        """Return a cell size, or a smaller one with which the board fits a room.

        A board that is too high or too wide is fitted the other way, so that it scrolls one way
        only. All in logical pixels; it is not smaller than `min_cell_px`, even if nothing fits.
        """
        sizes = {each: self.size_for_cell(each) for each in range(cell_px, min_cell_px - 1, -1)}
        across = [each for each, size in sizes.items() if size.width() <= room.width()]
        down = [each for each, size in sizes.items() if size.height() <= room.height()]
        both = (each for each in across if each in down)
        return next(both, (across or down or [min_cell_px])[0])

    @property
    def logical_cell_size(self) -> int:
        """The side of a cell in logical pixels."""
        return self.logical_cell_size_of(self.view)

    def logical_cell_size_of(self, view: View) -> int:
        """Return the side of a view's cells in logical pixels."""
        return round(view.cell / self._ratio)

    def set_cell_size_or_fit(self, logical_px: int) -> None:
        """Show the board in cells of a size, or with 0 fit the whole board."""
        if logical_px:
            self._set_view(
                View.with_cell_size(self.shape, self._viewport(), round(logical_px * self._ratio))
            )
        else:
            self._set_view(View.fitted(self.shape, self._viewport()))

    def restore_scroll_position(self, view: View) -> None:
        """Scroll to where a view was, unless its cell size differs or the board is all seen."""
        if not self.view.shows_whole_board and self.view.cell == view.cell:
            self._set_view(view.resized(self._viewport()))

    def zoom(self, steps: int, around: QPointF | None = None) -> None:
        """Zoom in by steps, or out if negative, around a point of the widget or the middle."""
        self._set_view(
            self.view.zoomed_by_steps(
                steps, *(() if around is None else self.to_device_pixel(around))
            )
        )

    def zoom_to(self, cell_px: float, x_px: int, y_px: int) -> None:
        """Zoom to a cell size around a pixel, which keeps its place; all in device pixels."""
        self._set_view(self.view.zoomed(round(cell_px), x_px, y_px))

    def pan(self, dx_px: int, dy_px: int) -> None:
        """Move the board by device pixels, as far as its edge."""
        self._set_view(self.view.panned(dx_px, dy_px))

    def scroll_thumb_to(
        self, axis: ScrollAxis, start: int, track_length: int, min_length: int
    ) -> None:
        """Scroll to where the thumb of a scroll bar begins; see `View.scrolled_to_thumb`."""
        self._set_view(self.view.scrolled_to_thumb(axis, start, track_length, min_length))

    def centre_on_cell(self, row: int, col: int) -> None:
        """Scroll a cell to the middle, as far as the edge of the board allows."""
        self._set_view(self.view.centred_on(row, col))

    def centre_initially_on(self, cell: tuple[int, int] | None) -> None:
        """Scroll a cell to the middle, or with None do nothing.

        Resizing keeps the cell there until the view is moved.
        """
        if cell is not None:
            self._set_view(self.view.initially_centred_on(cell))
            self._opened = cell, self.view

    def _set_view(self, view: View) -> None:
        if view == self.view:
            return
        self.view = view
        self.update()
        self._update_hovered_cell()
        self.view_changed.emit()

    def _update_hovered_cell(self) -> None:
        """Handle a changed view: another cell may be under the pointer."""

    def to_device_pixel(self, point: QPointF) -> tuple[int, int]:
        """Return the device pixel (x, y) at a point of the widget."""
        return int(point.x() * self._ratio), int(point.y() * self._ratio)

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Return the cell at a point of the widget, or None."""
        return self.view.cell_at(*self.to_device_pixel(point))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, with Shift sideways; zoom with Ctrl."""
        from PySide6.QtCore import Qt  # its enumerations are large, and the first frame needs none

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit a fitted board again; keep the cell size of any other."""
        del event
        before, port = self.view, self._viewport()
        self._set_view(before.refitted(port) if before.is_fitted else before.resized(port))
        # A window is resized in steps; each would leave the cell a little off centre.
        cell, view = self._opened
        if before == view:
            self.centre_initially_on(cell)

    def event(self, event: QEvent) -> bool:
        """Keep the visible size of cells when the device pixel ratio changes."""
        kind = event.type()
        if kind is QEvent.Type.DevicePixelRatioChange:
            before, self._ratio = self._ratio, self.devicePixelRatioF()
            cell = max(1, round(self.view.cell * self._ratio / before))
            self._set_view(
                View.with_cell_size((self.view.rows, self.view.cols), self._viewport(), cell)
            )
        return self.handle_other_event(kind, event) or super().event(event)

    def handle_other_event(self, kind: QEvent.Type, event: QEvent) -> bool:  # noqa: ARG002
        """Handle an event that has no method in Qt; return whether it was handled."""
        return False
