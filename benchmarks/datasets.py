"""Positions a second that a dataset gets, beside the same asked of the library one by one.

Both play games by the policy `fast`, opening proven cells in any order, take four positions of
each, and find the probability of every cell and the best move. The kernels are loaded and one
processor works. The dataset has the chance to win as well, and the bytes of its file.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import demine
from benchmarks.measure import Row, Run
from demine.studies.datasets.plan import DatasetPlan
from demine.studies.datasets.shard import make_shard
from demine.studies.plan import StudyPlan

BOARDS: Final = ("9x9/10", "16x16/40", "30x16/99")
POSITIONS: Final = 4000
PER_GAME: Final = 4
TURNS: Final = 3


def rows(run: Run) -> list[Row]:
    """Return positions a second of one processor."""
    demine.warm()
    found = []
    for board in BOARDS:
        plan = DatasetPlan(StudyPlan(board, "fast", 7, 1), POSITIONS, PER_GAME)
        ours, theirs = 0.0, 0.0
        for turn in range(run.often(TURNS)):
            ours = max(ours, rate(partial(shard_size, plan)))
            theirs = max(theirs, rate(partial(one_by_one, board, turn)))
        found.append(Row(board, ours, "positions/s", "one by one", theirs, more_is_better=True))
    return found


def rate(work: Callable[[], int]) -> float:
    """Return how many positions a second of processor time some work makes."""
    before = time.process_time()
    made = work()
    return made / (time.process_time() - before)


def shard_size(plan: DatasetPlan) -> int:
    """Make a file of a dataset, and return how many positions it has."""
    make_shard(plan, 0, 1, False)
    return plan.positions_of(0)


def one_by_one(board: str, turn: int) -> int:
    """Play games and ask the library about positions of them; return how many."""
    rules = demine.Rules.of(board)
    made = 0
    for seed in range(turn * 100, turn * 100 + 25):
        chance = random.Random(seed)
        game = demine.Game(rules, seed)
        game.open(2, 2)
        scenes = []
        while not game.status.over:
            scene = demine.sight(game)
            scenes.append(scene)
            risks = demine.mine_probability(scene, rules.mines)
            safe = (risks == 0.0).nonzero()
            if safe[0].size:
                at = chance.randrange(safe[0].size)
                game.open(int(safe[0][at]), int(safe[1][at]))
            else:
                move = demine.best_move(scene, rules.mines, policy="fast")
                game.open(move.row, move.col)
        for scene in chance.sample(scenes, min(PER_GAME, len(scenes))):
            demine.mine_probability(scene, rules.mines)
            demine.best_move(scene, rules.mines)
            made += 1
    return made
