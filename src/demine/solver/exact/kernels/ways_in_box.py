"""In how many ways mines lie in a box, a table of numbers that kernels look up."""

from __future__ import annotations

from typing import Final

import numpy as np

WAYS: Final = np.array(
    [
        [1, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0, 0, 0],
        [1, 2, 1, 0, 0, 0, 0, 0, 0],
        [1, 3, 3, 1, 0, 0, 0, 0, 0],
        [1, 4, 6, 4, 1, 0, 0, 0, 0],
        [1, 5, 10, 10, 5, 1, 0, 0, 0],
        [1, 6, 15, 20, 15, 6, 1, 0, 0],
        [1, 7, 21, 35, 35, 21, 7, 1, 0],
        [1, 8, 28, 56, 70, 56, 28, 8, 1],
    ],
    np.float64,
).reshape(-1)
"""The ways to choose mines among the cells of a box: `WAYS[9 * size + mines]`."""
