"""Colours for a terminal of 256: the nearest to the eye that keep text readable.

Rich's own choice tinges what is nearly grey, so that the text of a dark theme turns violet.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

from demine.scene.colours import contrast

if TYPE_CHECKING:
    from demine.scene.colours import RGB
    from demine.terminal.text_style import TextStyle

_STEPS: Final = (0, 95, 135, 175, 215, 255)
_CUBE: Final = [(red, green, blue) for red, green, blue in product(_STEPS, repeat=3)]
_RAMP: Final = [(grey, grey, grey) for grey in range(8, 239, 10)]
PALETTE: Final[dict[int, RGB]] = {
    number: colour
    for number, colour in enumerate([*_CUBE, *_RAMP], start=16)
    if number >= 232 or len(set(colour)) > 1 or colour[0] in (0, 255)
}
"""The colours that are the same in every terminal of 256; the first 16 differ.

The greys of the cube are left out, as between those of the ramp they would blur a chequered board.
"""
_READABLE: Final = 4.5
_KEPT_SHARE: Final = 0.8
"""The share of a contrast to keep at least; keeping all of it would cost letters their hue."""


@lru_cache(maxsize=4096)
def xterm_colours(style: TextStyle) -> tuple[int | None, int | None]:
    """Return the numbers of a style's text and background colours among the 256.

    Text stays about as readable as in the style's own colours. None stands for no colour.
    """
    background = None if style.bg is None else nearest_xterm_colour(style.bg)
    if style.fg is None or style.bg is None or background is None:
        return None if style.fg is None else nearest_xterm_colour(style.fg), background
    min_contrast = _KEPT_SHARE * min(_READABLE, contrast(style.fg, style.bg))
    return nearest_xterm_colour(style.fg, background, min_contrast), background


@lru_cache(maxsize=4096)
def nearest_xterm_colour(
    colour: RGB, background: int | None = None, min_contrast: float = 1.0
) -> int:
    """Return the number of the nearest colour in `PALETTE`.

    With a background (its number), only colours with `min_contrast` to it count, if there are any.
    """
    one, two, three = _to_oklab(colour)
    known = _palette_in_oklab()

    def distance(number: int) -> float:
        here = known[number]
        return (here[0] - one) ** 2 + (here[1] - two) ** 2 + (here[2] - three) ** 2

    order = sorted(PALETTE, key=distance)
    if background is None:
        return order[0]
    behind = PALETTE[background]
    readable = (each for each in order if contrast(PALETTE[each], behind) >= min_contrast)
    return next(readable, order[0])


@cache
def _palette_in_oklab() -> dict[int, tuple[float, float, float]]:
    return {number: _to_oklab(colour) for number, colour in PALETTE.items()}


def _to_oklab(colour: RGB) -> tuple[float, float, float]:
    """Return a colour in OKLab (Ottosson 2020), where distances match those the eye sees."""
    red, green, blue = map(_srgb_to_linear, colour)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _srgb_to_linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
