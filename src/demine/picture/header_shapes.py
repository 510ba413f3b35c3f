"""The icons of the header and the grounds of its tools, as shapes.

The icons are one family: a square of 24 units, lines of 2 units with round ends, one colour.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from demine.picture.box import Box
from demine.picture.cell_background import bevel_halves
from demine.picture.vector_path import (
    Path,
    Shape,
    circle,
    polygon,
    polyline,
    rounded_rectangle,
)
from demine.scene.colours import mix

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from demine.scene.colours import RGB
    from demine.scene.themes import Theme

IconName = Literal[
    "mine",
    "clock",
    "new",
    "level",
    "undo",
    "hint",
    "pause",
    "resume",
    "back",
    "next",
    "menu",
    "flag",
]
_UNITS: Final = 24
_PEN: Final = 2.0


class ToolLook(NamedTuple):
    """How a tool of the header looks."""

    enabled: bool = True
    hovered: bool = False
    pressed: bool = False
    focused: bool = False
    accented: bool = False
    """Whether it is what to do next."""


AT_REST: Final = ToolLook()


def tool_colours(theme: Theme, look: ToolLook) -> tuple[RGB, RGB]:
    """Return the colours of a tool's ground and of what stands on it."""
    panel, ink = theme.panel, theme.panel_text
    if not look.enabled:
        return panel, mix(panel, ink, 0.35)
    if look.accented:
        shade = 0.24 if look.pressed else 0.12 if look.hovered else 0.0
        return mix(theme.accent, theme.accent_text, shade), theme.accent_text
    if theme.bevelled:
        return mix(theme.covered, theme.covered_light, 0.3 if look.hovered else 0.0), ink
    return mix(panel, ink, 0.26 if look.pressed else 0.16 if look.hovered else 0.08), ink


def tool_ground_shapes(theme: Theme, look: ToolLook, width: int, height: int) -> list[Shape]:
    """Return the ground of a tool in a rectangle of the panel's colour."""
    fill, _ = tool_colours(theme, look)
    shapes: list[Shape] = []
    unit = height / 32
    radius = 0.0 if theme.bevelled else 6 * unit
    if look.enabled:
        shapes.append(Shape(rounded_rectangle(0, 0, width, height, radius), fill))
        shapes += _rim(theme, look, Box(0, 0, width, height), radius)
    if look.focused:
        pen, halo = max(1, round(2 * unit)), max(1, round(unit))
        shapes += [
            Shape(_frame(0, width, height, pen + 2 * halo, radius), theme.cursor_halo),
            Shape(_frame(halo, width - halo, height - halo, pen, radius - halo), theme.cursor),
        ]
    return shapes


def _rim(theme: Theme, look: ToolLook, box: Box, radius: float) -> list[Shape]:
    """Return a bevel in a bevelled theme, a line where a theme draws keys by their outlines."""
    line = max(1, round(box.height / 24))
    if theme.bevelled:
        sides = bevel_halves(box, line)
        colours = theme.covered_light, theme.covered_dark
        if look.pressed:
            colours = colours[1], colours[0]
        return [Shape(side, colour) for side, colour in zip(sides, colours, strict=True)]
    if theme.covered_light == theme.covered_dark:
        return [Shape(_frame(0, box.right, box.bottom, line, radius), theme.covered_light)]
    return []


def _frame(start: float, right: float, bottom: float, pen: float, radius: float) -> Path:
    inner = start + pen
    hole = rounded_rectangle(inner, inner, right - pen, bottom - pen, max(0.0, radius - pen))
    return rounded_rectangle(start, start, right, bottom, max(0.0, radius)).cut_out(hole)


def icon_shapes(name: IconName, ink: RGB, size: int) -> list[Shape]:
    """Return an icon as shapes in a square of `size` pixels."""
    return _ICONS[name](_Pencil(ink, size / _UNITS))


class _Pencil:
    """Draws in units of which an icon has 24 by 24."""

    def __init__(self, ink: RGB, unit: float) -> None:
        self._ink, self._unit = ink, unit

    def line(self, *points: tuple[float, float]) -> Shape:
        """Return a line through points."""
        return self.stroke(polyline(self._scaled(points)))

    def filled(self, *points: tuple[float, float]) -> Shape:
        """Return a filled polygon."""
        return Shape(polygon(self._scaled(points)), self._ink)

    def ring(self, x: float, y: float, radius: float) -> Shape:
        """Return a circle."""
        return self.stroke(circle(x * self._unit, y * self._unit, radius * self._unit))

    def disc(self, x: float, y: float, radius: float) -> Shape:
        """Return a filled circle."""
        return Shape(circle(x * self._unit, y * self._unit, radius * self._unit), self._ink)

    def bar(self, x0: float, y0: float, x1: float, y1: float) -> Shape:
        """Return a filled rectangle with soft corners."""
        (left, top), (right, bottom) = self._scaled(((x0, y0), (x1, y1)))
        return Shape(rounded_rectangle(left, top, right, bottom, self._unit), self._ink)

    def arc(self, x: float, y: float, radius: float, start: float, turn: float) -> Shape:
        """Return a part of a circle, from `start` on for `turn`: shares of a whole turn."""
        steps = 24
        angles = (2 * pi * (start + turn * step / steps) for step in range(steps + 1))
        return self.line(*((x + radius * cos(each), y + radius * sin(each)) for each in angles))

    def stroke(self, path: Path) -> Shape:
        """Return a path, in pixels, drawn with the pen."""
        return Shape(path, self._ink, _PEN * self._unit)

    def _scaled(self, points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
        return [(x * self._unit, y * self._unit) for x, y in points]


def _mine(pencil: _Pencil) -> list[Shape]:
    slant = 6.2
    return [
        pencil.disc(12, 12, 6),
        pencil.line((12, 3), (12, 21)),
        pencil.line((3, 12), (21, 12)),
        pencil.line((12 - slant, 12 - slant), (12 + slant, 12 + slant)),
        pencil.line((12 - slant, 12 + slant), (12 + slant, 12 - slant)),
    ]


def _clock(pencil: _Pencil) -> list[Shape]:
    return [pencil.ring(12, 12, 8.5), pencil.line((12, 7), (12, 12), (15.5, 14))]


def _new(pencil: _Pencil) -> list[Shape]:
    return [pencil.line((12, 5), (12, 19)), pencil.line((5, 12), (19, 12))]


def _level(pencil: _Pencil) -> list[Shape]:
    return [pencil.line((7, 10), (12, 15), (17, 10))]


def _undo(pencil: _Pencil) -> list[Shape]:
    return [
        pencil.line((9, 4.5), (4.5, 9), (9, 13.5)),
        pencil.line((5, 9), (14, 9)),
        pencil.arc(14, 14, 5, -0.25, 0.5),
        pencil.line((14, 19), (9, 19)),
    ]


def _hint(pencil: _Pencil) -> list[Shape]:
    return [
        pencil.arc(12, 9.5, 6, 0.375, 0.75),
        pencil.line((7.8, 13.7), (9.3, 16), (14.7, 16), (16.2, 13.7)),
        pencil.line((10, 20), (14, 20)),
    ]


def _pause(pencil: _Pencil) -> list[Shape]:
    return [pencil.bar(6.5, 5, 10, 19), pencil.bar(14, 5, 17.5, 19)]


def _resume(pencil: _Pencil) -> list[Shape]:
    corners = (8, 5), (19, 12), (8, 19)
    return [pencil.filled(*corners), pencil.line(*corners, corners[0])]


def _back(pencil: _Pencil) -> list[Shape]:
    return _step(pencil, 6.5, 18)


def _next(pencil: _Pencil) -> list[Shape]:
    return _step(pencil, 17.5, 6)


def _menu(pencil: _Pencil) -> list[Shape]:
    return [pencil.line((5, y), (19, y)) for y in (7, 12, 17)]


def _flag(pencil: _Pencil) -> list[Shape]:
    corners = (7.5, 4.5), (17.5, 8.5), (7.5, 12.5)
    return [
        pencil.filled(*corners),
        pencil.line(*corners, corners[0]),
        pencil.line((7, 5), (7, 20)),
    ]


def _step(pencil: _Pencil, at: float, base: float) -> list[Shape]:
    """Return a triangle from its base to where it points at, and a line there."""
    corners = (base, 6), (at, 12), (base, 18)
    return [
        pencil.filled(*corners),
        pencil.line(*corners, corners[0]),
        pencil.line((at, 5.5), (at, 18.5)),
    ]


_ICONS: Final[Mapping[IconName, Callable[[_Pencil], list[Shape]]]] = {
    "mine": _mine,
    "clock": _clock,
    "new": _new,
    "level": _level,
    "undo": _undo,
    "hint": _hint,
    "pause": _pause,
    "resume": _resume,
    "back": _back,
    "next": _next,
    "menu": _menu,
    "flag": _flag,
}
