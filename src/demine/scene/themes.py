"""How a board is coloured, as data that every scene shares.

A theme only names colours; shapes are the pictures'. Nothing on a board is told apart by colour
alone, so a theme is free to look as it likes as long as its contrasts hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from demine.logic.errors import DemineError
from demine.scene.palette import (
    CLEAR,
    PALETTES,
    RGB,
    STRONG,
    WINMINE,
    Palette,
    Scale,
    contrast,
    mix,
)

__all__ = [
    "SYSTEM",
    "THEMES",
    "Palette",
    "Theme",
    "ThemeError",
    "contrast",
    "theme",
    "with_palette",
]


SYSTEM = "system"
"""Stands for a theme that is light or dark as the player's system is."""


class ThemeError(DemineError, ValueError):
    """A theme or palette name that does not exist; the sentence lists those that do."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one look of the game. Immutable; make variants with `dataclasses.replace`."""

    name: str
    title: str
    """What to call it on a screen: an English message id."""
    bevelled: bool
    """Raised bevels and ruled cells (as Winmine) instead of flat rounded tiles."""

    digits: tuple[RGB, ...]
    """Colours of 1 to 8 on `opened`."""
    dim_floor: float
    """The contrast a satisfied number keeps, unless it had less to begin with."""

    opened: RGB
    grid: RGB
    """The line between opened cells."""
    covered: RGB
    covered_light: RGB
    """The lit (upper left) edge of a covered cell."""
    covered_dark: RGB
    pressed: RGB
    """A covered cell held down."""
    blown: RGB
    """The ground of the mine that was opened."""
    burst: RGB
    """The explosion on that ground."""
    crowded: RGB
    """The ground of a number with too many flags."""
    crowded_edge: RGB

    flag: RGB
    pole: RGB
    mine: RGB
    shine: RGB
    """The glint on a mine."""
    cross: RGB
    """The cross over a wrong flag."""
    cross_edge: RGB
    question: RGB

    cursor: RGB
    """The focus ring; together with its halo it stands out from every ground."""
    cursor_halo: RGB
    start: RGB
    """The mark on the prescribed first cell."""
    start_halo: RGB

    safe: RGB
    """The mark on a cell proven safe."""
    proven: RGB
    """The mark on a proven mine."""
    because: RGB
    """The ring around a number that a proof rests on."""
    because_ground: RGB
    about: RGB
    """The outline of covered cells that a proof is about."""
    guess: RGB
    """The mark on the best guess."""
    mistake: RGB
    """The mark on a cell that should not have been opened."""
    missed: RGB
    """The mark on a safe cell that was not opened."""
    mark_halo: RGB
    """Around every mark: one of the two stands out from every ground."""
    risks: Scale
    """The grounds of covered cells whose risk is shown."""

    window: RGB
    """Around the board."""
    edge: RGB
    """The board's border: where the board ends, whatever the window shows."""
    panel: RGB
    panel_text: RGB
    led_on: RGB
    led_off: RGB
    led_back: RGB
    smiley: RGB
    smiley_shade: RGB
    smiley_line: RGB

    def digit(self, number: int) -> RGB:
        """The colour of 1 to 8 on `opened`."""
        return self.digits[number - 1]

    def dim_digit(self, number: int) -> RGB:
        """The same digit when all its flags are set: paler, yet no paler than `dim_floor`.

        Half of the contrast (on WCAG's logarithmic scale) goes; a digit that would fall under the
        floor stops there, so a satisfied number can still be read: it is a note to the player, not
        an erasure.
        """
        colour = self.digit(number)
        full = contrast(colour, self.opened)
        goal = min(full, max(self.dim_floor, full**0.5))
        low, high = 0.0, 1.0
        for _ in range(12):
            middle = (low + high) / 2
            enough = contrast(mix(colour, self.opened, middle), self.opened) >= goal
            low, high = (middle, high) if enough else (low, middle)
        return mix(colour, self.opened, low)

    def colours(self) -> dict[str, RGB]:
        """Every single colour by name, digits as `digit_1` to `digit_8`: for style sheets."""
        named: dict[str, RGB] = {f"digit_{n}": self.digit(n) for n in range(1, 9)}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple) and field.name != "digits":
                named[field.name] = value
        return named


def theme(name: str, *, dark: bool = False) -> Theme:
    """The theme of that name; for `SYSTEM` the dark one if the system is `dark`, else the light.

    Raises ThemeError, listing the names, when there is none.
    """
    if name == SYSTEM:
        name = "dark" if dark else "light"
    try:
        return THEMES[name]
    except KeyError:
        raise ThemeError(
            "unknown theme {name!r}; the themes are {names}", name=name, names=", ".join(THEMES)
        ) from None


def theme_after(name: str) -> Theme:
    """The theme that comes after one of that name, in the order a screen offers them."""
    names = list(THEMES)
    return THEMES[names[(names.index(name) + 1) % len(names)]]


def with_palette(base: Theme, palette: Palette | str) -> Theme:
    """The theme with the digit colours of a palette, those for its light or dark ground.

    Raises ThemeError, listing the names, for an unknown palette name.
    """
    if isinstance(palette, str):
        if palette not in PALETTES:
            raise ThemeError(
                "unknown palette {name!r}; the palettes are {names}",
                name=palette,
                names=", ".join(PALETTES),
            )
        palette = PALETTES[palette]
    return replace(base, digits=palette.on(base.opened))


def _grey(level: int) -> RGB:
    return level, level, level


_BLACK, _WHITE, _RED = _grey(0), _grey(255), (255, 0, 0)

# About a fifth of the cells are mines on most boards: that risk is as quiet as a plain covered
# cell, what is safer leans to green and blue, what is more dangerous glows.
_LIGHT_RISKS = Scale(
    safe=(112, 214, 188),
    sure=(92, 12, 42),
    steps=(
        (1, (202, 240, 228)),
        (10, (196, 222, 222)),
        (20, (192, 198, 208)),
        (30, (216, 180, 138)),
        (45, (230, 140, 66)),
        (65, (204, 76, 48)),
        (80, (154, 30, 46)),
        (100, (76, 12, 28)),
    ),
)
_DARK_RISKS = Scale(
    safe=(0, 112, 100),
    sure=(122, 24, 48),
    steps=(
        (1, (0, 50, 58)),
        (10, (34, 60, 72)),
        (20, (70, 76, 88)),
        (30, (124, 86, 56)),
        (45, (190, 104, 30)),
        (65, (246, 140, 62)),
        (80, (255, 176, 128)),
        (100, (255, 222, 210)),
    ),
)
_CONTRAST_RISKS = Scale(
    safe=(0, 84, 76),
    sure=(132, 0, 40),
    steps=(
        (1, (0, 26, 52)),
        (18, (48, 48, 58)),
        (34, (86, 64, 44)),
        (49, (134, 71, 5)),
        # Between these no ink would have a contrast of 7 with the ground.
        (50, (240, 140, 40)),
        (75, (255, 186, 120)),
        (100, (255, 232, 220)),
    ),
)

_CLASSIC = Theme(
    name="classic",
    title="Classic",
    bevelled=True,
    digits=WINMINE.on_light,
    dim_floor=1.6,  # Winmine's own 3 and 8 have contrast 2.2
    opened=_grey(192),
    grid=_grey(128),
    covered=_grey(192),
    covered_light=_WHITE,
    covered_dark=_grey(128),
    pressed=_grey(192),
    blown=_RED,
    burst=(255, 216, 64),
    crowded=(255, 153, 153),
    crowded_edge=(200, 0, 0),
    flag=_RED,
    pole=_BLACK,
    mine=_BLACK,
    shine=_WHITE,
    cross=_RED,
    cross_edge=_grey(192),
    question=_BLACK,
    cursor=(0, 0, 160),
    cursor_halo=_WHITE,
    start=(0, 112, 0),
    start_halo=_WHITE,
    safe=(0, 80, 74),
    proven=(112, 0, 48),
    because=(176, 72, 0),
    because_ground=(255, 240, 168),
    about=(64, 32, 128),
    guess=(84, 24, 148),
    mistake=(150, 0, 16),
    missed=(0, 72, 140),
    mark_halo=_WHITE,
    risks=_LIGHT_RISKS,
    window=(74, 84, 92),
    edge=_grey(128),
    panel=_grey(192),
    panel_text=_BLACK,
    led_on=_RED,
    led_off=(72, 0, 0),  # Winmine mixes (128, 0, 0) and black, pixel by pixel
    led_back=_BLACK,
    smiley=(255, 255, 0),
    smiley_shade=(214, 190, 0),
    smiley_line=_BLACK,
)

_LIGHT = Theme(
    name="light",
    title="Light",
    bevelled=False,
    digits=CLEAR.on_light,
    dim_floor=3.0,
    opened=(238, 240, 243),
    grid=(211, 216, 223),
    covered=(168, 182, 200),
    covered_light=(194, 206, 220),
    covered_dark=(134, 149, 169),
    pressed=(214, 220, 228),
    blown=(214, 48, 49),
    burst=(255, 221, 120),
    crowded=(255, 226, 226),
    crowded_edge=(200, 40, 48),
    flag=(190, 16, 32),
    pole=(38, 44, 54),
    mine=(38, 44, 54),
    shine=(255, 255, 255),
    cross=(200, 24, 36),
    cross_edge=(255, 255, 255),
    question=(28, 34, 44),
    cursor=(0, 68, 190),
    cursor_halo=_WHITE,
    start=(0, 104, 55),
    start_halo=_WHITE,
    safe=(0, 80, 74),
    proven=(112, 0, 48),
    because=(190, 84, 0),
    because_ground=(255, 240, 178),
    about=(64, 32, 128),
    guess=(84, 24, 148),
    mistake=(150, 0, 16),
    missed=(0, 72, 140),
    mark_halo=_WHITE,
    risks=_LIGHT_RISKS,
    window=(250, 251, 252),
    edge=(92, 106, 124),
    panel=(250, 251, 252),
    panel_text=(30, 36, 44),
    led_on=(255, 106, 92),
    led_off=(58, 42, 47),
    led_back=(30, 34, 41),
    smiley=(255, 214, 64),
    smiley_shade=(240, 180, 28),
    smiley_line=(58, 40, 8),
)

_DARK = Theme(
    name="dark",
    title="Dark",
    bevelled=False,
    digits=CLEAR.on_dark,
    dim_floor=3.0,
    opened=(38, 40, 43),
    grid=(56, 59, 64),
    covered=(82, 93, 109),
    covered_light=(104, 117, 136),
    covered_dark=(62, 71, 84),
    pressed=(52, 57, 65),
    blown=(226, 54, 54),
    burst=(60, 8, 12),
    crowded=(74, 18, 22),
    crowded_edge=(240, 84, 92),
    flag=(255, 142, 130),
    pole=(240, 242, 245),
    mine=(228, 232, 238),
    shine=(60, 64, 72),
    cross=(255, 84, 84),
    cross_edge=(24, 25, 27),
    question=(250, 250, 252),
    cursor=(255, 213, 79),
    cursor_halo=(12, 12, 14),
    start=(122, 232, 160),
    start_halo=(20, 30, 24),
    safe=(110, 240, 210),
    proven=(255, 160, 170),
    because=(255, 190, 70),
    because_ground=(60, 38, 4),
    about=(214, 200, 255),
    guess=(214, 190, 255),
    mistake=(255, 150, 130),
    missed=(140, 214, 255),
    mark_halo=(12, 12, 14),
    risks=_DARK_RISKS,
    window=(20, 21, 23),
    edge=(128, 139, 155),
    panel=(28, 30, 33),
    panel_text=(232, 234, 238),
    led_on=(255, 106, 92),
    led_off=(58, 30, 32),
    led_back=(12, 13, 15),
    smiley=(255, 209, 71),
    smiley_shade=(232, 168, 32),
    smiley_line=(46, 32, 8),
)

_CONTRAST = Theme(
    name="contrast",
    title="High contrast",
    bevelled=False,
    digits=STRONG.on_dark,
    dim_floor=4.5,
    opened=_BLACK,
    grid=_grey(90),
    covered=_grey(60),
    covered_light=_WHITE,
    covered_dark=_WHITE,
    pressed=_grey(20),
    blown=(255, 60, 40),
    burst=_BLACK,
    crowded=(48, 0, 0),
    crowded_edge=(255, 120, 120),
    flag=(255, 230, 0),
    pole=_WHITE,
    mine=_WHITE,
    shine=_BLACK,
    cross=(255, 96, 80),
    cross_edge=_BLACK,
    question=_WHITE,
    cursor=(255, 255, 0),
    cursor_halo=_BLACK,
    start=(64, 255, 128),
    start_halo=_BLACK,
    safe=(64, 255, 208),
    proven=(255, 150, 160),
    because=(255, 190, 0),
    because_ground=(28, 18, 0),
    about=(220, 200, 255),
    guess=(255, 150, 255),
    mistake=(255, 150, 130),
    missed=(120, 220, 255),
    mark_halo=_BLACK,
    risks=_CONTRAST_RISKS,
    window=_BLACK,
    edge=_WHITE,
    panel=_BLACK,
    panel_text=_WHITE,
    led_on=(255, 230, 0),
    led_off=_grey(38),
    led_back=_BLACK,
    smiley=(255, 230, 0),
    smiley_shade=(255, 230, 0),
    smiley_line=_BLACK,
)

THEMES: Mapping[str, Theme] = MappingProxyType(
    {each.name: each for each in (_CLASSIC, _LIGHT, _DARK, _CONTRAST)}
)
"""Every theme by its name, in the order a screen offers them."""
