"""The endgame searched exactly: the cell that wins most of the listed layouts.

A position is the set of layouts that are still possible. A cell that is safe in all of them and
shows different numbers costs nothing to open. A cell that can show only one number tells nothing;
if all cells are like that, just one layout can be won. Otherwise cells are tried, those first that
may win most.

A cell need not be tried if another is safe wherever it is: to open that one first loses nothing.
So with a cell all are opened at once that are then certainly safe, and the layouts fall into groups
in which they show the same. Sets of few layouts are left to `bitset_endgame`.

A cell here is an index into `ROW_CELL`. A position being searched has a frame, its children are the
groups of layouts after the cell tried.
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
from demine.solver.player.kernels.layout_rows import (
    CELLS_IN_WORD,
    MINES_IN_WORD,
    are_told_apart,
    count_classes,
    drop_equal_layouts,
    has_free_cell,
    hash_range,
    most_classes_after_one_cell,
    pack_layouts,
    scan_layouts,
)
from demine.solver.player.kernels.list_layouts import BOMB
from demine.solver.player.kernels.offsets import (
    ALWAYS_SAFE,
    BITSET_CELL,
    BITSET_CELL_COUNT,
    BUDGET,
    CANDIDATES,
    CELL_COUNT,
    FRAME_SIZE,
    FRAMES,
    GROUP_SIZE,
    GROUPS_WAITING,
    LAYOUT_COUNT,
    LAYOUT_ORDER,
    LIVING,
    MAX_DEPTH,
    MAX_WAITING,
    MEMO_MASK,
    MEMO_SIZE,
    MINE_WORDS,
    MINED,
    NAME_MINED,
    NODES,
    NUMBER_WORDS,
    RANGES,
    ROW_CELL,
    ROW_CELL_COUNT,
    ROW_SIZE,
    ROWS,
    SAFE_BESIDE,
    SEARCHES,
    SPENT,
    SPLIT_GROUPS,
    SPLIT_KNOWN,
    SPLIT_REST,
    TALLY,
    TELLING,
    TELLING_MINES,
    WAITING,
)
from demine.solver.player.kernels.position_memo import EXACT, recall_packed_value, store_value
from demine.solver.player.kernels.split_layouts import move_safe_layouts_first, split_layouts

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
OWN_KEY = 3
"""The hash of the layouts that are left after equal ones have been dropped."""
MUST_EXCEED = 4
"""The value matters only if it is more than this."""
UPPER_BOUND = 5
"""The value cannot exceed this."""
COUNT = 6
CANDIDATE = 7
BEST = 8
BEST_CELL = 9
FAILED_BOUND = 11
"""No cell that was given up can win more than this."""
LIMIT = 12
"""The cell being tried matters only if it wins more than this."""
SUM = 13
REST = 14
"""The bounds of the groups that have not been summed."""
FIRST_GROUP = 15
NEXT_GROUP = 16
PENDING = -2
"""Stands for a value that is not known yet."""
ALL_NUMBERS = 511
"""The numbers 0 to 8 as bits."""
ONE_MINE = 1024
"""What a mine adds to a tally, above the bits of the numbers."""
# Parts of a group that waits.
GROUP_BEGIN = 0
GROUP_END = 1
GROUP_NAME = 2
GROUP_MAXIMUM = 3


def search_endgame(work: IntArray, hints: ByteArray) -> PackedWinsAndCell:
    """Find the cell that wins most of the listed layouts, and how many; `BEYOND` over `BUDGET`.

    Of equal cells it is the safest, of those the last. The cell may be a certain one.
    """
    layouts = work[LAYOUT_COUNT]
    reset_search(layouts, work)
    tally_shown_numbers(layouts, work, hints)
    telling = list_telling_cells(work)
    if telling == 0:
        return (1 << 8) | safest_tallied_cell(layouts, work)
    if layouts <= MAX_BITSET_LAYOUTS:
        return search_small_endgame(layouts, work, hints)
    pack_layouts(layouts, telling, work, hints)
    value = value_or_enter_frame(0, 0, layouts, 0, layouts, 0, work, hints)
    if value != PENDING:
        return BEYOND
    depth = 0
    while work[SPENT] <= work[BUDGET] and depth < MAX_DEPTH - 1:
        if enter_next_child(depth, work, hints):
            depth += 1
            continue
        frame = FRAMES + FRAME_SIZE * depth
        value = work[frame + BEST]
        if depth == 0:
            found: int = (value << 8) | work[ROW_CELL + work[frame + BEST_CELL]]
            return found
        exact = EXACT
        if value <= work[frame + MUST_EXCEED]:
            value = max(value, work[frame + FAILED_BOUND])
            exact = 0
        store_value(work[frame + KEY], value, exact, work)
        if work[frame + OWN_KEY] != work[frame + KEY]:
            store_value(work[frame + OWN_KEY], value, exact, work)
        depth -= 1
        add_group_value(frame - FRAME_SIZE, value, work)
    return BEYOND


def reset_search(layout_count: int, work: IntArray) -> None:
    """Prepare a search of all listed layouts, and forget what was found before."""
    work[SEARCHES] += 1
    work[SPENT] = 0
    work[GROUPS_WAITING] = 0
    size = 256
    while size < MEMO_SIZE and size < 64 * layout_count:
        size *= 2
    work[MEMO_MASK] = size - 1
    for layout in range(layout_count):
        work[LAYOUT_ORDER + layout] = layout


def tally_shown_numbers(layout_count: int, work: IntArray, hints: ByteArray) -> None:
    """Tally for each cell which numbers it shows, as bits, and above them how often a mine."""
    cells = work[CELL_COUNT]
    work[SPENT] += layout_count * cells
    for at in range(cells):
        work[TALLY + at] = 0
    for layout in range(layout_count):
        for at in range(cells):
            shown = int(hints[layout * cells + at])
            seen = work[TALLY + at] | (1 << shown)
            work[TALLY + at] = seen + (ONE_MINE if shown == BOMB else 0)


def list_telling_cells(work: IntArray) -> int:
    """List the cells that may show several numbers in `ROW_CELL`; return how many."""
    found = 0
    for at in range(work[CELL_COUNT]):
        kinds = work[TALLY + at] & ALL_NUMBERS
        if kinds & (kinds - 1) != 0:
            work[ROW_CELL + found] = at
            found += 1
    return found


def safest_tallied_cell(layout_count: int, work: IntArray) -> int:
    """Return the index in `CELLS` of the cell that is safe in most layouts."""
    best = 0
    fewest = layout_count + 1
    for at in range(work[CELL_COUNT]):
        if work[TALLY + at] // ONE_MINE < fewest:
            fewest = work[TALLY + at] // ONE_MINE
            best = at
    return best


def search_small_endgame(layout_count: int, work: IntArray, hints: ByteArray) -> PackedWinsAndCell:
    """Find the best cell if all listed layouts fit into a bit set."""
    work[LIVING] = work[CELL_COUNT]
    for at in range(work[CELL_COUNT]):
        work[LIVING + 1 + at] = at
    ones = build_bitset(0, layout_count, LIVING, work, hints)
    value = search_bitset(ones, 0, 0, work)
    found: int = (value << 8) | work[BITSET_CELL + work[NODES + WINS_CELL]]
    return found


def value_or_enter_frame(
    depth: int,
    begin: int,
    end: int,
    key: int,
    upper_bound: int,
    must_exceed: int,
    work: IntArray,
    hints: ByteArray,
) -> ValueOrPending:
    """Return how many layouts of a position are won, or enter a frame to search it.

    The position is the layouts from `begin` to `end` in `LAYOUT_ORDER`, `key` is its hash. If its
    value does not exceed `must_exceed`, it may be an upper bound.
    """
    if not scan_layouts(begin, end, work):
        return 1
    end = drop_equal_layouts(begin, end, work)
    own_key = hash_range(begin, end, work)
    if depth > 0:
        memo = recall_packed_value(own_key, work)
        if memo >= 0 and (memo & EXACT != 0 or memo >> 1 <= must_exceed):
            store_value(key, memo >> 1, memo & EXACT, work)
            return memo >> 1
        if end - begin <= MAX_BITSET_LAYOUTS:
            value = bitset_value_or_bound(begin, end, must_exceed, work, hints)
            store_value(key, value, EXACT if value > must_exceed else 0, work)
            return value
    frame = FRAMES + FRAME_SIZE * depth
    work[frame + BEGIN] = begin
    work[frame + END] = end
    work[frame + KEY] = key
    work[frame + OWN_KEY] = own_key
    work[frame + MUST_EXCEED] = must_exceed
    work[frame + UPPER_BOUND] = min(upper_bound, end - begin)
    work[frame + COUNT] = 0
    work[frame + CANDIDATE] = -1
    work[frame + BEST] = 0
    work[frame + BEST_CELL] = 0
    work[frame + FAILED_BOUND] = 0
    work[frame + FIRST_GROUP] = work[GROUPS_WAITING]
    work[frame + LIMIT] = must_exceed
    if has_free_cell(work):
        work[frame + BEST_CELL] = last_free_cell(work)
        open_cells_in(frame, begin, end, work)
    else:
        list_trials(depth, work)
        work[frame + SUM] = -1
        work[frame + NEXT_GROUP] = work[GROUPS_WAITING]
    return PENDING


def last_free_cell(work: IntArray) -> int:
    """Return the last cell that tells something and is safe in all layouts."""
    found = 0
    for index in range(work[ROW_CELL_COUNT]):
        word, shift = index // CELLS_IN_WORD, 4 * (index % CELLS_IN_WORD)
        if (work[TELLING + word] & work[ALWAYS_SAFE + word]) >> shift & 1 != 0:
            found = index
    return found


def bitset_value_or_bound(
    begin: int, end: int, must_exceed: int, work: IntArray, hints: ByteArray
) -> ValueOrBound:
    """Return the value of a few layouts, scanned last, searched as a bit set."""
    living = 0
    for index in range(work[ROW_CELL_COUNT]):
        if work[TELLING + index // CELLS_IN_WORD] >> 4 * (index % CELLS_IN_WORD) & 1 != 0:
            living += 1
            work[LIVING + living] = work[ROW_CELL + index]
    work[LIVING] = living
    ones = build_bitset(begin, end, LIVING, work, hints)
    if work[BITSET_CELL_COUNT] == 0:
        return 1
    key = hash_layouts(ones, work)
    memo = recall_packed_value(key, work)
    if memo >= 0 and (memo & EXACT != 0 or memo >> 1 <= must_exceed):
        return memo >> 1
    return search_bitset(ones, key, must_exceed, work)


def list_trials(depth: int, work: IntArray) -> None:
    """List the cells worth trying in a frame, each with how many layouts it may win at most."""
    frame = FRAMES + FRAME_SIZE * depth
    begin = work[frame + BEGIN]
    end = work[frame + END]
    tally_mines(begin, end, work)
    found = list_undominated_cells(depth, work)
    classes = count_classes(begin, end, work)
    most_classes_after_one_cell(classes, work)
    list_at = CANDIDATES + 256 * depth
    for turn in range(list_at, list_at + found):
        work[turn] |= (classes - work[NAME_MINED + work[turn]]) << 8
    work[frame + COUNT] = found


def tally_mines(begin: int, end: int, work: IntArray) -> None:
    """Count for each telling cell the layouts in which it is a mine, and note what is safe there.

    `SAFE_BESIDE` has bits for the cells that are safe in one of those layouts.
    """
    size = work[ROW_SIZE]
    first = ROWS + 2 * work[NUMBER_WORDS]
    mine_words = work[MINE_WORDS]
    work[SPENT] += 8 * (end - begin)
    for word in range(mine_words):
        work[TELLING_MINES + word] = 0
    for index in range(work[ROW_CELL_COUNT]):
        work[MINED + index] = 0
        for word in range(mine_words):
            work[SAFE_BESIDE + mine_words * index + word] = 0
        telling = work[TELLING + index // CELLS_IN_WORD] >> 4 * (index % CELLS_IN_WORD) & 1
        work[TELLING_MINES + index // MINES_IN_WORD] |= telling << index % MINES_IN_WORD
    for turn in range(LAYOUT_ORDER + begin, LAYOUT_ORDER + end):
        row = first + size * work[turn]
        for word in range(mine_words):
            left = work[row + word] & work[TELLING_MINES + word]
            while left != 0:
                index = MINES_IN_WORD * word + count_bits((left & -left) - 1)
                left &= left - 1
                work[MINED + index] += 1
                for other in range(mine_words):
                    work[SAFE_BESIDE + mine_words * index + other] |= ~work[row + other]


def list_undominated_cells(depth: int, work: IntArray) -> int:
    """List the telling cells, the safest first, less those that another is safer than.

    Return how many. A cell is left out if another is safe in all layouts in which it is, of equal
    ones all but the last. In the first frame equal layouts count one by one.
    """
    list_at = CANDIDATES + 256 * depth
    mine_words = work[MINE_WORDS]
    found = 0
    for index in range(work[ROW_CELL_COUNT]):
        if work[TELLING + index // CELLS_IN_WORD] >> 4 * (index % CELLS_IN_WORD) & 1 == 0:
            continue
        mined = work[MINED + index]
        if depth == 0:
            mined = work[TALLY + work[ROW_CELL + index]] // ONE_MINE
        packed = (mined << 8) | (255 - index)
        place = list_at + found
        while place > list_at and work[place - 1] > packed:
            work[place] = work[place - 1]
            place -= 1
        work[place] = packed
        found += 1
    kept = 0
    for turn in range(found):
        index = 255 - (work[list_at + turn] & 255)
        word, bit = index // MINES_IN_WORD, index % MINES_IN_WORD
        other = 0
        while (
            other < kept
            and work[SAFE_BESIDE + mine_words * work[list_at + other] + word] >> bit & 1 != 0
        ):
            other += 1
        if other == kept:
            work[list_at + kept] = index
            kept += 1
    return kept


def open_safe_cells(begin: int, end: int, work: IntArray) -> None:
    """Open, over and over, all cells that are safe in the layouts of a range.

    The groups are left in which no cell is free. Those whose value is known are added up in
    `SPLIT_KNOWN`, the others wait, with bounds that add up to `SPLIT_REST`.
    """
    known = 0
    rest = 0
    work[RANGES] = begin
    work[RANGES + 1] = end
    top = 1
    while top > 0:
        top -= 1
        first = work[RANGES + 2 * top]
        last = work[RANGES + 2 * top + 1]
        if last - first <= 2:
            known += value_of_one_or_two(first, last, work)
        elif not scan_layouts(first, last, work):
            known += 1
        elif has_free_cell(work):
            split_layouts(first, last, work)
            for group in range(work[SPLIT_GROUPS]):
                work[RANGES + 2 * top] = first
                first += work[GROUP_SIZE + group]
                work[RANGES + 2 * top + 1] = first
                top += 1
        else:
            key = hash_range(first, last, work)
            memo = recall_packed_value(key, work)
            bound = memo >> 1 if memo >= 0 else bound_of_layouts(first, last, work)
            if bound == 1 or (memo >= 0 and memo & EXACT != 0):
                known += bound
            else:
                rest += bound
                add_waiting_group(first, last, key, bound, work)
    work[SPLIT_KNOWN] = known
    work[SPLIT_REST] = rest


def bound_of_layouts(begin: int, end: int, work: IntArray) -> int:
    """Return an upper bound of the value of a scanned position in which no cell is free."""
    classes = count_classes(begin, end, work)
    return most_classes_after_one_cell(classes, work) if classes > 1 else 1


def value_of_one_or_two(begin: int, end: int, work: IntArray) -> int:
    """Return how many of one or two layouts are won."""
    if end - begin == 1:
        return 1
    layout, other = work[LAYOUT_ORDER + begin], work[LAYOUT_ORDER + begin + 1]
    return 2 if are_told_apart(layout, other, work) else 1


def add_waiting_group(begin: int, end: int, key: int, bound: int, work: IntArray) -> None:
    """Add a group to those that wait; the search ends if there are too many."""
    if work[GROUPS_WAITING] == MAX_WAITING:
        work[SPENT] = work[BUDGET] + 1
        return
    place = WAITING + 4 * work[GROUPS_WAITING]
    work[place + GROUP_BEGIN] = begin
    work[place + GROUP_END] = end
    work[place + GROUP_NAME] = key
    work[place + GROUP_MAXIMUM] = bound
    work[GROUPS_WAITING] += 1


def open_cells_in(frame_begin: int, begin: int, end: int, work: IntArray) -> None:
    """Open all cells that are safe in a range of layouts, and list the groups of the frame."""
    work[GROUPS_WAITING] = work[frame_begin + FIRST_GROUP]
    open_safe_cells(begin, end, work)
    sort_waiting_groups(work[frame_begin + FIRST_GROUP], work)
    work[frame_begin + SUM] = work[SPLIT_KNOWN]
    work[frame_begin + REST] = work[SPLIT_REST]
    work[frame_begin + NEXT_GROUP] = work[frame_begin + FIRST_GROUP]


def sort_waiting_groups(first: int, work: IntArray) -> None:
    """Sort the last groups that wait, the smallest first."""
    for group in range(first + 1, work[GROUPS_WAITING]):
        place = WAITING + 4 * group
        begin, end = work[place + GROUP_BEGIN], work[place + GROUP_END]
        key, bound = work[place + GROUP_NAME], work[place + GROUP_MAXIMUM]
        while place > WAITING + 4 * first and work[place - 3] - work[place - 4] > end - begin:
            for part in range(4):
                work[place + part] = work[place - 4 + part]
            place -= 4
        work[place + GROUP_BEGIN] = begin
        work[place + GROUP_END] = end
        work[place + GROUP_NAME] = key
        work[place + GROUP_MAXIMUM] = bound


def enter_next_child(depth: int, work: IntArray, hints: ByteArray) -> bool:
    """Go on with a position until a child is entered: True; False if the position is done."""
    frame = FRAMES + FRAME_SIZE * depth
    while True:
        while work[frame + SUM] >= 0 and work[frame + NEXT_GROUP] < work[GROUPS_WAITING]:
            if enter_next_group(depth, work, hints):
                return True
        take_value_of_trial(depth, work)
        work[GROUPS_WAITING] = work[frame + FIRST_GROUP]
        if not begin_next_trial(depth, work):
            return False


def enter_next_group(depth: int, work: IntArray, hints: ByteArray) -> bool:
    """Evaluate the next group of layouts; return whether a frame was entered for it."""
    frame = FRAMES + FRAME_SIZE * depth
    place = WAITING + 4 * work[frame + NEXT_GROUP]
    work[frame + NEXT_GROUP] += 1
    bound = work[place + GROUP_MAXIMUM]
    work[frame + REST] -= bound
    must_exceed = work[frame + LIMIT] - work[frame + SUM] - work[frame + REST]
    value = bound
    if bound > must_exceed:
        value = value_or_enter_frame(
            depth + 1,
            work[place + GROUP_BEGIN],
            work[place + GROUP_END],
            work[place + GROUP_NAME],
            bound,
            must_exceed,
            work,
            hints,
        )
    if value == PENDING:
        return True
    add_group_value(frame, value, work)
    return False


def add_group_value(frame_begin: int, value: int, work: IntArray) -> None:
    """Add the value of a group, and give up the cell if it can no longer win enough."""
    work[frame_begin + SUM] += value
    reach = work[frame_begin + SUM] + work[frame_begin + REST]
    if reach <= work[frame_begin + LIMIT]:
        work[frame_begin + FAILED_BOUND] = max(work[frame_begin + FAILED_BOUND], reach)
        work[frame_begin + SUM] = -1


def take_value_of_trial(depth: int, work: IntArray) -> None:
    """Keep the cell that was tried if it is the best so far."""
    frame = FRAMES + FRAME_SIZE * depth
    if work[frame + SUM] < 0 or work[frame + SUM] <= work[frame + LIMIT]:
        work[frame + FAILED_BOUND] = max(work[frame + FAILED_BOUND], work[frame + SUM])
        return
    work[frame + BEST] = work[frame + SUM]
    if work[frame + CANDIDATE] >= 0:
        packed = work[CANDIDATES + 256 * depth + work[frame + CANDIDATE]]
        work[frame + BEST_CELL] = packed & 255


def begin_next_trial(depth: int, work: IntArray) -> bool:
    """Open the next cell that may win enough; return whether there is one."""
    frame = FRAMES + FRAME_SIZE * depth
    limit = max(work[frame + BEST], work[frame + MUST_EXCEED])
    work[frame + LIMIT] = limit
    begin = work[frame + BEGIN]
    if work[frame + BEST] == work[frame + UPPER_BOUND]:
        return False
    while True:
        work[frame + CANDIDATE] += 1
        if work[frame + CANDIDATE] >= work[frame + COUNT]:
            work[GROUPS_WAITING] = work[frame + FIRST_GROUP]
            return False
        packed = work[CANDIDATES + 256 * depth + work[frame + CANDIDATE]]
        reach = packed >> 8
        if reach > limit:
            middle = move_safe_layouts_first(begin, work[frame + END], packed & 255, work)
            open_cells_in(frame, begin, middle, work)
            reach = work[frame + SUM] + work[frame + REST]
            if reach > limit:
                return True
        work[frame + FAILED_BOUND] = max(work[frame + FAILED_BOUND], reach)
