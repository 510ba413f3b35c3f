"""The 3BV of many boards at once: a row of a board is the bits of one number.

A faster form of `demine.statistics.board_3bv.three_bv` for counting millions of boards;
`tests/statistics/test_batch_3bv.py` compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from demine.logic.layout import as_mine_maps
from demine.statistics.board_3bv import three_bv

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Rows: TypeAlias = "NDArray[np.uint32] | NDArray[np.uint64]"
    """Shape `(rows, boards)`: bit `c` of a number is column `c`; the highest bit is always 0."""

CHUNK: Final = 8192
"""How many boards are counted at a time, so that their rows fit the processor's cache."""
WIDEST: Final = 63
"""The most columns that fit one number with a bit to spare."""


def three_bv_batch(mine_maps: ArrayLike) -> NDArray[np.int32]:
    """Return the 3BV of many layouts of one size: bool `(boards, height, width)` -> `(boards,)`.

    Boards with more than 63 rows and more than 63 columns are counted one by one. Raises
    `LayoutError` for what is not a stack of mine maps.

    >>> import demine
    >>> demine.three_bv_batch(demine.make_batch("9x9/10", seed=7, count=3)).tolist()
    [6, 20, 21]
    """
    maps = as_mine_maps(mine_maps)
    if min(maps.shape[1:]) > WIDEST:
        return np.array([three_bv(mine_map) for mine_map in maps], np.int32)
    if packs_smaller_transposed(*maps.shape[1:]):
        maps = maps.swapaxes(1, 2)
    counts = np.empty(maps.shape[0], np.int32)
    for at in range(0, maps.shape[0], CHUNK):
        part = maps[at : at + CHUNK]
        counts[at : at + CHUNK] = three_bv_of_rows(pack_rows(part), part.shape[2])
    return counts


def packs_smaller_transposed(height: int, width: int) -> bool:
    """Whether boards of this size take fewer bits with rows and columns exchanged."""
    return _packed_bits(height, width) > _packed_bits(width, height)


def _packed_bits(height: int, width: int) -> float:
    return height * (32 if width < 32 else 64 if width <= WIDEST else float("inf"))


def pack_rows(maps: NDArray[np.bool_]) -> Rows:
    """Return the rows of boards, bool `(boards, height, width)`, as the bits of numbers."""
    boards, height, width = maps.shape
    bits = 32 if width < 32 else 64
    wide = np.zeros((boards, height, bits), np.bool_)
    wide[:, :, :width] = maps
    numbers = np.packbits(wide.reshape(-1), bitorder="little").view(f"<u{bits // 8}")
    rows: Rows = numbers.reshape(boards, height).T.copy()
    return rows


def unpack_board(rows: Rows, width: int) -> NDArray[np.bool_]:
    """Return one board, bool `(height, width)`, from the numbers of its rows, `(height,)`."""
    octets = rows.astype(rows.dtype.newbyteorder("<")).view(np.uint8).reshape(len(rows), -1)
    return np.unpackbits(octets, axis=1, count=width, bitorder="little").view(np.bool_)


def three_bv_of_rows(mines: Rows, width: int) -> NDArray[np.int64]:
    """Return the 3BV of each board: its lone numbers plus its openings."""
    one, full = mines.dtype.type(1), mines.dtype.type((1 << width) - 1)
    zero = ~_spread_to_blocks(mines, one) & full
    lone = ~(mines | _spread_to_blocks(zero, one)) & full
    return count_set_bits(lone) + _count_components(zero, full, corners=True)


def _count_components(cells: Rows, full: np.unsignedinteger, *, corners: bool) -> NDArray[np.int64]:
    """Return how many connected components the set cells of each board have.

    With `corners` cells are connected over corners too. By Euler's formula, the runs of all rows
    less the places where runs of two rows touch are the components less their holes. The holes are
    counted in the same way, with the opposite `corners`.
    """
    one = cells.dtype.type(1)
    wider = cells | cells << one
    both = cells[1:] & cells[:-1]
    touching = wider[1:] & wider[:-1] & ~both if corners else both & ~(both << one)
    pieces = count_set_bits(wider ^ cells) - count_set_bits(touching)
    inside, boards = _enclosed_areas(cells, full, corners=not corners)
    if boards.size:
        pieces[boards] += _count_components(inside, full, corners=not corners)
    return pieces


def _enclosed_areas(
    cells: Rows, full: np.unsignedinteger, *, corners: bool
) -> tuple[Rows, NDArray[np.int64]]:
    """Return the cells enclosed by the set cells, and the indices of the boards that have any.

    The rest of each board is flooded from its edge; boards whose flood has ended are dropped.
    """
    one = cells.dtype.type(1)
    rest = ~cells & full
    wet = rest & (one | (full ^ full >> one))
    wet[0], wet[-1] = rest[0], rest[-1]
    boards = np.arange(cells.shape[1])
    while True:
        before = wet.copy()
        _flood_one_way(wet, rest, one, corners=corners)
        _flood_one_way(wet[::-1], rest[::-1], one, corners=corners)
        dry = rest ^ wet
        left = np.flatnonzero(np.bitwise_or.reduce(dry, axis=0))
        if np.array_equal(before[:, left], wet[:, left]):
            return dry[:, left], boards[left]
        rest, wet, boards = rest[:, left], wet[:, left], boards[left]


def _flood_one_way(wet: Rows, rest: Rows, one: np.unsignedinteger, *, corners: bool) -> None:
    """Flood all rows in one direction, and one column to each side in every row."""
    aside, source = np.empty_like(wet[0]), np.empty_like(wet[0])
    for row in range(len(wet)):
        here, free = wet[row], rest[row]
        if row:
            above = wet[row - 1]
            if corners:
                _spread_sideways(above, aside, source, one)
                above = source
            np.bitwise_and(above, free, out=source)
            here |= source
        _spread_sideways(here, aside, source, one)
        source &= free
        here |= source


def _spread_sideways(row: Rows, aside: Rows, out: Rows, one: np.unsignedinteger) -> None:
    """Write the cells of a row and those beside them to `out`."""
    np.left_shift(row, one, out=aside)
    np.right_shift(row, one, out=out)
    out |= aside
    out |= row


def _spread_to_blocks(rows: Rows, one: np.unsignedinteger) -> Rows:
    """Return the cells with a set cell in their 3x3 block; bits beyond the board may be set."""
    along = rows | rows << one | rows >> one
    block = along.copy()
    block[1:] |= along[:-1]
    block[:-1] |= along[1:]
    return block


def count_set_bits(rows: Rows) -> NDArray[np.int64]:
    """Return how many cells of each board are set, int64 `(boards,)`."""
    counts: NDArray[np.int64] = np.bitwise_count(rows).sum(axis=0, dtype=np.uint16).astype(np.int64)
    return counts
