"""Numbers as the panel's displays write them."""

from __future__ import annotations


def led_text(value: int, digits: int = 3) -> str:
    """A number on a display of `digits` lamps: "042", "-07", never wider, stopped at its ends.

    `digits` must be at least 2, so that a negative number has room.
    """
    lowest, highest = -(10 ** (digits - 1)) + 1, 10**digits - 1
    return f"{min(max(value, lowest), highest):0{digits}d}"
