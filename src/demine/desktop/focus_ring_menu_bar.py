"""A menu bar that draws a ring around the title with the keyboard focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenuBar

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


class FocusRingMenuBar(QMenuBar):
    """Qt's menu bar with a focus ring: without one, keys seem dead after Alt or Esc."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar, and a ring around the title with the keyboard focus."""
        super().paintEvent(event)
        title = self.activeAction() if self.hasFocus() else None
        if title is None:
            return
        from PySide6.QtGui import QPainter, QPen

        painter = QPainter(self)
        painter.setPen(QPen(self.palette().windowText().color(), 2))
        painter.drawRect(self.actionGeometry(title).adjusted(1, 1, -1, -1))
        painter.end()
