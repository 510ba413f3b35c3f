"""A journal's events played at once, as far as they are usual: how the game ended.

The text is read as demine writes it, and played by the rules of `demine.logic`. What is rare is
left to these: undo, hints, players, other spellings, and every act that they would refuse. A test
plays the same journals by both and compares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.kernels.marks import inlined
from demine.logic.kernels import (
    ACTS,
    AT,
    BLOWN,
    BUTTON,
    FIRST_T,
    FLAGS,
    FLAGS_HOLD,
    GOAL_IS_FLAGS,
    HEIGHT,
    IS_LAID,
    LAST_ACT,
    LAST_T,
    LINES,
    LIVES,
    LOST,
    MINES,
    OPENED,
    PAUSED,
    READY,
    RESIGNED,
    RIGHT_FLAGS,
    RUNNING,
    SHAPE,
    START,
    STATUS,
    TIME,
    WIDTH,
    WON,
    WORD,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FAR: Final = 2**53
"""The bound of times and places."""
# The fields of a line, 1 for a number and 2 for a word, in base 3.
_ALONE: Final = 5
"""A time and a verb."""
_ON_CELL: Final = 49
"""Two numbers after these."""
_BY_HAND: Final = 157
"""A time, what was done, a button, and two numbers."""
_OPEN_CELL: Final = 1
_BLOWN_MINE: Final = 2


def _packed(word: str) -> int:
    """Return up to eight letters as a number."""
    return int.from_bytes(word.encode(), "little")


_MOVE: Final = _packed("move")
_PRESS: Final = _packed("press")
_RELEASE: Final = _packed("release")
_LEFT: Final = _packed("left")
_MIDDLE: Final = _packed("middle")
_RIGHT: Final = _packed("right")
_LAY: Final = _packed("lay")
_OPEN: Final = _packed("open")
_FLAG: Final = _packed("flag")
_QUESTION: Final = _packed("question")
_CHORD: Final = _packed("chord")
_PAUSE: Final = _packed("pause")
_RESUME: Final = _packed("resume")
_RESIGN: Final = _packed("resign")
_MINUS: Final = ord("-")
_ZERO: Final = ord("0")
_NINE: Final = ord("9")
_QUOTE: Final = ord('"')
_COMMA: Final = ord(",")
_BEGIN: Final = ord("[")
_END: Final = ord("]")
_COLON: Final = ord(":")
_X: Final = ord("x")
_UNDERSCORE: Final = ord("_")
_UPPER_A: Final = ord("A")
_LOWER_A: Final = ord("a")
_LINE_END: Final = ord("\n")


class Fold(NamedTuple):
    """The arrays of one game: its journal, its rules, its board, and how far it is."""

    text: NDArray[np.uint8]
    rules: NDArray[np.int64]
    mines: NDArray[np.uint8]
    hints: NDArray[np.uint8]
    seen: NDArray[np.uint8]
    """1 where a cell is open, 2 where a mine blew."""
    flags: NDArray[np.uint8]
    stack: NDArray[np.int64]
    state: NDArray[np.int64]


def fold_events(
    text: NDArray[np.uint8],
    rules: NDArray[np.int64],
    board: NDArray[np.uint8],
    stack: NDArray[np.int64],
    state: NDArray[np.int64],
) -> bool:
    """Play the event lines of a journal; return whether all of them were usual and allowed.

    Only then `state` says how the game stands. `board` has four zeros for each cell, and `stack` as
    many numbers as cells, eight at least.
    """
    cells = rules[HEIGHT] * rules[WIDTH]
    fold = Fold(
        text, rules, board[:cells], board[cells : 2 * cells], board[2 * cells : 3 * cells],
        board[3 * cells :], stack, state,
    )  # fmt: skip
    while state[AT] < text.size:
        if not _play_line(fold):
            return False
    return True


@inlined
def _count_mines_around(fold: Fold) -> None:
    height, width = fold.rules[HEIGHT], fold.rules[WIDTH]
    for cell in range(fold.mines.size):
        if fold.mines[cell]:
            row, col = cell // width, cell % width
            for near_row in range(max(row - 1, 0), min(row + 2, height)):
                for near_col in range(max(col - 1, 0), min(col + 2, width)):
                    fold.hints[near_row * width + near_col] += 1


@inlined
def _count_right_flags(fold: Fold) -> None:
    """Count the flags that were set before the mines were known."""
    if fold.state[FLAGS] != 0:
        for cell in range(fold.mines.size):
            if fold.mines[cell] != 0 and fold.flags[cell] != 0:
                fold.state[RIGHT_FLAGS] += 1


@inlined
def _play_line(fold: Fold) -> bool:
    """Read and play one line; return whether it was usual and allowed."""
    state = fold.state
    if not _read_line(fold) or not _is_in_time(fold, state[TIME]):
        return False
    word, shape = state[WORD], state[SHAPE]
    if word == _LAY:
        state[IS_LAID] = 1
        _count_mines_around(fold)
        _count_right_flags(fold)
        return True
    if word == _MOVE:
        return bool(shape == _ON_CELL)
    if word in (_PRESS, _RELEASE):
        return bool(shape == _BY_HAND and state[BUTTON] in (_LEFT, _MIDDLE, _RIGHT))
    state[ACTS] += 1
    state[LAST_ACT] = state[TIME]
    if shape == _ALONE:
        return _act_alone(state, word)
    return bool(shape == _ON_CELL and _act_on_cell(fold, word))


# Text


@inlined
def _read_line(fold: Fold) -> bool:
    """Read a line into `state`: what its fields are, and their values.

    Return whether it is spelt as usual. Mines are read onto the board.
    """
    text, state = fold.text, fold.state
    at, shape, numbers, words = state[AT], 0, 0, 0
    if text[at] != _BEGIN:
        return False
    while text[at] != _END:
        at += 1
        is_negative = at < text.size and text[at] == _MINUS
        if at < text.size and text[at] == _QUOTE:
            at, shape, words = at + 1, 3 * shape + 2, words + 1
            begin, value = at, np.int64(0)
            while at < text.size and at - begin < 9 and text[at] != _QUOTE:
                value |= np.int64(text[at]) << np.int64(8 * (at - begin) & 63)
                at += 1
            if words > 2 or at - begin > 8:
                return False
            state[WORD + words - 1] = value
            at += 1
            if value == _LAY:
                state[AT] = at
                return bool(shape == _ALONE and _read_mines(fold) and _ends_after_mines(fold))
        else:
            at, shape, numbers = at + is_negative, 3 * shape + 1, numbers + 1
            begin, value = at, np.int64(0)
            while at < text.size and at - begin < 17 and _ZERO <= text[at] <= _NINE:
                value = value * 10 + np.int64(text[at]) - _ZERO
                at += 1
            if numbers > 3 or at == begin or value > _FAR:
                return False
            if at - begin > 1 and text[begin] == _ZERO:
                return False
            state[TIME + numbers - 1] = -value if is_negative else value
        if at + 1 >= text.size or (text[at] != _COMMA and text[at] != _END):
            return False
    state[AT] = at + 2
    state[SHAPE] = shape
    return bool(text[at + 1] == _LINE_END)


@inlined
def _read_mines(fold: Fold) -> bool:
    """Read mines, as `demine.logic.layout.pack_mine_map` writes them, onto an empty board.

    Return whether they are those of a board of these rules.
    """
    text, state = fold.text, fold.state
    height, width = fold.rules[HEIGHT], fold.rules[WIDTH]
    if state[IS_LAID] != 0 or text.size - state[AT] < 2 or text[state[AT]] != _COMMA:
        return False
    if text[state[AT] + 1] != _QUOTE:
        return False
    state[AT] += 2
    if not (_read_size(fold, width, _X) and _read_size(fold, height, _COLON)):
        return False
    cells, mines = height * width, 0
    letters = (4 * ((cells + 7) // 8) + 2) // 3
    at = state[AT]
    if text.size - at < letters:
        return False
    for letter in range(letters):
        bits = _six_bits(text[at + letter])
        if bits < 0:
            return False
        for place in range(6):
            if bits >> np.int64(5 - place) & 1:
                cell = 6 * letter + place
                if cell >= cells:
                    return False
                fold.mines[cell] = 1
                mines += 1
    state[AT] = at + letters
    return bool(mines == fold.rules[MINES])


@inlined
def _read_size(fold: Fold, size: int, end: int) -> bool:
    """Read a number without zeros before it, and what ends it; return whether it is `size`."""
    text, at, value = fold.text, fold.state[AT], np.int64(0)
    begin = at
    while at < text.size and at - begin < 9 and _ZERO <= text[at] <= _NINE:
        value = value * 10 + np.int64(text[at]) - _ZERO
        at += 1
    fold.state[AT] = at + 1
    return bool(at < text.size and text[at] == end and text[begin] != _ZERO and value == size)


@inlined
def _six_bits(byte: int) -> int:
    """Return what a letter of URL-safe base 64 stands for, -1 for none."""
    letter = int(byte)
    if _UPPER_A <= letter < _UPPER_A + 26:
        return letter - _UPPER_A
    if _LOWER_A <= letter < _LOWER_A + 26:
        return letter - _LOWER_A + 26
    if _ZERO <= letter <= _NINE:
        return letter - _ZERO + 52
    if letter == _MINUS:
        return 62
    return 63 if letter == _UNDERSCORE else -1


@inlined
def _ends_after_mines(fold: Fold) -> bool:
    """Go on to the next line; return whether nothing else follows in this one."""
    text, at = fold.text, fold.state[AT]
    fold.state[AT] = at + 3
    if text.size - at < 3:
        return False
    return bool(text[at] == _QUOTE and text[at + 1] == _END and text[at + 2] == _LINE_END)


@inlined
def _is_in_time(fold: Fold, t: int) -> bool:
    """Return whether an event may happen at this time, after the one before."""
    state = fold.state
    if state[LINES] == 0:
        state[FIRST_T] = t
    elif t < state[LAST_T] or (state[STATUS] == READY and t - state[FIRST_T] > _FAR):
        return False
    state[LINES] += 1
    state[LAST_T] = t
    return True


# Acts


@inlined
def _act_alone(state: NDArray[np.int64], word: int) -> bool:
    """Play an act that names no cell; return whether it is usual and allowed."""
    status = state[STATUS]
    if word == _RESIGN:
        state[STATUS] = RESIGNED
        return bool(status in (RUNNING, PAUSED))
    if word == _RESUME:
        state[STATUS] = RUNNING
        return bool(status == PAUSED)
    state[STATUS] = PAUSED
    return bool(word == _PAUSE and status == RUNNING)


@inlined
def _act_on_cell(fold: Fold, word: int) -> bool:
    """Play an act that names a cell; return whether it is usual and allowed."""
    state = fold.state
    row, col = state[TIME + 1], state[TIME + 2]
    if not (0 <= row < fold.rules[HEIGHT] and 0 <= col < fold.rules[WIDTH]):
        return False
    if state[STATUS] > RUNNING:
        return False
    cell = row * fold.rules[WIDTH] + col
    if word == _OPEN:
        allowed = _open(fold, cell, state[TIME])
    elif word == _CHORD:
        allowed = _chord(fold, row, col)
    else:
        allowed = word in (_FLAG, _QUESTION) and fold.seen[cell] == 0
        if allowed:
            _set_flag(fold, cell, 1 - fold.flags[cell] if word == _FLAG else 0)
    _judge(fold)
    return allowed


@inlined
def _open(fold: Fold, cell: int, t: int) -> bool:
    state = fold.state
    if fold.seen[cell] != 0 or fold.flags[cell] != 0 or state[IS_LAID] == 0:
        return False
    if state[STATUS] == READY:
        if t != 0 or (fold.rules[START] >= 0 and fold.rules[START] != cell):
            return False
        state[STATUS] = RUNNING
    _open_covered(fold, cell)
    return True


@inlined
def _chord(fold: Fold, row: int, col: int) -> bool:
    """Open what is left around a number that has its flags; return whether that is allowed."""
    height, width = fold.rules[HEIGHT], fold.rules[WIDTH]
    cell = row * width + col
    if fold.seen[cell] != _OPEN_CELL:
        return False
    known, free = 0, 0
    for near_row in range(max(row - 1, 0), min(row + 2, height)):
        for near_col in range(max(col - 1, 0), min(col + 2, width)):
            near = near_row * width + near_col
            if fold.flags[near] != 0 or fold.seen[near] == _BLOWN_MINE:
                known += 1
            elif fold.seen[near] == 0:
                # Kept, because openings may take wrong flags away before its turn.
                fold.stack[free] = near
                free += 1
    if known != fold.hints[cell] or free == 0:
        return False
    return _open_listed(fold, free)


@inlined
def _open_listed(fold: Fold, count: int) -> bool:
    """Open so many cells from the stack, up to eight, which openings use meanwhile."""
    a, b, c, d = fold.stack[0], fold.stack[1], fold.stack[2], fold.stack[3]
    e, f, g, h = fold.stack[4], fold.stack[5], fold.stack[6], fold.stack[7]
    for at, cell in enumerate((a, b, c, d, e, f, g, h)):
        if at < count and fold.seen[cell] == 0:
            _open_covered(fold, cell)
    return True


@inlined
def _set_flag(fold: Fold, cell: int, flag: int) -> None:
    change = flag - np.int64(fold.flags[cell])
    fold.flags[cell] = flag
    fold.state[FLAGS] += change
    if fold.mines[cell] != 0:
        fold.state[RIGHT_FLAGS] += change


@inlined
def _open_covered(fold: Fold, cell: int) -> None:
    """Open a covered cell without a flag: a mine, a number or an opening."""
    if fold.mines[cell] != 0:
        fold.seen[cell] = _BLOWN_MINE
        fold.state[BLOWN] += 1
        return
    fold.seen[cell] = _OPEN_CELL
    fold.state[OPENED] += 1
    if fold.hints[cell] == 0:
        _spread(fold, cell)


@inlined
def _spread(fold: Fold, cell: int) -> None:
    """Open what an open zero opens; flags stop that where they hold, and go elsewhere."""
    height, width = fold.rules[HEIGHT], fold.rules[WIDTH]
    fold.stack[0] = cell
    size = 1
    while size > 0:
        size -= 1
        zero = fold.stack[size]
        row, col = zero // width, zero % width
        for near_row in range(max(row - 1, 0), min(row + 2, height)):
            for near_col in range(max(col - 1, 0), min(col + 2, width)):
                near = near_row * width + near_col
                holds = fold.rules[FLAGS_HOLD] == 1 and fold.flags[near] != 0
                if fold.seen[near] == 0 and not holds:
                    if fold.flags[near] != 0:
                        _set_flag(fold, near, 0)
                    fold.seen[near] = _OPEN_CELL
                    fold.state[OPENED] += 1
                    if fold.hints[near] == 0:
                        fold.stack[size] = near
                        size += 1


@inlined
def _judge(fold: Fold) -> None:
    """Work out whether the game is over."""
    rules, state = fold.rules, fold.state
    if state[STATUS] != RUNNING:
        return
    if state[BLOWN] >= rules[LIVES]:
        state[STATUS] = LOST
    elif rules[GOAL_IS_FLAGS] == 1:
        left = rules[MINES] - (state[BLOWN] if rules[LIVES] > 1 else 0)
        if state[FLAGS] == left and state[RIGHT_FLAGS] == left:
            state[STATUS] = WON
    elif state[OPENED] == rules[HEIGHT] * rules[WIDTH] - rules[MINES]:
        state[STATUS] = WON
