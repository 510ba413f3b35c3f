"""Whether layouts need a guess: each is played from its first cell, by proofs alone.

The layout is known here, but a cell is made known only when the opened numbers, or the mine count,
leave it no choice. Three ways to prove take turns, the cheapest first: one number, two numbers, all
numbers of a component. Where none helps, the mine count might: that is handed back to the caller.

`board` begins with a few numbers and then has parts as long as the padded board (`board_state`):
two rows of rim above and below and two cells between rows, so that no look two cells away leaves
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.solver.exact.kernels.offsets import BEYOND
from demine.solver.proof.kernels.board_state import (
    BEST,
    COVERED,
    HEAD,
    HINT,
    HOPELESS,
    IN_PAIRS,
    IN_WHOLES,
    KIND,
    LACK,
    MARK,
    OPENED,
    OWNER,
    PAIR_LIST,
    PAIRS,
    RIM,
    SPAN,
    SPENT,
    STACKED,
    TOP,
    TRUTH,
    UNEXAMINED,
    UNKNOWN,
    UNKNOWN_CELLS,
    UNKNOWN_MINES,
    UNSEEN,
    WHOLE_LIST,
    WHOLES,
    make_known,
)
from demine.solver.proof.kernels.component_proof import examine_component

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray

NONE: Final = 0
SOLVED: Final = 1
STUCK: Final = 2
COUNT_DECIDES: Final = 3
TOO_MUCH: Final = 4
EACH: Final = 32
"""What it costs to look at even the smallest layout, in cells made known."""


def seek_guess_free(
    layouts: ByteArray,
    shape: IntArray,
    known: IntArray,
    faces: ByteArray,
    board: IntArray,
    work: IntArray,
) -> int:
    """Play one layout after the other; return at which it stopped << 3 | why.

    `shape` holds height, width, the first and the end of the layouts, how many `known` cells there
    are (flat) with which the first layout goes on where it was left, or 0 to begin it, the first
    cell, whether to stop at a layout that is stuck, and the work after which no new layout is
    begun. Where the mine count has to decide, `faces` is what the player sees.
    """
    height = shape[0]
    width = shape[1]
    stride = width + 2
    size = (height + 4) * stride + 2
    goes_on = shape[4]
    for at in range(shape[2], shape[3]):
        if goes_on == 0:
            if board[SPENT] >= shape[7]:
                return at << 3 | NONE
            load_layout(layouts, at * height * width, height, width, board)
            begin = HEAD + TRUTH * size + 2 * stride + 2
            first = begin + shape[5] // width * stride + shape[5] % width
            if shape[6] == 0 and (
                has_indistinguishable_neighbours(begin, first, height, stride, width, 1, board)
                or has_indistinguishable_neighbours(begin, first, width, 1, height, stride, board)
            ):
                continue
            make_known(padded_index(shape[5], width), stride, size, board)
        for index in range(goes_on):
            cell = padded_index(known[index], width)
            if board[HEAD + KIND * size + cell] == UNKNOWN:
                make_known(cell, stride, size, board)
        goes_on = 0
        state = play_layout(shape[6] == 0, stride, size, board, work)
        board[BEST] = max(board[BEST], height * width - board[UNKNOWN_CELLS])
        if state > STUCK:
            write_faces(height, width, board, faces)
        if state != STUCK or shape[6]:
            return (at << 3) | state
    return int(shape[3]) << 3 | NONE


def padded_index(cell: int, width: int) -> int:
    """Return where a cell is on the padded board."""
    return (cell // width + 2) * (width + 2) + cell % width + 2


def load_layout(layouts: ByteArray, at: int, height: int, width: int, board: IntArray) -> None:
    """Cover the board whose layout, one byte a cell, begins at `at`."""
    stride = width + 2
    size = (height + 4) * stride + 2
    for cell in range(HEAD, HEAD + size):
        board[cell + KIND * size] = OPENED
        board[cell + TRUTH * size] = 0
        board[cell + UNSEEN * size] = RIM
        board[cell + MARK * size] = 0
        board[cell + OWNER * size] = 0
    mines = 0
    for row in range(height):
        cell = HEAD + (row + 2) * stride + 2
        for place in range(at + row * width, at + row * width + width):
            mine = int(layouts[place])
            mines += mine
            board[cell + TRUTH * size] = mine
            board[cell + KIND * size] = UNKNOWN
            cell += 1
    for row in range(height):
        rows = 3 - (1 if row == 0 else 0) - (1 if row == height - 1 else 0)
        cell = HEAD + TRUTH * size + (row + 2) * stride + 2
        left = 0
        here = board[cell - stride] + board[cell] + board[cell + stride]
        for col in range(width):
            cell += 1
            right = board[cell - stride] + board[cell] + board[cell + stride]
            cols = 3 - (1 if col == 0 else 0) - (1 if col == width - 1 else 0)
            board[cell - 1 + (LACK - TRUTH) * size] = left + here + right
            board[cell - 1 + (HINT - TRUTH) * size] = left + here + right
            board[cell - 1 + (UNSEEN - TRUTH) * size] = rows * cols
            left = here
            here = right
    board[SPENT] += EACH + height * width // 2
    board[UNKNOWN_CELLS] = height * width
    board[UNKNOWN_MINES] = mines
    board[TOP] = 0
    board[PAIRS] = 0
    board[WHOLES] = 0


def has_indistinguishable_neighbours(
    begin: int, first: int, lines: int, across: int, length: int, along: int, board: IntArray
) -> bool:
    """Return whether some neighbours, one of them a mine, can never be told apart.

    All cells that touch only one of the two are mines, so that no number ever sees a difference. A
    third of all expert boards have such a pair, and this is found soon. The first cell is given.
    """
    for line in range(lines):
        full = 3 - (1 if line == 0 else 0) - (1 if line == lines - 1 else 0)
        cell = begin + line * across
        before = full
        left = full
        here = board[cell - across] + board[cell] + board[cell + across]
        for place in range(length):
            after = cell + along
            right = full
            if place < length - 1:
                right = board[after - across] + board[after] + board[after + across]
            if (
                right == full
                and before == full
                and place > 0
                and board[cell] != board[cell - along]
                and cell != first
                and after - 2 * along != first
            ):
                return True
            before = left
            left = here
            here = right
            cell = after
    return False


def write_faces(height: int, width: int, board: IntArray, faces: ByteArray) -> None:
    """Write what the player sees: numbers, and covered cells."""
    stride = width + 2
    size = (height + 4) * stride + 2
    for row in range(height):
        cell = HEAD + (row + 2) * stride + 2
        for place in range(row * width, row * width + width):
            opened = board[cell + KIND * size] == OPENED
            faces[place] = board[cell + HINT * size] if opened else COVERED
            cell += 1


def play_layout(
    stop_when_hopeless: bool, stride: int, size: int, board: IntArray, work: IntArray
) -> int:
    """Prove cells until the board is solved, stuck, or too much.

    With `stop_when_hopeless` it ends as soon as the board is sure to be stuck later.
    """
    while True:
        follow_single_numbers(stride, size, board)
        if board[UNKNOWN_CELLS] == board[UNKNOWN_MINES]:
            return SOLVED
        if board[PAIRS] > 0:
            board[PAIRS] -= 1
            number = board[HEAD + PAIR_LIST * size + board[PAIRS]]
            board[HEAD + MARK * size + number] &= ~IN_PAIRS
            if board[HEAD + UNSEEN * size + number] > 0:
                compare_with_neighbours(number, stride, size, board)
        elif board[WHOLES] > 0:
            board[WHOLES] -= 1
            number = board[HEAD + WHOLE_LIST * size + board[WHOLES]]
            mark = board[HEAD + MARK * size + number]
            board[HEAD + MARK * size + number] = mark & ~IN_WHOLES
            if mark & UNEXAMINED > 0 and board[HEAD + UNSEEN * size + number] > 0:
                proven = examine_component(number, stride, size, board, work)
                if proven == BEYOND:
                    # Nothing is known of it, so it stays listed: the solver has to be asked again.
                    board[HEAD + MARK * size + number] |= IN_WHOLES | UNEXAMINED
                    board[WHOLES] += 1
                    return TOO_MUCH
                if proven == HOPELESS and stop_when_hopeless:
                    return STUCK
        else:
            return COUNT_DECIDES if mine_count_may_help(size, board) else STUCK


def follow_single_numbers(stride: int, size: int, board: IntArray) -> None:
    """Let single numbers settle their cells."""
    while board[TOP] > 0:
        board[TOP] -= 1
        number = board[HEAD + STACKED * size + board[TOP]]
        if board[HEAD + UNSEEN * size + number] <= 0:
            continue
        for line in range(number - stride, number + stride + 1, stride):
            for cell in range(line - 1, line + 2):
                if board[HEAD + KIND * size + cell] == UNKNOWN:
                    make_known(cell, stride, size, board)


def compare_with_neighbours(number: int, stride: int, size: int, board: IntArray) -> None:
    """Compare a number with those whose cells it may share; if none helps, list it for later."""
    kind = HEAD + KIND * size
    unseen = HEAD + UNSEEN * size
    lack = HEAD + LACK * size
    room = board[unseen + number]
    asks = board[lack + number]
    for row in range(-2, 3):
        for col in range(-2, 3):
            other = number + row * stride + col
            if board[unseen + other] <= 0 or board[kind + other] != OPENED:
                continue
            # The mines it has more, or fewer, have to fill all that the two do not share.
            more = board[lack + other] - asks
            wanted = board[unseen + other] - more if more >= 0 else room + more
            if wanted > (3 - abs(row)) * (3 - abs(col)) or wanted > room:
                continue
            shared = 0
            for line in range(max(row, 0) - 1, min(row, 0) + 2):
                begin = kind + number + line * stride
                for cell in range(begin + max(col, 0) - 1, begin + min(col, 0) + 2):
                    shared += 1 if board[cell] == UNKNOWN else 0
            fits = shared == wanted or (more == 0 and shared == room)
            if fits and 2 * shared < room + board[unseen + other]:
                settle_unshared_cells(number, row, col, stride, size, board)
                settle_unshared_cells(other, -row, -col, stride, size, board)
                list_for_comparison(number, size, board)
                return
    mark = board[HEAD + MARK * size + number]
    if mark & IN_WHOLES == 0 and mark & UNEXAMINED:
        board[HEAD + MARK * size + number] = mark | IN_WHOLES
        board[HEAD + WHOLE_LIST * size + board[WHOLES]] = number
        board[WHOLES] += 1


def list_for_comparison(number: int, size: int, board: IntArray) -> None:
    """List a number that may have more to say."""
    if board[HEAD + MARK * size + number] & IN_PAIRS == 0:
        board[HEAD + MARK * size + number] |= IN_PAIRS
        board[HEAD + PAIR_LIST * size + board[PAIRS]] = number
        board[PAIRS] += 1


def settle_unshared_cells(
    number: int, row: int, col: int, stride: int, size: int, board: IntArray
) -> None:
    """Settle the cells of a number that it does not share with the one `row`, `col` from it."""
    for down in range(-1, 2):
        for right in range(-1, 2):
            cell = number + down * stride + right
            apart = abs(down - row) > 1 or abs(right - col) > 1
            if apart and board[HEAD + KIND * size + cell] == UNKNOWN:
                make_known(cell, stride, size, board)


def mine_count_may_help(size: int, board: IntArray) -> bool:
    """Return whether the mine count can tell anything that the components do not."""
    sea = board[UNKNOWN_CELLS]
    fewest = 0
    most = 0
    for cell in range(size):
        if (
            board[HEAD + UNSEEN * size + cell] > 0
            and board[HEAD + OWNER * size + cell] == cell
            and board[HEAD + KIND * size + cell] == OPENED
        ):
            span = board[HEAD + SPAN * size + cell]
            sea -= span >> 40
            most += (span >> 20) & 0xFFFFF
            fewest += span & 0xFFFFF
    left = board[UNKNOWN_MINES]
    if fewest < left - sea or most > left:
        return True
    return bool(sea > 0 and fewest == most and left in (fewest, fewest + sea))
