"""Making a layout for any rules: dealt at random, or searched for if it must be guess-free."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from demine.logic.layout import deal
from demine.logic.rules import Rules
from demine.solver.deal.step_limits import DEFAULT_STEP_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def make_layout(
    rules: Rules | str,
    seed: int,
    first: tuple[int, int] | None = None,
    guess_free: bool = False,
    *,
    limit: int | None = DEFAULT_STEP_LIMIT,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.bool_]:
    """Return a layout for these rules, as `demine.make` does, but of any 3BV."""
    rules = Rules.of(rules)
    if not (guess_free or rules.guess_free):
        return deal(rules, seed, first)
    from demine.solver.deal.guess_free import find_guess_free_layout

    return find_guess_free_layout(
        replace(rules, guess_free=True), seed, first, limit=limit, progress=progress
    ).mine_map
