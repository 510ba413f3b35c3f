"""Scene boards as pixels: each kind of cell is drawn once, and copied from then on."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.picture import cell_symbols
from demine.picture.cell import COVERED_FACES, applicable_look, applicable_risk, cell_shapes
from demine.picture.cell_background import covered_ground
from demine.picture.draw_request import (
    CellPlace,
    DrawRequest,
    Mark,
    Region,
    checked_cell_size,
    checked_request,
    checked_risk_percent,
)
from demine.picture.rasterise_shapes import CoverageCache, make_read_only, paint
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look
from demine.scene.overlay import UNKNOWN
from demine.scene.overlay import Mark as Advised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.overlay import Overlay
    from demine.scene.themes import Theme


class TileAtlas:
    """The tiles (pictures of cells) of one theme and size, each drawn when it is first needed.

    The code of a tile stands for a face, a look, a mark and a risk. There are too many to keep them
    all: when its memory is full, the atlas drops every tile and starts again.
    """

    def __init__(self, theme: Theme, cell_px: int) -> None:
        self._theme, self._cell = theme, cell_px
        self._most = max(len(_SLOTS), _MEMORY // (cell_px * cell_px * 3))
        self._where = np.full(len(_SLOTS) * _ADVICES, -1, np.int32)
        self._tiles = np.zeros((0, cell_px, cell_px, 3), np.uint8)
        self._drawn = 0
        self._stencils = CoverageCache()

    @property
    def tile_count(self) -> int:
        """How many tiles are in memory."""
        return self._drawn

    def tile(self, code: int) -> NDArray[np.uint8]:
        """Return the tile with a code, read-only uint8 (cell, cell, 3)."""
        if self._where[code] < 0:
            self._draw_tiles([code])
        return make_read_only(self._tiles[self._where[code]])

    def arrange(self, codes: NDArray[np.intp]) -> NDArray[np.uint8]:
        """Draw an (H, W) array of codes as tiles side by side, uint8 (H * cell, W * cell, 3)."""
        high, wide = codes.shape
        cell = self._cell
        picture = np.empty((high, cell, wide, cell * 3), np.uint8)
        self._arrange_on(codes, picture)
        return picture.reshape(high * cell, wide * cell, 3)

    def _arrange_on(self, codes: NDArray[np.intp], picture: NDArray[np.uint8]) -> None:
        slots = self._where[codes]
        if slots.min() < 0:
            # `np.unique` would import `numpy.ma`: a megabyte at every start.
            needed = np.flatnonzero(np.bincount(codes.ravel()))
            if len(needed) > self._most:
                high, wide = (size // 2 for size in codes.shape)
                if wide > high:
                    self._arrange_on(codes[:, :wide], picture[:, :, :wide])
                    self._arrange_on(codes[:, wide:], picture[:, :, wide:])
                else:
                    self._arrange_on(codes[:high], picture[:high])
                    self._arrange_on(codes[high:], picture[high:])
                return
            self._draw_tiles(needed[self._where[needed] < 0].tolist(), needed)
            slots = self._where[codes]
        cell = self._cell
        # Each item is a row of pixels of a tile, so that whole rows are copied, and only once.
        rows = self._tiles.reshape(-1, cell * 3)
        order = slots[:, None, :] * cell + np.arange(cell)[None, :, None]
        if picture.flags.c_contiguous:
            np.take(rows, order, axis=0, out=picture, mode="clip")
        else:
            picture[:] = rows[order]

    def _draw_tiles(self, codes: list[int], needed: NDArray[np.intp] | None = None) -> None:
        """Draw tiles that are not in memory; if there is no room, drop all others first."""
        if self._drawn + len(codes) > self._most:
            # Tiles that callers hold are views of the old array, which stays as it is.
            self._where[:] = -1
            self._tiles, self._drawn = self._tiles[:0], 0
            codes = codes if needed is None else needed.tolist()
        self._reserve(self._drawn + len(codes))
        for code in codes:
            advice, slot = divmod(code, len(_SLOTS))
            shown, risk = divmod(advice, _RISKS)
            unwritten, mark = divmod(shown, len(Advised))
            ground, parts = cell_shapes(
                self._theme,
                *_SLOTS[slot],
                self._cell,
                Advised(mark),
                (risk - 1) % 256,
                written=not unwritten,
            )
            held = self._tiles[self._drawn]
            if advice:
                held[:] = paint(parts, self._cell, self._cell, ground, self._stencils)
            else:
                held[:] = paint(parts, self._cell, self._cell, ground)
            self._where[code] = self._drawn
            self._drawn += 1

    def _reserve(self, count: int) -> None:
        held = len(self._tiles)
        if count <= held:
            return
        cell = self._cell
        size = min(self._most, max(count, 2 * held, len(_SLOTS)))
        grown = np.zeros((size, cell, cell, 3), np.uint8)
        grown[: self._drawn] = self._tiles[: self._drawn]
        self._tiles = grown


@lru_cache(maxsize=8)
def cached_atlas(theme: Theme, cell_px: int) -> TileAtlas:
    """Return the atlas of a theme and cell size; the last eight are cached."""
    return TileAtlas(theme, cell_px)


def tile(
    theme: Theme,
    face: Face,
    look: Look = Look.PLAIN,
    cell: int = 32,
    mark: Advised = Advised.NONE,
    risk: int = UNKNOWN,
) -> NDArray[np.uint8]:
    """Draw one cell with its mark and risk, read-only uint8 (cell, cell, 3).

    A look that does not apply to the face (a pressed flag, a dim mine) is drawn plain, and risks
    show on covered cells only. Raises PictureError when the size or the risk is out of range.
    """
    cell, risk = checked_cell_size(cell), applicable_risk(face, checked_risk_percent(risk))
    slot = int(_SLOT_OF[Face(face), Look(look)])
    return cached_atlas(theme, cell).tile(
        slot + len(_SLOTS) * (Advised(mark) * _RISKS + (risk + 1) % 256)
    )


def render(
    scene: NDArray[np.uint8],
    theme: Theme,
    cell: int = 32,
    looks: NDArray[np.uint8] | None = None,
    cursor: CellPlace | None = None,
    start: CellPlace | None = None,
    region: Region | None = None,
    advice: Overlay | None = None,
) -> NDArray[np.uint8]:
    """Draw a scene board as a new picture, uint8 (H * cell, W * cell, 3).

    `scene` is an (H, W) array of Face, and `looks` one of Look. `cursor` is the (row, col) of the
    focus ring, and `start` that of the mark on the prescribed first cell. With a `region`, only its
    cells are drawn, and a cursor or start outside it is left out. `advice` is an overlay of the
    whole board, whose marks and risks are drawn over the cells.

    Raises PictureError when any of these is invalid, or the picture would be too large.
    """
    return draw_request_picture(
        checked_request(scene, cell, looks, cursor, start, region, advice), theme
    )


def draw_request_picture(request: DrawRequest, theme: Theme) -> NDArray[np.uint8]:
    """Draw the requested cells as a new picture, uint8 (height, width, 3)."""
    codes = _SLOT_OF[request.faces, request.looks]
    if request.advice is not None:
        codes = codes + len(_SLOTS) * _advice_codes(request.faces, request.advice)
    picture = cached_atlas(theme, request.cell).arrange(codes)
    for mark, (row, col) in request.marks:
        top, left = row * request.cell, col * request.cell
        part = picture[top : top + request.cell, left : left + request.cell]
        part[:] = blend_over(part, cell_marker(theme, mark, request.cell))
    return picture


def draw_request_on(picture: NDArray[np.uint8], request: DrawRequest, theme: Theme) -> None:
    """Draw the requested cells on a picture of exactly their size, in place.

    They are drawn some rows at a time, which bounds the memory it takes.
    """
    rows, cols = request.faces.shape
    step = max(1, _BAND // (cols * request.cell**2))
    for first in range(0, rows, step):
        part = request.cropped_to_rows(first, min(rows, first + step))
        top = first * request.cell
        picture[top : top + part.faces.shape[0] * request.cell] = draw_request_picture(part, theme)


def _advice_codes(faces: NDArray[np.uint8], advice: Overlay) -> NDArray[np.intp]:
    # UNKNOWN overflows to 0, so that no advice has the code 0.
    risk = np.where(_COVERS[faces], advice.risk + np.uint8(1), np.uint8(0))
    shown = advice.marks + np.intp(len(Advised)) * advice.unwritten
    return shown * np.intp(_RISKS) + risk


@lru_cache(maxsize=16)
def cell_marker(theme: Theme, mark: Mark, cell: int = 32) -> NDArray[np.uint8]:
    """Draw the focus ring or the start mark on transparency, read-only uint8 (cell, cell, 4)."""
    cell = checked_cell_size(cell)
    return make_read_only(paint(cell_symbols.cell_marker_shapes(mark, theme, cell), cell, cell))


def flag_symbol(theme: Theme, cell: int = 32) -> NDArray[np.uint8]:
    """Draw the flag of a covered cell on transparency, as a new uint8 (cell, cell, 4)."""
    cell = checked_cell_size(cell)
    return paint(cell_symbols.flag(theme, covered_ground(theme, cell).body, cell), cell, cell)


def blend_over(below: NDArray[np.uint8], above: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Blend an RGBA picture over an RGB picture of the same size; return a new RGB picture."""
    alpha = above[:, :, 3:].astype(np.uint32)
    mixed = above[:, :, :3] * alpha + below * (255 - alpha) + 127
    return (mixed // 255).astype(np.uint8)


def _distinct_tiles() -> tuple[list[tuple[Face, Look]], NDArray[np.intp]]:
    """Return the distinct (face, look) pairs, and the index into them of each (face, look)."""
    found: list[tuple[Face, Look]] = []
    places = np.zeros((len(Face), len(Look)), np.intp)
    for face in Face:
        for look in Look:
            key = face, applicable_look(face, look)
            if key not in found:
                found.append(key)
            places[face, look] = found.index(key)
    return found, places


_SLOTS, _SLOT_OF = _distinct_tiles()
_COVERS = np.isin(np.arange(len(Face)), COVERED_FACES)
_RISKS: Final = 102
"""How many risks there are: 0 to 100 percent, and none."""
_ADVICES: Final = 2 * len(Advised) * _RISKS
_MEMORY: Final = 1 << 25
"""The most bytes of tiles that one atlas keeps."""
_BAND: Final = 1 << 20
"""About how many pixels `draw_request_on` draws at once."""
