"""The one flood fill: what opens when a cell without adjacent mines is opened."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from demine.logic.neighbours import neighbour_table

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence

WALL: Final = 9
"""A hint that no opening passes: it stands for a flag that holds."""


def flood(
    hint: Sequence[int],
    opened: MutableSequence[int],
    width: int,
    height: int,
    start: int,
    stop_after: float = math.inf,
) -> list[int]:
    """Open the opening that holds the zero cell `start`, and the numbers on its border.

    `hint` and `opened` are flat, row by row, one byte a cell; `opened` is changed in place, 0 to 1.
    Open cells and those with the hint `WALL` are neither opened nor passed; `start` is covered.
    Returns the opened cells, nearest first. Once it has opened more than `stop_after`, it stops and
    leaves the opening unfinished.
    """
    last, lowest = width - 1, width * (height - 1)
    opened[start] = 1
    found = [start]
    add = found.append
    for cell in found:
        if hint[cell]:
            continue
        if 0 < cell % width < last and width <= cell < lowest:
            up, down = cell - width, cell + width
            near: tuple[int, ...] = (
                up - 1,
                up,
                up + 1,
                cell - 1,
                cell + 1,
                down - 1,
                down,
                down + 1,
            )
        else:
            near = neighbour_table(height, width)[cell]
        for other in near:
            if not opened[other] and hint[other] < WALL:
                opened[other] = 1
                add(other)
        if len(found) > stop_after:
            break
    return found
