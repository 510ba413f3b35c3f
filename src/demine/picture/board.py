"""A scene board as pixels: tiles drawn once, then plain array work."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from demine.picture import sprites
from demine.picture.cell import dressed, shapes
from demine.picture.raster import paint
from demine.picture.view import Mark, Place, Region, View, checked_cell, view
from demine.scene.face import Face
from demine.scene.look import Look

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.theme import Theme


class Atlas:
    """The tiles of one theme at one size, each drawn when it is first needed."""

    def __init__(self, theme: Theme, cell: int) -> None:
        self._theme, self._cell = theme, cell
        self._tiles = np.zeros((len(_SLOTS), cell, cell, 3), np.uint8)
        self._drawn = np.zeros(len(_SLOTS), np.bool_)

    @property
    def drawn(self) -> int:
        """How many tiles have been drawn."""
        return int(self._drawn.sum())

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
    cursor: Place | None = None,
    start: Place | None = None,
    region: Region | None = None,
) -> NDArray[np.uint8]:
    """A scene board as a new picture, uint8 (H * cell, W * cell, 3).

    `scene` is a (H, W) array of Face, `looks` one of Look. `cursor` puts the focus ring and `start`
    the mark of the prescribed first cell on a (row, col). With a `region` only those cells are
    drawn, and the picture is as large as the region; a cursor or start outside it is left out.

    Raises PictureError for a scene, looks, place, region or size that cannot be drawn.
    """
    return atlas_picture(view(scene, cell, looks, cursor, start, region), theme)


def atlas_picture(asked: View, theme: Theme) -> NDArray[np.uint8]:
    """A checked view as a picture."""
    picture = atlas(theme, asked.cell).place(_SLOT_OF[asked.faces, asked.looks])
    for mark, (row, col) in asked.marks:
        top, left = row * asked.cell, col * asked.cell
        part = picture[top : top + asked.cell, left : left + asked.cell]
        part[:] = over(part, overlay(theme, mark, asked.cell))
    return picture


@lru_cache(maxsize=16)
def overlay(theme: Theme, mark: Mark, cell: int = 32) -> NDArray[np.uint8]:
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
