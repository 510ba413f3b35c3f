"""The minimap: the whole board in small, below a view of part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from demine.desktop.board.qt_board_painting import use_device_pixels
from demine.desktop.colour_scheme import to_qcolor
from demine.scene.board_geometry import Rect
from demine.scene.translation import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from demine.desktop.board.viewport import BoardViewport

_PAD: Final = 4
"""The gap around it, in logical pixels."""
_NARROWEST, _WIDEST = 0.5, 3
"""Limits of its width in heights."""


class Minimap(QWidget):
    """Shows which part of the board is visible, and moves there by mouse."""

    def __init__(self, board: BoardViewport, beside: QWidget) -> None:
        """Make the minimap of a board, as high as the part of the window that it stands beside."""
        super().__init__()
        self._board, self._beside = board, beside
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        board.view_changed.connect(self.update)
        self.retranslate_ui()

    def retranslate_ui(self) -> None:
        """Set the name in the current language."""
        self.setAccessibleName(tr("Overview of the board"))
        self.setToolTip(tr("Overview of the board"))

    def sizeHint(self) -> QSize:
        """Return the height of the strip, and the width that the board's shape then has."""
        rows, cols = self._board.shape
        high = self._beside.sizeHint().height()
        inside = high - 2 * _PAD
        wide = min(max(inside * cols // rows, int(_NARROWEST * high)), _WIDEST * high)
        return QSize(wide + 2 * _PAD, high)

    def _drawing_area(self) -> Rect:
        ratio = self.devicePixelRatioF()
        width, height = round(self.width() * ratio), round(self.height() * ratio)
        pad = round(_PAD * ratio)
        return Rect(pad, pad, max(1, width - 2 * pad), max(1, height - 2 * pad))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the whole board, and a frame around the visible part."""
        del event
        board = self._board
        painter = QPainter(self)
        painter.fillRect(self.rect(), to_qcolor(board.theme.panel))
        use_device_pixels(painter, self.devicePixelRatioF())
        whole, seen = board.view.minimap_rects(self._drawing_area())
        painter.fillRect(QRect(*whole).adjusted(-1, -1, 1, 1), to_qcolor(board.theme.edge))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(QRect(*whole), board.thumbnail())
        frame = QRect(*seen).adjusted(0, 0, -1, -1)
        for rgb, width in ((board.theme.cursor_halo, 4), (board.theme.cursor, 2)):
            painter.setPen(QPen(to_qcolor(rgb), width))
            painter.drawRect(frame)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Centre the board on the cell under the pointer."""
        from PySide6.QtCore import Qt

        if event.button() is Qt.MouseButton.LeftButton:
            self._centre_board_at(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer while the button is down."""
        from PySide6.QtCore import Qt

        if event.buttons() & Qt.MouseButton.LeftButton:
            self._centre_board_at(event.position())

    def _centre_board_at(self, at: QPointF) -> None:
        ratio, view = self.devicePixelRatioF(), self._board.view
        whole, _ = view.minimap_rects(self._drawing_area())
        row = int((at.y() * ratio - whole.y) * view.rows // whole.height)
        col = int((at.x() * ratio - whole.x) * view.cols // whole.width)
        self._board.centre_on_cell(min(max(row, 0), view.rows - 1), min(max(col, 0), view.cols - 1))
