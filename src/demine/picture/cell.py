"""One cell as shapes: its ground, and what stands on it."""

from __future__ import annotations

from typing import NamedTuple

from demine.picture import glyphs, sprites
from demine.picture.glyphs import Box
from demine.picture.path import Path, Shape, rectangle, rounded
from demine.scene.face import Face
from demine.scene.look import Look
from demine.scene.palette import RGB
from demine.scene.theme import Theme

HELD = (Face.COVERED, Face.QUESTION)
"""The covered faces that sink when they are held down; a flag stays up."""


class Ground(NamedTuple):
    """What a cell is made of before anything stands on it."""

    colour: RGB
    shapes: list[Shape]
    body: Box
    """The part to stand on, in whole pixels."""


def dressed(face: Face, look: Look) -> Look:
    """The look a face can wear: numbers dim or crowd, covered cells sink, all else is plain."""
    if look in (Look.DIM, Look.CROWDED):
        return look if Face.ONE <= face <= Face.EIGHT else Look.PLAIN
    return look if face in HELD else Look.PLAIN


def shapes(theme: Theme, face: Face, look: Look, cell: int) -> tuple[RGB, list[Shape]]:
    """A cell `cell` pixels wide: its ground colour, and the shapes on it from the lowest up."""
    look = dressed(face, look)
    ground = _ground(theme, face, look, cell)
    return ground.colour, [*ground.shapes, *_figure(theme, face, look, ground.body, cell)]


def _ground(theme: Theme, face: Face, look: Look, cell: int) -> Ground:
    if face in (Face.COVERED, Face.FLAG, Face.QUESTION):
        if look is not Look.PRESSED:
            return _raised(theme, cell) if theme.bevelled else key(theme, cell)
        return _flat(theme, theme.pressed, cell) if theme.bevelled else sunken(theme, cell)
    if face is Face.BLOWN:
        return _flat(theme, theme.blown, cell)
    return _flat(theme, theme.crowded if look is Look.CROWDED else theme.opened, cell)


def _figure(theme: Theme, face: Face, look: Look, body: Box, cell: int) -> list[Shape]:
    if Face.ONE <= face <= Face.EIGHT:
        if look is Look.DIM:
            return glyphs.digit(face, body, cell, theme.dim_digit(face), 0.72)
        number = glyphs.digit(face, body, cell, theme.digit(face))
        return [*sprites.crowd(theme, body, cell), *number] if look is Look.CROWDED else number
    if face is Face.QUESTION:
        return glyphs.question(body, cell, theme.question)
    if face is Face.WRONG and theme.bevelled:
        return [*sprites.mine(theme, body, cell), *sprites.cross(theme, body, cell)]
    return [shape for draw in _DRAWN.get(face, ()) for shape in draw(theme, body, cell)]


_DRAWN = {
    Face.FLAG: (sprites.flag,),
    Face.MINE: (sprites.mine,),
    Face.BLOWN: (sprites.burst, sprites.mine),
    Face.WRONG: (sprites.flag, sprites.badge),
}


def _flat(theme: Theme, colour: RGB, cell: int) -> Ground:
    """An opened cell, ruled above and on the left as in Winmine, else below and on the right."""
    if theme.bevelled:
        line = max(1, round(cell / 16))
        frame = rectangle(0, 0, cell, line), rectangle(0, line, line, cell)
        return Ground(colour, [Shape(p, theme.grid) for p in frame], Box(line, line, cell, cell))
    line = max(1, round(cell / 32))
    end = cell - line
    frame = rectangle(0, end, cell, cell), rectangle(end, 0, cell, end)
    return Ground(colour, [Shape(p, theme.grid) for p in frame], Box(0, 0, end, end))


def _raised(theme: Theme, cell: int) -> Ground:
    """Winmine's covered cell: a bevel of 2 pixels in 16, its corner pixels left out."""
    bevel = max(1, round(cell / 8))
    body = Box(bevel, bevel, cell - bevel, cell - bevel)
    light, dark = stairs(Box(0, 0, cell, cell), bevel)
    return Ground(
        theme.covered, [Shape(light, theme.covered_light), Shape(dark, theme.covered_dark)], body
    )


def key(theme: Theme, cell: int) -> Ground:
    """A flat covered cell: a rounded key with a lit rim and a shaded lip."""
    gap = max(1, round(cell / 18))
    box = Box(gap // 2, gap // 2, cell - (gap + 1) // 2, cell - (gap + 1) // 2)
    rim, lip = max(1, round(cell / 32)), max(1, round(cell / 14))
    radius = cell * 0.14
    top = Box(box.left + rim, box.top + rim, box.right - rim, box.bottom - lip)
    shapes = [
        Shape(rounded(*box, radius), theme.covered_dark),
        Shape(rounded(box.left, box.top, box.right, top.bottom, radius), theme.covered_light),
        Shape(rounded(*top, radius - rim), theme.covered),
    ]
    return Ground(theme.grid, shapes, top)


def sunken(theme: Theme, cell: int) -> Ground:
    """A flat covered cell held down: smaller, without its rim."""
    gap = max(1, round(cell / 18))
    inset = gap // 2 + max(1, round(cell / 32))
    box = Box(inset, inset, cell - inset - gap % 2, cell - inset - gap % 2)
    return Ground(theme.grid, [Shape(rounded(*box, cell * 0.12), theme.pressed)], box)


def stairs(box: Box, width: int) -> tuple[Path, Path]:
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
