"""Millions of random boards and their 3BV, to find rare boards or to count common ones.

Layouts are uniform over all that the first click allows, as those of `demine.logic.layout.deal`;
one seed gives the same boards with every NumPy, but not those of `deal`. Thousands are drawn at a
time as rows of bits (`demine.statistics.batch_3bv`): first every cell independently, with slightly
too few mines on average; boards with too many are dropped, the others get the missing ones at
random. Only the count decides which are dropped, so all layouts stay equally likely.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.logic.errors import LayoutError, RulesError
from demine.logic.layout import checked_cell, checked_seed, deal, guaranteed_safe_cells
from demine.statistics.batch_3bv import (
    CHUNK,
    WIDEST,
    count_set_bits,
    pack_rows,
    packs_smaller_transposed,
    three_bv_of_rows,
    unpack_board,
)
from demine.statistics.board_3bv import three_bv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from demine.logic.rules import Rules
    from demine.statistics.batch_3bv import Rows

_FINENESS: Final = 6
"""How many random bits decide whether a cell gets one of the first mines."""


def sample_three_bv(
    rules: Rules, seed: int, boards: int, first_cell: tuple[int, int] | None = None
) -> NDArray[np.int32]:
    """Return the 3BV of this many random boards, int32 `(boards,)`.

    What the rules promise of the first click holds for `first_cell`, `(row, col)`; with None they
    promise nothing. Raises `LayoutError` for what is not a seed and for a cell outside the board.
    """
    found = np.empty(max(0, boards), np.int32)
    at = 0
    for counts, _ in _batches(rules, seed, first_cell):
        part = counts[: found.size - at]
        found[at : at + part.size] = part
        at += part.size
        if at >= found.size:
            break
    return found


def boards_with_three_bv(
    rules: Rules,
    seed: int,
    low: int,
    high: int,
    first_cell: tuple[int, int] | None = None,
    *,
    max_tries: int = 100_000_000,
    should_stop: Callable[[int], bool] | None = None,
) -> Iterator[tuple[NDArray[np.bool_], int]]:
    """Yield random layouts whose 3BV is from `low` to `high`, each with its 3BV.

    The search ends after about `max_tries` boards. `should_stop` is called every few thousand
    boards with the number tried so far and ends the search by returning True. `first_cell` is that
    of `sample_three_bv`. Raises `LayoutError` for what is not a seed, for a cell outside the board
    and for bounds that hold no number.
    """
    if not 0 <= low <= high:
        raise LayoutError("no 3BV lies from {low} to {high}", low=low, high=high)
    tried = 0
    for counts, layouts in _batches(rules, seed, first_cell):
        for board in np.flatnonzero((counts >= low) & (counts <= high)).tolist():
            yield layouts(board), int(counts[board])
        tried += counts.size
        if tried >= max_tries or (should_stop is not None and should_stop(tried)):
            return


def _batches(
    rules: Rules, seed: int, first: tuple[int, int] | None
) -> Iterator[tuple[NDArray[np.int32], Callable[[int], NDArray[np.bool_]]]]:
    """Yield forever the 3BV of some boards and a function from index to layout."""
    if rules.guess_free:
        raise RulesError("guess-free boards need the solver to lay them")
    seed = checked_seed(seed)
    allowed = _allowed_mine_map(rules, first)
    if min(rules.shape) > WIDEST:
        yield from _batches_one_by_one(rules, seed, first)
    turned = packs_smaller_transposed(*rules.shape)
    if turned:
        allowed = allowed.T
    width = allowed.shape[1]
    forbidden = pack_rows(~allowed[None])
    source = np.random.SFC64(seed)
    while True:
        rows = _draw_boards(source, forbidden, width, rules.mines)

        def layout(board: int, rows: Rows = rows) -> NDArray[np.bool_]:
            found = unpack_board(rows[:, board], width)
            return found.T.copy() if turned else found

        yield three_bv_of_rows(rows, width).astype(np.int32), layout


def _batches_one_by_one(
    rules: Rules, seed: int, first: tuple[int, int] | None
) -> Iterator[tuple[NDArray[np.int32], Callable[[int], NDArray[np.bool_]]]]:
    while True:
        mines = deal(rules, seed, first)

        def layout(_board: int, mines: NDArray[np.bool_] = mines) -> NDArray[np.bool_]:
            return mines

        yield np.array([three_bv(mines)], np.int32), layout
        seed = (seed + 1) % (1 << 128)


def _allowed_mine_map(rules: Rules, first: tuple[int, int] | None) -> NDArray[np.bool_]:
    """Return where mines may lie, bool `(height, width)`."""
    allowed = np.ones(rules.cells, np.bool_)
    if first is not None:
        allowed[guaranteed_safe_cells(rules, checked_cell(rules, first))] = False
    return allowed.reshape(rules.shape)


def _draw_boards(source: np.random.SFC64, forbidden: Rows, width: int, mines: int) -> Rows:
    """Return the rows of a few thousand random boards with this many mines."""
    kind = forbidden.dtype.type
    free = kind((1 << width) - 1) & ~forbidden
    room = int(count_set_bits(free)[0])
    # If most cells are mines, the safe cells are drawn instead.
    few = min(mines, room - mines)
    rows = _random_bits(source, free, _first_mine_share(few, room))
    rows &= free
    counts = count_set_bits(rows)
    fit = np.flatnonzero(counts <= few)
    rows = rows.take(fit, axis=1)
    _add_missing_mines(source, rows, free, width, few - counts[fit])
    return rows if few == mines else free & ~rows


def _first_mine_share(few: int, room: int) -> int:
    """Return how many of 64 cells get a first mine, so that boards seldom get too many."""
    mean = few - sqrt(few * (room - few) / max(1, room))
    return max(0, int(mean / max(1, room) * (1 << _FINENESS)))


def _random_bits(source: np.random.SFC64, free: Rows, share: int) -> Rows:
    """Return rows in which every bit is set independently with the chance `share / 64`."""
    shape = (len(free), CHUNK)
    rows: Rows = np.zeros(shape, free.dtype)
    begun = False
    for place in range(_FINENESS):
        heads = bool(share >> place & 1)
        begun = begun or heads
        if not begun:
            continue
        raw = source.random_raw(rows.nbytes // 8).view(free.dtype).reshape(shape)
        if heads:
            rows |= raw
        else:
            rows &= raw
    return rows


def _add_missing_mines(
    source: np.random.SFC64, rows: Rows, free: Rows, width: int, missing: NDArray[np.int64]
) -> None:
    """Set the missing number of random bits on every board."""
    boards = rows.shape[1]
    row, col = np.nonzero(unpack_board(free[:, 0], width))
    mask = np.uint64((1 << (row.size - 1).bit_length()) - 1)
    # Numbers beyond the last cell stand for no bit and are drawn again.
    bits, starts = np.zeros(int(mask) + 1, rows.dtype), np.zeros(int(mask) + 1, np.int64)
    bits[: row.size] = np.left_shift(rows.dtype.type(1), col.astype(rows.dtype))
    starts[: row.size] = row * boards
    flat = rows.reshape(-1)
    waiting = np.flatnonzero(missing)
    missing = missing[waiting]
    while waiting.size:
        drawn = (source.random_raw(waiting.size) & mask).view(np.int64)
        bit = bits[drawn]
        place = starts[drawn] + waiting
        held = flat[place]
        missing -= (held & bit) != bit
        flat[place] = held | bit
        more = np.flatnonzero(missing)
        if more.size < waiting.size:
            waiting, missing = waiting[more], missing[more]
