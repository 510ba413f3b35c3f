"""The result of a review: judged acts, luck, a missed win, and where the time went."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from math import exp, inf, isinf, log
from typing import TYPE_CHECKING, Any, Final

from demine.logic.event import Verb
from demine.logic.game import Status
from demine.logic.json_text import ToJson
from demine.scene.board_title import board_title
from demine.scene.cell_names import cell_pair
from demine.scene.html_fragments import paragraph, table
from demine.scene.translation import explain, mark, ntr, tr
from demine.solver.hint import format_trimmed_percent, join_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.replay.claimed_statistics import Contradiction
    from demine.solver.judge import Judgement
    from demine.solver.player.move import Move
    from demine.solver.proof.explain import Reason


class Verdict(StrEnum):
    """The verdict on an act, by what could be known just before it.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> demine.review(game).acts[0].verdict
    <Verdict.FIRST: 'first'>
    """

    FIRST = "first"
    """An opening while nothing was open: not judged, as usual for luck."""
    PROVEN = "proven"
    FORCED = "forced"
    AVOIDABLE = "avoidable"
    BLUNDER = "blunder"
    CERTAIN_MINE = "certain-mine"
    """The last five are those of `demine.solver.judge.JudgementKind`."""
    UNJUDGED = "unjudged"
    """An opening or a flag whose position is too complex for exact chances, or that a bound of time
    left out."""
    FLAG_PROVEN = "flag-proven"
    """A flag on a cell that was certainly a mine."""
    FLAG_GUESSED = "flag-guessed"
    """A flag on a mine that was not certain to be one."""
    FLAG_WRONG = "flag-wrong"
    """A flag on a safe cell that was not certain to be safe."""
    FLAG_DISPROVEN = "flag-disproven"
    """A flag on a cell that was certainly safe."""
    NOTE = "note"
    """A flag removed, a question mark set or removed."""
    HELP = "help"
    """A hint was shown."""
    OTHER = "other"
    """Undo or resigning."""


JUDGED: Final = (
    Verdict.PROVEN, Verdict.FORCED, Verdict.AVOIDABLE, Verdict.BLUNDER, Verdict.CERTAIN_MINE,
)  # fmt: skip
"""The verdicts on openings whose chances are known."""
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
class JudgedAct(ToJson):
    """One act of a game and its verdict.

    `chance` is the exact probability, just before an opening, that any of its `cells` is a mine; of
    a flag, that its cell is a mine. `lowest` is the lowest risk of any covered cell in that
    position. Both are None if the act is not judged.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> act = demine.review(game).acts[0]
    >>> print(act)
    1  0.000 s  (5, 5)  first click
    """

    number: int
    """The number of the act in the game, from 1 on."""
    t: int
    """Milliseconds since the first opening."""
    verb: Verb
    row: int
    col: int
    """`row` and `col` are -1 if the verb has no cell."""
    verdict: Verdict
    think_ms: int
    """Milliseconds of play since the previous act; 0 up to the first opening."""
    undone: bool = False
    """Whether it was undone later."""
    cells: tuple[Cell, ...] = ()
    opened: int = 0
    """How many safe cells it opened."""
    blew: tuple[Cell, ...] = ()
    """The mines that it opened."""
    chance: float | None = None
    lowest: float | None = None
    judgement: Judgement | None = None
    """Only of guesses, certain mines, and proven acts after the longest pauses."""

    @property
    def best(self) -> Move | None:
        """The least risky move, if its risk was lower than that of this act; else None."""
        found = None if self.judgement is None else self.judgement.best
        worse = found is None or self.chance is None or found.risk >= self.chance
        return None if worse else found

    @property
    def reason(self) -> Reason | None:
        """Why a missed cell is safe, or the opened cell is safe or a mine; None if unknown."""
        return None if self.judgement is None else self.judgement.reason

    @property
    def worth_reading(self) -> bool:
        """Whether it was a guess, a mistake, a wrong flag, a hint, not judged, or blew a mine."""
        dull = (
            Verdict.FIRST, Verdict.PROVEN, Verdict.FLAG_PROVEN, Verdict.FLAG_GUESSED,
            Verdict.NOTE, Verdict.OTHER,
        )  # fmt: skip
        return self.verdict not in dull or bool(self.blew)

    def table_row(self) -> tuple[str, ...]:
        """Return its number, time, cell, verdict and reason as text in the current language."""
        why = "" if self.judgement is None else str(self.judgement)
        where = "" if self.row < 0 else cell_pair(self.row, self.col)
        return (
            str(self.number),
            format_time_to_thousandths(self.t),
            where,
            tr(NAMES[self.verdict]),
            why,
        )

    def __str__(self) -> str:
        """Return its number, time, cell, verdict and why, in the current language."""
        return "  ".join(filter(None, self.table_row()))

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values."""
        best, reason = self.best, self.reason
        return {
            "number": self.number,
            "time_ms": self.t,
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
            "reason": None if reason is None else reason.to_dict(),
        }


_MOST_ROWS: Final = 20
"""The most acts of a review that a notebook shows."""


@dataclass(frozen=True, slots=True)
class Luck(ToJson):
    """How likely it was to survive the opening acts of a game after the first click.

    Undone acts do not count. `logs` are the natural logarithms of `chance` and `chance_best`.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> luck = demine.review(game).luck
    >>> luck.chance, luck.pluck
    (1.0, 0.0)
    """

    acts: int
    """How many opening acts were judged."""
    logs: tuple[float, float]
    expected: float
    """The sum of the risks taken: the expected number of losses."""
    expected_best: float
    """The same with the lowest risk in each of these positions."""
    blew: bool
    """Whether one of these acts opened a mine."""

    @classmethod
    def of(cls, acts: Iterable[JudgedAct]) -> Luck:
        """Return the luck of these acts; only judged openings that were not undone count."""
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
        """The chance to survive all these acts: the product of their chances to be safe."""
        return exp(self.logs[0])

    @property
    def chance_best(self) -> float:
        """The same chance with the lowest risk in each of these positions."""
        return exp(self.logs[1])

    @property
    def pluck(self) -> float:
        """-log10 of `chance`, as the community counts pluck; infinite if an act opened a mine."""
        return inf if self.blew else 0.0 - self.logs[0] / log(10)

    @property
    def pluck_best(self) -> float:
        """-log10 of `chance_best`."""
        return 0.0 - self.logs[1] / log(10)

    def __str__(self) -> str:
        """Return the luck as a sentence in the current language."""
        if not self.acts:
            return tr("no move could be judged")
        return tr(
            "{chance} to get through, {best} with the least risk each time; expected losses: "
            "{expected}, at least {least}; pluck {pluck}",
            chance=format_trimmed_percent(self.chance),
            best=format_trimmed_percent(self.chance_best),
            expected=f"{self.expected:.2f}",
            least=f"{self.expected_best:.2f}",
            pluck="∞" if isinf(self.pluck) else f"{self.pluck:.2f}",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values; an infinite pluck is None."""
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
class MissedWin(ToJson):
    """A game that was lost or resigned although no guess was needed any more.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> status = game.play(demine.Act(900, "resign"))
    >>> print(demine.review(game).missed_win)
    No guess was needed after 0.000 s. 32 safe cells were left.
    """

    since_ms: int
    """The time of the act after which opening only proven cells would win."""
    left: int
    """How many safe cells were still covered at the end."""
    all_certain: bool
    """Whether at the end each of them was certain without opening another."""

    def __str__(self) -> str:
        """Return it as sentences in the current language."""
        since = tr(
            "No guess was needed after {time}.",
            time=format_time_to_thousandths(self.since_ms),
        )
        if self.all_certain:
            left = ntr(
                "The last safe cell was certain.", "All {n} remaining safe cells were certain.",
                self.left,
            )  # fmt: skip
        else:
            left = ntr("{n} safe cell was left.", "{n} safe cells were left.", self.left)
        return join_sentences([since, left])

    def to_dict(self) -> dict[str, Any]:
        """Return its plain values."""
        return {"since_ms": self.since_ms, "left": self.left, "all_certain": self.all_certain}


@dataclass(frozen=True, slots=True)
class TimeSpent(ToJson):
    """The thinking time before all acts of one sort.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> status = game.play(demine.Act(900, "resign"))
    >>> demine.review(game).spent[0].time_ms
    900
    """

    sort: str
    """A verdict on openings, `flags` for all flags and question marks, `other`, or `after` for the
    time after the last act."""
    acts: int
    time_ms: int

    def to_dict(self) -> dict[str, Any]:
        """Return its fields."""
        return asdict(self)


SORTS: Final[dict[str, str]] = {
    **{verdict.value: name for verdict, name in NAMES.items()},
    "flags": mark("flags and notes"),
    "after": mark("after the last move"),
}


@dataclass(frozen=True, slots=True)
class Review(ToJson):
    """A game judged act by act; `demine.review` makes it.

    >>> import demine
    >>> game = demine.Game("9x9/10", seed=7)
    >>> status = game.open(4, 4)
    >>> review = demine.review(game)
    >>> len(review.acts), review.status
    (1, <Status.RUNNING: 'running'>)
    """

    rules: Rules
    status: Status
    time_ms: int
    acts: tuple[JudgedAct, ...]
    """Every act but pauses, in order."""
    luck: Luck
    missed_win: MissedWin | None
    """None if the game was won, or lost before it could be won without a guess."""
    spent: tuple[TimeSpent, ...]
    """Where the time went, the longest first; the sum is `time_ms`."""
    pauses: tuple[JudgedAct, ...]
    """The acts with the longest thinking time, the longest first."""
    contradicted: tuple[Contradiction, ...] = ()
    """The claims of the game's file that its events contradict."""
    resigned: bool = False
    """Whether the player gave the game up; its status is that of a lost one."""
    judged_until: int | None = field(default=None, repr=False)
    """How many acts were judged when a bound of time ended the review; None if all were."""

    def count(self, *verdicts: Verdict) -> int:
        """Return how many acts have one of these verdicts, undone ones too."""
        return sum(act.verdict in verdicts for act in self.acts)

    @property
    def guesses(self) -> tuple[JudgedAct, ...]:
        """The judged openings that were not proven safe."""
        return tuple(a for a in self.acts if a.verdict in JUDGED and a.verdict != Verdict.PROVEN)

    @property
    def mistakes(self) -> tuple[JudgedAct, ...]:
        """The openings that took more risk than necessary."""
        return tuple(act for act in self.acts if act.verdict in MISTAKES)

    @property
    def wrong_flags(self) -> tuple[JudgedAct, ...]:
        """The flags that were set on safe cells."""
        return tuple(act for act in self.acts if act.verdict in WRONG)

    def __str__(self) -> str:
        """Return a summary, several lines of text in the current language."""
        first = f"{board_title(self.rules)}: {_ending_text(self)}"
        return "\n".join([first, *(f"{a}: {b}" for a, b in self.summary_rows())])

    def summary_rows(self) -> list[tuple[str, str]]:
        """Return the summary below its first line as pairs of heading and text."""
        rows = [] if self.judged_until is None else [(tr("Not complete"), self._until_text())]
        rows += [
            (tr("Opening moves"), _verdict_counts(self, JUDGED)),
            (tr("Luck"), str(self.luck)),
        ]
        if self.count(*FLAGS):
            rows.append((tr("Flags"), _verdict_counts(self, FLAGS)))
        if self.missed_win is not None:
            rows.append((tr("Missed win"), str(self.missed_win)))
        undone = sum(act.undone for act in self.acts)
        if undone:
            rows.append((tr("Taken back"), ntr("{n} move", "{n} moves", undone)))
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

    def _until_text(self) -> str:
        return tr(
            "The time for this review was up: only the first {n} of {of} moves are judged.",
            n=self.judged_until or 0,
            of=len(self.acts),
        )

    def _repr_html_(self) -> str:
        """Return HTML for notebooks: the summary, and a table of the acts worth reading."""
        head, *_ = str(self).splitlines()
        acts = [act for act in self.acts if act.worth_reading]
        parts = [paragraph(head), table(self.summary_rows())]
        if acts:
            parts.append(table(act.table_row() for act in acts[:_MOST_ROWS]))
        left = len(acts) - _MOST_ROWS
        if left > 0:
            parts.append(paragraph(ntr("{n} more move", "{n} more moves", left)))
        return "\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole review as plain values, which docs/review.md explains."""
        return {
            "rules": str(self.rules),
            "status": self.status.value,
            "time_ms": self.time_ms,
            "counts": {verdict.value: self.count(verdict) for verdict in Verdict},
            "luck": self.luck.to_dict(),
            "missed_win": None if self.missed_win is None else self.missed_win.to_dict(),
            "spent": [each.to_dict() for each in self.spent],
            "pauses": [act.number for act in self.pauses],
            "acts": [act.to_dict() for act in self.acts],
            "contradicted": [each.to_dict() for each in self.contradicted],
            "judged_until": self.judged_until,
        }


_ENDINGS: Final = {
    Status.WON: mark("won in {time}"),
    Status.LOST: mark("lost after {time}"),
    Status.RUNNING: mark("not finished, {time}"),
    Status.PAUSED: mark("not finished, {time}"),
    Status.READY: mark("not started"),
}


def _ending_text(review: Review) -> str:
    ending = mark("given up after {time}") if review.resigned else _ENDINGS[review.status]
    return tr(ending).format(time=format_time_to_thousandths(review.time_ms))


def _verdict_counts(review: Review, verdicts: tuple[Verdict, ...]) -> str:
    counts = [(verdict, review.count(verdict)) for verdict in verdicts]
    told = [f"{tr(NAMES[verdict])} {count}" for verdict, count in counts if count]
    return ", ".join(told) if told else "0"


def format_time_to_thousandths(ms: int) -> str:
    """Return a time as "12.345 s", or "1:02.345" from a minute on."""
    sign, (minutes, rest) = "-" if ms < 0 else "", divmod(abs(ms), 60_000)
    if minutes:
        return f"{sign}{minutes}:{rest / 1000:06.3f}"
    return f"{sign}{rest / 1000:.3f} s"
