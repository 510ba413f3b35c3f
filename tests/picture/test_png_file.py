"""PNG files, against themselves and against pygame."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.picture import PictureError, png_bytes, read_png


def noise(high: int, wide: int, channels: int, seed: int = 1) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (high, wide, channels), np.uint8)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def file_of(header: bytes, rows: bytes) -> bytes:
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


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


@pytest.mark.parametrize("kind", range(5))
def test_every_row_filter_is_undone(kind: int) -> None:
    picture = noise(4, 6, 3).astype(int)
    rows = b""
    for y in range(4):
        line = bytearray([kind])
        for x in range(6):
            for c in range(3):
                left = picture[y, x - 1, c] if x else 0
                up = picture[y - 1, x, c] if y else 0
                corner = picture[y - 1, x - 1, c] if x and y else 0
                near = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
                guess = (0, left, up, (left + up) // 2, near)[kind]
                line.append((picture[y, x, c] - guess) % 256)
        rows += bytes(line)
    header = struct.pack(">IIBBBBB", 6, 4, 8, 2, 0, 0, 0)
    np.testing.assert_array_equal(read_png(file_of(header, rows)), picture)


def test_other_files_are_refused() -> None:
    good = png_bytes(noise(2, 2, 3))
    with pytest.raises(PictureError, match="not a PNG"):
        read_png(b"GIF89a")
    with pytest.raises(PictureError, match="checksum"):
        read_png(good[:20] + bytes([good[20] ^ 1]) + good[21:])
    with pytest.raises(PictureError, match="damaged"):
        read_png(good[:8])
    palette = struct.pack(">IIBBBBB", 1, 1, 8, 3, 0, 0, 0)
    with pytest.raises(PictureError, match="kind not read"):
        read_png(file_of(palette, b"\0\0"))
    colour = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    with pytest.raises(PictureError, match="row filter 9"):
        read_png(file_of(colour, b"\x09\0\0\0"))
    with pytest.raises(PictureError, match="bytes of pixels"):
        read_png(file_of(colour, b"\0\0"))


@pytest.mark.parametrize(
    "array", [np.zeros((2, 2), np.uint8), np.zeros((2, 2, 3)), np.zeros((0, 2, 3), np.uint8)]
)
def test_other_arrays_are_refused(array: NDArray[np.uint8]) -> None:
    with pytest.raises(PictureError, match="PNG"):
        png_bytes(array)
