"""What a program that simulates games needs: the player's kernels, arrays and first cells.

A simulation has a kernel of its own, which knows the mines. It calls `begin_board` and, for each
cell that it opens, `show_number`; `next_safe_cell` returns what single numbers prove, or -1. Then
`evaluate_position` and `settle_certain` find what else is proven, and `choose_by_policy` guesses.
They work in the `PlayerArrays` of a thread, set by `set_policy`, on boards that `fits_kernels`
accepts; the constants are offsets into these arrays. The simulation's kernel is compiled in one
`KernelSet` with `PLAYER_MODULES`. `PROBABILITY_KERNELS` are those of `mine_probability`, for who
asks that at every move, `PLAYER_KERNELS` those that give advice. Other packages import nothing else
of the player's kernels.
"""

from demine.solver.exact.kernels import EXACT_KERNELS as PROBABILITY_KERNELS
from demine.solver.player.advise import ADVISING_POLICY, best_move_if_few_layouts, policy_choice
from demine.solver.player.choose_cell import least_risky_cell, least_risky_cells
from demine.solver.player.first_cell import best_first_cell, usual_first_cell
from demine.solver.player.kernels import PLAYER_KERNELS, PLAYER_MODULES
from demine.solver.player.kernels.box_probabilities import evaluate_position
from demine.solver.player.kernels.certain_or_safest import settle_certain
from demine.solver.player.kernels.known_cells import (
    begin_board,
    mines_around,
    next_safe_cell,
    show_number,
)
from demine.solver.player.kernels.offsets import (
    AGAIN,
    CHOSEN_RISK,
    ITSELF,
    KIND,
    LACK,
    LUCK,
    SAFE,
    STRIDE,
    UNKNOWN,
)
from demine.solver.player.kernels.policies import choose_by_policy
from demine.solver.player.player_arrays import PlayerArrays, fits_kernels, set_policy

__all__ = [
    "ADVISING_POLICY",
    "AGAIN",
    "CHOSEN_RISK",
    "ITSELF",
    "KIND",
    "LACK",
    "LUCK",
    "PLAYER_KERNELS",
    "PLAYER_MODULES",
    "PROBABILITY_KERNELS",
    "SAFE",
    "STRIDE",
    "UNKNOWN",
    "PlayerArrays",
    "begin_board",
    "best_first_cell",
    "best_move_if_few_layouts",
    "choose_by_policy",
    "evaluate_position",
    "fits_kernels",
    "least_risky_cell",
    "least_risky_cells",
    "mines_around",
    "next_safe_cell",
    "policy_choice",
    "set_policy",
    "settle_certain",
    "show_number",
    "usual_first_cell",
]
