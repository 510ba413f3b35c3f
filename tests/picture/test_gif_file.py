"""GIF files, read back by a reader that is not ours."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from demine.picture import PictureError, render
from demine.picture.gif_file import COLOURS, GifPalette, GifWriter, lzw_compressed
from demine.scene.cell_faces import Face
from demine.scene.themes import THEMES


def unpacked(data: bytes) -> bytes:
    """A plain reader of GIF's LZW, bit by bit, after the words of the format."""
    bits = "".join(f"{byte:08b}"[::-1] for byte in data)
    table: list[bytes] = []
    out, at, size, before = bytearray(), 0, 9, b""
    while True:
        code = int(bits[at : at + size][::-1], 2)
        at += size
        if code == 256:
            table = [bytes([each]) for each in range(256)] + [b"", b""]
            size, before = 9, b""
            continue
        if code == 257:
            assert len(data) * 8 - at < 8
            return bytes(out)
        word = table[code] if code < len(table) else before + before[:1]
        out += word
        if before and len(table) < 4096:
            table.append(before + word[:1])
            if len(table) == 1 << size and size < 12:
                size += 1
        before = word


@given(st.binary(max_size=600))
def test_what_is_packed_is_unpacked(data: bytes) -> None:
    assert unpacked(lzw_compressed(data)) == data


@pytest.mark.parametrize("colours", [1, 2, 7, 256])
@pytest.mark.parametrize("length", [1, 255, 256, 257, 511, 3837, 3838, 3839, 3840, 5000, 40_000])
def test_long_data_fills_the_table_and_begins_anew(colours: int, length: int) -> None:
    data = np.random.default_rng(3).integers(0, colours, length).astype(np.uint8).tobytes()
    assert unpacked(lzw_compressed(data)) == data


def shown(data: bytes) -> list[tuple[NDArray[np.uint8], int]]:
    """The frames of a GIF as Qt sees them, and how long each stands in milliseconds."""
    pytest.importorskip("PySide6.QtGui")
    from PySide6.QtCore import QBuffer, QByteArray
    from PySide6.QtGui import QImage, QImageReader

    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    reader = QImageReader(buffer, QByteArray(b"gif"))
    assert reader.loopCount() == -1
    frames = []
    while reader.canRead():
        image = reader.read().convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
        pixels = rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3)
        frames.append((pixels.copy(), reader.nextImageDelay()))
    return frames


def animated(frames: list[tuple[NDArray[np.uint8], int]]) -> bytes:
    sink = io.BytesIO()
    high, wide, _ = frames[0][0].shape
    made = GifWriter(sink, (high, wide), GifPalette.of_pictures(each for each, _ in frames))
    for picture, delay in frames:
        made.add_frame(picture, delay)
    made.finish()
    return sink.getvalue()


@given(st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_another_reader_sees_every_frame(seed: int) -> None:
    dice = np.random.default_rng(seed)
    high, wide = (int(each) for each in dice.integers(1, 40, 2))
    colours = dice.integers(0, 256, (200, 3)).astype(np.uint8)
    picture = colours[dice.integers(0, 200, (high, wide))]
    frames = [(picture, 10)]
    for _ in range(4):
        picture = picture.copy()
        y, x = dice.integers(0, high), dice.integers(0, wide)
        picture[y : y + 9, x : x + 9] = colours[dice.integers(200)]
        frames.append((picture, int(dice.integers(2, 50))))
    for (want, delay), (got, told) in zip(frames, shown(animated(frames)), strict=True):
        assert np.array_equal(want, got)
        assert told == delay * 10


@pytest.mark.parametrize("look", list(THEMES))
def test_the_colours_of_a_board_are_close(look: str) -> None:
    faces = np.resize(np.arange(len(Face), dtype=np.uint8), (8, 8))
    picture = render(faces, THEMES[look], 24)
    got = shown(animated([(picture, 5)]))[0][0]
    apart = np.abs(got.astype(int) - picture)
    assert apart.mean() < 0.6
    assert apart.max() < 40


def test_a_very_long_stand_is_several_frames() -> None:
    picture = np.zeros((3, 3, 3), np.uint8)
    assert [delay for _, delay in shown(animated([(picture, 70_000)]))] == [655_350, 44_650]


def test_it_runs_for_ever_and_begins_and_ends_as_gif_does() -> None:
    data = animated([(np.zeros((2, 5, 3), np.uint8), 5)])
    assert data.startswith(b"GIF89a" + struct.pack("<HH", 5, 2))
    assert b"NETSCAPE2.0" in data
    assert data.endswith(b"\x00\x3b")


def test_what_cannot_be_written_is_refused() -> None:
    palette = GifPalette(np.zeros((1, 3), np.uint8))
    with pytest.raises(PictureError, match="pixels a side"):
        GifWriter(io.BytesIO(), (0, 5), palette)
    with pytest.raises(PictureError, match="does not fit"):
        GifWriter(io.BytesIO(), (5, 5), palette).add_frame(np.zeros((5, 6, 3), np.uint8), 1)
    with pytest.raises(PictureError, match="colours"):
        GifPalette(np.zeros((COLOURS + 1, 3), np.uint8))
