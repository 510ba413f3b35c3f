"""Boxes, in pixels, that glyphs and symbols are fitted to."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle in pixels; y points down."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width in pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[float, float]:
        """The point (x, y) in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def inset(self, by: float) -> Box:
        """Return the box with all four sides moved inwards `by` pixels."""
        return Box(self.left + by, self.top + by, self.right - by, self.bottom - by)

    def centred(self, width: float, height: float) -> Box:
        """Return a box of this size in the middle of this one, moved to whole pixels."""
        left = self.left + (self.width - width) // 2
        top = self.top + (self.height - height) // 2
        return Box(left, top, left + width, top + height)


def centrable_length(length: float, room: float) -> int:
    """Return the whole length nearest to `length` that whole pixels centre in `room`.

    It is odd where the room is odd, even where it is even, and at least 1.
    """
    parity = int(room) % 2
    return max(2 - parity, round((length - parity) / 2) * 2 + parity)
