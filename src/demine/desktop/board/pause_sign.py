"""Paints the sign of a paused game over its covered board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics

from demine.desktop.board.qt_board_painting import to_qimage
from demine.desktop.colour_scheme import to_qcolor
from demine.picture.pause_card import card_colours, card_picture, pause_card

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from demine.play.presence import PauseSign
    from demine.scene.board_geometry import View
    from demine.scene.themes import Theme

_LETTERS: Final = 14
"""The usual size of letters, in logical pixels."""


def paint_pause_sign(
    painter: QPainter, sign: PauseSign, view: View, theme: Theme, font: QFont, ratio: float
) -> None:
    """Paint a sign into the middle of a board; the painter counts in device pixels."""

    def sized(size_px: int) -> QFont:
        made = QFont(font)
        made.setPixelSize(size_px)
        made.setBold(size_px > _LETTERS * ratio)
        return made

    def width(text: str, size_px: int) -> int:
        return QFontMetrics(sized(size_px)).horizontalAdvance(text)

    card = pause_card(sign, view, round(_LETTERS * ratio), width)
    painter.drawImage(QPoint(card.place.x, card.place.y), to_qimage(card_picture(card, theme)))
    ink, on_button = card_colours(theme)
    for part in card.texts:
        painter.setPen(to_qcolor(on_button if part is card.label else ink))
        painter.setFont(sized(part.size_px))
        painter.drawText(QRect(*part.place), Qt.AlignmentFlag.AlignCenter, part.text)
