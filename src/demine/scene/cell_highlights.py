"""The highlights of cells: numbers with all or too many flags, and cells held down.

A highlight follows from the faces, so it never reveals more than they do.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

from demine.logic.neighbours import count_around
from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Look(IntEnum):
    """The highlight of one cell; stored as uint8 beside a scene array."""

    PLAIN = 0
    DIM = 1
    """A finished number, with all its flags; a blown mine that cost a life counts as a flag."""
    CROWDED = 2
    """A number with more flags around it than mines."""
    PRESSED = 3
    """A covered cell that is held down."""


# Plain integers, because NumPy looks a dozen methods up on members of an enum.
_ONE, _EIGHT, _FLAG = int(Face.ONE), int(Face.EIGHT), int(Face.FLAG)
_MINE, _BLOWN, _WRONG = int(Face.MINE), int(Face.BLOWN), int(Face.WRONG)
_DIM, _CROWDED = int(Look.DIM), int(Look.CROWDED)


def cell_looks(
    faces: NDArray[np.uint8],
    pressed: Iterable[tuple[int, int]] = (),
    *,
    fade_finished: bool = True,
) -> NDArray[np.uint8]:
    """Return the look of each face, uint8 of `Look` in the shape of `faces`.

    `pressed` are the cells (row, col) that are held down; only covered ones show it. Finished
    numbers are plain unless `fade_finished`.
    """
    number = (faces >= _ONE) & (faces <= _EIGHT)
    flags = count_around((faces == _FLAG) | _forgiven(faces))
    highlight = (number & (flags > faces)) * _CROWDED
    if fade_finished:
        highlight += (number & (flags == faces)) * _DIM
    found: NDArray[np.uint8] = highlight.astype(faces.dtype)
    for row, col in pressed:
        if faces[row, col] in (Face.COVERED, Face.QUESTION):
            found[row, col] = Look.PRESSED
    return found


def _forgiven(faces: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return where mines blew that only cost a life: no others are shown, as in a lost game."""
    blown: NDArray[np.bool_] = faces == _BLOWN
    if blown.any() and ((faces == _MINE) | (faces == _WRONG)).any():
        blown[:] = False
    return blown
