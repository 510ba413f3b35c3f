"""Plans say what is played, and refuse what cannot be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from demine.logic.errors import DemineError
from demine.logic.rules import BEGINNER, EXPERT, Rules
from demine.solver.player.first_cell import usual_first_cell
from demine.studies.errors import StudyError
from demine.studies.plan import MAX_SEED, StudyPlan


def test_a_plan_is_read_back() -> None:
    plan = StudyPlan(EXPERT, ("logic", "safest"), 7, 100, (2, 5))
    assert StudyPlan.from_dict(json.loads(json.dumps(plan.to_dict()))) == plan


@pytest.mark.parametrize("rules", [EXPERT, BEGINNER, Rules(30, 16, 99, first="safe")])
def test_games_begin_where_policies_do(rules: Rules) -> None:
    assert StudyPlan(rules, ("logic",), 0, 1).start == usual_first_cell(rules)


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 0},
        {"games": -1},
        {"games": 1 << 50},
        {"games": "5"},
        {"seed": -1},
        {"seed": MAX_SEED},
        {"seed": 10**5000},
        {"seed": 1.5},
        {"policies": ()},
        {"policies": ("nobody",)},
        {"policies": ("logic", "logic")},
        {"policies": ("logic", "safest", "fast")},
        {"start": (9, 0)},
        {"start": (0, -1)},
        {"rules": Rules(9, 9, 10, guess_free=True)},
        {"rules": Rules(9, 9, 10, goal="flag")},
    ],
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, Any]) -> None:
    """With a sentence that can be said, however long the number."""
    good: dict[str, Any] = {"rules": BEGINNER, "policies": ("logic",), "seed": 0, "games": 1}
    with pytest.raises(DemineError) as caught:
        StudyPlan(**good | wrong)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("facts", [{}, {"rules": 5}, {"rules": "9x9/10", "start": 3}])
def test_damaged_facts_are_refused(facts: dict[str, Any]) -> None:
    with pytest.raises(StudyError):
        StudyPlan.from_dict(facts)
