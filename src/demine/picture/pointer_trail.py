"""Pictures of mouse input on a board: the pointer, its trail, and marks where it clicked."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.metadata import FIELD_CELL
from demine.picture.board import blend_over
from demine.picture.draw_request import checked_cell_size
from demine.picture.rasterise_shapes import make_read_only, paint, painted_bands
from demine.picture.vector_path import Shape, circle, polygon, polyline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from demine.picture.vector_path import Path, Point
    from demine.scene.colours import RGB
    from demine.scene.playback import Trail
    from demine.scene.themes import Theme

_ARROW: Final = (
    (0.0, 0.0), (0.0, 0.74), (0.17, 0.58), (0.29, 0.86), (0.41, 0.81), (0.29, 0.54), (0.53, 0.54),
)  # fmt: skip
"""The pointer's outline, in fractions of its size; its tip, where it points, is at (0, 0)."""


@lru_cache(maxsize=32)
def pointer_picture(theme: Theme, cell_px: int) -> NDArray[np.uint8]:
    """Draw the pointer, read-only uint8 (size, size, 4).

    Its tip is one pixel right of and below the upper left corner.
    """
    size = max(12, round(checked_cell_size(cell_px) * 0.9))
    pen = max(1.0, size * 0.07)
    outline = polygon([(1 + x * (size - 2), 1 + y * (size - 2)) for x, y in _ARROW])
    return make_read_only(
        paint([Shape(outline, theme.cursor_halo, 2 * pen), Shape(outline, theme.cursor)],
              size, size)
    )  # fmt: skip


@lru_cache(maxsize=64)
def click_picture(theme: Theme, button: str, cell_px: int) -> NDArray[np.uint8]:
    """Draw the mark of a press of a button, read-only uint8 (size, size, 4).

    `button` is a name that a `Touch` records. The left button has a disc, the right one a diamond,
    and buttons that chord by themselves a ring. Its centre is where the button was pressed.
    """
    size = 2 * max(4, round(checked_cell_size(cell_px) * 0.19)) + 1
    x = y = size / 2
    reach, edge = size / 2 - 0.5, max(1.0, size * 0.12)
    if button in {"right", "ctrl+left"}:
        shapes = [
            Shape(_diamond_path(x, y, reach), theme.cursor_halo),
            Shape(_diamond_path(x, y, reach - 1.4 * edge), theme.flag),
        ]
    elif button == "left":
        shapes = [
            Shape(circle(x, y, reach), theme.cursor_halo),
            Shape(circle(x, y, reach - edge), theme.cursor),
        ]
    else:
        ring = circle(x, y, reach * 0.66)
        shapes = [
            Shape(ring, theme.cursor_halo, reach * 0.66),
            Shape(ring, theme.guess, reach * 0.36),
        ]
    return make_read_only(paint(shapes, size, size))


def _diamond_path(x: float, y: float, reach: float) -> Path:
    return polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)])


TRAIL_HALO: Final = 2.2
"""How many times as wide as a trail its halo is."""


def trail_width(cell_px: int) -> float:
    """Return the width in pixels of a trail on cells of `cell_px` pixels."""
    return max(1.0, cell_px * 0.055)


def field_points_to_pixels(points: NDArray[np.int64], cell_px: int) -> NDArray[np.float64]:
    """Convert points from field pixels, 16 to a cell, to pixels of a board with these cells."""
    return (points.astype(np.float64) + 0.5) * (cell_px / FIELD_CELL)


def draw_trail(picture: NDArray[np.uint8], trail: Trail, theme: Theme, cell_px: int) -> None:
    """Draw a trail and its clicks on a picture of the whole board, in place.

    The picture is uint8 (H * cell, W * cell, 3).
    """
    points = field_points_to_pixels(trail.points, cell_px)
    if len(points) > 1:
        pen = trail_width(cell_px)
        way = thinned_points(points, max(1.5, pen))
        _draw_line(picture, way, theme.cursor_halo, TRAIL_HALO * pen)
        _draw_line(picture, way, theme.cursor, pen)
    for x, y, button in trail.clicks:
        mark = click_picture(theme, button, cell_px)
        at = field_points_to_pixels(np.array([[x, y]], np.int64), cell_px)[0]
        half = mark.shape[0] // 2
        paste_over(picture, mark, int(at[1]) - half, int(at[0]) - half)


def thinned_points(points: NDArray[np.float64], min_distance_px: float) -> list[Point]:
    """Return points without those too near to the point before; the last point is kept.

    Distances are the sum of the horizontal and the vertical one.
    """
    kept: list[Point] = []
    for x, y in points.tolist():
        if not kept or abs(x - kept[-1][0]) + abs(y - kept[-1][1]) >= min_distance_px:
            kept.append((x, y))
    last = (float(points[-1, 0]), float(points[-1, 1]))
    return kept if kept[-1] == last else [*kept, last]


def _draw_line(picture: NDArray[np.uint8], way: Sequence[Point], ink: RGB, pen: float) -> None:
    high, wide, _ = picture.shape
    for top, line in painted_bands([Shape(polyline(way), ink, pen)], wide, high):
        part = picture[top : top + line.shape[0]]
        part[:] = blend_over(part, line)


def paste_over(picture: NDArray[np.uint8], mark: NDArray[np.uint8], top: int, left: int) -> None:
    """Blend a small RGBA picture over an RGB one, in place; what lies outside is cut off."""
    high, wide, _ = picture.shape
    above, before = max(0, -top), max(0, -left)
    bottom, right = min(mark.shape[0], high - top), min(mark.shape[1], wide - left)
    if bottom <= above or right <= before:
        return
    part = picture[top + above : top + bottom, left + before : left + right]
    part[:] = blend_over(part, mark[above:bottom, before:right])
