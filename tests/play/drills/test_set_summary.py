"""The next set of a day, and the summary at its end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import demine
from demine.play.drills.drill import Drill
from demine.play.drills.pool import DrillPool
from demine.play.drills.session import DrillSession
from demine.play.drills.set_summary import SetSummary
from demine.play.drills.todays_session import todays_session
from demine.store.drills import DrillReview
from demine.store.store import Store
from demine.store.utc_text import utc_text

NOW = datetime(2026, 11, 27, 10, 0, tzinfo=UTC)


def reviews_of(drill: Drill, times_ms: list[int]) -> list[DrillReview]:
    """Right answers to a drill, the last one now."""
    days = range(len(times_ms) - 1, -1, -1)
    moments = [utc_text(NOW - timedelta(days=back)) for back in days]
    return [DrillReview(drill.key, at, True, ms) for at, ms in zip(moments, times_ms, strict=True)]


def test_only_a_clear_improvement_is_called_one() -> None:
    one, other = demine.drills("16x16/40", seed=1, kind="safe", count=2)
    assert one.pattern != other.pattern
    steady, few = [3000, 3000, 2900, 2900], [9000, 1000]
    assert SetSummary.of((), reviews_of(one, steady), NOW).best_improvement == ""
    assert SetSummary.of((), reviews_of(one, few), NOW).best_improvement == ""
    faster = reviews_of(one, [8000, 8000, 2000, 2000]) + reviews_of(other, [4000, 4000, 2000, 2000])
    said = SetSummary.of((), faster, NOW).best_improvement
    assert said == f"Most improved: {one.pattern}: 8.0 s to 2.0 s since 2026-11-24"


def test_every_answer_has_its_line() -> None:
    pool = DrillPool()
    pool.add(demine.drills("16x16/40", seed=1, kind="safe", count=2))
    with Store.memory() as store:
        session = DrillSession(pool, pool.keys, store, utc_now=lambda: NOW)
        assert session.question is not None
        session.answer(session.question.solution.cell)
        summary = SetSummary.of(session.reviews, store.drill_reviews(), NOW)
        (line,) = summary.lines
        drill = session.answers[0].question.drill
        assert line[:3] == (True, str(drill.pattern), "Find the safe cell")
        assert line.comes_again.startswith("in ")
        assert SetSummary.of(session.reviews, (), NOW).lines[0].comes_again == "–"
        assert summary.progress.today == 1


def test_the_next_set_of_a_day_asks_about_other_positions() -> None:
    with Store.memory() as store:
        asked: list[set[tuple[object, ...]]] = []
        for _ in range(2):
            session = todays_session(store)
            assert session.count == 10
            while session.question is not None:
                session.answer(session.question.solution.cell)
                session.advance()
            asked.append({answer.question.drill.key[:2] for answer in session.answers})
        assert not asked[0] & asked[1]
