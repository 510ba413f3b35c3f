"""A small example board with the proportions and the density of some rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from demine.desktop.board.qt_board_painting import to_qimage
from demine.game import Game
from demine.logic.event import Act, Verb
from demine.logic.rules import First, Rules, most_mines
from demine.picture import render
from demine.scene.cell_faces import Face
from demine.scene.sight import sight

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QImage

    from demine.scene.themes import Theme

_MOST_CELLS: Final = 48
_MOST_PIXELS: Final = 28
_SEED: Final = 11


class ExampleBoard(QWidget):
    """Shows a board after its first click, shrunk to 48 cells a side at most."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self._faces: NDArray[np.uint8] = np.full((1, 1), Face.COVERED, np.uint8)
        self._image: QImage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """Return a size that grows with the font."""
        line = self.fontMetrics().height()
        return QSize(13 * line, 9 * line)

    def minimumSizeHint(self) -> QSize:
        """Return the least size that is recognisable."""
        line = self.fontMetrics().height()
        return QSize(9 * line, 6 * line)

    def show_rules(self, rules: Rules) -> None:
        """Show an example board for some rules."""
        self._faces = faces_after_first_click(rules)
        self._image = None
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the board in the middle, in whole device pixels."""
        ratio = self.devicePixelRatioF()
        high, wide = self._faces.shape
        fitting = int(min(self.width() * ratio / wide, self.height() * ratio / high))
        cell = min(max(fitting, 4), int(_MOST_PIXELS * ratio))
        if self._image is None or self._image.width() != cell * wide:
            self._image = to_qimage(render(self._faces, self.theme, cell), ratio)
        shown = self._image.deviceIndependentSize().toSize()
        corner = QPoint((self.width() - shown.width()) // 2, (self.height() - shown.height()) // 2)
        painter = QPainter(self)
        painter.drawImage(corner, self._image)
        painter.end()


def faces_after_first_click(rules: Rules) -> NDArray[np.uint8]:
    """Return the faces of an example board after its first click, uint8 (height, width) of `Face`.

    It has the proportions and density of the rules, but no side longer than 48 cells.
    """
    shrink = max(1.0, max(rules.width, rules.height) / _MOST_CELLS)
    width, height = (max(1, round(side / shrink)) for side in (rules.width, rules.height))
    mines = min(round(rules.mines * width * height / rules.cells),
                most_mines(width, height, First.SAFE))  # fmt: skip
    game = Game(Rules(width, height, mines), _SEED)
    game.play(Act(0, Verb.OPEN, height // 2, width // 2))
    return sight(game)
