"""Boards rotated and mirrored: the eight symmetries of a square, and what becomes of a cell.

A turn is a number from 0 to 7. Its bit 4 swaps rows and columns; after that bit 2 puts the last row
first, and bit 1 the last column. So 0 leaves a board as it is, and from 4 on its sides are swapped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound="np.generic")
_SWAP, _ROWS, _COLS = 4, 2, 1
_KEEPING_SIDES: Final = tuple(range(4))
_ALL: Final = tuple(range(8))


def turns_of(shape: tuple[int, int]) -> tuple[int, ...]:
    """Return the turns that keep a board's height and width: all eight of a square, else four."""
    height, width = shape
    return _ALL if height == width else _KEEPING_SIDES


def turned(array: NDArray[Scalar], turn: int) -> NDArray[Scalar]:
    """Return an array `(height, width)` as a turned board has it, as a view."""
    array = array.T if turn & _SWAP else array
    rows, cols = (slice(None, None, -1 if turn & bit else 1) for bit in (_ROWS, _COLS))
    return array[rows, cols]


def turned_cell(cell: tuple[int, int], shape: tuple[int, int], turn: int) -> tuple[int, int]:
    """Return where a cell of a board of this shape, `(height, width)`, lies on the turned board."""
    (row, col), (height, width) = cell, shape
    if turn & _SWAP:
        row, col, height, width = col, row, width, height
    return height - 1 - row if turn & _ROWS else row, width - 1 - col if turn & _COLS else col
