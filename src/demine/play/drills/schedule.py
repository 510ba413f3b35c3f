"""When each kind of drill with each pattern is due: spaced repetition by FSRS.

There is one card for each kind and pattern. It is a fold over the reviews, so nothing of it is
stored. Grades come from whether the answer was right and how long it took.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.play.drills.drill import DrillKind
from demine.play.drills.made_games import is_made

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from demine.store.drills import DrillKey, DrillReview

SET_SIZE: Final = 10
"""How many drills are the set of a day."""
SPARES: Final = 100
"""How many drills stand in at most for those of a set that cannot be asked."""


class Grade(IntEnum):
    """How well a drill was answered; the numbers are those of FSRS."""

    AGAIN = 1
    """It was wrong."""
    HARD = 2
    """It was right, but slow."""
    GOOD = 3
    EASY = 4
    """It was right and quick."""


def grade(kind: DrillKind, is_right: bool, time_ms: int) -> Grade:
    """Return the grade of an answer, by the seconds of its kind."""
    if not is_right:
        return Grade.AGAIN
    quick, slow = kind.seconds
    if time_ms >= slow * 1000:
        return Grade.HARD
    return Grade.EASY if time_ms <= quick * 1000 else Grade.GOOD


class CardKey(NamedTuple):
    """A kind of drill and a pattern, as they are stored."""

    kind: str
    pattern: str


def card_of(drill: DrillKey) -> CardKey:
    """Return the card that a drill belongs to."""
    return CardKey(drill.kind, drill.pattern)


def due_dates(reviews: Iterable[DrillReview]) -> dict[CardKey, datetime]:
    """Return when each card is due that was reviewed, in UTC; reviews are in order.

    Reviews of kinds that this version does not know are left out.
    """
    # A start, and a window without drills, need not wait for it.
    from fsrs import Card, Rating, Scheduler

    # A set asks only once about a card, so the next time is another day.
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    cards: dict[CardKey, Card] = {}
    for review in reviews:
        if review.drill.kind not in set(DrillKind):
            continue
        key, at = card_of(review.drill), datetime.fromisoformat(review.at).astimezone(UTC)
        # A number of its own, since Card would wait for the clock to give it one.
        card = cards.get(key) or Card(card_id=len(cards), due=at)
        given = grade(DrillKind(review.drill.kind), review.is_right, review.time_ms)
        cards[key], _ = scheduler.review_card(card, Rating(given), at, review.time_ms)
    return {key: card.due for key, card in cards.items()}


def choose_set(
    pool: Sequence[DrillKey],
    reviews: Sequence[DrillReview],
    now: datetime,
    count: int = SET_SIZE,
    *,
    spares: int = 0,
) -> tuple[DrillKey, ...]:
    """Return the drills to ask now, at most `count`: of due cards first, then of new ones.

    Where these are not enough, cards follow that are due later. Each card gives a drill in turn,
    the one that was asked least, and later ones of the pool before earlier ones. No position
    and no made game is asked about twice, and those asked about today come last. The order is
    shuffled, the same on one day, so that it gives no answer away. Up to `spares` more follow, for
    drills that turn out not to fit. `reviews` are in order.
    """
    due = due_dates(reviews)
    end = now.astimezone(UTC).replace(hour=23, minute=59, second=59, microsecond=999999)
    cards = _drills_by_card(pool, reviews)
    dice = random.Random(now.astimezone(UTC).toordinal())
    new = [key for key in cards if key not in due]
    dice.shuffle(new)
    waiting = sorted((key for key in cards if key in due), key=lambda key: due[key])
    first = [key for key in waiting if due[key] <= end]
    order = [*first, *new, *(key for key in waiting if due[key] > end)]
    asked = asked_about_on(now.astimezone(UTC).date(), reviews)
    in_turn = sorted(
        _in_turn([cards[key] for key in order]), key=lambda drill: subject_of(drill) in asked
    )
    found = list(_first_of_each_subject(in_turn, count + spares))
    chosen = found[:count]
    dice.shuffle(chosen)
    return (*chosen, *found[count:])


def _drills_by_card(
    pool: Sequence[DrillKey], reviews: Sequence[DrillReview]
) -> Mapping[CardKey, list[DrillKey]]:
    """Return the drills of each card, those asked least and longest ago first."""
    asked: dict[DrillKey, tuple[int, str]] = {}
    for review in reviews:
        times, _ = asked.get(review.drill, (0, ""))
        asked[review.drill] = times + 1, review.at
    cards: dict[CardKey, list[DrillKey]] = {}
    for drill in reversed(pool):
        cards.setdefault(card_of(drill), []).append(drill)
    for drills in cards.values():
        drills.sort(key=lambda drill: asked.get(drill, (0, "")))
    return cards


def _in_turn(groups: Sequence[Sequence[DrillKey]]) -> Iterator[DrillKey]:
    """Yield the first of each group, then the second of each, and so on."""
    for place in range(max(map(len, groups), default=0)):
        yield from (group[place] for group in groups if place < len(group))


def subject_of(drill: DrillKey) -> tuple[str, int]:
    """Return what a set asks about only once: a position, or a made game with all of its own.

    Positions of a made game are few moves apart, so that a later one shows the answer of another.
    """
    return drill.game, 0 if is_made(drill.game) else drill.act


def asked_about_on(day: date, reviews: Iterable[DrillReview]) -> set[tuple[str, int]]:
    """Return the subjects of the answers given on a day in UTC: whoever answered knows them.

    Another answer about one of them is no test of memory, so it does not count on that day.
    """
    return {subject_of(each.drill) for each in reviews if each.at.startswith(day.isoformat())}


def _first_of_each_subject(drills: Iterable[DrillKey], count: int) -> Iterator[DrillKey]:
    """Yield up to `count` drills, none about the subject of an earlier one."""
    seen: set[tuple[str, int]] = set()
    for drill in drills:
        if len(seen) == count:
            return
        if subject_of(drill) not in seen:
            seen.add(subject_of(drill))
            yield drill
