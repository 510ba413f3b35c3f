"""Certain cells of a position that was weighed, and the safest one where none is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import CHANCE, SEA
from demine.solver.player.kernels.known_cells import mark_mine, mark_safe
from demine.solver.player.kernels.offsets import (
    BOXED,
    BOXES_NOW,
    HEAD,
    HEIGHT,
    KIND,
    LINK,
    OPENED,
    RISK,
    SEA_CELLS,
    STAMP,
    STRIDE,
    UNKNOWN,
    UNSEEN,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray

ALIKE = 1e-9


def settle_certain(work: IntArray, values: FloatArray) -> int:
    """Mark the certain mines and clear the certainly safe cells; return how many are safe."""
    safe = 0
    for box in range(work[BOXES_NOW]):
        chance = values[CHANCE + box]
        if 0.0 < chance < 1.0:
            continue
        cell = work[HEAD + box]
        while cell >= 0:
            after = work[LINK + cell]
            if chance == 0.0:
                mark_safe(cell, work)
                safe += 1
            else:
                mark_mine(cell, work)
            cell = after
    if work[SEA_CELLS] > 0 and (values[SEA] == 0.0 or values[SEA] == 1.0):
        safe += settle_sea_cells(values[SEA] == 0.0, work)
    return safe


def settle_sea_cells(safe: bool, work: IntArray) -> int:
    """Mark or clear the cells that touch no number; return how many are safe."""
    found = 0
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN and work[BOXED + cell] < work[STAMP]:
                if safe:
                    mark_safe(cell, work)
                    found += 1
                else:
                    mark_mine(cell, work)
    return found


def write_risks(level: int, work: IntArray, values: FloatArray) -> float:
    """Write the risk of each cell, 0 for a settled one; return the lowest of the unknown ones."""
    lowest = 2.0
    stamp = work[STAMP]
    for row in range(work[HEIGHT] + 2):
        begin = row * work[STRIDE]
        for cell in range(begin, begin + work[STRIDE]):
            risk = 0.0
            if work[KIND + cell] == UNKNOWN:
                box = work[BOXED + cell] - stamp
                risk = values[CHANCE + box] if box >= 0 else values[SEA]
                lowest = min(lowest, risk)
            values[RISK + level + cell] = risk
    return lowest


def least_risky_cell(work: IntArray, values: FloatArray, ties: bool) -> int:
    """Return the cell of the lowest risk; `ties`: the one of them that promises most."""
    lowest = write_risks(0, work, values) * (1.0 + ALIKE)
    best = -1
    most = -1.0
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] != UNKNOWN or values[RISK + cell] > lowest:
                continue
            promise = known_around(cell, work) if ties else 0.0
            if promise > most + ALIKE:
                most = promise
                best = cell
    return best


def known_around(cell: int, work: IntArray) -> float:
    """Return how much is known around a cell: where most is, its number says most.

    Opened neighbours count first, then few unknown ones. Nothing so cheap was found that wins more:
    a cell that may open its neighbours, or one in a corner, does not.
    """
    known = 0
    stride = work[STRIDE]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            known += 1 if work[KIND + other] == OPENED else 0
    found: float = known + 0.1 * (10 - work[UNSEEN + cell])
    return found
