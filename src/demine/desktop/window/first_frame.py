"""The first picture of a board that nobody has touched, drawn before there is a game.

All of it follows from the rules and the settings: covered cells, full counters, the menus' titles.
The frame, the panel and the sizes are those of the window that is played in; only the pictures come
from hands that need no arrays, to the same pixel.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage

from demine.desktop.board.qt_images import paint_around
from demine.desktop.board.viewport import Field
from demine.desktop.colour_scheme import follow_quickly
from demine.desktop.panel import FaceButton, Parts
from demine.desktop.window.board_area import Frame
from demine.desktop.window.dialog_host import TITLES, window_title
from demine.desktop.window.saved_geometry import PLACE, Place
from demine.picture.cell_background import covered
from demine.picture.raster_stdlib import lamps, paint, tiled
from demine.picture.restart_button import button
from demine.play.titles import titled
from demine.scene.preferences import Preferences, first_language
from demine.scene.translation import set_language, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from demine.desktop.window.sizing import SizedWindow
    from demine.scene.board_geometry import Rect
    from demine.scene.panel_display import Mood
    from demine.scene.preferences import Wishes
    from demine.scene.themes import Theme
    from demine.store.quick_look import Untouched


def show(window: SizedWindow, found: Untouched, wishes: Wishes) -> Field | None:
    """Open a window with the first picture in it; return its board, or None without a picture."""
    preferences = Preferences.read(found.settings)
    if preferences.counters:
        return None  # what they show is known to the records alone
    set_language(first_language(preferences, wishes))
    theme = follow_quickly(preferences)
    panel = Parts(theme, FaceButton(theme, _button), _lamps)
    panel.mines.show_value(found.rules.mines, found.rules.mines)
    title = titled(found.rules, "" if wishes.seed is None else "seed")
    panel.line.show_text(title)
    frame = Frame(Covered(found.rules.shape, theme), panel)
    frame.overview = preferences.minimap
    frame.wear(theme, preferences.digits)
    for name in TITLES:
        window.menuBar().addMenu(tr(name))
    window.setWindowTitle(window_title(title))
    window.put(frame)
    frame.board.setFocus()
    place = Place.read(found.settings.get(PLACE))
    window.stand(place, preferences.cell, as_asked="cell" in wishes.settings)
    return frame.board


class Covered(Field):
    """A board of covered cells."""

    def paint_part(self, painter: QPainter, part: Rect) -> None:
        """Paint what lies in some pixels."""
        inside = paint_around(painter, part, self.view, self._theme, self.edge)
        cell, (left, top, *_) = self.view.cell, self.view.board_rect
        if not inside.width:
            return
        # Whole cells, as many as are touched.
        first_row, first_col = (inside.y - top) // cell, (inside.x - left) // cell
        rows = (inside.bottom - 1 - top) // cell + 1 - first_row
        cols = (inside.right - 1 - left) // cell + 1 - first_col
        corner = QPoint(left + first_col * cell, top + first_row * cell)
        painter.drawImage(corner, _cells(self._theme, cell, rows, cols))

    def small(self) -> QImage:
        """Return the board with one pixel for each cell."""
        rows, cols = self.shape
        return _image(bytes(self._theme.covered) * (rows * cols), cols, rows)


@cache
def _cells(theme: Theme, cell: int, rows: int, cols: int) -> QImage:
    ground = covered(theme, cell)
    tile = paint(ground.shapes, cell, cell, ground.colour)
    return _image(tiled(tile, cell, rows, cols), cols * cell, rows * cell)


@cache
def _button(mood: Mood, theme: Theme, size: int, pressed: bool) -> QImage:
    ground, shapes = button(mood, theme, size, pressed)
    return _image(paint(shapes, size, size, ground), size, size)


@cache
def _lamps(text: str, theme: Theme, height: int) -> QImage:
    pixels, wide = lamps(text, theme, height)
    return _image(pixels, wide, height)


def _image(pixels: bytes, width: int, height: int) -> QImage:
    return QImage(pixels, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
