"""The certain cells of an evaluated position, and the safest cell if none is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.offsets import CHANCE, SEA
from demine.solver.player.kernels.known_cells import mark_mine, mark_safe
from demine.solver.player.kernels.offsets import (
    BOX_COUNT,
    BOX_INDEX,
    FIRST_IN_BOX,
    HEIGHT,
    KIND,
    NEXT_IN_BOX,
    OPENED,
    RISK,
    SEA_CELLS,
    STAMP,
    STRIDE,
    UNKNOWN,
    UNKNOWN_AROUND,
    WIDTH,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import FloatArray, IntArray
    from demine.solver.player.kernels.return_types import CellOrCode, LowestRisk, SafeCount

TOLERANCE = 1e-9


def settle_certain(work: IntArray, values: FloatArray) -> SafeCount:
    """Mark all certain mines and all certainly safe cells; return how many are safe."""
    safe = 0
    for box in range(work[BOX_COUNT]):
        chance = values[CHANCE + box]
        if 0.0 < chance < 1.0:
            continue
        cell = work[FIRST_IN_BOX + box]
        while cell >= 0:
            after = work[NEXT_IN_BOX + cell]
            if chance == 0.0:
                mark_safe(cell, work)
                safe += 1
            else:
                mark_mine(cell, work)
            cell = after
    if work[SEA_CELLS] > 0 and (values[SEA] == 0.0 or values[SEA] == 1.0):
        safe += settle_sea_cells(values[SEA] == 0.0, work)
    return safe


def settle_sea_cells(are_safe: bool, work: IntArray) -> SafeCount:
    """Mark all cells that touch no number as safe or as mines; return how many are safe."""
    found = 0
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] == UNKNOWN and work[BOX_INDEX + cell] < work[STAMP]:
                if are_safe:
                    mark_safe(cell, work)
                    found += 1
                else:
                    mark_mine(cell, work)
    return found


def write_risks(offset: int, work: IntArray, values: FloatArray) -> LowestRisk:
    """Write the risk of each cell, 0 for known ones; return the lowest of the unknown cells."""
    lowest = 2.0
    stamp = work[STAMP]
    for row in range(work[HEIGHT] + 2):
        begin = row * work[STRIDE]
        for cell in range(begin, begin + work[STRIDE]):
            risk = 0.0
            if work[KIND + cell] == UNKNOWN:
                box = work[BOX_INDEX + cell] - stamp
                risk = values[CHANCE + box] if box >= 0 else values[SEA]
                lowest = min(lowest, risk)
            values[RISK + offset + cell] = risk
    return lowest


def least_risky_cell(work: IntArray, values: FloatArray, break_ties: bool) -> CellOrCode:
    """Return the unknown cell of the lowest risk, or -1.

    Of equal ones it is the first, or with `break_ties` the one around which best_score is known.
    """
    lowest = write_risks(0, work, values) * (1.0 + TOLERANCE)
    best = -1
    best_score = -1.0
    for row in range(1, work[HEIGHT] + 1):
        begin = row * work[STRIDE] + 1
        for cell in range(begin, begin + work[WIDTH]):
            if work[KIND + cell] != UNKNOWN or values[RISK + cell] > lowest:
                continue
            score = known_around_score(cell, work) if break_ties else 0.0
            if score > best_score + TOLERANCE:
                best_score = score
                best = cell
    return best


def known_around_score(cell: int, work: IntArray) -> float:
    """Return a score of how much is known around a cell; where it is high, a number says most.

    Opened neighbours count first, then few unknown ones. Other cheap scores, for cells that may
    open their neighbours or that lie in a corner, did not win more.
    """
    known = 0
    stride = work[STRIDE]
    for row in range(cell - stride, cell + stride + 1, stride):
        for other in range(row - 1, row + 2):
            known += 1 if work[KIND + other] == OPENED else 0
    found: float = known + 0.1 * (10 - work[UNKNOWN_AROUND + cell])
    return found
