"""Offsets of everything in the work arrays, and the limits of what the kernels take."""

from __future__ import annotations

from typing import Final

import numpy as np

BEYOND: Final = -1
"""What a kernel returns for a position that is not for it."""

NO_WAY: Final = -2
"""What is returned where a position contradicts itself."""

UNSETTLED: Final = 900
PADDED: Final = 4096
BOXES: Final = 904
STATES: Final = 1 << 16
LAYER: Final = 1 << 12
MOVES: Final = 1 << 18
TABLE: Final = 1 << 13
TERMS: Final = 1 << 16

APART: Final = PADDED + 72
"""How far parts lie apart whose elements are used together: at a power of two they would fight for
the same lines of the processor's cache."""

# Parts of `work`. By padded cell: what it is, what its number needs, the unsettled cells around it.
COVER: Final = 0
NEED: Final = COVER + APART
ROOM: Final = NEED + APART
BOX: Final = ROOM + APART
NAME: Final = BOX + APART
STACK: Final = NAME + APART
# By number: where it is, its boxes and how many are undecided, its unsettled cells, its place.
PLACE: Final = STACK + 9 * PADDED
BESIDE: Final = PLACE + PADDED
WAITING: Final = BESIDE + 8 * PADDED
LENGTH: Final = WAITING + PADDED
SPACE: Final = LENGTH + PADDED
SLOT: Final = SPACE + PADDED
# By box: its key among the boxes that begin at a number, its size, its numbers, whether it is done.
KEY: Final = SLOT + PADDED
SIZE: Final = KEY + BOXES
NUMBERS: Final = SIZE + BOXES
COUNT: Final = NUMBERS + 8 * BOXES
DONE: Final = COUNT + BOXES
# By turn: the box decided, where the states before it and after it begin and end, its first move.
# `PART` is the first turn of each component.
ORDER: Final = DONE + BOXES
BEFORE: Final = ORDER + BOXES
AFTER: Final = BEFORE + BOXES
END: Final = AFTER + BOXES
MOVE: Final = END + BOXES
PART: Final = MOVE + BOXES + 1
QUEUE: Final = PART + BOXES + 1
# By component: the counts of mines it may have, those of all before it, and where both are kept.
LOW: Final = QUEUE + BOXES
HIGH: Final = LOW + BOXES
POLY: Final = HIGH + BOXES
SUM_LOW: Final = POLY + BOXES
SUM_HIGH: Final = SUM_LOW + BOXES + 1
SUM: Final = SUM_HIGH + BOXES + 1
# States: needs of up to 13 numbers and the mines so far, needs of 15 more; their table; the moves.
FIRST: Final = SUM + BOXES + 1
SECOND: Final = FIRST + STATES
HASH: Final = SECOND + STATES
MOVED: Final = HASH + TABLE
FREE: Final = MOVED + MOVES
SHIFT: Final = FREE + 32
STAMP: Final = SHIFT + 32
WORK_SIZE: Final = STAMP + 1

# Parts of `values`: of states from the start and from the end, of components, of boxes.
AHEAD: Final = 0
BACK: Final = AHEAD + STATES
OWN: Final = BACK + STATES
REST: Final = OWN + TERMS
SUMS: Final = REST + TERMS
NEXT: Final = SUMS + TERMS
CHANCE: Final = NEXT + BOXES
SEA: Final = CHANCE + BOXES
TOTAL: Final = SEA + 1
"""The layouts of the whole board, up to the factor that combining with the sea leaves out."""
VALUES_SIZE: Final = TOTAL + 1

SLOTS: Final = 28
FIRST_SLOTS: Final = 13
MINES: Final = 52
"""The bit at which the mines so far begin in a state's first integer."""
LOW_31: Final = (1 << 31) - 1
BELOW_ONE: Final = 1.0 - 2.0**-53
WAYS: Final = np.array(
    [
        [1, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0, 0, 0],
        [1, 2, 1, 0, 0, 0, 0, 0, 0],
        [1, 3, 3, 1, 0, 0, 0, 0, 0],
        [1, 4, 6, 4, 1, 0, 0, 0, 0],
        [1, 5, 10, 10, 5, 1, 0, 0, 0],
        [1, 6, 15, 20, 15, 6, 1, 0, 0],
        [1, 7, 21, 35, 35, 21, 7, 1, 0],
        [1, 8, 28, 56, 70, 56, 28, 8, 1],
    ],
    np.float64,
).reshape(-1)
"""The ways to choose mines among the cells of a box: `WAYS[9 * size + mines]`."""
