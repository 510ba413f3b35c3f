"""The raw stream of PCG64 (M. O'Neill, "PCG", 2014; XSL RR 128/64), as NumPy's, in plain Python.

NumPy's random numbers take longer to import than a few boards take to deal by this.
"""

from __future__ import annotations

from typing import Final

_32_BITS: Final = (1 << 32) - 1
_64_BITS: Final = (1 << 64) - 1
_128_BITS: Final = (1 << 128) - 1
_FACTOR: Final = 2549297995355413924 << 64 | 4865540595714422341


def raw_numbers(seed: int, size: int) -> list[int]:
    """Return the first numbers, of 64 bits, of a seed from 0 up to 2**128 - 1."""
    high, low, step_high, step_low = _expanded_seed(seed)
    step = (step_high << 65 | step_low << 1 | 1) & _128_BITS
    state = ((step + (high << 64 | low)) * _FACTOR + step) & _128_BITS
    found = []
    for _ in range(size):
        state = (state * _FACTOR + step) & _128_BITS
        word, turn = (state >> 64) ^ (state & _64_BITS), state >> 122
        found.append((word >> turn | word << (64 - turn)) & _64_BITS)
    return found


def _expanded_seed(seed: int) -> tuple[int, int, int, int]:
    """Return four numbers of 64 bits, as by NumPy's SeedSequence (M. O'Neill's `randutils`)."""
    mixed = _Hash(0x43B0_D7E5, 0x931E_8875)
    pool = [mixed(seed >> shift & _32_BITS) for shift in (0, 32, 64, 96)]
    for source in range(4):
        for place in range(4):
            if source != place:
                both = 0xCA01_F9DD * pool[place] - 0x4973_F715 * mixed(pool[source]) & _32_BITS
                pool[place] = both ^ both >> 16
    mixed = _Hash(0x8B51_F9DD, 0x58F3_8DED)
    halves = [mixed(word) for word in (*pool, *pool)]
    return (
        halves[0] | halves[1] << 32,
        halves[2] | halves[3] << 32,
        halves[4] | halves[5] << 32,
        halves[6] | halves[7] << 32,
    )


class _Hash:
    """The hash of 32 bits that SeedSequence mixes words by; it changes with every call."""

    def __init__(self, factor: int, growth: int) -> None:
        self._factor = factor
        self._growth = growth

    def __call__(self, word: int) -> int:
        word ^= self._factor
        self._factor = self._factor * self._growth & _32_BITS
        word = word * self._factor & _32_BITS
        return word ^ word >> 16
