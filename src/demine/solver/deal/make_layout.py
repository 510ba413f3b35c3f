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


def make(
    rules: Rules | str,
    seed: int,
    first: tuple[int, int] | None = None,
    guess_free: bool = False,
    *,
    limit: int | None = DEFAULT_STEP_LIMIT,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.bool_]:
    """Return a layout for these rules: a bool array of shape `(height, width)`, True for a mine.

    `rules` are `Rules` or their text. `first`, `(row, col)`, is where the game begins; with None no
    cell is promised to be safe. With `guess_free`, or if the rules ask for it, exact logic solves
    the board from `first` without a guess, and `first` must be given. `NoGuessFreeBoard` is raised
    if it is proven that there is no such board, or if none was found in `limit` steps (a compiled
    search takes some millions a second); with None the search goes on until it finds one.
    `progress(boards, steps)` is called now and then with how many boards were examined in how many
    steps. The same arguments give the same board everywhere, whatever `limit` and `progress` are.
    Other errors are those of `Rules.parse`, `demine.logic.layout.deal` and
    `demine.solver.deal.guess_free.find_guess_free_layout`.
    """
    rules = Rules.of(rules)
    if not (guess_free or rules.guess_free):
        return deal(rules, seed, first)
    from demine.solver.deal.guess_free import find_guess_free_layout

    return find_guess_free_layout(
        replace(rules, guess_free=True), seed, first, limit=limit, progress=progress
    ).mine_map
