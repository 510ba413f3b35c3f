"""The backgrounds of cells, as shapes: covered, opened, pressed."""

from __future__ import annotations

from typing import NamedTuple

from demine.picture.box import Box
from demine.picture.vector_path import Path, Shape, rectangle, rounded_rectangle
from demine.scene.colours import RGB, mix
from demine.scene.themes import Theme


class Ground(NamedTuple):
    """The background of a cell, before anything stands on it."""

    colour: RGB
    shapes: list[Shape]
    body: Box
    """The part to stand on, in whole pixels."""


def covered_ground(theme: Theme, cell: int, tone: RGB | None = None) -> Ground:
    """A covered cell, in a tone or plain."""
    return (
        bevelled_ground(theme, cell, tone)
        if theme.bevelled
        else rounded_key_ground(theme, cell, tone)
    )


def opened_ground(theme: Theme, colour: RGB, cell: int) -> Ground:
    """An opened cell, ruled above and on the left as in Winmine, else below and on the right."""
    if theme.bevelled:
        line = max(1, round(cell / 16))
        frame = rectangle(0, 0, cell, line), rectangle(0, line, line, cell)
        return Ground(colour, [Shape(p, theme.grid) for p in frame], Box(line, line, cell, cell))
    line = max(1, round(cell / 32))
    end = cell - line
    frame = rectangle(0, end, cell, cell), rectangle(end, 0, cell, end)
    return Ground(colour, [Shape(p, theme.grid) for p in frame], Box(0, 0, end, end))


def bevelled_ground(theme: Theme, cell: int, tone: RGB | None = None) -> Ground:
    """Winmine's covered cell: a bevel of 2 pixels in 16, its corner pixels left out."""
    bevel = max(1, round(cell / 8))
    body = Box(bevel, bevel, cell - bevel, cell - bevel)
    light, dark = bevel_halves(Box(0, 0, cell, cell), bevel)
    bevels = [Shape(light, theme.covered_light), Shape(dark, theme.covered_dark)]
    if tone is not None:
        bevels.insert(0, Shape(rectangle(*body), tone))
    return Ground(theme.covered, bevels, body)


def rounded_key_ground(theme: Theme, cell: int, tone: RGB | None = None) -> Ground:
    """A flat covered cell: a rounded key with a lit rim and a shaded lip, in a tone or plain."""
    light, dark = _rim_and_lip_colours(theme, tone)
    box = rounded_key_box(cell)
    rim, lip = max(1, round(cell / 32)), max(1, round(cell / 14))
    radius = cell * 0.14
    top = Box(box.left + rim, box.top + rim, box.right - rim, box.bottom - lip)
    shapes = [
        Shape(rounded_rectangle(*box, radius), dark),
        Shape(rounded_rectangle(box.left, box.top, box.right, top.bottom, radius), light),
        Shape(rounded_rectangle(*top, radius - rim), theme.covered if tone is None else tone),
    ]
    return Ground(theme.grid, shapes, top)


def rounded_key_box(cell: int) -> Box:
    """The outer edge of a rounded key."""
    gap = max(1, round(cell / 18))
    return Box(gap // 2, gap // 2, cell - (gap + 1) // 2, cell - (gap + 1) // 2)


def _rim_and_lip_colours(theme: Theme, tone: RGB | None) -> tuple[RGB, RGB]:
    """The lit rim and the shaded lip of a key; where both are one line, a tone leaves it alone."""
    if tone is None or theme.covered_light == theme.covered_dark:
        return theme.covered_light, theme.covered_dark
    return mix(tone, (255, 255, 255), 0.3), mix(tone, (0, 0, 0), 0.28)


def pressed_key_ground(theme: Theme, cell: int, tone: RGB | None = None) -> Ground:
    """A flat covered cell held down: smaller, without its rim."""
    colour = theme.pressed if tone is None else tone
    gap = max(1, round(cell / 18))
    inset = gap // 2 + max(1, round(cell / 32))
    box = Box(inset, inset, cell - inset - gap % 2, cell - inset - gap % 2)
    return Ground(theme.grid, [Shape(rounded_rectangle(*box, cell * 0.12), colour)], box)


def bevel_halves(box: Box, width: int) -> tuple[Path, Path]:
    """The upper left and the lower right half of a bevel, in steps of one pixel like Winmine's."""
    left, top, right, bottom = box
    light, dark = Path().move(left, bottom - 1).line(left, top).line(right - 1, top), Path()
    dark.move(right, top + 1).line(right, bottom).line(left + 1, bottom)
    for step in range(1, width):
        light.line(right - step, top + step).line(right - step - 1, top + step)
        dark.line(left + step, bottom - step).line(left + step + 1, bottom - step)
    light.line(right - width, top + width).line(left + width, top + width)
    light.line(left + width, bottom - width)
    dark.line(left + width, bottom - width).line(right - width, bottom - width)
    dark.line(right - width, top + width)
    for step in range(width - 1, 0, -1):
        light.line(left + step, bottom - step - 1).line(left + step, bottom - step)
        dark.line(right - step, top + step + 1).line(right - step, top + step)
    return light.close(), dark.close()
