"""Which guess-free boards are found, and how much that takes: a survey of rules and first cells.

Every rule is asked for from a corner, an edge and the middle, with several seeds. A board is found,
or it is proven that there is none, or the search ends in vain at `--limit` steps: then nothing is
known, and the row says so. Small boards are held to a list of all layouts: nothing that exists
may be refused, and nothing found that does not.

    python scripts/guess_free.py [--seeds 4] [--limit 100000000] [--kept] [RULES ...]

`--kept` lays all of tests/solver/guess_free.txt again instead: boards that seeds have to keep.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from demine.logic.daily_board import LEVELS
from demine.logic.layout import keeps_first_click_promise
from demine.logic.rules import Rules
from demine.play import load_kernels
from demine.solver.deal.guess_free import find_guess_free_layout
from demine.solver.errors import NoGuessFreeBoard
from demine.solver.proof.play_by_proofs import ProofPlayer

Cell = tuple[int, int]
MAX_LISTED_LAYOUTS: Final = 20_000
"""Boards with no more layouts are held to a list of them."""
RULES: Final = (
    *(
        f"{w}x{h}/{m}"
        for w, h in ((4, 4), (5, 4), (9, 1), (14, 1), (6, 3), (8, 2))
        for m in range(1, w * h)
    ),
    *(f"8x8/{mines}" for mines in range(10, 64, 6)),
    *(f"10x10/{mines}" for mines in range(20, 100, 10)),
    *(f"16x16/{mines}" for mines in range(40, 256, 30)),
    *(f"30x16/{mines}" for mines in range(99, 480, 40)),
    *(
        f"{width}x{height}/{width * height * share // 100}"
        for width, height in ((60, 2), (100, 2), (30, 3), (60, 4), (5, 30), (100, 6), (40, 1))
        for share in (3, 7, 15, 30, 45, 60, 80)
    ),
    *(
        f"{side}x{side}/{side * side * share // 100}"
        for side in (50, 100, 200)
        for share in (20, 30, 45, 70)
    ),
)


class SearchResult(NamedTuple):
    """What came of one search, in seconds of the processor."""

    outcome: str
    steps: int
    seconds: float


def first_cells(rules: Rules) -> list[Cell]:
    """Return a corner, an edge and the middle, each once."""
    row, col = rules.height // 2, rules.width // 2
    return list(dict.fromkeys([(0, 0), (0, col), (row, col)]))


def search_once(rules: Rules, first: Cell, seed: int, limit: int) -> SearchResult:
    """Search once."""
    begin = time.process_time()
    try:
        laid = find_guess_free_layout(rules, seed, first, limit=limit)
        outcome, steps = str(laid.method), laid.steps
    except NoGuessFreeBoard as error:
        outcome = "none" if error.proven else "in vain"
        steps = int(str(error.params["steps"]))
    return SearchResult(outcome, steps, time.process_time() - begin)


def guess_free_board_exists(rules: Rules, first: Cell) -> bool | None:
    """Return whether there is a guess-free board, by trying all layouts; None if they are many."""
    from math import comb

    if comb(rules.cells, rules.mines) > MAX_LISTED_LAYOUTS:
        return None
    prover = ProofPlayer(rules, first)
    for places in combinations(range(rules.cells), rules.mines):
        mine_map = np.zeros(rules.cells, np.bool_)
        mine_map[list(places)] = True
        mine_map = mine_map.reshape(rules.shape)
        fits = keeps_first_click_promise(rules, mine_map, first)
        if fits and prover.find_guess_free(mine_map[None], 1 << 62, stop_when_stuck=True).solved:
            return True
    return False


def rules_with_variants(text: str) -> Iterator[Rules]:
    """Yield rules as they are by themselves, and with a first cell that is merely safe."""
    yield from dict.fromkeys([Rules.parse(text), Rules.parse(f"{text} first=safe")])


def print_survey(texts: tuple[str, ...], seeds: int, limit: int) -> int:
    """Print a row for each rule; return how many searches contradict the list of all layouts."""
    wrong, total = 0, Counter[str]()
    print(f"{'rules':24}{'outcomes':52}{'most steps':>14}{'most s':>8}  all layouts say")
    for rules in (each for text in texts for each in rules_with_variants(text)):
        rows, held = [], Counter[str]()
        for first in first_cells(rules):
            truth = guess_free_board_exists(rules, first)
            for seed in range(seeds):
                row = search_once(rules, first, seed, limit)
                rows.append(row)
                if truth is not None:
                    right = (row.outcome == "none") != truth and row.outcome != "in vain"
                    held["right" if right else "WRONG"] += 1
        wrong += held["WRONG"]
        outcomes = Counter(row.outcome for row in rows)
        total += outcomes
        said = ", ".join(f"{name} {count}" for name, count in outcomes.most_common())
        most, slowest = max(row.steps for row in rows), max(row.seconds for row in rows)
        print(f"{rules!s:24}{said:52}{most:14,}{slowest:8.2f}  {dict(held) or ''}", flush=True)
    print(f"{total.total():,} searches: {dict(total)}; {wrong} wrong")
    return wrong + total["in vain"]


def check_golden_boards() -> int:
    """Lay the whole list again; return how many boards are others now."""
    from tests.solver.test_guess_free_golden import (
        DAYS,
        LINES,
        NOT_FOUND,
        daily_line,
        laid,
        parsed,
    )

    others = sum(daily_line(level, DAYS) not in LINES for level in LEVELS)
    boards = 0
    for head, outcomes in parsed(""):
        text, _, cell = head.rpartition(" ")
        row, _, col = cell.partition(",")
        for seed, was in enumerate(outcomes):
            if was != NOT_FOUND:
                boards += 1
                others += laid(text, (int(row), int(col)), seed) != was
    print(f"{boards:,} boards and {len(LEVELS) * DAYS:,} daily boards laid again: {others} differ")
    return others


def main() -> int:
    """Ask, and tell; the exit code is 0 where all is found or proven."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rules", nargs="*", help="such as 30x16/200; many of all kinds without any")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--limit", type=int, default=100_000_000)
    parser.add_argument("--kept", action="store_true", help="lay the list of kept boards again")
    asked = parser.parse_args()
    load_kernels.load_common_kernels()
    if asked.kept:
        return 1 if check_golden_boards() else 0
    return 1 if print_survey(tuple(asked.rules) or RULES, asked.seeds, asked.limit) else 0


if __name__ == "__main__":
    sys.exit(main())
