"""Writes the icon of the program in a system's own form: `python icons.py FILE`.

FILE ends in `.png`, `.ico` (Windows) or `.icns` (macOS); the last two hold PNG pictures.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from demine.picture import icon, png_bytes

ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_SIZES = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}


def picture(size: int) -> bytes:
    """Return the icon as a PNG file of so many pixels."""
    return png_bytes(icon(size))


def ico() -> bytes:
    """Return an ICO file: a directory of 16 bytes for each picture, then the pictures."""
    pictures = [picture(size) for size in ICO_SIZES]
    at, entries = 6 + 16 * len(pictures), b""
    for size, data in zip(ICO_SIZES, pictures, strict=True):
        side = size % 256  # 256 is written as 0
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures)


def icns() -> bytes:
    """Return an ICNS file: each picture after its type and length."""
    parts = b""
    for kind, size in ICNS_SIZES.items():
        data = picture(size)
        parts += kind + struct.pack(">I", 8 + len(data)) + data
    return b"icns" + struct.pack(">I", 8 + len(parts)) + parts


if __name__ == "__main__":
    path = Path(sys.argv[1])
    forms = {".png": lambda: picture(256), ".ico": ico, ".icns": icns}
    path.write_bytes(forms[path.suffix]())
