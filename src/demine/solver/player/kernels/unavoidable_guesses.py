"""Guesses that cannot be avoided: how likely a cell is a mine in a group that looks alike for ever.

Two neighbours are such a group if every cell that touches only one of them is a mine or off the
board: where one of them is a mine, no number will ever say which. So are four cells of a square
with mines on one diagonal, if each of the four cells that touch only one of them is closed like
that. Half of these layouts are lost whenever the guess is made, so making it now costs nothing
there. D. Hill's solver calls this the influence of 50/50s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.box_order import order_all_boxes
from demine.solver.exact.kernels.offsets import BEYOND
from demine.solver.player.kernels.box_probabilities import gather_boxes_at_edge, weigh_layouts
from demine.solver.player.kernels.offsets import (
    BOX_COUNT,
    COMPONENT_COUNT,
    COVERED,
    KIND,
    LACK,
    MINE,
    MINES_LEFT,
    OPENED,
    RIM,
    RISK,
    SAFE,
    STRIDE,
    SUPPOSED,
    SUPPOSED_COUNT,
    SUPPOSED_MINES,
    TOTAL_WEIGHT,
    UNKNOWN,
    UNKNOWN_AROUND,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray

MAX_UNCERTAIN = 3
"""How many of the cells that close a group may be no certain mines."""
LEAST = 0.002
"""A group is left out if the risks of its mines multiply to less."""


def unavoidable_risk(cell: int, total: float, work: IntArray, values: FloatArray) -> float:
    """Return how likely an unknown cell is a mine in a group that no number tells apart.

    The risks of all cells are in `RISK`, and `total` is the weight of the position. Its boxes are
    overwritten.
    """
    stride = int(work[STRIDE])
    found = 0.0
    for step, side in ((1, stride), (stride, 1)):
        found += max(
            chance_of_pair(cell, step, side, total, work, values),
            chance_of_pair(cell, -step, side, total, work, values),
        )
    square = 0.0
    for down in (-stride, stride):
        for right in (-1, 1):
            square = max(square, chance_of_square(cell, down, right, total, work, values))
    risk = float(values[RISK + cell])
    return min(found + square, risk, 1.0 - risk)


def chance_of_pair(
    cell: int, step: int, side: int, total: float, work: IntArray, values: FloatArray
) -> float:
    """Return the chance that a cell is a mine and cannot be told from a safe one `step` from it."""
    other = cell + step
    if work[KIND + other] != UNKNOWN:
        return 0.0
    work[SUPPOSED_MINES] = 0
    for place in (-side, 0, side):
        if not suppose_closed(cell - step + place, work):
            return 0.0
        if not suppose_closed(other + step + place, work):
            return 0.0
    suppose_mine(cell, work)
    work[SUPPOSED + work[SUPPOSED_MINES]] = other
    work[SUPPOSED_COUNT] = work[SUPPOSED_MINES] + 1
    return chance_of_supposition(total, work, values)


def chance_of_square(
    cell: int, down: int, right: int, total: float, work: IntArray, values: FloatArray
) -> float:
    """Return the chance that a cell is one of two mines in a square that cannot be told apart."""
    below = cell + down
    beside = cell + right
    across = below + right
    for other in (below, beside, across):
        if work[KIND + other] != UNKNOWN:
            return 0.0
    work[SUPPOSED_MINES] = 0
    for corner in (cell - down - right, below + down - right, beside - down + right):
        if not suppose_closed(corner, work):
            return 0.0
    if not suppose_closed(across + down + right, work):
        return 0.0
    suppose_mine(cell, work)
    suppose_mine(across, work)
    work[SUPPOSED + work[SUPPOSED_MINES]] = below
    work[SUPPOSED + work[SUPPOSED_MINES] + 1] = beside
    work[SUPPOSED_COUNT] = work[SUPPOSED_MINES] + 2
    return chance_of_supposition(total, work, values)


def suppose_closed(cell: int, work: IntArray) -> bool:
    """Suppose that a cell is a mine unless it is one, or off the board; False if it cannot be."""
    kind = work[KIND + cell]
    if kind in (RIM, MINE):
        return True
    if kind != UNKNOWN or work[SUPPOSED_MINES] >= MAX_UNCERTAIN:
        return False
    suppose_mine(cell, work)
    return True


def suppose_mine(cell: int, work: IntArray) -> None:
    """List a cell among the supposed mines."""
    work[SUPPOSED + work[SUPPOSED_MINES]] = cell
    work[SUPPOSED_MINES] += 1


def chance_of_supposition(total: float, work: IntArray, values: FloatArray) -> float:
    """Return how likely what is supposed is true: first the mines that are listed, then safe cells.

    Where none of them touches a number, that is about what the chances of each multiply to.
    """
    alone = True
    product = 1.0
    safe = 1.0
    for at in range(work[SUPPOSED_COUNT]):
        cell = work[SUPPOSED + at]
        risk = values[RISK + cell]
        if at < work[SUPPOSED_MINES]:
            product *= risk
        else:
            safe *= 1.0 - risk
        alone = alone and not touches_number(cell, work)
    if product < LEAST:
        return 0.0
    if alone:
        return product * safe
    for at in range(work[SUPPOSED_COUNT]):
        settle_supposed(at, -1, work)
    weight = weight_of_supposition(work, values)
    for at in range(work[SUPPOSED_COUNT]):
        settle_supposed(at, 1, work)
    return weight / total


def touches_number(cell: int, work: IntArray) -> bool:
    """Return whether a cell is beside an opened one."""
    stride = work[STRIDE]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            if work[KIND + other] == OPENED:
                return True
    return False


def settle_supposed(at: int, sign: int, work: IntArray) -> None:
    """Settle a supposed cell, without a number if it is safe (`sign` -1), or undo that (1)."""
    stride = work[STRIDE]
    cell = work[SUPPOSED + at]
    mine = 1 if at < work[SUPPOSED_MINES] else 0
    kind = MINE if mine == 1 else SAFE
    work[KIND + cell] = kind if sign < 0 else UNKNOWN
    work[COVERED] += sign
    work[MINES_LEFT] += sign * mine
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            work[UNKNOWN_AROUND + other] += sign
            work[LACK + other] += sign * mine


def weight_of_supposition(work: IntArray, values: FloatArray) -> float:
    """Return the weight of the layouts that fit, with the supposed cells settled."""
    for at in range(work[SUPPOSED_COUNT]):
        if not numbers_fit_around(work[SUPPOSED + at], work):
            return 0.0
    if work[MINES_LEFT] < 0 or gather_boxes_at_edge(work) == BEYOND:
        return 0.0
    work[COMPONENT_COUNT] = order_all_boxes(work[BOX_COUNT], work)
    if weigh_layouts(work, values) == BEYOND:
        return 0.0
    weight: float = values[TOTAL_WEIGHT]
    return weight


def numbers_fit_around(cell: int, work: IntArray) -> bool:
    """Return whether each number around a cell, taken alone, can still be satisfied."""
    stride = work[STRIDE]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            lack = work[LACK + other]
            if work[KIND + other] == OPENED and not 0 <= lack <= work[UNKNOWN_AROUND + other]:
                return False
    return True
