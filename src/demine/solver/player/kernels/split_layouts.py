"""Opening cells in a range of layouts: they are split by what these cells show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.player.kernels.layout_rows import (
    INDEX_BITS,
    LAST_INDEX,
    MINES_IN_WORD,
    bucket_mask,
    hash_word,
    start_buckets,
)
from demine.solver.player.kernels.offsets import (
    ALWAYS_SAFE,
    BUCKETS,
    GROUP_FIRST,
    GROUP_OF,
    GROUP_SIZE,
    LAYOUT_ORDER,
    NUMBER_WORDS,
    ROW_SIZE,
    ROWS,
    SORT,
    SPENT,
    SPLIT_GROUPS,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import IntArray


def move_safe_layouts_first(begin: int, end: int, cell: int, work: IntArray) -> int:
    """Move the layouts of a range in which a cell is safe to its front; return their end."""
    size = work[ROW_SIZE]
    first = ROWS + 2 * work[NUMBER_WORDS] + cell // MINES_IN_WORD
    bit = cell % MINES_IN_WORD
    middle = begin
    for turn in range(begin, end):
        layout = work[LAYOUT_ORDER + turn]
        if work[first + size * layout] >> bit & 1 == 0:
            work[LAYOUT_ORDER + turn] = work[LAYOUT_ORDER + middle]
            work[LAYOUT_ORDER + middle] = layout
            middle += 1
    return middle


def split_layouts(begin: int, end: int, work: IntArray) -> None:
    """Split a range, scanned last, by what the cells show that are safe in all of it.

    Sorts the layouts by group; `GROUP_SIZE` has the size of each of the `SPLIT_GROUPS`.
    """
    find_groups(begin, end, work)
    at = begin
    for group in range(work[SPLIT_GROUPS]):
        work[GROUP_FIRST + group] = at
        at += work[GROUP_SIZE + group]
    for turn in range(end - begin):
        group = work[GROUP_OF + turn]
        work[LAYOUT_ORDER + work[GROUP_FIRST + group]] = work[SORT + turn]
        work[GROUP_FIRST + group] += 1


def find_groups(begin: int, end: int, work: IntArray) -> None:
    """Find the group of each layout of a range; `SORT` gets the layouts as they are."""
    words = work[NUMBER_WORDS]
    size = work[ROW_SIZE]
    stamp, mask = start_buckets(end - begin, work), bucket_mask(end - begin)
    work[SPENT] += (2 * words + 4) * (end - begin)
    groups = 0
    for turn in range(end - begin):
        layout = work[LAYOUT_ORDER + begin + turn]
        work[SORT + turn] = layout
        row = ROWS + size * layout
        name = 0
        for word in range(words):
            name = hash_word(name, work[row + word] & work[ALWAYS_SAFE + word])
        place = BUCKETS + (name & mask)
        while work[place] >> INDEX_BITS == stamp:
            group = work[place] & LAST_INDEX
            other_row = ROWS + size * work[GROUP_FIRST + group]
            different = 0
            for word in range(words):
                changed = work[row + word] ^ work[other_row + word]
                different |= changed & work[ALWAYS_SAFE + word]
            if different == 0:
                work[GROUP_OF + turn] = group
                work[GROUP_SIZE + group] += 1
                break
            place = BUCKETS + ((place - BUCKETS + 1) & mask)
        if work[place] >> INDEX_BITS != stamp:
            work[place] = (stamp << INDEX_BITS) | groups
            work[GROUP_FIRST + groups] = layout
            work[GROUP_SIZE + groups] = 1
            work[GROUP_OF + turn] = groups
            groups += 1
    work[SPLIT_GROUPS] = groups
