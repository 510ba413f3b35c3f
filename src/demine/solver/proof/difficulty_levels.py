"""Difficulty of a proof: the patterns it needs, from the easiest to the hardest."""

from __future__ import annotations

from enum import StrEnum


class Pattern(StrEnum):
    """The hardest step that a proof needs; what easier steps have found may be used on the way.

    A step adds up some numbers and takes away others. If what remains asks for as many mines as it
    has cells to add, all of those are mines, and all the cells that were taken away are safe:

    * `SATISFIED`: one number. It has all its mines, or all its covered cells are mines.
    * `INSIDE`: one number less another: 1-1, 1-2 and everything that reduces to them.
    * `CHAIN`: any numbers less any others.
    * `COUNT`: the same, with the mine count of the board as one number more.
    * `CASES`: no such steps are enough. Try both: one of them fails.
    """

    SATISFIED = "satisfied"
    INSIDE = "inside"
    CHAIN = "chain"
    COUNT = "count"
    CASES = "cases"

    @property
    def level(self) -> int:
        """How hard it is, 1 to 5."""
        return list(Pattern).index(self) + 1

    @classmethod
    def of(cls, level: int) -> Pattern:
        """Return the pattern of a level from 1 to 5."""
        return list(cls)[level - 1]
