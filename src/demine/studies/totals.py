"""Totals of games: sums that do not depend on the order of adding."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MAX_GUESSES: Final = 40
"""Games with more guesses are counted as having this many."""
SURVIVAL_BINS: Final = 20
"""Survival products are counted in this many equal bins of 0 to 1, and one more for exactly 1."""

_FINE_UNITS: Final = 1 << 20
_COARSE_UNITS: Final = 1 << 8
_MAX_WEIGHT: Final = float(1 << 22)
_MAX_SQUARE: Final = float(1 << 37)


@dataclass(frozen=True, slots=True)
class GameTotals:
    """The sums over some games of one policy.

    All are whole numbers, with fractions in fixed point, so that the order of adding does not
    matter. `ns` is the processor time in nanoseconds, the only thing that differs between two runs
    of the same games. `weight` (1 / survival, in units of 2**-20), `square` (its square, in units
    of 2**-8) and `pluck` (-log10(survival), in units of 2**-20) are sums over the games won.
    `luckiest` is the smallest survival product of a game won, and the index of that game.
    """

    games: int = 0
    won: int = 0
    opened: int = 0
    guesses: int = 0
    moves: int = 0
    bv: int = 0
    ns: int = 0
    weight: int = 0
    square: int = 0
    pluck: int = 0
    by_guesses: tuple[int, ...] = (0,) * (MAX_GUESSES + 1)
    by_survival: tuple[int, ...] = (0,) * (SURVIVAL_BINS + 1)
    won_by_survival: tuple[int, ...] = (0,) * (SURVIVAL_BINS + 1)
    luckiest: tuple[float, int] | None = None

    @classmethod
    def from_games(cls, games: NDArray[np.void]) -> GameTotals:
        """Return the totals of games, an array of `demine.studies.play_games.GAME_DTYPE`."""
        won = games["won"]
        survival = games["survival"]
        bins = np.minimum((survival * SURVIVAL_BINS).astype(np.int64), SURVIVAL_BINS)
        guesses = np.minimum(games["guesses"], MAX_GUESSES)
        lived = survival[won]
        weight = np.minimum(1 / np.maximum(lived, 1e-300), _MAX_WEIGHT)
        square = np.minimum(weight * weight, _MAX_SQUARE)
        return cls(
            games=games.size,
            won=int(np.count_nonzero(won)),
            opened=int(games["opened"].sum(dtype=np.int64)),
            guesses=int(games["guesses"].sum(dtype=np.int64)),
            moves=int(games["moves"].sum(dtype=np.int64)),
            bv=int(games["bv"].sum(dtype=np.int64)),
            ns=int(games["ns"].sum(dtype=np.int64)),
            weight=_rounded_sum(weight * _FINE_UNITS),
            square=_rounded_sum(square * _COARSE_UNITS),
            pluck=_rounded_sum(np.log10(weight) * _FINE_UNITS),
            by_guesses=_histogram(guesses, MAX_GUESSES + 1),
            by_survival=_histogram(bins, SURVIVAL_BINS + 1),
            won_by_survival=_histogram(bins[won], SURVIVAL_BINS + 1),
            luckiest=_luckiest_win(games[won]),
        )

    def __add__(self, other: GameTotals) -> GameTotals:
        sums: dict[str, Any] = {}
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if field.name == "luckiest":
                sums[field.name] = min(filter(None, (mine, theirs)), default=None)
            elif isinstance(mine, tuple):
                sums[field.name] = tuple(a + b for a, b in zip(mine, theirs, strict=True))
            else:
                sums[field.name] = mine + theirs
        return GameTotals(**sums)

    @property
    def without_time(self) -> GameTotals:
        """The same totals with a processor time of 0, for comparison."""
        return replace(self, ns=0)

    def to_dict(self) -> dict[str, Any]:
        """Return the values to save as JSON, which `from_dict` reads."""
        return asdict(self)

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> GameTotals:
        """Return the totals of `facts`; raises ValueError, TypeError or KeyError for others."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            value, usual = facts[field.name], field.default
            if field.name == "luckiest":
                values[field.name] = None if value is None else (float(value[0]), int(value[1]))
            elif isinstance(usual, tuple):
                values[field.name] = tuple(map(_checked_count, value))
                if len(value) != len(usual):
                    raise ValueError(field.name)
            else:
                values[field.name] = _checked_count(value)
        return cls(**values)


def _checked_count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(value)
    return value


def _rounded_sum(values: NDArray[np.float64]) -> int:
    return int(np.rint(values).astype(np.int64).sum(dtype=np.int64))


def _histogram(values: NDArray[np.int64], size: int) -> tuple[int, ...]:
    return tuple(np.bincount(values, minlength=size).tolist())


def _luckiest_win(won: NDArray[np.void]) -> tuple[float, int] | None:
    if not won.size:
        return None
    place = int(np.lexsort((won["index"], won["survival"]))[0])
    return float(won["survival"][place]), int(won["index"][place])
