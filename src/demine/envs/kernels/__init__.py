"""The kernels that play many boards at once, and how their arrays are laid out."""

from __future__ import annotations

from typing import Final

from demine.kernels.kernel_set import KernelSet

MOST_COLUMNS: Final = 62
"""The widest board: a row is one word of 64 bits, with an empty bit at either end."""

# Entries of `settings`: the rules, as numbers.
HEIGHT: Final = 0
WIDTH: Final = 1
MINES: Final = 2
LIVES: Final = 3
FIRST_FREE: Final = 4
"""What the first click keeps free of mines: 0 nothing, 1 its cell, 2 all cells around it too."""
FLAGS_HOLD: Final = 5
GOAL_IS_FLAGS: Final = 6
VERBS: Final = 7
"""How many verbs there are actions for: 1 to open, 3 to flag and chord too."""
INVALID_ENDS: Final = 8
"""1 if an action that the rules refuse ends the episode."""
SHARE: Final = 9
"""The chance of a mine before their number is put right, as its binary digits from the last one.

A 1 stands before the first of them; 1 alone: no mines."""

# Entries of `weights`: what the reward adds up.
FOR_WIN: Final = 0
FOR_LOSS: Final = 1
FOR_CELL: Final = 2
"""For each safe cell that was opened."""
FOR_REFUSED: Final = 3

# Entries of `counts` of one board.
STATUS: Final = 0
OPENED: Final = 1
FLAGS: Final = 2
RIGHT_FLAGS: Final = 3
BLOWN: Final = 4
LAID: Final = 5
INDEX: Final = 6
"""Which board of its seed this is, from 0; -1 before the first."""
COUNTS: Final = 7

# Values of `counts[STATUS]`.
READY: Final = 0
RUNNING: Final = 1
WON: Final = 2
LOST: Final = 3

# What became of an action: an entry of `outcomes`.
PLAYED: Final = 0
REFUSED: Final = 1
RESET: Final = 2

# Planes of a board in `words`, each a word for every row and an empty one at either end.
MINE_PLANE: Final = 0
OPEN_PLANE: Final = 1
FLAG_PLANE: Final = 2
BLOWN_PLANE: Final = 3
PLANES: Final = 4

_ARRAYS: Final = "int64[::1], uint64[::1], int64[::1], uint8[::1]"
ENV_KERNELS: Final = KernelSet(
    ("demine.logic.kernels.words", "demine.envs.kernels.bit_boards"),
    {
        "play_boards": (
            f"({_ARRAYS}, uint64[::1], float64[::1], int64[::1], boolean, int32[::1], "
            "int8[::1], float64[::1], boolean[::1], uint8[::1], int8[::1], int64, int64)"
        ),
        "reset_boards": f"({_ARRAYS}, boolean[::1])",
        "show_boards": f"({_ARRAYS}, boolean[::1], uint8[::1], int8[::1])",
        "sample_actions": f"({_ARRAYS}, uint64[::1], int64[::1])",
    },
)
"""Playing and resetting many boards, and drawing actions for them."""
