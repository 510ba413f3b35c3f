"""Boards dealt per second: `deal` beside what NumPy's generators offer, in one run.

    deal      64-bit keys from PCG64, the smallest are mines; the same board in every NumPy
    choice    `Generator.choice` without replacement over the allowed cells
    shuffle   `Generator.permuted` over the allowed cells

All make their generator from a seed for every board and keep the 3x3 block of the first click free.
NumPy's two promise their boards for one NumPy version only.

    python benchmarks/deal.py [--json]
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from demine.logic.layout import deal
from demine.logic.neighbours import block_around
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules

BOARDS = (
    BEGINNER, INTERMEDIATE, EXPERT,
    Rules(100, 100, 2000), Rules(100, 100, 9000), Rules(1000, 1000, 100_000),
)  # fmt: skip
SECONDS = 0.5


def main() -> None:
    """Print boards per second, a row for each board."""
    ways = {"deal": deal, "choice": choice, "shuffle": shuffle}
    rows = {str(rules): {name: rate(way, rules) for name, way in ways.items()} for rules in BOARDS}
    if "--json" in sys.argv[1:]:
        print(json.dumps(rows))
        return
    print("boards per second; in brackets: times NumPy's choice")
    print(f"{'board':>20} " + " ".join(f"{name:>18}" for name in ways))
    for rules, row in rows.items():
        figures = (f"{row[name]:9,.0f} ({row[name] / row['choice']:.2f}x)" for name in ways)
        print(f"{rules:>20} " + " ".join(f"{figure:>18}" for figure in figures))


def rate(way: Callable[[Rules, int, tuple[int, int]], object], rules: Rules) -> float:
    """Boards per second."""
    first = rules.height // 2, rules.width // 2
    done, begin = 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < SECONDS:
        way(rules, done, first)
        done += 1
    return done / passed


def allowed(rules: Rules, first: tuple[int, int]) -> NDArray[np.intp]:
    """The cells a mine may lie on."""
    free = np.ones(rules.shape, dtype=np.bool_)
    free[block_around(*first, *rules.shape)] = False
    return np.flatnonzero(free)


def choice(rules: Rules, seed: int, first: tuple[int, int]) -> NDArray[np.bool_]:
    """Mines drawn without replacement."""
    mines = np.zeros(rules.cells, dtype=np.bool_)
    cells = allowed(rules, first)
    mines[np.random.default_rng(seed).choice(cells, rules.mines, replace=False, shuffle=False)] = 1
    return mines.reshape(rules.shape)


def shuffle(rules: Rules, seed: int, first: tuple[int, int]) -> NDArray[np.bool_]:
    """The first of the shuffled cells."""
    mines = np.zeros(rules.cells, dtype=np.bool_)
    mines[np.random.default_rng(seed).permuted(allowed(rules, first))[: rules.mines]] = 1
    return mines.reshape(rules.shape)


if __name__ == "__main__":
    main()
