"""Changes of the board during a game: as a file records them, and as its clicks cause them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.logic.neighbours import count_around
from demine.statistics.played_recording import Click

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from demine.statistics.played_recording import PlayedRecording


class CellDisplay(IntEnum):
    """What a cell shows after a recorded change: the values of `Face`, and two pressed looks."""

    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    COVERED = 9
    FLAG = 10
    QUESTION = 11
    MINE = 12
    BLOWN = 13
    WRONG = 14
    PRESSED = 15
    PRESSED_QUESTION = 16


@dataclass(frozen=True, slots=True, eq=False)
class RecordedBoardChanges:
    """The board changes that a file records; the game does not depend on them.

    All arrays have one length, in the order of the file.
    """

    events_before: NDArray[np.int64]
    """The number of recorded mouse events before it in the file."""
    t: NDArray[np.int64]
    """Milliseconds on the recorder's clock, or the time of the event before it if it has none."""
    row: NDArray[np.int32]
    col: NDArray[np.int32]
    display: NDArray[np.uint8]
    """`CellDisplay` values."""


_DISPLAY_AFTER_CLICK: Final = {
    Click.FLAGGED: CellDisplay.FLAG,
    Click.UNFLAGGED: CellDisplay.COVERED,
    Click.ASKED: CellDisplay.QUESTION,
    Click.DOUBTED: CellDisplay.QUESTION,
    Click.CLEARED: CellDisplay.COVERED,
}
"""What a cell shows after a right click with this effect."""


class BoardChange(NamedTuple):
    """The effect of a click on one cell."""

    event: int
    display: CellDisplay
    row: int
    col: int


def board_changes_of_clicks(course: PlayedRecording, first_event: int) -> Iterator[BoardChange]:
    """Yield the changes that the rules derive from the clicks, from event `first_event` on."""
    width = course.recording.mine_map.shape[1]
    hints = count_around(course.recording.mine_map).reshape(-1)
    rows = zip(course.clicks.tolist(), course.cells.tolist(), course.events.tolist(), strict=True)
    for click, (code, cell, event) in enumerate(rows):
        if event < first_event:
            continue
        if code in _DISPLAY_AFTER_CLICK:
            yield BoardChange(event, _DISPLAY_AFTER_CLICK[Click(code)], *divmod(cell, width))
        for at in course.opened_by(click).tolist():
            yield BoardChange(event, CellDisplay(hints[at]), *divmod(at, width))
        if event == course.end:
            for at in course.blown:
                yield BoardChange(event, CellDisplay.BLOWN, *divmod(at, width))
