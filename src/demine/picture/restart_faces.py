"""The five round faces of the restart button, as shapes."""

from __future__ import annotations

from demine.picture.vector_path import Path, Shape, circle, ellipse, rounded_rectangle, segment
from demine.scene.face_mood import FaceMood
from demine.scene.themes import Theme


class FacePencil:
    """Collects the shapes of a face, drawn in face units.

    The middle is (0, 0), the rim is at a distance of 1, and y points down.
    """

    def __init__(self, theme: Theme, x: float, y: float, radius: float) -> None:
        self.theme = theme
        self._x, self._y, self._unit = x, y, radius
        self.shapes: list[Shape] = []

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point from face units to pixels."""
        return self._x + x * self._unit, self._y + y * self._unit

    def add_ellipse(self, x: float, y: float, rx: float, ry: float, white: bool = False) -> None:
        """Add a filled ellipse in the colour of the lines, or in white."""
        path = ellipse(*self.to_pixels(x, y), rx * self._unit, ry * self._unit)
        self.shapes.append(Shape(path, (255, 255, 255) if white else self.theme.smiley_line))

    def add_arc(
        self, x: float, y: float, half_width: float, depth: float, pen_width: float = 0.12
    ) -> None:
        """Add a curved line centred on (x, y), `half_width` to each side.

        Its middle is `depth` lower.
        """
        left, right = self.to_pixels(x - half_width, y), self.to_pixels(x + half_width, y)
        inner = half_width * 0.55
        path = Path().move(*left)
        path.curve(
            *self.to_pixels(x - inner, y + depth * 1.33),
            *self.to_pixels(x + inner, y + depth * 1.33),
            *right,
        )
        self.shapes.append(Shape(path, self.theme.smiley_line, max(1.0, pen_width * self._unit)))

    def add_line(self, x0: float, y0: float, x1: float, y1: float, pen_width: float = 0.12) -> None:
        """Add a straight line."""
        path = segment(*self.to_pixels(x0, y0), *self.to_pixels(x1, y1))
        self.shapes.append(Shape(path, self.theme.smiley_line, max(1.0, pen_width * self._unit)))

    def add_filled(self, path: Path) -> None:
        """Add a filled path, given in pixels, in the colour of the lines."""
        self.shapes.append(Shape(path, self.theme.smiley_line))


def face_shapes(mood: FaceMood, theme: Theme, x: float, y: float, radius: float) -> list[Shape]:
    """Return a round face centred on (x, y), with a radius in pixels."""
    rim = max(1.0, radius * 0.095)
    inner = radius - rim
    # The lit part touches the rim at the upper left, which leaves a crescent of shade.
    shade = inner * 0.06
    pencil = FacePencil(theme, x, y, radius)
    pencil.shapes += [
        Shape(circle(x, y, radius), theme.smiley_line),
        Shape(circle(x, y, inner), theme.smiley_shade),
        Shape(circle(x - shade, y - shade, inner - shade * 1.42), theme.smiley),
    ]
    _FEATURES[mood](pencil)
    return pencil.shapes


def _idle(pencil: FacePencil) -> None:
    for side in (-0.31, 0.31):
        pencil.add_ellipse(side, -0.22, 0.115, 0.175)
    pencil.add_arc(0, 0.2, 0.46, 0.34)


def _pressed(pencil: FacePencil) -> None:
    for side in (-0.33, 0.33):
        pencil.add_arc(side, -0.12, 0.17, -0.2)
    pencil.add_arc(0, 0.2, 0.46, 0.34)


def _worried(pencil: FacePencil) -> None:
    for side in (-0.32, 0.32):
        pencil.add_ellipse(side, -0.2, 0.16, 0.2)
        pencil.add_ellipse(side - 0.05, -0.27, 0.055, 0.065, white=True)
    pencil.add_ellipse(0, 0.42, 0.19, 0.22)


def _won(pencil: FacePencil) -> None:
    pencil.add_line(-0.86, -0.3, 0.86, -0.3, 0.1)
    for side in (-1.0, 1.0):
        left, right = sorted((side * 0.09, side * 0.66))
        pencil.add_filled(
            rounded_rectangle(
                *pencil.to_pixels(left, -0.36), *pencil.to_pixels(right, 0.08), 0.2 * _unit(pencil)
            )
        )
    for side in (-0.5, 0.25):
        glint = segment(*pencil.to_pixels(side, -0.1), *pencil.to_pixels(side + 0.14, -0.24))
        pencil.shapes.append(Shape(glint, (255, 255, 255), 0.08 * _unit(pencil), alpha=0.85))
    pencil.add_arc(0, 0.27, 0.44, 0.3)


def _lost(pencil: FacePencil) -> None:
    for side in (-0.33, 0.33):
        pencil.add_line(side - 0.15, -0.37, side + 0.15, -0.07)
        pencil.add_line(side - 0.15, -0.07, side + 0.15, -0.37)
    pencil.add_arc(0, 0.52, 0.38, -0.27)


def _unit(pencil: FacePencil) -> float:
    return pencil.to_pixels(1, 0)[0] - pencil.to_pixels(0, 0)[0]


_FEATURES = {
    FaceMood.IDLE: _idle,
    FaceMood.PRESSED: _pressed,
    FaceMood.WORRIED: _worried,
    FaceMood.WON: _won,
    FaceMood.LOST: _lost,
}
