"""Many boards played at once, 64 cells to a word: the rules of `demine.logic` in another form.

A board's mines, open cells, flags and blown mines are planes of words, one word a row: column `c`
is its bit `c + 1`, and an empty row lies above and below. Faces are kept up to date, so that an act
touches what it changes and nothing else; then they are copied to whoever looks, with the mask of
legal actions. A test plays the same acts by `demine.logic` and compares.

Mines are laid at the first opening, from the stream of numbers that the board's seed and index
begin (SplitMix64, G. Steele and others, 2014): whatever else is played, in whichever order, they
are the same. All arithmetic of words wraps: call interpreted kernels within
`numpy.errstate(over="ignore")`.

Indices in loops are unsigned, because Numba looks at every signed one whether it counts from the
end, and then no loop becomes vector instructions.
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
    REFUSED,
    RESET,
    RIGHT_FLAGS,
    RUNNING,
    SHARE,
    STATUS,
    VERBS,
    WIDTH,
    WON,
)
from demine.kernels.marks import inlined
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
_CAN_FLAG: Final = (_COVERED, _FLAG)


class Boards(NamedTuple):
    """The arrays of all boards, as `BitBoards` has them; `scratch` is for two words a row."""

    settings: NDArray[np.int64]
    words: NDArray[np.uint64]
    counts: NDArray[np.int64]
    faces: NDArray[np.uint8]
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
    seeds: NDArray[np.uint64],
    weights: NDArray[np.float64],
    actions: NDArray[np.int64],
    resets: bool,
    opened: NDArray[np.int32],
    outcomes: NDArray[np.int8],
    rewards: NDArray[np.float64],
    ended: NDArray[np.bool_],
    shown: NDArray[np.uint8],
    masks: NDArray[np.int8],
    begin: int,
    end: int,
) -> None:
    """Play an action on each board from `begin` to before `end`.

    A board whose game is over gets a new game in place of the action if `resets`, and refuses it
    otherwise. Of each board are written: how many safe cells the action opened, what became of it,
    its reward, whether its game is over, and what it shows then: its faces and legal actions.
    """
    scratch = np.empty(2 * (settings[HEIGHT] + 2), np.uint64)
    boards = Boards(settings, words, counts, faces, scratch)
    for number in range(begin, end):
        place = _place(number, settings)
        status = place.counts + STATUS
        opened[number], rewards[number] = 0, 0.0
        if resets and counts[status] >= WON:
            _reset_board(boards, place)
            outcomes[number] = RESET
        else:
            before = counts[place.counts + OPENED]
            outcomes[number] = _play(boards, place, actions[number], seeds[number])
            opened[number] = counts[place.counts + OPENED] - before
            rewards[number] = _reward(boards, place, outcomes[number], opened[number], weights)
        ended[number] = counts[status] >= WON
        _show_board(boards, place, shown, masks)


def reset_boards(
    settings: NDArray[np.int64],
    words: NDArray[np.uint64],
    counts: NDArray[np.int64],
    faces: NDArray[np.uint8],
    which: NDArray[np.bool_],
) -> None:
    """Begin the next game on each board that `which` names."""
    boards = Boards(settings, words, counts, faces, words)
    for number in range(which.size):
        if which[number]:
            _reset_board(boards, _place(number, settings))


def show_boards(
    settings: NDArray[np.int64],
    words: NDArray[np.uint64],
    counts: NDArray[np.int64],
    faces: NDArray[np.uint8],
    which: NDArray[np.bool_],
    shown: NDArray[np.uint8],
    masks: NDArray[np.int8],
) -> None:
    """Write the faces and legal actions of each board that `which` names."""
    boards = Boards(settings, words, counts, faces, words)
    for number in range(which.size):
        if which[number]:
            _show_board(boards, _place(number, settings), shown, masks)


def sample_actions(
    settings: NDArray[np.int64],
    words: NDArray[np.uint64],
    counts: NDArray[np.int64],
    faces: NDArray[np.uint8],
    streams: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Draw a legal action for each board, all with the same chance; 0 where none is legal.

    `streams` has the state of each board's stream of numbers, which goes on.
    """
    boards = Boards(settings, words, counts, faces, words)
    for number in range(actions.size):
        place = _place(number, settings)
        streams[number], actions[number] = _drawn_action(boards, place, streams[number])


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
    words = place.words + PLANES * (settings[HEIGHT] + 2)
    for at in range(np.uint64(place.words), np.uint64(words)):
        boards.words[at] = _0
    for at in range(np.uint64(place.counts), np.uint64(place.counts + COUNTS)):
        counts[at] = 0
    counts[place.counts + INDEX] = index
    faces = place.faces + settings[HEIGHT] * settings[WIDTH]
    for at in range(np.uint64(place.faces), np.uint64(faces)):
        boards.faces[at] = _COVERED


@inlined
def _reward(
    boards: Boards, place: Place, outcome: int, opened: int, weights: NDArray[np.float64]
) -> float:
    if outcome == REFUSED:
        return float(weights[FOR_REFUSED])
    reward = weights[FOR_CELL] * opened
    status = boards.counts[place.counts + STATUS]
    if status == WON:
        reward += weights[FOR_WIN]
    elif status == LOST:
        reward += weights[FOR_LOSS]
    return float(reward)


# Acts


@inlined
def _play(boards: Boards, place: Place, action: int, seed: np.uint64) -> int:
    """Play an action on one board; return what became of it."""
    settings, counts = boards.settings, boards.counts
    if not _is_legal(boards, place, action):
        if settings[INVALID_ENDS] == 1 and counts[place.counts + STATUS] < WON:
            counts[place.counts + STATUS] = LOST
        return REFUSED
    cells = settings[HEIGHT] * settings[WIDTH]
    if action < cells:
        _open(boards, place, action, seed)
    elif action < 2 * cells:
        _flag(boards, place, action - cells)
    else:
        _chord(boards, place, action - 2 * cells)
    _judge(boards, place)
    return PLAYED


@inlined
def _is_legal(boards: Boards, place: Place, action: int) -> bool:
    settings = boards.settings
    cells = settings[HEIGHT] * settings[WIDTH]
    is_over = boards.counts[place.counts + STATUS] >= WON
    if is_over or action < 0 or action >= cells * settings[VERBS]:
        return False
    if action >= 2 * cells:
        row, col = _row_and_col(settings, action - 2 * cells)
        return bool(_chords(boards, place, row) >> np.uint64(col + 1) & _1 != _0)
    if action >= cells:
        return bool(boards.faces[place.faces + action - cells] in _CAN_FLAG)
    return bool(boards.faces[place.faces + action] == _COVERED)


@inlined
def _open(boards: Boards, place: Place, cell: int, seed: np.uint64) -> None:
    """Open a cell, on a new board after its mines were laid."""
    counts = boards.counts
    row, col = _row_and_col(boards.settings, cell)
    if counts[place.counts + LAID] == 0:
        _lay_mines(boards, place, row, col, seed)
    counts[place.counts + STATUS] = RUNNING
    _open_covered(boards, place, row, col)


@inlined
def _flag(boards: Boards, place: Place, cell: int) -> None:
    """Set a flag or remove it."""
    words, counts = boards.words, boards.counts
    row, col = _row_and_col(boards.settings, cell)
    bit = _2 << np.uint64(col)
    flags = _word(boards, place, FLAG_PLANE, row)
    words[flags] ^= bit
    is_set = 1 if words[flags] & bit != _0 else 0
    counts[place.counts + FLAGS] += 2 * is_set - 1
    if _row(boards, place, MINE_PLANE, row) & bit != _0:
        counts[place.counts + RIGHT_FLAGS] += 2 * is_set - 1
    boards.faces[place.faces + cell] = _FLAG if is_set == 1 else _COVERED


@inlined
def _chord(boards: Boards, place: Place, cell: int) -> None:
    """Open what is left around a number that has its flags."""
    height, width = boards.settings[HEIGHT], boards.settings[WIDTH]
    row, col = _row_and_col(boards.settings, cell)
    for near_row in range(max(row - 1, 1), min(row + 2, height + 1)):
        # Before anything opens, which may take wrong flags away.
        flags = _row(boards, place, FLAG_PLANE, near_row)
        known = flags | _row(boards, place, BLOWN_PLANE, near_row)
        for near_col in range(max(col - 1, 0), min(col + 2, width)):
            left = ~(known | _row(boards, place, OPEN_PLANE, near_row))
            if left >> np.uint64(near_col + 1) & _1 != _0:
                _open_covered(boards, place, near_row, near_col)


@inlined
def _chords(boards: Boards, place: Place, row: int) -> np.uint64:
    """Return which cells of a row are open, have their mines flagged or blown, and others left."""
    mines = _counts_near(
        _row(boards, place, MINE_PLANE, row - 1),
        _row(boards, place, MINE_PLANE, row),
        _row(boards, place, MINE_PLANE, row + 1),
    )
    known = _counts_near(
        _known(boards, place, row - 1), _known(boards, place, row), _known(boards, place, row + 1)
    )
    differ = mines[0] ^ known[0] | mines[1] ^ known[1] | mines[2] ^ known[2] | mines[3] ^ known[3]
    left = _left(boards, place, row - 1) | _left(boards, place, row) | _left(boards, place, row + 1)
    return _row(boards, place, OPEN_PLANE, row) & ~differ & _wider(left)


# Rows of bits


@inlined
def _row_and_col(settings: NDArray[np.int64], cell: int) -> tuple[int, int]:
    """Return the row of a cell, from 1, and its column, from 0."""
    # The fastest division.
    number, width = np.uint32(cell), np.uint32(settings[WIDTH])
    return int(number // width) + 1, int(number % width)


@inlined
def _word(boards: Boards, place: Place, plane: int, row: int) -> np.uint64:
    """Return where the word of a row is; rows count from 1."""
    return np.uint64(place.words + plane * (boards.settings[HEIGHT] + 2) + row)


@inlined
def _row(boards: Boards, place: Place, plane: int, row: int) -> np.uint64:
    word: np.uint64 = boards.words[_word(boards, place, plane, row)]
    return word


@inlined
def _known(boards: Boards, place: Place, row: int) -> np.uint64:
    """Return which cells of a row have a flag or a blown mine."""
    return _row(boards, place, FLAG_PLANE, row) | _row(boards, place, BLOWN_PLANE, row)


@inlined
def _left(boards: Boards, place: Place, row: int) -> np.uint64:
    """Return which cells of a row can be opened; none above and below the board."""
    if row < 1 or row > boards.settings[HEIGHT]:
        return _0
    known = _known(boards, place, row) | _row(boards, place, OPEN_PLANE, row)
    return _full_row(boards.settings) & ~known


@inlined
def _nine(boards: Boards, place: Place, plane: int, row: int, col: int) -> np.uint64:
    """Return the bits of a cell and its neighbours, from that above on the left."""
    shift, words = np.uint64(col), boards.words
    at = _word(boards, place, plane, row)
    above, here, below = words[at - _1] >> shift, words[at] >> shift, words[at + _1] >> shift
    nine: np.uint64 = above & _7 | (here & _7) << _3 | (below & _7) << _6
    return nine


@inlined
def _counts_near(
    above: np.uint64, here: np.uint64, below: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return how many bits are set around each and at it, as the four digits of that number."""
    ones_a, twos_a = _count_beside(above)
    ones_b, twos_b = _count_beside(here)
    ones_c, twos_c = _count_beside(below)
    ones, carried = _added(ones_a, ones_b, ones_c)
    twos, fours = _added(twos_a, twos_b, twos_c)
    return ones, twos ^ carried, fours ^ twos & carried, fours & twos & carried


@inlined
def _count_beside(word: np.uint64) -> tuple[np.uint64, np.uint64]:
    return _added(word << _1, word, word >> _1)


@inlined
def _added(a: np.uint64, b: np.uint64, c: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the two digits of the sum of three bits, for each of 64."""
    return a ^ b ^ c, a & b | c & (a ^ b)


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
        return
    number = _BITS_OF_9[_nine(boards, place, MINE_PLANE, row, col)]
    if number == 0:
        _open_opening(boards, place, row, bit)
        return
    boards.words[_word(boards, place, OPEN_PLANE, row)] |= bit
    counts[place.counts + OPENED] += 1
    boards.faces[place.faces + cell] = number


@inlined
def _open_opening(boards: Boards, place: Place, row: int, bit: np.uint64) -> None:
    """Open an opening from one of its zeros; flags in it were wrong and go, unless they hold."""
    height, scratch = boards.settings[HEIGHT], boards.scratch
    _find_zeros(boards, place)
    top, bottom = _reach_zeros(height, row, bit, scratch)
    for at in range(max(top - 1, 1), min(bottom + 2, height + 1)):
        here = np.uint64(height + 2 + at)
        reached = scratch[here - _1] | scratch[here] | scratch[here + _1]
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
        scratch[np.uint64(row)] = full & ~stop
        scratch[np.uint64(rows + row)] = _0
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
    here = np.uint64(rows + at)
    zeros = scratch[np.uint64(at)]
    near = scratch[here - _1] | scratch[here + _1]
    seeds = _wider(near) & zeros & ~scratch[here]
    if seeds == _0:
        return False
    scratch[here] |= spread_in_runs(seeds, zeros)
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
    before = np.uint64(place.faces + (row - 1) * boards.settings[WIDTH])
    while fresh != _0:
        rest = fresh & (fresh - _1)
        col = count_bits((fresh ^ rest) - _1) - _1
        number = _BITS_OF_9[_nine(boards, place, MINE_PLANE, row, int(col))]
        boards.faces[before + col] = number
        fresh = rest


# The end of an act


@inlined
def _judge(boards: Boards, place: Place) -> None:
    """Work out whether the game is over, and show what was hidden then."""
    counts, status = boards.counts, place.counts + STATUS
    if counts[status] == RUNNING:
        if counts[place.counts + BLOWN] >= boards.settings[LIVES]:
            counts[status] = LOST
        elif _is_goal_reached(boards, place):
            counts[status] = WON
    if counts[status] >= WON:
        _show_end(boards, place, counts[status] == WON)


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
    if bits == _0:
        return
    before = np.uint64(place.faces + (row - 1) * boards.settings[WIDTH])
    for col in range(np.uint64(boards.settings[WIDTH])):
        old, bit = boards.faces[before + col], np.uint8(bits >> col + _1 & _1)
        boards.faces[before + col] = old ^ (old ^ np.uint8(face)) * bit


# What is seen


@inlined
def _show_board(
    boards: Boards, place: Place, shown: NDArray[np.uint8], masks: NDArray[np.int8]
) -> None:
    """Write the faces of a board, and which actions are legal."""
    settings, faces = boards.settings, boards.faces
    cells = np.uint64(settings[HEIGHT] * settings[WIDTH])
    runs = np.int8(boards.counts[place.counts + STATUS] < WON)
    opens, begin = np.uint64(place.masks), np.uint64(place.faces)
    for cell in range(cells):
        face = faces[begin + cell]
        shown[begin + cell] = face
        masks[opens + cell] = np.int8(face == _COVERED) & runs
    if settings[VERBS] > 1:
        flags = opens + cells
        for cell in range(cells):
            face = faces[begin + cell]
            masks[flags + cell] = np.int8((face == _COVERED) | (face == _FLAG)) & runs
        _show_chords(boards, place, masks, runs)


@inlined
def _show_chords(boards: Boards, place: Place, masks: NDArray[np.int8], runs: np.int8) -> None:
    """Write which cells can be chorded."""
    height, width = boards.settings[HEIGHT], boards.settings[WIDTH]
    for row in range(1, height + 1):
        begin = np.uint64(place.masks + (2 * height + row - 1) * width)
        chords = _chords(boards, place, row) >> _1
        for col in range(np.uint64(width)):
            masks[begin + col] = np.int8(chords >> col & _1) & runs


# Dealing


class Free(NamedTuple):
    """The cells that the first click keeps free of mines: bits of the rows from top to bottom."""

    bits: np.uint64
    top: int
    bottom: int


@inlined
def _lay_mines(boards: Boards, place: Place, row: int, col: int, seed: np.uint64) -> None:
    """Lay the mines of a board, every layout that the first click allows with the same chance.

    On a board with more mines than safe cells, the safe cells are drawn.
    """
    settings, words, counts = boards.settings, boards.words, boards.counts
    above, free = _word(boards, place, MINE_PLANE, 0), _free_cells(settings, row, col)
    rows = free.bottom - free.top + 1
    allowed = settings[HEIGHT] * settings[WIDTH] - rows * int(count_bits(free.bits))
    is_dense = 2 * settings[MINES] > allowed
    count = allowed - settings[MINES] if is_dense else settings[MINES]
    index = np.uint64(counts[place.counts + INDEX])
    _draw_layout(boards, above, count, free, _mixed(seed ^ _mixed(index + _STEP)))
    if is_dense:
        for near in range(np.uint64(settings[HEIGHT])):
            words[above + near + _1] ^= _full_row(settings)
        _clear(words, above, free)
    counts[place.counts + LAID] = 1
    if counts[place.counts + FLAGS] > 0:
        _count_right_flags(boards, place)


@inlined
def _free_cells(settings: NDArray[np.int64], row: int, col: int) -> Free:
    if settings[FIRST_FREE] == 0:
        return Free(_0, row, row)
    bit = _2 << np.uint64(col)
    if settings[FIRST_FREE] == 1:
        return Free(bit, row, row)
    bits = _wider(bit) & _full_row(settings)
    return Free(bits, max(row - 1, 1), min(row + 1, settings[HEIGHT]))


@inlined
def _clear(words: NDArray[np.uint64], above: np.uint64, free: Free) -> None:
    for row in range(free.top, free.bottom + 1):
        words[above + np.uint64(row)] &= ~free.bits


@inlined
def _count_right_flags(boards: Boards, place: Place) -> None:
    right = 0
    for row in range(1, boards.settings[HEIGHT] + 1):
        flags = _row(boards, place, FLAG_PLANE, row)
        right += int(count_bits(_row(boards, place, MINE_PLANE, row) & flags))
    boards.counts[place.counts + RIGHT_FLAGS] = right


@inlined
def _draw_layout(
    boards: Boards, above: np.uint64, count: int, free: Free, state: np.uint64
) -> None:
    """Draw `count` cells that are not free; `above` is the word before row 1 of empty ones.

    With many, each cell is drawn or not with the same chance first, 64 at once; those that are then
    too many or missing are drawn singly. Nothing tells one cell from another in that, so that all
    layouts have the same chance.
    """
    words, full = boards.words, _full_row(boards.settings)
    if boards.settings[SHARE] > 1:
        state = _draw_words(boards, above, state)
        for row in range(np.uint64(boards.settings[HEIGHT])):
            words[above + row + _1] &= full
        _clear(words, above, free)
        for row in range(np.uint64(boards.settings[HEIGHT])):
            count -= int(count_bits(words[above + row + _1]))
        state = _remove_cells(boards, above, -count, state)
    for row in range(free.top, free.bottom + 1):
        words[above + np.uint64(row)] |= free.bits  # as if drawn, so that other cells are
    _draw_cells(boards, above, count, state)
    _clear(words, above, free)


@inlined
def _draw_words(boards: Boards, above: np.uint64, state: np.uint64) -> np.uint64:
    """Draw every bit of all rows, set with the chance `SHARE`; return the next state."""
    words, height = boards.words, np.uint64(boards.settings[HEIGHT])
    digits = np.uint64(boards.settings[SHARE])
    while digits > _1:
        # A digit of 1 halves the chance that the bit is not set, one of 0 that it is.
        ones = _0 - (digits & _1)
        for row in range(height):
            drawn = _mixed(state + _STEP * (row + _1))
            at = above + row + _1
            words[at] = words[at] & drawn | ones & (words[at] | drawn)
        state += _STEP * height
        digits >>= _1
    return state


@inlined
def _draw_cells(boards: Boards, above: np.uint64, count: int, state: np.uint64) -> None:
    """Set the bits of so many cells more, which are drawn."""
    height, width = np.uint64(boards.settings[HEIGHT]), np.uint64(boards.settings[WIDTH])
    while count > 0:
        state, row, col = _drawn_cell(state, height, width)
        at = above + row + _1
        before = boards.words[at]
        boards.words[at] = before | _2 << col
        # Without a branch, which nobody could foretell.
        count -= int(~before >> col + _1 & _1)


@inlined
def _remove_cells(boards: Boards, above: np.uint64, count: int, state: np.uint64) -> np.uint64:
    """Clear the bits of so many cells, which are drawn; return the next state."""
    height, width = np.uint64(boards.settings[HEIGHT]), np.uint64(boards.settings[WIDTH])
    while count > 0:
        state, row, col = _drawn_cell(state, height, width)
        at = above + row + _1
        before = boards.words[at]
        boards.words[at] = before & ~(_2 << col)
        count -= int(before >> col + _1 & _1)
    return state


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
def _drawn_action(boards: Boards, place: Place, state: np.uint64) -> tuple[np.uint64, int]:
    """Return the next state, and a legal action of a board, 0 if there is none."""
    settings = boards.settings
    size = settings[HEIGHT] * settings[WIDTH] * settings[VERBS]
    if boards.counts[place.counts + STATUS] >= WON:
        return state, 0
    for _ in range(_TRIES):
        state, action = _drawn_below(state, size)
        if _is_legal(boards, place, action):
            return state, action
    count = 0
    for action in range(size):
        count += 1 if _is_legal(boards, place, action) else 0
    if count == 0:
        return state, 0
    state, left = _drawn_below(state, count)
    action = -1
    while left >= 0:
        action += 1
        left -= 1 if _is_legal(boards, place, action) else 0
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
