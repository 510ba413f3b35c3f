"""The difficulty of a proof: patterns of steps, from the easiest to the hardest."""

from __future__ import annotations

from enum import StrEnum


class Pattern(StrEnum):
    r"""The hardest step that a proof needs; it may use what easier steps have found.

    A step adds up some numbers and subtracts others. If what remains needs as many mines as the
    numbers added have cells of their own, all those cells are mines, and all cells that were only
    subtracted are safe:

    * `SATISFIED`: one number. It has all its mines, or all its covered cells are mines.
    * `INSIDE`: one number minus another: 1-1, 1-2 and all that reduces to them.
    * `CHAIN`: any numbers minus any others.
    * `COUNT`: the same, with the mine count of the board as one more number.
    * `CASES`: no such steps are enough. Try both cases: one of them fails.

    >>> import demine
    >>> demine.explain("3x2/1\n1 # #\n1 # #").pattern
    <Pattern.COUNT: 'count'>
    """

    SATISFIED = "satisfied"
    INSIDE = "inside"
    CHAIN = "chain"
    COUNT = "count"
    CASES = "cases"

    @property
    def level(self) -> int:
        """The difficulty, from 1 to 5."""
        return list(Pattern).index(self) + 1

    @classmethod
    def of(cls, level: int) -> Pattern:
        """Return the pattern of a level from 1 to 5."""
        return list(cls)[level - 1]
