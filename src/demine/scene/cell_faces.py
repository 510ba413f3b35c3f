"""The faces of cells."""

from __future__ import annotations

from enum import IntEnum


class Face(IntEnum):
    """What one cell shows to the player; stored as uint8 in a scene array.

    The face of an opened cell is its number, so `face <= Face.EIGHT` means opened.

    >>> import demine
    >>> scene = demine.sight(demine.Game("3x1/1"))
    >>> scene.tolist() == [[demine.Face.COVERED] * 3]
    True
    """

    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    COVERED = 9
    FLAG = 10
    QUESTION = 11
    MINE = 12
    """A mine shown after the game was lost."""
    BLOWN = 13
    """The mine that was opened."""
    WRONG = 14
    """A flag on a safe cell, shown after the game was lost."""
