"""Endgames of a block of few layouts, searched exactly: a position is a number with a bit for each.

What a cell can show parts the layouts of a block, and is kept as one set of bits for each number.
Two layouts that no cell tells apart, safe in both of them, are never both won: sorted into
classes of such layouts, a position wins no more than there are classes. Most positions are done
with by that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.player.kernels.list_layouts import BOMB
from demine.solver.player.kernels.offsets import (
    ALIVE,
    BLOCK_CELLS,
    BLOCK_FIRST,
    BLOCK_NAME,
    BLOCK_SAFE,
    BLOCK_WHICH,
    CELLS_NOW,
    GROUP_KEY,
    GROUP_MOST,
    GROUP_SET,
    MARKS,
    NODE,
    NODES,
    PARTS,
    SAME,
    SPENT,
    TELLS,
    TRIALS,
    TURN,
)
from demine.solver.player.kernels.position_memo import EXACT, keep_value, recall_value

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray

BLOCK = 62
"""The most layouts of a block: their bits are those of a number that is not negative."""

# Parts of a node.
SET = 0
KEY = 1
NEEDED = 2
"""The value is of use only if it is more."""
MOST = 3
"""What the value cannot exceed."""
TRIED = 4
TRIALS_NOW = 5
WINS = 6
WINS_CELL = 7
LESS = 8
"""What no cell that failed can exceed."""
TRIAL_SUM = 9
TRIAL_REST = 10
NEXT_GROUP = 11
GROUPS = 12


def form_block(begin: int, end: int, living: int, work: IntArray, hints: ByteArray) -> int:
    """Make a block of the layouts from `begin` to `end`; return them as bits, alike ones as one."""
    count = end - begin
    whole = (1 << count) - 1
    cells = work[CELLS_NOW]
    work[SPENT] += (count + 8) * work[living]
    for turn in range(count):
        work[BLOCK_NAME + turn] = work[MARKS + work[TURN + begin + turn]]
        work[TELLS + turn] = 0
        work[SAME + turn] = whole
    found = 0
    part = 0
    # Backwards: of cells alike the last stands for all.
    for index in range(living + work[living], living, -1):
        cell = work[index]
        for number in range(10):
            work[PARTS + part + number] = 0
        for turn in range(count):
            shown = int(hints[work[TURN + begin + turn] * cells + cell])
            work[PARTS + part + shown] |= 1 << turn
        mined = work[PARTS + part + BOMB]
        last = part
        for number in range(BOMB):
            if work[PARTS + part + number] != 0:
                work[PARTS + last] = work[PARTS + part + number]
                last += 1
        if last - part < 2:
            continue
        work[BLOCK_SAFE + found] = whole ^ mined
        work[BLOCK_FIRST + found] = part
        work[BLOCK_FIRST + found + 1] = last
        work[BLOCK_WHICH + found] = cell
        if splits_like_another(found, work):
            continue
        note_told_apart(found, mined, work)
        part = last
        found += 1
    work[BLOCK_CELLS] = found
    ones = 0
    for turn in range(count):
        same = work[SAME + turn]
        if same & -same == 1 << turn:
            ones |= 1 << turn
    return ones


def splits_like_another(at: int, work: IntArray) -> bool:
    """Whether another cell of the block parts it alike."""
    first = work[BLOCK_FIRST + at]
    size = work[BLOCK_FIRST + at + 1] - first
    for other in range(at):
        start = work[BLOCK_FIRST + other]
        if (
            work[BLOCK_SAFE + other] != work[BLOCK_SAFE + at]
            or work[BLOCK_FIRST + other + 1] - start != size
        ):
            continue
        part = 0
        while part < size and work[PARTS + start + part] == work[PARTS + first + part]:
            part += 1
        if part == size:
            return True
    return False


def note_told_apart(at: int, mined: int, work: IntArray) -> None:
    """Note for each layout which others a cell tells from it, and which are like it there."""
    safe = work[BLOCK_SAFE + at]
    for part in range(work[BLOCK_FIRST + at], work[BLOCK_FIRST + at + 1]):
        mask = work[PARTS + part]
        others = safe ^ mask
        left = mask
        while left != 0:
            turn = count_bits((left & -left) - 1)
            left &= left - 1
            work[TELLS + turn] |= others
            work[SAME + turn] &= mask
    left = mined
    while left != 0:
        turn = count_bits((left & -left) - 1)
        left &= left - 1
        work[SAME + turn] &= mined


def count_bits(number: int) -> int:
    """Return how many bits a number has."""
    found = 0
    while number != 0:
        number &= number - 1
        found += 1
    return found


def count_classes(mask: int, work: IntArray) -> int:
    """Return into how many classes of layouts that nothing tells apart a set was sorted."""
    found = 0
    while mask != 0:
        found += 1
        left = mask
        while left != 0:
            low = left & -left
            mask ^= low
            left &= ~(work[TELLS + count_bits(low - 1)] | low)
    return found


def solve_block(mask: int, key: int, needed: int, work: IntArray) -> int:
    """Return how many layouts of a set are won; if no more than `needed`, a bound of it.

    The cell to open is left in the first node, as its place in the block; -1 where none is better.
    """
    work[ALIVE] = work[BLOCK_CELLS]
    for at in range(work[BLOCK_CELLS]):
        work[ALIVE + 1 + at] = at
    depth = 0
    enter_node(0, mask, key, needed, count_classes(mask, work), work)
    while True:
        if advance_node(depth, work):
            depth += 1
            continue
        node = NODES + NODE * depth
        value: int = work[node + WINS]
        if value > work[node + NEEDED]:
            keep_value(work[node + KEY], value, EXACT, work)
        else:
            value = max(value, work[node + LESS])
            keep_value(work[node + KEY], value, 0, work)
        if depth == 0:
            return value
        depth -= 1
        add_node_value(NODES + NODE * depth, value, work)


def enter_node(depth: int, mask: int, key: int, needed: int, most: int, work: IntArray) -> None:
    """Begin with a position; its living cells are those of the node above, or all at the top."""
    node = NODES + NODE * depth
    work[node + SET] = mask
    work[node + KEY] = key
    work[node + NEEDED] = needed
    work[node + MOST] = most
    work[node + TRIED] = -1
    work[node + WINS] = 0
    work[node + WINS_CELL] = -1
    work[node + LESS] = 0
    work[node + TRIAL_SUM] = -1
    work[node + NEXT_GROUP] = 0
    work[node + GROUPS] = 0
    work[node + TRIALS_NOW] = 0
    list_trials_or_open_safe_cells(depth, work)


def list_trials_or_open_safe_cells(depth: int, work: IntArray) -> None:
    """List the living cells, and the safest first those to try; or open what is safe anyway."""
    node = NODES + NODE * depth
    mask = work[node + SET]
    above = ALIVE + 256 * max(depth - 1, 0)
    here = ALIVE + 256 * depth
    work[SPENT] += 2 * work[above] + 4
    alive = 0
    free = 0
    list_at = TRIALS + 256 * depth
    trials = 0
    for index in range(above + 1, above + 1 + work[above]):
        at = work[index]
        safe = mask & work[BLOCK_SAFE + at]
        if safe == 0:
            continue
        part = work[BLOCK_FIRST + at]
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
            # At the top, layouts alike count each.
            count = count_bits(safe if depth > 0 else work[BLOCK_SAFE + at])
            insert_trial((count << 8) | (255 - at), list_at, trials, work)
            trials += 1
    work[here] = alive
    if free > 0:
        open_free_cells(depth, free, work)
    elif trials == 0:
        work[node + WINS] = 1
    work[node + TRIALS_NOW] = trials if free == 0 else 0


def insert_trial(packed: int, list_at: int, size: int, work: IntArray) -> None:
    """Put a cell to try in its place: the safest first."""
    place = list_at + size
    while place > list_at and work[place - 1] < packed:
        work[place] = work[place - 1]
        place -= 1
    work[place] = packed


def open_free_cells(depth: int, free: int, work: IntArray) -> None:
    """Open all cells that are safe everywhere: the one thing to do with such a position."""
    node = NODES + NODE * depth
    list_at = TRIALS + 256 * depth
    groups = GROUP_SET + 64 * depth
    work[groups] = work[node + SET]
    found = 1
    for index in range(free):
        at = work[list_at + index]
        first = work[BLOCK_FIRST + at]
        last = work[BLOCK_FIRST + at + 1]
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
    value_groups(depth, found, work)


def open_trial_cell(depth: int, at: int, work: IntArray) -> None:
    """Open a cell of the block: the layouts part by what it shows."""
    node = NODES + NODE * depth
    groups = GROUP_SET + 64 * depth
    mask = work[node + SET]
    found = 0
    for part in range(work[BLOCK_FIRST + at], work[BLOCK_FIRST + at + 1]):
        both = mask & work[PARTS + part]
        if both != 0:
            work[groups + found] = both
            found += 1
    value_groups(depth, found, work)


def value_groups(depth: int, found: int, work: IntArray) -> None:
    """Find the value of each group that is easily told, and a bound for the others."""
    node = NODES + NODE * depth
    groups = GROUP_SET + 64 * depth
    keys = GROUP_KEY + 64 * depth
    bounds = GROUP_MOST + 64 * depth
    known = 0
    rest = 0
    kept = 0
    for group in range(found):
        mask = work[groups + group]
        if mask & (mask - 1) == 0:
            known += 1
            continue
        most = count_classes(mask, work)
        if most == 1:
            known += 1
            continue
        low = mask & -mask
        if mask ^ low == (mask ^ low) & -(mask ^ low):
            known += 2
            continue
        key = hash_of_layouts(mask, work)
        memo = recall_value(key, work)
        if memo >= 0:
            if memo & EXACT != 0:
                known += memo >> 1
                continue
            most = min(most, memo >> 1)
        work[groups + kept] = mask
        work[keys + kept] = key
        work[bounds + kept] = most
        kept += 1
        rest += most
    work[node + TRIAL_SUM] = known
    work[node + TRIAL_REST] = rest
    work[node + NEXT_GROUP] = 0
    work[node + GROUPS] = kept
    give_up_trial_if_hopeless(node, work)


def hash_of_layouts(mask: int, work: IntArray) -> int:
    """Return the name of a set of layouts: theirs, mixed."""
    key = 0
    while mask != 0:
        key ^= work[BLOCK_NAME + count_bits((mask & -mask) - 1)]
        mask &= mask - 1
    return key


def give_up_trial_if_hopeless(node: int, work: IntArray) -> None:
    """Give a cell up that can no longer win as much as is needed."""
    reach = work[node + TRIAL_SUM] + work[node + TRIAL_REST]
    if reach <= max(work[node + WINS], work[node + NEEDED]):
        work[node + LESS] = max(work[node + LESS], reach)
        work[node + TRIAL_SUM] = -1
        work[node + GROUPS] = 0


def add_node_value(node: int, value: int, work: IntArray) -> None:
    """Take the value of the group that was entered last."""
    work[node + TRIAL_SUM] += value
    give_up_trial_if_hopeless(node, work)


def advance_node(depth: int, work: IntArray) -> bool:
    """Go on with a position; return True where one below it was entered, False when it is done."""
    node = NODES + NODE * depth
    while True:
        group = work[node + NEXT_GROUP]
        if group < work[node + GROUPS]:
            work[node + NEXT_GROUP] += 1
            place = 64 * depth + group
            most = work[GROUP_MOST + place]
            work[node + TRIAL_REST] -= most
            limit = max(work[node + WINS], work[node + NEEDED])
            needed = limit - work[node + TRIAL_SUM] - work[node + TRIAL_REST]
            enter_node(
                depth + 1, work[GROUP_SET + place], work[GROUP_KEY + place], needed, most, work
            )
            return True
        if work[node + TRIAL_SUM] > work[node + WINS]:
            work[node + WINS] = work[node + TRIAL_SUM]
            if work[node + TRIED] >= 0:
                packed = work[TRIALS + 256 * depth + work[node + TRIED]]
                work[node + WINS_CELL] = 255 - (packed & 255)
            if work[node + WINS] == work[node + MOST]:
                return False
        work[node + TRIAL_SUM] = -1
        limit = max(work[node + WINS], work[node + NEEDED])
        while True:
            work[node + TRIED] += 1
            if work[node + TRIED] >= work[node + TRIALS_NOW]:
                return False
            at = 255 - (work[TRIALS + 256 * depth + work[node + TRIED]] & 255)
            safe = count_bits(work[node + SET] & work[BLOCK_SAFE + at])
            if safe > limit:
                break
            work[node + LESS] = max(work[node + LESS], safe)
        open_trial_cell(depth, at, work)
