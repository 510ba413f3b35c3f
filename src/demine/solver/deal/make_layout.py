"""Making a layout for any rules: dealt at random, or searched for if it must be guess-free."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from demine.logic.deal_batch import checked_count, deal_batch
from demine.logic.layout import deal, game_seed
from demine.logic.rules import Rules
from demine.solver.deal.step_limits import DEFAULT_STEP_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

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

    >>> import demine
    >>> mine_map = demine.make("9x9/10", seed=7, first=(4, 4))
    >>> mine_map.shape, int(mine_map.sum()), bool(mine_map[4, 4])
    ((9, 9), 10, False)
    """
    rules = Rules.of(rules)
    if not (guess_free or rules.guess_free):
        return deal(rules, seed, first)
    from demine.solver.deal.guess_free import find_guess_free_layout

    return find_guess_free_layout(
        replace(rules, guess_free=True), seed, first, limit=limit, progress=progress
    ).mine_map


def make_batch(
    rules: Rules | str,
    seed: int,
    count: int,
    first: tuple[int, int] | None = None,
    guess_free: bool = False,
) -> NDArray[np.bool_]:
    """Return many layouts for these rules: a bool array `(count, height, width)`, True for a mine.

    They are the boards that a study with this seed plays: board `i` is what `make` returns for the
    seed `seed * 2**64 + i`, which `demine play --seed` takes too. `seed` is below 2**64, and all
    boards together have at most 2**32 cells. Boards that need guesses are dealt at once, 100,000 of
    30x16 in two seconds, or in 0.4 once kernels are loaded (`warm`). Other arguments and errors are
    those of `make`; `LayoutError` is raised for a count that is none or too large.

    >>> import demine
    >>> demine.make_batch("9x9/10", seed=7, count=1000).sum(axis=(1, 2)).tolist() == [10] * 1000
    True
    """
    rules = Rules.of(rules)
    if not (guess_free or rules.guess_free):
        return deal_batch(rules, seed, count, first)
    boards = checked_count(rules, seed, count)
    maps = np.empty((boards, *rules.shape), np.bool_)
    for index in range(boards):
        maps[index] = make(rules, game_seed(seed, index), first, guess_free)
    return maps
