"""Spans hold just the numbers that were added."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from demine.studies.finished_game_ranges import NumberRanges

PARTS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), max_size=30)


@given(PARTS, st.integers(0, 80), st.integers(0, 80))
def test_they_are_a_set(parts: list[tuple[int, int]], begin: int, end: int) -> None:
    spans, numbers = NumberRanges(), set[int]()
    for first, count in parts:
        part = set(range(first, first + count))
        assert spans.add_range(first, count) == (not part & numbers)
        if not part & numbers:
            numbers |= part
    assert {number for a, b in spans for number in range(a, b)} == numbers
    ends = [edge for span in spans for edge in span]
    assert ends == sorted(set(ends))
    missing = [number for number in range(begin, end) if number not in numbers]
    gap = spans.first_gap(begin, end)
    if not missing:
        assert gap is None
    else:
        assert gap is not None
        assert gap[0] == missing[0]
        assert not set(range(*gap)) & numbers
        assert gap[1] == end or gap[1] in numbers
