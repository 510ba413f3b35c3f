"""The 3x3 neighbourhood of a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray


def block_around(row: int, col: int, height: int, width: int) -> tuple[slice, slice]:
    """Return the row and column slices of the 3x3 block around a cell, cut at the board's edge."""
    return slice(max(row - 1, 0), min(row + 2, height)), slice(max(col - 1, 0), min(col + 2, width))


def neighbours(row: int, col: int, height: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield the up to 8 neighbours of a cell, `(row, col)`, row by row."""
    rows, cols = block_around(row, col, height, width)
    for near_row in range(rows.start, rows.stop):
        for near_col in range(cols.start, cols.stop):
            if near_row != row or near_col != col:
                yield near_row, near_col


def flat_neighbours(cell: int, height: int, width: int) -> tuple[int, ...]:
    """Return the neighbours of a cell; cells are `row * width + col`."""
    row, col = divmod(cell, width)
    if 0 < row < height - 1 and 0 < col < width - 1:
        above, below = cell - width, cell + width
        return (above - 1, above, above + 1, cell - 1, cell + 1, below - 1, below, below + 1)
    return tuple(r * width + c for r, c in neighbours(row, col, height, width))


class _NeighboursOnDemand(Sequence[tuple[int, ...]]):
    """The neighbours of each cell of a board that is too large for a table."""

    def __init__(self, height: int, width: int) -> None:
        self._shape = height, width

    def __len__(self) -> int:
        return self._shape[0] * self._shape[1]

    def __getitem__(self, cell: int) -> tuple[int, ...]:  # type: ignore[override]
        return flat_neighbours(cell, *self._shape)


_MOST_IN_TABLE: Final = 1 << 14
"""Boards with more cells have no table of neighbours."""


@lru_cache(maxsize=8)
def neighbour_table(height: int, width: int) -> Sequence[tuple[int, ...]]:
    """Return the neighbours of each cell; cells are `row * width + col`."""
    near = _NeighboursOnDemand(height, width)
    cells = range(height * width)
    return near if len(cells) > _MOST_IN_TABLE else tuple(map(near.__getitem__, cells))


def count_around(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return how many of each cell's up to 8 neighbours are set, uint8 of the mask's shape.

    The mask is one board, `(height, width)`, or many, `(boards, height, width)`. Two passes, along
    rows and then along columns, take two bytes a cell of working memory.
    """
    cells = mask.view(np.uint8) if mask.flags.c_contiguous else mask.astype(np.uint8)
    along = cells.copy()
    along[..., 1:] += cells[..., :-1]
    along[..., :-1] += cells[..., 1:]
    around = along.copy()
    around[..., 1:, :] += along[..., :-1, :]
    around[..., :-1, :] += along[..., 1:, :]
    around -= cells
    return around
