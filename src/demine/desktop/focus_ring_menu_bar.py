"""A menu bar that shows which of its menus the keyboard is on, also while none is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenuBar

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


class MenuBar(QMenuBar):
    """Qt's menu bar with a focus ring: Fusion draws none, and keys seem dead after Alt or Esc."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar and, around the title that has the keyboard, a ring."""
        super().paintEvent(event)
        title = self.activeAction() if self.hasFocus() else None
        if title is None:
            return
        from PySide6.QtGui import QPainter, QPen

        painter = QPainter(self)
        painter.setPen(QPen(self.palette().windowText().color(), 2))
        painter.drawRect(self.actionGeometry(title).adjusted(1, 1, -1, -1))
        painter.end()
