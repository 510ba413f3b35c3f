"""Sampling layouts of a position: each layout that fits is equally likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import (
    AFTER,
    AHEAD,
    FIRST,
    HIGH,
    LOW,
    MINES,
    MOVE,
    MOVED,
    ORDER,
    OWN,
    PART,
    PART_END,
    POLY,
    SIZE,
    SUM,
    SUM_HIGH,
    SUM_LOW,
    SUMS,
)
from demine.solver.exact.kernels.ways_in_box import WAYS
from demine.solver.player.kernels.offsets import (
    BOX_INDEX,
    COMPONENT_COUNT,
    FIRST_IN_BOX,
    HEIGHT,
    KIND,
    MINE,
    MINES_LEFT,
    NEXT_IN_BOX,
    SEA_CELLS,
    STAMP,
    STRIDE,
    UNKNOWN,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, FloatArray, IntArray
    from demine.solver.player.kernels.return_types import NextRandom


def draw_layout(
    at: int, randoms: FloatArray, padded_mines: ByteArray, work: IntArray, values: FloatArray
) -> NextRandom:
    """Draw a layout of an evaluated position with the random numbers from index `at` on.

    `padded_mines`, by padded index, gets 1 for each mine, else 0. `randoms` are from 0 up to 1; at
    most three for each covered cell are used, and one more.
    """
    for cell in range((work[HEIGHT] + 2) * work[STRIDE]):
        padded_mines[cell] = 1 if work[KIND + cell] == MINE else 0
    parts = work[COMPONENT_COUNT]
    used = draw_frontier_mines(randoms[at], parts, work, values)
    at += 1
    in_sea = work[MINES_LEFT] - used
    for part in range(parts - 1, -1, -1):
        mines = draw_component_mines(randoms[at], part, used, work, values)
        at = draw_component_layout(part, mines, at + 1, randoms, padded_mines, work, values)
        used -= mines
    return draw_sea_mines(in_sea, at, randoms, padded_mines, work)


def draw_frontier_mines(
    random: float, component_count: int, work: IntArray, values: FloatArray
) -> int:
    """Draw how many mines lie beside numbers."""
    low = work[SUM_LOW + component_count]
    left = work[MINES_LEFT]
    sea = work[SEA_CELLS]
    sums = work[SUM + component_count]
    drawn: int = low
    # Each total replaces the one drawn before with the chance that is its share of all so far, so
    # that one pass is enough. The random number is stretched to be used again.
    whole = 0.0
    ways = 1.0
    begun = False
    for used in range(low, work[SUM_HIGH + component_count] + 1):
        rest = left - used
        if rest < 0 or rest > sea:
            continue
        if begun:
            ways *= (rest + 1) / (sea - rest)
        begun = True
        share = ways * values[SUMS + sums + used - low]
        if share == 0.0:
            continue
        whole += share
        chance = share / whole
        if random < chance:
            drawn = used
            random /= chance
        else:
            random = (random - chance) / (1.0 - chance)
    return drawn


def draw_component_mines(
    random: float, component: int, mines_up_to_here: int, work: IntArray, values: FloatArray
) -> int:
    """Draw how many of the mines in this component and those before it lie in this one."""
    low = work[LOW + component]
    sums = work[SUM + component] - work[SUM_LOW + component]
    whole = 0.0
    drawn: int = low
    for mines in range(low, work[HIGH + component] + 1):
        rest = mines_up_to_here - mines
        if work[SUM_LOW + component] <= rest <= work[SUM_HIGH + component]:
            share = values[OWN + work[POLY + component] + mines - low] * values[SUMS + sums + rest]
            if share == 0.0:
                continue
            whole += share
            chance = share / whole
            if random < chance:
                drawn = mines
                random /= chance
            else:
                random = (random - chance) / (1.0 - chance)
    return drawn


def draw_component_layout(
    component: int,
    mines: int,
    at: int,
    randoms: FloatArray,
    padded_mines: ByteArray,
    work: IntArray,
    values: FloatArray,
) -> NextRandom:
    """Draw the mines of a component, from its last box to its first."""
    last = work[PART_END + component] - 1
    state = work[AFTER + last]
    while work[FIRST + state] >> MINES != mines:
        state += 1
    for turn in range(last, work[PART + component] - 1, -1):
        box = work[ORDER + turn]
        size = work[SIZE + box]
        target = randoms[at] * values[AHEAD + state]
        at += 1
        total = 0.0
        source = -1
        held = 0
        for move in range(work[MOVE + turn], work[MOVE + turn + 1]):
            packed = work[MOVED + move]
            if (packed >> 4) & 0xFFFFF != state:
                continue
            # If rounding leaves a rest, it goes to the last.
            source = packed >> 24
            held = packed & 15
            total += values[AHEAD + source] * WAYS[9 * size + held]
            if target < total:
                break
        at = scatter_box_mines(box, size, held, at, randoms, padded_mines, work)
        state = source
    return at


def scatter_box_mines(
    box: int,
    size: int,
    mines: int,
    at: int,
    randoms: FloatArray,
    padded_mines: ByteArray,
    work: IntArray,
) -> NextRandom:
    """Place a number of mines in a box at random."""
    cell = work[FIRST_IN_BOX + box]
    while cell >= 0 and mines > 0:
        if randoms[at] * size < mines:
            padded_mines[cell] = 1
            mines -= 1
        at += 1
        size -= 1
        cell = work[NEXT_IN_BOX + cell]
    return at


def draw_sea_mines(
    mines: int, at: int, randoms: FloatArray, padded_mines: ByteArray, work: IntArray
) -> NextRandom:
    """Place the mines that touch no number at random."""
    size = work[SEA_CELLS]
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if mines == 0:
                return at
            if work[KIND + cell] == UNKNOWN and work[BOX_INDEX + cell] < work[STAMP]:
                if randoms[at] * size < mines:
                    padded_mines[cell] = 1
                    mines -= 1
                at += 1
                size -= 1
    return at
