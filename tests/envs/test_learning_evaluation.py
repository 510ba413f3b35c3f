"""Win rates of ways to play: each board counts once, and everybody gets the same boards."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import demine
from demine.envs import EnvSettingError, MinesweeperEnv
from demine.envs.learning.evaluation import (
    ChooseActions,
    WinRate,
    fast_policy,
    random_cells,
    win_rate,
    win_rate_table,
)
from demine.logic.rules import Rules

RULES = Rules.parse("5x4/4")


def first_legal(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    actions: NDArray[np.int64] = masks.argmax(axis=1)
    return actions


def played_singly(choose: ChooseActions, boards: int, seed: int) -> int:
    """How many games a way to play wins, one environment after the other."""
    won = 0
    for board in range(boards):
        env = MinesweeperEnv(RULES)
        faces, info = env.reset(seed=seed + board)
        over = False
        while not over:
            action = choose(faces[None], info["action_mask"][None])
            faces, _, over, _, info = env.step(action[0])
        won += info["is_success"]
    return won


def test_each_board_counts_once() -> None:
    found = win_rate(RULES, first_legal, boards=300, seed=4)
    assert found == WinRate(played_singly(first_legal, 300, 4), 300)
    assert 0 < found.won < 300


def test_whoever_does_what_the_rules_refuse_loses() -> None:
    def always_the_first(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        return np.zeros(len(masks), np.int64)

    assert win_rate(RULES, always_the_first, boards=20, seed=4) == WinRate(0, 20)


def test_games_that_opening_cannot_win_are_refused() -> None:
    with pytest.raises(EnvSettingError, match="cannot be won by opening cells alone"):
        win_rate(Rules.parse("5x4/4 goal=flag"), first_legal, boards=5, seed=0)


def test_random_cells_are_legal_and_all_of_them() -> None:
    masks = np.tile(np.array([0, 1, 1, 0], np.int8), (200, 1))
    faces = np.zeros((200, 2, 2), np.uint8)
    assert set(random_cells(1)(faces, masks)) == {1, 2}


def test_fast_plays_as_the_policy_of_that_name() -> None:
    def as_advised(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        (board,) = faces
        move = demine.best_move(board, RULES.mines, policy="fast", first=RULES.first)
        return np.array([move.row * RULES.width + move.col])

    assert win_rate(RULES, fast_policy(RULES), boards=60, seed=2).won == played_singly(
        as_advised, 60, 2
    )


def test_a_table_has_a_line_for_everybody() -> None:
    lines = list(win_rate_table(RULES, {"first": first_legal}, boards=50, seed=4))
    assert [line.split()[0] for line in lines] == ["50", "random", "first", "fast"]
    won = win_rate(RULES, first_legal, boards=50, seed=4)
    assert str(won) in lines[2]
    low, high = won.interval
    assert low < won.share < high
