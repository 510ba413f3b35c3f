"""The end of a set of drills: each answer, when it comes again, and what got better."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.play.drills.drill import DrillKind
from demine.play.drills.patterns import DrillPattern
from demine.play.drills.progress import DrillProgress
from demine.play.drills.schedule import card_of, due_dates
from demine.scene.translation import ntr, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from demine.play.drills.progress import PatternProgress
    from demine.store.drills import DrillReview

_LEAST_RIGHT: Final = 4
_CLEARLY_FASTER: Final = 0.8
"""So many right answers, and such a share of the first time, are called an improvement."""


class AnswerLine(NamedTuple):
    """An answer of a set, in words of the current language."""

    is_right: bool
    pattern: str
    kind: str
    time: str
    comes_again: str

    @property
    def verdict(self) -> str:
        """Whether it was right, with a sign and in words."""
        return tr("✓ right") if self.is_right else tr("× wrong")


@dataclass(frozen=True, slots=True)
class SetSummary:
    """What a set came to: a line for each answer, and all progress up to now."""

    lines: tuple[AnswerLine, ...]
    progress: DrillProgress

    @classmethod
    def of(
        cls, answers: Sequence[DrillReview], reviews: Sequence[DrillReview], now: datetime
    ) -> SetSummary:
        """Return the summary of the answers of a set at a moment in UTC.

        `reviews` are all answers that were ever saved, in order.
        """
        due = due_dates(reviews)
        lines = tuple(
            AnswerLine(
                each.is_right,
                str(DrillPattern.parse(each.drill.pattern)),
                tr(DrillKind(each.drill.kind).heading),
                tr("{time} s", time=f"{each.time_ms / 1000:.1f}"),
                _when(due.get(card_of(each.drill)), now),
            )
            for each in answers
        )
        return cls(lines, DrillProgress.of(reviews, now.date()))

    @property
    def best_improvement(self) -> str:
        """The pattern that got faster by the largest factor, as a sentence; empty if none did."""
        faster = list(_faster(self.progress.patterns))
        if not faster:
            return ""
        best = max(faster, key=lambda each: (each.first_ms or 0) / max(1, each.last_ms or 0))
        return tr("Most improved: {progress}", progress=best)


def _faster(patterns: Iterable[PatternProgress]) -> Iterable[PatternProgress]:
    """Yield the patterns that clearly got faster over enough right answers."""
    for each in patterns:
        first, last = each.first_ms or 0.0, each.last_ms or 0.0
        if len(each.times_ms) >= _LEAST_RIGHT and last < _CLEARLY_FASTER * first:
            yield each


def _when(due: datetime | None, now: datetime) -> str:
    """Return in how many days a card is due, in the current language."""
    if due is None:  # its answer could not be saved
        return "–"
    days = (due.date() - now.date()).days
    return tr("today") if days <= 0 else ntr("in {n} day", "in {n} days", days)
