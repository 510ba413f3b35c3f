"""Which kernels answer: none, or those that were compiled once for all tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from demine.kernels.kernel_set import KernelSet
from demine.play.load_kernels import all_kernel_sets
from demine.solver.exact.compiled_engine import ProbabilityKernel
from demine.solver.player.kernels import PLAYER_KERNELS
from demine.solver.proof.kernels import SOLVER_KERNELS

COMPILED: dict[KernelSet, dict[str, Callable[..., Any]]] = {}
"""What the fixture `built` has compiled."""


def use(patch: pytest.MonkeyPatch, each: KernelSet, kernels: Mapping[str, Any]) -> None:
    """Let just these entries of a set be ready."""
    patch.setattr(each, "loaded", dict(kernels))


def use_solver(patch: pytest.MonkeyPatch, engine: ProbabilityKernel | None) -> None:
    """Let the solver answer compiled, or plainly for None."""
    for each in SOLVER_KERNELS:
        use(patch, each, {} if engine is None else COMPILED[each])


def use_all(patch: pytest.MonkeyPatch, engine: ProbabilityKernel | None) -> None:
    """Let everything but the player's advice answer compiled, or plainly for None."""
    for each in all_kernel_sets():
        use(patch, each, {} if engine is None else COMPILED[each])


def use_player(patch: pytest.MonkeyPatch, kernel: Callable[..., float] | None) -> None:
    """Let a kernel advise, or none yet."""
    use(patch, PLAYER_KERNELS, {} if kernel is None else {"run_advice_task": kernel})
