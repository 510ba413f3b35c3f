"""Hostile board files, layouts and what is nothing at all; for `hostile.py`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from demine.logic.layout import format_layout
from demine.logic.rules import Rules


def boards(size: int) -> dict[str, Callable[[], bytes]]:
    """Board files, layouts, share codes and what is nothing."""
    side = int((size * 0.97) ** 0.5)
    most = min(8192, int((size * 4.9) ** 0.5))
    random = np.random.default_rng(1)
    mines = random.random((side, side)) < 0.2
    count = int(mines.sum())
    text = b"\n".join(np.where(mines, b"*", b"0").view(f"S{side}").reshape(-1).tolist())
    said = f"rows: {side}\ncolumns: {side}\nmines: {count}\n\n[real]\n".encode()
    first = b"# MINESWEEPER-BOARD v0.1\n"
    full = np.argwhere(random.random((255, 255)) < 0.9).astype(np.uint8)
    return {
        "MBF": lambda: b"\xff\xff" + len(full).to_bytes(2, "big") + full.tobytes(),
        "PTTA": lambda: b"?b=%d%d&m=" % (most, most) + b"0" * -(-most * most // 5),
        "PTTA too long": lambda: b"?b=1&m=" + b"0" * size,
        "PTTA address": lambda: b"?b=1&" * (size // 5),
        ".board": lambda: first + said + text,
        ".board emoji": lambda: first + b"# Render: emoji\n" + said + text,
        ".board head": lambda: first + b"a: b\n" * (size // 5) + said,
        ".board rows": lambda: first + said + b"0\n" * (size // 2),
        "layout": lambda: format_layout(Rules(side, side, count, first="any"), mines).encode(),
        "layout of one row": lambda: f"{size}x1/1\n*".encode() + b"." * (size - 1),
        "layout of rows": lambda: f"1x{size // 2}/1\n*".encode() + b"\n." * (size // 2 - 1),
        "layout blank": lambda: b"9x9/10\n" + b" \n" * (size // 2),
        "share code": lambda: b"1.4000x4000.1.so.0-0." + b"A" * size,
        "zeros": lambda: bytes(size),
        "ones": lambda: b"\1" * size,
        "full": lambda: b"\xff" * size,
        "letters": lambda: b"a" * size,
        "lines": lambda: b"\n" * size,
        "spaces": lambda: b" " * size,
        "chance": lambda: np.random.default_rng(1).bytes(size),
    }
