"""Rasterises the pictures of a window's first frame without NumPy.

`demine.picture.rasterise_shapes` does the same with NumPy arrays. The arithmetic here is in the
same order, so that every pixel is equal. It is far slower, but for a few small pictures that takes
less time than importing NumPy.
"""

from __future__ import annotations

from itertools import accumulate
from math import ceil, floor
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.picture import cell_background, seven_segment
from demine.picture.restart_button import button_shapes
from demine.picture.stroke import shape_polygons
from demine.picture.vector_path import ROUNDED_TO

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from demine.picture.vector_path import Point, Shape
    from demine.scene.colours import RGB
    from demine.scene.face_mood import FaceMood
    from demine.scene.themes import Theme

Row = list[float]
_SURELY_NEAREST: Final = 0.5 - 10**-ROUNDED_TO
"""How far a number may be from a whole one so that rounding it to digits first changes nothing."""


class RgbImage(NamedTuple):
    """An RGB picture: its pixels row by row, three bytes each."""

    pixels: bytes
    width: int
    height: int


def paint_rgb(shapes: Sequence[Shape], width: int, height: int, background: RGB) -> bytes:
    """Paint shapes on a background, later ones on top; return RGB bytes, row by row."""
    layers = [(shape, _coverage_rows(shape_polygons(shape), width, height)) for shape in shapes]
    plain = bytes(background) * width
    mixers: dict[tuple[int, ...], _PixelColours] = {}
    rows = []
    for y in range(height):
        over = tuple(at for at, (_, areas) in enumerate(layers) if y in areas)
        if over not in mixers:
            mixers[over] = _PixelColours(background, [layers[at][0] for at in over])
        mix = mixers[over]
        rows.append(
            b"".join([mix[each] for each in zip(*(layers[at][1][y] for at in over), strict=True)])
            or plain
        )
    return b"".join(rows)


def covered_cells(theme: Theme, cell_px: int, rows: int, cols: int) -> RgbImage:
    """Draw `rows` x `cols` covered cells of `cell_px` pixels each."""
    ground = cell_background.covered_ground(theme, cell_px)
    tile = paint_rgb(ground.shapes, cell_px, cell_px, ground.colour)
    row = 3 * cell_px
    line = b"".join(tile[y * row : (y + 1) * row] * cols for y in range(cell_px))
    return RgbImage(line * rows, cols * cell_px, rows * cell_px)


def restart_button(mood: FaceMood, theme: Theme, size: int, pressed: bool = False) -> RgbImage:
    """Draw the restart button, as `demine.picture.panel.restart_button_picture` does."""
    ground, shapes = button_shapes(mood, theme, size, pressed)
    return RgbImage(paint_rgb(shapes, size, size, ground), size, size)


def led_display(text: str, theme: Theme, height: int) -> RgbImage:
    """Draw digits, minus signs and blanks, as `demine.picture.panel.led_display` does."""
    width = seven_segment.digit_width(height)
    drawn = {
        sign: paint_rgb(
            seven_segment.digit_shapes(sign, theme, height), width, height, theme.led_back
        )
        for sign in set(text)
    }
    row = 3 * width
    rows = (drawn[sign][y * row : (y + 1) * row] for y in range(height) for sign in text)
    return RgbImage(b"".join(rows), width * len(text), height)


class _PixelColours(dict[tuple[float, ...], bytes]):
    """The colour of a pixel by the share of it that each shape covers; most pixels are alike."""

    def __init__(self, background: RGB, shapes: Sequence[Shape]) -> None:
        super().__init__()
        self._ground = background
        self._paints = [(*shape.paint, shape.alpha) for shape in shapes]

    def __missing__(self, shares: tuple[float, ...]) -> bytes:
        red, green, blue = map(float, self._ground)
        for (paint_red, paint_green, paint_blue, alpha), area in zip(
            self._paints, shares, strict=True
        ):
            if area:
                share = area * alpha
                red += (paint_red - red) * share
                green += (paint_green - green) * share
                blue += (paint_blue - blue) * share
        colour = self[shares] = bytes((_rounded(red), _rounded(green), _rounded(blue)))
        return colour


def _rounded(part: float) -> int:
    """Round as NumPy does, halves to even; what sums are off by must not decide for halves."""
    nearest = round(part)
    # Rounding to digits is slow, and only next to a half can it change the number.
    return nearest if abs(part - nearest) < _SURELY_NEAREST else round(round(part, ROUNDED_TO))


def _coverage_rows(rings: Sequence[Sequence[Point]], width: int, height: int) -> dict[int, Row]:
    """Return how much of each pixel polygons cover, 0 to 1, for the rows that they touch."""
    left: dict[int, Row] = {}
    right: dict[int, Row] = {}
    for row, middle, rise in _edge_pieces(rings):
        if row not in left:
            left[row], right[row] = [0.0] * (width + 2), [0.0] * (width + 2)
        x = 0.0 if middle < 0 else min(middle, width)
        column = int(x)
        after = (x - column) * rise
        left[row][column] += rise - after
        right[row][column + 1] += after
    return {
        row: _clipped(list(accumulate(map(add, left[row], right[row])))[:width])
        for row in left
        if 0 <= row < height
    }


def _clipped(areas: Row) -> Row:
    """Return signed areas as shares, 0 to 1; in most rows they are that already."""
    if min(areas) < 0.0:
        areas = list(map(abs, areas))
    return areas if max(areas) <= 1.0 else [min(area, 1.0) for area in areas]


def _edge_pieces(rings: Sequence[Sequence[Point]]) -> Iterator[tuple[int, float, float]]:
    """Cut edges at pixel borders; yield each piece's row, the x of its middle, and its height."""
    for ring in rings:
        if len(ring) < 3:
            continue
        x0, y0 = ring[0]
        for x1, y1 in (*ring[1:], ring[0]):
            wide, high = x1 - x0, y1 - y0
            if floor(x0) == floor(x1) and floor(y0) == floor(y1):
                if y0 != y1:  # within one pixel, as most pieces of curves are
                    yield floor(y0 + 0.5 * high), x0 + 0.5 * wide, high
            elif y0 != y1:
                start = 0.0
                for end in sorted([*_crossings(x0, x1), *_crossings(y0, y1), 1.0]):
                    if end > start:
                        middle = (start + end) / 2
                        yield floor(y0 + middle * high), x0 + middle * wide, (end - start) * high
                        start = end
            x0, y0 = x1, y1


def _crossings(start: float, end: float) -> list[float]:
    """Return where on an edge it crosses whole numbers, 0 to 1."""
    low, high = (start, end) if start < end else (end, start)
    first, last = ceil(low), floor(high)
    if first > last or low == high:
        return []
    length = end - start
    return [(at - start) / length for at in range(first, last + 1)]
