"""Rectangles that glyphs and symbols are fitted into, in pixels."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def centre(self) -> tuple[float, float]:
        """The point in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def inset(self, by: float) -> Box:
        """The box with all four sides moved inwards."""
        return Box(self.left + by, self.top + by, self.right - by, self.bottom - by)

    def centred(self, width: float, height: float) -> Box:
        """A smaller box in the middle, moved to whole pixels."""
        left = self.left + (self.width - width) // 2
        top = self.top + (self.height - height) // 2
        return Box(left, top, left + width, top + height)


def centred_length(length: float, room: float) -> int:
    """The nearest whole length, at least 1, that can stand exactly centred in the room."""
    parity = int(room) % 2
    return max(2 - parity, round((length - parity) / 2) * 2 + parity)
