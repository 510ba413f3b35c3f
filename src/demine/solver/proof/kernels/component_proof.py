"""What all numbers of a component prove together, without the mine count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.solver.exact.kernels.box_order import farthest_box, order_component
from demine.solver.exact.kernels.component_states import (
    assign_number_bits,
    find_or_add_state,
    free_number_bits,
)
from demine.solver.exact.kernels.offsets import (
    AFTER,
    BEFORE,
    BESIDE,
    BEYOND,
    BOXES,
    COUNT,
    DONE,
    END,
    FIRST,
    FIRST_SLOTS,
    FREE,
    KEY,
    LAYER,
    LENGTH,
    MOVE,
    MOVED,
    MOVES,
    NEED,
    NUMBERS,
    ORDER,
    PADDED,
    PLACE,
    ROOM,
    SECOND,
    SHIFT,
    SIZE,
    SLOT,
    SLOTS,
    SPACE,
    STAMP,
    STATES,
    TABLE,
    WAITING,
)
from demine.solver.proof.kernels.board_state import (
    BOXED,
    FEWEST,
    HEAD,
    HOPELESS,
    KIND,
    LACK,
    LIVE,
    MARK,
    MOST,
    NAMED,
    ONE_STAMP,
    OPENED,
    OWNER,
    SPAN,
    SPENT,
    STAMPED,
    UNEXAMINED,
    UNKNOWN,
    UNSEEN,
    make_known,
)

if TYPE_CHECKING:
    from demine.kernels.array_types import IntArray
    from demine.solver.proof.kernels.return_types import (
        CountOrCode,
        NumberCount,
        PackedCountAndKey,
        PackedCounts,
    )


def settle_component(
    number: int, stride: int, size: int, board: IntArray, work: IntArray
) -> CountOrCode:
    """Make known what the component of a number proves; return how many cells.

    If it proves nothing, its mine range is noted. If moreover no other unknown cell touches it and
    all its layouts have the same number of mines, nothing will ever settle it: it is `HOPELESS`.
    """
    found = assemble_component(number, stride, size, board, work)
    numbers = found >> 20
    boxes = found & 0xFFFFF
    if found < 0 or find_component_states(boxes, work, board) < 0:
        return BEYOND
    note_possible_contents(boxes, work)
    proven = settle_certain_boxes(numbers, stride, size, board, work)
    if proven == 0:
        note_mine_range(number, numbers, boxes, size, board, work)
        last = work[END + boxes - 1] - 1
        if work[FEWEST + last] == work[MOST + last] and is_component_sealed(
            numbers, stride, size, board, work
        ):
            return HOPELESS
    return proven


def assemble_component(
    number: int, stride: int, size: int, board: IntArray, work: IntArray
) -> PackedCounts:
    """List the numbers and boxes of a component; return how many there are of each."""
    kind = HEAD + KIND * size
    boxed = HEAD + BOXED * size
    board[STAMPED] += ONE_STAMP
    stamp = board[STAMPED]
    numbers = index_number(number, 0, size, board, work)
    boxes = 0
    at = 0
    while at < numbers:
        place = work[ROOM + at]
        begin = boxes
        for near in range(9):
            cell = place + (near // 3 - 1) * stride + near % 3 - 1
            if board[kind + cell] != UNKNOWN or board[boxed + cell] >= stamp:
                continue
            if boxes == BOXES - 1 or numbers > PADDED - 9:
                return BEYOND
            found = index_numbers_around(near, cell, numbers, stride, size, board, work)
            numbers = found >> 32
            key = found & 0xFFFFFFFF
            box = begin
            while box < boxes and work[KEY + box] != key:
                box += 1
            if box == boxes:
                boxes += 1
                begin_box(box, key, cell, stride, size, board, work)
            board[boxed + cell] = stamp + box
            work[SIZE + box] += 1
        at += 1
    return (numbers << 20) | boxes


def index_number(
    number: int, numbers: int, size: int, board: IntArray, work: IntArray
) -> NumberCount:
    """Give a number of a component the next index, with what it lacks; return the new count."""
    board[HEAD + NAMED * size + number] = board[STAMPED] + numbers
    board[HEAD + MARK * size + number] &= ~UNEXAMINED
    work[ROOM + numbers] = number
    work[PLACE + numbers] = numbers
    work[NEED + numbers] = board[HEAD + LACK * size + number]
    work[SPACE + numbers] = board[HEAD + UNSEEN * size + number]
    work[LENGTH + numbers] = 0
    work[SLOT + numbers] = -1
    return numbers + 1


def index_numbers_around(
    direction: int, cell: int, numbers: int, stride: int, size: int, board: IntArray, work: IntArray
) -> PackedCountAndKey:
    """Index the numbers around a cell; return the new count and the key of the cell's box.

    The key says, as bits, where these numbers lie relative to the number that found the cell.
    `direction`, 0 to 8, is where the cell lies in the 3x3 block of that number.
    """
    kind = HEAD + KIND * size
    unseen = HEAD + UNSEEN * size
    named = HEAD + NAMED * size
    key = 0
    for far in range(9):
        other = cell + (far // 3 - 1) * stride + far % 3 - 1
        if board[unseen + other] > 0 and board[kind + other] == OPENED:
            key |= 1 << ((direction // 3 + far // 3) * 5 + direction % 3 + far % 3)
            if board[named + other] < board[STAMPED]:
                numbers = index_number(other, numbers, size, board, work)
    return (numbers << 32) | key


def begin_box(
    box: int, key: int, cell: int, stride: int, size: int, board: IntArray, work: IntArray
) -> None:
    """Begin a box with the numbers around one of its cells."""
    work[KEY + box] = key
    work[SIZE + box] = 0
    work[DONE + box] = 0
    count = 0
    for line in range(cell - stride, cell + stride + 1, stride):
        for other in range(line - 1, line + 2):
            if board[HEAD + UNSEEN * size + other] > 0 and board[HEAD + KIND * size + other] == 0:
                at = board[HEAD + NAMED * size + other] - board[STAMPED]
                work[NUMBERS + 8 * box + count] = at
                work[BESIDE + 8 * at + work[LENGTH + at]] = box
                work[LENGTH + at] += 1
                work[WAITING + at] = work[LENGTH + at]
                count += 1
    work[COUNT + box] = count


def find_component_states(boxes: int, work: IntArray, board: IntArray) -> CountOrCode:
    """Find the states of a component, each with its mine range; return where they end."""
    order_component(farthest_box(0, work), 0, work)
    free = SLOTS
    for slot in range(SLOTS):
        work[FREE + slot] = SLOTS - 1 - slot
    work[MOVE] = 0
    work[FIRST] = 0
    work[SECOND] = 0
    work[FEWEST] = 0
    work[MOST] = 0
    begin = 0
    end = 1
    for turn in range(boxes):
        free = assign_number_bits(work[ORDER + turn], free, begin, end, work)
        if free < 0:
            return BEYOND
        work[BEFORE + turn] = begin
        work[AFTER + turn] = end
        begin = end
        end = extend_states_by_box(turn, work)
        if end <= begin:
            return BEYOND
        work[END + turn] = end
        free = free_number_bits(work[ORDER + turn], free, work)
    board[SPENT] += end
    return end


def extend_states_by_box(turn: int, work: IntArray) -> CountOrCode:
    """Add the states after one more box, with its possible mine counts; return where they end."""
    box = work[ORDER + turn]
    count = work[COUNT + box]
    one = 0
    other = 0
    for index in range(count):
        slot = work[SLOT + work[NUMBERS + 8 * box + index]]
        work[SHIFT + index] = 4 * slot
        if slot < FIRST_SLOTS:
            one -= 1 << 4 * slot
        else:
            other -= 1 << 4 * (slot - FIRST_SLOTS)
    work[STAMP] += 1
    move = work[MOVE + turn]
    end: int = work[AFTER + turn]
    for state in range(work[BEFORE + turn], work[AFTER + turn]):
        first = work[FIRST + state]
        second = work[SECOND + state]
        least = 0
        most = work[SIZE + box]
        for index in range(count):
            shift = work[SHIFT + index]
            if shift < 4 * FIRST_SLOTS:
                need = (first >> shift) & 15
            else:
                need = (second >> (shift - 4 * FIRST_SLOTS)) & 15
            most = min(most, need)
            least = max(least, need - work[SPACE + work[NUMBERS + 8 * box + index]])
        for mines in range(least, most + 1):
            target = find_or_add_state(
                first + mines * one, second + mines * other, end, TABLE - 1, work
            )
            fewest = work[FEWEST + state] + mines
            highest = work[MOST + state] + mines
            if target == end:
                end += 1
                if end >= STATES or end - work[AFTER + turn] > LAYER:
                    return BEYOND
                work[FEWEST + target] = fewest
                work[MOST + target] = highest
            else:
                work[FEWEST + target] = min(fewest, work[FEWEST + target])
                work[MOST + target] = max(highest, work[MOST + target])
            if move >= MOVES:
                return BEYOND
            work[MOVED + move] = (state << 24) | (target << 4) | mines
            move += 1
    work[MOVE + turn + 1] = move
    return end


def note_possible_contents(boxes: int, work: IntArray) -> None:
    """Note in the `KEY` of each box what it may hold in a layout: 1 safe cells, 2 mines, 3 both."""
    last = work[END + boxes - 1] - 1
    for state in range(last):
        work[LIVE + state] = 0
    work[LIVE + last] = 1
    for turn in range(boxes - 1, -1, -1):
        box = work[ORDER + turn]
        size = work[SIZE + box]
        fate = 0
        for move in range(work[MOVE + turn], work[MOVE + turn + 1]):
            packed = work[MOVED + move]
            if work[LIVE + ((packed >> 4) & 0xFFFFF)]:
                work[LIVE + (packed >> 24)] = 1
                mines = packed & 15
                fate |= (1 if mines < size else 0) | (2 if mines > 0 else 0)
        work[KEY + box] = fate


def settle_certain_boxes(
    numbers: int, stride: int, size: int, board: IntArray, work: IntArray
) -> int:
    """Make known the cells of boxes that hold only mines or only safe cells; return how many."""
    stamp = board[STAMPED]
    proven = 0
    for at in range(numbers):
        number = work[ROOM + at]
        for line in range(number - stride, number + stride + 1, stride):
            for cell in range(line - 1, line + 2):
                if board[HEAD + KIND * size + cell] != UNKNOWN:
                    continue
                if work[KEY + board[HEAD + BOXED * size + cell] - stamp] < 3:
                    make_known(cell, stride, size, board)
                    proven += 1
    return proven


def is_component_sealed(
    numbers: int, stride: int, size: int, board: IntArray, work: IntArray
) -> bool:
    """Return whether no cell of a component touches an unknown cell outside it."""
    kind = HEAD + KIND * size
    stamp = board[STAMPED]
    for at in range(numbers):
        number = work[ROOM + at]
        for line in range(number - stride, number + stride + 1, stride):
            for cell in range(line - 1, line + 2):
                if board[kind + cell] != UNKNOWN:
                    continue
                for near in range(9):
                    other = cell + (near // 3 - 1) * stride + near % 3 - 1
                    outside = board[HEAD + BOXED * size + other] < stamp
                    if outside and board[kind + other] == UNKNOWN:
                        return False
    return True


def note_mine_range(
    owner: int, numbers: int, boxes: int, size: int, board: IntArray, work: IntArray
) -> None:
    """Note at a number how many cells its component has, and its fewest and most mines.

    It becomes the `OWNER` that all numbers of the component refer to.
    """
    cells = 0
    for box in range(boxes):
        cells += work[SIZE + box]
    last = work[END + boxes - 1] - 1
    board[HEAD + SPAN * size + owner] = (
        (cells << 40) | (work[MOST + last] << 20) | work[FEWEST + last]
    )
    for at in range(numbers):
        board[HEAD + OWNER * size + work[ROOM + at]] = owner
