"""Numbers as the displays of the panel show them."""

from __future__ import annotations


def led_text(value: int, digits: int = 3) -> str:
    """Format a number for a display of `digits` digits: "042", "-07".

    Numbers that do not fit are clamped: with 3 digits, to -99 or 999. `digits` must be at least 2.
    """
    lowest, highest = -(10 ** (digits - 1)) + 1, 10**digits - 1
    return f"{min(max(value, lowest), highest):0{digits}d}"
