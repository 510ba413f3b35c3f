"""The field's automaton over a whole recording, a twin of `demine.statistics.play_recording`.

Cells are places in the flat board, `row * width + col`, and -1 outside. `marks` is uint8
`(3, cells)`, `log` int64 `(6, events)`, `facts` int64 `(13,)`; what they hold has names below.
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
# Places of `facts`: the width, choices, and whether every signal means what it says, which are
# given; the others are told.
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
# What a movement leads to.
DEED_OPEN: Final = 1
DEED_MARK: Final = 2
DEED_CHORD: Final = 3
DEED_CHORD_BACK: Final = 4
DEED_ASK: Final = 5
DEED_PREFLAG: Final = 6
# What a click came to: the values of `demine.statistics.played_recording.Click`.
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
# The signals whose meaning hangs on what came before.
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
"""A button that is not held; one that is holds what it stands for, 0 if it is not heard."""


def hand_without_modifiers(given: int, held: NDArray[np.int64]) -> int:
    """Return a signal with the modifiers resolved; `held` is what left, right and middle hold."""
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
        heard = held[button] == UP
        for other in range(3):
            heard = heard and held[other] != means
        if held[button] == UP:
            held[button] = means if heard else 0
        return means if heard else NOTHING
    button = 0 if signal == LR else 1 if signal == RR else 2 if signal == MR else -1
    if button < 0:
        return signal
    means = int(held[button])
    held[button] = UP
    # Each button comes up as the signal after the one it came down as.
    return means + 1 if means > 0 else NOTHING


def hand_set_flag(
    cell: int, flag: int, mine: NDArray[np.uint8], marks: NDArray[np.uint8],
    facts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Set or take a flag."""
    change = flag - int(marks[FLAG, cell])
    marks[FLAG, cell] = flag
    facts[FLAGS] += change
    if not mine[cell]:
        facts[WRONG] += change


def hand_uncover(
    cell: int, mine: NDArray[np.uint8], hint: NDArray[np.uint8], marks: NDArray[np.uint8],
    order: NDArray[np.int64], blown: NDArray[np.int64], facts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Open a covered cell, and its opening if it is a zero."""
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
            hand_set_flag(order[place], 0, mine, marks, facts)
    for place in range(begin, top):
        marks[QUESTION, order[place]] = 0


def hand_chord(
    cell: int, mine: NDArray[np.uint8], hint: NDArray[np.uint8], marks: NDArray[np.uint8],
    order: NDArray[np.int64], blown: NDArray[np.int64], facts: NDArray[np.int64],
) -> int:  # fmt: skip
    """Open what is around a number that has its flags; return what that came to."""
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
    # What an opening's flood takes off is not opened by this chord.
    for r in range(top, bottom):
        for c in range(left, right):
            other = r * width + c
            if bits & 1 and not marks[OPENED, other]:
                hand_uncover(other, mine, hint, marks, order, blown, facts)
            bits >>= 1
    return CLICK_CHORDED


def hand_toggle_question(
    cell: int, mine: NDArray[np.uint8], marks: NDArray[np.uint8], facts: NDArray[np.int64]
) -> int:
    """Set a question mark, or take it."""
    if cell < 0:
        return CLICK_RIGHT_OUTSIDE
    if marks[OPENED, cell]:
        return CLICK_RIGHT_IDLE
    if marks[QUESTION, cell]:
        marks[QUESTION, cell] = 0
        return CLICK_CLEARED
    doubted = marks[FLAG, cell]
    hand_set_flag(cell, 0, mine, marks, facts)
    marks[QUESTION, cell] = 1
    return CLICK_DOUBTED if doubted else CLICK_ASKED


def hand_cycle_mark(
    cell: int, clicks: int, mine: NDArray[np.uint8], marks: NDArray[np.uint8],
    facts: NDArray[np.int64],
) -> int:  # fmt: skip
    """Set a mark, or take it."""
    facts[PRESSED] = clicks
    if cell < 0:
        return CLICK_RIGHT_OUTSIDE
    if marks[OPENED, cell]:
        return CLICK_RIGHT_IDLE
    if facts[QUESTIONS] and (marks[FLAG, cell] or marks[QUESTION, cell]):
        return hand_toggle_question(cell, mine, marks, facts)
    marks[QUESTION, cell] = 0
    hand_set_flag(cell, 1 - int(marks[FLAG, cell]), mine, marks, facts)
    return CLICK_FLAGGED if marks[FLAG, cell] else CLICK_UNFLAGGED


def hand_open(
    cell: int, mine: NDArray[np.uint8], hint: NDArray[np.uint8], marks: NDArray[np.uint8],
    order: NDArray[np.int64], blown: NDArray[np.int64], facts: NDArray[np.int64],
) -> int:  # fmt: skip
    """Open what a left click opens."""
    if cell < 0:
        return CLICK_LEFT_OUTSIDE
    if marks[OPENED, cell]:
        if facts[LEFT_CHORDS]:
            found = hand_chord(cell, mine, hint, marks, order, blown, facts)
            return CLICK_LEFT_CHORDED if found == CLICK_CHORDED else CLICK_LEFT_IDLE
        return CLICK_LEFT_IDLE
    if marks[FLAG, cell]:
        return CLICK_LEFT_IDLE
    hand_uncover(cell, mine, hint, marks, order, blown, facts)
    return CLICK_BLEW if facts[BLOWN] else CLICK_OPENED


def hand_apply_action(  # noqa: PLR0913, PLR0917 - kernels hold nothing
    deed: int, cell: int, clicks: int, mine: NDArray[np.uint8], hint: NDArray[np.uint8],
    marks: NDArray[np.uint8], order: NDArray[np.int64], blown: NDArray[np.int64],
    facts: NDArray[np.int64],
) -> int:  # fmt: skip
    """Do a deed; return what it came to, 0 if nothing was clicked."""
    if deed == DEED_OPEN:
        return hand_open(cell, mine, hint, marks, order, blown, facts)
    if deed == DEED_MARK:
        return hand_cycle_mark(cell, clicks, mine, marks, facts)
    if deed == DEED_CHORD:
        return hand_chord(cell, mine, hint, marks, order, blown, facts)
    if deed == DEED_CHORD_BACK:
        back = BACK if facts[PRESSED] >= facts[COUNTED] else 0
        return hand_chord(cell, mine, hint, marks, order, blown, facts) + back
    if deed == DEED_ASK:
        return hand_toggle_question(cell, mine, marks, facts)
    if cell < 0 or marks[FLAG, cell]:
        return 0
    return hand_cycle_mark(cell, clicks, mine, marks, facts)


def hand_play(  # noqa: PLR0913, PLR0917 - kernels hold nothing
    events: NDArray[np.int64], signals: NDArray[np.uint8], cells: NDArray[np.int64],
    steps: NDArray[np.int64], mine: NDArray[np.uint8], hint: NDArray[np.uint8],
    held: NDArray[np.int64], marks: NDArray[np.uint8], order: NDArray[np.int64],
    blown: NDArray[np.int64], facts: NDArray[np.int64], log: NDArray[np.int64],
) -> int:  # fmt: skip
    """Play button events until the game ends; return how many clicks they were.

    `steps` is the automaton: `(keys, 2)`, by state plus signal the next state and the deed; the key
    of a press from where no button is held is 0 if the cell is open or none. `held` is full of
    `UP`, `marks` of 0; `order` and `blown` take as many cells as there are.
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
            signal = hand_without_modifiers(signal, held)
        key = state + signal
        if key == RC and (cell < 0 or marks[OPENED, cell]):
            key = 0
        state = steps[key, 0]
        deed = steps[key, 1]
        if not deed:
            continue
        code = hand_apply_action(deed, cell, clicks, mine, hint, marks, order, blown, facts)
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
