"""Names for the meanings of the numbers that kernels return."""

from __future__ import annotations

from typing import TypeAlias

CountOrCode: TypeAlias = int
"""A count; or a negative code: `BEYOND`, or `HOPELESS` where that is possible."""
NumberCount: TypeAlias = int
"""How many numbers have an index now."""
PackedCounts: TypeAlias = int
"""`number_count << 20 | box_count`; or `BEYOND`."""
PackedCountAndKey: TypeAlias = int
"""`number_count << 32 | key`."""
PackedIndexAndState: TypeAlias = int
"""`index << 3 | state`: a layout, and one of the states of `needs_guess`."""
LayoutState: TypeAlias = int
"""How far a layout came: `SOLVED`, `STUCK`, `COUNT_DECIDES` or `TOO_COMPLEX`."""
