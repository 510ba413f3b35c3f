"""The kernels of the board."""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet

OPENING_KERNELS: Final = KernelSet(
    ("demine.logic.kernels.words", "demine.logic.kernels.opening"),
    {
        "open_by_words": "(uint8[::1], uint8[::1], int64, int64, boolean, uint64[::1])",
    },
)
"""The opening of a board."""
DEALING_KERNELS: Final = KernelSet(
    ("demine.logic.kernels.deal",),
    {"deal_many": "(uint64, int64, int64, uint8[::1], uint8[:, ::1])"},
)
"""Many boards at once."""
JOURNAL_KERNELS: Final = KernelSet(
    ("demine.logic.kernels.journal_fold",),
    {
        "fold_events": "(uint8[::1], int64[::1], uint8[::1], int64[::1], int64[::1])",
    },
)
"""Playing journals."""

# Entries of `rules` of a journal.
HEIGHT: Final = 0
WIDTH: Final = 1
MINES: Final = 2
LIVES: Final = 3
FLAGS_HOLD: Final = 4
GOAL_IS_FLAGS: Final = 5
START: Final = 6
"""The cell where the game has to begin, -1 for any."""

# Entries of `state` of a game that is played from its journal.
AT: Final = 0
"""Where in the text."""
LINES: Final = 1
FIRST_T: Final = 2
LAST_T: Final = 3
IS_LAID: Final = 4
STATUS: Final = 5
OPENED: Final = 6
FLAGS: Final = 7
RIGHT_FLAGS: Final = 8
BLOWN: Final = 9
ACTS: Final = 10
LAST_ACT: Final = 11
"""The time of the last act."""
SHAPE: Final = 12
"""Which kinds of fields the last line has."""
WORD: Final = 13
"""The first word of the last line; its letters are the bytes of a number."""
BUTTON: Final = 14
"""Its second word."""
TIME: Final = 15
"""Its first number; the two after it follow."""
STATE: Final = 18

# Values of `state[STATUS]`; from `WON` on the game is over.
READY: Final = 0
RUNNING: Final = 1
PAUSED: Final = 2
WON: Final = 3
LOST: Final = 4
RESIGNED: Final = 5

NOTES: Final = 6
"""How many numbers, of 32 bits, the kernel that opens keeps of each row."""
