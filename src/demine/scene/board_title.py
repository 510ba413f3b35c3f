"""What people call a board: the name of a level, or its size and mines, and what is unusual."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from demine.logic.errors import DemineError
from demine.logic.rules import BEGINNER, CLASSIC_BEGINNER, EXPERT, INTERMEDIATE, TEN, Rules
from demine.logic.sanitize import escape_control_characters
from demine.scene.translation import mark, ntr, tr

LEVELS: Final[Mapping[str, Rules]] = {
    mark("Beginner"): BEGINNER,
    mark("Intermediate"): INTERMEDIATE,
    mark("Expert"): EXPERT,
}
"""The rules of each level by its name, a message id."""

NAMED_BOARDS: Final[Mapping[str, Rules]] = {
    **LEVELS,
    mark("Classic beginner"): CLASSIC_BEGINNER,
    mark("Ten by ten"): TEN,
}
"""The boards that Setup offers by name, a message id, in the order of its list."""


def board_title(rules: Rules | str) -> str:
    """Return rules in words: "Expert, guess-free" or "10 × 10, 33 mines, won by flags".

    A text that is no rules, as a database may hold one, is returned without control characters.
    """
    try:
        rules = Rules.of(rules)
    except DemineError:
        return escape_control_characters(str(rules))
    level = _level(rules)
    title = tr(level) if level else board_size_title(rules)
    for option, value in rules.non_default_options():
        told = tr(option.choice_of(value).told, n=value)
        title = tr("{title}, {told}", title=title, told=told)
    return title


def level_name(rules: Rules) -> str:
    """Return the name of a level, or the size of another board: "Expert" or "10 × 10"."""
    level = _level(rules)
    return tr(level) if level else format_size(rules.width, rules.height)


def _level(rules: Rules) -> str:
    """Return a level of that size and as many mines, a message id; empty if there is none."""
    plain = Rules(rules.width, rules.height, rules.mines)
    return next((name for name, known in LEVELS.items() if known == plain), "")


def board_size_title(rules: Rules) -> str:
    """Return width, height and mines in words: "10 × 10, 33 mines"."""
    size = format_size(rules.width, rules.height)
    return ntr("{board}, {n} mine", "{board}, {n} mines", rules.mines, board=size)


def format_size(width: int, height: int) -> str:
    """Return the size of a board, in cells, as people write it: "10 × 10"."""
    return f"{width} × {height}"
