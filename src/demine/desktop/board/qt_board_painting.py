"""Pictures of the board in Qt: arrays as images, and painting of parts of a board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter, QPixmap

from demine.desktop.colour_scheme import to_qcolor
from demine.scene.board_geometry import Rect

if TYPE_CHECKING:
    from types import ModuleType

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QIcon

    from demine.scene.board_geometry import View
    from demine.scene.colours import RGB
    from demine.scene.motion import MotionFrame
    from demine.scene.mouse_automaton import Cell
    from demine.scene.overlay import Overlay
    from demine.scene.themes import Theme


@dataclass(frozen=True, slots=True, eq=False)
class BoardSnapshot:
    """What the board shows at one moment."""

    faces: NDArray[np.uint8]
    looks: NDArray[np.uint8]
    cursor: Cell | None
    start: Cell | None
    advice: Overlay | None = None
    moving: MotionFrame | None = None
    """The light, veils and flags over the visible cells; None if nothing moves."""


def to_qimage(pixels: NDArray[np.uint8], ratio: float = 1.0) -> QImage:
    """Return a picture, uint8 (height, width, 3 or 4), as an RGB or RGBA image with its own memory.

    `ratio` is its number of pixels per logical pixel.
    """
    height, width, channels = pixels.shape
    alpha = channels == 4
    kind = QImage.Format.Format_RGBA8888 if alpha else QImage.Format.Format_RGB888
    made = QImage(pixels.tobytes(), width, height, width * channels, kind).copy()
    made.setDevicePixelRatio(ratio)
    return made


def focus_ring_image(theme: Theme, size_px: int) -> QImage:
    """Return a square focus ring on a transparent background."""
    from demine.picture.board import cell_marker

    return to_qimage(cell_marker(theme, "cursor", size_px))


def application_icon() -> QIcon:
    """Return the program's icon."""
    from PySide6.QtGui import QIcon

    from demine.picture.app_icon import icon

    made = QIcon()
    for size in (32, 64, 128):
        made.addPixmap(QPixmap.fromImage(to_qimage(icon(size))))
    return made


def use_device_pixels(painter: QPainter, ratio: float) -> None:
    """Make a painter count in device pixels, with its origin on a whole one."""
    painter.scale(1 / ratio, 1 / ratio)
    # With 1.5 device pixels per logical pixel, a widget may begin between two of them. Qt clips it
    # at the later one, where `round` would take the even one.
    origin = painter.deviceTransform()
    x, y = origin.dx(), origin.dy()
    painter.translate(floor(x + 0.5) - x, floor(y + 0.5) - y)


def to_device_pixels(rect: QRect, ratio: float) -> Rect:
    """Return the device pixels that a rectangle of logical pixels touches."""
    left, top = floor(rect.x() * ratio), floor(rect.y() * ratio)
    right = ceil((rect.x() + rect.width()) * ratio)
    bottom = ceil((rect.y() + rect.height()) * ratio)
    return Rect(left, top, right - left, bottom - top)


def from_device_pixels(rect: Rect, ratio: float) -> QRect:
    """Return the smallest rectangle of logical pixels that contains these device pixels."""
    left, top = floor(rect.x / ratio), floor(rect.y / ratio)
    right, bottom = ceil((rect.x + rect.width) / ratio), ceil((rect.y + rect.height) / ratio)
    return QRect(left, top, right - left, bottom - top)


def paint_board(
    painter: QPainter,
    region_px: Rect,
    snapshot: BoardSnapshot,
    view: View,
    theme: Theme,
    edge_px: int,
) -> None:
    """Paint a part, in device pixels, of the board and its surroundings."""
    inside = paint_surroundings(painter, region_px, view, theme, edge_px)
    if not inside.width:
        return
    first_row, first_col = _cell(view, inside.x, inside.y)
    last_row, last_col = _cell(view, inside.x + inside.width - 1, inside.y + inside.height - 1)
    pixels = _board_pictures().render(
        snapshot.faces,
        theme,
        view.cell,
        snapshot.looks,
        snapshot.cursor,
        snapshot.start,
        (first_row, first_col, last_row + 1, last_col + 1),
        snapshot.advice,
    )
    corner = QPoint(view.left + first_col * view.cell, view.top + first_row * view.cell)
    height, width, _ = pixels.shape
    # The image borrows the memory of the array, which lives until it is drawn.
    picture = QImage(pixels.data, width, height, width * 3, QImage.Format.Format_RGB888)
    painter.drawImage(corner, picture)


@cache
def _board_pictures() -> ModuleType:
    # Loaded by the first board that is painted; an import statement costs time at every call.
    from demine.picture import board

    return board


def paint_surroundings(
    painter: QPainter, region_px: Rect, view: View, theme: Theme, edge_px: int
) -> Rect:
    """Paint the surroundings of the board in a region; clip to the board and return its part."""
    inside = region_px.intersection(view.visible_rect)
    if inside != region_px:
        painter.setClipRect(QRect(*region_px))
        fill_rect(painter, region_px, theme.window)
        _paint_border(painter, view.board_rect, view.viewport, theme, edge_px)
    if inside.width:
        painter.setClipRect(QRect(*inside))
    return inside


def _cell(view: View, x: int, y: int) -> tuple[int, int]:
    return (y - view.top) // view.cell, (x - view.left) // view.cell


def _paint_border(painter: QPainter, board: Rect, port: Rect, theme: Theme, edge_px: int) -> None:
    """Draw the line around the board, except where the board continues beyond the window."""
    frame = Rect(
        board.x - edge_px, board.y - edge_px, board.width + 2 * edge_px, board.height + 2 * edge_px
    )
    room = Rect(
        port.x - edge_px, port.y - edge_px, port.width + 2 * edge_px, port.height + 2 * edge_px
    )
    fill_rect(painter, frame.intersection(room), theme.edge)
    # Where the board continues beyond the window there is no line.
    if board.x < port.x:
        fill_rect(painter, Rect(room.x, room.y, edge_px, room.height), theme.window)
    if board.right > port.right:
        fill_rect(painter, Rect(port.right, room.y, edge_px, room.height), theme.window)
    if board.y < port.y:
        fill_rect(painter, Rect(room.x, room.y, room.width, edge_px), theme.window)
    if board.bottom > port.bottom:
        fill_rect(painter, Rect(room.x, port.bottom, room.width, edge_px), theme.window)


def fill_rect(painter: QPainter, region_px: Rect, rgb: RGB) -> None:
    """Fill a rectangle with a colour."""
    # `fillRect` has overloads, and to choose one PySide would build all of Qt's enumerations.
    painter.drawPixmap(QRect(*region_px), _single_pixel(rgb))


@lru_cache(maxsize=16)
def _single_pixel(rgb: RGB) -> QPixmap:
    made = QPixmap(1, 1)
    made.fill(to_qcolor(rgb))
    return made
