"""The board that the fields of Setup describe, dealt and opened once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from demine.desktop.board.qt_board_painting import to_qimage
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import Rules
from demine.picture import render
from demine.scene.cell_faces import Face
from demine.scene.overview_colours import overview_colours
from demine.scene.sight import sight

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QImage

    from demine.scene.themes import Theme

_LONGEST_SIDE: Final = 1000
_LEAST_CELL, _LARGEST_CELL = 6, 40
"""Limits of a cell with a number, in pixels; smaller ones are a pixel of colour each."""
_SEED: Final = 11


class ExampleBoard(QWidget):
    """Shows a board after its first click, as large as fits."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self._faces: NDArray[np.uint8] = np.full((1, 1), Face.COVERED, np.uint8)
        self._image: QImage | None = None
        self._cell = 0
        """The size for which the image was drawn, in device pixels."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Return a size that grows with the font."""
        line = self.fontMetrics().height()
        return QSize(28 * line, 22 * line)

    def minimumSizeHint(self) -> QSize:
        """Return the least size that is recognisable."""
        line = self.fontMetrics().height()
        return QSize(16 * line, 9 * line)

    def show_rules(self, rules: Rules) -> None:
        """Show a board of some rules."""
        self._faces = faces_after_first_click(rules)
        self._image = None
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the board in the middle, in whole device pixels where its cells are that large."""
        ratio = self.devicePixelRatioF()
        high, wide = self._faces.shape
        fitting = min(self.width() * ratio / wide, self.height() * ratio / high)
        cell = min(int(fitting), int(_LARGEST_CELL * ratio))
        if self._image is None or cell != self._cell:
            self._image, self._cell = self._draw(cell, ratio), cell
        painter = QPainter(self)
        if cell < _LEAST_CELL:
            shown = QSize(max(1, int(wide * fitting / ratio)), max(1, int(high * fitting / ratio)))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, fitting < 1)
            painter.drawImage(QRect(self._corner(shown), shown), self._image)
        else:
            shown = self._image.deviceIndependentSize().toSize()
            painter.drawImage(self._corner(shown), self._image)
        painter.end()

    def _draw(self, cell: int, ratio: float) -> QImage:
        if cell < _LEAST_CELL:
            return to_qimage(overview_colours(self.theme)[self._faces])
        return to_qimage(render(self._faces, self.theme, cell), ratio)

    def _corner(self, shown: QSize) -> QPoint:
        return QPoint((self.width() - shown.width()) // 2, (self.height() - shown.height()) // 2)


def faces_after_first_click(rules: Rules) -> NDArray[np.uint8]:
    """Return the faces of a board of the rules after a click in its middle.

    The array is uint8 (height, width) of `Face`. No side is longer than 1000 cells: of a board
    beyond that it is a piece of the same proportions and density. It is not searched for one that
    needs no guess.
    """
    shrink = max(1.0, max(rules.width, rules.height) / _LONGEST_SIDE)
    width, height = (max(1, round(side / shrink)) for side in (rules.width, rules.height))
    mines = min(round(rules.mines * width * height / rules.cells), width * height - 1)
    game = Game(Rules(width, height, mines), _SEED)
    game.play(Act(0, Verb.OPEN, height // 2, width // 2))
    return sight(game)
