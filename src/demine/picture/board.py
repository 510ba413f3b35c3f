"""A scene board as pixels: tiles drawn once, then plain array work."""

from __future__ import annotations

from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, Literal

import numpy as np

from demine.picture import sprites
from demine.picture.cell import dressed, shapes
from demine.picture.errors import PictureError
from demine.picture.raster import paint
from demine.scene.face import Face
from demine.scene.look import Look

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.theme import Theme

MIN_CELL, MAX_CELL = 4, 512
"""The sizes of a cell that can be drawn, in pixels."""

MAX_PIXELS = 1 << 26
"""The largest picture made at once (192 MB); ask for a region of a board that needs more."""

Region = tuple[int, int, int, int]
"""First row, first column, end row, end column of some cells; the ends are not part of it."""


class Atlas:
    """The tiles of one theme at one size, each drawn when it is first needed."""

    def __init__(self, theme: Theme, cell: int) -> None:
        self._theme, self._cell = theme, cell
        self._tiles = np.zeros((len(_SLOTS), cell, cell, 3), np.uint8)
        self._drawn = np.zeros(len(_SLOTS), np.bool_)

    def tile(self, slot: int) -> NDArray[np.uint8]:
        """The tile of a slot, uint8 (cell, cell, 3), read-only."""
        if not self._drawn[slot]:
            ground, parts = shapes(self._theme, *_SLOTS[slot], self._cell)
            self._tiles[slot] = paint(parts, self._cell, self._cell, ground)
            self._drawn[slot] = True
        found: NDArray[np.uint8] = self._tiles[slot]
        found.flags.writeable = False
        return found

    def place(self, slots: NDArray[np.intp]) -> NDArray[np.uint8]:
        """The tiles of a (H, W) array of slots side by side: uint8 (H * cell, W * cell, 3)."""
        needed = np.zeros(len(_SLOTS), np.bool_)
        needed[slots] = True
        for slot in np.flatnonzero(needed & ~self._drawn):
            self.tile(int(slot))
        high, wide = slots.shape
        cell = self._cell
        # One row of pixels of a tile is one item, so that whole rows are copied, and only once.
        rows = self._tiles.reshape(len(_SLOTS) * cell, cell * 3)
        picture = np.empty((high, cell, wide, cell * 3), np.uint8)
        order = slots[:, None, :] * cell + np.arange(cell)[None, :, None]
        np.take(rows, order, axis=0, out=picture, mode="clip")
        return picture.reshape(high * cell, wide * cell, 3)


@lru_cache(maxsize=8)
def atlas(theme: Theme, cell: int) -> Atlas:
    """The atlas of a theme and size; the few last ones are kept."""
    return Atlas(theme, cell)


def tile(theme: Theme, face: Face, look: Look = Look.PLAIN, cell: int = 32) -> NDArray[np.uint8]:
    """One cell as a read-only picture, uint8 (cell, cell, 3).

    A look that the face cannot wear (a pressed flag, a dim mine) is drawn plain.
    Raises PictureError when the size is out of range.
    """
    cell = checked_cell(cell)
    return atlas(theme, cell).tile(int(_SLOT_OF[Face(face), Look(look)]))


def render(
    scene: NDArray[np.uint8],
    theme: Theme,
    cell: int = 32,
    looks: NDArray[np.uint8] | None = None,
    cursor: tuple[int, int] | None = None,
    start: tuple[int, int] | None = None,
    region: Region | None = None,
) -> NDArray[np.uint8]:
    """A scene board as a new picture, uint8 (H * cell, W * cell, 3).

    `scene` is a (H, W) array of Face, `looks` one of Look. `cursor` puts the focus ring and `start`
    the mark     of the prescribed first cell on a (row, col). With a `region` only those cells are
    drawn, and the picture is as large as the region; a cursor or start outside it is left out.

    Raises PictureError for a scene, looks, place, region or size that cannot be drawn.
    """
    cell = checked_cell(cell)
    faces = checked(scene, Face, "scene")
    dress = None if looks is None else checked(looks, Look, "looks", faces.shape)
    high, wide = faces.shape
    row, col, row_end, col_end = checked_region(region, high, wide)
    affordable((row_end - row) * cell, (col_end - col) * cell)
    faces = faces[row:row_end, col:col_end]
    wear = 0 if dress is None else dress[row:row_end, col:col_end]
    picture = atlas(theme, cell).place(_SLOT_OF[faces, wear])
    for mark, place in (("start", start), ("cursor", cursor)):
        if place is None:
            continue
        y, x = checked_place(place, high, wide, mark)
        if row <= y < row_end and col <= x < col_end:
            top, left = (y - row) * cell, (x - col) * cell
            part = picture[top : top + cell, left : left + cell]
            part[:] = over(part, overlay(theme, "start" if mark == "start" else "cursor", cell))
    return picture


@lru_cache(maxsize=16)
def overlay(theme: Theme, mark: Literal["cursor", "start"], cell: int = 32) -> NDArray[np.uint8]:
    """The focus ring or the start mark to lay over a cell: read-only, uint8 (cell, cell, 4)."""
    cell = checked_cell(cell)
    parts = sprites.cursor(theme, cell) if mark == "cursor" else sprites.start(theme, cell)
    found = paint(parts, cell, cell)
    found.flags.writeable = False
    return found


def over(below: NDArray[np.uint8], above: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An RGBA picture laid over an RGB one of the same size, as RGB."""
    alpha = above[:, :, 3:].astype(np.uint32)
    mixed = above[:, :, :3] * alpha + below * (255 - alpha) + 127
    return (mixed // 255).astype(np.uint8)


def checked_cell(cell: int) -> int:
    """The size of a cell, or PictureError."""
    try:
        size = index(cell)
    except TypeError:
        raise PictureError(
            "a cell size is a whole number of pixels, not {cell!r}", cell=cell
        ) from None
    if not MIN_CELL <= size <= MAX_CELL:
        raise PictureError(
            "a cell of {cell} pixels cannot be drawn: {least} to {most} can",
            cell=size,
            least=MIN_CELL,
            most=MAX_CELL,
        )
    return size


def checked(
    array: object,
    kind: type[Face | Look],
    what: str,
    shape: tuple[int, ...] | None = None,
) -> NDArray[np.uint8]:
    """An array of faces or looks, or PictureError."""
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
    if int(array.max()) >= len(kind):
        row, col = (int(at) for at in np.argwhere(array >= len(kind))[0])
        raise PictureError(
            "{what} has {value} at row {row}, column {col}, which is no {kind}",
            what=what,
            value=int(array[row, col]),
            row=row,
            col=col,
            kind=kind.__name__,
        )
    return array


def checked_place(place: tuple[int, int], high: int, wide: int, what: str) -> tuple[int, int]:
    """A (row, col) on the board, or PictureError."""
    row, col = place
    if not (0 <= row < high and 0 <= col < wide):
        raise PictureError(
            "the {what} {place} is not on a board of {high} rows and {wide} columns",
            what=what,
            place=tuple(place),
            high=high,
            wide=wide,
        )
    return row, col


def checked_region(region: Region | None, high: int, wide: int) -> Region:
    """A region of the board, the whole board for None, or PictureError."""
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


def affordable(high: int, wide: int) -> None:
    """Raise PictureError when a picture of that many pixels is too large to make."""
    if high * wide > MAX_PIXELS:
        raise PictureError(
            "a picture of {wide} x {high} pixels is too large ({limit} at most):"
            " choose smaller cells or a region",
            wide=wide,
            high=high,
            limit=MAX_PIXELS,
        )


def _slots() -> tuple[list[tuple[Face, Look]], NDArray[np.intp]]:
    """Every tile that differs, and where (face, look) finds its own."""
    found: list[tuple[Face, Look]] = []
    places = np.zeros((len(Face), len(Look)), np.intp)
    for face in Face:
        for look in Look:
            key = face, dressed(face, look)
            if key not in found:
                found.append(key)
            places[face, look] = found.index(key)
    return found, places


_SLOTS, _SLOT_OF = _slots()
