"""The parts of the panel above the board: displays, the restart button, small signs."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from demine.picture import cell_symbols, restart_faces, seven_segment
from demine.picture.box import Box
from demine.picture.errors import PictureError
from demine.picture.rasterise_shapes import make_read_only, paint
from demine.picture.restart_button import button_shapes
from demine.picture.vector_path import Shape, circle, polyline, rounded_rectangle
from demine.scene.face_mood import FaceMood

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.themes import Theme

SignName = Literal["pause", "flag", "mine", "clock"]

MIN_SIZE, MAX_SIZE = 8, 1024
"""The smallest and the largest part that can be drawn, in pixels."""


def led_display(text: str, theme: Theme, height: int = 23) -> NDArray[np.uint8]:
    """Draw digits, minus signs and blanks on lamps, uint8 (height, width, 3).

    Each is about 13/23 of `height` wide. Raises PictureError for an empty text, other letters, or a
    height out of range.
    """
    if not text:
        raise PictureError("a display needs at least one sign")
    return np.concatenate([_led_digit(sign, theme, _checked(height)) for sign in text], axis=1)


@lru_cache(maxsize=64)
def restart_face(mood: FaceMood, theme: Theme, size: int = 24) -> NDArray[np.uint8]:
    """Draw the round face on transparency, read-only uint8 (size, size, 4).

    Raises PictureError for a size out of range.
    """
    middle = _checked(size) / 2
    return make_read_only(
        paint(
            restart_faces.face_shapes(FaceMood(mood), theme, middle, middle, middle - 0.5),
            size,
            size,
        )
    )


@lru_cache(maxsize=64)
def restart_button_picture(
    mood: FaceMood, theme: Theme, size: int = 24, pressed: bool = False
) -> NDArray[np.uint8]:
    """Draw the restart button with its face, read-only uint8 (size, size, 3).

    Raises PictureError for a size out of range.
    """
    ground, shapes = button_shapes(FaceMood(mood), theme, _checked(size), pressed)
    return make_read_only(paint(shapes, size, size, ground))


@lru_cache(maxsize=32)
def panel_sign(name: SignName, theme: Theme, size: int = 24) -> NDArray[np.uint8]:
    """Draw a small sign for the panel on transparency, read-only uint8 (size, size, 4).

    Raises PictureError for an unknown name or a size out of range.
    """
    if name not in get_args(SignName):
        raise PictureError(
            "unknown sign {name!r}; the signs are {names}",
            name=name,
            names=", ".join(get_args(SignName)),
        )
    return make_read_only(paint(sign_shapes(name, theme, _checked(size)), size, size))


def sign_shapes(name: SignName, theme: Theme, size: int) -> list[Shape]:
    """Return a sign as shapes in a square of `size` pixels."""
    box, middle = Box(0, 0, size, size), size / 2
    if name == "flag":
        return cell_symbols.flag(theme, box, size)
    if name == "mine":
        return cell_symbols.mine(theme, box, size)
    ink = theme.panel_text
    if name == "pause":
        bar, gap = max(2, round(size * 0.18)), max(1, round(size * 0.08))
        tops = round(size * 0.22), size - round(size * 0.22)
        return [
            Shape(rounded_rectangle(left, tops[0], left + bar, tops[1], bar * 0.3), ink)
            for left in (round(middle) - gap - bar, round(middle) + gap)
        ]
    pen = max(1.0, size * 0.08)
    hands = polyline(
        ((middle, middle - size * 0.2), (middle, middle), (middle + size * 0.14, middle))
    )
    return [Shape(circle(middle, middle, size * 0.34), ink, pen), Shape(hands, ink, pen)]


@lru_cache(maxsize=32)
def _led_digit(sign: str, theme: Theme, height: int) -> NDArray[np.uint8]:
    shapes = seven_segment.digit_shapes(sign, theme, height)
    return paint(shapes, seven_segment.digit_width(height), height, theme.led_back)


def _checked(size: int) -> int:
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise PictureError(
            "a part of {size} pixels cannot be drawn: {least} to {most} can",
            size=size,
            least=MIN_SIZE,
            most=MAX_SIZE,
        )
    return size
