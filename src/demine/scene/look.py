"""How a face is dressed at this moment: satisfied, crowded or held down.

A look follows from what is already on the glass, so it never tells more than the faces do.
"""

from __future__ import annotations

from enum import IntEnum


class Look(IntEnum):
    """The dress of one face; stored as uint8 beside a scene array."""

    PLAIN = 0
    DIM = 1
    """A number that has all its flags."""
    CROWDED = 2
    """A number with more flags around it than mines."""
    PRESSED = 3
    """A covered cell held down by the hand."""
