"""Themes: the colours of boards and windows, for every scene.

A theme defines colours only; shapes are those of the pictures. Nothing on a board is distinguished
by colour alone, so a theme is free to choose as long as its contrasts suffice.

Each theme is a JSON file in this folder, and the file's name is its name. It holds every other
field of `Theme`: colours as "#rrggbb", `digits` as the name of a palette or as eight colours, and
`risks` as a `RiskScale` whose steps are colours by their percentage. `order` (optional) is its
place in menus, and `comment` (optional) is for people. The files are JSON rather than TOML because
the program reads them before its first frame, and tomllib takes 10 ms to import.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from demine.logic.errors import DemineError
from demine.scene.colours import RGB, RiskScale, contrast, mix
from demine.scene.digit_palettes import PALETTES, Palette

SYSTEM = "system"
"""The name of a theme that is light or dark as the player's system is."""


class ThemeError(DemineError, ValueError):
    """A theme or palette that does not exist, or an invalid theme file.

    >>> import demine
    >>> try:
    ...     picture = demine.show(demine.Game("4x2/1"), theme="grey")
    ... except demine.ThemeError as error:
    ...     print(str(error)[:20])
    unknown theme 'grey'
    """


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a theme. Immutable; use `dataclasses.replace` for variants."""

    name: str
    title: str
    """What to call it on a screen: an English message id."""
    bevelled: bool
    """Whether cells have raised bevels and grid lines, as in Winmine, or are flat rounded keys."""

    digits: tuple[RGB, ...]
    """Colours of 1 to 8 on `opened`."""

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
    """The background of a mine that was opened."""
    burst: RGB
    """The explosion on that background."""
    crowded: RGB
    """The background of a number with too many flags."""
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
    """The focus ring; it or its halo stands out from every background."""
    cursor_halo: RGB
    start: RGB
    """The mark on the prescribed first cell."""
    start_halo: RGB

    safe: RGB
    """The mark on a cell proven safe."""
    proven: RGB
    """The mark on a proven mine."""
    because: RGB
    """The ring around a number that a proof uses."""
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
    """Around every mark; the mark or its halo stands out from every background."""
    risks: RiskScale
    """The backgrounds of covered cells whose risk is shown."""

    window: RGB
    """The window around the board."""
    edge: RGB
    """The border of the board."""
    panel: RGB
    panel_text: RGB
    won: RGB
    """The green of a win; what marks the start is another colour where cells are green."""
    accent: RGB
    """The ground of the button that is next to press."""
    accent_text: RGB
    led_on: RGB
    led_off: RGB
    led_back: RGB
    smiley: RGB
    smiley_shade: RGB
    smiley_line: RGB

    def digit_colour(self, number: int) -> RGB:
        """Return the colour of a digit, 1 to 8, on `opened`."""
        return self.digits[number - 1]

    def dim_digit_colour(self, number: int) -> RGB:
        """Return the faded colour of a digit, 1 to 8, that has all its flags.

        It is greyer than the digit and can still be read: a pale digit darkens as it fades.
        """
        far = _BLACK if contrast(_BLACK, self.opened) > contrast(_WHITE, self.opened) else _WHITE
        grey = mix(self.opened, far, _GREY_SHARE)
        faded = mix(self.digit_colour(number), grey, _FADED_SHARE)
        if contrast(faded, self.opened) < _TEXT_CONTRAST:
            return _first_readable(faded, far, self.opened)
        return _first_readable(self.opened, faded, self.opened)

    @property
    def won_text(self) -> RGB:
        """The green in which the panel says that a game is won."""
        return self._readable_on_panel(self.won)

    @property
    def lost_text(self) -> RGB:
        """The red in which the panel says that a game is lost."""
        return self._readable_on_panel(self.blown)

    def _readable_on_panel(self, colour: RGB) -> RGB:
        """Return a colour, nearer to that of the panel's text where its contrast is too low."""
        return _first_readable(colour, self.panel_text, self.panel)

    def colours(self) -> dict[str, RGB]:
        """Return every colour by its name, digits as `digit_1` to `digit_8`, for style sheets."""
        named: dict[str, RGB] = {f"digit_{n}": self.digit_colour(n) for n in range(1, 9)}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple) and field.name != "digits":
                named[field.name] = value
        return named


def theme(name: str, *, dark: bool = False) -> Theme:
    """Return the theme with a name; for `SYSTEM`, the dark or the light one.

    `dark` says whether the system prefers dark. Raises ThemeError for an unknown name.
    """
    if name == SYSTEM:
        name = "dark" if dark else "light"
    try:
        return THEMES[name]
    except KeyError:
        raise ThemeError(
            "unknown theme {name!r}; the themes are {names}", name=name, names=", ".join(THEMES)
        ) from None


def next_theme(name: str) -> Theme:
    """Return the theme after the one with a name, in the order of menus."""
    names = list(THEMES)
    return THEMES[names[(names.index(name) + 1) % len(names)]]


def with_palette(base: Theme, palette: Palette | str) -> Theme:
    """Return a theme with the digit colours of a palette, chosen for its background.

    Raises ThemeError for an unknown name of a palette.
    """
    if isinstance(palette, str):
        if palette not in PALETTES:
            raise ThemeError(
                "unknown palette {name!r}; the palettes are {names}",
                name=palette,
                names=", ".join(PALETTES),
            )
        palette = PALETTES[palette]
    return replace(base, digits=palette.colours_on(base.opened))


def load_theme(path: Path) -> Theme:
    """Read a theme from its file; raises ThemeError for a field that is missing or invalid."""
    return _read_theme(path.stem, _parse(path))


def load_themes(folder: Path) -> dict[str, Theme]:
    """Read every theme in a folder; return them by name, in the order of menus.

    Raises ThemeError as `load_theme` does.
    """
    entries = {path.stem: _parse(path) for path in sorted(folder.glob("*.json"))}
    names = sorted(entries, key=lambda name: (entries[name].get("order", _LAST), name))
    return {name: _read_theme(name, entries[name]) for name in names}


_TEXT_CONTRAST: Final = 4.5
"""The least contrast of text by WCAG 2.2, level AA."""
_BLACK: Final = (0, 0, 0)
_WHITE: Final = (255, 255, 255)
_GREY_SHARE: Final = 0.75
"""How far the grey of faded digits is from their background, on the way to black or white."""
_FADED_SHARE: Final = 0.4
"""How much of that grey a faded digit has."""
_SHADES: Final = 50
_LAST: Final = 1000
"""The `order` of a theme that gives none."""


def _first_readable(start: RGB, end: RGB, ground: RGB) -> RGB:
    """Return the first colour from `start` to `end` that can be read as text, else `end`."""
    shades = (mix(start, end, step / _SHADES) for step in range(_SHADES))
    return next((each for each in shades if contrast(each, ground) >= _TEXT_CONTRAST), end)


def _parse(path: Path) -> dict[str, Any]:
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ThemeError("theme {name}: {error}", name=path.stem, error=error) from None
    if not isinstance(entry, dict) or type(entry.get("order", _LAST)) is not int:
        raise ThemeError("theme {name}: {field!r} is wrong", name=path.stem, field="order")
    return entry


def _read_theme(name: str, entry: Mapping[str, Any]) -> Theme:
    known = {field.name for field in fields(Theme)} - {"name"}
    if unknown := entry.keys() - known - {"order", "comment"}:
        raise ThemeError("theme {name}: {field!r} is not a field", name=name, field=min(unknown))
    # Which of a palette's colours `digits` has depends on their background.
    ground = _read_field(name, entry, "opened", "RGB")
    values = {
        field.name: _read_field(name, entry, field.name, str(field.type), ground)
        for field in fields(Theme)
        if field.name != "name"
    }
    return Theme(name=name, **values)


def _read_field(
    name: str, entry: Mapping[str, Any], field: str, kind: str, ground: RGB | None = None
) -> Any:  # noqa: ANN401 (the kind says which)
    if field not in entry:
        raise ThemeError("theme {name}: {field!r} is missing", name=name, field=field)
    value = entry[field]
    try:
        if ground and field == "digits" and isinstance(value, str):
            return PALETTES[value].colours_on(ground)
        return _READERS[kind](value)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ThemeError("theme {name}: {field!r} is wrong", name=name, field=field) from None


def _colour(value: object) -> RGB:
    if not isinstance(value, str) or not re.fullmatch("#[0-9a-f]{6}", value):
        raise ValueError(value)
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)


def _digits(value: list[object]) -> tuple[RGB, ...]:
    if len(value) != 8:
        raise ValueError(value)
    return tuple(map(_colour, value))


def _scale(value: Mapping[str, Any]) -> RiskScale:
    steps = tuple((int(percent), _colour(colour)) for percent, colour in value["steps"].items())
    percents = [percent for percent, _ in steps]
    if percents != sorted(set(percents)) or (percents[0], percents[-1]) != (1, 100):
        raise ValueError(percents)
    return RiskScale(_colour(value["safe"]), _colour(value["sure"]), steps)


def _of_type(*kinds: type) -> Callable[[object], object]:
    def read(value: object) -> object:
        if type(value) not in kinds:
            raise TypeError(value)
        return value

    return read


_READERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "str": _of_type(str),
    "bool": _of_type(bool),
    "float": _of_type(int, float),
    "RGB": _colour,
    "tuple[RGB, ...]": _digits,
    "RiskScale": _scale,
}
"""The reader of a value in a file, by the type of the field of `Theme`."""

THEMES: Mapping[str, Theme] = MappingProxyType(load_themes(Path(__file__).parent))
"""Every theme by its name, in the order of menus."""
