"""Every value of every option of the rules, for the tests that try each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from demine.logic.rules import OPTIONS, Option, Rules

PLAIN = Rules(5, 4, 2)


def values() -> Iterator[tuple[Option, Rules]]:
    """Yield each option with rules that have one of its values."""
    for option in OPTIONS:
        for choice in option.choices:
            changed: dict[str, Any] = {option.name: choice.value}
            yield option, replace(PLAIN, **changed)


EVERY = pytest.mark.parametrize(
    ("option", "rules"), [pytest.param(*each, id=f"{each[0].name}-{each[1]}") for each in values()]
)
