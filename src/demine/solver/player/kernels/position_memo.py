"""Memo of the positions of one search: their values, or upper bounds of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.player.kernels.offsets import MEMO, MEMO_MASK, SEARCHES

if TYPE_CHECKING:
    from demine.kernels.array_types import IntArray
    from demine.solver.player.kernels.return_types import PackedMemo

EXACT = 1
"""Marks a value, as opposed to an upper bound."""
PROBES = 4
"""How many places are tried for a position."""


def recall_packed_value(key: int, work: IntArray) -> PackedMemo:
    """Return what is stored of a position, or -1."""
    stamp = work[SEARCHES]
    mask = work[MEMO_MASK]
    for way in range(PROBES):
        place = MEMO + 2 * ((key + way) & mask)
        packed = work[place + 1]
        if packed >> 24 != stamp:
            return -1
        if work[place] == key:
            found: int = packed & 0xFFFFFF
            return found
    return -1


def store_value(key: int, value: int, exact: int, work: IntArray) -> None:
    """Store a value (`exact` is `EXACT`), or an upper bound (0); it may replace another."""
    stamp = work[SEARCHES]
    mask = work[MEMO_MASK]
    place = MEMO + 2 * (key & mask)
    for way in range(PROBES):
        other = MEMO + 2 * ((key + way) & mask)
        if work[other + 1] >> 24 != stamp or work[other] == key:
            place = other
            break
    work[place] = key
    work[place + 1] = (stamp << 24) | (value << 1) | exact
