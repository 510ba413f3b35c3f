"""Pen strokes as filled outlines: lines are offset to both sides, and joins are round.

All outlines of a stroke wind the same way around the ink (the outline of a hole winds the other
way), so overlapping strokes never cancel out when their signed areas are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, atan2, ceil, cos, hypot, pi, sin

from demine.picture.vector_path import TOLERANCE, Cap, Point, Shape


def shape_polygons(shape: Shape) -> list[list[Point]]:
    """Return the closed polygons that a shape fills."""
    if not shape.stroke:
        return [points for points, _ in shape.path.polylines()]
    found: list[list[Point]] = []
    for points, closed in shape.path.polylines():
        found.extend(stroke_outlines(points, closed, shape.stroke, shape.cap))
    return found


def stroke_outlines(
    points: Sequence[Point], closed: bool, width: float, cap: Cap
) -> list[list[Point]]:
    """Return the outlines, as closed polygons, of a polyline drawn `width` pixels wide."""
    points = _without_repeated_points(points, closed)
    if len(points) < 2:
        return []
    half = width / 2
    if closed:
        ring = [points[-1], *points, points[0]]
        return [_offset_side(ring, half), _offset_side(ring[::-1], half)]
    left = _offset_side([points[0], *points, points[-1]], half)
    right = _offset_side([points[-1], *points[::-1], points[0]], half)
    if cap == "round":
        return [
            left
            + _round_cap(points[-2], points[-1], half)
            + right
            + _round_cap(points[1], points[0], half)
        ]
    return [left + right]


def _without_repeated_points(points: Sequence[Point], closed: bool) -> list[Point]:
    kept: list[Point] = []
    for point in points:
        if not kept or abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) > 1e-9:
            kept.append(point)
    if (
        closed
        and len(kept) > 1
        and hypot(kept[0][0] - kept[-1][0], kept[0][1] - kept[-1][1]) < 1e-9
    ):
        kept.pop()
    return kept


def _offset_side(points: Sequence[Point], half: float) -> list[Point]:
    """Return the left side of a stroke through all points but the first and last.

    Those two only give directions; one that repeats its neighbour gives the direction of the line.
    """
    side: list[Point] = []
    for (xa, ya), (x, y), (xb, yb) in zip(points, points[1:], points[2:], strict=False):
        ax, ay, bx, by = x - xa, y - ya, xb - x, yb - y
        if not (ax or ay):
            ax, ay = bx, by
        if not (bx or by):
            bx, by = ax, ay
        a, b = hypot(ax, ay), hypot(bx, by)
        ax, ay, bx, by = ax / a, ay / a, bx / b, by / b
        along, turn = ax * bx + ay * by, ax * by - ay * bx
        if along > 0.9:
            reach = half / (1 + along)
            side.append((x + (ay + by) * reach, y - (ax + bx) * reach))
        elif turn > 0:
            side.extend(_arc(x, y, half, atan2(-ax, ay), acos(max(-1.0, along))))
        else:
            # Through the middle: this makes a small loop that winds like the rest of the ink.
            side.extend(((x + ay * half, y - ax * half), (x, y), (x + by * half, y - bx * half)))
    return side


def _round_cap(before: Point, end: Point, half: float) -> list[Point]:
    """Return the half circle around an end, without its first and last point."""
    return _arc(*end, half, atan2(before[0] - end[0], end[1] - before[1]), pi)[1:-1]


def _arc(x: float, y: float, radius: float, start: float, turn: float) -> list[Point]:
    step = 2 * acos(max(0.0, 1 - TOLERANCE / radius)) if radius > TOLERANCE else pi
    count = max(2, ceil(turn / step))
    angles = (start + turn * index / count for index in range(count + 1))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]
