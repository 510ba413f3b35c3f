"""The restart button, as shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.picture import restart_faces
from demine.picture.box import Box
from demine.picture.cell_background import bevel_halves, pressed_key_ground, rounded_key_ground
from demine.picture.vector_path import Path, Shape, rectangle

if TYPE_CHECKING:
    from demine.scene.colours import RGB
    from demine.scene.face_mood import FaceMood
    from demine.scene.themes import Theme


def button_shapes(
    mood: FaceMood, theme: Theme, size: int, pressed: bool
) -> tuple[RGB, list[Shape]]:
    """Return the background colour of the restart button, and the shapes on it."""
    middle = size / 2
    if not theme.bevelled:
        ground = pressed_key_ground(theme, size) if pressed else rounded_key_ground(theme, size)
        x, y = ground.body.centre
        return theme.panel, [
            *ground.shapes,
            *restart_faces.face_shapes(mood, theme, x, y, size * 0.37),
        ]
    line = max(1, round(size / 24))
    box = Box(line, line, size - line, size - line)
    shapes = [Shape(rectangle(0, 0, size, size).cut_out(rectangle(*box)), theme.edge)]
    if pressed:
        sides = Path().move(line, line).line(size - line, line).line(size - line, 2 * line)
        sides.line(2 * line, 2 * line).line(2 * line, size - line).line(line, size - line).close()
        shapes.append(Shape(sides, theme.edge))
        middle += line
    else:
        light, dark = bevel_halves(box, 2 * line)
        shapes += [Shape(light, theme.covered_light), Shape(dark, theme.covered_dark)]
    return theme.panel, [
        *shapes,
        *restart_faces.face_shapes(mood, theme, middle, middle, size * 0.36),
    ]
