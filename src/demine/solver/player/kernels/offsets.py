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

# Parts of `work` by padded cell: what it is; the mines that its number still lacks (before it is
# opened, minus the known mines around it); the unknown cells in its 3x3 block; the hashes of the
# opened cells around it, combined, which are equal for all cells of a box.
KIND: Final = WORK_SIZE
LACK: Final = KIND + APART
UNKNOWN_AROUND: Final = LACK + APART
NEIGHBOUR_HASH: Final = UNKNOWN_AROUND + APART
CELL_HASH: Final = NEIGHBOUR_HASH + APART
BOX_INDEX: Final = CELL_HASH + APART
NUMBER_INDEX: Final = BOX_INDEX + APART
NEXT_IN_BOX: Final = NUMBER_INDEX + APART
AWAITS_REVISIT: Final = NEXT_IN_BOX + APART
NUMBER_CELL: Final = AWAITS_REVISIT + APART
# The opened cells that may have unknown cells around them, row by row.
EDGE: Final = NUMBER_CELL + APART
# Lists: opened cells to look at again, and safe cells to open.
AGAIN: Final = EDGE + APART
TO_OPEN: Final = AGAIN + APART
# By padded cell: whether it opens by itself, because a cell beside it shows no number.
ITSELF: Final = TO_OPEN + APART
# By box: its first cell; each cell leads to the next by `NEXT_IN_BOX`.
FIRST_IN_BOX: Final = ITSELF + APART
# Single items.
SINGLES: Final = FIRST_IN_BOX + BOXES
HEIGHT: Final = SINGLES
WIDTH: Final = SINGLES + 1
STRIDE: Final = SINGLES + 2
MINES_LEFT: Final = SINGLES + 3
COVERED: Final = SINGLES + 4
STAMP: Final = SINGLES + 5
REVISIT_COUNT: Final = SINGLES + 6
TO_OPEN_COUNT: Final = SINGLES + 7
NUMBER_COUNT: Final = SINGLES + 8
BOX_COUNT: Final = SINGLES + 9
COMPONENT_COUNT: Final = SINGLES + 10
SEA_CELLS: Final = SINGLES + 11
EDGE_COUNT: Final = SINGLES + 12
STAMP_STEP: Final = PADDED + 16
"""How far one stamp lies above the last. `BOX_INDEX` and `NUMBER_INDEX` hold the stamp plus an
index; what lies below the stamp is left from an earlier position."""

# The cells that a look ahead compares, and their number.
CHOICES: Final = SINGLES + 64
SECOND_LOOK: Final = 4 * APART
"""The distance from the parts of the first look ahead to those of the second."""
CHOICE_COUNT: Final = CHOICES + SECOND_LOOK - 1
BOX_OF: Final = CHOICES + 2 * SECOND_LOOK
# The endgame. By index of a cell: its padded index, its box, its neighbours among these cells.
CELLS: Final = BOX_OF + APART
NEIGHBOURS: Final = CELLS + 256
NEIGHBOUR_COUNT: Final = NEIGHBOURS + 8 * 256
ASSIGNED: Final = NEIGHBOUR_COUNT + 256
CELL_COUNT: Final = ASSIGNED + 256
LAYOUT_COUNT: Final = CELL_COUNT + 1
SPENT: Final = CELL_COUNT + 2
BUDGET: Final = CELL_COUNT + 3
SEARCHES: Final = CELL_COUNT + 4
TALLY: Final = CELL_COUNT + 8
# By layout: the order they are searched in, room to sort, a random hash.
LAYOUTS: Final = 1 << 17
"""How many layouts an exact search has room for; the other sizes follow from it."""
LAYOUT_ORDER: Final = TALLY + 256
SORT: Final = LAYOUT_ORDER + LAYOUTS
RANDOM_HASHES: Final = SORT + LAYOUTS
# The positions being searched and their candidates; the living cells of one that becomes a bit set;
# the memo of positions that are done.
FRAMES: Final = RANDOM_HASHES + LAYOUTS
FRAME_SIZE: Final = 32
MAX_DEPTH: Final = 256
CANDIDATES: Final = FRAMES + FRAME_SIZE * MAX_DEPTH
LIVING: Final = CANDIDATES + 256 * MAX_DEPTH
MEMO: Final = LIVING + 257
MEMO_SIZE: Final = 4 * LAYOUTS
# A bit set of layouts. By cell: where its parts begin, the layouts where it is safe, its index.
PARTS: Final = MEMO + 2 * MEMO_SIZE
BITSET_FIRST_PART: Final = PARTS + 9 * 256 + 16
BITSET_SAFE: Final = BITSET_FIRST_PART + 257
BITSET_CELL: Final = BITSET_SAFE + 256
# By layout: its random hash, those that some cell distinguishes from it, those that none does.
BITSET_HASH: Final = BITSET_CELL + 256
TOLD_APART: Final = BITSET_HASH + 64
INDISTINCT: Final = TOLD_APART + 64
BITSET_CELL_COUNT: Final = INDISTINCT + 64
MEMO_MASK: Final = BITSET_CELL_COUNT + 1
# The positions being searched in a bit set. By position: living cells, cells to try, groups.
NODES: Final = BITSET_CELL_COUNT + 8
NODE_SIZE: Final = 16
ALIVE: Final = NODES + 64 * NODE_SIZE
TRIALS: Final = ALIVE + 64 * 256
GROUP_LAYOUTS: Final = TRIALS + 64 * 256
GROUP_KEY: Final = GROUP_LAYOUTS + 64 * 64
GROUP_BOUND: Final = GROUP_KEY + 64 * 64
# Layouts as rows (`layout_rows`): the cells that they have and their sizes; what the last split or
# scan found; masks of cells.
ROW_CELL: Final = GROUP_BOUND + 64 * 64
ROW_CELL_COUNT: Final = ROW_CELL + 256
NUMBER_WORDS: Final = ROW_CELL_COUNT + 1
MINE_WORDS: Final = ROW_CELL_COUNT + 2
ROW_SIZE: Final = ROW_CELL_COUNT + 3
SPLITS: Final = ROW_CELL_COUNT + 4
SPLIT_KNOWN: Final = ROW_CELL_COUNT + 5
SPLIT_REST: Final = ROW_CELL_COUNT + 6
GROUPS_WAITING: Final = ROW_CELL_COUNT + 7
SPLIT_GROUPS: Final = ROW_CELL_COUNT + 8
TELLING: Final = ROW_CELL_COUNT + 10
ALWAYS_SAFE: Final = TELLING + 18
NAMING: Final = ALWAYS_SAFE + 18
TELLING_MINES: Final = NAMING + 18
# By cell of a row: in how many layouts it is a mine; what is safe in some of these.
MINED: Final = TELLING_MINES + 6
NAME_MINED: Final = MINED + 256
SAFE_BESIDE: Final = NAME_MINED + 256
ROWS: Final = SAFE_BESIDE + 5 * 256
# As many layouts as fit into `LAYOUTS` and `HINTS_SIZE` never need more words than this.
ROWS_SIZE: Final = 7 * LAYOUTS
# A hash table; by group of a split: its first layout, its size; by layout: its group.
BUCKETS: Final = ROWS + ROWS_SIZE
GROUP_FIRST: Final = BUCKETS + 2 * LAYOUTS
GROUP_SIZE: Final = GROUP_FIRST + LAYOUTS
GROUP_OF: Final = GROUP_SIZE + LAYOUTS + 1
# The ranges that are to be split, begin and end.
RANGES: Final = GROUP_OF + LAYOUTS
# The groups that wait to be searched, four items each, for all positions being searched.
WAITING: Final = RANGES + 2 * LAYOUTS
MAX_WAITING: Final = LAYOUTS
# By class of layouts: the next one of its bucket, its merged row.
NEXT_CLASS: Final = WAITING + 4 * MAX_WAITING
CLASS_ROWS: Final = NEXT_CLASS + LAYOUTS
# The cells chosen on small boards, by the hash of the scene.
SCENE_SLOTS: Final = 1 << 12
SCENE_HASH: Final = CLASS_ROWS + ROWS_SIZE
SCENE_CHOICE: Final = SCENE_HASH + SCENE_SLOTS
# Cells supposed to be mines, then cells supposed to be safe; how many are mines, and how many all.
SUPPOSED: Final = SCENE_CHOICE + SCENE_SLOTS
SUPPOSED_MINES: Final = SUPPOSED + 8
SUPPOSED_COUNT: Final = SUPPOSED_MINES + 1
WORK: Final = SUPPOSED_COUNT + 1
HINTS_SIZE: Final = 32 * LAYOUTS
"""How many bytes there are for what each cell shows in each layout."""

# Parts of `values`.
LOGS: Final = VALUES_SIZE
"""Logarithms of factorials."""
TOTAL_WEIGHT: Final = LOGS + PADDED + 8
"""The number of layouts, divided by a factor that is the same for a position and looks ahead."""
LOG_FACTOR: Final = TOTAL_WEIGHT + 1
"""The natural logarithm of that factor."""
RISK: Final = TOTAL_WEIGHT + 8
WORTH: Final = RISK + APART
MOST_WORTH: Final = WORTH + APART
CERTAINTY: Final = MOST_WORTH + APART
CERTAINTY_NOW: Final = MOST_WORTH + 1
"""`RISK` is by padded cell; by choice are its score and how likely something is certain next."""
CHOSEN_RISK: Final = RISK + 2 * SECOND_LOOK
LUCK: Final = CHOSEN_RISK + 1
"""The risks taken, less the mines hit: how much luckier the game was than expected."""
UNAVOIDABLE: Final = CHOSEN_RISK + 8
"""By padded cell: the part of its risk that is forgiven, since it cannot be avoided."""
DIALS: Final = UNAVOIDABLE + APART
VALUES: Final = DIALS + 32

# The settings of a policy: parts of `DIALS`.
DIAL_LAYOUTS: Final = 0
"""Up to how many layouts the endgame is searched."""
DIAL_CHOICES: Final = 1
"""How many of the safest cells a look ahead compares."""
DIAL_MARGIN: Final = 2
"""How safe they must be, as a share of the safest cell's safety."""
DIAL_SHARE: Final = 3
"""The weight of the second safest cell in the safety of a position."""
DIAL_TWO_AHEAD: Final = 4
"""How many of the best cells are looked at one move further."""
DIAL_SLACK: Final = 5
"""How much lower than the best their score may be."""
DIAL_REPLIES: Final = 6
DIAL_REPLIES_CERTAIN: Final = 7
DIAL_REPLY_MARGIN: Final = 8
"""How many cells are tried as the next move, if none is certain and if one is; how safe."""
DIAL_BONUS: Final = 9
"""The bonus for a cell after which something is certain, multiplied by that chance."""
DIAL_EARLY: Final = 10
"""The share of the board that must be covered for the bonus to apply."""
DIAL_UNAVOIDABLE: Final = 11
"""How much of the risk that cannot be avoided is forgiven, from 0 to 1."""
DIAL_LATE: Final = 12
"""The share of the board that may be covered for that."""
DIAL_ONE_FAR_CELL: Final = 13
"""Not 0 if one of the cells far from numbers stands for all that are as near to the sides."""
DIAL_SMALL: Final = 24
"""Up to how many layouts a board is searched from the first cell on."""
DIAL_SMALL_BUDGET: Final = 25
"""The budget of such a search."""
