"""The pages about training name every kind and every pattern, as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from demine.play.drills.drill import DrillKind
from demine.play.drills.find import SLOW_MS, SLOW_TIMES
from demine.play.drills.patterns import PatternName
from demine.play.drills.schedule import SET_SIZE
from demine.solver.win_chances import MAX_EXACT_LAYOUTS

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("page", ["train.md", "zh/train.md"])
def test_the_page_names_every_kind_and_pattern(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    assert [kind for kind in DrillKind if f"| `{kind.value}` |" not in text] == []
    assert [name for name in PatternName if f"`{name.value}`" not in text] == []
    assert f" {MAX_EXACT_LAYOUTS} " in text
    assert f" {SLOW_MS // 1000} " in text


def test_numbers_of_the_page_are_those_of_the_code() -> None:
    text = (DOCS / "train.md").read_text("utf-8")
    assert (SET_SIZE, SLOW_TIMES) == (10, 3)
    assert "A set is ten questions" in text
    assert "three times as long as half the proofs" in text
