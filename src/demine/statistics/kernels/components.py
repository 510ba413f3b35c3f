"""Connected components, a twin of `demine.statistics.layout_regions.label_components`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def label_mask_components(
    mask: NDArray[np.uint8], width: int, labels: NDArray[np.int64], queue: NDArray[np.int64]
) -> int:
    """Write the connected component of each cell to `labels`; return how many there are.

    All arrays are flat and of one length; `labels` is full of -1 and stays so outside the mask.
    Components are numbered from 0 in the order of their first cells; corners connect too.
    """
    height = mask.size // width
    components = 0
    for start in range(mask.size):
        if not mask[start] or labels[start] >= 0:
            continue
        labels[start] = components
        queue[0] = start
        top = 1
        while top > 0:
            top -= 1
            row, col = queue[top] // width, queue[top] % width
            for r in range(max(row - 1, 0), min(row + 2, height)):
                for c in range(max(col - 1, 0), min(col + 2, width)):
                    other = r * width + c
                    if mask[other] and labels[other] < 0:
                        labels[other] = components
                        queue[top] = other
                        top += 1
        components += 1
    return components
