"""Many boards played at once, 64 cells to a word: the rules of `demine.logic` in another form.

A board's mines, open cells, flags and blown mines are planes of words, one word a row: column `c`
is its bit `c + 1`, and an empty row lies above and below. Faces and masks of legal actions are kept
up to date, so that an act touches what it changes and nothing else. A test plays the same acts by
`demine.logic` and compares.

Mines are laid at the first opening, from the stream of numbers that the board's seed and index
begin (SplitMix64, G. Steele and others, 2014): whatever else is played, in whichever order, they
are the same. All arithmetic of words wraps: call interpreted kernels within
`numpy.errstate(over="ignore")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.envs.kernels import (
    BLOWN,
    BLOWN_PLANE,
    COUNTS,
    FIRST_FREE,
    FLAG_PLANE,
    FLAGS,
    FLAGS_HOLD,
    FOR_CELL,
    FOR_LOSS,
    FOR_REFUSED,
    FOR_WIN,
    GOAL_IS_FLAGS,
    HEIGHT,
    INDEX,
    INVALID_ENDS,
    LAID,
    LIVES,
    LOST,
    MINE_PLANE,
    MINES,
    OPEN_PLANE,
    OPENED,
    PLANES,
    PLAYED,
    READY,
    REFUSED,
    RESET,
    RIGHT_FLAGS,
    RUNNING,
    STATUS,
    VERBS,
    WIDTH,
    WON,
)
from demine.kernels.inlined import inlined
from demine.logic.kernels.words import count_bits, spread_in_runs
from demine.scene.cell_faces import Face

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Words: TypeAlias = NDArray[np.uint64]

_0: Final = np.uint64(0)
_1: Final = np.uint64(1)
_2: Final = np.uint64(2)
_3: Final = np.uint64(3)
_4: Final = np.uint64(4)
_6: Final = np.uint64(6)
_7: Final = np.uint64(7)
_32: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFF_FFFF)
_OVER: Final = np.uint64(1 << 32)
_STEP: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
_MIX_A: Final = np.uint64(0xBF58_476D_1CE4_E5B9)
_MIX_B: Final = np.uint64(0x94D0_49BB_1331_11EB)
_30: Final = np.uint64(30)
_27: Final = np.uint64(27)
_31: Final = np.uint64(31)
_CENTRE: Final = np.uint64(1 << 4)
"""The cell itself among the nine."""
_BITS_OF_9: Final = np.array([each.bit_count() for each in range(512)], np.uint8)
"""How many of nine bits are set."""

_TRIES: Final = 16
"""How many actions are drawn before the legal ones are counted."""

# Kernels want plain numbers.
_COVERED: Final = int(Face.COVERED)
_FLAG: Final = int(Face.FLAG)
_MINE: Final = int(Face.MINE)
_BLOWN: Final = int(Face.BLOWN)
_WRONG: Final = int(Face.WRONG)


class Boards(NamedTuple):
    """The arrays of all boards, as `BoardBatch` has them; `scratch` is for two rows' words each."""

    settings: NDArray[np.int64]
    words: NDArray[np.uint64]
    counts: NDArray[np.int64]
    faces: NDArray[np.uint8]
    masks: NDArray[np.int8]
    scratch: NDArray[np.uint64]


class Place(NamedTuple):
    """Where one board begins in each array."""

    words: int
    counts: int
    faces: int
    masks: int


def play_boards(  # noqa: PLR0913, PLR0917 - all that a kernel reads and writes comes from outside
    settings: NDArray[np.int64],
    words: NDArray[np.uint64],
    counts: NDArray[np.int64],
    faces: NDArray[np.uint8],
    masks: NDArray[np.int8],
    scratch: NDArray[np.uint64],
    seeds: NDArray[np.uint64],
    weights: NDArray[np.float64],
    actions: NDArray[np.int64],
    resets: bool,
    opened: NDArray[np.int32],
    outcomes: NDArray[np.int8],
    rewards: NDArray[np.float64],
    ended: NDArray[np.bool_],
) -> None:
    """Play an action on each board.

    A board whose game is over gets a new game in place of the action if `resets`, and refuses it
    otherwise. Of each board are written: how many safe cells the action opened, what became of it,
    its reward, and whether its game is over. `scratch` has two words for each row of a board, its
    empty ones included.
    """
    boards = Boards(settings, words, counts, faces, masks, scratch)
    for number in range(actions.size):
        place = _place(number, settings)
        status = place.counts + STATUS
        opened[number], rewards[number], ended[number] = 0, 0.0, False
        if resets and counts[status] >= WON:
            _reset_board(boards, place)
            outcomes[number] = RESET
            continue
        before = counts[place.counts + OPENED]
        outcomes[number] = _play(boards, place, actions[number], seeds[number])
        if outcomes[number] == PLAYED:
            _judge(boards, place)
            opened[number] = counts[place.counts + OPENED] - before
            rewards[number] = weights[FOR_CELL] * opened[number]
            if counts[status] == WON:
                rewards[number] += weights[FOR_WIN]
            elif counts[status] == LOST:
                rewards[number] += weights[FOR_LOSS]
        else:
            rewards[number] = weights[FOR_REFUSED]
            if settings[INVALID_ENDS] == 1:
                counts[status] = LOST
                _forbid_all(boards, place)
        ended[number] = counts[status] >= WON


def reset_boards(
    settings: NDArray[np.int64],
    words: NDArray[np.uint64],
    counts: NDArray[np.int64],
    faces: NDArray[np.uint8],
    masks: NDArray[np.int8],
    scratch: NDArray[np.uint64],
    which: NDArray[np.bool_],
) -> None:
    """Begin the next game on each board that `which` names."""
    boards = Boards(settings, words, counts, faces, masks, scratch)
    for number in range(which.size):
        if which[number]:
            _reset_board(boards, _place(number, settings))


def sample_actions(
    settings: NDArray[np.int64],
    masks: NDArray[np.int8],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Draw a legal action for each board, all with the same chance; 0 where none is legal.

    `streams` has the state of each board's stream of numbers, which goes on.
    """
    size = settings[HEIGHT] * settings[WIDTH] * settings[VERBS]
    for number in range(actions.size):
        streams[number], actions[number] = _drawn_action(
            masks, number * size, size, streams[number]
        )


@inlined
def _place(number: int, settings: NDArray[np.int64]) -> Place:
    cells = settings[HEIGHT] * settings[WIDTH]
    words = PLANES * (settings[HEIGHT] + 2)
    return Place(number * words, number * COUNTS, number * cells, number * cells * settings[VERBS])


@inlined
def _reset_board(boards: Boards, place: Place) -> None:
    """Cover a board, whose mines are laid later, and count it."""
    settings, counts = boards.settings, boards.counts
    index = counts[place.counts + INDEX] + 1
    for at in range(place.words, place.words + PLANES * (settings[HEIGHT] + 2)):
        boards.words[at] = _0
    for at in range(place.counts, place.counts + COUNTS):
        counts[at] = 0
    counts[place.counts + INDEX] = index
    cells = settings[HEIGHT] * settings[WIDTH]
    for at in range(place.faces, place.faces + cells):
        boards.faces[at] = _COVERED
    for at in range(place.masks, place.masks + cells * min(settings[VERBS], 2)):
        boards.masks[at] = 1
    for at in range(place.masks + 2 * cells, place.masks + cells * settings[VERBS]):
        boards.masks[at] = 0


# Acts


@inlined
def _play(boards: Boards, place: Place, action: int, seed: np.uint64) -> int:
    """Play an action on one board; return what became of it."""
    settings = boards.settings
    cells = settings[HEIGHT] * settings[WIDTH]
    is_over = boards.counts[place.counts + STATUS] >= WON
    if is_over or action < 0 or action >= cells * settings[VERBS]:
        return REFUSED
    if action < cells:
        return _open(boards, place, action, seed)
    if action < 2 * cells:
        return _flag(boards, place, action - cells)
    return _chord(boards, place, action - 2 * cells)


@inlined
def _open(boards: Boards, place: Place, cell: int, seed: np.uint64) -> int:
    """Open a cell, on a new board after its mines were laid; return what became of it."""
    counts = boards.counts
    row, col = cell // boards.settings[WIDTH] + 1, cell % boards.settings[WIDTH]
    seen = _row(boards, place, OPEN_PLANE, row) | _row(boards, place, BLOWN_PLANE, row)
    if (seen | _row(boards, place, FLAG_PLANE, row)) >> np.uint64(col + 1) & _1 != _0:
        return REFUSED
    if counts[place.counts + LAID] == 0:
        _lay_mines(boards, place, row, col, seed)
    if counts[place.counts + STATUS] == READY:
        counts[place.counts + STATUS] = RUNNING
    _open_covered(boards, place, row, col)
    return PLAYED


@inlined
def _flag(boards: Boards, place: Place, cell: int) -> int:
    """Set a flag or remove it; return what became of that."""
    words, counts = boards.words, boards.counts
    row, col = cell // boards.settings[WIDTH] + 1, cell % boards.settings[WIDTH]
    bit = _2 << np.uint64(col)
    seen = _row(boards, place, OPEN_PLANE, row) | _row(boards, place, BLOWN_PLANE, row)
    if seen & bit != _0:
        return REFUSED
    flags = _word(boards, place, FLAG_PLANE, row)
    words[flags] ^= bit
    is_set = 1 if words[flags] & bit != _0 else 0
    counts[place.counts + FLAGS] += 2 * is_set - 1
    if _row(boards, place, MINE_PLANE, row) & bit != _0:
        counts[place.counts + RIGHT_FLAGS] += 2 * is_set - 1
    boards.faces[place.faces + cell] = _FLAG if is_set == 1 else _COVERED
    boards.masks[place.masks + cell] = 1 - is_set
    return PLAYED


@inlined
def _chord(boards: Boards, place: Place, cell: int) -> int:
    """Open what is left around a number that has its flags; return what became of that."""
    height, width = boards.settings[HEIGHT], boards.settings[WIDTH]
    row, col = cell // width + 1, cell % width
    if not _can_chord(boards, place, row, col):
        return REFUSED
    for near_row in range(max(row - 1, 1), min(row + 2, height + 1)):
        # Before anything opens, which may take wrong flags away.
        flags = _row(boards, place, FLAG_PLANE, near_row)
        known = flags | _row(boards, place, BLOWN_PLANE, near_row)
        for near_col in range(max(col - 1, 0), min(col + 2, width)):
            left = ~(known | _row(boards, place, OPEN_PLANE, near_row))
            if left >> np.uint64(near_col + 1) & _1 != _0:
                _open_covered(boards, place, near_row, near_col)
    return PLAYED


@inlined
def _can_chord(boards: Boards, place: Place, row: int, col: int) -> bool:
    """Return whether a cell is open, has its mines flagged or blown, and has others to open."""
    opens = _nine(boards, place, OPEN_PLANE, row, col)
    if opens & _CENTRE == _0:
        return False
    flags = _nine(boards, place, FLAG_PLANE, row, col)
    known = flags | _nine(boards, place, BLOWN_PLANE, row, col)
    if _BITS_OF_9[known] != _BITS_OF_9[_nine(boards, place, MINE_PLANE, row, col)]:
        return False
    return bool(_nine_inside(boards.settings, row, col) & ~(known | opens) != _0)


# Rows of bits


@inlined
def _word(boards: Boards, place: Place, plane: int, row: int) -> int:
    """Return where the word of a row is; rows count from 1."""
    at: int = place.words + plane * (boards.settings[HEIGHT] + 2) + row
    return at


@inlined
def _row(boards: Boards, place: Place, plane: int, row: int) -> np.uint64:
    word: np.uint64 = boards.words[_word(boards, place, plane, row)]
    return word


@inlined
def _nine(boards: Boards, place: Place, plane: int, row: int, col: int) -> np.uint64:
    """Return the bits of a cell and its neighbours, from that above on the left."""
    shift, words = np.uint64(col), boards.words
    at = _word(boards, place, plane, row)
    above, here, below = words[at - 1] >> shift, words[at] >> shift, words[at + 1] >> shift
    nine: np.uint64 = above & _7 | (here & _7) << _3 | (below & _7) << _6
    return nine


@inlined
def _nine_inside(settings: NDArray[np.int64], row: int, col: int) -> np.uint64:
    """Return which of a cell and its neighbours are on the board, as `_nine` has them."""
    three = _7
    if col == 0:
        three &= ~_1
    if col == settings[WIDTH] - 1:
        three &= ~_4
    inside = three << _3
    if row > 1:
        inside |= three
    if row < settings[HEIGHT]:
        inside |= three << _6
    return inside


@inlined
def _full_row(settings: NDArray[np.int64]) -> np.uint64:
    """Return the bits of all columns."""
    return ((_1 << np.uint64(settings[WIDTH])) - _1) << _1


@inlined
def _wider(word: np.uint64) -> np.uint64:
    """Return the bits and their neighbours."""
    return word | word << _1 | word >> _1


@inlined
def _open_covered(boards: Boards, place: Place, row: int, col: int) -> None:
    """Open a covered cell without a flag: a mine, a number or an opening."""
    counts, bit = boards.counts, _2 << np.uint64(col)
    cell = (row - 1) * boards.settings[WIDTH] + col
    if _row(boards, place, MINE_PLANE, row) & bit != _0:
        boards.words[_word(boards, place, BLOWN_PLANE, row)] |= bit
        counts[place.counts + BLOWN] += 1
        boards.faces[place.faces + cell] = _BLOWN
        boards.masks[place.masks + cell] = 0
        return
    number = _BITS_OF_9[_nine(boards, place, MINE_PLANE, row, col)]
    if number == 0:
        _open_opening(boards, place, row, bit)
        return
    boards.words[_word(boards, place, OPEN_PLANE, row)] |= bit
    counts[place.counts + OPENED] += 1
    boards.faces[place.faces + cell] = number
    boards.masks[place.masks + cell] = 0


@inlined
def _open_opening(boards: Boards, place: Place, row: int, bit: np.uint64) -> None:
    """Open an opening from one of its zeros; flags in it were wrong and go, unless they hold."""
    height, scratch = boards.settings[HEIGHT], boards.scratch
    _find_zeros(boards, place)
    top, bottom = _reach_zeros(height, row, bit, scratch)
    for at in range(max(top - 1, 1), min(bottom + 2, height + 1)):
        beside = height + 2 + at
        reached = scratch[beside - 1] | scratch[beside] | scratch[beside + 1]
        fresh = _wider(reached) & _full_row(boards.settings)
        fresh &= ~_row(boards, place, OPEN_PLANE, at)
        if boards.settings[FLAGS_HOLD] == 1:
            fresh &= ~_row(boards, place, FLAG_PLANE, at)
        _open_bits(boards, place, at, fresh)


@inlined
def _find_zeros(boards: Boards, place: Place) -> None:
    """Write the zeros of each row that an opening may pass to `scratch`, none of them reached."""
    settings, scratch = boards.settings, boards.scratch
    rows, full = settings[HEIGHT] + 2, _full_row(settings)
    for row in range(1, rows - 1):
        above = _row(boards, place, MINE_PLANE, row - 1)
        above |= _row(boards, place, MINE_PLANE, row)
        stop = _wider(above | _row(boards, place, MINE_PLANE, row + 1))
        stop |= _row(boards, place, OPEN_PLANE, row)
        if settings[FLAGS_HOLD] == 1:
            stop |= _row(boards, place, FLAG_PLANE, row)
        scratch[row] = full & ~stop
        scratch[rows + row] = _0
    scratch[rows] = scratch[2 * rows - 1] = _0


@inlined
def _reach_zeros(
    height: int, row: int, bit: np.uint64, scratch: NDArray[np.uint64]
) -> tuple[int, int]:
    """Mark the zeros that hang together with one; return the first and last row that has some.

    `scratch` holds the zeros of each row, then, `height + 2` further on, those that are reached.
    """
    rows = height + 2
    scratch[rows + row] = spread_in_runs(bit, scratch[row])
    top = bottom = row
    grows = True
    while grows:
        grows = False
        at = max(top - 1, 1)
        while at <= min(bottom + 1, height):
            if _reach_row(at, rows, scratch):
                grows = True
                top, bottom = min(top, at), max(bottom, at)
            at += 1
        at = min(bottom + 1, height)
        while at >= max(top - 1, 1):
            if _reach_row(at, rows, scratch):
                grows = True
                top, bottom = min(top, at), max(bottom, at)
            at -= 1
    return top, bottom


@inlined
def _reach_row(at: int, rows: int, scratch: NDArray[np.uint64]) -> bool:
    """Mark the zeros of a row beside reached ones of its neighbours; return whether any is new."""
    near = scratch[rows + at - 1] | scratch[rows + at + 1]
    seeds = _wider(near) & scratch[at] & ~scratch[rows + at]
    if seeds == _0:
        return False
    scratch[rows + at] |= spread_in_runs(seeds, scratch[at])
    return True


@inlined
def _open_bits(boards: Boards, place: Place, row: int, fresh: np.uint64) -> None:
    """Open covered safe cells of a row, whose bits are given, and take their flags away."""
    words, counts = boards.words, boards.counts
    flags = _word(boards, place, FLAG_PLANE, row)
    counts[place.counts + FLAGS] -= np.int64(count_bits(fresh & words[flags]))
    counts[place.counts + OPENED] += np.int64(count_bits(fresh))
    words[flags] &= ~fresh
    words[_word(boards, place, OPEN_PLANE, row)] |= fresh
    before = (row - 1) * boards.settings[WIDTH]
    while fresh != _0:
        rest = fresh & (fresh - _1)
        col = int(count_bits((fresh ^ rest) - _1)) - 1
        number = _BITS_OF_9[_nine(boards, place, MINE_PLANE, row, col)]
        boards.faces[place.faces + before + col] = number
        boards.masks[place.masks + before + col] = 0
        fresh = rest


# The end of an act


@inlined
def _judge(boards: Boards, place: Place) -> None:
    """Work out whether the game is over; show what is hidden then, or which acts are legal."""
    counts, status = boards.counts, place.counts + STATUS
    if counts[status] == RUNNING:
        if counts[place.counts + BLOWN] >= boards.settings[LIVES]:
            counts[status] = LOST
        elif _is_goal_reached(boards, place):
            counts[status] = WON
    if counts[status] >= WON:
        _show_end(boards, place, counts[status] == WON)
        _forbid_all(boards, place)
    elif boards.settings[VERBS] > 1:
        _find_legal_marks(boards, place)


@inlined
def _is_goal_reached(boards: Boards, place: Place) -> bool:
    settings, counts = boards.settings, boards.counts
    if settings[GOAL_IS_FLAGS] == 0:
        safe_cells = settings[HEIGHT] * settings[WIDTH] - settings[MINES]
        return bool(counts[place.counts + OPENED] == safe_cells)
    left = settings[MINES] - counts[place.counts + BLOWN]
    flags, right = counts[place.counts + FLAGS], counts[place.counts + RIGHT_FLAGS]
    return bool(flags == left and right == left)


@inlined
def _forbid_all(boards: Boards, place: Place) -> None:
    settings = boards.settings
    actions = settings[HEIGHT] * settings[WIDTH] * settings[VERBS]
    for at in range(place.masks, place.masks + actions):
        boards.masks[at] = 0


@inlined
def _find_legal_marks(boards: Boards, place: Place) -> None:
    """Work out which cells can be flagged and which can be chorded."""
    height, width = boards.settings[HEIGHT], boards.settings[WIDTH]
    flag_masks = place.masks + height * width
    chord_masks = flag_masks + height * width
    cell = 0
    for row in range(1, height + 1):
        seen = _row(boards, place, OPEN_PLANE, row) | _row(boards, place, BLOWN_PLANE, row)
        for col in range(width):
            is_covered = seen >> np.uint64(col + 1) & _1 == _0
            boards.masks[flag_masks + cell] = 1 if is_covered else 0
            boards.masks[chord_masks + cell] = 1 if _can_chord(boards, place, row, col) else 0
            cell += 1


@inlined
def _show_end(boards: Boards, place: Place, won: bool) -> None:
    """Show a board whose game is over: flags on the mines of a won one, all mines of a lost one."""
    for row in range(1, boards.settings[HEIGHT] + 1):
        mines = _row(boards, place, MINE_PLANE, row)
        flags = _row(boards, place, FLAG_PLANE, row)
        hidden = mines & ~_row(boards, place, BLOWN_PLANE, row)
        if won:
            _show(boards, place, row, hidden, _FLAG)
        else:
            _show(boards, place, row, hidden & ~flags, _MINE)
            _show(boards, place, row, flags & ~mines, _WRONG)


@inlined
def _show(boards: Boards, place: Place, row: int, bits: np.uint64, face: int) -> None:
    """Give a face to the cells of a row whose bits are set."""
    before = place.faces + (row - 1) * boards.settings[WIDTH] - 1
    while bits != _0:
        rest = bits & (bits - _1)
        boards.faces[before + int(count_bits((bits ^ rest) - _1))] = face
        bits = rest


# Dealing


@inlined
def _lay_mines(boards: Boards, place: Place, row: int, col: int, seed: np.uint64) -> None:
    """Lay the mines of a board, every layout that the first click allows with the same chance.

    Cells are drawn until enough different ones have a mine, or, on a board with more mines than
    safe cells, until enough have none.
    """
    settings, words, counts = boards.settings, boards.words, boards.counts
    height, full = settings[HEIGHT], _full_row(settings)
    mines = _word(boards, place, MINE_PLANE, 0)
    reach = 1 if settings[FIRST_FREE] == 2 else 0
    free = _0
    if settings[FIRST_FREE] > 0:
        free = _2 << np.uint64(col)
    if reach == 1:
        free = _wider(free) & full
    allowed = height * settings[WIDTH]
    for near in range(max(row - reach, 1), min(row + reach, height) + 1):
        words[mines + near] = free  # as if drawn, so that other cells are
        allowed -= int(count_bits(free))
    left = settings[MINES]
    is_dense = 2 * left > allowed
    if is_dense:
        left = allowed - left
    index = np.uint64(counts[place.counts + INDEX])
    _draw_cells(boards, mines, left, _mixed(seed ^ _mixed(index + _STEP)))
    for near in range(1, height + 1):
        if is_dense:
            words[mines + near] = full & ~words[mines + near]
        elif row - reach <= near <= row + reach:
            words[mines + near] &= ~free
    counts[place.counts + LAID] = 1
    if counts[place.counts + FLAGS] > 0:
        right = 0
        for near in range(1, height + 1):
            right += int(count_bits(words[mines + near] & _row(boards, place, FLAG_PLANE, near)))
        counts[place.counts + RIGHT_FLAGS] = right


@inlined
def _draw_cells(boards: Boards, above: int, count: int, state: np.uint64) -> None:
    """Set the bits of so many cells more, which are drawn; `above` is the word before row 1."""
    height, width = np.uint64(boards.settings[HEIGHT]), np.uint64(boards.settings[WIDTH])
    while count > 0:
        state, row, col = _drawn_cell(state, height, width)
        at, bit = above + 1 + int(row), _2 << col
        if boards.words[at] & bit == _0:
            boards.words[at] |= bit
            count -= 1


@inlined
def _drawn_cell(
    state: np.uint64, height: np.uint64, width: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the next state, and the row and column of a cell, all with the same chance.

    The halves of one number make the row and the column without a division (D. Lemire, 2019).
    """
    while True:
        state += _STEP
        word = _mixed(state)
        row, col = (word >> _32) * height, (word & _LOW) * width
        if _is_even(row & _LOW, height) and _is_even(col & _LOW, width):
            return state, row >> _32, col >> _32


@inlined
def _drawn_action(
    masks: NDArray[np.int8], begin: int, size: int, state: np.uint64
) -> tuple[np.uint64, int]:
    """Return the next state, and a legal action of the board whose masks begin there."""
    for _ in range(_TRIES):
        state, action = _drawn_below(state, size)
        if masks[begin + action] == 1:
            return state, action
    count = 0
    for at in range(begin, begin + size):
        count += masks[at]
    if count == 0:
        return state, 0
    state, left = _drawn_below(state, count)
    action = -1
    while left >= 0:
        action += 1
        left -= masks[begin + action]
    return state, action


@inlined
def _drawn_below(state: np.uint64, size: int) -> tuple[np.uint64, int]:
    """Return the next state, and a number from 0 to below `size`, all with the same chance."""
    sizes = np.uint64(size)
    while True:
        state += _STEP
        product = (_mixed(state) >> _32) * sizes
        if _is_even(product & _LOW, sizes):
            return state, int(product >> _32)


@inlined
def _is_even(rest: np.uint64, size: np.uint64) -> bool:
    """Return whether a product with this lower half belongs to as many numbers as any other."""
    return bool(rest >= size or rest >= (_OVER - size) % size)


@inlined
def _mixed(word: np.uint64) -> np.uint64:
    word = (word ^ word >> _30) * _MIX_A
    word = (word ^ word >> _27) * _MIX_B
    return word ^ word >> _31
