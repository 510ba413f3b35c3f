"""Memo of the positions searched: their values, or bounds of them, until the search is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.player.kernels.offsets import MEMO, MEMO_MASK, SEARCHES

if TYPE_CHECKING:
    from demine.kernels.array_types import IntArray

EXACT = 1
"""A value, and not a bound above it."""
WAYS = 4
"""How many places are looked at for a position."""


def recall_value(key: int, work: IntArray) -> int:
    """Return what is known of a position, value << 1 | `EXACT`, or -1."""
    stamp = work[SEARCHES]
    mask = work[MEMO_MASK]
    for way in range(WAYS):
        place = MEMO + 2 * ((key + way) & mask)
        packed = work[place + 1]
        if packed >> 24 != stamp:
            return -1
        if work[place] == key:
            found: int = packed & 0xFFFFFF
            return found
    return -1


def keep_value(key: int, value: int, exact: int, work: IntArray) -> None:
    """Keep what is known of a position; where no place is free, the first gives way."""
    stamp = work[SEARCHES]
    mask = work[MEMO_MASK]
    place = MEMO + 2 * (key & mask)
    for way in range(WAYS):
        other = MEMO + 2 * ((key + way) & mask)
        if work[other + 1] >> 24 != stamp or work[other] == key:
            place = other
            break
    work[place] = key
    work[place + 1] = (stamp << 24) | (value << 1) | exact
