"""A board that can be scrolled and zoomed, but not played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QScrollArea, QWidget

from demine.desktop.board.qt_board_painting import to_qimage
from demine.picture import render
from demine.scene.board_geometry import MAX_CELL, MIN_CELL, ZOOM_STEPS
from demine.scene.cell_highlights import cell_looks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QKeyEvent, QPaintEvent, QWheelEvent

    from demine.scene.themes import Theme

_FIRST_CELL: Final = 28
_LEAST: Final = 16
_WIDE, _HIGH = 720, 480
"""The most a board takes at first, in logical pixels."""


class BoardView(QScrollArea):
    """Shows faces, uint8 (height, width) of `Face`; plus, minus and Ctrl+wheel zoom."""

    def __init__(self, faces: NDArray[np.uint8], theme: Theme) -> None:
        super().__init__()
        rows, cols = faces.shape
        fitting = min(_WIDE // cols, _HIGH // rows)
        self._canvas = BoardCanvas(faces, theme, min(max(fitting, _LEAST), _FIRST_CELL))
        self.setWidget(self._canvas)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._set_cell_size(self.cell_size)

    @property
    def cell_size(self) -> int:
        """The side of a cell in logical pixels."""
        return self._canvas.cell

    def sizeHint(self) -> QSize:
        """Return room for the whole board, up to what most screens have."""
        frame = 2 * self.frameWidth() + 2
        return self._canvas.size().boundedTo(QSize(_WIDE, _HIGH)) + QSize(frame, frame)

    def minimumSizeHint(self) -> QSize:
        """Return room for some cells."""
        return QSize(8 * _LEAST, 6 * _LEAST)

    def zoom(self, steps: int) -> None:
        """Zoom in by steps, or out if negative, around the middle."""
        sizes = sorted({*ZOOM_STEPS, MIN_CELL, MAX_CELL})
        cell = self.cell_size
        place = sizes.index(cell if cell in sizes else _FIRST_CELL)
        bars = self.horizontalScrollBar(), self.verticalScrollBar()
        middles = [(bar.value() + bar.pageStep() / 2) / cell for bar in bars]
        self._set_cell_size(sizes[min(max(place + steps, 0), len(sizes) - 1)])
        for bar, middle in zip(bars, middles, strict=True):
            bar.setValue(round(middle * self.cell_size - bar.pageStep() / 2))

    def _set_cell_size(self, cell: int) -> None:
        self._canvas.set_cell_size(cell)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.setSingleStep(cell)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, else scroll."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom with plus and minus; scroll with arrows and pages."""
        step = {"+": 1, "=": 1, "-": -1}.get(event.text())
        if step is None:
            super().keyPressEvent(event)
        else:
            self.zoom(step)


class BoardCanvas(QWidget):
    """The whole board, drawn only where it is visible."""

    def __init__(self, faces: NDArray[np.uint8], theme: Theme, cell: int) -> None:
        super().__init__()
        looks = cell_looks(faces, fade_finished=False)  # fading serves play, which is over
        self._faces, self._looks, self._theme = faces, looks, theme
        self.cell = cell

    def set_cell_size(self, cell: int) -> None:
        """Resize to cells of some logical pixels."""
        rows, cols = self._faces.shape
        self.cell = cell
        self.resize(cols * cell, rows * cell)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the visible cells, in whole device pixels."""
        seen, cell = event.rect(), self.cell
        rows, cols = self._faces.shape
        top, left = seen.top() // cell, seen.left() // cell
        bottom, right = min(rows, seen.bottom() // cell + 1), min(cols, seen.right() // cell + 1)
        if top >= bottom or left >= right:
            return
        pixels = max(round(cell * self.devicePixelRatioF()), MIN_CELL)
        region = (top, left, bottom, right)
        picture = render(self._faces, self._theme, pixels, self._looks, region=region)
        painter = QPainter(self)
        painter.drawImage(QPoint(left * cell, top * cell), to_qimage(picture, pixels / cell))
        painter.end()
