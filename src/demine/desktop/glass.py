"""Bringing the pictures of the board to Qt: arrays as images, and parts of a board as paint."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter

from demine.desktop.scheme import colour
from demine.picture.board import render
from demine.scene.geometry import Rect

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demine.scene.geometry import View
    from demine.scene.mouse import Cell
    from demine.scene.theme import Theme


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """What the board shows at one moment."""

    faces: NDArray[np.uint8]
    looks: NDArray[np.uint8]
    cursor: Cell | None
    start: Cell | None


def image(pixels: NDArray[np.uint8], ratio: float = 1.0) -> QImage:
    """Return a picture, uint8 (height, width, 3 or 4), as an image with its own memory.

    `ratio` is how many of its pixels make one of Qt's.
    """
    height, width, channels = pixels.shape
    alpha = channels == 4
    kind = QImage.Format.Format_RGBA8888 if alpha else QImage.Format.Format_RGB888
    made = QImage(pixels.tobytes(), width, height, width * channels, kind).copy()
    made.setDevicePixelRatio(ratio)
    return made


def on_pixels(painter: QPainter, ratio: float) -> None:
    """Make a painter count in the screen's own pixels, and stand on whole ones."""
    painter.scale(1 / ratio, 1 / ratio)
    # A widget may begin between two pixels where a logical pixel is one and a half.
    stands = painter.deviceTransform()
    painter.translate(round(stands.dx()) - stands.dx(), round(stands.dy()) - stands.dy())


def to_pixels(rect: QRect, ratio: float) -> Rect:
    """Return the screen's pixels that a rectangle of Qt's touches."""
    left, top = floor(rect.x() * ratio), floor(rect.y() * ratio)
    right = ceil((rect.x() + rect.width()) * ratio)
    bottom = ceil((rect.y() + rect.height()) * ratio)
    return Rect(left, top, right - left, bottom - top)


def from_pixels(rect: Rect, ratio: float) -> QRect:
    """Return Qt's smallest rectangle that holds these pixels of the screen."""
    left, top = floor(rect.x / ratio), floor(rect.y / ratio)
    right, bottom = ceil(rect.right / ratio), ceil(rect.bottom / ratio)
    return QRect(left, top, right - left, bottom - top)


def paint_board(
    painter: QPainter, part: Rect, shot: Shot, view: View, theme: Theme, edge: int
) -> None:
    """Paint the part of the board and of its surroundings that lies in some pixels."""
    board, port = view.board_rect, view.viewport
    inside = part.clip(view.shown)
    if inside != part:
        painter.setClipRect(QRect(*part))
        painter.fillRect(QRect(*part), colour(theme.window))
        _paint_edge(painter, board, port, theme, edge)
    if not inside.width:
        return
    painter.setClipRect(QRect(*inside))
    first_row, first_col = _cell(view, inside.x, inside.y)
    last_row, last_col = _cell(view, inside.right - 1, inside.bottom - 1)
    pixels = render(
        shot.faces,
        theme,
        view.cell,
        shot.looks,
        shot.cursor,
        shot.start,
        (first_row, first_col, last_row + 1, last_col + 1),
    )
    corner = view.rect(first_row, first_col)
    height, width, _ = pixels.shape
    # Drawn before the array goes, so the image may look at its memory.
    picture = QImage(pixels.data, width, height, width * 3, QImage.Format.Format_RGB888)
    painter.drawImage(QPoint(corner.x, corner.y), picture)


def _cell(view: View, x: int, y: int) -> tuple[int, int]:
    return (y - view.top) // view.cell, (x - view.left) // view.cell


def _paint_edge(painter: QPainter, board: Rect, port: Rect, theme: Theme, edge: int) -> None:
    """Draw the line around the board, so that its end cannot be taken for the window's."""
    frame = Rect(board.x - edge, board.y - edge, board.width + 2 * edge, board.height + 2 * edge)
    room = Rect(port.x - edge, port.y - edge, port.width + 2 * edge, port.height + 2 * edge)
    painter.fillRect(QRect(*frame.clip(room)), colour(theme.edge))
    # Where the board goes on beyond the window there is no line.
    beyond = colour(theme.window)
    if board.x < port.x:
        painter.fillRect(room.x, room.y, edge, room.height, beyond)
    if board.right > port.right:
        painter.fillRect(port.right, room.y, edge, room.height, beyond)
    if board.y < port.y:
        painter.fillRect(room.x, room.y, room.width, edge, beyond)
    if board.bottom > port.bottom:
        painter.fillRect(room.x, port.bottom, room.width, edge, beyond)
