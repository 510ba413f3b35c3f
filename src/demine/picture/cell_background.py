"""The backgrounds of covered, opened and pressed cells, as shapes."""

from __future__ import annotations

from typing import NamedTuple

from demine.picture.box import Box
from demine.picture.vector_path import Path, Shape, rectangle, rounded_rectangle
from demine.scene.colours import RGB, mix
from demine.scene.themes import Theme


class Ground(NamedTuple):
    """The background of a cell."""

    colour: RGB
    shapes: list[Shape]
    body: Box
    """Where symbols go: a box of whole pixels."""


def covered_ground(theme: Theme, cell_px: int, tone: RGB | None = None) -> Ground:
    """Return the background of a covered cell in the theme's style.

    `tone` replaces the theme's colour, to show a risk; so it does in the functions below.
    """
    return (
        bevelled_ground(theme, cell_px, tone)
        if theme.bevelled
        else rounded_key_ground(theme, cell_px, tone)
    )


def opened_ground(theme: Theme, colour: RGB, cell_px: int) -> Ground:
    """Return the background of an opened cell: a colour, and grid lines on two sides.

    The lines are at the top and left in bevelled themes, as in Winmine, else at the bottom and
    right.
    """
    if theme.bevelled:
        line = max(1, round(cell_px / 16))
        frame = rectangle(0, 0, cell_px, line), rectangle(0, line, line, cell_px)
        return Ground(
            colour, [Shape(p, theme.grid) for p in frame], Box(line, line, cell_px, cell_px)
        )
    line = max(1, round(cell_px / 32))
    end = cell_px - line
    frame = rectangle(0, end, cell_px, cell_px), rectangle(end, 0, cell_px, end)
    return Ground(colour, [Shape(p, theme.grid) for p in frame], Box(0, 0, end, end))


def bevelled_ground(theme: Theme, cell_px: int, tone: RGB | None = None) -> Ground:
    """Return the background of a covered cell as in Winmine: a bevel of 2 pixels in 16."""
    bevel = max(1, round(cell_px / 8))
    body = Box(bevel, bevel, cell_px - bevel, cell_px - bevel)
    light, dark = bevel_halves(Box(0, 0, cell_px, cell_px), bevel)
    bevels = [Shape(light, theme.covered_light), Shape(dark, theme.covered_dark)]
    if tone is not None:
        bevels.insert(0, Shape(rectangle(*body), tone))
    return Ground(theme.covered, bevels, body)


def rounded_key_ground(theme: Theme, cell_px: int, tone: RGB | None = None) -> Ground:
    """Return the background of a covered cell in flat themes: a rounded key, lit from above."""
    light, dark = _rim_and_lip_colours(theme, tone)
    box = rounded_key_box(cell_px)
    rim, lip = max(1, round(cell_px / 32)), max(1, round(cell_px / 14))
    radius = cell_px * 0.14
    top = Box(box.left + rim, box.top + rim, box.right - rim, box.bottom - lip)
    shapes = [
        Shape(rounded_rectangle(*box, radius), dark),
        Shape(rounded_rectangle(box.left, box.top, box.right, top.bottom, radius), light),
        Shape(rounded_rectangle(*top, radius - rim), theme.covered if tone is None else tone),
    ]
    return Ground(theme.grid, shapes, top)


def rounded_key_box(cell_px: int) -> Box:
    """Return the outer edge of the rounded key on a cell of `cell_px` pixels."""
    gap = max(1, round(cell_px / 18))
    return Box(gap // 2, gap // 2, cell_px - (gap + 1) // 2, cell_px - (gap + 1) // 2)


def _rim_and_lip_colours(theme: Theme, tone: RGB | None) -> tuple[RGB, RGB]:
    """Return the colours of the lit rim and the shaded lip of a key.

    A theme in which both are the same colour keeps it under any tone.
    """
    if tone is None or theme.covered_light == theme.covered_dark:
        return theme.covered_light, theme.covered_dark
    return mix(tone, (255, 255, 255), 0.3), mix(tone, (0, 0, 0), 0.28)


def pressed_key_ground(theme: Theme, cell_px: int, tone: RGB | None = None) -> Ground:
    """Return the background of a pressed cell in flat themes: a smaller key without its rim."""
    colour = theme.pressed if tone is None else tone
    gap = max(1, round(cell_px / 18))
    inset = gap // 2 + max(1, round(cell_px / 32))
    box = Box(inset, inset, cell_px - inset - gap % 2, cell_px - inset - gap % 2)
    return Ground(theme.grid, [Shape(rounded_rectangle(*box, cell_px * 0.12), colour)], box)


def bevel_halves(box: Box, width: int) -> tuple[Path, Path]:
    """Return the upper left and the lower right half of a bevel, which meet in steps of a pixel."""
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
