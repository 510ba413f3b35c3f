"""The rasteriser against areas that geometry knows."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from demine.picture.rasterise_shapes import coverage, paint
from demine.picture.stroke import shape_polygons
from demine.picture.vector_path import (
    Path,
    Point,
    Shape,
    circle,
    ellipse,
    polygon,
    rectangle,
    rounded_polygon,
    rounded_rectangle,
    segment,
    star,
)

BLACK = (0, 0, 0)
places = st.floats(-4, 24, allow_nan=False, width=32)


def area(shape: Shape, size: int = 32) -> float:
    return float(coverage([shape_polygons(shape)], size, size).sum())


@given(st.lists(st.tuples(places, places), min_size=3, max_size=3))
def test_a_triangle_covers_its_shoelace_area(corners: list[Point]) -> None:
    # Moved so that it lies inside: what is outside of the picture is not counted.
    (ax, ay), (bx, by), (cx, cy) = corners
    shoelace = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
    moved = [[(x + 5, y + 5) for x, y in corners]]
    found = coverage([moved], 30, 30)
    assert found.sum() == pytest.approx(shoelace, abs=1e-6)
    assert found.min() >= 0
    assert found.max() <= 1


@given(st.floats(0, 30), st.floats(0, 30), st.floats(0, 30), st.floats(0, 30))
def test_every_pixel_of_a_rectangle_is_exact(x0: float, x1: float, y0: float, y1: float) -> None:
    x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    found = coverage([shape_polygons(Shape(rectangle(x0, y0, x1, y1), BLACK))], 30, 30)[0]
    pixel = np.arange(30)
    wide = np.clip(np.minimum(pixel + 1, x1) - np.maximum(pixel, x0), 0, None)
    high = np.clip(np.minimum(pixel + 1, y1) - np.maximum(pixel, y0), 0, None)
    np.testing.assert_allclose(found, np.outer(high, wide), atol=1e-9)


@pytest.mark.parametrize("radius", [0.3, 1.0, 4.7, 11.2, 15.9])
def test_a_circle_covers_pi_r_squared(radius: float) -> None:
    found = area(Shape(circle(16.2, 15.9, radius), BLACK), 34)
    assert found == pytest.approx(pi * radius**2, rel=0.004 if radius > 1 else 0.03)


def test_pixels_agree_with_counting_points() -> None:
    shape = Shape(star(12.3, 11.8, 10.4, 4.1, 7, 0.3), BLACK)
    corners = np.array(shape_polygons(shape)[0])
    fine = 24
    grid = (np.arange(24 * fine) + 0.5) / fine
    x, y = np.meshgrid(grid, grid)
    inside = np.zeros(x.shape, np.bool_)
    for (xa, ya), (xb, yb) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if ya != yb:
            inside ^= ((ya > y) != (yb > y)) & (x < (xb - xa) * (y - ya) / (yb - ya) + xa)
    counted = inside.reshape(24, fine, 24, fine).mean(axis=(1, 3))
    np.testing.assert_allclose(coverage([shape_polygons(shape)], 24, 24)[0], counted, atol=0.03)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.2, pi / 2, 2.5, 4.4])
def test_a_stroke_has_the_area_of_its_pen(turn: float) -> None:
    dx, dy = 9 * cos(turn), 9 * sin(turn)
    line = segment(16 - dx, 16 - dy, 16 + dx, 16 + dy)
    assert area(Shape(line, BLACK, 3.0, "butt")) == pytest.approx(54, abs=1e-6)
    assert area(Shape(line, BLACK, 3.0, "round")) == pytest.approx(54 + pi * 1.5**2, abs=0.2)


def test_a_closed_stroke_is_a_ring_whichever_way_it_runs() -> None:
    ring = pi * (12**2 - 8**2)
    assert area(Shape(circle(16, 16, 10), BLACK, 4.0)) == pytest.approx(ring, rel=0.002)
    back = Path().move(16, 6).bend(6, 6, 6, 16).bend(6, 26, 16, 26)
    back.bend(26, 26, 26, 16).bend(26, 6, 16, 6).close()
    assert area(Shape(back, BLACK, 4.0)) == pytest.approx(ring, rel=0.002)


def test_a_bent_stroke_has_round_joins() -> None:
    corner = Path().move(6, 26).line(16, 6).line(26, 26)
    parts = [segment(6, 26, 16, 6), segment(16, 6, 26, 26)]
    whole = coverage([shape_polygons(Shape(corner, BLACK, 4.0))], 32, 32)[0]
    union = coverage([[p for s in parts for p in shape_polygons(Shape(s, BLACK, 4.0))]], 32, 32)[0]
    np.testing.assert_allclose(whole, union, atol=0.35)
    assert np.abs(whole - union).mean() < 0.004


def test_a_stroke_of_no_length_leaves_nothing() -> None:
    assert shape_polygons(Shape(segment(3, 3, 3, 3), BLACK, 2.0)) == []
    assert coverage([[]], 4, 3).shape == (1, 3, 4)
    assert coverage([[]], 4, 3).sum() == 0


def test_overlapping_outlines_cover_once_and_holes_are_empty() -> None:
    twice = shape_polygons(Shape(rectangle(2, 2, 8, 8), BLACK))
    twice += shape_polygons(Shape(rectangle(5, 2, 12, 8), BLACK))
    assert coverage([twice], 16, 16).sum() == pytest.approx(60)
    for outer, inner in (
        (rectangle(1, 1, 15, 15), rectangle(4, 4, 10, 10)),
        (rounded_rectangle(1, 1, 15, 15, 3), rounded_rectangle(4, 4, 10, 10, 2)),
    ):
        holes = area(Shape(outer, BLACK)) - area(Shape(inner, BLACK))
        assert area(Shape(outer.cut_out(inner), BLACK)) == pytest.approx(holes)


def test_what_is_outside_is_cut_off() -> None:
    found = coverage([shape_polygons(Shape(rectangle(-5, -5, 3, 2.5), BLACK))], 8, 8)[0]
    assert found.sum() == pytest.approx(7.5)
    found = coverage([shape_polygons(Shape(rectangle(6, -9, 90, 90), BLACK))], 8, 8)[0]
    assert found.sum() == pytest.approx(16)
    np.testing.assert_array_equal(found[:, :6], 0)


def test_round_corners_take_their_share() -> None:
    corner = 3 * 3 * (1 - pi / 4)
    square = ((2, 2), (22, 2), (22, 22), (2, 22))
    for path in (rounded_rectangle(2, 2, 22, 22, 3), rounded_polygon(square, 3)):
        assert area(Shape(path, BLACK)) == pytest.approx(400 - 4 * corner, abs=0.1)
    assert area(Shape(polygon(square), BLACK)) == pytest.approx(400)
    assert area(Shape(rounded_rectangle(2, 2, 22, 22, 0), BLACK)) == pytest.approx(400)
    assert area(Shape(ellipse(12, 12, 8, 4), BLACK)) == pytest.approx(pi * 32, rel=0.003)


def test_paint_lays_colours_over_each_other() -> None:
    half = [Shape(rectangle(0, 0, 2, 1), (200, 100, 0), alpha=0.5)]
    np.testing.assert_array_equal(paint(half, 2, 1, (0, 0, 100)), [[(100, 50, 50)] * 2])
    np.testing.assert_array_equal(paint(half, 2, 1), [[(200, 100, 0, 128)] * 2])
    nothing = paint([], 2, 1)
    np.testing.assert_array_equal(nothing, np.zeros((1, 2, 4)))
    over = [*half, Shape(rectangle(1, 0, 2, 1), (10, 20, 30))]
    assert paint(over, 2, 1).tolist() == [[[200, 100, 0, 128], [10, 20, 30, 255]]]


def test_large_pictures_are_painted_in_parts() -> None:
    shapes = [Shape(circle(500 + 9 * n, 500, 300), (n * 20, 0, 0)) for n in range(4)]
    many = paint(shapes, 1100, 1000, (9, 9, 9))
    one = paint(shapes[:1], 1100, 1000, (9, 9, 9))
    np.testing.assert_array_equal(many[500, 201:205], one[500, 201:205])
    assert many[500, 500].tolist() == [60, 0, 0]
