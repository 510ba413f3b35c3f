"""Requests to draw a board: the arguments of `render` and `svg`, checked once for both."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from demine.picture.errors import PictureError
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.overlay import UNKNOWN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.overlay import Overlay

MIN_CELL, MAX_CELL = 4, 512
"""The smallest and the largest cell that can be drawn, in pixels."""

MAX_PIXELS = 1 << 26
"""The largest picture that is drawn (192 MB); of larger boards, draw a region."""

CellPlace = tuple[int, int]
"""Row and column of a cell."""

Region = tuple[int, int, int, int]
"""First row, first column, end row and end column of a block of cells; the ends are excluded."""

Mark = Literal["start", "cursor"]


class DrawRequest(NamedTuple):
    """The cells to draw and the marks on them, with rows and columns counted in the picture."""

    cell: int
    faces: NDArray[np.uint8]
    looks: NDArray[np.uint8]
    marks: list[tuple[Mark, CellPlace]]
    advice: Overlay | None = None
    """The overlay of these cells alone; None when it shows nothing."""

    def cropped_to_rows(self, first: int, end: int) -> DrawRequest:
        """Return a request for the rows from `first` up to, but not including, `end`."""
        marks = [
            (mark, (row - first, col)) for mark, (row, col) in self.marks if first <= row < end
        ]
        advice = self.advice and self.advice.cropped(first, 0, end, self.faces.shape[1])
        return DrawRequest(
            self.cell, self.faces[first:end], self.looks[first:end], marks, advice or None
        )


def checked_request(
    scene: NDArray[np.uint8],
    cell_px: int,
    looks: NDArray[np.uint8] | None = None,
    cursor: CellPlace | None = None,
    start: CellPlace | None = None,
    region: Region | None = None,
    advice: Overlay | None = None,
) -> DrawRequest:
    """Return the request that the arguments of `render` or `svg` make; raises PictureError."""
    cell_px = checked_cell_size(cell_px)
    faces = _checked_array(scene, "scene")
    if looks is None:
        dress = np.broadcast_to(np.uint8(Look.PLAIN), faces.shape)
    else:
        dress = _checked_array(looks, "looks", faces.shape)
    row, col, row_end, col_end = _checked_region(region, *faces.shape)
    check_picture_size((row_end - row) * cell_px, (col_end - col) * cell_px)
    marks: list[tuple[Mark, CellPlace]] = []
    asked: tuple[tuple[Mark, CellPlace | None], ...] = (("start", start), ("cursor", cursor))
    for mark, place in asked:
        if place is not None:
            y, x = _checked_place(place, mark, *faces.shape)
            if row <= y < row_end and col <= x < col_end:
                marks.append((mark, (y - row, x - col)))
    part = slice(row, row_end), slice(col, col_end)
    # Only what is drawn is checked: a part of a huge board must not take as long as all of it.
    _check_values(faces[part], Face, "scene", (row, col))
    _check_values(dress[part], Look, "looks", (row, col))
    return DrawRequest(
        cell_px, faces[part], dress[part], marks, _checked_advice(advice, faces.shape, region)
    )


def _checked_advice(
    advice: Overlay | None, shape: tuple[int, ...], region: Region | None
) -> Overlay | None:
    """Return the overlay of a region, or None if it shows nothing; raises PictureError."""
    if advice is None:
        return None
    if advice.shape != shape:
        raise PictureError(
            "{what} has the shape {shape}, the scene {scene}",
            what="advice",
            shape=advice.shape,
            scene=shape,
        )
    here = advice if region is None else advice.cropped(*region)
    return here or None


def checked_cell_size(cell_px: int) -> int:
    """Return the size of a cell in pixels as an int; raises PictureError for one out of range."""
    try:
        size = index(cell_px)
    except TypeError:
        raise PictureError(
            "a cell size is a whole number of pixels, not {cell!r}", cell=cell_px
        ) from None
    if not MIN_CELL <= size <= MAX_CELL:
        raise PictureError(
            "a cell of {cell} pixels cannot be drawn: {least} to {most} can",
            cell=size,
            least=MIN_CELL,
            most=MAX_CELL,
        )
    return size


def checked_risk_percent(risk: int) -> int:
    """Return a risk of 0 to 100 percent, or UNKNOWN; raises PictureError for any other."""
    if risk != UNKNOWN and not 0 <= risk <= 100:
        raise PictureError(
            "a risk of {risk} cannot be drawn: 0 to 100 can, and {none} for none",
            risk=risk,
            none=UNKNOWN,
        )
    return risk


def _checked_array(
    array: object, what: str, shape: tuple[int, ...] | None = None
) -> NDArray[np.uint8]:
    """Return an array that may hold faces or looks; raises PictureError for any other."""
    if not isinstance(array, np.ndarray) or array.dtype != np.uint8:
        found = getattr(array, "dtype", type(array).__name__)
        raise PictureError("{what} must be a uint8 array, not {found}", what=what, found=found)
    if array.ndim != 2 or array.size == 0:
        raise PictureError(
            "{what} must have rows and columns, not the shape {shape}", what=what, shape=array.shape
        )
    if shape is not None and array.shape != shape:
        raise PictureError(
            "{what} has the shape {shape}, the scene {scene}",
            what=what,
            shape=array.shape,
            scene=shape,
        )
    return array


def _check_values(
    part: NDArray[np.uint8], kind: type[Face | Look], what: str, corner: CellPlace
) -> None:
    """Raise PictureError for a value that is no member of `kind`; `corner` is the first cell."""
    if int(part.max()) < len(kind):
        return
    row, col = (int(at) for at in np.argwhere(part >= len(kind))[0])
    raise PictureError(
        "{what} has {value} at row {row}, column {col}, which is not a {kind}",
        what=what,
        value=int(part[row, col]),
        row=corner[0] + row,
        col=corner[1] + col,
        kind=kind.__name__,
    )


def _checked_place(place: CellPlace, what: str, high: int, wide: int) -> tuple[int, int]:
    """Return a (row, col) on the board; raises PictureError for one off it."""
    row, col = place
    if not (0 <= row < high and 0 <= col < wide):
        raise PictureError(
            "the {what} at row {row}, column {col} is not on a board of {high} rows and {wide} "
            "columns",
            what=what,
            row=row,
            col=col,
            high=high,
            wide=wide,
        )
    return row, col


def _checked_region(region: Region | None, high: int, wide: int) -> Region:
    """Return a region of the board, the whole board for None; raises PictureError."""
    if region is None:
        return 0, 0, high, wide
    row, col, row_end, col_end = region
    if not (0 <= row < row_end <= high and 0 <= col < col_end <= wide):
        raise PictureError(
            "the region {region} is not on a board of {high} rows and {wide} columns",
            region=tuple(region),
            high=high,
            wide=wide,
        )
    return row, col, row_end, col_end


def check_picture_size(height: int, width: int) -> None:
    """Raise PictureError when a picture of this size in pixels is too large to draw.

    Whatever draws a picture checks its size here before it allocates the memory.
    """
    if height * width > MAX_PIXELS:
        raise PictureError(
            "a picture of {wide} x {high} pixels is too large ({limit} at most):"
            " choose smaller cells or a region",
            wide=width,
            high=height,
            limit=MAX_PIXELS,
        )
