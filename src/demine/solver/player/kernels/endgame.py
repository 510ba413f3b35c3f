"""The endgame searched exactly: the cell with which most of the last layouts are won.

A position is the set of layouts that it still allows. A cell that is safe in all of them and shows
different numbers is opened for nothing; a cell that can show one number only is of no use, and
where all are such, one layout can be won. Else every cell is tried, the safest first. Few layouts
are left to `endgame_block`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import BEYOND
from demine.solver.player.kernels.bitset_endgame import (
    BLOCK,
    WINS_CELL,
    count_bits,
    form_block,
    hash_of_layouts,
    solve_block,
)
from demine.solver.player.kernels.list_layouts import BOMB
from demine.solver.player.kernels.offsets import (
    BLOCK_CELLS,
    BLOCK_WHICH,
    BUDGET,
    CANDIDATES,
    CELLS_NOW,
    DEPTH,
    FRAME,
    FRAMES,
    LAYOUTS_NOW,
    LIVING,
    MARKS,
    MEMO_MASK,
    MEMOS,
    NODES,
    SEARCHES,
    SORT,
    SPENT,
    TALLY,
    TURN,
)
from demine.solver.player.kernels.position_memo import EXACT, keep_value, recall_value

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray

# Parts of a frame.
BEGIN = 0
END = 1
KEY = 2
COUNT = 3
AT = 4
BEST = 5
BEST_CELL = 6
SUM = 7
LEFT_OUT = 8
"""The numbers whose layouts were taken, as bits."""
REST = 9
NEEDED = 10
"""The value is of use only if it is more."""
BOUND = 11
"""What no cell that failed can exceed."""
BOUNDS = 12
"""Where the layouts of each number begin and end: ten of them."""
OPEN = -2
"""What stands for a value that is not known yet."""
LAST = 8
ALL = 511
NUMBERS = 511
MANY = 1024


def search_layouts(work: IntArray, hints: ByteArray) -> int:
    """Find the best cell among the layouts listed; return wins << 8 | its place in `CELLS`.

    `BEYOND` when it would take longer than `BUDGET` allows. The cell may be a certain one.
    """
    layouts = work[LAYOUTS_NOW]
    begin_search(layouts, work)
    if layouts <= BLOCK:
        return search_block(layouts, work, hints)
    value = enter_layout_set(0, 0, layouts, 0, 0, work, hints)
    if value != OPEN:
        return (value << 8) | safest_counted_cell(layouts, work)
    depth = 0
    while work[SPENT] <= work[BUDGET] and depth < DEPTH - 1:
        frame = FRAMES + FRAME * depth
        if enter_next_position_below(depth, work, hints):
            depth += 1
            continue
        value = work[frame + BEST]
        if depth == 0:
            found: int = (value << 8) | work[frame + BEST_CELL]
            return found
        if value > work[frame + NEEDED]:
            keep_value(work[frame + KEY], value, EXACT, work)
        else:
            value = max(value, work[frame + BOUND])
            keep_value(work[frame + KEY], value, 0, work)
        depth -= 1
        add_group_value(frame - FRAME, value, work)
    return BEYOND


def begin_search(layouts: int, work: IntArray) -> None:
    """Put all layouts and all cells in a row, and forget what was found before."""
    work[SEARCHES] += 1
    work[SPENT] = 0
    size = 256
    while size < MEMOS and size < 64 * layouts:
        size *= 2
    work[MEMO_MASK] = size - 1
    for layout in range(layouts):
        work[TURN + layout] = layout
    work[LIVING] = work[CELLS_NOW]
    for at in range(work[CELLS_NOW]):
        work[LIVING + 1 + at] = at


def search_block(layouts: int, work: IntArray, hints: ByteArray) -> int:
    """Find the best cell where all layouts are one block."""
    ones = form_block(0, layouts, LIVING, work, hints)
    if work[BLOCK_CELLS] == 0:
        note_shown_numbers(0, layouts, LIVING, work, hints)
        return (1 << 8) | safest_counted_cell(layouts, work)
    value = solve_block(ones, 0, 0, work)
    found: int = (value << 8) | work[BLOCK_WHICH + work[NODES + WINS_CELL]]
    return found


def value_or_bound_of_block(
    begin: int, end: int, living: int, needed: int, work: IntArray, hints: ByteArray
) -> int:
    """Return the value of a few layouts; if no more than `needed`, a bound of it."""
    ones = form_block(begin, end, living, work, hints)
    if work[BLOCK_CELLS] == 0:
        return 1
    key = hash_of_layouts(ones, work)
    memo = recall_value(key, work)
    if memo >= 0 and (memo & EXACT != 0 or memo >> 1 <= needed):
        return memo >> 1
    return solve_block(ones, key, needed, work)


def safest_counted_cell(layouts: int, work: IntArray) -> int:
    """Return the cell that is safe in most layouts, as they were counted last."""
    best = 0
    fewest = layouts + 1
    for at in range(work[CELLS_NOW]):
        if work[TALLY + at] // MANY < fewest:
            fewest = work[TALLY + at] // MANY
            best = at
    return best


def enter_layout_set(
    depth: int, begin: int, end: int, key: int, needed: int, work: IntArray, hints: ByteArray
) -> int:
    """Return how many layouts of a position are won; `OPEN` when its candidates must be tried.

    What is no more than `needed` may be a bound.
    """
    if end - begin == 1:
        return 1
    # What can tell nothing here can tell nothing further on.
    cells = LIVING + 256 * max(depth - 1, 0)
    if depth > 0:
        memo = recall_value(key, work)
        if memo >= 0 and (memo & EXACT != 0 or memo >> 1 <= needed):
            return memo >> 1
        if end - begin <= BLOCK:
            value = value_or_bound_of_block(begin, end, cells, needed, work, hints)
            keep_value(key, value, EXACT if value > needed else 0, work)
            return value
    note_shown_numbers(begin, end, cells, work, hints)
    found = list_candidates(depth, end - begin, cells, work)
    if found == 0:
        return 1
    frame = FRAMES + FRAME * depth
    work[frame + BEGIN] = begin
    work[frame + END] = end
    work[frame + KEY] = key
    work[frame + NEEDED] = needed
    work[frame + COUNT] = found
    work[frame + AT] = -1
    work[frame + BEST] = 0
    work[frame + BOUND] = 0
    work[frame + SUM] = -1
    work[frame + LEFT_OUT] = ALL
    return OPEN


def note_shown_numbers(begin: int, end: int, living: int, work: IntArray, hints: ByteArray) -> None:
    """Note which numbers each living cell shows, as bits, and above them how often it is a mine."""
    cells = work[CELLS_NOW]
    last = living + 1 + work[living]
    work[SPENT] += (end - begin + 2) * work[living]
    for at in range(living + 1, last):
        work[TALLY + work[at]] = 0
    for turn in range(begin, end):
        row = work[TURN + turn] * cells
        for at in range(living + 1, last):
            cell = work[at]
            shown = int(hints[row + cell])
            seen = work[TALLY + cell] | (1 << shown)
            work[TALLY + cell] = seen + (MANY if shown == BOMB else 0)


def list_candidates(depth: int, layouts: int, living: int, work: IntArray) -> int:
    """List the cells that can tell something, the safest first, or one that is free; how many."""
    list_at = CANDIDATES + 256 * depth
    alive = LIVING + 256 * depth
    last = living + 1 + work[living]
    found = 0
    free = 0
    still = 0
    for index in range(living + 1, last):
        at = work[index]
        seen = work[TALLY + at]
        kinds = seen & NUMBERS
        if kinds & (kinds - 1) == 0:
            continue
        still += 1
        work[alive + still] = at
        safe = layouts - seen // MANY
        packed = (safe << 8) | at
        if safe == layouts:
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


def enter_next_position_below(depth: int, work: IntArray, hints: ByteArray) -> bool:
    """Go on with a position; return True where one below it was entered, False when it is done."""
    frame = FRAMES + FRAME * depth
    while True:
        while work[frame + LEFT_OUT] != ALL:
            if enter_next_group(depth, work, hints):
                return True
        packed = work[CANDIDATES + 256 * depth + work[frame + AT]]
        if work[frame + SUM] > work[frame + BEST]:
            work[frame + BEST] = work[frame + SUM]
            work[frame + BEST_CELL] = packed & 255
        work[frame + SUM] = -1
        work[frame + AT] += 1
        if work[frame + AT] == work[frame + COUNT]:
            return False
        packed = work[CANDIDATES + 256 * depth + work[frame + AT]]
        if packed >> 8 <= max(work[frame + BEST], work[frame + NEEDED]):
            work[frame + BOUND] = max(work[frame + BOUND], packed >> 8)
            return False
        sort_layouts_by_number(frame, packed & 255, work, hints)


def enter_next_group(depth: int, work: IntArray, hints: ByteArray) -> bool:
    """Take the fewest layouts that are left; return whether a position was entered for them."""
    frame = FRAMES + FRAME * depth
    number = -1
    fewest = 0
    for other in range(LAST + 1):
        size = work[frame + BOUNDS + other + 1] - work[frame + BOUNDS + other]
        if size == 0:
            work[frame + LEFT_OUT] |= 1 << other
        elif work[frame + LEFT_OUT] >> other & 1 == 0 and (number < 0 or size < fewest):
            number = other
            fewest = size
    if number < 0:
        return False
    work[frame + LEFT_OUT] |= 1 << number
    begin = work[frame + BOUNDS + number]
    end = work[frame + BOUNDS + number + 1]
    work[frame + REST] -= end - begin
    key = 0
    for turn in range(begin, end):
        key ^= work[MARKS + work[TURN + turn]]
    limit = max(work[frame + BEST], work[frame + NEEDED])
    needed = limit - work[frame + SUM] - work[frame + REST]
    value = enter_layout_set(depth + 1, begin, end, key, needed, work, hints)
    if value == OPEN:
        return True
    add_group_value(frame, value, work)
    return False


def add_group_value(frame: int, value: int, work: IntArray) -> None:
    """Take the value of a group; give the cell up when it can no longer win what is needed."""
    work[frame + SUM] += value
    reach = work[frame + SUM] + work[frame + REST]
    if reach <= max(work[frame + BEST], work[frame + NEEDED]):
        work[frame + BOUND] = max(work[frame + BOUND], reach)
        work[frame + SUM] = -1
        work[frame + LEFT_OUT] = ALL


def sort_layouts_by_number(frame: int, cell: int, work: IntArray, hints: ByteArray) -> None:
    """Sort the layouts of a position by what a cell shows in them."""
    cells = work[CELLS_NOW]
    begin = work[frame + BEGIN]
    end = work[frame + END]
    for number in range(12):
        work[frame + BOUNDS + number] = 0
    for turn in range(begin, end):
        layout = work[TURN + turn]
        work[SORT + turn] = layout
        work[frame + BOUNDS + 1 + int(hints[layout * cells + cell])] += 1
    work[frame + BOUNDS] = begin
    for number in range(1, 11):
        work[frame + BOUNDS + number] += work[frame + BOUNDS + number - 1]
    # Filled from the ends, which are the beginnings in the end.
    for turn in range(begin, end):
        layout = work[SORT + turn]
        number = int(hints[layout * cells + cell])
        work[TURN + work[frame + BOUNDS + number]] = layout
        work[frame + BOUNDS + number] += 1
    for number in range(10, 0, -1):
        work[frame + BOUNDS + number] = work[frame + BOUNDS + number - 1]
    work[frame + BOUNDS] = begin
    work[frame + LEFT_OUT] = 0
    work[frame + SUM] = 0
    work[frame + REST] = work[frame + BOUNDS + LAST + 1] - begin
