"""Rasterises shapes with exact-area anti-aliasing, vectorised with NumPy.

Every edge is cut where it crosses a pixel border. Each piece then lies in one pixel: it adds its
signed area to that pixel, and its height to all pixels on its right. A cumulative sum along the
rows turns these into the exact share of every pixel that an outline covers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from demine.picture.stroke import shape_polygons
from demine.picture.vector_path import ROUNDED_TO, Point, Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.colours import RGB

_BATCH = 1 << 21
"""The most pixels times layers in memory at once, for large icons."""

_BAND = 1 << 18
"""About how many pixels of a large picture are drawn at once; each takes over 100 bytes."""

_MAX_CACHED_BYTES = 1 << 22
"""How many bytes of areas a `CoverageCache` may keep before it is cleared."""


def coverage(
    layers: Sequence[Sequence[Sequence[Point]]], width: int, height: int
) -> NDArray[np.float64]:
    """Return how much of each pixel each layer covers, float64 (layers, height, width), 0 to 1.

    A layer is a list of closed polygons. Where polygons of one layer overlap, their signed areas
    add up and are clipped at 1 (the non-zero rule, exact except in pixels that two edges share).
    """
    return _coverage_of_rows(_edges(layers), len(layers), width, 0, height)


def _coverage_of_rows(
    edges: Edges, layers: int, width: int, top: int, height: int
) -> NDArray[np.float64]:
    """Return the same as `coverage` for `height` rows of pixels from `top` on."""
    x0, y0, x1, y1, layer = edges
    edge, start, end = _edge_pieces(x0, y0, x1, y1)
    middle = (start + end) / 2
    x = x0[edge] + middle * (x1 - x0)[edge]
    y = y0[edge] + middle * (y1 - y0)[edge]
    rise = (end - start) * (y1 - y0)[edge]
    row = np.floor(y).astype(np.intp) - top
    inside = (row >= 0) & (row < height)
    x, rise, row, edge = np.clip(x[inside], 0, width), rise[inside], row[inside], edge[inside]
    column = x.astype(np.intp)
    right = (x - column) * rise
    index = (layer[edge] * height + row) * (width + 2) + column
    size = layers * height * (width + 2)
    sums = np.bincount(index, rise - right, size) + np.bincount(index + 1, right, size)
    areas = np.cumsum(sums.reshape(layers, height, width + 2), axis=2)[:, :, :width]
    return np.minimum(np.abs(areas), 1.0)


Edges = tuple[
    "NDArray[np.float64]",
    "NDArray[np.float64]",
    "NDArray[np.float64]",
    "NDArray[np.float64]",
    "NDArray[np.intp]",
]
"""Start and end (x, y, x, y) of every edge that is not horizontal, and its layer's index."""

Areas = Sequence["NDArray[np.float64]"]
"""How much of each pixel each shape covers, float64 (height, width), 0 to 1."""


class CoverageCache:
    """A cache of how shapes cover pixels, for pictures with the same shapes in other colours."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], NDArray[np.float64]] = {}
        self._bytes = 0

    def __call__(self, shapes: Sequence[Shape], width: int, height: int) -> Areas:
        """Return the areas of shapes; each is computed the first time it is asked for."""
        if self._bytes > _MAX_CACHED_BYTES:
            self._kept.clear()
            self._bytes = 0
        return [self._area(shape, width, height) for shape in shapes]

    def _area(self, shape: Shape, width: int, height: int) -> NDArray[np.float64]:
        key = shape.path.cache_key(), shape.stroke, shape.cap, width, height
        if key not in self._kept:
            # One at a time: computed with other shapes, an area may differ in its last bits, and
            # then a tile would depend on which ones were drawn before it.
            self._kept[key] = coverage([shape_polygons(shape)], width, height)[0]
            self._bytes += self._kept[key].nbytes
        return self._kept[key]


def _coverage_of_shapes(shapes: Sequence[Shape], width: int, height: int) -> Areas:
    return list(coverage([shape_polygons(shape) for shape in shapes], width, height))


def paint(
    shapes: Sequence[Shape],
    width: int,
    height: int,
    background: RGB | None = None,
    areas_of: Callable[[Sequence[Shape], int, int], Areas] | None = None,
) -> NDArray[np.uint8]:
    """Paint shapes, later ones on top; return a new picture.

    It is uint8 (height, width, 3) with a background colour (`background`), and (height, width, 4)
    without one; alpha is straight, not premultiplied. `areas_of` may be a `CoverageCache`; without
    it, a large picture is drawn in bands.
    """
    if areas_of is not None or width * height <= _BAND:
        return _paint_at_once(shapes, width, height, background, areas_of or _coverage_of_shapes)
    picture = np.empty((height, width, 4 if background is None else 3), np.uint8)
    for top, part in painted_bands(shapes, width, height, background):
        picture[top : top + part.shape[0]] = part
    return picture


def make_read_only(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Make a picture that callers share read-only, and return it."""
    picture.flags.writeable = False
    return picture


def painted_bands(
    shapes: Sequence[Shape], width: int, height: int, background: RGB | None = None
) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """Paint shapes as `paint` does, some rows at a time; yield each band after its first row."""
    if width * height <= _BAND:
        yield 0, _paint_at_once(shapes, width, height, background, _coverage_of_shapes)
        return
    edges = [_edges([shape_polygons(shape)]) for shape in shapes]
    step = max(1, _BAND // width)
    for top in range(0, height, step):
        high = min(step, height - top)
        canvas = _blank_canvas(width, high, background)
        for shape, every in zip(shapes, edges, strict=True):
            near = _edges_in_rows(every, top, top + high)
            if near[0].size:
                _blend_shape(canvas, shape, _coverage_of_rows(near, 1, width, top, high)[0])
        yield top, _canvas_to_pixels(canvas, background)


def _edges_in_rows(edges: Edges, top: int, bottom: int) -> Edges:
    """Return the edges that reach into some rows; a shape that covers any of the rows has some."""
    x0, y0, x1, y1, layer = edges
    near = (np.maximum(y0, y1) > top) & (np.minimum(y0, y1) < bottom)
    return x0[near], y0[near], x1[near], y1[near], layer[near]


def _paint_at_once(
    shapes: Sequence[Shape],
    width: int,
    height: int,
    background: RGB | None,
    areas_of: Callable[[Sequence[Shape], int, int], Areas],
) -> NDArray[np.uint8]:
    canvas = _blank_canvas(width, height, background)
    step = max(1, _BATCH // (width * height))
    for first in range(0, len(shapes), step):
        some = shapes[first : first + step]
        for shape, area in zip(some, areas_of(some, width, height), strict=True):
            _blend_shape(canvas, shape, area)
    return _canvas_to_pixels(canvas, background)


def _blank_canvas(width: int, height: int, background: RGB | None) -> NDArray[np.float64]:
    # Colour times alpha, and alpha, in one array: blending is then the same line for both.
    canvas = np.zeros((height, width, 4))
    if background is not None:
        canvas[:] = (*background, 255)
    return canvas


def _blend_shape(canvas: NDArray[np.float64], shape: Shape, area: NDArray[np.float64]) -> None:
    share = (area * shape.alpha)[:, :, None]
    canvas += (np.array((*shape.paint, 255.0)) - canvas) * share


def _canvas_to_pixels(canvas: NDArray[np.float64], background: RGB | None) -> NDArray[np.uint8]:
    if background is not None:
        return np.rint(canvas[:, :, :3].round(ROUNDED_TO)).astype(np.uint8)
    alpha = canvas[:, :, 3:]
    np.divide(canvas[:, :, :3] * 255, alpha, out=canvas[:, :, :3], where=alpha > 0)
    return np.rint(np.clip(canvas, 0, 255)).astype(np.uint8)


def _edges(
    layers: Sequence[Sequence[Sequence[Point]]],
) -> Edges:
    """Return the edges of layers of closed polygons."""
    rings = [(index, ring) for index, rings in enumerate(layers) for ring in rings if len(ring) > 2]
    if not rings:
        nothing = np.zeros(0)
        return nothing, nothing, nothing, nothing, np.zeros(0, np.intp)
    starts = np.array([point for _, ring in rings for point in ring], np.float64)
    ends = np.array([point for _, ring in rings for point in (*ring[1:], ring[0])], np.float64)
    layer = np.repeat([index for index, _ in rings], [len(ring) for _, ring in rings])
    steep = starts[:, 1] != ends[:, 1]
    starts, ends = starts[steep], ends[steep]
    return starts[:, 0], starts[:, 1], ends[:, 0], ends[:, 1], layer[steep]


def _edge_pieces(
    x0: NDArray[np.float64],
    y0: NDArray[np.float64],
    x1: NDArray[np.float64],
    y1: NDArray[np.float64],
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Cut edges at pixel borders; return each piece's edge, and its start and end there, 0 to 1."""
    count = len(x0)
    across, at_x = _crossings(x0, x1)
    down, at_y = _crossings(y0, y1)
    every = np.arange(count)
    edge = np.concatenate((every, across, down, every))
    at = np.concatenate((np.zeros(count), at_x, at_y, np.ones(count)))
    order = np.argsort(edge * 2 + at)
    edge, at = edge[order], at[order]
    same = edge[:-1] == edge[1:]
    return edge[:-1][same], at[:-1][same], at[1:][same]


def _crossings(
    start: NDArray[np.float64], end: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return where edges cross whole numbers: the edge's index and the place on it, 0 to 1."""
    first = np.ceil(np.minimum(start, end))
    count = np.maximum(np.floor(np.maximum(start, end)) - first + 1, 0).astype(np.intp)
    count[start == end] = 0
    edge = np.repeat(np.arange(len(start)), count)
    nth = np.arange(len(edge)) - np.repeat(np.cumsum(count) - count, count)
    return edge, (first[edge] + nth - start[edge]) / (end - start)[edge]
