"""Making a layout of any rules: plain ones are dealt, guess-free ones are searched for."""

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
    """Return a layout of these rules: a bool array of shape `(height, width)`, True for a mine.

    `rules` are `Rules` or their text. `first`, `(row, col)`, is where the game begins; None
    promises nothing there. With `guess_free`, or for rules that say so, exact logic solves the
    board from `first` without one guess: then `first` has to be given. `NoGuessFreeBoard` is raised
    where it is proven that there is none, or where none was found in `limit` steps, of which a
    compiled search takes some millions a second; with None it goes on until one is found.
    `progress` hears now and then how many boards were looked at, in how many steps. The same
    arguments give the same board everywhere, and neither of these two changes it. Errors are those
    of `Rules.parse`, `demine.logic.layout.deal` and
    `demine.solver.deal.guess_free.find_guess_free_layout`.
    """
    rules = Rules.of(rules)
    if not (guess_free or rules.guess_free):
        return deal(rules, seed, first)
    from demine.solver.deal.guess_free import find_guess_free_layout

    return find_guess_free_layout(
        replace(rules, guess_free=True), seed, first, limit=limit, progress=progress
    ).mine_map
