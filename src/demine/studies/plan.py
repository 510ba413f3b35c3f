"""The plan of a study: everything that its result depends on."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from demine.logic.errors import DemineError
from demine.logic.json_text import JsonTwin
from demine.logic.layout import checked_cell
from demine.logic.rules import Goal, Rules
from demine.solver.player.policy_table import POLICIES
from demine.studies.errors import StudyError
from demine.studies.play_games import shared_first_cell

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SEED: Final = 1 << 62
"""The seed of a study is less than this; the seed of a game adds its index in the lower 64 bits."""
MAX_GAMES: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class StudyPlan(JsonTwin):
    """Which games to play: the first `games` boards of `seed`.

    `policies` are who plays them: one policy, or two on the same boards. `start` is the first cell,
    `(row, col)`; with None `demine.studies.play_games.shared_first_cell` chooses it. Raises
    `StudyError` if such games cannot be played, `LayoutError` for a start outside the board.

    >>> import demine
    >>> plan = demine.StudyPlan(demine.BEGINNER, ("safest",), seed=0, games=100)
    >>> demine.StudyPlan.from_json(plan.to_json()) == plan
    True
    """

    rules: Rules
    policies: tuple[str, ...]
    seed: int
    games: int
    start: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "seed", _checked_number("the seed", self.seed, 0, MAX_SEED))
        put(self, "games", _checked_number("the number of games", self.games, 1, MAX_GAMES))
        put(self, "policies", _checked_policies(self.policies))
        start = shared_first_cell(self.rules, self.policies) if self.start is None else self.start
        put(self, "start", checked_cell(self.rules, start))
        if self.rules.guess_free:
            raise StudyError("a study cannot use guess-free boards")
        if self.rules.lives > 1:
            raise StudyError("policies play with one life only: leave lives out")
        if self.rules.goal is Goal.FLAG:
            raise StudyError("policies open cells: they cannot play goal=flag")

    @property
    def first_cell(self) -> tuple[int, int]:
        """The first cell, `(row, col)`."""
        return self.start or (0, 0)

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values, which `from_dict` reads."""
        return {
            "rules": str(self.rules),
            "start": list(self.first_cell),
            "policies": list(self.policies),
            "seed": self.seed,
            "games": self.games,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> StudyPlan:
        """Return the plan that `to_dict` told; raises `StudyError` for anything else."""
        try:
            row, col = values["start"]
            return cls(
                Rules.parse(values["rules"]),
                tuple(values["policies"]),
                values["seed"],
                values["games"],
                (row, col),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, DemineError):
                raise
            raise StudyError("the facts of a study are damaged") from error


def _checked_number(name: str, value: object, low: int, high: int) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = low - 1
    if not low <= number < high:
        shown = repr(value)[:40] if not isinstance(value, int) or abs(value) < high**2 else "that"
        raise StudyError(
            "{name} is a whole number from {low} to {high}, not {value}",
            name=StudyError(name),
            low=low,
            high=high - 1,
            value=shown,
        )
    return number


def _checked_policies(policies: tuple[str, ...]) -> tuple[str, ...]:
    for policy in policies:
        if policy not in POLICIES:
            raise StudyError(
                "there is no policy {policy}: use {choices}",
                policy=repr(policy)[:40],
                choices=", ".join(POLICIES),
            )
    if len(policies) not in {1, 2} or len(set(policies)) != len(policies):
        raise StudyError("a study plays one policy or compares two different ones")
    return tuple(policies)
