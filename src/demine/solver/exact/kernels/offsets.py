"""The offsets of all parts of the work arrays, and the limits of the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from typing import TypeAlias

    ZeroOrBeyond: TypeAlias = int
    CountOrBeyond: TypeAlias = int
    PackedCountsOrBeyond: TypeAlias = int
    EndOrBeyond: TypeAlias = int
    """The index after the last element that was written, or `BEYOND`."""

BEYOND: Final = -1
"""What kernels return for a position that the plain engine must solve."""

NO_WAY: Final = -2
"""What kernels return for a position that contradicts itself."""

# Limits: unsettled cells, cells with a rim, boxes, states, states after one box, moves, slots of
# the hash table of states, and coefficients of all polynomials.
UNSETTLED: Final = 900
PADDED: Final = 4096
BOXES: Final = 904
STATES: Final = 1 << 16
LAYER: Final = 1 << 12
MOVES: Final = 1 << 18
TABLE: Final = 1 << 13
TERMS: Final = 1 << 16

APART: Final = PADDED + 72
"""The distance between parts whose elements are used together. At a power of two they would compete
for the same lines of the processor's cache."""

# Parts of `work`. For each padded cell: its kind (0 opened, 1 unsettled, 2 safe, 3 a mine), the
# mines that its number needs, the unsettled cells around it, its box, and the index of its number.
# `STACK` holds the numbers that settle their cells.
COVER: Final = 0
NEED: Final = COVER + APART
ROOM: Final = NEED + APART
BOX: Final = ROOM + APART
NAME: Final = BOX + APART
STACK: Final = NAME + APART
# For each number: its cell, its boxes, how many of these are undecided, how many there are, its
# undecided cells, and its place in a state.
PLACE: Final = STACK + 9 * PADDED
BESIDE: Final = PLACE + PADDED
WAITING: Final = BESIDE + 8 * PADDED
LENGTH: Final = WAITING + PADDED
SPACE: Final = LENGTH + PADDED
SLOT: Final = SPACE + PADDED
# For each box: its key among the boxes that share their first number, how many cells it has, its
# numbers and how many they are, and whether it is ordered.
KEY: Final = SLOT + PADDED
SIZE: Final = KEY + BOXES
NUMBERS: Final = SIZE + BOXES
COUNT: Final = NUMBERS + 8 * BOXES
DONE: Final = COUNT + BOXES
# For each turn: the box that is decided, where the states before it begin, where those after it
# begin and end, and its first move. `PART` is the first turn of each component, `PART_END` the turn
# after its last.
ORDER: Final = DONE + BOXES
BEFORE: Final = ORDER + BOXES
AFTER: Final = BEFORE + BOXES
END: Final = AFTER + BOXES
MOVE: Final = END + BOXES
PART: Final = MOVE + BOXES + 1
PART_END: Final = PART + BOXES
QUEUE: Final = PART_END + BOXES
# For each component: its fewest and most mines, where its polynomial begins, and the same of the
# product of all components before it.
LOW: Final = QUEUE + BOXES
HIGH: Final = LOW + BOXES
POLY: Final = HIGH + BOXES
SUM_LOW: Final = POLY + BOXES
SUM_HIGH: Final = SUM_LOW + BOXES + 1
SUM: Final = SUM_HIGH + BOXES + 1
# For each state two integers: the needs of up to 13 numbers and the mines so far, and the needs of
# 15 more numbers. Then their hash table, the moves, and the free places. For each number of the box
# that is decided: where its bits are, and how many of its cells are undecided after that.
FIRST: Final = SUM + BOXES + 1
SECOND: Final = FIRST + STATES
HASH: Final = SECOND + STATES
MOVED: Final = HASH + TABLE
FREE: Final = MOVED + MOVES
SHIFT: Final = FREE + 32
LEFT: Final = SHIFT + 32
STAMP: Final = LEFT + 32
WORK_SIZE: Final = STAMP + 1

# Parts of `values`: for each state its values from the start and from the end; the polynomials of
# the components, the weights of the rest for each, the products, the weights of the next step; the
# probabilities of the boxes and of the sea.
AHEAD: Final = 0
BACK: Final = AHEAD + STATES
OWN: Final = BACK + STATES
REST: Final = OWN + TERMS
SUMS: Final = REST + TERMS
NEXT: Final = SUMS + TERMS
CHANCE: Final = NEXT + BOXES
SEA: Final = CHANCE + BOXES
TOTAL: Final = SEA + 1
"""The layouts of the whole board, up to the factor that `combine_with_sea` leaves out."""
VALUES_SIZE: Final = TOTAL + 1

SLOTS: Final = 28
"""How many numbers may wait at a time; each has a place of four bits in a state."""
FIRST_SLOTS: Final = 13
"""How many of these places are in a state's first integer."""
MINES: Final = 52
"""The bit at which the mines so far begin in a state's first integer."""
LOW_31: Final = (1 << 31) - 1
BELOW_ONE: Final = 1.0 - 2.0**-53
