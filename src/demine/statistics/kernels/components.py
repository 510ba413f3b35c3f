"""The parts of a layout, a twin of `demine.statistics.layout_regions.LayoutParts.of`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def label_layout(
    hint: NDArray[np.uint8], width: int, marks: NDArray[np.uint8], labels: NDArray[np.int64],
    queue: NDArray[np.int64],
) -> int:  # fmt: skip
    """Write the parts of a layout; return how many of them are openings.

    `marks` is uint8 `(3, cells)`: the mines, and room for the zeros and the lone numbers, full of
    0. `labels` is full of -1 and gets the part of each cell. The others are flat arrays too.
    """
    mines, zero, lone = marks[0], marks[1], marks[2]
    height = mines.size // width
    for cell in range(mines.size):
        lone[cell] = 1 - mines[cell]
    for cell in range(mines.size):
        if hint[cell] == 0 and mines[cell] == 0:
            zero[cell] = 1
            row, col = cell // width, cell % width
            for r in range(max(row - 1, 0), min(row + 2, height)):
                for c in range(max(col - 1, 0), min(col + 2, width)):
                    lone[r * width + c] = 0
    openings = components = 0
    for start in range(mines.size):
        if labels[start] < 0 and (zero[start] or lone[start]):
            openings += zero[start]
            label_component(start, components, width, zero, lone, labels, queue)
            components += 1
    return openings


def label_component(
    start: int, label: int, width: int, zero: NDArray[np.uint8], lone: NDArray[np.uint8],
    labels: NDArray[np.int64], queue: NDArray[np.int64],
) -> None:  # fmt: skip
    """Label the cells that are connected to the first one, over corners too."""
    height = zero.size // width
    labels[start] = label
    queue[0] = start
    top = 1
    while top > 0:
        top -= 1
        row, col = queue[top] // width, queue[top] % width
        for r in range(max(row - 1, 0), min(row + 2, height)):
            for c in range(max(col - 1, 0), min(col + 2, width)):
                other = r * width + c
                if (zero[other] or lone[other]) and labels[other] < 0:
                    labels[other] = label
                    queue[top] = other
                    top += 1
