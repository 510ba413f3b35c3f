"""Intervals of shares and of paired differences."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.solver.wilson_interval import Z_95, wilson_interval
from demine.studies.confidence_interval import paired_difference_interval

SHARES = st.integers(1, 10**7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(SHARES)
def test_wilson_ends_where_the_score_is_z(share: tuple[int, int]) -> None:
    """The ends are the chances that the share found lies just Z standard errors away from."""
    won, games = share
    low, high = wilson_interval(won, games)
    assert 0 <= low <= won / games <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            error = sqrt(end * (1 - end) / games)
            assert abs(won / games - end) == pytest.approx(Z_95 * error, rel=1e-6)


def test_wilson_of_known_shares() -> None:
    """Values of the closed formula, worked out by hand for 8 of 10 and 0 of 10."""
    assert wilson_interval(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775328), abs=1e-6)
    assert wilson_interval(0, 0) == (0.0, 1.0)


@given(st.integers(0, 5000), st.integers(0, 5000), st.integers(0, 10**6))
def test_paired_turns_round_and_holds_the_difference(a: int, b: int, same: int) -> None:
    games = max(1, a + b + same)
    low, high = paired_difference_interval(a, b, games)
    back = paired_difference_interval(b, a, games)
    assert (low, high) == pytest.approx((-back[1], -back[0]))
    assert low <= (a - b) / games <= high or games < 20


def test_paired_narrows_with_games_that_agree() -> None:
    """The same share of boards that differ, on a hundred times as many boards: a tenth as wide."""
    few, many = (
        paired_difference_interval(30, 10, 1000),
        paired_difference_interval(3000, 1000, 100_000),
    )
    assert many[1] - many[0] == pytest.approx((few[1] - few[0]) / 10, rel=0.05)
    assert many[0] > 0
