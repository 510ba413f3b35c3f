"""The result of a match: the wins of two players on the same boards, and which is stronger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from demine.logic.json_text import ToJson
from demine.scene.translation import explain, ntr, tr
from demine.solver.engine.errors import EngineError
from demine.solver.player.policy_error import PolicyError
from demine.studies.chunk import Failures
from demine.studies.confidence_interval import sign_test
from demine.studies.errors import StudyError
from demine.studies.result import PairedDifference, StudyResult, difference_lines, plan_line

if TYPE_CHECKING:
    from demine.logic.errors import DemineError

SIGNIFICANCE: Final = 0.05
"""The stronger player is named if so uneven a result were less likely than this by chance."""


@dataclass(frozen=True, slots=True)
class MatchPlayer(ToJson):
    """What one player did in a match.

    `player` is the name of its policy or its command, `failed` how many games it lost by failing;
    `failure` is the error of the first of these, None if there were none.

    >>> import demine
    >>> result = demine.match("safest", "logic", rules="6x6/7", games=20)
    >>> [player.won for player in result.players]
    [19, 15]
    """

    player: str
    games: int
    won: int
    interval: tuple[float, float]
    guesses_per_game: float
    failed: int
    failure: DemineError | None

    @property
    def win_rate(self) -> float:
        """The share of games that were won, 0.0 to 1.0; 0.0 without games."""
        return self.won / self.games if self.games else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values."""
        return {
            "player": self.player,
            "games": self.games,
            "won": self.won,
            "win_rate": self.win_rate,
            "interval": list(self.interval),
            "guesses_per_game": self.guesses_per_game,
            "failed": self.failed,
            "failure": None if self.failure is None else str(self.failure),
        }


@dataclass(frozen=True, slots=True)
class MatchResult(StudyResult):
    """The result of a match, complete or not; `str()` is its text in the current language.

    >>> import demine
    >>> result = demine.match("safest", "logic", rules="6x6/7", games=20)
    >>> print(str(result).splitlines()[-1])
    Neither is shown to be stronger (p = 0.125, sign test)
    """

    @property
    def games(self) -> int:
        """How many boards both have played."""
        return self.counts.games

    @property
    def players(self) -> tuple[MatchPlayer, MatchPlayer]:
        """Both players, in the order in which they were given."""
        a, b = map(self._player, (0, 1))
        return a, b

    @property
    def difference(self) -> PairedDifference:
        """The difference of the win rates on the same boards, with its interval."""
        counts = self.counts
        return PairedDifference(counts.games, counts.both, counts.only_a, counts.only_b)

    @property
    def p_value(self) -> float:
        """How likely boards that only one won would be shared so unevenly by equal players.

        It is that of the two-sided sign test, which is McNemar's test in its exact form.
        """
        return sign_test(self.counts.only_a, self.counts.only_b)

    @property
    def stronger(self) -> MatchPlayer | None:
        """The stronger player, None unless `p_value` is less than 0.05."""
        if self.p_value >= SIGNIFICANCE:
            return None
        return self.players[0 if self.counts.only_a > self.counts.only_b else 1]

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values."""
        plan, stronger = self.plan, self.stronger
        return {
            "rules": str(plan.rules),
            "first": str(plan.rules.first),
            "start": list(plan.start),
            "seed": plan.seed,
            "games": self.games,
            "players": [player.to_dict() for player in self.players],
            **self.difference.to_dict(),
            "p_value": self.p_value,
            "stronger": None if stronger is None else stronger.player,
        }

    def __str__(self) -> str:
        """Return the result as text in the current language."""
        lines = [plan_line(self.plan)]
        for index, player in enumerate(self.players):
            lines += ["", tr("Player: {player}", player=player.player)]
            lines += self.policies[index].win_lines()
            lines += _failure_lines(player)
        return "\n".join(
            [*lines, "", *difference_lines(self.plan, self.difference), self._verdict()]
        )

    def _verdict(self) -> str:
        shown = f"{self.p_value:.3g}"
        stronger = self.stronger
        if stronger is None:
            return tr("Neither is shown to be stronger (p = {p}, sign test)", p=shown)
        return tr("{player} is stronger (p = {p}, sign test)", player=stronger.player, p=shown)

    def _player(self, index: int) -> MatchPlayer:
        result = self.policies[index]
        failures = (*self.counts.failures, Failures(), Failures())[index]
        return MatchPlayer(
            result.policy,
            result.games,
            result.won,
            result.interval,
            result.guesses_per_game,
            failures.games,
            failures.error,
        )


def _failure_lines(player: MatchPlayer) -> list[str]:
    if player.failure is None:
        return []
    return [
        ntr(
            "Failed in {n} game, which counts as lost: {error}",
            "Failed in {n} games, which count as lost; the first: {error}",
            player.failed,
            error=explain(player.failure),
        )
    ]


def engine_error_of(error: DemineError) -> DemineError:
    """Return the error of an engine, which tells all by itself, in the place of its policy's."""
    cause = error.__cause__
    if not isinstance(error, PolicyError) or not isinstance(cause, EngineError):
        return error
    return PolicyError(
        "{problem} (game {index}, board seed {seed})",
        problem=cause,
        index=error.index,
        seed=error.seed,
    )


class MatchEndedEarly(StudyError):
    """A match that could not be played to its end; `result` is what was reached.

    Its cause says why. `result` is None only where the error comes from another process.

    >>> import demine
    >>> def broken(scene, rules):
    ...     raise ValueError("no idea")
    >>> try:
    ...     demine.match(broken, "logic", rules="6x6/7", games=20, strict=True)
    ... except demine.MatchEndedEarly as error:
    ...     print(error.result.games)
    0
    """

    result: MatchResult | None = None

    @classmethod
    def from_error(cls, error: DemineError, result: StudyResult) -> MatchEndedEarly:
        """Return the same error with the result so far."""
        error = engine_error_of(error)
        ended = cls(error.template, **error.params)
        ended.result = MatchResult(result.plan, result.counts)
        return ended
