"""The states of each component, and in how many ways each of them is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import (
    AFTER,
    AHEAD,
    BEFORE,
    BEYOND,
    COUNT,
    END,
    FIRST,
    FIRST_SLOTS,
    FREE,
    HASH,
    LAYER,
    LEFT,
    LOW_31,
    MINES,
    MOVE,
    MOVED,
    MOVES,
    NEED,
    NO_WAY,
    NUMBERS,
    ORDER,
    PART,
    PART_END,
    PLACE,
    SECOND,
    SHIFT,
    SIZE,
    SLOT,
    SLOTS,
    SPACE,
    STAMP,
    STATES,
    TABLE,
)
from demine.solver.exact.kernels.ways_in_box import WAYS

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray
    from demine.solver.exact.kernels.offsets import CountOrBeyond, EndOrBeyond


def find_states(
    component_count: int, left_out: int, work: IntArray, values: FloatArray
) -> EndOrBeyond:
    """Find the states and moves of all components, and in how many ways each state is reached.

    The component `left_out`, -1 for none, has the last turns and can be added afterwards. Returns
    the end of the states, `NO_WAY` if the numbers contradict each other, or `BEYOND`.
    """
    end = 0
    work[MOVE] = 0
    for component in range(component_count):
        if component != left_out:
            end = find_states_of_component(component, end, work, values)
            if end < 0:
                return end
    return end


def find_states_of_component(
    component: int, begin: int, work: IntArray, values: FloatArray
) -> EndOrBeyond:
    """Find the states of a component, from `begin` on, behind those of all earlier turns.

    Returns what `find_states` does.
    """
    if begin >= STATES:
        return BEYOND
    work[FIRST + begin] = 0
    work[SECOND + begin] = 0
    values[AHEAD + begin] = 1.0
    turn = work[PART + component]
    free_count = assign_number_bits(work[ORDER + turn], free_all_bits(work), begin, begin + 1, work)
    if free_count < 0:
        return BEYOND
    work[BEFORE + turn] = begin
    work[AFTER + turn] = begin + 1
    return decide_boxes(turn, work[PART_END + component], free_count, work, values)


def find_states_with_one_more_mine(
    component: int, name: int, work: IntArray, values: FloatArray
) -> EndOrBeyond:
    """Find the states of a component again, one of whose numbers needs one mine more than before.

    Those before the first box that the number touches are kept. Returns what `find_states` does.
    """
    turn = work[PART + component]
    free_count = assign_number_bits(work[ORDER + turn], free_all_bits(work), 0, 0, work)
    while work[SLOT + name] < 0:
        free_count = free_number_bits(work[ORDER + turn], free_count, work)
        turn += 1
        free_count = assign_number_bits(work[ORDER + turn], free_count, 0, 0, work)
    slot = work[SLOT + name]
    for state in range(work[BEFORE + turn], work[AFTER + turn]):
        if slot < FIRST_SLOTS:
            work[FIRST + state] += 1 << 4 * slot
        else:
            work[SECOND + state] += 1 << 4 * (slot - FIRST_SLOTS)
    return decide_boxes(turn, work[PART_END + component], free_count, work, values)


def decide_boxes(
    turn: int, last: int, free_count: int, work: IntArray, values: FloatArray
) -> EndOrBeyond:
    """Decide the boxes of a component from a turn on, whose numbers have their bits, up to `last`.

    Returns what `find_states` does.
    """
    while True:
        begin = work[AFTER + turn]
        end = extend_states_by_box(turn, work, values)
        if end <= begin:
            return BEYOND if end < begin else NO_WAY
        work[END + turn] = end
        free_count = free_number_bits(work[ORDER + turn], free_count, work)
        turn += 1
        if turn == last:
            return end
        free_count = assign_number_bits(work[ORDER + turn], free_count, begin, end, work)
        if free_count < 0:
            return BEYOND
        work[BEFORE + turn] = begin
        work[AFTER + turn] = end


def free_all_bits(work: IntArray) -> int:
    """Free the places of all numbers in the states; return how many there are."""
    for slot in range(SLOTS):
        work[FREE + slot] = SLOTS - 1 - slot
    return SLOTS


def assign_number_bits(
    box: int, free_count: int, begin: int, end: int, work: IntArray
) -> CountOrBeyond:
    """Assign bits of the states `begin` to `end` to the numbers that no earlier box touched.

    Returns how many places for numbers are still free, or `BEYOND` if there are not enough.
    """
    for index in range(8 * box, 8 * box + work[COUNT + box]):
        name = work[NUMBERS + index]
        work[SPACE + name] -= work[SIZE + box]
        if work[SLOT + name] >= 0:
            continue
        if free_count == 0:
            return BEYOND
        free_count -= 1
        slot = work[FREE + free_count]
        work[SLOT + name] = slot
        need = work[NEED + work[PLACE + name]]
        for state in range(begin, end):
            if slot < FIRST_SLOTS:
                work[FIRST + state] += need << 4 * slot
            else:
                work[SECOND + state] += need << 4 * (slot - FIRST_SLOTS)
    return free_count


def free_number_bits(box: int, free_count: int, work: IntArray) -> int:
    """Free the bits of the numbers that no later box touches; return how many places are free."""
    for index in range(8 * box, 8 * box + work[COUNT + box]):
        name = work[NUMBERS + index]
        if work[SPACE + name] == 0:
            work[FREE + free_count] = work[SLOT + name]
            free_count += 1
    return free_count


def extend_states_by_box(turn: int, work: IntArray, values: FloatArray) -> EndOrBeyond:
    """Decide the box of a turn, from every state, with every number of mines that is allowed.

    Returns the end of the states after it.
    """
    box = work[ORDER + turn]
    size = work[SIZE + box]
    count = work[COUNT + box]
    one = 1 << MINES
    other = 0
    for index in range(count):
        name = work[NUMBERS + 8 * box + index]
        slot = work[SLOT + name]
        work[SHIFT + index] = 4 * slot
        work[LEFT + index] = work[SPACE + name]
        if slot < FIRST_SLOTS:
            one -= 1 << 4 * slot
        else:
            other -= 1 << 4 * (slot - FIRST_SLOTS)
    work[STAMP] += 1
    move = work[MOVE + turn]
    end: int = work[AFTER + turn]
    mask = slots_mask((end - work[BEFORE + turn]) * (size + 1))
    for state in range(work[BEFORE + turn], work[AFTER + turn]):
        first = work[FIRST + state]
        second = work[SECOND + state]
        least = 0
        most = size
        for index in range(count):
            shift = work[SHIFT + index]
            if shift < 4 * FIRST_SLOTS:
                need = (first >> shift) & 15
            else:
                need = (second >> (shift - 4 * FIRST_SLOTS)) & 15
            most = min(most, need)
            least = max(least, need - work[LEFT + index])
        for mines in range(least, most + 1):
            target = find_or_add_state(first + mines * one, second + mines * other, end, mask, work)
            if target == end:
                end += 1
                if end >= STATES or end - work[AFTER + turn] > LAYER:
                    return BEYOND
                values[AHEAD + target] = 0.0
            values[AHEAD + target] += values[AHEAD + state] * WAYS[9 * size + mines]
            if move >= MOVES:
                return BEYOND
            work[MOVED + move] = (state << 24) | (target << 4) | mines
            move += 1
    work[MOVE + turn + 1] = move
    return end


def slots_mask(most: int) -> int:
    """Return the mask of the slots of a hash table for no more than `most` states.

    A small table stays in the fastest cache of the processor.
    """
    size = 64
    while size < 2 * most and size < TABLE:
        size *= 2
    return size - 1


def find_or_add_state(first: int, second: int, end: int, mask: int, work: IntArray) -> int:
    """Return the state of this turn with these two integers; a new one is added at `end`.

    `mask` is that of the slots in use, the same for the whole turn.
    """
    mixed = (first & LOW_31) * 1_640_531_527 + (first >> 31) * 1_013_904_223
    mixed ^= (second & LOW_31) * 1_812_433_253 + (second >> 31) * 1_566_083_941
    place = ((mixed >> 43) ^ (mixed >> 17)) & mask
    while work[HASH + place] >> 17 == work[STAMP]:
        state: int = work[HASH + place] & ((1 << 17) - 1)
        if work[FIRST + state] == first and work[SECOND + state] == second:
            return state
        place = (place + 1) & mask
    work[HASH + place] = (work[STAMP] << 17) | end
    work[FIRST + end] = first
    work[SECOND + end] = second
    return end
