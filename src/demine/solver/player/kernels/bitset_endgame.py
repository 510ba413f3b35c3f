"""Endgames of up to 62 layouts, searched exactly as bit sets: a position has a bit for each layout.

What a cell can show splits the layouts into parts, a bit set for each number. Two layouts that no
cell distinguishes while it is safe in both are never both won. So a position wins no more than the
number of classes that its layouts fall into, and most positions are settled by that bound.

A cell here is an index into the `BITSET_` arrays. A position being searched has a node; its
children are the groups that it splits into.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.player.kernels.list_layouts import BOMB
from demine.solver.player.kernels.offsets import (
    ALIVE,
    BITSET_CELL,
    BITSET_CELL_COUNT,
    BITSET_FIRST_PART,
    BITSET_HASH,
    BITSET_SAFE,
    CELL_COUNT,
    GROUP_BOUND,
    GROUP_KEY,
    GROUP_LAYOUTS,
    INDISTINCT,
    LAYOUT_ORDER,
    NODE_SIZE,
    NODES,
    PARTS,
    RANDOM_HASHES,
    SPENT,
    TOLD_APART,
    TRIALS,
)
from demine.solver.player.kernels.position_memo import EXACT, recall_packed_value, store_value

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray
    from demine.solver.player.kernels.return_types import LayoutBits, ValueOrBound

MAX_BITSET_LAYOUTS = 62
"""The bits of so many layouts make a 64-bit number that is not negative."""

# Parts of a node.
LAYOUT_SET = 0
KEY = 1
MUST_EXCEED = 2
"""The value matters only if it is more than this."""
UPPER_BOUND = 3
"""The value cannot exceed this."""
TRIAL = 4
TRIAL_COUNT = 5
WINS = 6
WINS_CELL = 7
FAILED_BOUND = 8
"""No cell that was given up can win more than this."""
TRIAL_SUM = 9
TRIAL_REST_BOUND = 10
NEXT_GROUP = 11
GROUP_COUNT = 12


def build_bitset(begin: int, end: int, living: int, work: IntArray, hints: ByteArray) -> LayoutBits:
    """Make a bit set of the layouts from `begin` to `end`, less those that equal an earlier one.

    Two are equal if no cell shows different things in them. Cells that can show only one number, or
    that split the layouts like another cell, are left out.
    """
    count = end - begin
    whole = (1 << count) - 1
    cells = work[CELL_COUNT]
    work[SPENT] += (count + 8) * work[living]
    for turn in range(count):
        work[BITSET_HASH + turn] = work[RANDOM_HASHES + work[LAYOUT_ORDER + begin + turn]]
        work[TOLD_APART + turn] = 0
        work[INDISTINCT + turn] = whole
    found = 0
    part = 0
    # Backwards, so that of equal cells the last is kept.
    for index in range(living + work[living], living, -1):
        cell = work[index]
        for number in range(10):
            work[PARTS + part + number] = 0
        for turn in range(count):
            shown = int(hints[work[LAYOUT_ORDER + begin + turn] * cells + cell])
            work[PARTS + part + shown] |= 1 << turn
        mined = work[PARTS + part + BOMB]
        last = part
        for number in range(BOMB):
            if work[PARTS + part + number] != 0:
                work[PARTS + last] = work[PARTS + part + number]
                last += 1
        if last - part < 2:
            continue
        work[BITSET_SAFE + found] = whole ^ mined
        work[BITSET_FIRST_PART + found] = part
        work[BITSET_FIRST_PART + found + 1] = last
        work[BITSET_CELL + found] = cell
        if splits_like_earlier_cell(found, work):
            continue
        note_distinguished_layouts(found, mined, work)
        part = last
        found += 1
    work[BITSET_CELL_COUNT] = found
    ones = 0
    for turn in range(count):
        same = work[INDISTINCT + turn]
        if same & -same == 1 << turn:
            ones |= 1 << turn
    return ones


def splits_like_earlier_cell(index: int, work: IntArray) -> bool:
    """Return whether an earlier cell splits the layouts into the same parts."""
    first = work[BITSET_FIRST_PART + index]
    size = work[BITSET_FIRST_PART + index + 1] - first
    for other in range(index):
        start = work[BITSET_FIRST_PART + other]
        if (
            work[BITSET_SAFE + other] != work[BITSET_SAFE + index]
            or work[BITSET_FIRST_PART + other + 1] - start != size
        ):
            continue
        part = 0
        while part < size and work[PARTS + start + part] == work[PARTS + first + part]:
            part += 1
        if part == size:
            return True
    return False


def note_distinguished_layouts(index: int, mined_mask: LayoutBits, work: IntArray) -> None:
    """Note for each layout which others a cell distinguishes from it, and which it does not."""
    safe = work[BITSET_SAFE + index]
    for part in range(work[BITSET_FIRST_PART + index], work[BITSET_FIRST_PART + index + 1]):
        mask = work[PARTS + part]
        others = safe ^ mask
        left = mask
        while left != 0:
            turn = count_bits((left & -left) - 1)
            left &= left - 1
            work[TOLD_APART + turn] |= others
            work[INDISTINCT + turn] &= mask
    left = mined_mask
    while left != 0:
        turn = count_bits((left & -left) - 1)
        left &= left - 1
        work[INDISTINCT + turn] &= mined_mask


def count_bits(number: int) -> int:
    """Return how many bits of a number are set."""
    found = 0
    while number != 0:
        number &= number - 1
        found += 1
    return found


def count_indistinguishable_classes(mask: LayoutBits, work: IntArray) -> int:
    """Return how many classes of layouts, which no cell tells apart, a set falls into.

    No more than one layout of each class can be won.
    """
    found = 0
    while mask != 0:
        found += 1
        left = mask
        while left != 0:
            low = left & -left
            mask ^= low
            left &= ~(work[TOLD_APART + count_bits(low - 1)] | low)
    return found


def search_bitset(mask: LayoutBits, key: int, must_exceed: int, work: IntArray) -> ValueOrBound:
    """Return how many layouts of a set are won, and store it.

    The best cell is left in the first node, -1 if none wins more than `must_exceed`.
    """
    work[ALIVE] = work[BITSET_CELL_COUNT]
    for cell in range(work[BITSET_CELL_COUNT]):
        work[ALIVE + 1 + cell] = cell
    depth = 0
    enter_node(0, mask, key, must_exceed, count_indistinguishable_classes(mask, work), work)
    while True:
        if enter_next_child_node(depth, work):
            depth += 1
            continue
        node = NODES + NODE_SIZE * depth
        value: int = work[node + WINS]
        if value > work[node + MUST_EXCEED]:
            store_value(work[node + KEY], value, EXACT, work)
        else:
            value = max(value, work[node + FAILED_BOUND])
            store_value(work[node + KEY], value, 0, work)
        if depth == 0:
            return value
        depth -= 1
        add_group_value_to_node(NODES + NODE_SIZE * depth, value, work)


def enter_node(
    depth: int, mask: LayoutBits, key: int, must_exceed: int, upper_bound: int, work: IntArray
) -> None:
    """Begin a position. Its living cells are found among those of its parent."""
    node = NODES + NODE_SIZE * depth
    work[node + LAYOUT_SET] = mask
    work[node + KEY] = key
    work[node + MUST_EXCEED] = must_exceed
    work[node + UPPER_BOUND] = upper_bound
    work[node + TRIAL] = -1
    work[node + WINS] = 0
    work[node + WINS_CELL] = -1
    work[node + FAILED_BOUND] = 0
    work[node + TRIAL_SUM] = -1
    work[node + NEXT_GROUP] = 0
    work[node + GROUP_COUNT] = 0
    work[node + TRIAL_COUNT] = 0
    list_trials_or_open_safe_cells(depth, work)


def list_trials_or_open_safe_cells(depth: int, work: IntArray) -> None:
    """List the living cells and, safest first, those to try; or open the cells that are free."""
    node = NODES + NODE_SIZE * depth
    mask = work[node + LAYOUT_SET]
    above = ALIVE + 256 * max(depth - 1, 0)
    here = ALIVE + 256 * depth
    work[SPENT] += 2 * work[above] + 4
    alive = 0
    free = 0
    list_at = TRIALS + 256 * depth
    trials = 0
    for index in range(above + 1, above + 1 + work[above]):
        at = work[index]
        safe = mask & work[BITSET_SAFE + at]
        if safe == 0:
            continue
        part = work[BITSET_FIRST_PART + at]
        while safe & work[PARTS + part] == 0:
            part += 1
        if safe & work[PARTS + part] == safe:
            continue
        work[here + 1 + alive] = at
        alive += 1
        if safe == mask:
            work[list_at + free] = at
            free += 1
        elif free == 0:
            # In the first position, indistinguishable layouts count one by one.
            count = count_bits(safe if depth > 0 else work[BITSET_SAFE + at])
            insert_trial((count << 8) | (255 - at), list_at, trials, work)
            trials += 1
    work[here] = alive
    if free > 0:
        open_free_cells(depth, free, work)
    elif trials == 0:
        work[node + WINS] = 1
    work[node + TRIAL_COUNT] = trials if free == 0 else 0


def insert_trial(packed: int, list_begin: int, list_size: int, work: IntArray) -> None:
    """Insert a cell into a list of trials, sorted from the largest packed value."""
    place = list_begin + list_size
    while place > list_begin and work[place - 1] < packed:
        work[place] = work[place - 1]
        place -= 1
    work[place] = packed


def open_free_cells(depth: int, free_count: int, work: IntArray) -> None:
    """Open all listed cells that are safe in every layout: always the best thing to do."""
    node = NODES + NODE_SIZE * depth
    list_at = TRIALS + 256 * depth
    groups = GROUP_LAYOUTS + 64 * depth
    work[groups] = work[node + LAYOUT_SET]
    found = 1
    for index in range(free_count):
        at = work[list_at + index]
        first = work[BITSET_FIRST_PART + at]
        last = work[BITSET_FIRST_PART + at + 1]
        for group in range(found):
            mask = work[groups + group]
            if mask & (mask - 1) == 0:
                continue
            once = False
            for part in range(first, last):
                both = mask & work[PARTS + part]
                if both == 0:
                    continue
                if once:
                    work[groups + found] = both
                    found += 1
                else:
                    work[groups + group] = both
                    once = True
    work[node + WINS_CELL] = work[list_at]
    evaluate_groups(depth, found, work)


def open_trial_cell(depth: int, index: int, work: IntArray) -> None:
    """Open a cell: the layouts split by what it shows."""
    node = NODES + NODE_SIZE * depth
    groups = GROUP_LAYOUTS + 64 * depth
    mask = work[node + LAYOUT_SET]
    found = 0
    for part in range(work[BITSET_FIRST_PART + index], work[BITSET_FIRST_PART + index + 1]):
        both = mask & work[PARTS + part]
        if both != 0:
            work[groups + found] = both
            found += 1
    evaluate_groups(depth, found, work)


def evaluate_groups(depth: int, group_count: int, work: IntArray) -> None:
    """Add up the groups whose values are known, and list the others with an upper bound."""
    node = NODES + NODE_SIZE * depth
    groups = GROUP_LAYOUTS + 64 * depth
    keys = GROUP_KEY + 64 * depth
    bounds = GROUP_BOUND + 64 * depth
    known = 0
    rest = 0
    kept = 0
    for group in range(group_count):
        mask = work[groups + group]
        if mask & (mask - 1) == 0:
            known += 1
            continue
        bound = count_indistinguishable_classes(mask, work)
        if bound == 1:
            known += 1
            continue
        low = mask & -mask
        if mask ^ low == (mask ^ low) & -(mask ^ low):
            known += 2
            continue
        key = hash_layouts(mask, work)
        memo = recall_packed_value(key, work)
        if memo >= 0:
            if memo & EXACT != 0:
                known += memo >> 1
                continue
            bound = min(bound, memo >> 1)
        work[groups + kept] = mask
        work[keys + kept] = key
        work[bounds + kept] = bound
        kept += 1
        rest += bound
    work[node + TRIAL_SUM] = known
    work[node + TRIAL_REST_BOUND] = rest
    work[node + NEXT_GROUP] = 0
    work[node + GROUP_COUNT] = kept
    give_up_trial_if_hopeless(node, work)


def hash_layouts(mask: LayoutBits, work: IntArray) -> int:
    """Return the hash of a set of layouts."""
    key = 0
    while mask != 0:
        key ^= work[BITSET_HASH + count_bits((mask & -mask) - 1)]
        mask &= mask - 1
    return key


def give_up_trial_if_hopeless(node_begin: int, work: IntArray) -> None:
    """Give up the cell being tried if it can no longer win enough."""
    reach = work[node_begin + TRIAL_SUM] + work[node_begin + TRIAL_REST_BOUND]
    if reach <= max(work[node_begin + WINS], work[node_begin + MUST_EXCEED]):
        work[node_begin + FAILED_BOUND] = max(work[node_begin + FAILED_BOUND], reach)
        work[node_begin + TRIAL_SUM] = -1
        work[node_begin + GROUP_COUNT] = 0


def add_group_value_to_node(node_begin: int, value: int, work: IntArray) -> None:
    """Add the value of the group entered last, and give up the cell if it is hopeless."""
    work[node_begin + TRIAL_SUM] += value
    give_up_trial_if_hopeless(node_begin, work)


def enter_next_child_node(depth: int, work: IntArray) -> bool:
    """Go on with a position until a child is entered: True; False if the position is done."""
    node = NODES + NODE_SIZE * depth
    while True:
        group = work[node + NEXT_GROUP]
        if group < work[node + GROUP_COUNT]:
            work[node + NEXT_GROUP] += 1
            place = 64 * depth + group
            upper_bound = work[GROUP_BOUND + place]
            work[node + TRIAL_REST_BOUND] -= upper_bound
            limit = max(work[node + WINS], work[node + MUST_EXCEED])
            must_exceed = limit - work[node + TRIAL_SUM] - work[node + TRIAL_REST_BOUND]
            enter_node(
                depth + 1,
                work[GROUP_LAYOUTS + place],
                work[GROUP_KEY + place],
                must_exceed,
                upper_bound,
                work,
            )
            return True
        if work[node + TRIAL_SUM] > work[node + WINS]:
            work[node + WINS] = work[node + TRIAL_SUM]
            if work[node + TRIAL] >= 0:
                packed = work[TRIALS + 256 * depth + work[node + TRIAL]]
                work[node + WINS_CELL] = 255 - (packed & 255)
            if work[node + WINS] == work[node + UPPER_BOUND]:
                return False
        work[node + TRIAL_SUM] = -1
        limit = max(work[node + WINS], work[node + MUST_EXCEED])
        while True:
            work[node + TRIAL] += 1
            if work[node + TRIAL] >= work[node + TRIAL_COUNT]:
                return False
            at = 255 - (work[TRIALS + 256 * depth + work[node + TRIAL]] & 255)
            safe = count_bits(work[node + LAYOUT_SET] & work[BITSET_SAFE + at])
            if safe > limit:
                break
            work[node + FAILED_BOUND] = max(work[node + FAILED_BOUND], safe)
        open_trial_cell(depth, at, work)
