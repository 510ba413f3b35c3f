"""The inside of the window of a player: the frame with a game in it, and the bar below."""

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
    """Everything of the window but its menus."""

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
        """Return the trouble for which the line of words has no room."""
        trouble = self._controller.trouble
        return trouble if trouble and self.panel.line.is_elided else ""

    @property
    def counters_width(self) -> int:
        """How wide the counters beside the board are, with the gap before them."""
        counters = self._counters
        return 0 if counters is None or counters.isHidden() else counters.minimumWidth() + MARGIN

    def set_counters_panel(self, counters: QWidget) -> None:
        """Put a panel of counters beside the board."""
        self._counters = counters
        self.row.addWidget(counters)

    @property
    def message_bar_height(self) -> int:
        """How high the bar below the board is; 0 while it is away."""
        return 0 if self.message_bar.isHidden() else self.message_bar.height()

    def set_message_bar_height(self, high: int) -> None:
        """Let the bar be so high; 0 puts it away."""
        if high:
            self.message_bar.setFixedHeight(high)
        self.message_bar.setVisible(bool(high))

    def apply_theme(self, theme: Theme, digit_style: str) -> None:
        """Take the colours of a theme and a style of digits."""
        super().apply_theme(theme, digit_style)
        self.message_bar.apply_theme(theme)

    def retranslate_ui(self) -> None:
        """Say everything in the language set."""
        self.panel.retranslate_ui()
        self.message_bar.retranslate_ui()
        self.minimap.retranslate_ui()
