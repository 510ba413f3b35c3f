"""The layout of the main window: panel, board, minimap beside a large board, message strip.

The first frame and the game use the same layout.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from demine.desktop.board.minimap import MINIMAP_WIDTH, Minimap
from demine.desktop.board.viewport import EDGE, BoardViewport
from demine.desktop.colour_scheme import to_qcolor
from demine.scene.header_layout import MARGIN

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from demine.desktop.message_strip import MessageStrip
    from demine.desktop.panel import PanelWidget
    from demine.scene.themes import Theme


class CentralWidget(QWidget):
    """Panel, board, minimap and message strip."""

    def __init__(self, board: BoardViewport, panel: PanelWidget, strip: MessageStrip) -> None:
        super().__init__()
        self.overview = True
        """Whether a minimap is wanted beside large boards."""
        self.board = board
        self.panel = panel
        self.message_strip = strip
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
        self.column.addWidget(self.message_strip)
        self.setAutoFillBackground(True)
        self.minimap.hide()
        self.board.view_changed.connect(self._board_moved)

    @property
    def width_beside_board(self) -> int:
        """The width of everything beside the board, in logical pixels."""
        return 2 * MARGIN + self.counters_width

    def height_beside_board(self, width: int) -> int:
        """Return the height of all but the board in a window of some width, in logical pixels."""
        strip = self.message_strip.sizeHint().height()
        return self.panel.heightForWidth(width) + strip + 2 * MARGIN

    @property
    def counters_width(self) -> int:
        """Width of the counters beside the board with the gap before them; 0 without any."""
        return 0

    def activate_layout(self) -> None:
        """Lay out all parts now instead of at the next event."""
        self.column.activate()
        self._place_header()

    def update_minimap_visibility(self) -> None:
        """Show the minimap if it is wanted and the board does not fit, else hide it."""
        ratio, view = self.board.ratio, self.board.view
        strip, panel = self.message_strip.height(), self.panel.height()
        high = self.height() - panel - strip - 2 * MARGIN - 2 * EDGE
        wide = self.width() - self.counters_width - 2 * MARGIN - 2 * EDGE
        too_large = view.board_rect.width > wide * ratio or view.board_rect.height > high * ratio
        wanted = self.overview and too_large and wide > 2 * MINIMAP_WIDTH
        if self.minimap.isHidden() is wanted:
            self.minimap.setVisible(wanted)

    def _board_moved(self) -> None:
        self.update_minimap_visibility()
        self._place_header()

    def _place_header(self) -> None:
        """Keep the header over the board, however that is scrolled."""
        board, wide = self.board, ceil(self.board.view.board_rect.width / self.board.ratio)
        width = min(wide + 2 * EDGE, board.width())
        self.panel.place_over(board.x() + (board.width() - width) // 2, width)

    def apply_theme(self, theme: Theme, *, lamps: bool) -> None:
        """Apply a theme; `lamps` says whether the header has its numbers on lamps."""
        self.board.theme = theme
        self.panel.apply_theme(theme, lamps=lamps)
        self.message_strip.apply_theme(theme)
        self.minimap.update()
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, to_qcolor(theme.window))
        self.setPalette(palette)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update what follows from the room for the board."""
        super().resizeEvent(event)
        self._board_moved()

    def showEvent(self, event: QShowEvent) -> None:
        """Update what follows from the room for the board once the parts are laid out."""
        super().showEvent(event)
        self._board_moved()
