"""Digits and the question mark, drawn with a round pen.

Each is fitted to a box of whole pixels: stems and bars lie exactly on pixels, so a digit is as
crisp at 12 pixels as at 200.
"""

from __future__ import annotations

from demine.picture.box import Box, centrable_length
from demine.picture.vector_path import Path, Shape, circle, polyline, segment
from demine.scene.colours import RGB


def digit(number: int, area: Box, cell_px: int, colour: RGB, weight: float = 1.0) -> list[Shape]:
    """Return a digit, 1 to 8, in the middle of `area`, the box of a cell of `cell_px` pixels.

    `weight` scales the width of the pen.
    """
    pen = max(1, round(cell_px * 0.138 * weight))
    frame = area.centred(
        centrable_length(cell_px * 0.49, area.width), centrable_length(cell_px * 0.66, area.height)
    )
    return [Shape(path, colour, pen) for path in _DIGITS[number](frame.inset(pen / 2), pen)]


def numeral(text: str, area: Box, height: float, colour: RGB) -> list[Shape]:
    """Return a whole number in the middle of `area`, with digits `height` pixels high."""
    # Whole or half pixels: small numbers need pens between one and two pixels wide.
    pen = max(1.0, round(height * 0.31) / 2)
    tall = centrable_length(height, area.height)
    wide, gap = round(height * 0.62), max(1, round(height * 0.12))
    whole = len(text) * wide + (len(text) - 1) * gap
    if whole % 2 != int(area.width) % 2 and len(text) > 1:
        # Change the gap, so that the number is centred on whole pixels.
        gap += 1 if gap == 1 else -1
        whole = len(text) * wide + (len(text) - 1) * gap
    frame = area.centred(whole, tall)
    shapes: list[Shape] = []
    for sign in text:
        box = Box(frame.left, frame.top, frame.left + wide, frame.bottom).inset(pen / 2)
        shapes += [Shape(path, colour, pen) for path in _DIGITS[int(sign)](box, pen)]
        frame = Box(frame.left + wide + gap, *frame[1:])
    return shapes


def question_mark(area: Box, cell_px: int, colour: RGB) -> list[Shape]:
    """Return a question mark in the middle of `area`, the box of a cell of `cell_px` pixels."""
    pen = max(1, round(cell_px * 0.13))
    frame = area.centred(
        centrable_length(cell_px * 0.41, area.width), centrable_length(cell_px * 0.64, area.height)
    )
    left, top, right, bottom = frame.inset(pen / 2)
    middle, wide, high = (left + right) / 2, right - left, bottom - top
    hook = Path().move(left, top + 0.24 * high)
    hook.bend(left, top, middle, top).bend(right, top, right, top + 0.25 * high)
    hook.curve(right, top + 0.45 * high, middle, top + 0.42 * high, middle, top + 0.66 * high)
    dot = circle(middle, bottom + pen * 0.08, max(0.5, pen * 0.62))
    return [Shape(hook, colour, pen), Shape(dot, colour)] if wide > 0 else [Shape(dot, colour)]


def _zero(box: Box, _pen: float) -> list[Path]:
    return [_ring(*box)]


def _one(box: Box, pen: float) -> list[Path]:
    left, top, right, bottom = box
    stem = round((left + right) / 2 - pen / 2) + pen / 2
    flag = polyline(
        ((stem - 0.44 * box.width, top + 0.24 * box.height), (stem, top), (stem, bottom))
    )
    reach = 0.46 * box.width
    return [flag, segment(stem - reach, bottom, stem + reach, bottom)]


def _two(box: Box, _pen: float) -> list[Path]:
    left, top, right, bottom = box
    high = box.height
    middle = (left + right) / 2
    path = Path().move(left, top + 0.25 * high)
    path.bend(left, top, middle, top).bend(right, top, right, top + 0.29 * high)
    path.curve(right, top + 0.55 * high, left + 0.25 * box.width, top + 0.72 * high, left, bottom)
    return [path.line(right, bottom)]


def _three(box: Box, pen: float) -> list[Path]:
    left, top, right, bottom = box
    high, wide = box.height, box.width
    middle, waist = (left + right) / 2, round(top + 0.47 * high - pen / 2) + pen / 2
    waist = min(waist, bottom)
    inner = middle - 0.02 * wide
    upper = Path().move(left + 0.02 * wide, top + 0.19 * high)
    upper.bend(left + 0.08 * wide, top, middle, top)
    upper.bend(right - 0.05 * wide, top, right - 0.05 * wide, (top + waist) / 2)
    upper.bend(right - 0.05 * wide, waist, inner, waist)
    lower = Path().move(inner, waist).bend(right, waist, right, (waist + bottom) / 2)
    lower.bend(right, bottom, middle, bottom)
    lower.bend(left + 0.05 * wide, bottom, left, bottom - 0.19 * high)
    return [upper, lower]


def _four(box: Box, pen: float) -> list[Path]:
    left, top, right, bottom = box
    stem = round(left + 0.74 * box.width - pen / 2) + pen / 2
    bar = round(top + 0.68 * box.height - pen / 2) + pen / 2
    return [
        polyline(((stem, top), (left, bar), (right, bar))),
        segment(stem, top, stem, bottom),
    ]


def _five(box: Box, _pen: float) -> list[Path]:
    left, top, right, bottom = box
    high, wide = box.height, box.width
    shoulder = top + 0.40 * high
    foot = left + 0.04 * wide
    path = polyline(((right - 0.06 * wide, top), (foot, top), (foot, shoulder + 0.04 * high)))
    path.curve(
        left + 0.22 * wide,
        shoulder - 0.03 * high,
        left + 0.4 * wide,
        shoulder - 0.03 * high,
        left + 0.5 * wide,
        shoulder - 0.03 * high,
    )
    path.bend(right, shoulder - 0.03 * high, right, (shoulder + bottom) / 2)
    path.bend(right, bottom, (left + right) / 2, bottom)
    return [path.bend(left + 0.06 * wide, bottom, left, bottom - 0.17 * high)]


def _six(box: Box, pen: float) -> list[Path]:
    left, top, right, bottom = box
    high, wide = box.height, box.width
    middle, brow = (left + right) / 2, round(top + 0.40 * high - pen / 2) + pen / 2
    belly = (brow + bottom) / 2
    bowl = (
        Path()
        .move(middle, brow)
        .bend(right, brow, right, belly)
        .bend(right, bottom, middle, bottom)
    )
    bowl.bend(left, bottom, left, belly).bend(left, brow, middle, brow).close()
    tail = Path().move(left, belly)
    tail.curve(left, top + 0.22 * high, left + 0.3 * wide, top, middle + 0.1 * wide, top)
    tail.bend(right - 0.12 * wide, top, right - 0.04 * wide, top + 0.12 * high)
    return [bowl, tail]


def _seven(box: Box, _pen: float) -> list[Path]:
    left, top, right, bottom = box
    foot = left + 0.34 * box.width
    path = polyline(((left, top), (right, top)))
    path.curve(
        right - 0.26 * box.width,
        top + 0.34 * box.height,
        foot,
        top + 0.6 * box.height,
        foot,
        bottom,
    )
    return [path]


def _eight(box: Box, pen: float) -> list[Path]:
    left, top, right, bottom = box
    waist = round(top + 0.47 * box.height - pen / 2) + pen / 2
    side = 0.05 * box.width
    return [_ring(left + side, top, right - side, waist), _ring(left, waist, right, bottom)]


def _nine(box: Box, pen: float) -> list[Path]:
    left, top, right, bottom = box
    high, wide = box.height, box.width
    middle, chin = (left + right) / 2, round(top + 0.60 * high - pen / 2) + pen / 2
    belly = (top + chin) / 2
    tail = Path().move(right, belly)
    tail.curve(right, bottom - 0.22 * high, right - 0.3 * wide, bottom, middle - 0.1 * wide, bottom)
    tail.bend(left + 0.12 * wide, bottom, left + 0.04 * wide, bottom - 0.12 * high)
    return [_ring(left, top, right, chin), tail]


def _ring(left: float, top: float, right: float, bottom: float) -> Path:
    x, y = (left + right) / 2, (top + bottom) / 2
    path = Path().move(x, top).bend(right, top, right, y).bend(right, bottom, x, bottom)
    return path.bend(left, bottom, left, y).bend(left, top, x, top).close()


_DIGITS = (_zero, _one, _two, _three, _four, _five, _six, _seven, _eight, _nine)
