"""Play a whole recording; the kernel of `demine.statistics.play_recording`.

Cells are numbered `row * width + col`; -1 is outside the board. `marks` is uint8 `(3, cells)`,
`log` int64 `(6, events)`, `facts` int64 `(13,)`; names for their entries are below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Rows of `marks`.
OPENED: Final = 0
FLAG: Final = 1
QUESTION: Final = 2
# Entries of `facts`. Given are the width, the choices, and in `PLAIN` whether no signal depends on
# those before it; the others are written.
WIDTH: Final = 0
QUESTIONS: Final = 1
LEFT_CHORDS: Final = 2
FLAGS_HOLD: Final = 3
ORDER: Final = 4
BLOWN: Final = 5
FLAGS: Final = 6
WRONG: Final = 7
PRESSED: Final = 8
COUNTED: Final = 9
START: Final = 10
END: Final = 11
PLAIN: Final = 12
FACTS: Final = 13
# What a press or release does.
ACTION_OPEN: Final = 1
ACTION_MARK: Final = 2
ACTION_CHORD: Final = 3
ACTION_CHORD_BACK: Final = 4
ACTION_ASK: Final = 5
ACTION_PREFLAG: Final = 6
# The outcomes of a click: the values of `demine.statistics.played_recording.Click`.
CLICK_OPENED: Final = 1
CLICK_BLEW: Final = 2
CLICK_LEFT_CHORDED: Final = 3
CLICK_LEFT_IDLE: Final = 4
CLICK_LEFT_OUTSIDE: Final = 5
CLICK_FLAGGED: Final = 6
CLICK_UNFLAGGED: Final = 7
CLICK_ASKED: Final = 8
CLICK_DOUBTED: Final = 9
CLICK_CLEARED: Final = 10
CLICK_RIGHT_IDLE: Final = 11
CLICK_RIGHT_OUTSIDE: Final = 12
CLICK_CHORDED: Final = 13
CLICK_DOUBLE_IDLE: Final = 14
CLICK_DOUBLE_OUTSIDE: Final = 15
BACK: Final = 32
# The signals whose meaning depends on those before.
LC: Final = 2
LR: Final = 3
RC: Final = 4
RR: Final = 5
MC: Final = 6
MR: Final = 7
CC: Final = 9
SC: Final = 10
TR: Final = 11
NOTHING: Final = 1
UP: Final = -1
"""A button that is not held; `held` has for others what they stand for, 0 if nothing."""


def resolve_modifiers_of_signal(given: int, held: NDArray[np.int64]) -> int:
    """Return a signal with modifiers resolved; update what left, right, middle stand for."""
    signal = int(given)
    if signal == CC:
        signal = RC if held[0] != UP else LC
    button = means = -1
    if signal in (LC, SC, TR):
        button = 0
        means = LC if signal == LC else MC if signal == SC else RC
    elif signal == RC:
        button, means = 1, RC
    elif signal == MC:
        button, means = 2, MC
    if button >= 0:
        counts = held[button] == UP
        for other in range(3):
            counts = counts and held[other] != means
        if held[button] == UP:
            held[button] = means if counts else 0
        return means if counts else NOTHING
    button = 0 if signal == LR else 1 if signal == RR else 2 if signal == MR else -1
    if button < 0:
        return signal
    means = int(held[button])
    held[button] = UP
    # The signal of each release is one more than that of the press.
    return means + 1 if means > 0 else NOTHING


def click_set_flag(
    cell: int, flag: int, mine: NDArray[np.uint8], marks: NDArray[np.uint8],
    facts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Set a flag (`flag` 1) or remove it (0)."""
    change = flag - int(marks[FLAG, cell])
    marks[FLAG, cell] = flag
    facts[FLAGS] += change
    if not mine[cell]:
        facts[WRONG] += change


def click_uncover(
    cell: int, mine: NDArray[np.uint8], hint: NDArray[np.uint8], marks: NDArray[np.uint8],
    order: NDArray[np.int64], blown: NDArray[np.int64], facts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Open a covered cell, and its opening if it is a zero; note a mine in `blown`."""
    if mine[cell]:
        blown[facts[BLOWN]] = cell
        facts[BLOWN] += 1
        return
    width = facts[WIDTH]
    holds = facts[FLAGS_HOLD] > 0 and facts[FLAGS] > 0
    begin = place = top = facts[ORDER]
    marks[OPENED, cell] = 1
    order[top] = cell
    top += 1
    while place < top:
        here = order[place]
        place += 1
        if hint[here]:
            continue
        row, col = here // width, here % width
        for r in range(max(row - 1, 0), min(row + 2, mine.size // width)):
            for c in range(max(col - 1, 0), min(col + 2, width)):
                other = r * width + c
                if not marks[OPENED, other] and not (holds and marks[FLAG, other]):
                    marks[OPENED, other] = 1
                    order[top] = other
                    top += 1
    facts[ORDER] = top
    if not hint[cell] and facts[FLAGS] > 0 and not holds:
        for place in range(begin, top):
            click_set_flag(order[place], 0, mine, marks, facts)
    for place in range(begin, top):
        marks[QUESTION, order[place]] = 0


def click_chord(
    cell: int, mine: NDArray[np.uint8], hint: NDArray[np.uint8], marks: NDArray[np.uint8],
    order: NDArray[np.int64], blown: NDArray[np.int64], facts: NDArray[np.int64],
) -> int:  # fmt: skip
    """Chord a number if it has its flags; return the outcome, a `Click`."""
    if cell < 0:
        return CLICK_DOUBLE_OUTSIDE
    if not marks[OPENED, cell]:
        return CLICK_DOUBLE_IDLE
    width = facts[WIDTH]
    row, col = cell // width, cell % width
    top, bottom = max(row - 1, 0), min(row + 2, mine.size // width)
    left, right = max(col - 1, 0), min(col + 2, width)
    flags = covered = bits = bit = 0
    for r in range(top, bottom):
        for c in range(left, right):
            other = r * width + c
            flags += marks[FLAG, other]
            if not marks[OPENED, other] and not marks[FLAG, other]:
                covered += 1
                bits |= 1 << bit
            bit += 1
    if flags != hint[cell] or not covered:
        return CLICK_DOUBLE_IDLE
    # A flag that an opening removes stood at the start, so its cell is not opened.
    for r in range(top, bottom):
        for c in range(left, right):
            other = r * width + c
            if bits & 1 and not marks[OPENED, other]:
                click_uncover(other, mine, hint, marks, order, blown, facts)
            bits >>= 1
    return CLICK_CHORDED


def click_toggle_question(
    cell: int, mine: NDArray[np.uint8], marks: NDArray[np.uint8], facts: NDArray[np.int64]
) -> int:
    """Set or remove a question mark; return the outcome, a `Click`."""
    if cell < 0:
        return CLICK_RIGHT_OUTSIDE
    if marks[OPENED, cell]:
        return CLICK_RIGHT_IDLE
    if marks[QUESTION, cell]:
        marks[QUESTION, cell] = 0
        return CLICK_CLEARED
    doubted = marks[FLAG, cell]
    click_set_flag(cell, 0, mine, marks, facts)
    marks[QUESTION, cell] = 1
    return CLICK_DOUBTED if doubted else CLICK_ASKED


def click_cycle_mark(
    cell: int, clicks: int, mine: NDArray[np.uint8], marks: NDArray[np.uint8],
    facts: NDArray[np.int64],
) -> int:  # fmt: skip
    """Set or remove a flag or question mark; return the outcome, a `Click`."""
    facts[PRESSED] = clicks
    if cell < 0:
        return CLICK_RIGHT_OUTSIDE
    if marks[OPENED, cell]:
        return CLICK_RIGHT_IDLE
    if facts[QUESTIONS] and (marks[FLAG, cell] or marks[QUESTION, cell]):
        return click_toggle_question(cell, mine, marks, facts)
    marks[QUESTION, cell] = 0
    click_set_flag(cell, 1 - int(marks[FLAG, cell]), mine, marks, facts)
    return CLICK_FLAGGED if marks[FLAG, cell] else CLICK_UNFLAGGED


def click_open(
    cell: int, mine: NDArray[np.uint8], hint: NDArray[np.uint8], marks: NDArray[np.uint8],
    order: NDArray[np.int64], blown: NDArray[np.int64], facts: NDArray[np.int64],
) -> int:  # fmt: skip
    """Carry out a left click; return the outcome, a `Click`."""
    if cell < 0:
        return CLICK_LEFT_OUTSIDE
    if marks[OPENED, cell]:
        if facts[LEFT_CHORDS]:
            found = click_chord(cell, mine, hint, marks, order, blown, facts)
            return CLICK_LEFT_CHORDED if found == CLICK_CHORDED else CLICK_LEFT_IDLE
        return CLICK_LEFT_IDLE
    if marks[FLAG, cell]:
        return CLICK_LEFT_IDLE
    click_uncover(cell, mine, hint, marks, order, blown, facts)
    return CLICK_BLEW if facts[BLOWN] else CLICK_OPENED


def click_apply_action(  # noqa: PLR0913, PLR0917 - kernels hold nothing
    action: int, cell: int, clicks: int, mine: NDArray[np.uint8], hint: NDArray[np.uint8],
    marks: NDArray[np.uint8], order: NDArray[np.int64], blown: NDArray[np.int64],
    facts: NDArray[np.int64],
) -> int:  # fmt: skip
    """Carry out an action; return the outcome, a `Click`, or 0 if there was no click."""
    if action == ACTION_OPEN:
        return click_open(cell, mine, hint, marks, order, blown, facts)
    if action == ACTION_MARK:
        return click_cycle_mark(cell, clicks, mine, marks, facts)
    if action == ACTION_CHORD:
        return click_chord(cell, mine, hint, marks, order, blown, facts)
    if action == ACTION_CHORD_BACK:
        back = BACK if facts[PRESSED] >= facts[COUNTED] else 0
        return click_chord(cell, mine, hint, marks, order, blown, facts) + back
    if action == ACTION_ASK:
        return click_toggle_question(cell, mine, marks, facts)
    if cell < 0 or marks[FLAG, cell] or marks[OPENED, cell]:
        return 0
    return click_cycle_mark(cell, clicks, mine, marks, facts)


def play_button_events(  # noqa: PLR0913, PLR0917 - kernels hold nothing
    events: NDArray[np.int64], signals: NDArray[np.uint8], cells: NDArray[np.int64],
    steps: NDArray[np.int64], mine: NDArray[np.uint8], hint: NDArray[np.uint8],
    held: NDArray[np.int64], marks: NDArray[np.uint8], order: NDArray[np.int64],
    blown: NDArray[np.int64], facts: NDArray[np.int64], log: NDArray[np.int64],
) -> int:  # fmt: skip
    """Play button events until the game ends; return the number of clicks, all in `log`.

    `steps` is the automaton, `(keys, 2)`: for each state plus signal the next state and the action.
    The key of a first right press is 0 if there is no covered cell under it. `held` is full of
    `UP`, `marks` of 0; `order` and `blown` have room for all cells.
    """
    left = mine.size
    for cell in range(mine.size):
        left -= mine[cell]
    facts[START] = facts[END] = -1
    state = clicks = 0
    for place in range(events.size):
        cell = cells[place]
        signal = int(signals[place])
        if not facts[PLAIN]:
            signal = resolve_modifiers_of_signal(signal, held)
        key = state + signal
        if key == RC and (cell < 0 or marks[OPENED, cell]):
            key = 0
        state = steps[key, 0]
        action = steps[key, 1]
        if not action:
            continue
        code = click_apply_action(action, cell, clicks, mine, hint, marks, order, blown, facts)
        if not code:
            continue
        log[0, clicks], log[1, clicks], log[2, clicks] = events[place], code, cell
        log[3, clicks], log[4, clicks] = facts[ORDER], facts[FLAGS]
        log[5, clicks] = facts[WRONG]
        clicks += 1
        if facts[START] < 0:
            if facts[ORDER] or facts[BLOWN]:
                facts[START] = events[place]
            elif not facts[FLAGS]:
                facts[COUNTED] = clicks
        if facts[BLOWN] or facts[ORDER] == left:
            facts[END] = events[place]
            break
    return clicks
