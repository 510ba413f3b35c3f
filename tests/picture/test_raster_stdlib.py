"""Drawing without arrays gives the very pixels that drawing with arrays does."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.picture import panel, raster, raster_stdlib
from demine.picture.board import tile
from demine.picture.vector_path import Shape, circle, polygon, polyline
from demine.scene.cell_style import Look
from demine.scene.face import Face
from demine.scene.palette import RGB
from demine.scene.panel_display import Mood
from demine.scene.themes import THEMES, Theme

LOOKS = pytest.mark.parametrize("look", list(THEMES.values()), ids=list(THEMES))


def compare(shapes: list[Shape], width: int, height: int, ground: RGB) -> None:
    """Both ways give the same picture."""
    drawn = np.frombuffer(raster_stdlib.paint(shapes, width, height, ground), np.uint8)
    wanted = raster.paint(shapes, width, height, ground)
    np.testing.assert_array_equal(drawn.reshape(height, width, 3), wanted)


def same(drawn: raster_stdlib.RgbImage, wanted: NDArray[np.uint8]) -> None:
    """A picture is the one that is drawn with arrays."""
    found = np.frombuffer(drawn.pixels, np.uint8).reshape(drawn.height, drawn.width, 3)
    np.testing.assert_array_equal(found, wanted)


@LOOKS
@pytest.mark.parametrize("cell", [4, 7, 16, 23, 31, 35, 36, 64, 97, 128])
def test_covered_cells(look: Theme, cell: int) -> None:
    wanted = np.tile(tile(look, Face.COVERED, Look.PLAIN, cell), (2, 3, 1))
    same(raster_stdlib.covered_cells(look, cell, 2, 3), wanted)


@LOOKS
@pytest.mark.parametrize("size", [8, 24, 36, 38, 75])
@pytest.mark.parametrize("mood", list(Mood))
def test_a_restart_button(look: Theme, size: int, mood: Mood) -> None:
    pressed = mood is Mood.PRESSED
    wanted = panel.restart(mood, look, size, pressed=pressed)
    same(raster_stdlib.restart(mood, look, size, pressed), wanted)


@LOOKS
@pytest.mark.parametrize("height", [9, 28, 34, 51])
@pytest.mark.parametrize("text", ["0123456789", "-42", "  7"])
def test_a_display(look: Theme, height: int, text: str) -> None:
    same(raster_stdlib.led(text, look, height), panel.led(text, look, height))


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
        "import sys; from demine.picture import raster_stdlib;"
        "from demine.scene.panel_display import led; sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
