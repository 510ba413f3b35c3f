"""Digits of a seven-segment display, as shapes."""

from __future__ import annotations

from demine.picture.errors import PictureError
from demine.picture.vector_path import Path, Point, Shape, polygon
from demine.scene.themes import Theme

# Top, upper right, lower right, bottom, lower left, upper left, middle.
_LIT = {
    "0": "1111110",
    "1": "0110000",
    "2": "1101101",
    "3": "1111001",
    "4": "0110011",
    "5": "1011011",
    "6": "1011111",
    "7": "1110000",
    "8": "1111111",
    "9": "1111011",
    "-": "0000001",
    " ": "0000000",
}


def digit_width(height: int) -> int:
    """Return the width in pixels of a digit of a height: 13 to 23, as in Winmine."""
    return max(4, round(height * 13 / 23))


def digit_shapes(sign: str, theme: Theme, height: int) -> list[Shape]:
    """Return the seven segments, lit or unlit, of a digit, a minus sign or a blank.

    Raises PictureError for any other sign.
    """
    if sign not in _LIT:
        raise PictureError("a display shows 0 to 9, - and blanks, not {sign!r}", sign=sign)
    colours = (theme.led_on if lit == "1" else theme.led_off for lit in _LIT[sign])
    return [
        Shape(path, colour) for path, colour in zip(_segment_paths(height), colours, strict=True)
    ]


def _segment_paths(height: int) -> list[Path]:
    """Return the seven segments: bars with slanted ends, their long edges on pixel borders."""
    margin = max(1, round(height / 23))
    bar = max(1, round(height * 0.125))
    left, top = margin, margin
    right, bottom = digit_width(height) - margin, height - margin
    waist = (top + bottom - bar) // 2
    gap = max(0.3, height / 60)
    half = waist + bar / 2
    middle: list[Point] = [
        (left + bar / 2 + gap, half),
        (left + bar + gap / 2, waist),
        (right - bar - gap / 2, waist),
        (right - bar / 2 - gap, half),
        (right - bar - gap / 2, waist + bar),
        (left + bar + gap / 2, waist + bar),
    ]
    return [
        _level_segment(left + gap, right - gap, top, top + bar, bar),
        _upright_segment(right, right - bar, top + gap, half - gap, bar),
        _upright_segment(right, right - bar, bottom - gap, half + gap, -bar),
        _level_segment(left + gap, right - gap, bottom, bottom - bar, bar),
        _upright_segment(left, left + bar, bottom - gap, half + gap, -bar),
        _upright_segment(left, left + bar, top + gap, half - gap, bar),
        polygon(middle),
    ]


def _level_segment(left: float, right: float, outer: float, inner: float, bar: float) -> Path:
    return polygon(((left, outer), (right, outer), (right - bar, inner), (left + bar, inner)))


def _upright_segment(outer: float, inner: float, end: float, waist: float, bar: float) -> Path:
    """Return an upright segment from its outer end to the waist, where it is pointed."""
    middle = (outer + inner) / 2
    return polygon(
        (
            (outer, end),
            (outer, waist - bar / 2),
            (middle, waist),
            (inner, waist - bar / 2),
            (inner, end + bar),
        )
    )
