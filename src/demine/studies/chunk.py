"""Some games of a study in a row: what one worker plays and hands back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from demine import __version__
from demine.studies.play_games import play
from demine.studies.totals import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from demine.studies.plan import Plan


@dataclass(frozen=True, slots=True)
class Counts:
    """The tally of each policy, and on how many boards both won, the first alone, the second."""

    tallies: tuple[Tally, ...]
    both: int = 0
    only_a: int = 0
    only_b: int = 0

    def __add__(self, other: Counts) -> Counts:
        pairs = zip(self.tallies, other.tallies, strict=True)
        return Counts(
            tuple(mine + theirs for mine, theirs in pairs),
            self.both + other.both,
            self.only_a + other.only_a,
            self.only_b + other.only_b,
        )

    @classmethod
    def none(cls, plan: Plan) -> Counts:
        """Return the counts of no games."""
        return cls(tuple(Tally() for _ in plan.policies))

    @property
    def games(self) -> int:
        """How many boards were played."""
        return self.tallies[0].games

    @property
    def ns(self) -> int:
        """The processor time of all of them, in nanoseconds."""
        return sum(tally.ns for tally in self.tallies)

    @property
    def outcome(self) -> Counts:
        """The same without the time it took."""
        tallies = tuple(tally.outcome for tally in self.tallies)
        return Counts(tallies, self.both, self.only_a, self.only_b)

    def facts(self) -> dict[str, Any]:
        """Return what JSON keeps of it."""
        return {
            "tallies": [tally.facts() for tally in self.tallies],
            "pairs": [self.both, self.only_a, self.only_b],
        }

    @classmethod
    def read(cls, facts: Mapping[str, Any]) -> Counts:
        """Return the counts of facts; raises ValueError, TypeError or KeyError for others."""
        return cls(tuple(map(Tally.read, facts["tallies"])), *map(int, facts["pairs"]))


@dataclass(frozen=True, slots=True)
class Chunk:
    """The games `first .. first + count` of a study.

    `rows` is empty, or the games as bytes of `GAME`, those of one board beside each other.
    """

    first: int
    count: int
    counts: Counts
    rows: bytes
    version: str


def play_chunk(plan: Plan, first: int, count: int, rows: bool) -> Chunk:
    """Play some games; any process may do it, and it comes to the same in each."""
    games = [
        play(plan.rules, policy, plan.seed, first, count, plan.first) for policy in plan.policies
    ]
    tallies = tuple(map(Tally.of, games))
    if len(games) == 1:
        counts = Counts(tallies)
    else:
        a, b = games[0]["won"], games[1]["won"]
        sums = (int(np.count_nonzero(each)) for each in (a & b, a & ~b, b & ~a))
        counts = Counts(tallies, *sums)
    kept = np.stack(games, axis=1).tobytes() if rows else b""
    return Chunk(first, count, counts, kept, __version__)
