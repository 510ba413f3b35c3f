"""Connected components, a twin of `demine.statistics.layout_regions.label_components`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def parts_label(
    mask: NDArray[np.uint8], width: int, found: NDArray[np.int64], queue: NDArray[np.int64]
) -> int:
    """Number the piece of each cell, from 0 in the order of first cells; return how many there are.

    All arrays are flat and of one length; `found` is full of -1 and stays so outside the mask.
    Pieces touch over corners too.
    """
    height = mask.size // width
    pieces = 0
    for start in range(mask.size):
        if not mask[start] or found[start] >= 0:
            continue
        found[start] = pieces
        queue[0] = start
        top = 1
        while top > 0:
            top -= 1
            row, col = queue[top] // width, queue[top] % width
            for r in range(max(row - 1, 0), min(row + 2, height)):
                for c in range(max(col - 1, 0), min(col + 2, width)):
                    other = r * width + c
                    if mask[other] and found[other] < 0:
                        found[other] = pieces
                        queue[top] = other
                        top += 1
        pieces += 1
    return pieces
