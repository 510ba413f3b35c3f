"""A set of whole numbers kept as ranges: which games of a study are done."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class NumberRanges:
    """A set of whole numbers, kept as spans that neither overlap nor touch, in order."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._ends: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield the beginning and the end of each span; the end is not in it."""
        return zip(self._begins, self._ends, strict=True)

    def add_range(self, first: int, count: int) -> bool:
        """Add the numbers `first .. first + count`; False, and nothing, if any is in it already."""
        end = first + count
        place = bisect_right(self._begins, first)
        if place and self._ends[place - 1] > first:
            return False
        if place < len(self._begins) and self._begins[place] < end:
            return False
        touches_left = place > 0 and self._ends[place - 1] == first
        touches_right = place < len(self._begins) and self._begins[place] == end
        if touches_left and touches_right:
            self._ends[place - 1] = self._ends.pop(place)
            del self._begins[place]
        elif touches_left:
            self._ends[place - 1] = end
        elif touches_right:
            self._begins[place] = first
        else:
            self._begins.insert(place, first)
            self._ends.insert(place, end)
        return True

    def first_gap(self, begin: int, end: int) -> tuple[int, int] | None:
        """Return the first span of numbers from `begin` on that is missing before `end`."""
        place = bisect_right(self._begins, begin)
        if place and self._ends[place - 1] > begin:
            begin = self._ends[place - 1]
        if begin >= end:
            return None
        place = bisect_right(self._begins, begin)
        return begin, min(end, self._begins[place] if place < len(self._begins) else end)
