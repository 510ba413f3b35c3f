"""Scroll bars in the margins of a board that is larger than its viewport.

They stand where the window is empty anyway, so the board keeps its place when they come and go.
They are painted without Qt's enumerations, for they belong to the first frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QWidget

from demine.desktop.colour_scheme import to_qcolor
from demine.scene.board_geometry import ScrollAxis
from demine.scene.colours import mix
from demine.scene.translation import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QEnterEvent, QMouseEvent, QPaintEvent

    from demine.desktop.board.viewport import BoardViewport
    from demine.scene.board_geometry import Thumb

_LEAST_THUMB: Final = 28
"""The shortest thumb, in logical pixels."""


class BoardScrollBar(QWidget):
    """A bar that shows which part of the board is visible, and moves it by the mouse."""

    def __init__(self, board: BoardViewport, axis: ScrollAxis, parent: QWidget) -> None:
        super().__init__(parent)
        self._board, self._axis = board, axis
        self._grabbed_at: int | None = None
        """How far from its start the thumb is held, in logical pixels; None if it is not."""
        self.hide()
        self.retranslate_ui()

    def retranslate_ui(self) -> None:
        """Set the name in the current language."""
        self.setAccessibleName(tr("Scroll bar of the board"))

    def place(self, thickness: int) -> None:
        """Stand beside the board, or vanish if there is nothing to scroll."""
        spot = self._board.geometry()
        if self._axis is ScrollAxis.ROWS:
            self.setGeometry(spot.x() + spot.width(), spot.y(), thickness, spot.height())
        else:
            self.setGeometry(spot.x(), spot.y() + spot.height(), spot.width(), thickness)
        wanted = self.thumb is not None
        if self.isHidden() is wanted:
            self.setVisible(wanted)
        self.update()

    @property
    def thumb(self) -> Thumb | None:
        """The thumb in logical pixels; None if the board fits."""
        return self._board.view.scroll_thumb(self._axis, self._length, _LEAST_THUMB)

    @property
    def _length(self) -> int:
        return self.height() if self._axis is ScrollAxis.ROWS else self.width()

    def _along(self, event: QMouseEvent) -> int:
        at = event.position()
        return int(at.y() if self._axis is ScrollAxis.ROWS else at.x())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the track and the thumb."""
        del event
        thumb = self.thumb
        if thumb is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strong = self._grabbed_at is not None or self.underMouse()
        self._fill(painter, 0, self._length, 0.12)
        self._fill(painter, thumb.start, thumb.length, 0.8 if strong else 0.5)
        painter.end()

    def _fill(self, painter: QPainter, start: int, length: int, strength: float) -> None:
        theme, thick = self._board.theme, min(self.width(), self.height()) - 1.0
        part = (
            QRectF(0.5, start, thick, length)
            if self._axis is ScrollAxis.ROWS
            else QRectF(start, 0.5, length, thick)
        )
        path = QPainterPath()
        path.addRoundedRect(part, thick / 2, thick / 2)
        painter.fillPath(path, to_qcolor(mix(theme.window, theme.panel_text, strength)))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Highlight the thumb."""
        del event
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Highlight it no longer."""
        del event
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the thumb; beside it, bring it under the pointer."""
        from PySide6.QtCore import Qt

        thumb = self.thumb
        if thumb is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        offset = self._along(event) - thumb.start
        self._grabbed_at = offset if 0 <= offset < thumb.length else thumb.length // 2
        self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the board with the thumb."""
        if self._grabbed_at is not None:
            start = self._along(event) - self._grabbed_at
            self._board.scroll_thumb_to(self._axis, start, self._length, _LEAST_THUMB)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the thumb."""
        del event
        self._grabbed_at = None
        self.update()
