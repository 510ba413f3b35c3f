"""The central widget of the main window with a game in it, and the message bar below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.desktop.board.widget import BoardWidget
from demine.desktop.message_bar import MessageBar
from demine.desktop.panel import GamePanel
from demine.desktop.window.central_widget import MARGIN, CentralWidget

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from demine.desktop.controller import QtController
    from demine.scene.key_bindings import KeyMap
    from demine.scene.themes import Theme


class GameCentralWidget(CentralWidget):
    """Board, panel, counters, minimap and message bar of a game."""

    board: BoardWidget
    panel: GamePanel

    def __init__(self, controller: QtController, theme: Theme, keys: KeyMap) -> None:
        super().__init__(BoardWidget(controller, theme, keys), GamePanel(controller, theme))
        controller.faces_changed.connect(self.minimap.update)
        self.message_bar = MessageBar(controller, theme, keys, self._overflowing_trouble)
        self._controller = controller
        self._counters: QWidget | None = None
        self.column.addWidget(self.message_bar)

    def _overflowing_trouble(self) -> str:
        """Return the trouble if it does not fit into the status line, else an empty text."""
        trouble = self._controller.trouble
        return trouble if trouble and self.panel.line.is_elided else ""

    @property
    def counters_width(self) -> int:
        """Width of the counters beside the board with the gap before them; 0 while hidden."""
        counters = self._counters
        return 0 if counters is None or counters.isHidden() else counters.minimumWidth() + MARGIN

    def set_counters_panel(self, counters: QWidget) -> None:
        """Put a panel of counters beside the board."""
        self._counters = counters
        self.row.addWidget(counters)

    @property
    def message_bar_height(self) -> int:
        """Height of the message bar in logical pixels; 0 while it is hidden."""
        return 0 if self.message_bar.isHidden() else self.message_bar.height()

    def set_message_bar_height(self, height_px: int) -> None:
        """Show the message bar with a height in logical pixels; 0 hides it."""
        if height_px:
            self.message_bar.setFixedHeight(height_px)
        self.message_bar.setVisible(bool(height_px))

    def apply_theme(self, theme: Theme, digit_style: str) -> None:
        """Apply a theme and a digit style, `led` or `plain`."""
        super().apply_theme(theme, digit_style)
        self.message_bar.apply_theme(theme)

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        self.panel.retranslate_ui()
        self.message_bar.retranslate_ui()
        self.minimap.retranslate_ui()
