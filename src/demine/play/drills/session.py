"""A player at a set of drills: one question after the other, answers, grades, and what is saved.

It knows no toolkit: a view draws `question`, gives `answer` a cell, draws what comes back, and goes
on with `advance`.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self
from zlib import crc32

from demine.logic.errors import DemineError
from demine.logic.json_text import ToJson
from demine.play.clock import Clock
from demine.play.drills.pool import DrillPool
from demine.play.drills.question import DrillQuestion
from demine.play.drills.schedule import (
    SET_SIZE,
    SPARES,
    Grade,
    asked_about_on,
    choose_set,
    grade,
    subject_of,
)
from demine.scene.board_turn import turns_of
from demine.scene.translation import tr
from demine.solver.hint import join_sentences
from demine.store.drills import DrillReview
from demine.store.errors import StoreError
from demine.store.utc_text import utc_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from demine.play.drills.drill import Drill
    from demine.scene.overlay import Overlay
    from demine.store.drills import DrillKey
    from demine.store.store import Store

    Cell = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class DrillAnswer(ToJson):
    """An answer that was given: `cell` of the shown board, or None for "it is a guess".

    >>> import demine
    >>> session = demine.DrillSession.of_drills(demine.drills("9x9/10", seed=1, count=1))
    >>> answer = session.answer(session.question.solution.cell)
    >>> answer.is_right, answer.is_counted
    (True, True)
    """

    question: DrillQuestion
    cell: Cell | None
    review: DrillReview
    """The answer as it is stored."""
    is_counted: bool = True
    """Whether it is saved: the first answer of a day about a position is."""

    @classmethod
    def of(
        cls, question: DrillQuestion, cell: Cell | None, now: datetime, time_ms: int, counts: bool
    ) -> Self:
        """Return an answer that is given at a moment in UTC, after so many milliseconds."""
        is_right = question.is_right(cell)
        review = DrillReview(question.drill.key, utc_text(now), is_right, time_ms)
        return cls(question, cell, review, counts)

    @property
    def is_right(self) -> bool:
        """Whether it is a right answer."""
        return self.review.is_right

    @property
    def time_ms(self) -> int:
        """How long it took, in milliseconds."""
        return self.review.time_ms

    @property
    def grade(self) -> Grade:
        """How well the drill was answered."""
        return grade(self.question.drill.kind, self.is_right, self.time_ms)

    @property
    def overlay(self) -> Overlay:
        """The marks to show on the board: the proof, what was right, and a mistake."""
        return self.question.overlay(self.cell)

    def __str__(self) -> str:
        """Return whether it was right and counts, the pattern, and the answer with its proof."""
        took = f"{self.time_ms / 1000:.1f}"
        said = tr("Right, in {time} s.", time=took) if self.is_right else tr("Wrong.")
        pattern = tr("Pattern: {pattern}.", pattern=self.question.drill.pattern)
        known = tr("You have answered this one today, so it does not count again.")
        solution = str(self.question.solution)
        return join_sentences([said, *[known] * (not self.is_counted), pattern, solution])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with its sentences as `text`."""
        return {
            **self.question.to_dict(),
            "answer": None if self.cell is None else list(self.cell),
            "is_right": self.is_right,
            "is_counted": self.is_counted,
            "time_ms": self.time_ms,
            "grade": self.grade.name.lower(),
            "solution": self.question.solution.to_dict(),
            "text": str(self),
        }


class DrillSession:
    """A set of drills, asked one after the other; `of_drills` makes one.

    Every answer is saved when `answer` returns, unless its position was asked about on the same day
    before. What cannot be saved waits and is tried again at the next answer and at `close`;
    `trouble` says why. Drills that cannot be shown, because their game is gone or they do not fit
    its position, are passed over. At most `count` of `keys` are asked, all by default; the others
    stand in for those passed over.

    >>> import datetime, demine
    >>> session = demine.DrillSession.of_drills([demine.daily_drill(datetime.date(2026, 11, 27))])
    >>> session.question.faces.shape, session.number, session.count
    ((16, 16), 1, 1)
    >>> session.answer((0, 0)).is_right
    False
    >>> session.advance()
    >>> session.question is None
    True
    """

    def __init__(
        self,
        pool: DrillPool,
        keys: Sequence[DrillKey],
        store: Store | None = None,
        *,
        count: int | None = None,
        clock: Clock | None = None,
        utc_now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._pool = pool
        self._waiting = list(reversed(keys))
        self._most = len(keys) if count is None else count
        self._store = store
        self._utc_now = utc_now
        self._unsaved: list[DrillReview] = []
        self._known = () if store is None else store.drill_reviews()
        self._asked = Counter(review.drill for review in self._known)
        self._turns: list[int] = []
        self.clock = clock or Clock(time.monotonic)
        """How long the present question has been shown."""
        self.answers: list[DrillAnswer] = []
        """The answers so far."""
        self.trouble: StoreError | None = None
        """Why answers are not saved yet; None if all are."""
        self.question: DrillQuestion | None = None
        """What is asked; None at the end."""
        self.advance()

    @classmethod
    def of_today(
        cls,
        pool: DrillPool,
        store: Store,
        count: int = SET_SIZE,
        *,
        clock: Clock | None = None,
        utc_now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> DrillSession:
        """Return a session with the drills that are due, and new ones; raises `StoreError`."""
        keys = choose_set(pool.keys, store.drill_reviews(), utc_now(), count, spares=SPARES)
        return cls(pool, keys, store, count=count, clock=clock, utc_now=utc_now)

    @classmethod
    def of_drills(cls, drills: Iterable[Drill], store: Store | None = None) -> DrillSession:
        """Return a session with these drills; answers are saved in `store` if it is given.

        Raises `StoreError` if that cannot be read.
        """
        pool, asked = DrillPool(), list(drills)
        pool.add(asked)
        return cls(pool, [drill.key for drill in asked], store)

    @property
    def number(self) -> int:
        """The number of the present question, from 1 on."""
        answered = self.question is not None and self.is_answered
        return len(self.answers) + (0 if answered else 1)

    @property
    def count(self) -> int:
        """How many drills the session has."""
        asked = 0 if self.question is None or self.is_answered else 1
        return min(self._most, len(self.answers) + asked + len(self._waiting))

    @property
    def is_answered(self) -> bool:
        """Whether the present question has been answered."""
        return bool(self.answers) and self.answers[-1].question is self.question

    def answer(self, cell: Cell | None) -> DrillAnswer:
        """Answer the present question with a cell of its board, or None for "it is a guess".

        An opened cell is a wrong answer, as is a guess where that was no choice; a view leaves
        those out. Of a question that is answered already the first answer counts.
        """
        if self.question is None:
            raise ValueError("no question is left")
        if self.is_answered:
            return self.answers[-1]
        self.clock.stop()
        now = self._utc_now()
        earlier = (*self._known, *self.reviews)
        counts = subject_of(self.question.drill.key) not in asked_about_on(now.date(), earlier)
        given = DrillAnswer.of(self.question, cell, now, self.clock.ms, counts)
        self.answers.append(given)
        self._unsaved += [given.review] * counts
        self.save()
        return given

    @property
    def reviews(self) -> list[DrillReview]:
        """The answers so far, as they are stored."""
        return [answer.review for answer in self.answers]

    def advance(self) -> None:
        """Go on to the next question, and start its clock."""
        self.question = None
        while self._waiting and self.question is None and len(self.answers) < self._most:
            key = self._waiting.pop()
            try:
                drill = self._pool.drill(key)
                question = DrillQuestion(drill, self._turn(key, turns_of(drill.game.rules.shape)))
            except (DemineError, ValueError):
                continue
            self._turns.append(question.turn)
            self.question = question
        self.clock.set(0, running=self.question is not None)

    def _turn(self, key: DrillKey, turns: tuple[int, ...]) -> int:
        """Return a turn that the set has had least, each time another one for a drill."""
        first = (crc32(repr(key).encode()) + self._asked[key]) % len(turns)
        return min(turns[first:] + turns[:first], key=self._turns.count)

    def save(self) -> None:
        """Save the answers that are not saved yet; `trouble` says why that failed."""
        if self._store is None:
            return
        try:
            self._store.add_drill_reviews(self._unsaved)
        except StoreError as error:
            self.trouble = error
        else:
            self._unsaved.clear()
            self.trouble = None

    def close(self) -> None:
        """Try once more to save what is not saved."""
        if self._unsaved:
            self.save()

    def summary(self) -> str:
        """Return how many answers were right, and in which time, in the current language."""
        right = [each for each in self.answers if each.is_right]
        seconds = sum(each.time_ms for each in self.answers) / 1000
        return tr(
            "{right} of {n} right, in {time} s.",
            right=len(right),
            n=len(self.answers),
            time=f"{seconds:.1f}",
        )
