"""The application's icon: a friendly mine on a covered cell."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from demine.picture.errors import PictureError
from demine.picture.rasterise_shapes import paint
from demine.picture.vector_path import Path, Shape, circle, ellipse, rounded_rectangle, segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_ICON, MAX_ICON = 8, 1024

_LIP, _RIM, _FACE = (32, 78, 122), (118, 178, 226), (70, 138, 200)
_INK, _SHEEN, _WHITE, _CHEEK = (28, 32, 42), (62, 70, 88), (255, 255, 255), (236, 96, 92)


def icon(size: int = 256) -> NDArray[np.uint8]:
    """Draw the icon as pixels, uint8 (size, size, 4).

    Raises PictureError for a size out of range (8 to 1024 pixels).
    """
    return paint(_shapes(_checked(size)), size, size)


def icon_svg(size: int = 256) -> str:
    """Draw the icon as an SVG document.

    Raises PictureError for a size out of range (8 to 1024 pixels).
    """
    from demine.picture.svg_drawing import svg_of_shapes  # a window needs pixels alone

    return svg_of_shapes(_shapes(_checked(size)), size, size)


def maskable_icon(size: int = 512) -> NDArray[np.uint8]:
    """Draw the icon for systems that cut its outline themselves, uint8 (size, size, 4).

    The ground fills the square, and the mine stays in the middle circle of 80 % that no outline
    cuts. Raises PictureError as `icon` does.
    """
    size = _checked(size)
    ground = Shape(rounded_rectangle(0, 0, size, size, 0), _FACE)
    return paint([ground, *_friendly_mine(size, size / 2, size / 2)], size, size)


def _shapes(size: int) -> list[Shape]:
    edge = round(size / 32)
    rim, lip = max(1, round(size / 40)), max(1, round(size / 16))
    radius = size * 0.2
    near, far = edge, size - edge
    return [
        Shape(rounded_rectangle(near, near, far, far, radius), _LIP),
        Shape(rounded_rectangle(near, near, far, far - lip, radius), _RIM),
        Shape(rounded_rectangle(near + rim, near + rim, far - rim, far - lip, radius - rim), _FACE),
        *_friendly_mine(size, size / 2, (near + far - lip) / 2 + size * 0.01),
    ]


def _friendly_mine(size: int, x: float, y: float) -> list[Shape]:
    pen, reach = size * 0.1, size * 0.3
    slant = reach / sqrt(2)
    spikes = (
        segment(x - reach, y, x + reach, y),
        segment(x, y - reach, x, y + reach),
        segment(x - slant, y - slant, x + slant, y + slant),
        segment(x - slant, y + slant, x + slant, y - slant),
    )
    ball = size * 0.25
    smile = Path().move(x - ball * 0.4, y + ball * 0.26)
    smile.curve(
        x - ball * 0.22,
        y + ball * 0.62,
        x + ball * 0.22,
        y + ball * 0.62,
        x + ball * 0.4,
        y + ball * 0.26,
    )
    shapes = [Shape(spike, _INK, pen) for spike in spikes]
    shapes += [
        Shape(circle(x, y, ball), _SHEEN),
        Shape(circle(x + ball * 0.05, y + ball * 0.06, ball * 0.92), _INK),
        Shape(ellipse(x - ball * 0.5, y - ball * 0.58, ball * 0.14, ball * 0.1), _WHITE, alpha=0.9),
        Shape(smile, _WHITE, ball * 0.15),
    ]
    for side in (-1, 1):
        eye = ellipse(x + side * ball * 0.34, y - ball * 0.14, ball * 0.15, ball * 0.21)
        cheek = circle(x + side * ball * 0.66, y + ball * 0.2, ball * 0.13)
        shapes += [Shape(eye, _WHITE), Shape(cheek, _CHEEK, alpha=0.85)]
    return shapes


def _checked(size: int) -> int:
    if not MIN_ICON <= size <= MAX_ICON:
        raise PictureError(
            "an icon of {size} pixels cannot be drawn: {least} to {most} can",
            size=size,
            least=MIN_ICON,
            most=MAX_ICON,
        )
    return size
