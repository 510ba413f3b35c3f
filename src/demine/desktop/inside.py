"""The inside of the window: panel above, board below, and the overview beside a large board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from demine.desktop.board import EDGE, Board
from demine.desktop.minimap import SIDE, Minimap
from demine.desktop.panel import PanelBar
from demine.desktop.scheme import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from demine.desktop.player import Player
    from demine.scene.keys import KeyMap
    from demine.scene.theme import Theme

MARGIN: Final = 6
"""Around the board, in Qt's pixels."""


class Inside(QWidget):
    """Everything of the window but its menus."""

    def __init__(self, player: Player, theme: Theme, keys: KeyMap) -> None:
        super().__init__()
        self.overview = True
        """Whether the player wants large boards small beside them."""
        self.board = Board(player, theme, keys)
        self.panel = PanelBar(player, theme)
        self.minimap = Minimap(self.board)
        row = QHBoxLayout()
        row.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        row.setSpacing(MARGIN)
        row.addWidget(self.board, 1)
        row.addWidget(self.minimap)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.panel)
        self._column.addLayout(row, 1)
        self.setAutoFillBackground(True)
        self.minimap.hide()
        self.board.view_changed.connect(self.place_minimap)

    def room_beside(self) -> QSize:
        """Return the room that everything but the board takes."""
        return QSize(2 * MARGIN, self.panel.sizeHint().height() + 2 * MARGIN)

    def settle(self) -> None:
        """Give every part its place now, not with the next event."""
        self._column.activate()

    def place_minimap(self) -> None:
        """Show the whole board small when the window has no room for it."""
        ratio, view = self.board.ratio, self.board.view
        high = self.height() - self.panel.height() - 2 * MARGIN - 2 * EDGE
        wide = self.width() - 2 * MARGIN - 2 * EDGE
        too_large = view.board_rect.width > wide * ratio or view.board_rect.height > high * ratio
        wanted = self.overview and too_large and wide > 2 * SIDE
        if self.minimap.isHidden() is wanted:
            self.minimap.setVisible(wanted)

    def wear(self, theme: Theme, digits: str) -> None:
        """Take the colours of a theme and a style of digits."""
        self.board.theme = theme
        self.panel.wear(theme, digits)
        self.minimap.update()
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Window, colour(theme.window))
        self.setPalette(palette)

    def retranslate(self) -> None:
        """Say everything in the language set."""
        self.panel.retranslate()
        self.minimap.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Look again whether the whole board is seen."""
        super().resizeEvent(event)
        self.place_minimap()

    def showEvent(self, event: QShowEvent) -> None:
        """Look once more when every part has its place."""
        super().showEvent(event)
        self.place_minimap()
