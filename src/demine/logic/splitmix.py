"""Random numbers without a state: the stream of SplitMix64.

G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators", 2014. NumPy's
random numbers take longer to import than a hint takes to be found, and a generator for each of many
games takes too long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def mix_bits(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a random number of 64 bits for each word; of equal words the same."""
    with np.errstate(over="ignore"):
        mixed = (words + np.uint64(1)) * np.uint64(0x9E37_79B9_7F4A_7C15)
        for shift, factor in ((30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
        return mixed ^ (mixed >> np.uint64(31))
