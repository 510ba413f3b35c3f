"""A board to look at: scrolled, zoomed, and painted only where it is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractScrollArea

from demine.desktop.dialogs.base import image
from demine.picture import render
from demine.scene.board_geometry import MAX_CELL, MIN_CELL, ZOOM_STEPS
from demine.scene.cell_highlight import looks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent, QWheelEvent

    from demine.scene.themes import Theme

_FIRST_CELL: Final = 28
_LEAST: Final = 16
_WIDE, _HIGH = 720, 480
"""What a board may take at first on most screens, in logical pixels."""


class BoardView(QAbstractScrollArea):
    """Shows faces, uint8 (height, width) of `Face`; plus, minus and Ctrl+wheel zoom."""

    def __init__(self, faces: NDArray[np.uint8], theme: Theme) -> None:
        super().__init__()
        self._faces, self._looks, self._theme = faces, looks(faces), theme
        rows, cols = faces.shape
        fitting = min(_WIDE // cols, _HIGH // rows)
        self.cell = min(max(fitting, _LEAST), _FIRST_CELL)
        """Logical pixels a cell."""
        self.viewport().setAutoFillBackground(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        """Ask for the whole board, up to what most screens have."""
        rows, cols = self._faces.shape
        frame = 2 * self.frameWidth() + 2
        return QSize(min(cols * self.cell, _WIDE) + frame, min(rows * self.cell, _HIGH) + frame)

    def minimumSizeHint(self) -> QSize:
        """Some cells stay to be seen."""
        return QSize(8 * _LEAST, 6 * _LEAST)

    def zoom(self, steps: int) -> None:
        """Make the cells larger by so many steps, or smaller; the middle stays."""
        sizes = sorted({*ZOOM_STEPS, MIN_CELL, MAX_CELL})
        place = sizes.index(self.cell) if self.cell in sizes else sizes.index(_FIRST_CELL)
        cell = sizes[min(max(place + steps, 0), len(sizes) - 1)]
        bars = self.horizontalScrollBar(), self.verticalScrollBar()
        middles = [(bar.value() + bar.pageStep() / 2) / self.cell for bar in bars]
        self.cell = cell
        self._measure()
        for bar, middle in zip(bars, middles, strict=True):
            bar.setValue(round(middle * cell - bar.pageStep() / 2))
        self.viewport().update()

    def _measure(self) -> None:
        rows, cols = self._faces.shape
        port = self.viewport().size()
        for bar, whole, seen in (
            (self.horizontalScrollBar(), cols * self.cell, port.width()),
            (self.verticalScrollBar(), rows * self.cell, port.height()),
        ):
            bar.setPageStep(seen)
            bar.setSingleStep(self.cell)
            bar.setRange(0, max(0, whole - seen))

    def _corner(self) -> QPoint:
        """Where the board's upper left corner stands in the viewport."""
        rows, cols = self._faces.shape
        spare_x = max(0, self.viewport().width() - cols * self.cell) // 2
        spare_y = max(0, self.viewport().height() - rows * self.cell) // 2
        return QPoint(
            spare_x - self.horizontalScrollBar().value(), spare_y - self.verticalScrollBar().value()
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells that are seen, in whole pixels of the screen."""
        corner, seen, cell = self._corner(), event.rect(), self.cell
        rows, cols = self._faces.shape
        top = max(0, (seen.top() - corner.y()) // cell)
        left = max(0, (seen.left() - corner.x()) // cell)
        bottom = min(rows, (seen.bottom() - corner.y()) // cell + 1)
        right = min(cols, (seen.right() - corner.x()) // cell + 1)
        if top >= bottom or left >= right:
            return
        ratio = self.devicePixelRatioF()
        pixels = max(round(cell * ratio), MIN_CELL)
        region = (top, left, bottom, right)
        picture = render(self._faces, self._theme, pixels, self._looks, region=region)
        painter = QPainter(self.viewport())
        place = corner + QPoint(left * cell, top * cell)
        painter.drawImage(place, image(picture, pixels / cell))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the scroll bars right."""
        super().resizeEvent(event)
        self._measure()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        """Paint anew where the board has moved to."""
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, else scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Plus and minus zoom; arrows and pages scroll."""
        step = {"+": 1, "=": 1, "-": -1}.get(event.text())
        if step is None:
            super().keyPressEvent(event)
        else:
            self.zoom(step)
