"""The colours of a board in small, where a cell is one pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from demine.scene.themes import Theme


def overview_colours(theme: Theme) -> NDArray[np.uint8]:
    """Return one colour for each face, uint8 (faces, 3)."""
    colours = np.full((len(Face), 3), theme.opened, np.uint8)
    for number in range(Face.ONE, Face.EIGHT + 1):
        colours[number] = np.add(theme.opened, theme.digit_colour(number)) // 2
    colours[Face.COVERED] = colours[Face.QUESTION] = theme.covered
    colours[Face.FLAG], colours[Face.MINE] = theme.flag, theme.mine
    colours[Face.BLOWN] = colours[Face.WRONG] = theme.blown
    return colours
