"""Layouts as rows of a few words: what the telling cells show in each of them, four bits a cell.

A row has the numbers, fifteen cells a word, 0 for a mine; then a mask of the safe cells, alike; and
a bit for each mine, sixty cells a word. So one operation compares fifteen cells of two layouts, and
a search looks at a few words where there are dozens of cells.

A cell here is an index into `ROW_CELL`. Layouts are listed by their rows in `LAYOUT_ORDER`, and a
position is a range of that list. Masks of cells have four bits for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.kernels.marks import inlined
from demine.solver.player.kernels.bitset_endgame import count_bits
from demine.solver.player.kernels.list_layouts import BOMB
from demine.solver.player.kernels.offsets import (
    ALWAYS_SAFE,
    BUCKETS,
    CELL_COUNT,
    CLASS_ROWS,
    LAYOUT_ORDER,
    LAYOUTS,
    MINE_WORDS,
    NAME_MINED,
    NAMING,
    NEXT_CLASS,
    NUMBER_WORDS,
    RANDOM_HASHES,
    ROW_CELL,
    ROW_CELL_COUNT,
    ROW_SIZE,
    ROWS,
    SORT,
    SPENT,
    SPLITS,
    TELLING,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray

CELLS_IN_WORD = 15
MINES_IN_WORD = 60
FIRST_BITS = 0x111111111111111
"""The lowest of the four bits of each cell."""
HALF_WORD = (1 << 30) - 1
HASH_FACTOR = 1103515245
INDEX_BITS = LAYOUTS.bit_length()
"""How many bits an index has in `BUCKETS`; above them is the stamp of those who use it."""
NAME_CELLS = 6
MAX_UNNAMED = 32
LAST_INDEX = (1 << INDEX_BITS) - 1


def pack_layouts(layout_count: int, telling_cells: int, work: IntArray, hints: ByteArray) -> None:
    """Write the rows of all layouts. `ROW_CELL` lists the cells of which they consist."""
    cells = work[CELL_COUNT]
    words = (telling_cells + CELLS_IN_WORD - 1) // CELLS_IN_WORD
    mine_words = (telling_cells + MINES_IN_WORD - 1) // MINES_IN_WORD
    size = 2 * words + mine_words
    work[ROW_CELL_COUNT] = telling_cells
    work[NUMBER_WORDS] = words
    work[MINE_WORDS] = mine_words
    work[ROW_SIZE] = size
    work[SPENT] += layout_count * telling_cells
    for layout in range(layout_count):
        row = ROWS + size * layout
        for word in range(size):
            work[row + word] = 0
        for index in range(telling_cells):
            shown = int(hints[layout * cells + work[ROW_CELL + index]])
            if shown == BOMB:
                work[row + 2 * words + index // MINES_IN_WORD] |= 1 << index % MINES_IN_WORD
            else:
                shift = 4 * (index % CELLS_IN_WORD)
                work[row + index // CELLS_IN_WORD] |= shown << shift
                work[row + words + index // CELLS_IN_WORD] |= 15 << shift


def scan_layouts(begin: int, end: int, work: IntArray) -> bool:
    """Find the cells that tell something and those that are safe in all layouts of a position.

    They are left as masks in `TELLING` and `ALWAYS_SAFE`. Returns whether there are telling cells.
    """
    words = work[NUMBER_WORDS]
    size = work[ROW_SIZE]
    work[SPENT] += words * (end - begin)
    telling = False
    for word in range(words):
        first = ROWS + word
        told = 0
        union = 0
        union_safe = 0
        always = -1
        for turn in range(LAYOUT_ORDER + begin, LAYOUT_ORDER + end):
            row = first + size * work[turn]
            numbers = work[row]
            safe = work[row + words]
            told |= (numbers ^ union) & safe & union_safe
            union |= numbers
            union_safe |= safe
            always &= safe
        # Where several numbers were combined, some layouts were told apart before that.
        told |= told >> 1
        told |= told >> 2
        work[TELLING + word] = (told & FIRST_BITS) * 15
        work[ALWAYS_SAFE + word] = always
        telling = telling or told & FIRST_BITS != 0
    return telling


def has_free_cell(work: IntArray) -> bool:
    """Return whether a telling cell is safe in all layouts that were scanned last."""
    free = 0
    for word in range(work[NUMBER_WORDS]):
        free |= work[TELLING + word] & work[ALWAYS_SAFE + word]
    return free != 0


def drop_equal_layouts(begin: int, end: int, work: IntArray) -> int:
    """Keep one of all layouts in which the `TELLING` cells show the same; return their new end.

    At most one of them is ever won. The others are moved behind the new end.
    """
    words = work[NUMBER_WORDS]
    size = work[ROW_SIZE]
    stamp, mask = start_buckets(end - begin, work), bucket_mask(end - begin)
    work[SPENT] += (2 * words + 4) * (end - begin)
    kept = begin
    dropped = 0
    for turn in range(begin, end):
        layout = work[LAYOUT_ORDER + turn]
        row = ROWS + size * layout
        name = 0
        for word in range(words):
            name = hash_word(name, work[row + word] & work[TELLING + word])
            name = hash_word(name, work[row + words + word] & work[TELLING + word])
        place = BUCKETS + (name & mask)
        while work[place] >> INDEX_BITS == stamp:
            other = LAYOUT_ORDER + begin + (work[place] & LAST_INDEX)
            if shows_the_same(row, ROWS + size * work[other], work):
                # The first in the original order stands for all, whatever the order is now.
                work[SORT + dropped] = max(layout, work[other])
                work[other] = min(layout, work[other])
                dropped += 1
                break
            place = BUCKETS + ((place - BUCKETS + 1) & mask)
        if work[place] >> INDEX_BITS != stamp:
            work[place] = (stamp << INDEX_BITS) | (kept - begin)
            work[LAYOUT_ORDER + kept] = layout
            kept += 1
    for turn in range(dropped):
        work[LAYOUT_ORDER + kept + turn] = work[SORT + turn]
    return kept


@inlined
def shows_the_same(row: int, other_row: int, work: IntArray) -> bool:
    """Return whether the `TELLING` cells show the same in two layouts."""
    words = work[NUMBER_WORDS]
    different = 0
    for word in range(words):
        changed = work[row + word] ^ work[other_row + word]
        changed |= work[row + words + word] ^ work[other_row + words + word]
        different |= changed & work[TELLING + word]
    return different == 0


def start_buckets(entries: int, work: IntArray) -> int:
    """Empty the hash table for so many entries; return the stamp that they have."""
    work[SPLITS] += 1
    work[SPENT] += entries
    stamp: int = work[SPLITS]
    return stamp


@inlined
def bucket_mask(entries: int) -> int:
    """Return the mask of a hash table for so many entries."""
    size = 16
    while size < 2 * entries:
        size *= 2
    return size - 1


@inlined
def hash_word(name: int, word: int) -> int:
    """Return a hash of 30 bits of another hash and of a word."""
    name = (((name ^ (word & HALF_WORD)) * HASH_FACTOR) >> 13) & HALF_WORD
    return (((name ^ (word >> 30)) * HASH_FACTOR) >> 13) & HALF_WORD


def hash_range(begin: int, end: int, work: IntArray) -> int:
    """Return the hash of the layouts of a range."""
    key = 0
    for turn in range(LAYOUT_ORDER + begin, LAYOUT_ORDER + end):
        key ^= work[RANDOM_HASHES + work[turn]]
    return key


def are_told_apart(layout: int, other: int, work: IntArray) -> bool:
    """Return whether some cell is safe in both layouts and shows different numbers."""
    words = work[NUMBER_WORDS]
    row = ROWS + work[ROW_SIZE] * layout
    other_row = ROWS + work[ROW_SIZE] * other
    told = 0
    for word in range(words):
        both = work[row + words + word] & work[other_row + words + word]
        told |= (work[row + word] ^ work[other_row + word]) & both
    return told != 0


def count_classes(begin: int, end: int, work: IntArray) -> int:
    """Return how many classes of layouts, which no cell tells apart, a scanned range falls into.

    No more than one layout of each class can be won. What is shown in the layouts of a class is
    merged into one row, with which another layout agrees if it agrees with all of them. Of many
    layouts only those are compared in which the cells of `choose_name_cells` show the same.
    """
    words = work[NUMBER_WORDS]
    size = work[ROW_SIZE]
    choose_name_cells(begin, end, work)
    stamp, mask = start_buckets(end - begin, work), bucket_mask(end - begin)
    work[SPENT] += (2 * words + 4) * (end - begin)
    found = 0
    tests = 0
    for turn in range(LAYOUT_ORDER + begin, LAYOUT_ORDER + end):
        row = ROWS + size * work[turn]
        name = 0
        for word in range(words):
            name = hash_word(name, work[row + word] & work[NAMING + word])
            name = hash_word(name, work[row + words + word] & work[NAMING + word])
        place = BUCKETS + (name & mask)
        last = work[place] & LAST_INDEX if work[place] >> INDEX_BITS == stamp else LAST_INDEX
        at = last
        while at != LAST_INDEX:
            merged = CLASS_ROWS + 2 * words * at
            told = 0
            for word in range(words):
                both = work[row + words + word] & work[merged + words + word]
                told |= (work[row + word] ^ work[merged + word]) & both
            tests += 1
            if told == 0:
                break
            at = work[NEXT_CLASS + at]
        if at == LAST_INDEX:
            at = found
            found += 1
            work[NEXT_CLASS + at] = last
            work[place] = (stamp << INDEX_BITS) | at
            for word in range(2 * words):
                work[CLASS_ROWS + 2 * words * at + word] = work[row + word]
        else:
            for word in range(2 * words):
                work[CLASS_ROWS + 2 * words * at + word] |= work[row + word]
    work[SPENT] += words * tests
    return found


def most_classes_after_one_cell(classes: int, work: IntArray) -> int:
    """Return how many of the classes counted last have a layout in which one cell is safe.

    The cell is the telling one that is safe in most classes. If none is free, some cell has to be
    risked first, and no more than these can be won.
    """
    words = work[NUMBER_WORDS]
    cells = work[ROW_CELL_COUNT]
    for index in range(cells):
        work[NAME_MINED + index] = 0
    work[SPENT] += 4 * classes
    for word in range(words):
        telling = work[TELLING + word] & FIRST_BITS
        first = CLASS_ROWS + words + word
        for at in range(first, first + 2 * words * classes, 2 * words):
            left = telling & ~work[at]
            while left != 0:
                index = CELLS_IN_WORD * word + (count_bits((left & -left) - 1) >> 2)
                left &= left - 1
                work[NAME_MINED + index] += 1
    fewest = classes
    for index in range(cells):
        if work[TELLING + index // CELLS_IN_WORD] >> 4 * (index % CELLS_IN_WORD) & 1 != 0:
            fewest = min(fewest, work[NAME_MINED + index])
    return classes - fewest


def choose_name_cells(begin: int, end: int, work: IntArray) -> None:
    """Choose as the mask `NAMING` the telling cells that are mines in the fewest layouts."""
    for word in range(work[NUMBER_WORDS]):
        work[NAMING + word] = 0
    if end - begin <= MAX_UNNAMED:
        return
    count_mines(begin, end, work)
    for _ in range(NAME_CELLS):
        best = -1
        fewest = (end - begin) // 4
        for index in range(work[ROW_CELL_COUNT]):
            cell = 15 << 4 * (index % CELLS_IN_WORD)
            word = index // CELLS_IN_WORD
            if (
                work[NAME_MINED + index] < fewest
                and work[TELLING + word] & cell != 0
                and work[NAMING + word] & cell == 0
            ):
                best = index
                fewest = work[NAME_MINED + index]
        if best < 0:
            return
        work[NAMING + best // CELLS_IN_WORD] |= 15 << 4 * (best % CELLS_IN_WORD)


def count_mines(begin: int, end: int, work: IntArray) -> None:
    """Count for each cell the layouts of a range in which it is a mine, in `NAME_MINED`."""
    size = work[ROW_SIZE]
    for index in range(work[ROW_CELL_COUNT]):
        work[NAME_MINED + index] = 0
    work[SPENT] += 4 * (end - begin)
    for word in range(work[MINE_WORDS]):
        first = ROWS + 2 * work[NUMBER_WORDS] + word
        for turn in range(LAYOUT_ORDER + begin, LAYOUT_ORDER + end):
            left = work[first + size * work[turn]]
            while left != 0:
                index = MINES_IN_WORD * word + count_bits((left & -left) - 1)
                left &= left - 1
                work[NAME_MINED + index] += 1
