"""A set of whole numbers kept as ranges: which games of a study are done."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class IndexRange(NamedTuple):
    """The whole numbers from `begin` up to but not including `end`."""

    begin: int
    end: int


class NumberRanges:
    """A set of whole numbers, kept as ranges in order that neither overlap nor touch."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._ends: list[int] = []

    def __iter__(self) -> Iterator[IndexRange]:
        """Yield the ranges in order."""
        return map(IndexRange, self._begins, self._ends)

    def add_range(self, first: int, count: int) -> bool:
        """Add `count` numbers from `first` on, or none and return False if one is there already."""
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

    def first_gap(self, begin: int, end: int) -> IndexRange | None:
        """Return the first range within `begin` to `end` that is missing; None if none is."""
        place = bisect_right(self._begins, begin)
        if place and self._ends[place - 1] > begin:
            begin = self._ends[place - 1]
        if begin >= end:
            return None
        place = bisect_right(self._begins, begin)
        last = self._begins[place] if place < len(self._begins) else end
        return IndexRange(begin, min(end, last))
