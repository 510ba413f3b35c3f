"""The plan of a study: everything that its result depends on."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from demine.logic.errors import DemineError
from demine.logic.json_text import JsonTwin
from demine.logic.layout import checked_cell
from demine.logic.rules import Goal, Rules
from demine.solver.player.custom_policy import CustomPolicy
from demine.solver.player.policy_table import POLICIES
from demine.solver.player.resolve_policy import resolve_policy
from demine.studies.errors import StudyError
from demine.studies.play_games import shared_first_cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from demine.solver.player.policy_types import PolicyLike
    from demine.solver.player.resolve_policy import ResolvedPolicy

MAX_SEED: Final = 1 << 62
"""The seed of a study is less than this; the seed of a game adds its index in the lower 64 bits."""
MAX_GAMES: Final = 1 << 40


@dataclass(frozen=True, slots=True, init=False)
class StudyPlan(JsonTwin):
    """Which games to play: the first `games` boards of `seed`.

    `policies` are the names of who plays them: one policy, or two on the same boards. Those of
    one's own are in `custom`; a name `module:name` without one is imported. `start` is the first
    cell, `(row, col)`; for None `demine.studies.play_games.shared_first_cell` chooses it. Raises
    `StudyError` if such games cannot be played, `PolicyError` for an unknown policy, `LayoutError`
    for a start outside the board.

    >>> import demine
    >>> plan = demine.StudyPlan("beginner", "safest", seed=0, games=100)
    >>> demine.StudyPlan.from_json(plan.to_json()) == plan
    True
    """

    rules: Rules
    policies: tuple[str, ...]
    seed: int
    games: int
    start: tuple[int, int]
    """The first cell, `(row, col)`."""
    custom: tuple[CustomPolicy, ...] = field(default=(), repr=False, compare=False)
    """The policies of one's own, found by their names."""

    def __init__(
        self,
        rules: Rules | str,
        policies: str | Sequence[str],
        seed: int,
        games: int,
        start: tuple[int, int] | None = None,
        custom: tuple[CustomPolicy, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "rules", Rules.of(rules))
        put(self, "seed", checked_number("the seed", seed, 0, MAX_SEED))
        put(self, "games", checked_number("the number of games", games, 1, MAX_GAMES))
        put(
            self,
            "policies",
            _checked_policies(policies),
        )
        put(self, "custom", custom)
        players = [self.player(policy) for policy in self.policies]
        put(self, "custom", tuple(each for each in players if isinstance(each, CustomPolicy)))
        start = shared_first_cell(self.rules, self.policies) if start is None else start
        put(self, "start", checked_cell(self.rules, start))
        if self.rules.guess_free:
            raise StudyError("a study cannot use guess-free boards")
        if self.rules.lives > 1:
            raise StudyError("policies play with one life only: leave lives out")
        if self.rules.goal is Goal.FLAG:
            raise StudyError("policies open cells: they cannot play goal=flag")

    @classmethod
    def of_policies(
        cls,
        rules: Rules | str,
        policies: Sequence[PolicyLike],
        seed: int,
        games: int,
        start: tuple[int, int] | None = None,
    ) -> StudyPlan:
        """Return the plan of a study by any policies; see `demine.study`."""
        players = [resolve_policy(each) for each in policies]
        names = tuple(each.name for each in players)
        custom = tuple(each for each in players if isinstance(each, CustomPolicy))
        return cls(rules, names, seed, games, start, custom)

    def player(self, policy: str) -> ResolvedPolicy:
        """Return the policy of this name."""
        named = (each for each in self.custom if each.name == policy)
        return next(named, None) or resolve_policy(policy)

    @property
    def versions(self) -> tuple[str | None, ...]:
        """The version of the code of each policy; None for those of demine, and if unknown."""
        known = {each.name: each.version for each in self.custom}
        return tuple(map(known.get, self.policies))

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values, which `from_dict` reads."""
        values: dict[str, Any] = {
            "rules": str(self.rules),
            "start": list(self.start),
            "policies": list(self.policies),
            "seed": self.seed,
            "games": self.games,
        }
        return {**values, "versions": list(self.versions)} if self.custom else values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> StudyPlan:
        """Return the plan that `to_dict` told; raises `StudyError` for anything else.

        Policies of one's own are known by their names only: no file makes demine import anything.
        """
        try:
            row, col = values["start"]
            return cls(
                Rules.parse(values["rules"]),
                tuple(values["policies"]),
                values["seed"],
                values["games"],
                (row, col),
                _named_policies(values),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, DemineError):
                raise
            raise StudyError("the facts of a study are damaged") from error


def checked_number(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number from `low` up to but not including `high`; raises `StudyError`."""
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


def _checked_policies(policies: str | Sequence[str]) -> tuple[str, ...]:
    policies = (policies,) if isinstance(policies, str) else policies
    if len(policies) not in {1, 2} or len(set(policies)) != len(policies):
        raise StudyError("a study plays one policy or compares two different ones")
    return tuple(policies)


def _named_policies(values: Mapping[str, Any]) -> tuple[CustomPolicy, ...]:
    pairs = zip(values["policies"], values.get("versions", ()), strict="versions" in values)
    return tuple(
        CustomPolicy(None, str(name), None if version is None else str(version))
        for name, version in pairs
        if name not in POLICIES
    )
