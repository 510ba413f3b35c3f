"""A chunk of a study: consecutive games, played by one worker."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from demine import __version__
from demine.studies.play_games import play_games
from demine.studies.totals import GameTotals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from demine.studies.plan import StudyPlan


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """The totals of each policy; of two, also how many boards both won, or only one of them."""

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
        """The processor time of all games, in nanoseconds."""
        return sum(tally.ns for tally in self.tallies)

    @property
    def without_time(self) -> StudyCounts:
        """The same counts with processor times of 0, for comparison."""
        tallies = tuple(tally.without_time for tally in self.tallies)
        return StudyCounts(tallies, self.both, self.only_a, self.only_b)

    def to_dict(self) -> dict[str, Any]:
        """Return the values to save as JSON, which `from_dict` reads."""
        return {
            "tallies": [tally.to_dict() for tally in self.tallies],
            "pairs": [self.both, self.only_a, self.only_b],
        }

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> StudyCounts:
        """Return the counts of `facts`; raises ValueError, TypeError or KeyError for others."""
        return cls(tuple(map(GameTotals.from_dict, facts["tallies"])), *map(int, facts["pairs"]))


@dataclass(frozen=True, slots=True)
class Chunk:
    """The results of `count` games of a study from index `first` on.

    `rows` is empty, or the games as bytes of `GAME_DTYPE`, of shape `(games, policies)`.
    """

    first: int
    count: int
    counts: StudyCounts
    rows: bytes
    version: str
    seconds: float = 0.0
    """How long the worker took, waiting included."""


def play_chunk(plan: StudyPlan, first: int, count: int, with_rows: bool) -> Chunk:
    """Play `count` games of a study from index `first` on; return their rows only if wanted."""
    begun = time.monotonic()
    games = [
        play_games(plan.rules, plan.player(policy), plan.seed, first, count, plan.first_cell)
        for policy in plan.policies
    ]
    kept = np.stack(games, axis=1).tobytes() if with_rows else b""
    return Chunk(first, count, count_games(games), kept, __version__, time.monotonic() - begun)


def count_games(games: Sequence[NDArray[np.void]]) -> StudyCounts:
    """Return the counts of the games of one policy, or of two on the same boards."""
    tallies = tuple(map(GameTotals.from_games, games))
    if len(games) == 1:
        return StudyCounts(tallies)
    a, b = games[0]["won"], games[1]["won"]
    sums = (int(np.count_nonzero(each)) for each in (a & b, a & ~b, b & ~a))
    return StudyCounts(tallies, *sums)
