"""Colours as numbers: contrast, mixing, and the colour scale of risks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

RGB = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each, sRGB."""


def luminance(colour: RGB) -> float:
    """Relative luminance after WCAG 2.2: 0 for black, 1 for white."""
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: RGB, two: RGB) -> float:
    """The WCAG 2.2 contrast ratio of two colours: 1 (the same) to 21 (black on white)."""
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)


def mix(one: RGB, two: RGB, share: float) -> RGB:
    """The colour `share` (0 to 1) of the way from one to two, in sRGB as a screen blends."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, two, strict=True))
    return red, green, blue


def to_hex(colour: RGB) -> str:
    """The colour as `#rrggbb`."""
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"


@dataclass(frozen=True, slots=True)
class RiskScale:
    """Colours for a risk of 0 to 100 percent, from the safest on.

    `steps` are (percent, colour) in rising order, between which colours are mixed; the lightness
    runs one way all along, so that the order is seen without hues. `safe` and `sure` stand for
    exactly 0 and 100, which are no risks but known.
    """

    safe: RGB
    sure: RGB
    steps: tuple[tuple[int, RGB], ...]

    def colour_at(self, percent: int) -> RGB:
        """The colour of a whole percentage."""
        if percent <= 0:
            return self.safe
        if percent >= 100:
            return self.sure
        for (low, below), (high, above) in pairwise(self.steps):
            if percent <= high:
                return mix(below, above, max(0.0, (percent - low) / (high - low)))
        return self.steps[-1][1]


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
