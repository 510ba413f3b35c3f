"""The policies: which of them opens which cell when nothing is certain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demine.solver.player.kernels.certain_or_safest import least_risky_cell
from demine.solver.player.kernels.endgame import search_layouts
from demine.solver.player.kernels.list_layouts import list_layouts
from demine.solver.player.kernels.look_ahead import look_ahead
from demine.solver.player.kernels.offsets import (
    CELLS,
    CHOSEN_RISK,
    DIAL_CHOICES,
    DIAL_LAYOUTS,
    DIAL_MARGIN,
    DIALS,
    FACTOR,
    RISK,
    WHOLE,
)
from demine.solver.player.kernels.small_boards import (
    best_small_board_cell,
    has_few_layouts_when_empty,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, FloatArray, IntArray

LOGIC = 0
SAFEST = 1
FAST = 2
STRONG = 3
BEST = 4


def choose_by_policy(policy: int, work: IntArray, values: FloatArray, hints: ByteArray) -> int:
    """Return the cell to open in a position that was evaluated and has no certain cell.

    -1 when the policy gives up. `CHOSEN_RISK` is the risk taken.
    """
    if policy == LOGIC:
        return -1
    cell = least_risky_cell(work, values, policy > SAFEST)
    if policy >= STRONG:
        better = endgame_or_look_ahead(work, values, hints)
        cell = better if better >= 0 else cell
    values[CHOSEN_RISK] = values[RISK + cell]
    return cell


def endgame_or_look_ahead(work: IntArray, values: FloatArray, hints: ByteArray) -> int:
    """Play the last layouts out, else look ahead; -1 where neither can be done."""
    layouts = math.log(values[WHOLE]) + values[FACTOR]
    if has_few_layouts_when_empty(work, values):
        small = best_small_board_cell(work, values, hints)
        if small >= 0:
            return small
    few = layouts <= math.log(values[DIALS + DIAL_LAYOUTS] + 0.5)
    if few and list_layouts(work, hints) > 0:
        found = search_layouts(work, hints)
        if found >= 0:
            cell: int = work[CELLS + (found & 255)]
            return cell
    return look_ahead(int(values[DIALS + DIAL_CHOICES]), values[DIALS + DIAL_MARGIN], work, values)
