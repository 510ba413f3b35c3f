"""The central widget of the main window with a game in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.desktop.board.widget import BoardWidget
from demine.desktop.message_strip import GameMessageStrip
from demine.desktop.panel import GamePanel
from demine.desktop.window.central_widget import CentralWidget
from demine.scene.header_layout import MARGIN

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from demine.desktop.controller import QtController
    from demine.scene.key_bindings import KeyMap
    from demine.scene.themes import Theme


class GameCentralWidget(CentralWidget):
    """Board, panel, counters, minimap and message strip of a game."""

    board: BoardWidget
    panel: GamePanel
    message_strip: GameMessageStrip

    def __init__(self, controller: QtController, theme: Theme, keys: KeyMap) -> None:
        super().__init__(
            BoardWidget(controller, theme, keys),
            GamePanel(controller, theme, keys),
            GameMessageStrip(controller, theme, keys),
        )
        controller.faces_changed.connect(self.minimap.update)
        self.message_strip.hint_is_out_of_sight = lambda: self.board.hint_is_out_of_sight
        self.board.view_changed.connect(self.message_strip.refresh)
        self._counters: QWidget | None = None

    @property
    def counters_width(self) -> int:
        """Width of the counters beside the board with the gap before them; 0 while hidden."""
        counters = self._counters
        return 0 if counters is None or counters.isHidden() else counters.minimumWidth() + MARGIN

    def set_counters_panel(self, counters: QWidget) -> None:
        """Put a panel of counters beside the board."""
        self._counters = counters
        self.row.addWidget(counters)

    def retranslate_ui(self) -> None:
        """Set all texts in the current language."""
        self.panel.retranslate_ui()
        self.message_strip.retranslate_ui()
        self.minimap.retranslate_ui()
        for bar in self.scroll_bars:
            bar.retranslate_ui()
