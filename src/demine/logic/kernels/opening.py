"""The opening of a zero, 64 cells of a row at a time: the fill of `demine.logic.flood_by_rows`.

Word `c // 64 + 1` of a row holds column `c` as its bit `c % 64`; there is an empty word at either
end. Words are read when the fill first comes to them. All arithmetic of words is unsigned and
wraps: call interpreted kernels within `numpy.errstate(over="ignore")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from demine.kernels.marks import inlined, makes_arrays
from demine.logic.kernels import NOTES
from demine.logic.kernels.words import count_bits, spread_in_runs

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    _Board: TypeAlias = tuple[
        NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint64], int, bool
    ]

_0: Final = np.uint64(0)
_1: Final = np.uint64(1)
_7: Final = np.uint64(7)
_8: Final = np.uint64(8)
_56: Final = np.uint64(56)
_63: Final = np.uint64(63)
_BYTE: Final = np.uint64(0xFF)
_BYTES: Final = np.uint64(0x0101_0101_0101_0101)
_HIGH_BITS: Final = np.uint64(0x8080_8080_8080_8080)
_TO_HIGH_BITS: Final = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
"""The sum with a byte from 1 to 128 has the high bit."""
_TO_WALLS: Final = np.uint64(0x7777_7777_7777_7777)
"""From 9 on, the hint that is a wall, the sum with a byte of it reaches the high bit."""
_GATHER_HIGH: Final = np.uint64(0x0002_0408_1020_4081)
_GATHER_LOW: Final = np.uint64(0x0102_0408_1020_4080)
"""The product with the high or the low bits of eight bytes has them, in order, in its last byte."""
_SCATTER: Final = np.uint64(0x8040_2010_0804_0201)
"""The bits of a byte in eight bytes."""
_STACK: Final = 1024
_GREW: Final = 4
"""Where the words of a row that ever grew are in its notes."""
_FEW: Final = 512
"""So few cells are always listed."""


@inlined
def _words_of(width: int) -> int:
    """Return how many words a row has, with an empty one at either end."""
    return (width + 63) // 64 + 2


def open_by_words(
    hint: NDArray[np.uint8],
    opened: NDArray[np.uint8],
    width: int,
    start: int,
    mixed: bool,
    scratch: NDArray[np.uint64],
) -> tuple[NDArray[np.int32], int, int, int, int]:
    """Open the opening of the zero cell `start`.

    `hint`, 0 to 9, and `opened` are flat, one byte a cell. If zeros are `mixed`, some of the
    opening may be open, which is not passed, and a hint of 9 is neither opened nor passed.
    `scratch` is all zero, two times the words of all rows and `NOTES` more numbers for each row:
    the zeros of each row, which become the opened cells, the reached ones, and the first and last
    word of each row that grew and have not spread down yet, or up, and that ever grew.

    Returns the opened cells row by row, or none of them where rows take less room; their number;
    how many visits to rows it took; and the first of the rows that hold the opening, and the one
    after the last.
    """
    height, words, eights = hint.size // width, _words_of(width), hint.size // 8
    board = (hint, opened, hint[: 8 * eights].view(np.uint64), opened[: 8 * eights].view(np.uint64),
             width, mixed)  # fmt: skip
    zeros, reached = scratch[: height * words], scratch[height * words : 2 * height * words]
    notes = scratch[2 * height * words :].view(np.int32)
    visits, top, bottom = _spread(start, board, zeros, reached, notes)
    first, end = max(0, top - 1), min(height, bottom + 2)
    count = 0
    for row in range(first, end):
        count += _open_row(row, height, board, zeros, reached, notes)
    listed = count <= _FEW or count * 4 <= (end - first) * (width // 8 + 8)
    cells = np.empty(count if listed else 0, np.int32)
    if listed:
        at = 0
        for row in range(first, end):
            at = _list_row(row, height, width, zeros, notes, at, cells)
    return cells, count, visits, first, end


@makes_arrays
def _spread(
    start: int,
    board: _Board,
    zeros: NDArray[np.uint64],
    reached: NDArray[np.uint64],
    notes: NDArray[np.int32],
) -> tuple[int, int, int]:
    """Spread from one zero over all zeros it touches, row by row until nothing changes.

    Returns how many visits to rows that took, and the first and the last row that were reached.
    """
    height, width = board[0].size // board[4], board[4]
    row, column = start // width, start % width
    word = column // 64 + 1
    reached[row * _words_of(width) + word] = _1 << np.uint64(column % 64)
    for way in range(NOTES * row, NOTES * row + NOTES):
        notes[way] = word
    _fill(row, row, word - 1, word + 1, board, zeros, reached, notes)
    stack = np.empty(_STACK, np.int64)  # rows that grew, and where they spread: 0 down, 1 up
    stack[0], stack[1] = 2 * row, 2 * row + 1
    size, visits, top, bottom = 2, 0, row, row
    while size:
        size -= 1
        up = stack[size] & 1
        source = stack[size] >> 1
        step = 1 - 2 * up
        target = source + step
        while 0 <= target < height:
            visits += 1
            way = NOTES * source + 2 * up
            low, high = notes[way], notes[way + 1]
            notes[way + 1] = 0
            if not high or not _fill(
                source, target, low - 1, high + 1, board, zeros, reached, notes
            ):
                break
            # New cells here may spread back, into a bay that opens towards the row before.
            if size == stack.size:
                larger = np.empty(2 * size, np.int64)
                # Assigning a slice would have Numba compile the words of its error, for seconds.
                for place in range(size):
                    larger[place] = stack[place]
                stack = larger
            stack[size] = 2 * target + 1 - up
            size += 1
            top, bottom = min(top, target), max(bottom, target)
            source, target = target, target + step
    return visits, top, bottom


@inlined
def _fill(
    source: int,
    target: int,
    low: int,
    high: int,
    board: _Board,
    zeros: NDArray[np.uint64],
    reached: NDArray[np.uint64],
    notes: NDArray[np.int32],
) -> bool:
    """Fill the runs of a row that touch words of another; return whether the row grew."""
    words = _words_of(board[4])
    there, here = source * words, target * words
    word, high = max(low, 1), min(high, words - 2)
    first, last, over = 0, 0, _0
    while word <= high or (over != _0 and word <= words - 2):
        near = reached[there + word]
        near |= near << _1 | near >> _1 | over
        near |= reached[there + word - 1] >> _63 | reached[there + word + 1] << _63
        seeds = near & ~reached[here + word]
        over = _0
        if seeds != _0:
            run = _zeros_at(target, word, board, zeros)
            seeds &= run
            if seeds != _0:
                run = spread_in_runs(seeds, run)
                reached[here + word] |= run
                over = reached[here + word] >> _63
                first, last = first or word, word
                before = word - 1
                while run & _1 and before > 0:
                    run = _zeros_at(target, before, board, zeros)
                    if not run & ~reached[here + before] & (_1 << _63):
                        break
                    run = spread_in_runs(_1 << _63, run)
                    reached[here + before] |= run
                    first = min(first, before)
                    before -= 1
        word += 1
    if not first:
        return False
    for way in range(NOTES * target, NOTES * target + NOTES, 2):
        if notes[way + 1]:
            notes[way] = min(notes[way], first)
            notes[way + 1] = max(notes[way + 1], last)
        else:
            notes[way], notes[way + 1] = first, last
    return True


@inlined
def _zeros_at(
    row: int,
    word: int,
    board: _Board,
    zeros: NDArray[np.uint64],
) -> np.uint64:
    """Return the zeros of a word, those that are covered if zeros are mixed."""
    hint, opened, hints, opens, width, mixed = board
    place = row * _words_of(width) + word
    # A word without zeros is read again, which does no harm.
    if zeros[place] == _0:
        begin, cells = row * width + 64 * (word - 1), min(64, width - 64 * (word - 1))
        if (begin + cells + 7) // 8 < hints.size:
            zeros[place] = _read_word(begin, cells, mixed, hints, opens)
        else:
            for cell in range(begin, begin + cells):
                if not (hint[cell] or (mixed and opened[cell])):
                    zeros[place] |= _1 << np.uint64(cell - begin)
    found: np.uint64 = zeros[place]
    return found


@inlined
def _read_word(
    begin: int, cells: int, mixed: bool, hints: NDArray[np.uint64], opens: NDArray[np.uint64]
) -> np.uint64:
    """Return which of up to 64 cells are zeros, and covered if zeros are mixed."""
    first, groups, shift = begin // 8, (cells + 7) // 8, np.uint64(begin % 8 * 8)
    found, place, low = _0, _0, hints[first]
    for at in range(first + 1, first + 1 + groups):
        high = hints[at]
        eight = low >> shift | high << _63 - shift << _1
        # A byte of 0 keeps its high bit, one from 1 to 128 loses it.
        found |= (_HIGH_BITS - eight & _HIGH_BITS) * _GATHER_HIGH >> _56 << place
        low = high
        place += _8
    if mixed:
        low, place = opens[first], _0
        for at in range(first + 1, first + 1 + groups):
            high = opens[at]
            eight = low >> shift | high << _63 - shift << _1
            found &= ~(eight * _GATHER_LOW >> _56 << place)
            low = high
            place += _8
    return found & _first_bits(cells)


@inlined
def _first_bits(cells: int) -> np.uint64:
    """Return a word whose first 1 to 64 bits are set."""
    return ~_0 >> np.uint64(64 - cells)


@inlined
def _open_row(
    row: int,
    height: int,
    board: _Board,
    zeros: NDArray[np.uint64],
    reached: NDArray[np.uint64],
    notes: NDArray[np.int32],
) -> int:
    """Open the reached cells of a row and all cells around reached ones; return their number.

    They replace the zeros, which nobody reads any more.
    """
    words = _words_of(board[4])
    above, here, below = max(row - 1, 0) * words, row * words, min(row + 1, height - 1) * words
    low, high = _words_that_open(row, height, words, notes)
    count, left, now = 0, _0, _0
    right = reached[above + low] | reached[here + low] | reached[below + low]
    for word in range(low, high + 1):
        left, now = now, right
        right = reached[above + word + 1] | reached[here + word + 1] | reached[below + word + 1]
        fresh = now | now << _1 | now >> _1 | left >> _63 | right << _63
        if fresh != _0:
            fresh = _open_word(row, word, fresh, board)
            count += int(count_bits(fresh))
        zeros[here + word] = fresh
    return count


@inlined
def _words_that_open(
    row: int, height: int, words: int, notes: NDArray[np.int32]
) -> tuple[int, int]:
    """Return the first and the last word of a row that may open: those around words that grew."""
    low, high = words, 0
    for near in range(max(row - 1, 0), min(row + 2, height)):
        way = NOTES * near + _GREW
        if notes[way + 1]:
            low, high = min(low, notes[way]), max(high, notes[way + 1])
    return max(low - 1, 1), min(high + 1, words - 2)


@inlined
def _open_word(
    row: int,
    word: int,
    fresh: np.uint64,
    board: _Board,
) -> np.uint64:
    """Open the cells of a word that can be opened, and return them."""
    hint, opened, hints, opens, width, mixed = board
    begin, cells = row * width + 64 * (word - 1), min(64, width - 64 * (word - 1))
    fresh &= _first_bits(cells)
    first, end = begin // 8, (begin + cells + 7) // 8
    if end > opens.size:
        for cell in range(begin, begin + cells):
            bit = _1 << np.uint64(cell - begin)
            if fresh & bit and (opened[cell] or (mixed and hint[cell] > 8)):
                fresh &= ~bit
            elif fresh & bit:
                opened[cell] = 1
        return fresh
    shift = np.uint64(begin % 8)
    eight, rest, lost = fresh << shift & _BYTE, fresh >> _8 - shift, _0
    for at in range(first, end):
        if eight != _0:
            new = ((eight * _BYTES & _SCATTER) + _TO_HIGH_BITS & _HIGH_BITS) >> _7
            old = opens[at]
            if mixed:
                old |= (hints[at] + _TO_WALLS & _HIGH_BITS) >> _7
            opens[at] |= new & ~old
            if new & old:
                place = np.uint64(8 * (at - first))
                gone = (new & old) * _GATHER_LOW >> _56
                lost |= gone >> shift if at == first else gone << place - shift
        eight = rest & _BYTE
        rest >>= _8
    return fresh & ~lost


@inlined
def _list_row(
    row: int,
    height: int,
    width: int,
    opened: NDArray[np.uint64],
    notes: NDArray[np.int32],
    at: int,
    cells: NDArray[np.int32],
) -> int:
    """Put the opened cells of a row into `cells` from a place on; return the place after them."""
    words = _words_of(width)
    low, high = _words_that_open(row, height, words, notes)
    for word in range(low, high + 1):
        bits = opened[row * words + word]
        begin = row * width + 64 * (word - 1)
        while bits != _0:
            rest = bits & (bits - _1)
            cells[at] = begin + np.int64(count_bits((bits ^ rest) - _1))
            at += 1
            bits = rest
    return at
