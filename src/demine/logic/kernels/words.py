"""Words of 64 bits that stand for cells: what kernels do with all bits of one at once.

All arithmetic is unsigned and wraps: call interpreted kernels within
`numpy.errstate(over="ignore")`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from demine.kernels.marks import inlined

_1: Final = np.uint64(1)
_2: Final = np.uint64(2)
_4: Final = np.uint64(4)
_8: Final = np.uint64(8)
_16: Final = np.uint64(16)
_32: Final = np.uint64(32)
_56: Final = np.uint64(56)
_ODD: Final = np.uint64(0x5555_5555_5555_5555)
_PAIRS: Final = np.uint64(0x3333_3333_3333_3333)
_HALVES: Final = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
_BYTES: Final = np.uint64(0x0101_0101_0101_0101)


@inlined
def spread_in_runs(seeds: np.uint64, zeros: np.uint64) -> np.uint64:
    """Return the runs of `zeros` that contain a seed, within one word."""
    # Towards higher bits by one addition: a carry runs from each seed to the end of its run.
    found = (zeros & ~(zeros + seeds)) | seeds
    runs = zeros
    found |= found >> _1 & runs
    runs &= runs >> _1
    found |= found >> _2 & runs
    runs &= runs >> _2
    found |= found >> _4 & runs
    runs &= runs >> _4
    found |= found >> _8 & runs
    runs &= runs >> _8
    found |= found >> _16 & runs
    runs &= runs >> _16
    found |= found >> _32 & runs
    return found


@inlined
def count_bits(word: np.uint64) -> np.uint64:
    """Return how many bits are set."""
    word -= word >> _1 & _ODD
    word = (word & _PAIRS) + (word >> _2 & _PAIRS)
    return ((word + (word >> _4)) & _HALVES) * _BYTES >> _56
