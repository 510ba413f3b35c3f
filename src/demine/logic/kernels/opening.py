"""The opening of a zero, 64 cells of a row at a time: the fill of `demine.logic.flood_by_rows`.

Word `c // 64 + 1` of a row holds column `c` as its bit `c % 64`; there is an empty word at either
end. Rows are read when the fill first comes to them. All arithmetic of words is unsigned and wraps:
call interpreted kernels within `numpy.errstate(over="ignore")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

COUNT: Final = 0
VISITS: Final = 1
FIRST: Final = 2
END: Final = 3
"""Places in `found`: how many cells were opened, how many visits to rows it took, which rows."""
_0: Final = np.uint64(0)
_1: Final = np.uint64(1)
_2: Final = np.uint64(2)
_4: Final = np.uint64(4)
_7: Final = np.uint64(7)
_8: Final = np.uint64(8)
_14: Final = np.uint64(14)
_16: Final = np.uint64(16)
_28: Final = np.uint64(28)
_32: Final = np.uint64(32)
_56: Final = np.uint64(56)
_63: Final = np.uint64(63)
_BYTES: Final = np.uint64(0x0101_0101_0101_0101)
_HIGH_BITS: Final = np.uint64(0x8080_8080_8080_8080)
_TO_WALLS: Final = np.uint64(0x7777_7777_7777_7777)
"""From 9 on, the hint that is a wall, the sum with a byte of it reaches the high bit."""
_ODD: Final = np.uint64(0x5555_5555_5555_5555)
_PAIRS: Final = np.uint64(0x3333_3333_3333_3333)
_HALVES: Final = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
_SWAP_1: Final = np.uint64(0x00AA_00AA_00AA_00AA)
_SWAP_2: Final = np.uint64(0x0000_CCCC_0000_CCCC)
_SWAP_4: Final = np.uint64(0x0000_0000_F0F0_F0F0)
_STACK: Final = 1024


def open_by_words(
    hint: NDArray[np.uint8],
    opened: NDArray[np.uint8],
    width: int,
    start: int,
    mixed: bool,
    words: NDArray[np.uint64],
    notes: NDArray[np.int32],
    found: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Open the opening of the zero cell `start`; return its cells where rows would take more room.

    `hint`, 0 to 9, and `opened` are flat, one byte a cell. If zeros are `mixed`, some of the
    opening may be open, which is not passed, and a hint of 9 is neither opened nor passed. `words`
    are two times the words of all rows, first the zeros, then the reached ones. `notes` are eight
    numbers a row: the first and the last word that grew and have not spread down yet, or up, that
    were read, and that ever grew. Both come zeroed. `found` is filled; the rows from FIRST to END
    of `words[0]` become the opened cells. Cells are returned row by row.
    """
    _spread(hint, opened, width, start, mixed, words, notes, found)
    fresh, reached = words[0], words[1]
    found[COUNT] = 0
    low, high = fresh.shape[1], 0
    for row in range(found[FIRST], found[END]):
        if notes[row, 7]:
            low, high = min(low, notes[row, 6]), max(high, notes[row, 7])
    low, high = max(low - 1, 1), min(high + 1, fresh.shape[1] - 2)
    left, right = 64 * (low - 1), min(64 * high, width)
    for row in range(found[FIRST], found[END]):
        _add_border(row, width, low, high, fresh, reached)
        fresh[row, :low] = _0
        fresh[row, high + 1 :] = _0
        found[COUNT] += _write_row(row, left, right, width, mixed, hint, fresh, opened)
    few = found[COUNT] * 4 <= (found[END] - found[FIRST]) * (width // 8 + 8)
    cells = np.empty(found[COUNT] if few else 0, np.int32)
    if few:
        _list_cells(found[FIRST], width, fresh, cells)
    return cells


def _spread(
    hint: NDArray[np.uint8],
    opened: NDArray[np.uint8],
    width: int,
    start: int,
    mixed: bool,
    words: NDArray[np.uint64],
    notes: NDArray[np.int32],
    found: NDArray[np.int64],
) -> None:
    """Spread from one zero over all zeros it touches, row by row until nothing changes."""
    board = (hint, opened, width, mixed)
    height = words.shape[1]
    row, column = start // width, start % width
    word = column // 64 + 1
    _fill(row, word, word, _1 << np.uint64(column % 64), row, board, words, notes)
    stack = np.empty(_STACK, np.int64)  # rows that grew, and where they spread: 0 down, 1 up
    stack[0], stack[1] = 2 * row, 2 * row + 1
    size, visits, top, bottom = 2, 0, row, row
    while size:
        size -= 1
        up = stack[size] % 2
        source = stack[size] // 2
        step = 1 - 2 * up
        target = source + step
        while 0 <= target < height:
            visits += 1
            low, high = notes[source, 2 * up], notes[source, 2 * up + 1]
            notes[source, 2 * up + 1] = 0
            if not high or not _fill(source, low - 1, high + 1, _0, target, board, words, notes):
                break
            # New cells here may spread back, into a bay that opens towards the row before.
            if size == stack.size:
                larger = np.empty(2 * size, np.int64)
                larger[:size] = stack
                stack = larger
            stack[size] = 2 * target + 1 - up
            size += 1
            top, bottom = min(top, target), max(bottom, target)
            source, target = target, target + step
    found[VISITS] = visits
    found[FIRST], found[END] = max(0, top - 1), min(height, bottom + 2)


def _fill(
    source: int,
    low: int,
    high: int,
    more: np.uint64,
    target: int,
    board: tuple[NDArray[np.uint8], NDArray[np.uint8], int, bool],
    rows: NDArray[np.uint64],
    notes: NDArray[np.int32],
) -> bool:
    """Fill the runs of a row that touch words of another; return whether the row grew.

    `more` are seeds in the first of these words.
    """
    zeros, reached = rows[0], rows[1]
    words = zeros.shape[1] - 2
    word, first, last = max(low, 1), 0, 0
    _read_words(target, low - 1, high + 1, board, zeros, notes)
    seeds = more
    while word <= min(high, words) or (seeds != _0 and word <= words):
        if word > notes[target, 5]:
            _read_words(target, word, word + 3, board, zeros, notes)
        near = reached[source, word]
        near |= near << _1 | near >> _1
        near |= reached[source, word - 1] >> _63 | reached[source, word + 1] << _63
        seeds = (near | seeds) & zeros[target, word] & ~reached[target, word]
        if seeds != _0:
            run = _runs(seeds, zeros[target, word])
            reached[target, word] |= run
            if not first:
                first = word
            last = word
            before = word - 1
            if 0 < before < notes[target, 4]:
                _read_words(target, before - 3, before, board, zeros, notes)
            while run & _1 and zeros[target, before] & ~reached[target, before] & (_1 << _63):
                run = _runs(_1 << _63, zeros[target, before])
                reached[target, before] |= run
                first = min(first, before)
                before -= 1
                if 0 < before < notes[target, 4]:
                    _read_words(target, before - 3, before, board, zeros, notes)
            seeds = reached[target, word] >> _63
        word += 1
    if not first:
        return False
    for way in (0, 2, 6):
        if notes[target, way + 1]:
            notes[target, way] = min(notes[target, way], first)
            notes[target, way + 1] = max(notes[target, way + 1], last)
        else:
            notes[target, way], notes[target, way + 1] = first, last
    return True


def _runs(seeds: np.uint64, zeros: np.uint64) -> np.uint64:
    """Return the runs of `zeros` that contain a seed, within one word."""
    # Towards higher bits by one addition: a carry runs from each seed to the end of its run.
    found = (zeros & ~(zeros + seeds)) | seeds
    runs = zeros
    found |= found >> _1 & runs
    runs &= runs >> _1
    found |= found >> _2 & runs
    runs &= runs >> _2
    found |= found >> _4 & runs
    runs &= runs >> _4
    found |= found >> _8 & runs
    runs &= runs >> _8
    found |= found >> _16 & runs
    runs &= runs >> _16
    found |= found >> _32 & runs
    return found


def _read_words(
    row: int,
    low: int,
    high: int,
    board: tuple[NDArray[np.uint8], NDArray[np.uint8], int, bool],
    zeros: NDArray[np.uint64],
    notes: NDArray[np.int32],
) -> None:
    """Read words of a row that have not been read yet, and those between them and others."""
    low, high = max(low, 1), min(high, zeros.shape[1] - 2)
    first, last = notes[row, 4], notes[row, 5]
    if not last:
        _read_row(row, low, high, board, zeros)
        notes[row, 4], notes[row, 5] = low, high
        return
    if low < first:
        _read_row(row, low, first - 1, board, zeros)
        notes[row, 4] = low
    if high > last:
        _read_row(row, last + 1, high, board, zeros)
        notes[row, 5] = high


def _read_row(
    row: int,
    low: int,
    high: int,
    board: tuple[NDArray[np.uint8], NDArray[np.uint8], int, bool],
    zeros: NDArray[np.uint64],
) -> None:
    """Read the zeros of some words of a row, those that are covered if zeros are mixed."""
    hint, opened, width, mixed = board
    eights = hint.size // 8
    hints, opens = hint[: 8 * eights].view(np.uint64), opened[: 8 * eights].view(np.uint64)
    for word in range(low - 1, high):
        begin, end = row * width + 64 * word, row * width + min(64 * word + 64, width)
        at, turn = begin // 8, np.uint64(8 * (begin % 8))
        groups = min((end - begin) // 8, eights - at - (turn != _0))
        found = _0
        for place in range(groups):
            numbers = _eight(hints, at + place, turn)
            if mixed:
                numbers |= _eight(opens, at + place, turn)
            # A byte of 0 keeps its high bit, one from 1 to 128 loses it.
            found |= (_HIGH_BITS - numbers & _HIGH_BITS) >> np.uint64(7 - place)
        found = _turned(found)
        for cell in range(begin + 8 * max(groups, 0), end):
            if not hint[cell] and not (mixed and opened[cell]):
                found |= _1 << np.uint64(cell - begin)
        zeros[row, word + 1] = found


def _eight(cells: NDArray[np.uint64], at: int, turn: np.uint64) -> np.uint64:
    """Return eight cells, `turn // 8` after those at a place."""
    eight: np.uint64 = cells[at] >> turn
    if turn != _0:
        eight |= cells[at + 1] << (np.uint64(64) - turn)
    return eight


def _turned(square: np.uint64) -> np.uint64:
    """Return 8x8 bits with rows and columns exchanged (Hacker's Delight, 7-3)."""
    swap = (square ^ square >> _7) & _SWAP_1
    square ^= swap ^ swap << _7
    swap = (square ^ square >> _14) & _SWAP_2
    square ^= swap ^ swap << _14
    swap = (square ^ square >> _28) & _SWAP_4
    return square ^ swap ^ swap << _28


def _add_border(
    row: int,
    width: int,
    low: int,
    high: int,
    zeros: NDArray[np.uint64],
    reached: NDArray[np.uint64],
) -> None:
    """Put the reached cells of a row, and all cells around reached ones, into `zeros`."""
    height, words = zeros.shape[0], zeros.shape[1] - 2
    above, below = max(row - 1, 0), min(row + 1, height - 1)
    left, here = _0, _0
    right = reached[above, low] | reached[row, low] | reached[below, low]
    for word in range(low, high + 1):
        left, here = here, right
        right = reached[above, word + 1] | reached[row, word + 1] | reached[below, word + 1]
        zeros[row, word] = here | here << _1 | here >> _1 | left >> _63 | right << _63
    if width % 64 and high == words:
        zeros[row, words] &= (_1 << np.uint64(width % 64)) - _1


def _bits(word: np.uint64) -> np.uint64:
    """Return how many bits are set."""
    word -= word >> _1 & _ODD
    word = (word & _PAIRS) + (word >> _2 & _PAIRS)
    return ((word + (word >> _4)) & _HALVES) * _BYTES >> _56


def _write_row(
    row: int,
    left: int,
    right: int,
    width: int,
    mixed: bool,
    hint: NDArray[np.uint8],
    fresh: NDArray[np.uint64],
    opened: NDArray[np.uint8],
) -> int:
    """Open the cells of a row, take those out of `fresh` that cannot be, and return the number."""
    count = 0
    begin, end, eights = row * width, row * width + right, opened.size // 8
    hints, opens = hint[: 8 * eights].view(np.uint64), opened[: 8 * eights].view(np.uint64)
    cell = begin + left
    while cell < end:
        column = cell - begin
        bits = _bits_at(fresh, row, column)
        groups = min(8, (end - cell) // 8)
        if cell % 8 == 0 and groups > 0:
            if groups < 8:
                bits &= (_1 << np.uint64(8 * groups)) - _1
            lost = _0
            square = _turned(bits)
            for place in range(groups):
                at, turn = cell // 8 + place, np.uint64(place)
                new = square >> turn & _BYTES
                old = opens[at]
                if mixed:
                    old |= (hints[at] + _TO_WALLS & _HIGH_BITS) >> _7
                lost |= (new & old) << turn
                opens[at] |= new & ~old
            if lost != _0:
                _take_out(fresh, row, column, _turned(lost))
            count += int(_bits(bits) - _bits(lost))
            cell += 8 * groups
        else:
            if bits & _1:
                if opened[cell] or (mixed and hint[cell] > 8):
                    _take_out(fresh, row, column, _1)
                else:
                    opened[cell] = 1
                    count += 1
            cell += 1
    return count


def _take_out(fresh: NDArray[np.uint64], row: int, column: int, bits: np.uint64) -> None:
    """Take bits out of a row, from a column on."""
    word, place = column // 64 + 1, np.uint64(column % 64)
    fresh[row, word] &= ~(bits << place)
    fresh[row, word + 1] &= ~(bits >> (_63 - place) >> _1)


def _bits_at(fresh: NDArray[np.uint64], row: int, column: int) -> np.uint64:
    """Return the bits of a row from a column on."""
    word, place = column // 64 + 1, np.uint64(column % 64)
    bits: np.uint64 = fresh[row, word] >> place | fresh[row, word + 1] << (_63 - place) << _1
    return bits


def _list_cells(
    first: int, width: int, fresh: NDArray[np.uint64], cells: NDArray[np.int32]
) -> None:
    """Fill `cells` with the opened cells, row by row."""
    row, at = first, 0
    while at < cells.size:
        for word in range(fresh.shape[1] - 2):
            bits = fresh[row, word + 1]
            while bits != _0:
                rest = bits & (bits - _1)
                cells[at] = row * width + 64 * word + np.int64(_bits((bits ^ rest) - _1))
                at += 1
                bits = rest
        row += 1
