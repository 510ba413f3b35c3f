"""Metadata of a game, called facts: player, program, date and so on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from demine.logic.errors import JournalError, quoted

Fact: TypeAlias = str | int | float | bool | None

FIELD_CELL: Final = 16
"""The default cell size in pixels at which touches are recorded, whatever the zoom."""
MAX_FACTS: Final = 256
MAX_CELL_PX: Final = 1 << 16
_EXACT: Final = 2**53
"""Largest whole number that every reader of JSON keeps exactly."""


def checked_facts(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Return a copy of facts; raises `JournalError` for those that a journal cannot hold.

    A fact is a text, a finite number, a boolean or None; integers are at most 2**53.
    """
    if not isinstance(facts, Mapping):
        raise JournalError("facts must be a dict by name, not {value}", value=quoted(facts))
    if len(facts) > MAX_FACTS:
        raise JournalError("a game has at most {most} facts", most=MAX_FACTS)
    for name, value in facts.items():
        if not _is_text(name):
            raise JournalError("{name} is not the name of a fact", name=quoted(name))
        if not _is_fact(value):
            raise JournalError(
                "the fact {name} is neither text nor a plain number",
                name=quoted(name),
            )
    return dict(facts)


class LazyFacts(Mapping[str, Fact]):
    """Facts that are worked out on first access, as those of a file, which are seldom looked at.

    The first access raises `JournalError` for those that a journal cannot hold.
    """

    def __init__(self, make: Callable[[], dict[str, Fact]]) -> None:
        self._facts: dict[str, Fact] | Callable[[], dict[str, Fact]] = make

    def _found(self) -> dict[str, Fact]:
        if not isinstance(self._facts, dict):
            self._facts = checked_facts(self._facts())
        return self._facts

    def __getitem__(self, name: str) -> Fact:
        return self._found()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())

    def __repr__(self) -> str:
        return f"Facts({self._found()!r})"


def checked_cell_px(pixels: object) -> int:
    """Return a cell size in pixels; raises `JournalError` unless it is 1 to `MAX_CELL_PX`."""
    if type(pixels) is not int or not 1 <= pixels <= MAX_CELL_PX:
        raise JournalError(
            "a cell has 1 to {most} pixels, not {found}", most=MAX_CELL_PX, found=repr(pixels)[:80]
        )
    return pixels


def _is_fact(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return -_EXACT <= value <= _EXACT
    return value is None or _is_text(value)


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair: no file could hold it
        return False
    return True
