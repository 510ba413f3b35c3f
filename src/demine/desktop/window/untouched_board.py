"""Shows an untouched board in the window, drawn without NumPy.

Panel, layout and sizes are those of the window that is used for playing; only the cells come from
`demine.picture.first_frame_raster`, with the same pixels.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage

from demine.desktop.board.qt_board_painting import paint_surroundings
from demine.desktop.board.viewport import BoardViewport
from demine.desktop.colour_scheme import apply_colour_scheme_unless_light
from demine.desktop.message_strip import MessageStrip
from demine.desktop.panel import FaceButton, PanelWidget
from demine.desktop.window.central_widget import CentralWidget
from demine.desktop.window.saved_geometry import GEOMETRY_SETTING, SavedGeometry
from demine.desktop.window.titles import MENU_TITLES, window_title
from demine.picture.first_frame_raster import RgbImage, covered_cells
from demine.play.board_message import start_tip
from demine.scene.board_title import level_name
from demine.scene.translation import set_language, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from demine.desktop.window.auto_sized_window import AutoSizedWindow
    from demine.play.first_frame import UntouchedBoard
    from demine.scene.board_geometry import Rect
    from demine.scene.themes import Theme


def show_untouched_board(window: AutoSizedWindow, board: UntouchedBoard) -> BoardViewport | None:
    """Show a window with an untouched board, and return its widget.

    Return None if counters are to be shown: their values are not known yet.
    """
    preferences, mines = board.preferences, board.rules.mines
    if preferences.counters:
        return None
    set_language(board.start_language)
    theme = apply_colour_scheme_unless_light(preferences)
    panel = PanelWidget(theme, FaceButton(theme))
    panel.show_mines(mines, mines)
    panel.show_level(level_name(board.rules))
    panel.retranslate_ui()
    strip = MessageStrip(theme)
    strip.show_message(start_tip(preferences))
    frame = CentralWidget(CoveredBoard(board.rules.shape, theme), panel, strip)
    frame.overview = preferences.minimap
    frame.apply_theme(theme, led_digits=preferences.shows_led_digits(theme))
    for name in MENU_TITLES:
        window.menuBar().addMenu(tr(name))
    window.setWindowTitle(window_title(board.status_text))
    window.set_central(frame)
    frame.board.setFocus()
    saved = SavedGeometry.from_setting(board.settings.get(GEOMETRY_SETTING))
    cell_was_asked = "cell" in board.options.settings
    window.show_restored(saved, preferences.cell, ignore_saved_size=cell_was_asked)
    return frame.board


class CoveredBoard(BoardViewport):
    """A board of covered cells only."""

    def paint_region(self, painter: QPainter, region_px: Rect) -> None:
        """Paint a part of the widget, in device pixels."""
        inside = paint_surroundings(painter, region_px, self.view, self._theme, self.edge_px)
        cell, (left, top, *_) = self.view.cell, self.view.board_rect
        if not inside.width:
            return
        # Whole cells, all that the part touches.
        first_row, first_col = (inside.y - top) // cell, (inside.x - left) // cell
        rows = (inside.bottom - 1 - top) // cell + 1 - first_row
        cols = (inside.right - 1 - left) // cell + 1 - first_col
        corner = QPoint(left + first_col * cell, top + first_row * cell)
        painter.drawImage(corner, _covered_cells_image(self._theme, cell, rows, cols))

    def thumbnail(self) -> QImage:
        """Return an image of the board with one pixel per cell."""
        rows, cols = self.shape
        return _to_qimage(RgbImage(bytes(self._theme.covered) * (rows * cols), cols, rows))


@cache
def _covered_cells_image(theme: Theme, cell: int, rows: int, cols: int) -> QImage:
    return _to_qimage(covered_cells(theme, cell, rows, cols))


def _to_qimage(image: RgbImage) -> QImage:
    pixels, width, height = image
    return QImage(pixels, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
