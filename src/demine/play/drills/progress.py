"""How a player gets on with drills: times by pattern, how many were right, and the streak."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from demine.logic.json_text import ToJson
from demine.play.drills.patterns import DrillPattern
from demine.play.drills.schedule import SET_SIZE
from demine.scene.translation import mark, tr
from demine.solver.hint import format_percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from demine.store.drills import DrillReview

PROGRESS_HEADS: Final = (
    mark("Pattern"), mark("Answers"), mark("Right"), mark("First"), mark("Last"), mark("Since"),
    mark("Times"),
)  # fmt: skip
"""The headings of a table of `PatternProgress.texts`, as message ids."""
COMPARED: Final = 5
"""The first and the last time are each the median of so many right answers, of fewer at first."""
_BARS: Final = "▁▂▃▄▅▆▇█"
_ONE_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PatternProgress(ToJson):
    """The answers to drills of one pattern, of all kinds.

    `times_ms` are the times of the right answers, in order, `first_ms` and `last_ms` the medians of
    the first and of the last of them; None without a right answer.
    """

    pattern: DrillPattern
    since: date
    """The day of the first answer, in UTC."""
    answers: int
    right: int
    times_ms: tuple[int, ...]

    @property
    def first_ms(self) -> float | None:
        """The median of the first right answers: up to `COMPARED`, and at most half of them."""
        return median(self.times_ms[: self._compared]) if self.times_ms else None

    @property
    def last_ms(self) -> float | None:
        """The median of as many of the last right answers."""
        return median(self.times_ms[-self._compared :]) if self.times_ms else None

    @property
    def _compared(self) -> int:
        return max(1, min(COMPARED, len(self.times_ms) // 2))

    @property
    def bars(self) -> str:
        """The times of the last right answers as one word of bars, the longest time the highest."""
        shown = self.times_ms[-20:]
        most = max(shown, default=0)
        return "".join(_BARS[min(7, 8 * time // (most + 1))] for time in shown)

    @property
    def texts(self) -> tuple[str, ...]:
        """The cells of a table under `PROGRESS_HEADS`, in the current language."""
        share = format_percent(self.right / self.answers, 0)
        times = _seconds(self.first_ms), _seconds(self.last_ms)
        since = self.since.isoformat()
        return str(self.pattern), str(self.answers), share, *times, since, self.bars

    def __str__(self) -> str:
        """Return it as a sentence: "1-2-1 at an edge: 4.1 s to 1.6 s since 2026-05-14"."""
        if self.first_ms is None or self.last_ms is None:
            return tr("{pattern}: no right answer yet", pattern=self.pattern)
        return tr(
            "{pattern}: {first} s to {last} s since {day}",
            pattern=self.pattern,
            first=f"{self.first_ms / 1000:.1f}",
            last=f"{self.last_ms / 1000:.1f}",
            day=self.since.isoformat(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "pattern": self.pattern.code,
            "since": self.since.isoformat(),
            "answers": self.answers,
            "right": self.right,
            "first_ms": self.first_ms,
            "last_ms": self.last_ms,
            "times_ms": list(self.times_ms),
        }


@dataclass(frozen=True, slots=True)
class DrillProgress(ToJson):
    """All answers of a player: by pattern, the most answered first, and the days.

    A day counts for the streak if a whole set was answered on it, in UTC; a day that is not over
    does not end it.
    """

    patterns: tuple[PatternProgress, ...]
    today: int
    """How many drills were answered today."""
    streak: int
    best_streak: int

    @classmethod
    def of(cls, reviews: Iterable[DrillReview], today: date) -> DrillProgress:
        """Return the progress that reviews tell, up to a day in UTC; reviews are in order."""
        days: dict[date, int] = {}
        by_pattern: dict[DrillPattern, list[DrillReview]] = {}
        for review in reviews:
            day = date.fromisoformat(review.at[:10])
            try:
                pattern = DrillPattern.parse(review.drill.pattern)
            except ValueError:  # of a newer version
                continue
            if day <= today:
                days[day] = days.get(day, 0) + 1
                by_pattern.setdefault(pattern, []).append(review)
        found = [_progress_of(pattern, each) for pattern, each in by_pattern.items()]
        found.sort(key=lambda each: (-each.answers, each.pattern.code))
        done = {day for day, count in days.items() if count >= SET_SIZE}
        last = today if today in done else today - _ONE_DAY
        best = max((_run_ending(done, day) for day in done), default=0)
        return cls(tuple(found), days.get(today, 0), _run_ending(done, last), best)

    @property
    def headline(self) -> str:
        """How many were answered today, and the streaks, in the current language."""
        return tr(
            "Today {n} of {count}; streak {streak}, longest {best}",
            n=self.today,
            count=SET_SIZE,
            streak=self.streak,
            best=self.best_streak,
        )

    def __str__(self) -> str:
        """Return it as lines: the headline, and a sentence for each pattern."""
        return "\n".join([self.headline, *map(str, self.patterns)])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "today": self.today,
            "streak": self.streak,
            "best_streak": self.best_streak,
            "patterns": [each.to_dict() for each in self.patterns],
        }


def _seconds(ms: float | None) -> str:
    return "–" if ms is None else tr("{time} s", time=f"{ms / 1000:.1f}")


def _progress_of(pattern: DrillPattern, reviews: Sequence[DrillReview]) -> PatternProgress:
    right = tuple(review.time_ms for review in reviews if review.is_right)
    since = date.fromisoformat(reviews[0].at[:10])
    return PatternProgress(pattern, since, len(reviews), len(right), right)


def _run_ending(days: set[date], last: date) -> int:
    """Return how many consecutive days end with `last`."""
    count = 0
    while last - count * _ONE_DAY in days:
        count += 1
    return count
