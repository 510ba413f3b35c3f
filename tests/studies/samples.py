"""A small study and its outcome, played at once."""

from __future__ import annotations

from functools import cache

from demine.logic.rules import Rules
from demine.studies.chunk import Chunk, StudyCounts, play_chunk
from demine.studies.plan import StudyPlan

SMALL = StudyPlan(Rules.parse("6x6/7"), ("safest",), 5, 40)
PAIR = StudyPlan(Rules.parse("6x6/7"), ("logic", "safest"), 5, 40)


@cache
def chunk(plan: StudyPlan, first: int, count: int) -> Chunk:
    """Some games of a study with their rows."""
    return play_chunk(plan, first, count, with_rows=True)


@cache
def outcome(plan: StudyPlan) -> StudyCounts:
    """What a study comes to when it is played in one piece."""
    return play_chunk(plan, 0, plan.games, with_rows=False).counts.without_time
