"""Images of the header's parts, painted by Qt: it is there before NumPy is loaded."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from PySide6.QtGui import (
    QBrush,
    QImage,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPalette,
    QPolygonF,
)

from demine.desktop.board.qt_board_painting import fill_rect
from demine.desktop.colour_scheme import to_qcolor
from demine.picture import seven_segment
from demine.picture.header_shapes import icon_shapes, tool_ground_shapes
from demine.picture.restart_button import button_shapes
from demine.picture.stroke import shape_polygons
from demine.scene.board_geometry import Rect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from demine.picture.header_shapes import IconName, ToolLook
    from demine.picture.vector_path import Shape
    from demine.scene.colours import RGB
    from demine.scene.face_mood import FaceMood
    from demine.scene.themes import Theme


@lru_cache(maxsize=32)
def led_image(text: str, theme: Theme, height_px: int) -> QImage:
    """Return a text in seven-segment digits."""
    width = seven_segment.digit_width(height_px)
    shapes = (
        shape._replace(path=shape.path.moved(at * width, 0))
        for at, sign in enumerate(text)
        for shape in seven_segment.digit_shapes(sign, theme, height_px)
    )
    return _painted(shapes, width * len(text), height_px, theme.led_back)


@lru_cache(maxsize=16)
def restart_button_image(mood: FaceMood, theme: Theme, size_px: int, pressed: bool) -> QImage:
    """Return the restart button with the face of a mood, square."""
    ground, shapes = button_shapes(mood, theme, size_px, pressed)
    return _painted(shapes, size_px, size_px, ground)


@lru_cache(maxsize=64)
def header_icon_image(name: IconName, ink: RGB, background: RGB, size_px: int) -> QImage:
    """Return an icon of the header on a ground."""
    return _painted(icon_shapes(name, ink, size_px), size_px, size_px, background)


@lru_cache(maxsize=64)
def tool_ground_image(theme: Theme, look: ToolLook, width_px: int, height_px: int) -> QImage:
    """Return the ground of a tool of the header."""
    shapes = tool_ground_shapes(theme, look, width_px, height_px)
    return _painted(shapes, width_px, height_px, theme.panel)


def _painted(shapes: Iterable[Shape], width_px: int, height_px: int, background: RGB) -> QImage:
    """Return shapes on a ground, later ones on top."""
    image = QImage(width_px, height_px, QImage.Format.Format_RGB888)
    painter = QPainter(image)
    fill_rect(painter, Rect(0, 0, width_px, height_px), background)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for shape in shapes:
        painter.fillPath(_outline(shape), _brush(shape))
    painter.end()
    return image


def _brush(shape: Shape) -> QBrush:
    colour = to_qcolor(shape.paint)
    colour.setAlphaF(shape.alpha)
    # To choose a constructor of a brush, PySide would build all of Qt's enumerations.
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Window, colour)
    return palette.window()


def _outline(shape: Shape) -> QPainterPath:
    """Return what a shape fills, by the non-zero rule."""
    # A stroke's outline has that rule from the beginning. Setting it needs Qt's enumerations, which
    # take longer to import than the whole header to paint. This one lies outside every image.
    made = QPainterPathStroker().createStroke(_OUTSIDE)
    for ring in shape_polygons(shape):
        made.addPolygon(QPolygonF([QPointF(x, y) for x, y in ring]))
        made.closeSubpath()
    return made


_OUTSIDE = QPainterPath(QPointF(-9, -9))
_OUTSIDE.lineTo(-8, -9)
