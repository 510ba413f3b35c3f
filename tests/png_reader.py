"""Reads the PNG files that demine writes: 8 bits, RGB or RGBA, every row with the filter "up"."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

_CHANNELS = {2: 3, 6: 4}


def read_png(data: bytes) -> NDArray[np.uint8]:
    """Return the picture, uint8 (height, width, 3 or 4); raises ValueError for any other file."""
    chunks = dict(_chunks(data))
    wide, high, *kind = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if kind[0] != 8 or kind[1] not in _CHANNELS or any(kind[2:]):
        raise ValueError(f"a PNG of another kind: {kind}")
    channels = _CHANNELS[kind[1]]
    data = zlib.decompress(chunks[b"IDAT"])
    rows = np.frombuffer(data, np.uint8).reshape(high, 1 + wide * channels)
    if (rows[:, 0] != 2).any():
        raise ValueError("a PNG with other filters than up")
    return np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8).reshape(high, wide, channels)


def _chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        raise ValueError(f"not a PNG: it begins with {data[:8]!r}")
    found, at = [], 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        if data[at + 8 + size : at + 12 + size] != struct.pack(">I", zlib.crc32(kind + body)):
            raise ValueError(f"the checksum of {kind!r} is wrong")
        found.append((kind, body))
        at += 12 + size
    return found
