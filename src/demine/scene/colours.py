"""RGB colours: contrast, mixing, and the colour scale of risks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

RGB = tuple[int, int, int]
"""Red, green, blue, 0 to 255 each, sRGB."""


def luminance(colour: RGB) -> float:
    """Return the relative luminance by WCAG 2.2: 0 for black, 1 for white."""
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: RGB, second: RGB) -> float:
    """Return the contrast ratio by WCAG 2.2: 1 (the same colour) to 21 (black on white)."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def mix(first: RGB, second: RGB, share_of_second: float) -> RGB:
    """Mix two colours in sRGB, as screens blend: 0 gives the first, 1 the second."""
    red, green, blue = (
        round(a + (b - a) * share_of_second) for a, b in zip(first, second, strict=True)
    )
    return red, green, blue


def to_hex(colour: RGB) -> str:
    """Return a colour as `#rrggbb`."""
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"


@dataclass(frozen=True, slots=True)
class RiskScale:
    """The colours of risks from 0 to 100 percent.

    `steps` are (percent, colour) in rising order; colours between them are mixed. Their lightness
    rises or falls throughout, so that the order is visible without hues. `safe` and `sure` are for
    exactly 0 and 100, which are certainties.
    """

    safe: RGB
    sure: RGB
    steps: tuple[tuple[int, RGB], ...]

    def colour_at(self, percent: int) -> RGB:
        """Return the colour of a risk in percent."""
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
