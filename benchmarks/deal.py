"""Boards dealt, beside what NumPy's generators offer: one at a time, and many as one array."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import Row, Run, taking_turns
from demine.boards import make_batch
from demine.logic.kernels import DEALING_KERNELS
from demine.logic.layout import deal
from demine.logic.neighbours import block_around
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules

BOARDS: Final = (
    BEGINNER,
    INTERMEDIATE,
    EXPERT,
    Rules(100, 100, 2_000),
    Rules(100, 100, 9_000),
    Rules(1000, 1000, 100_000),
)
CELLS: Final = 1_000_000


def rows(run: Run) -> list[Row]:
    """Return the microseconds a board of every board."""
    found = [row for rules in BOARDS for row in single(rules, run)]
    ways = [("without Numba", False)]
    if DEALING_KERNELS.load():
        ways.append(("compiled", True))
    return found + [batch(name, compiled, run) for name, compiled in ways]


def single(rules: Rules, run: Run) -> list[Row]:
    """Return the rows of one board: beside both peers."""
    first = rules.height // 2, rules.width // 2
    many = max(1, min(100, CELLS // rules.cells))
    ways = (deal, choice, permuted)
    times = taking_turns([partial(loop, way, rules, first, many) for way in ways], run)
    ours, chosen, shuffled = (1e6 * each / many for each in times)
    return [
        Row(f"`deal`, {rules}", ours, "µs", "choice", chosen),
        Row(f"`deal`, {rules}", ours, "µs", "permuted", shuffled),
    ]


def batch(name: str, compiled: bool, run: Run) -> Row:
    """Return the row of 100,000 expert boards at once."""
    loaded = DEALING_KERNELS.loaded
    DEALING_KERNELS.loaded = dict(loaded) if compiled else {}
    boards = run.often(100_000) if run.quick else 100_000
    ours, theirs = taking_turns(
        [
            partial(make_batch, EXPERT, 7, boards, (8, 15)),
            partial(loop, choice, EXPERT, (8, 15), 2000),
        ],
        run,
    )
    DEALING_KERNELS.loaded = loaded
    what = f"`make_batch`, {boards:,} boards of {EXPERT}, {name}"
    return Row(what, ours / boards * 1e6, "µs a board", "choice", theirs / 2000 * 1e6, goal=1.0)


def loop(
    way: Callable[[Rules, int, tuple[int, int]], object],
    rules: Rules,
    first: tuple[int, int],
    many: int,
) -> None:
    """Deal boards one after the other."""
    for seed in range(many):
        way(rules, seed, first)


def allowed(rules: Rules, first: tuple[int, int]) -> NDArray[np.intp]:
    """Return the cells a mine may lie on."""
    free = np.ones(rules.shape, dtype=np.bool_)
    free[block_around(*first, *rules.shape)] = False
    return np.flatnonzero(free)


def choice(rules: Rules, seed: int, first: tuple[int, int]) -> NDArray[np.bool_]:
    """Draw mines without replacement."""
    mines = np.zeros(rules.cells, dtype=np.bool_)
    cells = allowed(rules, first)
    mines[np.random.default_rng(seed).choice(cells, rules.mines, replace=False, shuffle=False)] = (
        True
    )
    return mines.reshape(rules.shape)


def permuted(rules: Rules, seed: int, first: tuple[int, int]) -> NDArray[np.bool_]:
    """Shuffle all allowed cells."""
    mines = np.zeros(rules.cells, dtype=np.bool_)
    mines[np.random.default_rng(seed).permuted(allowed(rules, first))[: rules.mines]] = True
    return mines.reshape(rules.shape)
