"""Actions for many boards, recorded before anything is timed: random ones, and the oracle's."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from demine.envs.board_batch import BoardBatch, Shown
from demine.envs.env_settings import EnvSettings, seed_of_boards
from demine.envs.kernels import READY
from demine.logic.rules import Rules

SEED: Final = 1
"""Board `i` has this seed plus `i`, as `reset(seed=SEED)` gives it."""
_TRIES: Final = 8


@lru_cache(maxsize=8)
def recorded_actions(rules: Rules, batch: int, steps: int, *, safe: bool) -> NDArray[np.int64]:
    """Return legal actions for so many steps after `reset(seed=SEED)`, int64 `(steps, batch)`.

    With `safe` they open no mine, so that every game is won. At the step after its end a board
    begins anew, whatever its action.
    """
    boards = EnvSettings.of(rules, "open", "win_loss", "ignore").boards(batch)
    for board in range(batch):
        boards.seed(slice(board, board + 1), seed_of_boards(SEED + board))
    every = np.ones(batch, np.bool_)
    boards.reset(every)
    shown = boards.new_shown()
    boards.show(every, shown)
    oracle = Oracle(boards, shown)
    actions = np.empty((steps, batch), np.int64)
    for step in range(steps):
        actions[step] = oracle.actions() if safe else boards.sample()
        boards.play(actions[step], shown, resets=True)
    return actions


class Oracle:
    """Opens covered cells without mines, all with the same chance: it sees where the mines are."""

    def __init__(self, boards: BoardBatch, shown: Shown) -> None:
        self._boards, self._shown = boards, shown
        self._is_safe = np.ones_like(shown.masks, np.bool_)
        self._was_ready = np.ones(boards.seeds.size, np.bool_)
        self._random = np.random.default_rng(SEED)

    def actions(self) -> NDArray[np.int64]:
        """Return an action of each board."""
        ready = self._boards.status == READY
        for board in np.flatnonzero(self._was_ready & ~ready).tolist():
            mines = self._boards.mine_map(board)
            assert mines is not None
            self._is_safe[board] = ~mines.ravel()
        self._is_safe[ready] = True
        self._was_ready = ready
        return random_choices(self._is_safe & (self._shown.masks == 1), self._random)


def random_choices(allowed: NDArray[np.bool_], random: np.random.Generator) -> NDArray[np.int64]:
    """Return a random allowed action of each board; any where none is allowed."""
    count, size = allowed.shape
    chosen: NDArray[np.int64] = random.integers(size, size=(count,))
    wrong = np.flatnonzero(~allowed[np.arange(count), chosen])
    for _ in range(_TRIES):
        chosen[wrong] = random.integers(size, size=wrong.size)
        wrong = wrong[~allowed[wrong, chosen[wrong]]]
    chosen[wrong] = (allowed[wrong] * random.random((wrong.size, size))).argmax(axis=1)
    return chosen
