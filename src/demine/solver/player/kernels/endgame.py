"""The endgame searched exactly: the cell that wins most of the listed layouts.

A position is the set of layouts that are still possible. A cell that is safe in all of them and
shows different numbers costs nothing to open. A cell that can show only one number tells nothing;
if all cells are like that, just one layout can be won. Otherwise every cell is tried, the safest
first. Sets of few layouts are left to `bitset_endgame`.

A cell here is an index into `CELLS`. A position being searched has a frame, its children are the
groups of layouts in which the cell tried shows the same number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import BEYOND
from demine.solver.player.kernels.bitset_endgame import (
    MAX_BITSET_LAYOUTS,
    WINS_CELL,
    build_bitset,
    count_bits,
    hash_layouts,
    search_bitset,
)
from demine.solver.player.kernels.list_layouts import BOMB
from demine.solver.player.kernels.offsets import (
    BITSET_CELL,
    BITSET_CELL_COUNT,
    BUDGET,
    CANDIDATES,
    CELL_COUNT,
    FRAME_SIZE,
    FRAMES,
    LAYOUT_COUNT,
    LAYOUT_ORDER,
    LIVING,
    MAX_DEPTH,
    MEMO_MASK,
    MEMO_SIZE,
    NODES,
    RANDOM_HASHES,
    SEARCHES,
    SORT,
    SPENT,
    TALLY,
)
from demine.solver.player.kernels.position_memo import EXACT, recall_packed_value, store_value

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray
    from demine.solver.player.kernels.return_types import (
        PackedWinsAndCell,
        ValueOrBound,
        ValueOrPending,
    )

# Parts of a frame.
BEGIN = 0
END = 1
KEY = 2
COUNT = 3
CANDIDATE = 4
BEST = 5
BEST_CELL = 6
SUM = 7
GROUPS_DONE = 8
"""The numbers whose groups are done, as bits."""
NOT_SUMMED = 9
MUST_EXCEED = 10
"""The value matters only if it is more than this."""
FAILED_BOUND = 11
"""No cell that was given up can win more than this."""
BOUNDS = 12
"""Where the group of each number begins, and the last one ends: ten of them."""
PENDING = -2
"""Stands for a value that is not known yet."""
HIGHEST_NUMBER = 8
ALL_NUMBERS = 511
"""The numbers 0 to 8 as bits."""
ONE_MINE = 1024
"""What a mine adds to a tally, above the bits of the numbers."""


def search_endgame(work: IntArray, hints: ByteArray) -> PackedWinsAndCell:
    """Find the cell that wins most of the listed layouts, and how many; `BEYOND` over `BUDGET`.

    The cell may be a certain one.
    """
    layouts = work[LAYOUT_COUNT]
    reset_search(layouts, work)
    if layouts <= MAX_BITSET_LAYOUTS:
        return search_small_endgame(layouts, work, hints)
    value = value_or_enter_frame(0, 0, layouts, 0, 0, work, hints)
    if value != PENDING:
        return (value << 8) | safest_tallied_cell(layouts, work)
    depth = 0
    while work[SPENT] <= work[BUDGET] and depth < MAX_DEPTH - 1:
        frame = FRAMES + FRAME_SIZE * depth
        if enter_next_child(depth, work, hints):
            depth += 1
            continue
        value = work[frame + BEST]
        if depth == 0:
            found: int = (value << 8) | work[frame + BEST_CELL]
            return found
        if value > work[frame + MUST_EXCEED]:
            store_value(work[frame + KEY], value, EXACT, work)
        else:
            value = max(value, work[frame + FAILED_BOUND])
            store_value(work[frame + KEY], value, 0, work)
        depth -= 1
        add_group_value(frame - FRAME_SIZE, value, work)
    return BEYOND


def reset_search(layout_count: int, work: IntArray) -> None:
    """Prepare a search of all listed layouts, and forget what was found before."""
    work[SEARCHES] += 1
    work[SPENT] = 0
    size = 256
    while size < MEMO_SIZE and size < 64 * layout_count:
        size *= 2
    work[MEMO_MASK] = size - 1
    for layout in range(layout_count):
        work[LAYOUT_ORDER + layout] = layout
    work[LIVING] = work[CELL_COUNT]
    for at in range(work[CELL_COUNT]):
        work[LIVING + 1 + at] = at


def search_small_endgame(layout_count: int, work: IntArray, hints: ByteArray) -> PackedWinsAndCell:
    """Find the best cell if all listed layouts fit into a bit set."""
    ones = build_bitset(0, layout_count, LIVING, work, hints)
    if work[BITSET_CELL_COUNT] == 0:
        tally_shown_numbers(0, layout_count, LIVING, work, hints)
        return (1 << 8) | safest_tallied_cell(layout_count, work)
    value = search_bitset(ones, 0, 0, work)
    found: int = (value << 8) | work[BITSET_CELL + work[NODES + WINS_CELL]]
    return found


def bitset_value_or_bound(
    begin: int, end: int, living: int, must_exceed: int, work: IntArray, hints: ByteArray
) -> ValueOrBound:
    """Return the value of a few layouts, searched as a bit set."""
    ones = build_bitset(begin, end, living, work, hints)
    if work[BITSET_CELL_COUNT] == 0:
        return 1
    key = hash_layouts(ones, work)
    memo = recall_packed_value(key, work)
    if memo >= 0 and (memo & EXACT != 0 or memo >> 1 <= must_exceed):
        return memo >> 1
    return search_bitset(ones, key, must_exceed, work)


def safest_tallied_cell(layout_count: int, work: IntArray) -> int:
    """Return the index of the cell that is safe in most layouts, by the last tally."""
    best = 0
    fewest = layout_count + 1
    for at in range(work[CELL_COUNT]):
        if work[TALLY + at] // ONE_MINE < fewest:
            fewest = work[TALLY + at] // ONE_MINE
            best = at
    return best


def value_or_enter_frame(
    depth: int, begin: int, end: int, key: int, must_exceed: int, work: IntArray, hints: ByteArray
) -> ValueOrPending:
    """Return how many layouts of a position are won, or enter a frame to search it.

    The position is the layouts from `begin` to `end` in `LAYOUT_ORDER`, `key` is its hash.
    """
    if end - begin == 1:
        return 1
    # A cell that tells nothing here tells nothing further on.
    cells = LIVING + 256 * max(depth - 1, 0)
    if depth > 0:
        memo = recall_packed_value(key, work)
        if memo >= 0 and (memo & EXACT != 0 or memo >> 1 <= must_exceed):
            return memo >> 1
        if end - begin <= MAX_BITSET_LAYOUTS:
            value = bitset_value_or_bound(begin, end, cells, must_exceed, work, hints)
            store_value(key, value, EXACT if value > must_exceed else 0, work)
            return value
    tally_shown_numbers(begin, end, cells, work, hints)
    found = list_candidates(depth, end - begin, cells, work)
    if found == 0:
        return 1
    frame = FRAMES + FRAME_SIZE * depth
    work[frame + BEGIN] = begin
    work[frame + END] = end
    work[frame + KEY] = key
    work[frame + MUST_EXCEED] = must_exceed
    work[frame + COUNT] = found
    work[frame + CANDIDATE] = -1
    work[frame + BEST] = 0
    work[frame + FAILED_BOUND] = 0
    work[frame + SUM] = -1
    work[frame + GROUPS_DONE] = ALL_NUMBERS
    return PENDING


def tally_shown_numbers(
    begin: int, end: int, living: int, work: IntArray, hints: ByteArray
) -> None:
    """Tally for each living cell which numbers it shows, as bits, and above them how often a mine.

    A living cell is one that may still show several numbers; their list begins at `living`.
    """
    cells = work[CELL_COUNT]
    last = living + 1 + work[living]
    work[SPENT] += (end - begin + 2) * work[living]
    for at in range(living + 1, last):
        work[TALLY + work[at]] = 0
    for turn in range(begin, end):
        row = work[LAYOUT_ORDER + turn] * cells
        for at in range(living + 1, last):
            cell = work[at]
            shown = int(hints[row + cell])
            seen = work[TALLY + cell] | (1 << shown)
            work[TALLY + cell] = seen + (ONE_MINE if shown == BOMB else 0)


def list_candidates(depth: int, layout_count: int, living: int, work: IntArray) -> int:
    """List the cells worth trying, the safest first, or just one that is free; return how many.

    A free cell is safe in all layouts of the position.
    """
    list_at = CANDIDATES + 256 * depth
    alive = LIVING + 256 * depth
    last = living + 1 + work[living]
    found = 0
    free = 0
    still = 0
    for index in range(living + 1, last):
        at = work[index]
        seen = work[TALLY + at]
        kinds = seen & ALL_NUMBERS
        if kinds & (kinds - 1) == 0:
            continue
        still += 1
        work[alive + still] = at
        safe = layout_count - seen // ONE_MINE
        packed = (safe << 8) | at
        if safe == layout_count:
            if count_bits(kinds) > free:
                free = count_bits(kinds)
                work[list_at] = packed
                found = 1
        elif free == 0:
            place = found
            while place > 0 and work[list_at + place - 1] < packed:
                work[list_at + place] = work[list_at + place - 1]
                place -= 1
            work[list_at + place] = packed
            found += 1
    work[alive] = still
    return found


def enter_next_child(depth: int, work: IntArray, hints: ByteArray) -> bool:
    """Go on with a position until a child is entered: True; False if the position is done."""
    frame = FRAMES + FRAME_SIZE * depth
    while True:
        while work[frame + GROUPS_DONE] != ALL_NUMBERS:
            if enter_next_group(depth, work, hints):
                return True
        packed = work[CANDIDATES + 256 * depth + work[frame + CANDIDATE]]
        if work[frame + SUM] > work[frame + BEST]:
            work[frame + BEST] = work[frame + SUM]
            work[frame + BEST_CELL] = packed & 255
        work[frame + SUM] = -1
        work[frame + CANDIDATE] += 1
        if work[frame + CANDIDATE] == work[frame + COUNT]:
            return False
        packed = work[CANDIDATES + 256 * depth + work[frame + CANDIDATE]]
        if packed >> 8 <= max(work[frame + BEST], work[frame + MUST_EXCEED]):
            work[frame + FAILED_BOUND] = max(work[frame + FAILED_BOUND], packed >> 8)
            return False
        sort_layouts_by_number(frame, packed & 255, work, hints)


def enter_next_group(depth: int, work: IntArray, hints: ByteArray) -> bool:
    """Evaluate the smallest group of layouts left; return whether a frame was entered for it."""
    frame = FRAMES + FRAME_SIZE * depth
    number = -1
    fewest = 0
    for other in range(HIGHEST_NUMBER + 1):
        size = work[frame + BOUNDS + other + 1] - work[frame + BOUNDS + other]
        if size == 0:
            work[frame + GROUPS_DONE] |= 1 << other
        elif work[frame + GROUPS_DONE] >> other & 1 == 0 and (number < 0 or size < fewest):
            number = other
            fewest = size
    if number < 0:
        return False
    work[frame + GROUPS_DONE] |= 1 << number
    begin = work[frame + BOUNDS + number]
    end = work[frame + BOUNDS + number + 1]
    work[frame + NOT_SUMMED] -= end - begin
    key = 0
    for turn in range(begin, end):
        key ^= work[RANDOM_HASHES + work[LAYOUT_ORDER + turn]]
    limit = max(work[frame + BEST], work[frame + MUST_EXCEED])
    must_exceed = limit - work[frame + SUM] - work[frame + NOT_SUMMED]
    value = value_or_enter_frame(depth + 1, begin, end, key, must_exceed, work, hints)
    if value == PENDING:
        return True
    add_group_value(frame, value, work)
    return False


def add_group_value(frame_begin: int, value: int, work: IntArray) -> None:
    """Add the value of a group, and give up the cell if it can no longer win enough."""
    work[frame_begin + SUM] += value
    reach = work[frame_begin + SUM] + work[frame_begin + NOT_SUMMED]
    if reach <= max(work[frame_begin + BEST], work[frame_begin + MUST_EXCEED]):
        work[frame_begin + FAILED_BOUND] = max(work[frame_begin + FAILED_BOUND], reach)
        work[frame_begin + SUM] = -1
        work[frame_begin + GROUPS_DONE] = ALL_NUMBERS


def sort_layouts_by_number(frame_begin: int, cell: int, work: IntArray, hints: ByteArray) -> None:
    """Sort the layouts of a position by what a cell shows in them."""
    cells = work[CELL_COUNT]
    begin = work[frame_begin + BEGIN]
    end = work[frame_begin + END]
    for number in range(12):
        work[frame_begin + BOUNDS + number] = 0
    for turn in range(begin, end):
        layout = work[LAYOUT_ORDER + turn]
        work[SORT + turn] = layout
        work[frame_begin + BOUNDS + 1 + int(hints[layout * cells + cell])] += 1
    work[frame_begin + BOUNDS] = begin
    for number in range(1, 11):
        work[frame_begin + BOUNDS + number] += work[frame_begin + BOUNDS + number - 1]
    # Each bound moves from the beginning of its group to the end, and is moved back below.
    for turn in range(begin, end):
        layout = work[SORT + turn]
        number = int(hints[layout * cells + cell])
        work[LAYOUT_ORDER + work[frame_begin + BOUNDS + number]] = layout
        work[frame_begin + BOUNDS + number] += 1
    for number in range(10, 0, -1):
        work[frame_begin + BOUNDS + number] = work[frame_begin + BOUNDS + number - 1]
    work[frame_begin + BOUNDS] = begin
    work[frame_begin + GROUPS_DONE] = 0
    work[frame_begin + SUM] = 0
    work[frame_begin + NOT_SUMMED] = work[frame_begin + BOUNDS + HIGHEST_NUMBER + 1] - begin
