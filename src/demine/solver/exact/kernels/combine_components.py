"""Combining the components with each other and with the sea: the probability of each box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import (
    AFTER,
    AHEAD,
    BACK,
    BEFORE,
    BELOW_ONE,
    BEYOND,
    CHANCE,
    END,
    FIRST,
    HIGH,
    LOW,
    MINES,
    MOVE,
    MOVED,
    NEXT,
    ORDER,
    OWN,
    PART,
    PART_END,
    POLY,
    REST,
    SEA,
    SIZE,
    SUM,
    SUM_HIGH,
    SUM_LOW,
    SUMS,
    TERMS,
    TOTAL,
    UNSETTLED,
)
from demine.solver.exact.kernels.ways_in_box import WAYS

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray
    from demine.solver.exact.kernels.offsets import CountOrBeyond, EndOrBeyond


def find_component_polynomials(
    component_count: int, work: IntArray, values: FloatArray
) -> EndOrBeyond:
    """Find the polynomial of each component, and the product of all components before each.

    Returns the end of the polynomials.
    """
    own = 0
    work[SUM] = 0
    work[SUM_LOW] = 0
    work[SUM_HIGH] = 0
    values[SUMS] = 1.0
    for component in range(component_count):
        turn = work[PART_END + component] - 1
        low = UNSETTLED
        high = 0
        for state in range(work[AFTER + turn], work[END + turn]):
            low = min(low, work[FIRST + state] >> MINES)
            high = max(high, work[FIRST + state] >> MINES)
        before = work[SUM + component]
        width = work[SUM_HIGH + component] - work[SUM_LOW + component] + 1
        if own + high - low + 1 > TERMS or before + 2 * width + high - low + 1 > TERMS:
            return BEYOND
        for at in range(own, own + high - low + 1):
            values[OWN + at] = 0.0
        for state in range(work[AFTER + turn], work[END + turn]):
            values[OWN + own + (work[FIRST + state] >> MINES) - low] = values[AHEAD + state]
        work[POLY + component] = own
        work[LOW + component] = low
        work[HIGH + component] = high
        work[SUM + component + 1] = before + width
        work[SUM_LOW + component + 1] = work[SUM_LOW + component] + low
        work[SUM_HIGH + component + 1] = work[SUM_HIGH + component] + high
        for at in range(before + width, before + 2 * width + high - low):
            values[SUMS + at] = 0.0
        for at in range(before, before + width):
            for mines in range(high - low + 1):
                values[SUMS + at + width + mines] += values[SUMS + at] * values[OWN + own + mines]
        own += high - low + 1
    return own


def combine_with_sea(
    component_count: int, mines_left: int, sea_cells: int, work: IntArray, values: FloatArray
) -> CountOrBeyond:
    """Find the probability of a sea cell, and the weight of the sea for each count of other mines.

    Returns how many mines the sea holds at the smallest count of other mines that fits, or `BEYOND`
    if none does. The ways to lay so many mines in the sea are the factor that `TOTAL` leaves out.
    """
    low = work[SUM_LOW + component_count]
    ways = 1.0
    whole = 0.0
    mine = 0.0
    safe = 0.0
    first = BEYOND
    for used in range(low, work[SUM_HIGH + component_count] + 1):
        rest = mines_left - used
        values[NEXT + used - low] = 0.0
        if rest < 0 or rest > sea_cells:
            continue
        if first < 0:
            # The first binomial is the common factor, which counts as 1.
            first = rest
        else:
            ways *= (rest + 1) / (sea_cells - rest)
        values[NEXT + used - low] = ways
        share = ways * values[SUMS + work[SUM + component_count] + used - low]
        whole += share
        mine += share * rest
        safe += share * (sea_cells - rest)
    values[TOTAL] = whole
    if whole == 0.0:
        return BEYOND
    values[SEA] = 0.0
    if sea_cells > 0:
        values[SEA] = 1.0 if safe == 0.0 else min(mine / (whole * sea_cells), BELOW_ONE)
    return first


def weigh_by_the_rest(component_count: int, work: IntArray, values: FloatArray) -> None:
    """Find the weight of the rest of the board for each count of mines of each component."""
    for component in range(component_count - 1, -1, -1):
        own = work[POLY + component]
        size = work[HIGH + component] - work[LOW + component] + 1
        before = work[SUM + component]
        width = work[SUM_HIGH + component] - work[SUM_LOW + component] + 1
        for mines in range(size):
            total = 0.0
            for at in range(width):
                total += values[SUMS + before + at] * values[NEXT + at + mines]
            values[REST + own + mines] = total
        # In place, because what is read lies at or after what is written.
        for at in range(width):
            total = 0.0
            for mines in range(size):
                total += values[OWN + own + mines] * values[NEXT + at + mines]
            values[NEXT + at] = total


def write_box_chances(component: int, work: IntArray, values: FloatArray) -> None:
    """Write the probability of each box of a component, from the last to the first."""
    begin = work[PART + component]
    last = work[PART_END + component] - 1
    for state in range(work[BEFORE + begin], work[AFTER + last]):
        values[BACK + state] = 0.0
    whole = 0.0
    for state in range(work[AFTER + last], work[END + last]):
        mines = (work[FIRST + state] >> MINES) - work[LOW + component]
        values[BACK + state] = values[REST + work[POLY + component] + mines]
        whole += values[AHEAD + state] * values[BACK + state]
    for turn in range(last, begin - 1, -1):
        box = work[ORDER + turn]
        size = work[SIZE + box]
        mine = 0.0
        safe = 0.0
        for move in range(work[MOVE + turn], work[MOVE + turn + 1]):
            packed = work[MOVED + move]
            mines = packed & 15
            state = packed >> 24
            back = values[BACK + ((packed >> 4) & 0xFFFFF)] * WAYS[9 * size + mines]
            values[BACK + state] += back
            share = back * values[AHEAD + state]
            mine += share * mines
            safe += share * (size - mines)
        chance = min(mine / (whole * size), BELOW_ONE)
        values[CHANCE + box] = 1.0 if safe == 0.0 else chance
