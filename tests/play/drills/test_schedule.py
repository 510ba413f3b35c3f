"""When drills are due, which are chosen, and what progress says: all by a clock that is given."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from demine.play.drills.drill import DrillKind
from demine.play.drills.progress import DrillProgress
from demine.play.drills.schedule import (
    SET_SIZE,
    CardKey,
    Grade,
    card_of,
    choose_set,
    due_dates,
    grade,
)
from demine.store.drills import DrillKey, DrillReview
from demine.store.utc_text import utc_text

NOW = datetime(2026, 11, 27, 10, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def drill(number: int, kind: str = "safe", pattern: str = "1-1") -> DrillKey:
    return DrillKey(f"game {number}", 5, 1, 2, kind, pattern)


def answer(key: DrillKey, at: datetime, is_right: bool = True, time_ms: int = 3000) -> DrillReview:
    return DrillReview(key, utc_text(at), is_right, time_ms)


@pytest.mark.parametrize(
    ("is_right", "seconds", "given"),
    [(False, 1, Grade.AGAIN), (True, 4, Grade.EASY), (True, 5, Grade.GOOD), (True, 15, Grade.HARD)],
)
def test_grades_come_from_the_answer_and_the_time(
    is_right: bool, seconds: int, given: Grade
) -> None:
    assert grade(DrillKind.SAFE, is_right, 1000 * seconds) is given


def test_the_schedule_is_a_fold_over_the_answers() -> None:
    answers = [answer(drill(n), NOW + n * DAY, is_right=n != 1) for n in range(4)]
    assert due_dates(answers) == due_dates(answers)
    card = CardKey("safe", "1-1")
    dues = [due_dates(answers[:count])[card] for count in (1, 2, 3, 4)]
    # What was wrong comes again the next day; what was right takes longer each time.
    assert dues[1] - (NOW + DAY) == DAY
    assert dues[0] - NOW > DAY
    assert dues[3] - (NOW + 3 * DAY) > dues[2] - (NOW + 2 * DAY) >= DAY


def test_the_schedule_does_not_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [answer(drill(n), NOW + n * DAY) for n in range(3)]
    expected = due_dates(answers)
    monkeypatch.setattr("time.time", lambda: 0.0)
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("it waited"))
    assert due_dates(answers) == expected


def test_unknown_kinds_are_left_out() -> None:
    assert due_dates([answer(drill(1, kind="of tomorrow"), NOW)]) == {}


def test_due_cards_come_first_then_new_ones_then_later_ones() -> None:
    due, new, later = drill(1), drill(2, pattern="1-2"), drill(3, pattern="1-2-1")
    answers = [
        answer(due, NOW - 5 * DAY, is_right=False),
        answer(later, NOW - timedelta(hours=1), time_ms=10),
    ]
    pool = [due, new, later]
    assert set(choose_set(pool, answers, NOW, 1)) == {due}
    assert set(choose_set(pool, answers, NOW, 2)) == {due, new}
    assert set(choose_set(pool, answers, NOW, 3)) == {due, new, later}
    assert choose_set(pool, answers, NOW, 3) == choose_set(pool, answers, NOW, 3)


def test_a_card_gives_what_was_asked_least_and_newest() -> None:
    pool = [drill(number) for number in range(4)]
    answers = [answer(pool[3], NOW - 30 * DAY), answer(pool[2], NOW - 20 * DAY)]
    assert choose_set(pool, answers, NOW, 1) == (pool[1],)
    answers += [answer(pool[n], NOW - 10 * DAY) for n in (0, 1)]
    assert choose_set(pool, answers, NOW, 1) == (pool[3],)


def test_no_position_is_asked_about_twice() -> None:
    pool = [drill(1), drill(1, kind="speed"), drill(2)]
    chosen = choose_set(pool, [], NOW)
    assert len(chosen) == len({(key.game, key.act) for key in chosen}) == 2


def test_a_set_has_its_size_and_many_cards() -> None:
    patterns = ("1-1", "1-2", "subset", "chain")
    pool = [drill(n, pattern=patterns[n % 4]) for n in range(40)]
    chosen = choose_set(pool, [], NOW)
    assert len(chosen) == SET_SIZE
    assert len({card_of(key) for key in chosen}) == 4


def test_progress_tells_times_by_pattern_and_the_streak() -> None:
    key = drill(1, pattern="1-2-1/edge")
    answers = [
        answer(key, NOW - days * DAY + n * timedelta(minutes=1), time_ms=1600 + 500 * days)
        for days in (5, 1, 0)
        for n in range(SET_SIZE)
    ]
    found = DrillProgress.of(answers, NOW.date())
    assert (found.today, found.streak, found.best_streak) == (10, 2, 2)
    (only,) = found.patterns
    assert str(only) == "1-2-1 at an edge: 4.1 s to 1.6 s since 2026-11-22"
    assert only.bars[0] > only.bars[-1]
    # A day that is not over does not end a streak, a day without a set does.
    assert DrillProgress.of(answers[:-1], NOW.date()).streak == 1
    assert DrillProgress.of(answers, date(2026, 11, 29)).streak == 0
    assert str(DrillProgress.of([answer(key, NOW, is_right=False)], NOW.date())).endswith(
        "1-2-1 at an edge: no right answer yet"
    )
