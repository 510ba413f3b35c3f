"""The policies: which cell each of them opens when none is certain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from demine.solver.player.kernels.certain_or_safest import least_risky_cell
from demine.solver.player.kernels.endgame import search_endgame
from demine.solver.player.kernels.list_layouts import list_layouts
from demine.solver.player.kernels.look_ahead import look_ahead
from demine.solver.player.kernels.offsets import (
    CELLS,
    CHOSEN_RISK,
    DIAL_CHOICES,
    DIAL_LAYOUTS,
    DIAL_MARGIN,
    DIALS,
    LOG_FACTOR,
    RISK,
    TOTAL_WEIGHT,
)
from demine.solver.player.kernels.policy_numbers import BEST, DEEP, SAFEST, STRONG
from demine.solver.player.kernels.small_boards import (
    best_small_board_cell,
    has_few_layouts_when_empty,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, FloatArray, IntArray
    from demine.solver.player.kernels.return_types import CellOrCode


def choose_by_policy(
    policy: int, work: IntArray, values: FloatArray, hints: ByteArray
) -> CellOrCode:
    """Return the cell that a policy opens in an evaluated position without certain cells.

    -1 if the policy gives up. The risk taken is left in `CHOSEN_RISK`.
    """
    # A number without a case gives up, or a new policy would play as another one.
    if policy < SAFEST or policy > DEEP:
        return -1
    cell = least_risky_cell(work, values, policy > SAFEST)
    if policy in (STRONG, BEST, DEEP):
        better = endgame_or_look_ahead(work, values, hints)
        cell = better if better >= 0 else cell
    values[CHOSEN_RISK] = values[RISK + cell]
    return cell


def endgame_or_look_ahead(work: IntArray, values: FloatArray, hints: ByteArray) -> CellOrCode:
    """Return the best cell of an endgame, else of looking ahead; -1 if neither is possible."""
    layouts = math.log(values[TOTAL_WEIGHT]) + values[LOG_FACTOR]
    if has_few_layouts_when_empty(work, values):
        small = best_small_board_cell(work, values, hints)
        if small >= 0:
            return small
    few = layouts <= math.log(values[DIALS + DIAL_LAYOUTS] + 0.5)
    if few and list_layouts(work, hints) > 0:
        found = search_endgame(work, hints)
        if found >= 0:
            cell: int = work[CELLS + (found & 255)]
            return cell
    return look_ahead(int(values[DIALS + DIAL_CHOICES]), values[DIALS + DIAL_MARGIN], work, values)
