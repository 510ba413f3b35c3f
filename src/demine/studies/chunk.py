"""A chunk of a study: consecutive games, played by one worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from demine import __version__
from demine.studies.play_games import play_games
from demine.studies.totals import GameTotals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.studies.plan import StudyPlan


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """The tally of each policy, and on how many boards both won, the first alone, the second."""

    tallies: tuple[GameTotals, ...]
    both: int = 0
    only_a: int = 0
    only_b: int = 0

    def __add__(self, other: StudyCounts) -> StudyCounts:
        pairs = zip(self.tallies, other.tallies, strict=True)
        return StudyCounts(
            tuple(mine + theirs for mine, theirs in pairs),
            self.both + other.both,
            self.only_a + other.only_a,
            self.only_b + other.only_b,
        )

    @classmethod
    def empty(cls, plan: StudyPlan) -> StudyCounts:
        """Return the counts of no games."""
        return cls(tuple(GameTotals() for _ in plan.policies))

    @property
    def games(self) -> int:
        """How many boards were played."""
        return self.tallies[0].games

    @property
    def cpu_ns(self) -> int:
        """The processor time of all of them, in nanoseconds."""
        return sum(tally.ns for tally in self.tallies)

    @property
    def without_time(self) -> StudyCounts:
        """The same without the time it took."""
        tallies = tuple(tally.without_time for tally in self.tallies)
        return StudyCounts(tallies, self.both, self.only_a, self.only_b)

    def facts(self) -> dict[str, Any]:
        """Return what JSON keeps of it."""
        return {
            "tallies": [tally.facts() for tally in self.tallies],
            "pairs": [self.both, self.only_a, self.only_b],
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> StudyCounts:
        """Return what `facts` made; raises ValueError, TypeError or KeyError for anything else."""
        return cls(tuple(map(GameTotals.from_facts, facts["tallies"])), *map(int, facts["pairs"]))


@dataclass(frozen=True, slots=True)
class Chunk:
    """The games `first .. first + count` of a study.

    `rows` is empty, or the games as bytes of `GAME_DTYPE`, those of one board beside each other.
    """

    first: int
    count: int
    counts: StudyCounts
    rows: bytes
    version: str


def play_chunk(plan: StudyPlan, first: int, count: int, rows: bool) -> Chunk:
    """Play some games; the outcome is the same in every process."""
    games = [
        play_games(plan.rules, policy, plan.seed, first, count, plan.first_cell)
        for policy in plan.policies
    ]
    tallies = tuple(map(GameTotals.from_games, games))
    if len(games) == 1:
        counts = StudyCounts(tallies)
    else:
        a, b = games[0]["won"], games[1]["won"]
        sums = (int(np.count_nonzero(each)) for each in (a & b, a & ~b, b & ~a))
        counts = StudyCounts(tallies, *sums)
    kept = np.stack(games, axis=1).tobytes() if rows else b""
    return Chunk(first, count, counts, kept, __version__)
