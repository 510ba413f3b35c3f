"""The confidence interval of a share, at 95 %."""

from __future__ import annotations

from math import sqrt
from typing import Final

Z_95: Final = 1.959963984540054
"""Standard errors to each side of a 95 % interval."""


def wilson_interval(won: int, games: int, z: float = Z_95) -> tuple[float, float]:
    """Return the score interval of the share `won / games`, low and high (E. Wilson, 1927).

    Without games it is `(0.0, 1.0)`.
    """
    if games <= 0:
        return 0.0, 1.0
    share = won / games
    scale = 1 + z * z / games
    middle = (share + z * z / (2 * games)) / scale
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / scale
    low = 0.0 if won == 0 else max(0.0, middle - half)
    high = 1.0 if won == games else min(1.0, middle + half)
    return low, high
