"""PNG files, against a plain reader and against pygame."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.picture import PictureError, png_bytes
from tests.png_reader import read_png


def noise(high: int, wide: int, channels: int, seed: int = 1) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (high, wide, channels), np.uint8)


@given(st.integers(1, 9), st.integers(1, 9), st.sampled_from([3, 4]), st.integers(0, 99))
def test_a_written_picture_reads_back(high: int, wide: int, channels: int, seed: int) -> None:
    picture = noise(high, wide, channels, seed)
    np.testing.assert_array_equal(read_png(png_bytes(picture)), picture)


@pytest.mark.parametrize("channels", [3, 4])
def test_pygame_reads_the_same_picture(channels: int) -> None:
    pygame = pytest.importorskip("pygame")
    picture = noise(7, 5, channels)
    surface = pygame.image.load(io.BytesIO(png_bytes(picture)), "noise.png")
    kind = "RGB" if channels == 3 else "RGBA"
    assert pygame.image.tobytes(surface, kind) == picture.tobytes()


@pytest.mark.parametrize(
    "array", [np.zeros((2, 2), np.uint8), np.zeros((2, 2, 3)), np.zeros((0, 2, 3), np.uint8)]
)
def test_other_arrays_are_refused(array: NDArray[np.uint8]) -> None:
    with pytest.raises(PictureError, match="PNG"):
        png_bytes(array)
