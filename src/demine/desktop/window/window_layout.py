"""What stands where inside the window: panel above, board below, the overview beside a large board.

The picture shown first and the board that is played stand in the same frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from demine.desktop.board.minimap import SIDE, Minimap
from demine.desktop.board.viewport import EDGE, Field
from demine.desktop.colour_scheme import colour

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from demine.desktop.panel import Parts
    from demine.scene.themes import Theme

MARGIN: Final = 6
"""Around the board, in Qt's pixels."""


class Frame(QWidget):
    """Panel, board and overview."""

    def __init__(self, board: Field, panel: Parts) -> None:
        super().__init__()
        self.overview = True
        """Whether the player wants large boards small beside them."""
        self.board = board
        self.panel = panel
        self.minimap = Minimap(board)
        self.row = QHBoxLayout()
        self.row.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self.row.setSpacing(MARGIN)
        self.row.addWidget(self.board, 1)
        self.row.addWidget(self.minimap)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.panel)
        self.column.addLayout(self.row, 1)
        self.setAutoFillBackground(True)
        self.minimap.hide()
        self.board.view_changed.connect(self.place_minimap)

    def room_beside(self) -> QSize:
        """Return the room that everything but the board takes."""
        return QSize(
            2 * MARGIN + self.counters_wide,
            self.panel.sizeHint().height() + self.bar_high + 2 * MARGIN,
        )

    @property
    def counters_wide(self) -> int:
        """How wide the counters beside the board are, with the gap before them."""
        return 0

    @property
    def bar_high(self) -> int:
        """How high the bar below the board is; 0 while it is away."""
        return 0

    def settle(self) -> None:
        """Give every part its place now, not with the next event."""
        self.column.activate()

    def place_minimap(self) -> None:
        """Show the whole board small when the window has no room for it."""
        ratio, view = self.board.ratio, self.board.view
        high = self.height() - self.panel.height() - self.bar_high - 2 * MARGIN - 2 * EDGE
        wide = self.width() - self.counters_wide - 2 * MARGIN - 2 * EDGE
        too_large = view.board_rect.width > wide * ratio or view.board_rect.height > high * ratio
        wanted = self.overview and too_large and wide > 2 * SIDE
        if self.minimap.isHidden() is wanted:
            self.minimap.setVisible(wanted)

    def wear(self, theme: Theme, digits: str) -> None:
        """Take the colours of a theme and a style of digits."""
        self.board.theme = theme
        self.panel.wear(theme, digits)
        self.minimap.update()
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, colour(theme.window))
        self.setPalette(palette)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Look again whether the whole board is seen."""
        super().resizeEvent(event)
        self.place_minimap()

    def showEvent(self, event: QShowEvent) -> None:
        """Look once more when every part has its place."""
        super().showEvent(event)
        self.place_minimap()
