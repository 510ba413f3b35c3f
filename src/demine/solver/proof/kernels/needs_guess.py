"""Whether layouts need a guess: each is played from its first cell, by proofs alone.

The layout is known here, but a cell is made known only when the opened numbers, or the mine count,
leave no choice. Three kinds of proof are tried, the cheapest first: one number, two numbers, all
numbers of a component. If none helps, the mine count might: that is left to the caller.

`board` begins with a few single items, followed by parts as long as the padded board
(`board_state`). It has two rows of rim above and below and two cells between rows, so that cells
two steps away are always inside it.
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
from demine.solver.proof.kernels.component_proof import settle_component

if TYPE_CHECKING:
    from demine.kernels.array_types import ByteArray, IntArray
    from demine.solver.proof.kernels.return_types import LayoutState, PackedIndexAndState

NOT_FOUND: Final = 0
SOLVED: Final = 1
STUCK: Final = 2
COUNT_DECIDES: Final = 3
TOO_COMPLEX: Final = 4
LAYOUT_COST: Final = 32
"""The cost of beginning even the smallest layout, in cells made known."""


def seek_guess_free_layout(
    layouts: ByteArray,
    settings: IntArray,
    known: IntArray,
    faces: ByteArray,
    board: IntArray,
    work: IntArray,
) -> PackedIndexAndState:
    """Play layouts one after the other; return `index << 3 | reason` of where it stopped.

    `settings` are the height, the width, the first layout and the end of the layouts, how many
    `known` cells there are, the first cell, whether to stop at a layout that gets stuck, and the
    work after which no new layout is begun. With `known` cells (flat indices) the first layout is
    continued, as if they had been proven; with none it is begun. If the mine count has to decide,
    `faces` is set to what the player sees.
    """
    height = settings[0]
    width = settings[1]
    stride = width + 2
    size = (height + 4) * stride + 2
    known_count = settings[4]
    for layout in range(settings[2], settings[3]):
        if known_count == 0:
            if board[SPENT] >= settings[7]:
                return layout << 3 | NOT_FOUND
            load_layout(layouts, layout * height * width, height, width, board)
            origin = HEAD + TRUTH * size + 2 * stride + 2
            first = origin + settings[5] // width * stride + settings[5] % width
            if settings[6] == 0 and (
                has_indistinguishable_neighbours(origin, first, height, stride, width, 1, board)
                or has_indistinguishable_neighbours(origin, first, width, 1, height, stride, board)
            ):
                continue
            make_known(padded_index(settings[5], width), stride, size, board)
        for index in range(known_count):
            cell = padded_index(known[index], width)
            if board[HEAD + KIND * size + cell] == UNKNOWN:
                make_known(cell, stride, size, board)
        known_count = 0
        state = play_layout(settings[6] == 0, stride, size, board, work)
        board[BEST] = max(board[BEST], height * width - board[UNKNOWN_CELLS])
        if state > STUCK:
            write_faces(height, width, board, faces)
        if state != STUCK or settings[6]:
            return (layout << 3) | state
    return int(settings[3]) << 3 | NOT_FOUND


def padded_index(cell: int, width: int) -> int:
    """Return the index of a cell on the padded board."""
    return (cell // width + 2) * (width + 2) + cell % width + 2


def load_layout(
    layouts: ByteArray, first_byte: int, height: int, width: int, board: IntArray
) -> None:
    """Begin a covered board with the layout, one byte a cell, that begins at `first_byte`."""
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
        for place in range(first_byte + row * width, first_byte + row * width + width):
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
    board[SPENT] += LAYOUT_COST + height * width // 2
    board[UNKNOWN_CELLS] = height * width
    board[UNKNOWN_MINES] = mines
    board[TOP] = 0
    board[PAIRS] = 0
    board[WHOLES] = 0


def has_indistinguishable_neighbours(
    origin: int,
    first_cell: int,
    line_count: int,
    line_step: int,
    line_length: int,
    cell_step: int,
    board: IntArray,
) -> bool:
    """Return whether two neighbours in a line, one of them a mine, can never be told apart.

    All cells that touch only one of the two are mines, so that no number ever shows a difference. A
    third of all expert boards have such a pair, and this test is fast. `first_cell` is given, so it
    never counts.
    """
    for line in range(line_count):
        full = 3 - (1 if line == 0 else 0) - (1 if line == line_count - 1 else 0)
        cell = origin + line * line_step
        before = full
        left = full
        here = board[cell - line_step] + board[cell] + board[cell + line_step]
        for place in range(line_length):
            after = cell + cell_step
            right = full
            if place < line_length - 1:
                right = board[after - line_step] + board[after] + board[after + line_step]
            if (
                right == full
                and before == full
                and place > 0
                and board[cell] != board[cell - cell_step]
                and cell != first_cell
                and after - 2 * cell_step != first_cell
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
) -> LayoutState:
    """Prove cells until the board is solved, stuck or too complex; return which.

    With `stop_when_hopeless` it ends as soon as it is certain to get stuck later.
    """
    while True:
        settle_by_single_number(stride, size, board)
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
                proven = settle_component(number, stride, size, board, work)
                if proven == BEYOND:
                    # Nothing was found out, so it stays listed: the solver must be asked again.
                    board[HEAD + MARK * size + number] |= IN_WHOLES | UNEXAMINED
                    board[WHOLES] += 1
                    return TOO_COMPLEX
                if proven == HOPELESS and stop_when_hopeless:
                    return STUCK
        else:
            return COUNT_DECIDES if mine_count_may_help(size, board) else STUCK


def settle_by_single_number(stride: int, size: int, board: IntArray) -> None:
    """Make known all cells that single numbers prove."""
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
    """Compare a number with those nearby; if that proves nothing, list its component for later."""
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
            # The mines that one needs more than the other must fill all cells it does not share.
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
    """List a number to be compared with those nearby."""
    if board[HEAD + MARK * size + number] & IN_PAIRS == 0:
        board[HEAD + MARK * size + number] |= IN_PAIRS
        board[HEAD + PAIR_LIST * size + board[PAIRS]] = number
        board[PAIRS] += 1


def settle_unshared_cells(
    number: int, rows_off: int, cols_off: int, stride: int, size: int, board: IntArray
) -> None:
    """Make known the cells of a number that are not beside the number at a given distance."""
    for down in range(-1, 2):
        for right in range(-1, 2):
            cell = number + down * stride + right
            apart = abs(down - rows_off) > 1 or abs(right - cols_off) > 1
            if apart and board[HEAD + KIND * size + cell] == UNKNOWN:
                make_known(cell, stride, size, board)


def mine_count_may_help(size: int, board: IntArray) -> bool:
    """Return whether the mine count may prove something that the components do not."""
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
