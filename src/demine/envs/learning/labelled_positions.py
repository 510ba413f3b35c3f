"""Positions that arise in play, with the exact probability of a mine in each covered cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode

from demine.envs.vector_env import MinesweeperVectorEnv
from demine.solver.exact.probability import mine_probability_batch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.envs.learning.evaluation import ChooseActions
    from demine.logic.rules import Rules

_HALF: Final = 2


class LabelledPositions(NamedTuple):
    """Some positions of games on boards of the same size."""

    faces: NDArray[np.uint8]
    """What the player sees, uint8 of `Face`, `(positions, height, width)`."""
    probability: NDArray[np.float32]
    """The exact probability of a mine, float32 of the same shape, NaN on opened cells."""

    def part(self, which: NDArray[np.int64] | slice) -> LabelledPositions:
        """Return the positions with these numbers."""
        return LabelledPositions(self.faces[which], self.probability[which])

    def transformed(self, symmetry: int) -> LabelledPositions:
        """Return the positions as one of the symmetries of their boards shows them.

        Symmetries are numbered from 0, which changes nothing, to `symmetry_count`.
        """
        return LabelledPositions(*(_transformed(each, symmetry) for each in self))


def symmetry_count(rules: Rules) -> int:
    """Return how many symmetries a board has: 8 if it is a square, else 4."""
    return 8 if rules.width == rules.height else 4


def play_and_label(
    rules: Rules, student: ChooseActions | None, *, boards: int, seed: int
) -> LabelledPositions:
    """Return positions of games played side by side, as many acts long as a board has safe cells.

    Every other board is played by `student`, so that it learns what to do after its own choices
    (S. Ross et al., "A reduction of imitation learning to no-regret online learning", 2011); the
    others, or all if it is None, by opening one of the cells with the least probability of a mine.
    A board whose game is over goes on with the next one.
    """
    env = MinesweeperVectorEnv(boards, rules, autoreset_mode=AutoresetMode.NEXT_STEP)
    random = np.random.default_rng(seed)
    faces, infos = env.reset(seed=seed)
    running = np.ones(boards, np.bool_)
    played: list[LabelledPositions] = []
    for _ in range(rules.safe_cells):
        probability = np.full(faces.shape, np.nan, np.float32)
        probability[running] = mine_probability_batch(faces[running], rules.mines)
        played.append(LabelledPositions(faces, probability).part(np.flatnonzero(running)))
        actions = _least_risky_cells(probability, random)
        if student is not None:
            actions[::_HALF] = student(faces[::_HALF], infos["action_mask"][::_HALF])
        faces, _, ended, _, infos = env.step(actions)
        running = ~ended
    return LabelledPositions(*(np.concatenate(each) for each in zip(*played, strict=True)))


def least_risky_player(rules: Rules, seed: int) -> ChooseActions:
    """Return the way to play that opens any of the cells with the least probability of a mine."""
    random = np.random.default_rng(seed)

    def choose(faces: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        probability = np.full(faces.shape, np.nan)
        playing = masks.any(axis=1)
        probability[playing] = mine_probability_batch(faces[playing], rules.mines)
        return _least_risky_cells(probability, random)

    return choose


def _least_risky_cells(probability: NDArray[Any], random: np.random.Generator) -> NDArray[np.int64]:
    """Return one of the least risky cells of each board, int64 `(boards,)`; 0 if all are open."""
    flat = np.nan_to_num(probability.reshape(len(probability), -1), nan=np.inf)
    least = flat == flat.min(axis=1, keepdims=True)
    cells: NDArray[np.int64] = (random.random(flat.shape) * least).argmax(axis=1)
    return cells


def _transformed(boards: NDArray[Any], symmetry: int) -> NDArray[Any]:
    if symmetry & 1:
        boards = boards[:, ::-1]
    if symmetry & 2:
        boards = boards[:, :, ::-1]
    if symmetry & 4:
        boards = boards.swapaxes(1, 2)
    return np.ascontiguousarray(boards)
