"""A player at a set of drills: one question after the other, answers, grades, and what is saved.

It knows no toolkit: a view draws `question`, gives `answer` a cell, draws what comes back, and goes
on with `advance`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zlib import crc32

from demine.logic.errors import DemineError
from demine.logic.json_text import ToJson
from demine.play.clock import Clock
from demine.play.drills.question import DrillQuestion
from demine.play.drills.schedule import SET_SIZE, SPARES, Grade, choose_set, grade
from demine.scene.board_turn import turns_of
from demine.scene.translation import tr
from demine.solver.hint import join_sentences
from demine.store.drills import DrillReview
from demine.store.errors import StoreError
from demine.store.utc_text import utc_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.play.drills.pool import DrillPool
    from demine.scene.overlay import Overlay
    from demine.store.drills import DrillKey
    from demine.store.store import Store

    Cell = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class DrillAnswer(ToJson):
    """An answer that was given: `cell` of the shown board, or None for "it is a guess"."""

    question: DrillQuestion
    cell: Cell | None
    is_right: bool
    time_ms: int
    grade: Grade

    @property
    def overlay(self) -> Overlay:
        """The marks to show on the board: the proof, what was right, and a mistake."""
        return self.question.overlay(self.cell)

    def __str__(self) -> str:
        """Return whether it was right, the pattern, and the answer with its proof."""
        took = f"{self.time_ms / 1000:.1f}"
        said = tr("Right, in {time} s.", time=took) if self.is_right else tr("Wrong.")
        pattern = tr("Pattern: {pattern}.", pattern=self.question.drill.pattern)
        return join_sentences([said, pattern, str(self.question.solution)])

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, with its sentences as `text`."""
        return {
            **self.question.to_dict(),
            "answer": None if self.cell is None else list(self.cell),
            "is_right": self.is_right,
            "time_ms": self.time_ms,
            "grade": self.grade.name.lower(),
            "solution": self.question.solution.to_dict(),
            "text": str(self),
        }


class DrillSession:
    """A set of drills, asked one after the other.

    Every answer is saved when `answer` returns. What cannot be saved waits and is tried again at
    the next answer and at `close`; `trouble` says why. Drills that cannot be shown, because their
    game is gone or they do not fit its position, are passed over. At most `count` of `keys` are
    asked, all by default; the others stand in for those passed over.
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
        self._asked = _times_asked(store)
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
        is_right, time_ms = self.question.is_right(cell), self.clock.ms
        given = grade(self.question.drill.kind, is_right, time_ms)
        self.answers.append(DrillAnswer(self.question, cell, is_right, time_ms, given))
        at = utc_text(self._utc_now())
        self._unsaved.append(DrillReview(self.question.drill.key, at, is_right, time_ms))
        self.save()
        return self.answers[-1]

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
        first = (crc32(repr(key).encode()) + self._asked.get(key, 0)) % len(turns)
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


def _times_asked(store: Store | None) -> dict[DrillKey, int]:
    """Return how often each drill was asked, so that each time the board is turned another way."""
    asked: dict[DrillKey, int] = {}
    for review in () if store is None else store.drill_reviews():
        asked[review.drill] = asked.get(review.drill, 0) + 1
    return asked
