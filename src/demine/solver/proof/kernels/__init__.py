"""The kernels that play layouts by proofs alone, to find boards that need no guess."""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet
from demine.solver.exact.kernels import EXACT_KERNELS

PROOF_KERNELS: Final = KernelSet(
    (
        "demine.solver.exact.kernels.box_order",
        "demine.solver.exact.kernels.component_states",
        "demine.solver.proof.kernels.board_state",
        "demine.solver.proof.kernels.component_proof",
        "demine.solver.proof.kernels.needs_guess",
    ),
    {
        "seek_guess_free_layout":
            "(uint8[::1], int64[::1], int64[::1], uint8[::1], int64[::1], int64[::1])",
    },
)  # fmt: skip

SOLVER_KERNELS: Final = (EXACT_KERNELS, PROOF_KERNELS)
"""The kernels for questions and guess-free boards, the most wanted first; not those for advice."""
