"""The confidence interval of a difference of shares, at 95 %, and the sign test."""

from __future__ import annotations

from math import exp, lgamma, log, sqrt

from demine.solver.wilson_interval import Z_95


def paired_difference_interval(
    only_a: int, only_b: int, games: int, z: float = Z_95
) -> tuple[float, float]:
    """Return the interval, low and high, of A's win rate less B's on the same games.

    Of `games`, A alone won `only_a` and B alone `only_b`. Half a game is added to each of the four
    cells (A. Agresti and Y. Min, 2005), so that the interval is right even if they seldom differ.
    """
    total = games + 2
    a, b = only_a + 0.5, only_b + 0.5
    middle = (a - b) / total
    half = z * sqrt(max(0.0, a + b - (a - b) ** 2 / total)) / total
    return max(-1.0, middle - half), min(1.0, middle + half)


def sign_test(only_a: int, only_b: int) -> float:
    """Return the two-sided p-value of the sign test, which is McNemar's test in its exact form.

    It is how likely `only_a + only_b` tosses of a fair coin fall at least as unevenly.
    """
    if only_a == only_b:
        return 1.0
    tosses, heads = only_a + only_b, min(only_a, only_b)
    ways = lgamma(tosses + 1) - lgamma(heads + 1) - lgamma(tosses - heads + 1)
    term, total = exp(ways - tosses * log(2)), 0.0
    # Each term is less than the one before; what is left out does not matter.
    while heads >= 0 and term > total * 1e-17:
        total += term
        term *= heads / (tosses - heads + 1)
        heads -= 1
    return min(1.0, 2 * total)
