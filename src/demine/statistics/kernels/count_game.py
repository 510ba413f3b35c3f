"""Count a played recording at its end; the kernel of `demine.statistics.end_figures`.

It counts what `demine.statistics.cumulative_counts` has for every click, in one pass over clicks
and events. Cells are numbered `row * width + col`; -1 is outside the board.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

from demine.statistics.kernels.play_recording import (
    BACK,
    CLICK_CHORDED,
    CLICK_CLEARED,
    CLICK_DOUBLE_IDLE,
    CLICK_DOUBTED,
    CLICK_FLAGGED,
    CLICK_LEFT_CHORDED,
    CLICK_OPENED,
    CLICK_UNFLAGGED,
    LR,
    NOTHING,
    RC,
    resolve_modifiers_of_signal,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Rows of `log`, one column for each click; the last two are written.
EVENT: Final = 0
CODE: Final = 1
CELL: Final = 2
OPEN_CELLS: Final = 3
"""How many cells were open after it."""
FLAGS: Final = 4
"""How many flags stood after it."""
KIND: Final = 5
"""Its kind, 0 if it is not counted."""
IS_FIRST_FLAG: Final = 6
"""Whether it flagged a mine for the first time."""
LOG: Final = 7
# Entries of `facts`: the board and the game.
WIDTH: Final = 0
CELL_PX: Final = 1
COUNTED: Final = 2
"""The first click that is counted."""
START: Final = 3
"""The event that opened the first cell, -1 if none did."""
LAST: Final = 4
"""The last event of the game."""
HELD: Final = 5
"""What left, right and middle stand for; nothing is held at first."""
FACTS: Final = 8
# Entries of `counts`; those before are how many clicks of each kind there were.
TAKEN_BACK: Final = 16
FIRST_FLAGS: Final = 17
USED_FLAGS: Final = 18
MISFLAGS: Final = 19
MISUNFLAGS: Final = 20
HALF: Final = 21
HALF_RAWVF: Final = 22
OPENINGS: Final = 23
ISLANDS: Final = 24
LONE: Final = 25
COUNTS: Final = 26
# Entries of `lengths`, in pixels.
STRAIGHT: Final = 0
ALONG_AXES: Final = 1
CLICK_PATH: Final = 2
EFFECTIVE_PATH: Final = 3
LENGTHS: Final = 4
FIELD: Final = 16
"""The pixels of a cell between whose centres the path of effective clicks goes."""
# Rows of `work`, full of 0.
EPOCH: Final = 0
"""When each cell was flagged last, in times that begin when no flag stands before the game."""
UNUSED: Final = 1
"""Whether a flag stands that no chord used."""
SIZE: Final = 2
"""How many cells of each part are closed."""
IS_OPENING: Final = 3
"""Whether each part is an opening."""
WORK: Final = 4


def count_game(  # noqa: PLR0913, PLR0917 - kernels hold nothing
    log: NDArray[np.int64], signals: NDArray[np.uint8], x: NDArray[np.int32],
    y: NDArray[np.int32], mines: NDArray[np.uint8], zero: NDArray[np.uint8],
    parts: NDArray[np.int64], opened: NDArray[np.int64], facts: NDArray[np.int64],
    work: NDArray[np.int64], counts: NDArray[np.int64], lengths: NDArray[np.float64],
) -> None:  # fmt: skip
    """Write the `counts` and `lengths` of a game, both full of 0.

    `log` has a column for each click; `opened` are the cells that opened.
    """
    count_clicks(log, mines, facts, work, counts)
    count_flags(log, mines, facts, work, counts)
    count_half_clicks(log, signals, facts[HELD:], counts)
    count_solved(zero, parts, opened, work, counts)
    if facts[START] >= 0:
        measure_pointer_path(x, y, mines.size, facts, lengths)
        measure_click_path(log, x, y, facts, lengths)
        measure_effective_path(log, facts, lengths)


def count_clicks(
    log: NDArray[np.int64], mines: NDArray[np.uint8], facts: NDArray[np.int64],
    work: NDArray[np.int64], counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the clicks of each kind, those taken back and the first flags on mines; log these."""
    epoch = 0
    for click in range(log.shape[1]):
        code, cell = log[CODE, click], log[CELL, click]
        kind = code & (BACK - 1)
        if log[OPEN_CELLS, click] == 0 and log[FLAGS, click] == 0:
            epoch += 1
        log[IS_FIRST_FLAG, click] = 0
        if kind == CLICK_FLAGGED and work[EPOCH, cell] <= epoch:
            work[EPOCH, cell] = epoch + 1
            log[IS_FIRST_FLAG, click] = mines[cell]
            counts[FIRST_FLAGS] += mines[cell]
        is_counted = click >= facts[COUNTED]
        log[KIND, click] = kind if is_counted else 0
        counts[log[KIND, click]] += 1
        if is_counted and code & BACK:
            counts[TAKEN_BACK] += 1


def count_flags(
    log: NDArray[np.int64], mines: NDArray[np.uint8], facts: NDArray[np.int64],
    work: NDArray[np.int64], counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the flags that a chord used, and those set on and taken off safe cells."""
    width = facts[WIDTH]
    for click in range(log.shape[1]):
        kind, cell = log[KIND, click], log[CELL, click]
        if kind == CLICK_FLAGGED:
            work[UNUSED, cell] = 1
            counts[MISFLAGS] += mines[cell] == 0
        elif kind in (CLICK_UNFLAGGED, CLICK_DOUBTED):
            work[UNUSED, cell] = 0
            counts[MISUNFLAGS] += mines[cell] == 0
        elif kind in (CLICK_LEFT_CHORDED, CLICK_CHORDED):
            row, col = cell // width, cell % width
            for r in range(max(row - 1, 0), min(row + 2, mines.size // width)):
                for c in range(max(col - 1, 0), min(col + 2, width)):
                    near = r * width + c
                    if near != cell:
                        counts[USED_FLAGS] += work[UNUSED, near]
                        work[UNUSED, near] = 0


def count_half_clicks(
    log: NDArray[np.int64], signals: NDArray[np.uint8], held: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the chords that began with a right press that changed a mark."""
    press = press_with_flag = press_with_mark = counted = -1
    click = 0
    for event in range(signals.size):
        if click == log.shape[1]:
            return
        if signals[event] == NOTHING:
            continue
        signal = resolve_modifiers_of_signal(signals[event], held)
        if log[EVENT, click] > event:
            if signal == RC:
                press = event
            continue
        kind = log[KIND, click]
        click += 1
        if kind == CLICK_CHORDED and -1 < press == press_with_flag != counted:
            counted = press
            counts[HALF] += 1
        is_double = kind in (CLICK_CHORDED, CLICK_DOUBLE_IDLE)
        if is_double and signal == LR and -1 < press == press_with_mark:
            counts[HALF_RAWVF] += 1
        if signal == RC:
            press = event
            if CLICK_FLAGGED <= kind <= CLICK_CLEARED:
                press_with_mark = event
            if kind == CLICK_FLAGGED:
                press_with_flag = event


def count_solved(
    zero: NDArray[np.uint8], parts: NDArray[np.int64], opened: NDArray[np.int64],
    work: NDArray[np.int64], counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count the openings, islands and lone numbers that are solved."""
    for cell in range(parts.size):
        part = parts[cell]
        if part >= 0:
            work[SIZE, part] += 1
            work[IS_OPENING, part] = zero[cell]
    for place in range(opened.size):
        part = parts[opened[place]]
        if part < 0:
            continue
        work[SIZE, part] -= 1
        is_solved = work[SIZE, part] == 0
        if work[IS_OPENING, part]:
            counts[OPENINGS] += is_solved
        else:
            counts[ISLANDS] += is_solved
            counts[LONE] += 1


def measure_pointer_path(
    x: NDArray[np.int32], y: NDArray[np.int32], cells: int, facts: NDArray[np.int64],
    lengths: NDArray[np.float64],
) -> None:  # fmt: skip
    """Measure the way between the points on the board, from the first opened cell on."""
    width = facts[WIDTH] * facts[CELL_PX]
    height = cells // facts[WIDTH] * facts[CELL_PX]
    before = -1
    for event in range(facts[START], facts[LAST] + 1):
        if not (0 <= x[event] < width and 0 <= y[event] < height):
            continue
        if before >= 0:
            dx, dy = float(x[event] - x[before]), float(y[event] - y[before])
            lengths[STRAIGHT] += sqrt(dx * dx + dy * dy)
            lengths[ALONG_AXES] += abs(dx) + abs(dy)
        before = event


def measure_click_path(
    log: NDArray[np.int64], x: NDArray[np.int32], y: NDArray[np.int32], facts: NDArray[np.int64],
    lengths: NDArray[np.float64],
) -> None:  # fmt: skip
    """Measure the lines between the points of the clicks on the board."""
    before = -1
    for click in range(log.shape[1]):
        event = log[EVENT, click]
        if event < facts[START] or log[CELL, click] < 0:
            continue
        if before >= 0:
            dx, dy = float(x[event] - x[before]), float(y[event] - y[before])
            lengths[CLICK_PATH] += sqrt(dx * dx + dy * dy)
        before = event


def measure_effective_path(
    log: NDArray[np.int64], facts: NDArray[np.int64], lengths: NDArray[np.float64]
) -> None:
    """Measure the lines between the cells of effective clicks."""
    width, before = facts[WIDTH], -1
    for click in range(log.shape[1]):
        kind, cell = log[KIND, click], log[CELL, click]
        is_effective = kind in (CLICK_OPENED, CLICK_LEFT_CHORDED, CLICK_CHORDED)
        if log[EVENT, click] < facts[START] or not (is_effective or log[IS_FIRST_FLAG, click]):
            continue
        if before >= 0:
            dx = float(FIELD * (cell % width - before % width))
            dy = float(FIELD * (cell // width - before // width))
            lengths[EFFECTIVE_PATH] += sqrt(dx * dx + dy * dy)
        before = cell
