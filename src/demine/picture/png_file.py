"""PNG files: written for RGB and RGBA pictures, and read back when they are of that plain kind."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from demine.picture.errors import PictureError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOUR_TYPE = {3: 2, 4: 6}
_CHANNELS = {2: 3, 6: 4}
_BAND = 1 << 22
"""About so many bytes of pixels are filtered at once."""


def png_bytes(picture: NDArray[np.uint8]) -> bytes:
    """A picture, uint8 (height, width, 3) or (height, width, 4), as the bytes of a PNG file.

    Raises PictureError for any other array.
    """
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] not in _COLOUR_TYPE:
        raise PictureError(
            "a PNG is made from uint8 (height, width, 3 or 4), not {dtype} {shape}",
            dtype=picture.dtype,
            shape=picture.shape,
        )
    high, wide, channels = picture.shape
    if not high or not wide:
        raise PictureError("a PNG needs at least one pixel, not {shape}", shape=picture.shape)
    header = struct.pack(">IIBBBBB", wide, high, 8, _COLOUR_TYPE[channels], 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", _compressed_pixels(picture)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _compressed_pixels(picture: NDArray[np.uint8]) -> bytes:
    """The pixels as a PNG holds them, filtered and compressed some rows at a time."""
    high, wide, channels = picture.shape
    step = max(1, _BAND // (wide * channels))
    packer = zlib.compressobj(6)
    parts: list[bytes] = []
    above = np.zeros((1, wide * channels), np.uint8)
    for top in range(0, high, step):
        flat = picture[top : top + step].reshape(-1, wide * channels)
        # Filter "up" (2) on every row: boards repeat from row to row, so most bytes become zero.
        rows = np.empty((len(flat), 1 + wide * channels), np.uint8)
        rows[:, 0] = 2
        np.subtract(flat[:1], above, out=rows[:1, 1:])
        np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
        parts.append(packer.compress(rows.tobytes()))
        above = flat[-1:]
    return b"".join((*parts, packer.flush()))


def read_png(data: bytes) -> NDArray[np.uint8]:
    """The picture in a PNG file, uint8 (height, width, 3 or 4).

    Reads 8-bit RGB and RGBA without interlacing, with any row filter; raises PictureError for all
    else.
    """
    if not data.startswith(_SIGNATURE):
        raise PictureError("not a PNG file: it begins with {start!r}", start=data[:8])
    chunks = _chunks(data)
    try:
        wide, high, *kind = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
        raw = zlib.decompress(chunks[b"IDAT"])
    except (KeyError, struct.error, zlib.error) as error:
        raise PictureError("a damaged PNG file: {error}", error=error) from None
    if kind[0] != 8 or kind[1] not in _CHANNELS or any(kind[2:]):
        raise PictureError("a PNG of a kind not read here: {kind}", kind=kind)
    channels = _CHANNELS[kind[1]]
    if len(raw) != high * (1 + wide * channels):
        raise PictureError("a damaged PNG file: {count} bytes of pixels", count=len(raw))
    rows = np.frombuffer(raw, np.uint8).reshape(high, 1 + wide * channels)
    return _unfiltered(rows, channels).reshape(high, wide, channels)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """The file's chunks by kind, those of one kind joined."""
    found: dict[bytes, bytes] = {}
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        if data[at + 8 + size : at + 12 + size] != struct.pack(">I", zlib.crc32(kind + body)):
            raise PictureError("a damaged PNG file: the checksum of {kind} is wrong", kind=kind)
        found[kind] = found.get(kind, b"") + body
        at += 12 + size
    return found


def _unfiltered(rows: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    wide = rows.shape[1] - 1
    done = np.zeros((len(rows), wide), np.uint8)
    above = np.zeros(wide, np.uint8)
    for at, kind in enumerate(rows[:, 0].tolist()):
        done[at] = rows[at, 1:]
        if kind == 2:
            done[at] += above
        elif kind:
            _unfilter_slowly(done[at], above, kind, step)
        above = done[at]
    return done


def _unfilter_slowly(
    line: NDArray[np.uint8], above: NDArray[np.uint8], kind: int, step: int
) -> None:
    """Undo the filters that look to the left: sub (1), average (3) and Paeth (4), in place."""
    if kind > 4:
        raise PictureError("a damaged PNG file: row filter {kind}", kind=kind)
    values, upper = line.tolist(), above.tolist()
    for at, value in enumerate(values):
        left, corner = (values[at - step], upper[at - step]) if at >= step else (0, 0)
        up = upper[at]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            guess = min((left, up, corner), key=lambda near: abs(left + up - corner - near))
        values[at] = (value + guess) & 255
    line[:] = values
