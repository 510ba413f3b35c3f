"""Names for the meanings of the numbers that kernels return."""

from __future__ import annotations

from typing import TypeAlias

ErrorCode: TypeAlias = int
"""0 for success; else the negative code `BEYOND` or `NO_WAY`."""
CellOrCode: TypeAlias = int
"""A padded index; or a negative number for none."""
CountOrCode: TypeAlias = int
"""A count; or the negative code `BEYOND` or `NO_WAY`."""
SafeCount: TypeAlias = int
"""How many cells were found to be safe; mines are not counted."""
PackedWinsAndCell: TypeAlias = int
"""`wins << 8 | index`, the index being one among `CELLS`; or `BEYOND`."""
PackedMemo: TypeAlias = int
"""`value << 1 | EXACT`, without `EXACT` if the value is only an upper bound; or -1."""
LayoutBits: TypeAlias = int
"""A set of layouts: a bit for each."""
ValueOrBound: TypeAlias = int
"""How many layouts of a set are won; if that is not more than asked for, an upper bound."""
ValueOrPending: TypeAlias = int
"""A `ValueOrBound`; or `PENDING` if a frame was entered that has yet to find it."""
NextRandom: TypeAlias = int
"""The index of the first random number that has not been used."""
LowestRisk: TypeAlias = float
"""The lowest risk of an unknown cell."""
