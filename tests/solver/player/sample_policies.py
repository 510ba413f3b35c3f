"""Policies as users write them, in a module that workers can import."""

# ruff: noqa: ARG002 - a policy takes what it is given, whether it uses that or not
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from demine.scene.cell_faces import Face
from demine.solver.errors import NothingCertain
from demine.solver.exact.probability import mine_probability, mine_probability_batch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.logic.rules import Rules

LEAST_GAIN = 1e-9
"""Probabilities that differ by less are equal."""


def safest(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    """The first of the cells that are least likely to be mines."""
    return least(mine_probability(scene, rules.mines))


def least(chance: NDArray[np.float64]) -> tuple[int, int]:
    good = chance <= np.nanmin(chance) * (1 + LEAST_GAIN)
    row, col = divmod(int(np.flatnonzero(good)[0]), chance.shape[1])
    return row, col


class SafestInBatches:
    """`safest`, for many boards at once; knows the process that it was made in."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.asked: list[int] = []

    def choose_batch(self, scenes: NDArray[np.uint8], rules: Rules) -> NDArray[np.intp]:
        assert self.process == os.getpid()
        self.asked.append(len(scenes))
        chances = mine_probability_batch(scenes, rules.mines)
        return np.array([least(chance) for chance in chances], np.intp)


class SafestMade:
    """`safest`, made anew for each worker."""

    def __init__(self) -> None:
        self.process = os.getpid()

    def __call__(self, scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
        assert self.process == os.getpid()
        return safest(scene, rules)


def proven_only(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    """What `logic` plays: nothing that is not certain."""
    chance = mine_probability(scene, rules.mines)
    if np.nanmin(chance) > 0.0:
        raise NothingCertain("nothing is certain")
    return least(chance)


@dataclass(frozen=True)
class Cautious:
    """A policy with a setting, which its name tells."""

    corner: int = 0

    def __call__(self, scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
        return first_covered(scene, rules)


def first_covered(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    row, col = np.argwhere(scene == Face.COVERED)[0].tolist()
    return row, col


def opened(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    row, col = np.argwhere(scene != Face.COVERED)[0].tolist()
    return row, col


def outside(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    return rules.height, 0


def below(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    return -1, 0


def nothing(scene: NDArray[np.uint8], rules: Rules) -> None:
    """Forgets to return."""


def nonsense(scene: NDArray[np.uint8], rules: Rules) -> str:
    return "top left"


def fraction(scene: NDArray[np.uint8], rules: Rules) -> tuple[float, float]:
    return 0.5, 0.5


def raises(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    raise KeyError("no such opening")


def leaves(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    raise SystemExit(3)


class OwnError(Exception):
    """Cannot be pickled: it cannot be made of its arguments."""

    def __init__(self, left: str, right: str) -> None:
        super().__init__(f"{left} {right}")


def raises_own(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
    raise OwnError("not", "again")


class WrongShape:
    def choose_batch(self, scenes: NDArray[np.uint8], rules: Rules) -> NDArray[np.intp]:
        return np.zeros(3, np.intp)


class LastIsOpen:
    """Answers well but to the last board."""

    def choose_batch(self, scenes: NDArray[np.uint8], rules: Rules) -> NDArray[np.intp]:
        answers = [first_covered(scene, rules) for scene in scenes[:-1]]
        return np.array([*answers, opened(scenes[-1], rules)], np.intp)


class CannotBeMade:
    def __init__(self, weights: str) -> None:
        self.weights = weights

    def __call__(self, scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
        return 0, 0


def make_local() -> object:
    def local(scene: NDArray[np.uint8], rules: Rules) -> tuple[int, int]:
        return safest(scene, rules)

    return local


NUMBER = 5
