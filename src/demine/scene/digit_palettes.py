"""Palettes: the colours of the digits 1 to 8, on light and on dark grounds.

The tests measure their contrast (WCAG 2.2), and how far apart any two digits stay (CIEDE2000) for
normal sight and for protan, deutan and tritan deficiency (Machado et al. 2009).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from demine.scene.colours import RGB, luminance
from demine.scene.translation import mark, tr


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of the digits 1 to 8, on light and on dark backgrounds."""

    name: str
    title: str
    """Its name on screens, as a message id."""
    on_light: tuple[RGB, ...]
    on_dark: tuple[RGB, ...]

    def colours_on(self, background: RGB) -> tuple[RGB, ...]:
        """Return the eight colours for a background: those for light ones, or for dark ones."""
        # Black and white text have the same contrast with a background of luminance 0.179.
        return self.on_light if luminance(background) > 0.179 else self.on_dark


def _colours(text: str) -> tuple[RGB, ...]:
    return tuple((int(h[:2], 16), int(h[2:4], 16), int(h[4:], 16)) for h in text.split())


WINMINE = Palette(
    "winmine",
    mark("Classic"),
    _colours("0000FF 008000 FF0000 000080 800000 008080 000000 808080"),
    # Winmine's colours vanish on a dark ground (its 4 has contrast 1.0): the same hues, lightened.
    _colours("7C98FF 5CBF5C FF6B61 B9AAFF E39A7B 3FBDBD FFFFFF A6A6A6"),
)
CLEAR = Palette(
    "clear",
    mark("Clear"),
    _colours("00128B 007832 A83400 3D48D7 6B3E2E 025253 100E0F 383C37"),
    _colours("9778FC B7FFCA DB7142 EED2FE FFBF23 429B9D FCFBFE BFBFBF"),
)
STRONG = Palette(
    "strong",
    mark("High contrast"),
    _colours("1B29FF 33603A A10001 8E0F8F 291A00 032B38 000000 474747"),
    _colours("A0BFFA 63B07D FC6550 C86DFF FFA616 42D6CA FFFFFF 989898"),
)
# Masataka Okabe and Kei Ito (2002) chose eight colours for areas that everyone can tell apart:
# blue, bluish green, vermillion, reddish purple, orange, sky blue, black, yellow, here in the
# order of the numbers whose classic colours are nearest. As thin numbers most of them have too
# little contrast with one ground or the other (yellow 1.1 with the light one, black 1.4 with the
# dark one), and lightening or darkening them brings them closer together. So these are their hues
# (within 13 degrees), changed as little as the required contrast and a distance of 9.5 (11.5 on
# dark) for every kind of sight allow; on dark grounds white replaces black.
OKABE_ITO = Palette(
    "okabe-ito",
    mark("Okabe-Ito, colour-blind safe"),
    _colours("044991 026449 B73308 9D4D77 503400 086EA4 000000 656C39"),
    _colours("4E9AE9 32C88B E87551 CA7FAD E8AC08 A4D3FE FFFFFF F8F14F"),
)

PALETTES: Mapping[str, Palette] = MappingProxyType(
    {palette.name: palette for palette in (WINMINE, CLEAR, STRONG, OKABE_ITO)}
)


def next_palette(name: str) -> str:
    """Return the name of the palette after one; "" is the theme's own colours, before the first."""
    names = ["", *PALETTES]
    return names[(names.index(name) + 1) % len(names)]


def palette_announcement(name: str) -> str:
    """Return the message that a palette was chosen, in the current language."""
    if not name:
        return tr("Colours of the numbers: match theme")
    return tr("Colours of the numbers: {palette}", palette=tr(PALETTES[name].title))
