"""The kernels that play layouts by proofs alone, for boards that need no guess."""

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
    {"seek_guess_free": "(uint8[::1], int64[::1], int64[::1], uint8[::1], int64[::1], int64[::1])"},
)

SOLVER_KERNELS: Final = (EXACT_KERNELS, PROOF_KERNELS)
"""What questions and guess-free boards need, the most wanted first; not what advises on guesses."""
