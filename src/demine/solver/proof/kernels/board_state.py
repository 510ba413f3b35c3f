"""State of a board that is proven cell by cell, and what changes when a cell becomes known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.solver.exact.kernels.offsets import PADDED, STATES, WORK_SIZE

if TYPE_CHECKING:
    from demine.kernels.array_types import IntArray

# The first items of a board: its unknown cells and mines, the lengths of its lists, the last stamp,
# the work done so far, and the most cells that became known on any board.
UNKNOWN_CELLS: Final = 0
UNKNOWN_MINES: Final = 1
TOP: Final = 2
PAIRS: Final = 3
WHOLES: Final = 4
STAMPED: Final = 5
SPENT: Final = 6
BEST: Final = 7
HEAD: Final = 16
"""Where the parts of the board begin, each as long as the padded board."""

KIND: Final = 0
TRUTH: Final = 1
LACK: Final = 2
"""Unknown mines in the 3x3 block."""
UNSEEN: Final = 3
"""Unknown cells in the 3x3 block; far below 0 on the rim."""
MARK: Final = 4
NAMED: Final = 5
BOXED: Final = 6
OWNER: Final = 7
"""The number whose `SPAN` describes the component."""
SPAN: Final = 8
"""The cells of a component << 40 | its most mines << 20 | its fewest."""
PAIR_LIST: Final = 9
WHOLE_LIST: Final = 10
STACKED: Final = 11
"""Numbers that settle their cells by themselves; each of nine cells may add one."""
HINT: Final = 20
PARTS: Final = 21

OPENED: Final = 0
MINE: Final = 1
UNKNOWN: Final = 2
COVERED: Final = 9
"""`Face.COVERED`."""
RIM: Final = -(1 << 20)
IN_PAIRS: Final = 1
IN_WHOLES: Final = 2
UNEXAMINED: Final = 4

# More parts of `work`, by state: its fewest and most mines, and whether it leads to a layout.
FEWEST: Final = WORK_SIZE
MOST: Final = FEWEST + STATES
LIVE: Final = MOST + STATES
PROOF_SIZE: Final = LIVE + STATES
HOPELESS: Final = -2
"""Returned for a component that nothing on this board can ever settle."""
ONE_STAMP: Final = 2 * PADDED


def make_known(cell: int, stride: int, size: int, board: IntArray) -> None:
    """Open a cell or mark it as a mine, as it is, and list the numbers that now know more."""
    mine = board[HEAD + TRUTH * size + cell]
    kind = HEAD + KIND * size
    lack = HEAD + LACK * size
    unseen = HEAD + UNSEEN * size
    mark = HEAD + MARK * size
    board[kind + cell] = mine
    board[UNKNOWN_CELLS] -= 1
    board[UNKNOWN_MINES] -= mine
    board[SPENT] += 1
    for line in range(cell - stride, cell + stride + 1, stride):
        for number in range(line - 1, line + 2):
            room = board[unseen + number] - 1
            need = board[lack + number] - mine
            board[unseen + number] = room
            board[lack + number] = need
            if room > 0 and board[kind + number] == OPENED:
                if need in (0, room):
                    board[HEAD + STACKED * size + board[TOP]] = number
                    board[TOP] += 1
                elif board[mark + number] & IN_PAIRS == 0:
                    board[mark + number] |= IN_PAIRS | UNEXAMINED
                    board[HEAD + PAIR_LIST * size + board[PAIRS]] = number
                    board[PAIRS] += 1
