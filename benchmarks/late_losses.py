"""What perfect play would gain over a policy late in the game, by exact values.

    python -m benchmarks.late_losses deep --first zero --games 1000 --seed 31 --layouts 10000

The policy plays, and where it guesses with no more than so many layouts left, the whole game is
searched from there: how many layouts the best play wins, and how many after the cell that the
policy opens. Since layouts only become fewer, what it loses so, summed over a game, is on average
exactly what perfect play from that number of layouts on wins more. Where a search exceeds its
budget nothing is known; how often that happened is told, and the sum is too small by what is lost
there. Nothing is said about play before.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.paired_policies import (
    Cell,
    Mean,
    Policy,
    guesses_of_game,
    policy_with_dials,
    start_of,
)
from demine.logic.layout import game_seed
from demine.logic.rules import Rules
from demine.solver.exact.kernels.offsets import NO_WAY
from demine.solver.player import advise
from demine.solver.player.kernels import advice_tasks
from demine.solver.player.policy_table import policy_by_name

UP_TO: Final = (300, 1000, 2000, 5000, 10_000, 20_000, 50_000)
"""The numbers of layouts by which losses are told apart."""
BUDGET: Final = 1_000_000_000
"""The steps of one search, some five seconds."""


SEARCHER: Final = replace(policy_by_name("deep"), search_budget=BUDGET)
"""Searches with that budget."""


class TooLong(Exception):
    """A search would take too long."""


class Loss(NamedTuple):
    """A guess late in a game: the layouts, and what share of them it loses; NaN if not known."""

    layouts: int
    share: float


def best_wins(faces: NDArray[np.uint8], mines: int, most: int) -> tuple[int, int]:
    """Return how many layouts fit, no more than `most`, and how many the best play wins."""
    limit, wins = np.array([most], np.int64), np.zeros(1, np.int64)
    listed = int(advise.run_task(advice_tasks.LIST_LAYOUTS, faces, mines, SEARCHER, limit))
    if listed in {NO_WAY, advice_tasks.NOTHING_LEFT}:
        # Impossible numbers, or a board that is won.
        return (0, 0) if listed == NO_WAY else (1, 1)
    if (
        listed <= 0
        or advise.run_task(advice_tasks.SEARCH_LISTED, faces, mines, SEARCHER, results=wins) < 0
    ):
        raise TooLong
    return listed, int(wins[0])


def wins_after(faces: NDArray[np.uint8], mines: int, cell: Cell, most: int) -> int:
    """Return how many layouts are won by opening a cell and playing on as well as possible."""
    found = 0
    for number in range(9):
        after = faces.copy()
        after[cell] = number
        found += best_wins(after, mines, most)[1]
    return found


def losses_of_game(rules: Rules, policy: Policy, start: Cell, seed: int, most: int) -> list[Loss]:
    """Play a board, and return what each late guess loses."""
    guesses = guesses_of_game(rules, policy, start, seed)
    losses = (loss_of(faces, rules.mines, cell, most) for faces, cell in guesses)
    return [loss for loss in losses if loss is not None]


def loss_of(faces: NDArray[np.uint8], mines: int, cell: Cell, most: int) -> Loss | None:
    """Return what a guess loses, None with more than `most` layouts left."""
    logs = float(advise.run_task(advice_tasks.LOG_LAYOUTS, faces, mines, SEARCHER))
    if logs > math.log(most + 0.5):
        return None
    try:
        layouts, best = best_wins(faces, mines, most)
        return Loss(layouts, (best - wins_after(faces, mines, cell, most)) / layouts)
    except TooLong:
        return Loss(round(math.exp(logs)), math.nan)


def main() -> None:
    """Play, and print what is lost."""
    parser = argparse.ArgumentParser(description="What perfect play would gain late in the game.")
    parser.add_argument("policy", type=policy_with_dials, metavar="POLICY[:DIAL=VALUE,...]")
    parser.add_argument("--rules", default="30x16/99")
    parser.add_argument("--first", choices=("safe", "zero"), default="safe")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--layouts", type=int, default=10_000)
    arguments = parser.parse_args()
    rules = Rules.parse(f"{arguments.rules} first={arguments.first}")
    start = start_of(rules, [arguments.policy])
    advise.load_kernels()
    classes = [each for each in UP_TO if each < arguments.layouts] + [arguments.layouts]
    lost, counts = np.zeros((arguments.games, len(classes))), Counter[str]()
    begun = time.process_time()
    for index in range(arguments.games):
        seed = game_seed(arguments.seed, index)
        for loss in losses_of_game(rules, arguments.policy, start, seed, arguments.layouts):
            at = next(at for at, most in enumerate(classes) if loss.layouts <= most)
            counts[f"{at}"] += 1
            counts[f"{at} unknown"] += math.isnan(loss.share)
            lost[index, at] += 0.0 if math.isnan(loss.share) else loss.share
    for at, most in enumerate(classes):
        print(
            f"up to {most} layouts: {counts[f'{at}']} guesses, {counts[f'{at} unknown']} not"
            f" searched out, lost {Mean.of(lost[:, at])}"
        )
    print("in all:", Mean.of(lost.sum(axis=1)))
    print(f"{(time.process_time() - begun) / arguments.games * 1000:.1f} CPU ms a game")


if __name__ == "__main__":
    main()
