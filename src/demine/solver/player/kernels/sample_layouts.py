"""Sampling layouts of a position: each that fits is as likely as any other."""

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
    POLY,
    SIZE,
    SUM,
    SUM_HIGH,
    SUM_LOW,
    SUMS,
    WAYS,
)
from demine.solver.player.kernels.offsets import (
    BOXED,
    HEAD,
    HEIGHT,
    KIND,
    LEFT,
    LINK,
    MINE,
    PARTS_NOW,
    SEA_CELLS,
    STAMP,
    STRIDE,
    UNKNOWN,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, FloatArray, IntArray


def draw_layout(
    die: int, dice: FloatArray, laid: ByteArray, work: IntArray, values: FloatArray
) -> int:
    """Draw a layout of a position that was weighed; return the first die that was not thrown.

    `laid`, by padded cell, is 1 where a mine lies. `dice` are numbers from 0 to below 1: at most
    three for each covered cell are thrown, and one.
    """
    for cell in range((work[HEIGHT] + 2) * work[STRIDE]):
        laid[cell] = 1 if work[KIND + cell] == MINE else 0
    parts = work[PARTS_NOW]
    used = draw_frontier_mines(dice[die], parts, work, values)
    die += 1
    in_sea = work[LEFT] - used
    for part in range(parts - 1, -1, -1):
        mines = draw_component_mines(dice[die], part, used, work, values)
        die = draw_component_layout(part, mines, die + 1, dice, laid, work, values)
        used -= mines
    return draw_sea_mines(in_sea, die, dice, laid, work)


def draw_frontier_mines(die: float, parts: int, work: IntArray, values: FloatArray) -> int:
    """Draw how many mines lie beside numbers."""
    low = work[SUM_LOW + parts]
    left = work[LEFT]
    sea = work[SEA_CELLS]
    sums = work[SUM + parts]
    drawn: int = low
    # Each total takes the place of those before it by its share of all so far: one pass is enough,
    # and the die is stretched to what it leaves.
    whole = 0.0
    ways = 1.0
    begun = False
    for used in range(low, work[SUM_HIGH + parts] + 1):
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
        if die < chance:
            drawn = used
            die /= chance
        else:
            die = (die - chance) / (1.0 - chance)
    return drawn


def draw_component_mines(
    die: float, part: int, used: int, work: IntArray, values: FloatArray
) -> int:
    """Draw how many of `used` mines lie in a component, the rest in those before it."""
    low = work[LOW + part]
    sums = work[SUM + part] - work[SUM_LOW + part]
    whole = 0.0
    drawn: int = low
    for mines in range(low, work[HIGH + part] + 1):
        rest = used - mines
        if work[SUM_LOW + part] <= rest <= work[SUM_HIGH + part]:
            share = values[OWN + work[POLY + part] + mines - low] * values[SUMS + sums + rest]
            if share == 0.0:
                continue
            whole += share
            chance = share / whole
            if die < chance:
                drawn = mines
                die /= chance
            else:
                die = (die - chance) / (1.0 - chance)
    return drawn


def draw_component_layout(
    part: int,
    mines: int,
    die: int,
    dice: FloatArray,
    laid: ByteArray,
    work: IntArray,
    values: FloatArray,
) -> int:
    """Draw the mines of a component, from its last box to its first; return the next die."""
    last = work[PART + part + 1] - 1
    state = work[AFTER + last]
    while work[FIRST + state] >> MINES != mines:
        state += 1
    for turn in range(last, work[PART + part] - 1, -1):
        box = work[ORDER + turn]
        size = work[SIZE + box]
        target = dice[die] * values[AHEAD + state]
        die += 1
        total = 0.0
        source = -1
        held = 0
        for move in range(work[MOVE + turn], work[MOVE + turn + 1]):
            packed = work[MOVED + move]
            if (packed >> 4) & 0xFFFFF != state:
                continue
            # Should rounding leave a rest, the last one takes it.
            source = packed >> 24
            held = packed & 15
            total += values[AHEAD + source] * WAYS[9 * size + held]
            if target < total:
                break
        die = scatter_box_mines(box, size, held, die, dice, laid, work)
        state = source
    return die


def scatter_box_mines(
    box: int, size: int, mines: int, die: int, dice: FloatArray, laid: ByteArray, work: IntArray
) -> int:
    """Lay the mines of a box; return the next die."""
    cell = work[HEAD + box]
    while cell >= 0 and mines > 0:
        if dice[die] * size < mines:
            laid[cell] = 1
            mines -= 1
        die += 1
        size -= 1
        cell = work[LINK + cell]
    return die


def draw_sea_mines(mines: int, die: int, dice: FloatArray, laid: ByteArray, work: IntArray) -> int:
    """Lay the mines that touch no number; return the next die."""
    size = work[SEA_CELLS]
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if mines == 0:
                return die
            if work[KIND + cell] == UNKNOWN and work[BOXED + cell] < work[STAMP]:
                if dice[die] * size < mines:
                    laid[cell] = 1
                    mines -= 1
                die += 1
                size -= 1
    return die
