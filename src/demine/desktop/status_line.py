"""A line of text of fixed height, below the board of the player of replays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from demine.desktop.plain_text_tool_tips import plain_tool_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

_SMALL: Final = 0.8
"""The factor for the font of a text that does not fit into its line."""
_CENTRE: Final = 0x0084
_WRAP: Final = 0x1000
"""Qt's flags as numbers."""


class StatusLine(QWidget):
    """A line of text of fixed height: long texts are written smaller, on two rows."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """The text that is shown, whole even if it is elided on the screen."""
        return self._text

    def set_text_if_new(self, text: str) -> bool:
        """Show a text; return whether it differs from the one before."""
        if text == self._text:
            return False
        self._text = text
        self.setAccessibleName(text)
        self.setToolTip(plain_tool_tip(text))
        self.update()
        return True

    def sizeHint(self) -> QSize:
        """Return the height of two rows in small type."""
        return QSize(200, 2 * QFontMetrics(self._small_font()).height())

    def _small_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * _SMALL))
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text in the middle."""
        del event
        # The pen is the palette's already; to set one, PySide would build all of Qt's enumerations.
        painter = QPainter(self)
        flags = _CENTRE
        if QFontMetrics(self.font()).horizontalAdvance(self._text) > self.width():
            painter.setFont(self._small_font())
            flags |= _WRAP
        painter.drawText(self.rect(), flags, self._elided(painter.fontMetrics(), flags))
        painter.end()

    def _elided(self, metrics: QFontMetrics, flags: int) -> str:
        """Return the text, cut with an ellipsis if it is too long for two rows."""
        text = self._text
        room = QRect(0, 0, self.width(), 10_000)
        # The height of each row is rounded up, which the height of the line leaves out.
        most = self.height() + 2
        if metrics.boundingRect(room, flags, text).height() <= most:
            return text
        while text and metrics.boundingRect(room, flags, text + "…").height() > most:
            text = text[:-1]
        return text + "…"
