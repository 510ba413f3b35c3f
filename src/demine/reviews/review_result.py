"""What a review says: of each act, of the luck of a game, of its end, of where its time went."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import exp, inf, isinf, log
from typing import TYPE_CHECKING, Any, Final

from demine.logic.event import Verb
from demine.logic.game import Status
from demine.scene.html_fragments import paragraph, table
from demine.scene.translation import explain, mark, ntr, tr
from demine.solver.hint import format_trimmed_percent, join_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.replay.claimed_statistics import Contradiction
    from demine.solver.judge import Judgement
    from demine.solver.player.choose_cell import Move
    from demine.solver.proof.explain import Reason


class Verdict(StrEnum):
    """What an act was, by what could be known just before it."""

    FIRST = "first"
    """An opening while nothing was open: taken as given, as the field does for luck."""
    PROVEN = "proven"
    FORCED = "forced"
    AVOIDABLE = "avoidable"
    BLUNDER = "blunder"
    CERTAIN_MINE = "certain-mine"
    """These five are those of `demine.solver.judge.JudgementKind`."""
    UNJUDGED = "unjudged"
    """An opening or a flag whose position is too complex for exact chances."""
    FLAG_PROVEN = "flag-proven"
    """A flag on a cell that was certainly a mine."""
    FLAG_GUESSED = "flag-guessed"
    """A flag on a mine that was not certain to be one."""
    FLAG_WRONG = "flag-wrong"
    """A flag on a safe cell that was not certain to be safe."""
    FLAG_DISPROVEN = "flag-disproven"
    """A flag on a cell that was certainly safe."""
    NOTE = "note"
    """A flag taken away, a question mark set or taken away."""
    HELP = "help"
    """Help was shown."""
    OTHER = "other"
    """An act taken back, a game given up."""


JUDGED: Final = (
    Verdict.PROVEN, Verdict.FORCED, Verdict.AVOIDABLE, Verdict.BLUNDER, Verdict.CERTAIN_MINE,
)  # fmt: skip
"""The verdicts of openings whose chances are known."""
MISTAKES: Final = (Verdict.AVOIDABLE, Verdict.BLUNDER, Verdict.CERTAIN_MINE)
WRONG: Final = (Verdict.FLAG_WRONG, Verdict.FLAG_DISPROVEN)
FLAGS: Final = (Verdict.FLAG_PROVEN, Verdict.FLAG_GUESSED, *WRONG)

NAMES: Final = {
    Verdict.FIRST: mark("first click"),
    Verdict.PROVEN: mark("proven"),
    Verdict.FORCED: mark("forced guess"),
    Verdict.AVOIDABLE: mark("avoidable guess"),
    Verdict.BLUNDER: mark("blunder"),
    Verdict.CERTAIN_MINE: mark("certain mine"),
    Verdict.UNJUDGED: mark("not judged"),
    Verdict.FLAG_PROVEN: mark("proven flag"),
    Verdict.FLAG_GUESSED: mark("guessed flag"),
    Verdict.FLAG_WRONG: mark("wrong flag"),
    Verdict.FLAG_DISPROVEN: mark("disproven flag"),
    Verdict.NOTE: mark("note"),
    Verdict.HELP: mark("help shown"),
    Verdict.OTHER: mark("other"),
}
"""The verdicts in the players' words, to be translated where they are shown."""


@dataclass(frozen=True, slots=True)
class JudgedAct:
    """One act of a game and what it was.

    `chance` is the exact probability just before it that it loses: that any of the `cells` it asked
    to open is a mine; of a flag, that its cell is a mine. `lowest` is the lowest risk that any cell
    had in that position. Both are None where nothing is to be judged.
    """

    number: int
    """Which act of the game it is, from 1 on."""
    t: int
    """Milliseconds since the first opening."""
    verb: Verb
    row: int
    col: int
    """-1, -1 where the verb names no cell."""
    verdict: Verdict
    think_ms: int
    """Milliseconds of play since the act before; 0 up to the first opening."""
    undone: bool = False
    """Whether it was taken back later."""
    cells: tuple[Cell, ...] = ()
    opened: int = 0
    """How many safe cells it opened."""
    blew: tuple[Cell, ...] = ()
    """The mines that it opened."""
    chance: float | None = None
    lowest: float | None = None
    judgement: Judgement | None = None
    """Of guesses and certain mines, and of what was proven before the longest pauses."""

    @property
    def best(self) -> Move | None:
        """The move that was better, if there was any."""
        found = None if self.judgement is None else self.judgement.best
        worse = found is None or self.chance is None or found.risk >= self.chance
        return None if worse else found

    @property
    def reason(self) -> Reason | None:
        """Why the cell that was missed is safe, or the opened one is what it is, if it is told."""
        return None if self.judgement is None else self.judgement.reason

    @property
    def excess(self) -> float:
        """How much more risk it took than was needed."""
        if self.chance is None or self.lowest is None or self.verdict in FLAGS:
            return 0.0
        return max(0.0, self.chance - self.lowest)

    @property
    def worth_reading(self) -> bool:
        """Whether it was a guess, a mistake, or help."""
        dull = (
            Verdict.FIRST, Verdict.PROVEN, Verdict.FLAG_PROVEN, Verdict.FLAG_GUESSED,
            Verdict.NOTE, Verdict.OTHER,
        )  # fmt: skip
        return self.verdict not in dull or bool(self.blew)

    def table_row(self) -> tuple[str, ...]:
        """Return its number, time, cell, verdict and judgement, in the language set."""
        why = "" if self.judgement is None else self.judgement.text()
        where = "" if self.row < 0 else f"{self.row}, {self.col}"
        return str(self.number), format_thousandths(self.t), where, tr(NAMES[self.verdict]), why

    def facts(self) -> dict[str, Any]:
        """Return what JSON has of it."""
        best, reason = self.best, self.reason
        return {
            "number": self.number,
            "t": self.t,
            "verb": self.verb.value,
            "cell": None if self.row < 0 else [self.row, self.col],
            "verdict": self.verdict.value,
            "think_ms": self.think_ms,
            "undone": self.undone,
            "cells": [list(cell) for cell in self.cells],
            "opened": self.opened,
            "blew": [list(cell) for cell in self.blew],
            "chance": self.chance,
            "lowest": self.lowest,
            "best": None if best is None else {"cell": [best.row, best.col], "risk": best.risk},
            "reason": None if reason is None else _reason_facts(reason),
        }


_MOST_ROWS: Final = 20
"""A notebook shows so many acts of a review at most."""


def _reason_facts(reason: Reason) -> dict[str, Any]:
    return {
        "cell": list(reason.cell),
        "safe": reason.safe,
        "pattern": reason.pattern.value,
        "because": [list(cell) for cell in reason.because],
        "uses_mine_count": reason.uses_mine_count,
        "text": reason.text(),
    }


@dataclass(frozen=True, slots=True)
class Luck:
    """How likely it was to get through the opening acts of a game, the first click left out.

    Acts that were taken back do not count. `logs` are natural logarithms of the two chances.
    """

    acts: int
    """How many opening acts were judged."""
    logs: tuple[float, float]
    expected: float
    """How often such play was to lose: the sum of the risks taken."""
    expected_best: float
    """The same with the lowest risk of each of these positions."""
    blew: bool
    """Whether one of them lost the game."""

    @classmethod
    def of(cls, acts: Iterable[JudgedAct]) -> Luck:
        """Add up the opening acts of a game."""
        chances = [
            (act.chance, act.lowest, bool(act.blew))
            for act in acts
            if act.verdict in JUDGED and not act.undone
            if act.chance is not None and act.lowest is not None
        ]
        logs = (
            sum(_log_or_minus_infinity(1 - each[0]) for each in chances),
            sum(_log_or_minus_infinity(1 - e[1]) for e in chances),
        )
        return cls(
            len(chances),
            logs,
            sum(each[0] for each in chances),
            sum(each[1] for each in chances),
            any(each[2] for each in chances),
        )

    @property
    def chance(self) -> float:
        """The chance to get through all of them: the product of each one's chance to be safe."""
        return exp(self.logs[0])

    @property
    def chance_best(self) -> float:
        """The same with the lowest risk of each of these positions: what could not be avoided."""
        return exp(self.logs[1])

    @property
    def pluck(self) -> float:
        """The field's figure, -log10 of the chance; infinite for a game that an act lost."""
        return inf if self.blew else 0.0 - self.logs[0] / log(10)

    @property
    def pluck_best(self) -> float:
        """The same with the lowest risk of each of these positions."""
        return 0.0 - self.logs[1] / log(10)

    def text(self) -> str:
        """Return the luck as a sentence, in the language set."""
        if not self.acts:
            return tr("no act could be judged")
        return tr(
            "{chance} to get through, {best} with the least risk each time; losses to expect: "
            "{expected}, at least {least}; pluck {pluck}",
            chance=format_trimmed_percent(self.chance),
            best=format_trimmed_percent(self.chance_best),
            expected=f"{self.expected:.2f}",
            least=f"{self.expected_best:.2f}",
            pluck="∞" if isinf(self.pluck) else f"{self.pluck:.2f}",
        )

    def facts(self) -> dict[str, Any]:
        """Return what JSON has of it; an infinite `pluck` is null."""
        return {
            "acts": self.acts,
            "chance": self.chance,
            "chance_best": self.chance_best,
            "expected_losses": self.expected,
            "expected_losses_best": self.expected_best,
            "pluck": None if isinf(self.pluck) else self.pluck,
            "pluck_best": None if isinf(self.pluck_best) else self.pluck_best,
        }


def _log_or_minus_infinity(chance: float) -> float:
    return log(chance) if chance > 0 else -inf


@dataclass(frozen=True, slots=True)
class MissedWin:
    """A game that was lost or given up although no guess was needed any more."""

    since_ms: int
    """When the act was played after which opening what is proven, and nothing else, would win."""
    left: int
    """How many safe cells were still covered at the end."""
    all_certain: bool
    """Whether at the end each of them was certain at once."""

    def text(self) -> str:
        """Return it as sentences, in the language set."""
        since = tr(
            "No guess was needed any more from {time} on.", time=format_thousandths(self.since_ms)
        )
        if self.all_certain:
            left = ntr(
                "The one safe cell left was certain.", "All {n} safe cells left were certain.",
                self.left,
            )  # fmt: skip
        else:
            left = ntr("{n} safe cell was left.", "{n} safe cells were left.", self.left)
        return join_sentences([since, left])

    def facts(self) -> dict[str, Any]:
        """Return what JSON has of it."""
        return {"since_ms": self.since_ms, "left": self.left, "all_certain": self.all_certain}


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Where time went: how long was waited before all acts of one sort."""

    sort: str
    """A verdict of an opening, `flags` for notes of all sorts, `other`, or `after` for the time
    from the last act on."""
    acts: int
    time_ms: int


SORTS: Final[dict[str, str]] = {
    **{verdict.value: name for verdict, name in NAMES.items()},
    "flags": mark("flags and notes"),
    "after": mark("after the last act"),
}


@dataclass(frozen=True, slots=True)
class Review:
    """A game judged act by act; `demine.review` makes it."""

    rules: Rules
    status: Status
    time_ms: int
    acts: tuple[JudgedAct, ...]
    """Every act but pauses, in order."""
    luck: Luck
    missed_win: MissedWin | None
    spent: tuple[TimeSpent, ...]
    """Where the time went, the largest share first; the sum is `time_ms`."""
    pauses: tuple[JudgedAct, ...]
    """The acts before which the player thought longest, the longest first."""
    contradicted: tuple[Contradiction, ...] = ()
    """What the file that the game came from claims, and its events contradict."""

    def count(self, *verdicts: Verdict) -> int:
        """Return how many acts were one of these, undone ones too."""
        return sum(act.verdict in verdicts for act in self.acts)

    @property
    def guesses(self) -> tuple[JudgedAct, ...]:
        """The opening acts that were not proven."""
        return tuple(a for a in self.acts if a.verdict in JUDGED and a.verdict != Verdict.PROVEN)

    @property
    def mistakes(self) -> tuple[JudgedAct, ...]:
        """The opening acts that took more risk than was needed."""
        return tuple(act for act in self.acts if act.verdict in MISTAKES)

    @property
    def wrong_flags(self) -> tuple[JudgedAct, ...]:
        """The flags that were set on safe cells."""
        return tuple(act for act in self.acts if act.verdict in WRONG)

    @property
    def summary(self) -> str:
        """The review in some lines, in the language set."""
        rows = self.lines()
        return "\n".join([f"{self.rules}: {_ending_text(self)}", *(f"{a}: {b}" for a, b in rows)])

    def lines(self) -> list[tuple[str, str]]:
        """Return what the summary tells below its first line: a word, and what is said of it."""
        rows = [(tr("Opening acts"), _verdict_counts(self, JUDGED)), (tr("Luck"), self.luck.text())]
        if self.count(*FLAGS):
            rows.append((tr("Flags"), _verdict_counts(self, FLAGS)))
        if self.missed_win is not None:
            rows.append((tr("Missed win"), self.missed_win.text()))
        undone = sum(act.undone for act in self.acts)
        if undone:
            rows.append((tr("Taken back"), ntr("{n} act", "{n} acts", undone)))
        if self.time_ms:
            told = [
                f"{tr(SORTS[each.sort])} {each.time_ms / self.time_ms:.0%}"
                for each in self.spent
                if each.time_ms
            ]
            rows.append((tr("Time"), ", ".join(told)))
        if self.contradicted:
            rows.append((tr("Claims"), "; ".join(map(explain, self.contradicted))))
        return rows

    def _repr_html_(self) -> str:
        """Return the summary, and a table of what is worth reading, as notebooks show them."""
        head, *_ = self.summary.splitlines()
        acts = [act for act in self.acts if act.worth_reading]
        parts = [paragraph(head), table(self.lines())]
        if acts:
            parts.append(table(act.table_row() for act in acts[:_MOST_ROWS]))
        left = len(acts) - _MOST_ROWS
        if left > 0:
            parts.append(paragraph(ntr("{n} more act", "{n} more acts", left)))
        return "\n".join(parts)

    def json(self) -> dict[str, Any]:
        """Return all of it as values that JSON holds; docs/review.md says what they are."""
        return {
            "rules": str(self.rules),
            "status": self.status.value,
            "time_ms": self.time_ms,
            "counts": {verdict.value: self.count(verdict) for verdict in Verdict},
            "luck": self.luck.facts(),
            "missed_win": None if self.missed_win is None else self.missed_win.facts(),
            "spent": [{"sort": s.sort, "acts": s.acts, "time_ms": s.time_ms} for s in self.spent],
            "pauses": [act.number for act in self.pauses],
            "acts": [act.facts() for act in self.acts],
            "contradicted": [each.facts() for each in self.contradicted],
        }


_ENDINGS: Final = {
    Status.WON: mark("won in {time}"),
    Status.LOST: mark("lost after {time}"),
    Status.RUNNING: mark("not finished, {time}"),
    Status.PAUSED: mark("not finished, {time}"),
    Status.READY: mark("not begun"),
}


def _ending_text(review: Review) -> str:
    return tr(_ENDINGS[review.status]).format(time=format_thousandths(review.time_ms))


def _verdict_counts(review: Review, verdicts: tuple[Verdict, ...]) -> str:
    counts = [(verdict, review.count(verdict)) for verdict in verdicts]
    told = [f"{tr(NAMES[verdict])} {count}" for verdict, count in counts if count]
    return ", ".join(told) if told else "0"


def format_thousandths(ms: int) -> str:
    """Return a time as players write it: seconds with all their thousandths, minutes before."""
    sign, (minutes, rest) = "-" if ms < 0 else "", divmod(abs(ms), 60_000)
    if minutes:
        return f"{sign}{minutes}:{rest / 1000:06.3f}"
    return f"{sign}{rest / 1000:.3f} s"
