"""The random orders in which chain ZiNi prefers cells; they are always the same.

They are those of LlamaSweeper, so that its values are reproduced: drawn with the ARC4 generator of
the library seedrandom, seeded with the number of orders. All orders of a size come from one stream;
each is a Fisher-Yates shuffle of the numbers from 1 on, and the cell with the smallest number comes
first.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_SIX: Final = 6
"""Bytes of a fraction, before there are 52 bits."""
_ENOUGH: Final = 1 << 52
_TOO_MANY: Final = 1 << 53


@lru_cache(maxsize=4)
def priority_orders(cells: int, runs: int) -> NDArray[np.int64]:
    """Return `runs` random orders of the cells, int64 `(runs, cells)`, read-only.

    Cells are numbered column by column; the first of each order is preferred most.
    """
    found = np.empty((runs, cells), np.int64)
    draw = random_fractions(f"{runs}\0")
    for order in found:
        numbers = list(range(cells))
        for last in range(cells - 1, 0, -1):
            at = int(draw() * (last + 1))
            numbers[at], numbers[last] = numbers[last], numbers[at]
        order[:] = np.argsort(numbers)
    found.flags.writeable = False
    return found


def random_fractions(seed: str) -> Callable[[], float]:
    """Return a generator function of fractions, 0 <= x < 1, equal to seedrandom's for this seed.

    seedrandom turns a number into a seed by writing its digits and a zero byte.
    """
    byte = _arc4([ord(letter) & 255 for letter in seed] or [0])

    def fraction() -> float:
        numerator = 0
        for _ in range(_SIX):
            numerator = numerator << 8 | byte()
        denominator, rest = 1 << 8 * _SIX, 0
        while numerator < _ENOUGH:
            numerator = (numerator + rest) << 8
            denominator <<= 8
            rest = byte()
        while numerator >= _TOO_MANY:
            numerator >>= 1
            denominator >>= 1
            rest >>= 1
        return (numerator + rest) / denominator

    return fraction


def _arc4(key: list[int]) -> Callable[[], int]:
    """Return a generator function of the bytes of ARC4, without the first 256."""
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 255
        state[i], state[j] = state[j], state[i]
    i = j = 0

    def byte() -> int:
        nonlocal i, j
        i = (i + 1) & 255
        held = state[i]
        j = (j + held) & 255
        state[i], state[j] = state[j], held
        return state[(state[i] + held) & 255]

    for _ in range(256):
        byte()
    return byte
