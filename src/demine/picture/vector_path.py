"""Vector paths of lines and cubic curves, from which both pixels and SVG are made.

Coordinates are in pixels, x to the right and y down; whole numbers are pixel borders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, cos, hypot, pi, sin, sqrt
from typing import Literal, NamedTuple

from demine.scene.colours import RGB

Point = tuple[float, float]
Cap = Literal["round", "butt"]

KAPPA = 0.5522847498
"""How far the handles of a cubic curve reach to draw a quarter of a circle, in radii."""

TOLERANCE = 0.01
"""The largest distance between a flattened curve and the true one, in pixels."""

ROUNDED_TO = 6
"""Digits after the point that count when colours become whole numbers: two ways to add up the same
areas differ far behind them."""


class Path:
    """Outlines of straight lines and cubic curves.

    The methods that draw change the path and return it.
    """

    __slots__ = ("_ops",)

    def __init__(self) -> None:
        self._ops: list[tuple[str, tuple[float, ...]]] = []

    def move(self, x: float, y: float) -> Path:
        """Start a new outline at (x, y)."""
        self._ops.append(("M", (x, y)))
        return self

    def line(self, x: float, y: float) -> Path:
        """Draw a straight line to (x, y)."""
        self._ops.append(("L", (x, y)))
        return self

    def curve(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> Path:
        """Draw a cubic curve to (x, y) with the handles (x1, y1) and (x2, y2)."""
        self._ops.append(("C", (x1, y1, x2, y2, x, y)))
        return self

    def bend(self, x1: float, y1: float, x: float, y: float, pull: float = KAPPA) -> Path:
        """Draw a curve to (x, y) around the corner (x1, y1), by default a quarter of an ellipse.

        A stronger pull brings it nearer to the corner.
        """
        x0, y0 = self._ops[-1][1][-2:]
        return self.curve(
            x0 + (x1 - x0) * pull,
            y0 + (y1 - y0) * pull,
            x + (x1 - x) * pull,
            y + (y1 - y) * pull,
            x,
            y,
        )

    def close(self) -> Path:
        """Close the outline with a line to its start."""
        self._ops.append(("Z", ()))
        return self

    def cut_out(self, inner: Path) -> Path:
        """Cut a hole out of this path: a closed path inside it that winds the same way."""
        self._ops.extend(inner._reversed_ops())
        return self

    def add_outlines(self, other: Path) -> Path:
        """Add the outlines of another path."""
        self._ops.extend(other._ops)
        return self

    def moved(self, dx: float, dy: float) -> Path:
        """Return a copy moved by `dx` to the right and `dy` down."""
        path = Path()
        by = (dx, dy, dx, dy, dx, dy)
        path._ops = [
            (op, tuple(at + step for at, step in zip(values, by, strict=False)))
            for op, values in self._ops
        ]
        return path

    @property
    def operations(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """The letters of SVG's notation, in capitals, each with its coordinates."""
        return tuple(self._ops)

    def cache_key(self) -> tuple[object, ...]:
        """Return a hashable value that is equal for equal paths."""
        return tuple(self._ops)

    def svg_data(self) -> str:
        """Return the path in the notation of SVG's `d` attribute."""
        return "".join(op + " ".join(short_number(v) for v in values) for op, values in self._ops)

    def polylines(self) -> list[tuple[list[Point], bool]]:
        """Return each outline flattened to points, with whether it is closed."""
        found: list[tuple[list[Point], bool]] = []
        points: list[Point] = []
        for op, values in self._ops:
            if op == "M":
                points = [(values[0], values[1])]
                found.append((points, False))
            elif op == "L":
                points.append((values[0], values[1]))
            elif op == "C":
                _flatten(points, values)
            else:
                found[-1] = (points, True)
        return found

    def _reversed_ops(self) -> list[tuple[str, tuple[float, ...]]]:
        """Return the operations of the closed outlines run in reverse."""
        turned: list[tuple[str, tuple[float, ...]]] = []
        start = 0
        for op, values in self._ops:
            if op == "M":
                start = len(turned)
                turned.extend((("M", values), ("Z", ())))
            elif op != "Z":
                # The last point becomes the start; the operation leads back to the former start.
                handles = (*values[2:4], *values[:2]) if op == "C" else ()
                turned.insert(start + 1, (op, (*handles, *turned[start][1])))
                turned[start] = ("M", values[-2:])
        return turned


class Shape(NamedTuple):
    """A path in one colour: stroked with a pen `stroke` pixels wide, or filled if that is 0."""

    path: Path
    paint: RGB
    stroke: float = 0.0
    cap: Cap = "round"
    alpha: float = 1.0


def short_number(value: float) -> str:
    """Format a coordinate with at most three decimals, and none that are not needed."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def polyline(points: Iterable[Point]) -> Path:
    """Return an open path through points."""
    first, *rest = points
    path = Path().move(*first)
    for point in rest:
        path.line(*point)
    return path


def polygon(points: Iterable[Point]) -> Path:
    """Return a closed path through points."""
    return polyline(points).close()


def rounded_polygon(points: Sequence[Point], radius: float) -> Path:
    """Return a closed path through points, with its corners rounded off."""
    path = Path()
    for index, (x, y) in enumerate(points):
        before, after = points[index - 1], points[(index + 1) % len(points)]
        (xa, ya), (xb, yb) = (
            _point_towards((x, y), before, radius),
            _point_towards((x, y), after, radius),
        )
        if index:
            path.line(xa, ya)
        else:
            path.move(xa, ya)
        path.bend(x, y, xb, yb)
    return path.close()


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Path:
    """Return a rectangle with sides parallel to the axes."""
    return polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


def rounded_rectangle(x0: float, y0: float, x1: float, y1: float, radius: float) -> Path:
    """Return a rectangle with round corners, or a plain one for a radius of 0."""
    r = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    if r <= 0:
        return rectangle(x0, y0, x1, y1)
    path = Path().move(x0 + r, y0).line(x1 - r, y0).bend(x1, y0, x1, y0 + r)
    path.line(x1, y1 - r).bend(x1, y1, x1 - r, y1)
    path.line(x0 + r, y1).bend(x0, y1, x0, y1 - r)
    return path.line(x0, y0 + r).bend(x0, y0, x0 + r, y0).close()


def ellipse(cx: float, cy: float, rx: float, ry: float, pull: float = KAPPA) -> Path:
    """Return an ellipse with axes parallel to x and y; a stronger pull makes it squarer."""
    path = Path().move(cx, cy - ry).bend(cx + rx, cy - ry, cx + rx, cy, pull)
    path.bend(cx + rx, cy + ry, cx, cy + ry, pull).bend(cx - rx, cy + ry, cx - rx, cy, pull)
    return path.bend(cx - rx, cy - ry, cx, cy - ry, pull).close()


def circle(cx: float, cy: float, radius: float) -> Path:
    """Return a circle, exact to 0.03 % of its radius."""
    return ellipse(cx, cy, radius, radius)


def segment(x0: float, y0: float, x1: float, y1: float) -> Path:
    """Return a straight line, to be stroked."""
    return Path().move(x0, y0).line(x1, y1)


def star(cx: float, cy: float, outer: float, inner: float, points: int, turn: float = 0.0) -> Path:
    """Return a star; `outer` and `inner` are radii, and `turn` is an angle in radians."""
    corners: list[Point] = []
    for index in range(2 * points):
        reach, angle = (inner if index % 2 else outer), turn + index * pi / points
        corners.append((cx + reach * sin(angle), cy - reach * cos(angle)))
    return polygon(corners)


def _point_towards(start: Point, end: Point, distance: float) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1])
    share = min(0.5, distance / length) if length else 0.0
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _flatten(points: list[Point], values: tuple[float, ...]) -> None:
    """Append the points of a cubic curve; Wang's formula gives the number of lines it needs."""
    x0, y0 = points[-1]
    x1, y1, x2, y2, x3, y3 = values
    bend = max(hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3))
    count = max(1, ceil(sqrt(0.75 * bend / TOLERANCE)))
    for step in range(1, count + 1):
        t = step / count
        u = 1 - t
        a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
