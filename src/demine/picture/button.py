"""The restart button, as shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.picture import moods
from demine.picture.glyphs import Box
from demine.picture.ground import key, stairs, sunken
from demine.picture.path import Path, Shape, rectangle

if TYPE_CHECKING:
    from demine.scene.mood import Mood
    from demine.scene.palette import RGB
    from demine.scene.theme import Theme


def button(mood: Mood, theme: Theme, size: int, pressed: bool) -> tuple[RGB, list[Shape]]:
    """The restart button as its ground colour and shapes."""
    middle = size / 2
    if not theme.bevelled:
        ground = sunken(theme, size) if pressed else key(theme, size)
        x, y = ground.body.centre
        return theme.panel, [*ground.shapes, *moods.face(mood, theme, x, y, size * 0.37)]
    line = max(1, round(size / 24))
    box = Box(line, line, size - line, size - line)
    shapes = [Shape(rectangle(0, 0, size, size).hole(rectangle(*box)), theme.edge)]
    if pressed:
        sides = Path().move(line, line).line(size - line, line).line(size - line, 2 * line)
        sides.line(2 * line, 2 * line).line(2 * line, size - line).line(line, size - line).close()
        shapes.append(Shape(sides, theme.edge))
        middle += line
    else:
        light, dark = stairs(box, 2 * line)
        shapes += [Shape(light, theme.covered_light), Shape(dark, theme.covered_dark)]
    return theme.panel, [*shapes, *moods.face(mood, theme, middle, middle, size * 0.36)]
