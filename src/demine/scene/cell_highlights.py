"""How the face of a cell is highlighted: a satisfied or crowded number, or a cell held down.

A look follows from what the board shows already, so it never tells more than the faces do.
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
    """The highlight of one face; stored as uint8 beside a scene array."""

    PLAIN = 0
    DIM = 1
    """A number that has all its flags; a mine that blew and was forgiven counts as one."""
    CROWDED = 2
    """A number with more flags around it than mines."""
    PRESSED = 3
    """A covered cell held down by the hand."""


# NumPy takes plain integers at once, and asks members of an enum for a dozen methods first.
_ONE, _EIGHT, _FLAG = int(Face.ONE), int(Face.EIGHT), int(Face.FLAG)
_MINE, _BLOWN, _WRONG = int(Face.MINE), int(Face.BLOWN), int(Face.WRONG)
_DIM, _CROWDED = int(Look.DIM), int(Look.CROWDED)


def looks(faces: NDArray[np.uint8], pressed: Iterable[tuple[int, int]] = ()) -> NDArray[np.uint8]:
    """Return the look of each face, uint8 of `Look` in the shape of `faces`.

    `pressed` are the cells `(row, col)` the hand holds down; only covered ones show it.
    """
    number = (faces >= _ONE) & (faces <= _EIGHT)
    flags = count_around((faces == _FLAG) | _forgiven(faces))
    highlight = (number & (flags == faces)) * _DIM + (number & (flags > faces)) * _CROWDED
    found: NDArray[np.uint8] = highlight.astype(faces.dtype)
    for row, col in pressed:
        if faces[row, col] in (Face.COVERED, Face.QUESTION):
            found[row, col] = Look.PRESSED
    return found


def _forgiven(faces: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the mines that blew, unless other mines or wrong flags show that the game was lost."""
    blown: NDArray[np.bool_] = faces == _BLOWN
    if blown.any() and ((faces == _MINE) | (faces == _WRONG)).any():
        blown[:] = False
    return blown
