"""Drawing without arrays gives the very pixels that drawing with arrays does."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demine.picture import first_frame_raster, rasterise_shapes, seven_segment
from demine.picture.cell_background import covered_ground
from demine.picture.restart_button import button_shapes
from demine.picture.vector_path import Shape, circle, polygon, polyline
from demine.scene.colours import RGB
from demine.scene.face_mood import FaceMood
from demine.scene.themes import THEMES, Theme

LOOKS = pytest.mark.parametrize("look", list(THEMES.values()), ids=list(THEMES))


def compare(shapes: list[Shape], width: int, height: int, ground: RGB) -> None:
    """Both ways give the same picture."""
    drawn = np.frombuffer(first_frame_raster.paint_rgb(shapes, width, height, ground), np.uint8)
    wanted = rasterise_shapes.paint(shapes, width, height, ground)
    np.testing.assert_array_equal(drawn.reshape(height, width, 3), wanted)


@LOOKS
@pytest.mark.parametrize("cell", [4, 7, 16, 23, 31, 35, 36, 64, 97, 128])
def test_a_covered_cell(look: Theme, cell: int) -> None:
    ground = covered_ground(look, cell)
    compare(ground.shapes, cell, cell, ground.colour)


@LOOKS
@pytest.mark.parametrize("size", [8, 24, 36, 38, 75])
@pytest.mark.parametrize("mood", list(FaceMood))
def test_a_face(look: Theme, size: int, mood: FaceMood) -> None:
    ground, shapes = button_shapes(mood, look, size, pressed=mood is FaceMood.PRESSED)
    compare(shapes, size, size, ground)


@LOOKS
@pytest.mark.parametrize("height", [9, 28, 34, 51])
def test_lamps(look: Theme, height: int) -> None:
    for sign in "0123456789- ":
        shapes = seven_segment.digit_shapes(sign, look, height)
        compare(shapes, seven_segment.digit_width(height), height, look.led_back)


POINTS = st.lists(
    st.tuples(*[st.floats(-8, 24, allow_nan=False, width=32) | st.integers(-4, 20)] * 2),
    min_size=1,
    max_size=7,
)
COLOURS = st.tuples(*[st.integers(0, 255)] * 3)
PATHS = POINTS.map(polygon) | POINTS.map(polyline) | st.just(circle(7.5, 6, 5.25))
SHAPES = st.builds(
    Shape,
    PATHS,
    COLOURS,
    st.sampled_from([0.0, 0.5, 3.0]),
    st.sampled_from(["round", "butt"]),
    st.sampled_from([1.0, 0.85]),
)


@settings(deadline=None)
@given(st.lists(SHAPES, max_size=4), st.integers(1, 20), st.integers(1, 20), COLOURS)
def test_whatever_is_drawn(shapes: list[Shape], width: int, height: int, ground: RGB) -> None:
    compare(shapes, width, height, ground)


def test_arrays_are_not_loaded() -> None:
    code = (
        "import sys; from demine.picture import cell_background, first_frame_raster;"
        "from demine.picture import restart_button, seven_segment;"
        "from demine.scene.led_text import led_text;"
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
