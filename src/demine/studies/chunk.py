"""A chunk of a study: consecutive games, played by one worker."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from demine import __version__
from demine.solver.player.policy_error import PolicyError
from demine.studies.play_games import play_games
from demine.studies.totals import GameTotals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from demine.logic.errors import DemineError
    from demine.studies.plan import StudyPlan

_LONGEST_ERROR: Final = 1000
"""So much of an error is saved."""


class Failures(NamedTuple):
    """How often a player failed, and the first failure: the index of its game and the error."""

    games: int = 0
    first_game: int = -1
    error: DemineError | None = None

    def plus(self, other: Failures) -> Failures:
        """Return both together."""
        failed = [each for each in (self, other) if each.games]
        first = min(failed, key=lambda each: each.first_game, default=self)
        return Failures(self.games + other.games, first.first_game, first.error)

    @classmethod
    def of(cls, error: DemineError, game: int) -> Failures:
        """Return one failure."""
        return cls(1, game, error)


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """The totals of each policy; of two, also how many boards both won, or only one of them.

    `failures` are those of each player of a match, where a failure is a game lost.
    """

    tallies: tuple[GameTotals, ...]
    both: int = 0
    only_a: int = 0
    only_b: int = 0
    failures: tuple[Failures, ...] = ()

    def __add__(self, other: StudyCounts) -> StudyCounts:
        pairs = zip(self.tallies, other.tallies, strict=True)
        failures = zip_longest(self.failures, other.failures, fillvalue=Failures())
        return StudyCounts(
            tuple(mine + theirs for mine, theirs in pairs),
            self.both + other.both,
            self.only_a + other.only_a,
            self.only_b + other.only_b,
            tuple(mine.plus(theirs) for mine, theirs in failures),
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
        return replace(self, tallies=tuple(tally.without_time for tally in self.tallies))

    def to_dict(self) -> dict[str, Any]:
        """Return the values to save as JSON, which `from_dict` reads; errors as their text."""
        values: dict[str, Any] = {
            "tallies": [tally.to_dict() for tally in self.tallies],
            "pairs": [self.both, self.only_a, self.only_b],
        }
        if any(each.games for each in self.failures):
            values["failures"] = [
                [each.games, each.first_game, str(each.error or "")[:_LONGEST_ERROR]]
                for each in self.failures
            ]
        return values

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> StudyCounts:
        """Return the counts of `facts`; raises ValueError, TypeError or KeyError for others."""
        both, only_a, only_b = map(int, facts["pairs"])
        tallies = tuple(map(GameTotals.from_dict, facts["tallies"]))
        failures = (
            Failures(int(games), int(first), PolicyError("{problem}", problem=str(text)))
            if games
            else Failures()
            for games, first, text in facts.get("failures", ())
        )
        return cls(tallies, both, only_a, only_b, tuple(failures))


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
        play_games(plan.rules, plan.player(policy), plan.seed, first, count, plan.start)
        for policy in plan.policies
    ]
    return chunk_of_games(games, begun, with_rows=with_rows)


def chunk_of_games(
    games: Sequence[NDArray[np.void]],
    begun: float,
    *,
    with_rows: bool,
    failures: Sequence[Failures] = (),
) -> Chunk:
    """Return the chunk of the games of one policy, or of two on the same boards.

    `begun` is when they were begun, a time of `time.monotonic`.
    """
    tallies = tuple(map(GameTotals.from_games, games))
    both = only_a = only_b = 0
    if len(games) == 2:
        a, b = games[0]["won"], games[1]["won"]
        both, only_a, only_b = (int(np.count_nonzero(each)) for each in (a & b, a & ~b, b & ~a))
    return Chunk(
        int(games[0]["index"][0]),
        games[0].size,
        StudyCounts(tallies, both, only_a, only_b, tuple(failures)),
        np.stack(games, axis=1).tobytes() if with_rows else b"",
        __version__,
        time.monotonic() - begun,
    )
