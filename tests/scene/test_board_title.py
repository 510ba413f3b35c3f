"""What people call a board, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from demine.logic.rules import OPTIONS, Rules
from demine.scene.board_title import LEVELS, board_title
from demine.scene.translation import set_language


@pytest.mark.parametrize(
    ("rules", "english", "chinese"),
    [
        ("30x16/99", "Expert", "高级"),
        ("9x9/10 guess-free", "Beginner, guess-free", "初级，无猜"),
        ("10x10/33 goal=flag", "10 × 10, 33 mines, won by flags", "10 × 10，33 颗雷，插旗获胜"),
        (
            "5x1/1 first=any",
            "5 × 1, 1 mine, first click may be a mine",
            "5 × 1，1 颗雷，首击可能是雷",
        ),
        ("16x16/40 lives=3", "Intermediate, 3 lives", "中级，3 条命"),
        ("no\x1brules", "no\\x1brules", "no\\x1brules"),
    ],
)
def test_a_board_is_told_as_people_say_it(rules: str, english: str, chinese: str) -> None:
    assert board_title(rules) == english
    set_language("zh_CN")
    try:
        assert board_title(rules) == chinese
    finally:
        set_language("en")


def test_every_choice_that_is_unusual_is_told() -> None:
    titles = set()
    for option in OPTIONS:
        for choice in option.choices:
            fields: dict[str, Any] = {option.name: choice.value}
            said = board_title(Rules(9, 9, 10, **fields))
            titles.add(said)
            assert "=" not in said
    assert len(titles) == 1 + sum(len(option.choices) - 1 for option in OPTIONS)
    assert len(LEVELS) == 3
