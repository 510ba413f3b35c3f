"""The result of a study: win rates with intervals, guesses, luck and speed, as text and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from demine.logic.json_text import ToJson
from demine.logic.layout import game_seed
from demine.logic.rules import First
from demine.scene.translation import tr
from demine.solver.wilson_interval import Z_95, wilson_interval
from demine.studies.confidence_interval import paired_difference_interval
from demine.studies.errors import StudyError

if TYPE_CHECKING:
    from demine.logic.errors import DemineError
    from demine.studies.chunk import StudyCounts
    from demine.studies.plan import StudyPlan
    from demine.studies.totals import GameTotals


class LuckiestWin(NamedTuple):
    """The win whose guesses were least likely to be safe, and the seed of its board.

    >>> import demine
    >>> result = demine.study("6x6/7", games=20, workers=1)
    >>> result.policies[0].luckiest
    LuckiestWin(chance=0.5, seed=9)
    """

    chance: float
    seed: int


@dataclass(frozen=True, slots=True)
class PolicyResult(ToJson):
    """The result of one policy in a study.

    >>> import demine
    >>> result = demine.study("6x6/7", games=20, workers=1)
    >>> result.policies[0].games, result.policies[0].won
    (20, 19)
    """

    plan: StudyPlan
    policy: str
    tally: GameTotals

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.tally.games

    @property
    def won(self) -> int:
        """How many were won."""
        return self.tally.won

    @property
    def win_rate(self) -> float:
        """The share of games that were won, 0.0 to 1.0; 0.0 without games."""
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate, low and high, by Wilson's score."""
        return wilson_interval(self.won, self.games)

    @property
    def guesses_per_game(self) -> float:
        """How many clicks after the first were guesses, on average."""
        return self.tally.guesses / self.games if self.games else 0.0

    @property
    def games_per_cpu_second(self) -> float:
        """How many games one processor plays in a second; 0.0 if that is unknown."""
        return self.games / (self.tally.ns / 1e9) if self.tally.ns else 0.0

    @property
    def luck(self) -> float | None:
        """Wins per expected win: the mean over all games of 1 / chance to survive if won, else 0.

        It is expected to be 1 if the computed risks are true; more is luck. None for a policy that
        made no guesses after the first cell.
        """
        if not self.tally.guesses:
            return None
        return self.tally.weight / 2**20 / (self.games * self._first_chance)

    @property
    def luck_error(self) -> float:
        """The standard error of `luck`; far too small if few games are won."""
        if not self.games:
            return 0.0
        mean = self.tally.weight / 2**20 / self.games
        square = self.tally.square / 2**8 / self.games
        return sqrt(max(0.0, square - mean * mean) / self.games) / self._first_chance

    @property
    def pluck(self) -> float | None:
        """The mean over the wins of -log10 of the chance to survive all guesses; None without."""
        return self.tally.pluck / 2**20 / self.won if self.won else None

    @property
    def luckiest(self) -> LuckiestWin | None:
        """The win with the smallest chance to survive all guesses; None without wins."""
        if self.tally.luckiest is None:
            return None
        chance, index = self.tally.luckiest
        return LuckiestWin(chance, game_seed(self.plan.seed, index))

    @property
    def _first_chance(self) -> float:
        """The chance to survive the first cell."""
        rules = self.plan.rules
        return rules.safe_cells / rules.cells if rules.first is First.ANY else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values."""
        return {
            "rules": str(self.plan.rules),
            "first": str(self.plan.rules.first),
            "start": list(self.plan.start),
            "policy": self.policy,
            "seed": self.plan.seed,
            "games": self.games,
            "won": self.won,
            "win_rate": self.win_rate,
            "interval": list(self.interval),
            "guesses_per_game": self.guesses_per_game,
            "games_per_cpu_second": self.games_per_cpu_second,
        }

    def win_lines(self) -> list[str]:
        """Return lines of text about wins and guesses, in the current language."""
        low, high = self.interval
        return [
            tr(
                "Win rate: {rate} ({low} to {high} at 95%), {won} of {games} games",
                rate=format_percent(self.win_rate),
                low=format_percent(low),
                high=format_percent(high),
                won=f"{self.won:,}",
                games=f"{self.games:,}",
            ),
            tr("Guesses per game: {guesses}", guesses=f"{self.guesses_per_game:.3f}"),
        ]

    def __str__(self) -> str:
        """Return lines of text in the current language."""
        lines = [*self.win_lines(), *self._luck_lines()]
        if self.tally.ns:
            speed = self.games_per_cpu_second
            shown = f"{speed:,.0f}" if speed >= 100 else f"{speed:.3g}"
            lines.append(tr("Speed: {speed} games per second of one processor", speed=shown))
        return "\n".join(lines)

    def _luck_lines(self) -> list[str]:
        lines = []
        if self.luck is not None:
            lines.append(
                tr(
                    "Luck: {luck} ± {error} (1 is expected)",
                    luck=f"{self.luck:.3f}",
                    error=f"{Z_95 * self.luck_error:.3f}",
                )
            )
        if self.luckiest is not None and self.luckiest[0] < 1:
            chance, seed = self.luckiest
            lines.append(
                tr(
                    "Luckiest win: a chance of {chance}, board seed {seed}",
                    chance=format_percent(chance),
                    seed=seed,
                )
            )
        return lines


@dataclass(frozen=True, slots=True)
class PairedDifference(ToJson):
    """Two policies on the same boards: the win rate of the first less that of the second.

    Of `games` boards both policies won `both`, the first alone `only_a`, the second alone `only_b`.

    >>> import demine
    >>> result = demine.study("6x6/7", games=20, policy=("logic", "safest"), workers=1)
    >>> result.difference.only_b - result.difference.only_a
    4
    """

    games: int
    both: int
    only_a: int
    only_b: int

    @property
    def win_rate_difference(self) -> float:
        """The difference of the win rates, -1.0 to 1.0; 0.0 without games."""
        return (self.only_a - self.only_b) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The paired 95 % interval of the difference, low and high (Agresti and Min)."""
        return paired_difference_interval(self.only_a, self.only_b, self.games)

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values."""
        return {
            "difference": self.win_rate_difference,
            "interval": list(self.interval),
            "both": self.both,
            "only_a": self.only_a,
            "only_b": self.only_b,
        }


@dataclass(frozen=True, slots=True)
class StudyResult(ToJson):
    """The result of a study, complete or not.

    `counts.without_time` is the same for every run of the plan; only the time taken differs.

    >>> import demine
    >>> result = demine.study("6x6/7", games=20, workers=1)
    >>> result.won
    19
    >>> print(str(result).splitlines()[3])
    Win rate: 95.00% (76.39% to 99.11% at 95%), 19 of 20 games
    """

    plan: StudyPlan
    counts: StudyCounts

    @property
    def is_complete(self) -> bool:
        """Whether all games of the plan were played."""
        return self.counts.games >= self.plan.games

    @property
    def policies(self) -> tuple[PolicyResult, ...]:
        """The result of each policy, in the plan's order."""
        pairs = zip(self.plan.policies, self.counts.tallies, strict=True)
        return tuple(PolicyResult(self.plan, policy, tally) for policy, tally in pairs)

    @property
    def difference(self) -> PairedDifference | None:
        """The paired difference of two policies; None for a study of one."""
        if len(self.plan.policies) == 1:
            return None
        counts = self.counts
        return PairedDifference(counts.games, counts.both, counts.only_a, counts.only_b)

    @property
    def won(self) -> int:
        """How many games the (first) policy won."""
        return self.policies[0].won

    @property
    def win_rate(self) -> float:
        """The win rate of the (first) policy."""
        return self.policies[0].win_rate

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `win_rate`, low and high, by Wilson's score."""
        return self.policies[0].interval

    @property
    def guesses_per_game(self) -> float:
        """The guesses per game of the (first) policy."""
        return self.policies[0].guesses_per_game

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values: those of the one policy, or of both and their difference."""
        difference = self.difference
        if difference is None:
            return self.policies[0].to_dict()
        plan = self.plan
        return {
            "rules": str(plan.rules),
            "first": str(plan.rules.first),
            "start": list(plan.start),
            "seed": plan.seed,
            "games": self.counts.games,
            "policies": [each.to_dict() for each in self.policies],
            **difference.to_dict(),
        }

    def __str__(self) -> str:
        """Return the result as text in the current language."""
        lines = [plan_line(self.plan)]
        for each in self.policies:
            lines += ["", tr("Policy: {policy}", policy=each.policy), str(each)]
        difference = self.difference
        if difference is not None:
            lines += ["", *difference_lines(self.plan, difference)]
        return "\n".join(lines)


def plan_line(plan: StudyPlan) -> str:
    """Return a line of text about the boards of a plan, in the current language."""
    return tr(
        "{rules}, first={first}, from row {row}, column {col} (--start {start}), seed {seed}",
        rules=f"{plan.rules.width}x{plan.rules.height}/{plan.rules.mines}",
        first=plan.rules.first,
        row=plan.start[0],
        col=plan.start[1],
        start="{},{}".format(*plan.start),
        seed=plan.seed,
    )


def difference_lines(plan: StudyPlan, difference: PairedDifference) -> list[str]:
    """Return lines of text about the difference of two policies, in the current language."""
    low, high = difference.interval
    a, b = plan.policies
    return [
        tr(
            "{a} minus {b}: {difference} points ({low} to {high} at 95%)",
            a=a,
            b=b,
            difference=format_percentage_points(difference.win_rate_difference),
            low=format_percentage_points(low),
            high=format_percentage_points(high),
        ),
        tr(
            "Won by both {both}, by {a} alone {only_a}, by {b} alone {only_b}",
            both=f"{difference.both:,}",
            a=a,
            only_a=f"{difference.only_a:,}",
            b=b,
            only_b=f"{difference.only_b:,}",
        ),
    ]


def format_percent(share: float) -> str:
    """Return a share as "12.34%", with more decimals where they tell it from 0 and 1."""
    for decimals in (2, 4, 6):
        text = f"{share:.{decimals}%}"
        if share in {0.0, 1.0} or 0 < float(text[:-1]) < 100:
            return text
    return f"{100 * share:.2g}%" if share < 0.5 else ">99.9999%"


def format_percentage_points(difference: float) -> str:
    """Return a difference of shares in percentage points, as "+1.23"."""
    return f"{100 * difference:+.2f}"


class StudyEndedEarly(StudyError):
    """A study that could not be played to its end; `result` is its result so far.

    >>> import demine
    >>> class Gone:
    ...     def submit(self, *work):
    ...         raise RuntimeError("gone")
    >>> try:
    ...     result = demine.study("6x6/7", games=5, executor=Gone(), workers=1)
    ... except demine.StudyEndedEarly as error:
    ...     print(error.result.policies[0].games)
    0
    """

    @property
    def result(self) -> StudyResult:
        """What was played before it ended."""
        return cast("StudyResult", self.params["result"])

    @classmethod
    def from_error(cls, error: DemineError, result: StudyResult) -> DemineError:
        """Return a `StudyError` with the result so far, any other error as it is."""
        if not isinstance(error, StudyError):
            return error
        return cls(error.template, **{**error.params, "result": result})
