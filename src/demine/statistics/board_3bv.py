"""The 3BV of a layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.logic.errors import LayoutError
from demine.logic.flood import flood
from demine.logic.layout import as_bool_array
from demine.logic.neighbours import count_around

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_MINE = 9
"""Stands for the number of a mine: anything but 0, at which the flood would go on."""


def three_bv(mine_map: ArrayLike) -> int:
    """Return the 3BV of a layout, bool `(height, width)`: the fewest left clicks that clear it.

    That is one click for each opening and one for each number that borders on none (Bechtel's
    board benchmark value). Raises `LayoutError` for what is not a mine map.
    """
    mines = as_bool_array(mine_map)
    if mines.ndim != 2:
        raise LayoutError(
            "a mine map has rows and columns, not the shape {shape}", shape=mines.shape
        )
    height, width = mines.shape
    numbers = count_around(mines)
    numbers[mines] = _MINE
    hint, opened = numbers.tobytes(), bytearray(mines.size)
    openings = 0
    for cell in np.flatnonzero(numbers == 0).tolist():
        if not opened[cell]:
            flood(hint, opened, width, height, cell)
            openings += 1
    return openings + mines.size - int(np.count_nonzero(mines)) - opened.count(1)
