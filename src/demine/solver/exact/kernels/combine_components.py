"""Combining the components with each other and with the sea: the chance of each box."""

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
    WAYS,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray


def component_polynomials(parts: int, work: IntArray, values: FloatArray) -> int:
    """Find the polynomial of each component, and the products of the first ones; their end."""
    own = 0
    work[SUM] = 0
    work[SUM_LOW] = 0
    work[SUM_HIGH] = 0
    values[SUMS] = 1.0
    for part in range(parts):
        turn = work[PART + part + 1] - 1
        low = UNSETTLED
        high = 0
        for state in range(work[AFTER + turn], work[END + turn]):
            low = min(low, work[FIRST + state] >> MINES)
            high = max(high, work[FIRST + state] >> MINES)
        before = work[SUM + part]
        width = work[SUM_HIGH + part] - work[SUM_LOW + part] + 1
        if own + high - low + 1 > TERMS or before + 2 * width + high - low + 1 > TERMS:
            return BEYOND
        for at in range(own, own + high - low + 1):
            values[OWN + at] = 0.0
        for state in range(work[AFTER + turn], work[END + turn]):
            values[OWN + own + (work[FIRST + state] >> MINES) - low] = values[AHEAD + state]
        work[POLY + part] = own
        work[LOW + part] = low
        work[HIGH + part] = high
        work[SUM + part + 1] = before + width
        work[SUM_LOW + part + 1] = work[SUM_LOW + part] + low
        work[SUM_HIGH + part + 1] = work[SUM_HIGH + part] + high
        for at in range(before + width, before + 2 * width + high - low):
            values[SUMS + at] = 0.0
        for at in range(before, before + width):
            for mines in range(high - low + 1):
                values[SUMS + at + width + mines] += values[SUMS + at] * values[OWN + own + mines]
        own += high - low + 1
    return own


def combine_with_sea(parts: int, left: int, sea: int, work: IntArray, values: FloatArray) -> int:
    """Combine the components with the sea: its chance, and how it weighs what they hold together.

    Returns how many mines the sea holds at the first count that fits, or `BEYOND` where none does.
    The ways to lay these are left out of `TOTAL`, which all chances are shares of.
    """
    low = work[SUM_LOW + parts]
    ways = 1.0
    whole = 0.0
    mine = 0.0
    safe = 0.0
    first = BEYOND
    for used in range(low, work[SUM_HIGH + parts] + 1):
        rest = left - used
        values[NEXT + used - low] = 0.0
        if rest < 0 or rest > sea:
            continue
        if first < 0:
            # The common factor is left out: the first binomial counts as 1.
            first = rest
        else:
            ways *= (rest + 1) / (sea - rest)
        values[NEXT + used - low] = ways
        share = ways * values[SUMS + work[SUM + parts] + used - low]
        whole += share
        mine += share * rest
        safe += share * (sea - rest)
    values[TOTAL] = whole
    if whole == 0.0:
        return BEYOND
    values[SEA] = 0.0
    if sea > 0:
        values[SEA] = 1.0 if safe == 0.0 else min(mine / (whole * sea), BELOW_ONE)
    return first


def weigh_by_the_rest(parts: int, work: IntArray, values: FloatArray) -> None:
    """Find how the rest of the board weighs each count of mines of each component."""
    for part in range(parts - 1, -1, -1):
        own = work[POLY + part]
        size = work[HIGH + part] - work[LOW + part] + 1
        before = work[SUM + part]
        width = work[SUM_HIGH + part] - work[SUM_LOW + part] + 1
        for mines in range(size):
            total = 0.0
            for at in range(width):
                total += values[SUMS + before + at] * values[NEXT + at + mines]
            values[REST + own + mines] = total
        # In place: what is read lies at or after what is written.
        for at in range(width):
            total = 0.0
            for mines in range(size):
                total += values[OWN + own + mines] * values[NEXT + at + mines]
            values[NEXT + at] = total


def write_box_chances(part: int, work: IntArray, values: FloatArray) -> None:
    """Find the chance of each box of a component, from its end to its beginning."""
    begin = work[PART + part]
    last = work[PART + part + 1] - 1
    for state in range(work[BEFORE + begin], work[AFTER + last]):
        values[BACK + state] = 0.0
    whole = 0.0
    for state in range(work[AFTER + last], work[END + last]):
        mines = (work[FIRST + state] >> MINES) - work[LOW + part]
        values[BACK + state] = values[REST + work[POLY + part] + mines]
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
