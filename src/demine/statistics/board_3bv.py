"""The 3BV of a layout."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from demine.logic.errors import LayoutError
from demine.logic.layout import as_bool_array
from demine.statistics.layout_regions import LayoutRegions

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_MOST_AS_BITS: Final = 1 << 13
"""Boards with more cells are faster counted by arrays."""


def three_bv(mine_map: ArrayLike) -> int:
    """Return the 3BV of a layout, bool `(height, width)`: the fewest left clicks that clear it.

    That is one click for each opening and one for each number that borders on none (Bechtel's
    board benchmark value). Raises `LayoutError` for what is not a mine map.
    """
    ready = isinstance(mine_map, np.ndarray) and mine_map.dtype == np.bool_
    mines = cast("NDArray[np.bool_]", mine_map) if ready else as_bool_array(mine_map)
    if mines.ndim != 2:
        raise LayoutError(
            "a mine map has rows and columns, not the shape {shape}", shape=mines.shape
        )
    if not mines.size:
        return 0
    if mines.size > _MOST_AS_BITS:
        return LayoutRegions.of(mines).three_bv
    height, width = mines.shape
    # The board is one number: a bit for each cell, rows of whole bytes, each with a bit to spare.
    stride = width // 8 * 8 + 8
    octets = np.packbits(mines, 1, "little")
    if width % 8 == 0:
        full, octets = octets, np.zeros((height, stride // 8), np.uint8)
        octets[:, :-1] = full
    mine = int.from_bytes(octets.tobytes(), "little")
    board = _all_cells(height, width, stride)
    zeros = board & ~_blocks_around(mine, stride)
    lone = board & ~(mine | _blocks_around(zeros, stride))
    return _count_components(zeros, stride) + lone.bit_count()


@lru_cache(maxsize=16)
def _all_cells(height: int, width: int, stride: int) -> int:
    """Return a board of which every cell is 1."""
    return sum(((1 << width) - 1) << stride * row for row in range(height))


def _blocks_around(cells: int, stride: int) -> int:
    """Return the cells of all 3x3 blocks around the given ones; bits beyond the board may be 1."""
    along = cells | cells << 1 | cells >> 1
    return along | along << stride | along >> stride


def _count_components(cells: int, stride: int) -> int:
    """Return how many connected components there are; corners connect too.

    Levialdi's algorithm: every step shrinks each component towards one corner, joins and splits
    none, and removes those that are down to one cell. (S. Levialdi, On shrinking binary picture
    patterns, Communications of the ACM 15, 1972.)
    """
    found = 0
    while cells:
        left, below = cells << 1, cells >> stride
        beside = left | cells >> 1
        along = beside | cells
        found += (cells & ~(beside | along << stride | along >> stride)).bit_count()
        cells = cells & (left | below | below << 1) | left & below
    return found
