"""Offsets of each part of the player's arrays, behind those of `exact.kernels.offsets`."""

from __future__ import annotations

from typing import Final

from demine.solver.exact.kernels.offsets import APART, BOXES, PADDED, VALUES_SIZE, WORK_SIZE

# What a cell is known to be.
UNKNOWN: Final = 0
OPENED: Final = 1
MINE: Final = 2
SAFE: Final = 3
RIM: Final = 4

# Parts of `work` by padded cell: what it is, the mines its number lacks (less than none before it
# is opened: the known mines around it), the unknown cells in its 3x3 block, and the names of the
# opened cells around it mixed into one, equal for cells of one box.
KIND: Final = WORK_SIZE
LACK: Final = KIND + APART
UNSEEN: Final = LACK + APART
MIXED: Final = UNSEEN + APART
DICE: Final = MIXED + APART
BOXED: Final = DICE + APART
NAMED: Final = BOXED + APART
LINK: Final = NAMED + APART
WAITS: Final = LINK + APART
NUMBERED: Final = WAITS + APART
# Opened cells to look at again, and cells to open.
AGAIN: Final = NUMBERED + APART
READY: Final = AGAIN + APART
# Cells that open by themselves, since one beside them shows no number.
ITSELF: Final = READY + APART
# By box: its first cell; the others follow by `LINK`.
HEAD: Final = ITSELF + APART
# Single numbers.
FACTS: Final = HEAD + BOXES
HEIGHT: Final = FACTS
WIDTH: Final = FACTS + 1
STRIDE: Final = FACTS + 2
LEFT: Final = FACTS + 3
COVERED: Final = FACTS + 4
STAMP: Final = FACTS + 5
AGAINS: Final = FACTS + 6
READIES: Final = FACTS + 7
NAMES: Final = FACTS + 8
BOXES_NOW: Final = FACTS + 9
PARTS_NOW: Final = FACTS + 10
SEA_CELLS: Final = FACTS + 11
STEP: Final = PADDED + 16
"""How far one stamp lies from the next: names and boxes are told by what is above the stamp."""

# The cells a look ahead is taken at, and what was found.
CHOICES: Final = FACTS + 64
DEEPER: Final = 4 * APART
"""How far what belongs to a look further ahead lies behind what belongs to the first."""
CHOICES_NOW: Final = CHOICES + DEEPER - 1
BOX_OF: Final = CHOICES + 2 * DEEPER
# The search among the last layouts. By cell of it: where it is, its box, its neighbours among them.
CELLS: Final = BOX_OF + APART
NEAR: Final = CELLS + 256
NEARS: Final = NEAR + 8 * 256
LAID: Final = NEARS + 256
CELLS_NOW: Final = LAID + 256
LAYOUTS_NOW: Final = CELLS_NOW + 1
SPENT: Final = CELLS_NOW + 2
BUDGET: Final = CELLS_NOW + 3
SEARCHES: Final = CELLS_NOW + 4
TALLY: Final = CELLS_NOW + 8
# By layout: its turn in the search, room to sort, its random name.
LAYOUTS: Final = 1 << 17
TURN: Final = TALLY + 256
SORT: Final = TURN + LAYOUTS
MARKS: Final = SORT + LAYOUTS
# The positions under examination, their candidates, and the values of those that are done.
FRAMES: Final = MARKS + LAYOUTS
FRAME: Final = 32
DEPTH: Final = 256
CANDIDATES: Final = FRAMES + FRAME * DEPTH
LIVING: Final = CANDIDATES + 256 * DEPTH
MEMO: Final = LIVING + 256 * DEPTH
MEMOS: Final = 1 << 19
# A block of layouts. By cell of it: where its parts begin and end, where it is safe, which it is.
PARTS: Final = MEMO + 2 * MEMOS
BLOCK_FIRST: Final = PARTS + 9 * 256 + 16
BLOCK_SAFE: Final = BLOCK_FIRST + 257
BLOCK_WHICH: Final = BLOCK_SAFE + 256
# By layout: its random name, those that are told from it, those that are like it.
BLOCK_NAME: Final = BLOCK_WHICH + 256
TELLS: Final = BLOCK_NAME + 64
SAME: Final = TELLS + 64
BLOCK_CELLS: Final = SAME + 64
MEMO_MASK: Final = BLOCK_CELLS + 1
# The positions of a block under examination; by position: living cells, those to try, groups.
NODES: Final = BLOCK_CELLS + 8
NODE: Final = 16
ALIVE: Final = NODES + 64 * NODE
TRIALS: Final = ALIVE + 64 * 256
GROUP_SET: Final = TRIALS + 64 * 256
GROUP_KEY: Final = GROUP_SET + 64 * 64
GROUP_MOST: Final = GROUP_KEY + 64 * 64
# What was chosen on small boards, by scene.
SCENES: Final = 1 << 12
SCENE_OF: Final = GROUP_MOST + 64 * 64
CHOICE_OF: Final = SCENE_OF + SCENES
WORK: Final = CHOICE_OF + SCENES
HINTS: Final = 1 << 22
"""How many bytes there are for the numbers that each cell shows in each layout."""

# Parts of `values`.
LOGS: Final = VALUES_SIZE
"""Logarithms of factorials."""
WHOLE: Final = LOGS + PADDED + 8
"""The ways to lay the mines, times a factor that all looks ahead of one position share."""
FACTOR: Final = WHOLE + 1
"""The logarithm of that factor."""
RISK: Final = WHOLE + 8
WORTH: Final = RISK + APART
MOST_WORTH: Final = WORTH + APART
CERTAINTY: Final = MOST_WORTH + APART
CERTAINTY_NOW: Final = MOST_WORTH + 1
"""By padded cell: its risk; by choice: what it is worth, how likely something is certain then."""
CHOSEN_RISK: Final = RISK + 2 * DEEPER
LUCK: Final = CHOSEN_RISK + 1
"""The guesses survived, less those to be expected."""
DIALS: Final = CHOSEN_RISK + 8
VALUES: Final = DIALS + 32

# What a policy is set to: parts of `DIALS`.
DIAL_LAYOUTS: Final = 0
"""Up to how many layouts the end is played out."""
DIAL_CHOICES: Final = 1
"""How many cells are looked ahead at."""
DIAL_MARGIN: Final = 2
"""How safe they must be, beside the safest."""
DIAL_SHARE: Final = 3
"""How much of a position's safety is that of its second safest cell."""
DIAL_DEEP: Final = 4
"""How many of the best cells are looked at one act further."""
DIAL_SLACK: Final = 5
"""How much less they may be worth than the best."""
DIAL_NEXT: Final = 6
DIAL_NEXT_CERTAIN: Final = 7
DIAL_NEXT_MARGIN: Final = 8
"""How many cells are tried as the act after: where none is certain, where one is; how safe."""
DIAL_BONUS: Final = 9
"""How much it counts that something is certain after a cell, by its chance."""
DIAL_EARLY: Final = 10
"""The part of the board that must be covered for that to count."""
DIAL_SMALL: Final = 24
"""A board of up to so many layouts is played out from the first cell on."""
DIAL_SMALL_BUDGET: Final = 25
"""What a search may take there."""
