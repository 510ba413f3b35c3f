"""The kernels that play: what is known of a position, and what to open next.

Plain Python over two arrays, `work` (int64) and `values` (float64), whose parts are named in
`offsets`; nothing here sees where the mines are, except for playouts. `PLAYER_MODULES` are for
programs that simulate games, to be compiled together with kernels of their own.
"""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet

PLAYER_MODULES: Final = (
    "demine.solver.exact.kernels.box_order",
    "demine.solver.exact.kernels.component_states",
    "demine.solver.exact.kernels.combine_components",
    "demine.solver.player.kernels.known_cells",
    "demine.solver.player.kernels.box_probabilities",
    "demine.solver.player.kernels.certain_or_safest",
    "demine.solver.player.kernels.list_layouts",
    "demine.solver.player.kernels.position_memo",
    "demine.solver.player.kernels.layout_rows",
    "demine.solver.player.kernels.split_layouts",
    "demine.solver.player.kernels.bitset_endgame",
    "demine.solver.player.kernels.endgame",
    "demine.solver.player.kernels.small_boards",
    "demine.solver.player.kernels.unavoidable_guesses",
    "demine.solver.player.kernels.look_ahead",
    "demine.solver.player.kernels.policies",
)

PLAYER_KERNELS: Final = KernelSet(
    (
        *PLAYER_MODULES,
        "demine.solver.player.kernels.sample_layouts",
        "demine.solver.player.kernels.advice_tasks",
    ),
    {
        "run_advice_task":
            "(int64, int64, int64, int64, int64,"
            " uint8[::1], int64[::1], float64[::1], uint8[::1], int64[::1],"
            " int64[::1], float64[::1], uint8[::1], int64[::1], float64[::1])",
    },
)  # fmt: skip
"""The kernels that give advice. Compiling them takes long, and nothing waits for it."""
