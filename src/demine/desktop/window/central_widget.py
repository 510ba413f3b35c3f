"""The layout of the main window: panel, board with scroll bars, message strip with the minimap.

Scroll bars stand in the margins of the board and the minimap beside the words below it, so neither
takes room from the board.

The first frame and the game use the same layout.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from demine.desktop.board.minimap import Minimap
from demine.desktop.board.scroll_bars import BoardScrollBar
from demine.desktop.board.viewport import EDGE, BoardViewport
from demine.desktop.colour_scheme import to_qcolor
from demine.scene.board_geometry import ScrollAxis
from demine.scene.header_layout import MARGIN

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from demine.desktop.message_strip import MessageStrip
    from demine.desktop.panel import PanelWidget
    from demine.scene.themes import Theme

_LEAST_SHARE: Final = 3
"""How many times as wide as the minimap a window is at least: words need room too."""


class CentralWidget(QWidget):
    """Panel, board, minimap and message strip."""

    def __init__(self, board: BoardViewport, panel: PanelWidget, strip: MessageStrip) -> None:
        super().__init__()
        self.overview = True
        """Whether a minimap is wanted below large boards."""
        self.board = board
        self.panel = panel
        self.message_strip = strip
        self.minimap = Minimap(board, strip)
        self.row = QHBoxLayout()
        self.row.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        self.row.setSpacing(MARGIN)
        self.row.addWidget(self.board, 1)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.panel)
        self.column.addLayout(self.row, 1)
        self.below = QHBoxLayout()
        self.below.setContentsMargins(0, 0, 0, 0)
        self.below.setSpacing(0)
        self.below.addWidget(self.message_strip, 1)
        self.below.addWidget(self.minimap)
        self.column.addLayout(self.below)
        self.scroll_bars = tuple(BoardScrollBar(board, axis, self) for axis in ScrollAxis)
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

    def update_scrolling(self) -> None:
        """Show scroll bars and, if it is wanted, the minimap where the board does not fit."""
        for bar in self.scroll_bars:
            bar.place(MARGIN)
        wide = self.width() >= _LEAST_SHARE * self.minimap.sizeHint().width()
        if self.minimap.width() != self.minimap.sizeHint().width():
            self.minimap.updateGeometry()
        wanted = self.overview and wide and not self.board.view.shows_whole_board
        if self.minimap.isHidden() is wanted:
            self.minimap.setVisible(wanted)

    def _board_moved(self) -> None:
        self.update_scrolling()
        self._place_header()

    def _place_header(self) -> None:
        """Keep the header over the board and words in line with it, however that is scrolled."""
        board, wide = self.board, ceil(self.board.view.board_rect.width / self.board.ratio)
        width = min(wide + 2 * EDGE, board.width())
        self.panel.place_over(board.x() + (board.width() - width) // 2, width)
        self.message_strip.place_between(*self.panel.span)

    def apply_theme(self, theme: Theme, *, led_digits: bool) -> None:
        """Apply a theme; `led_digits` says whether the header has its numbers on lamps."""
        self.board.theme = theme
        self.panel.apply_theme(theme, led_digits=led_digits)
        self.message_strip.apply_theme(theme)
        for part in (self.minimap, *self.scroll_bars):
            part.update()
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
