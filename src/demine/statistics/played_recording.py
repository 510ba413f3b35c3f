"""A recording played by the rules: its clicks, what they opened, and how the game ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from demine.logic.event import Verb

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from demine.statistics.layout_regions import LayoutRegions
    from demine.statistics.recording_type import Recording


class Click(IntEnum):
    """The outcome of a click; the usual counts of clicks are sums over these."""

    OPENED = 1
    """Left: it opened at least one cell."""
    BLEW = 2
    """Left: it opened a mine."""
    LEFT_CHORDED = 3
    """Left alone on a number: it opened what a chord opens."""
    LEFT_IDLE = 4
    """Left: nothing opened."""
    LEFT_OUTSIDE = 5
    """Left: the button was released outside the board."""
    FLAGGED = 6
    """Right: it set a flag."""
    UNFLAGGED = 7
    """Right: it removed a flag."""
    ASKED = 8
    """Right: it put a question mark on a covered cell."""
    DOUBTED = 9
    """Right: it replaced a flag by a question mark."""
    CLEARED = 10
    """Right: it removed a question mark."""
    RIGHT_IDLE = 11
    """Right: on an open cell."""
    RIGHT_OUTSIDE = 12
    """Right: outside the board."""
    CHORDED = 13
    """Double: it opened at least one cell, perhaps a mine."""
    DOUBLE_IDLE = 14
    """Double: nothing opened."""
    DOUBLE_OUTSIDE = 15
    """Double: outside the board, where it is not counted."""


CLICKS: Final = 16
"""One more than the largest `Click`."""
TAKES_BACK: Final = 32
"""Added to the code of a double click that began with a counted right press that marked nothing."""

MARKED: Final = (Click.FLAGGED, Click.UNFLAGGED, Click.ASKED, Click.DOUBTED, Click.CLEARED)
"""The right clicks that changed the board."""


@cache
def click_kind_mask(*kinds: Click) -> NDArray[np.bool_]:
    """Return a mask indexed by `Click`, bool `(16,)`, that is True for these kinds."""
    return np.isin(np.arange(CLICKS), kinds)


VERBS: Final[Mapping[int, Verb]] = {
    Click.OPENED: Verb.OPEN,
    Click.BLEW: Verb.OPEN,
    Click.LEFT_CHORDED: Verb.CHORD,
    Click.FLAGGED: Verb.FLAG,
    Click.UNFLAGGED: Verb.FLAG,
    Click.ASKED: Verb.QUESTION,
    Click.DOUBTED: Verb.QUESTION,
    Click.CLEARED: Verb.QUESTION,
    Click.CHORDED: Verb.CHORD,
}
"""The verb of each kind of click that changed the board."""


class BoardAct(NamedTuple):
    """An act of a recording: what changed the board, when and where."""

    verb: Verb
    row: int
    col: int
    event: int
    """The index of the event in the recording."""
    t: int
    """Milliseconds since the first cell opened; negative before."""


@dataclass(frozen=True, eq=False)
class PlayedRecording:
    """A recording as the mouse automaton plays it. The arrays about clicks have one length.

    Cells are numbered `row * width + col`. The clicks before `counted` belong to the game but are
    not counted: before the first cell opens, counting starts again whenever no flag stands.
    """

    recording: Recording
    events: NDArray[np.int64]
    """The index of the event that completed each click, in order."""
    codes: NDArray[np.int64]
    """`Click` values, some with `TAKES_BACK` added."""
    cells: NDArray[np.int64]
    """The cell of each click; -1 outside the board."""
    ends: NDArray[np.int64]
    """How many cells of `opened` were open after each click."""
    flags: NDArray[np.int64]
    """How many flags stood after each click."""
    wrong: NDArray[np.int64]
    """How many of these flags stood on safe cells."""
    opened: NDArray[np.int64]
    """The safe cells in the order in which they opened."""
    blown: tuple[int, ...]
    """The mines that were opened."""
    start: int
    """The index of the event that opened the first cell; -1 if none did."""
    end: int
    """The index of the event that won or lost the game; -1 if none did."""
    won: bool
    counted: int
    """The index of the first click that is counted."""
    flagged: bytes
    """Whether each cell has a flag at the end, a byte each."""
    asked: bytes
    """Whether each cell has a question mark at the end, a byte each."""
    regions: LayoutRegions
    """The regions of the board, which claims are checked with and statistics are made of."""

    @property
    def lost(self) -> bool:
        """Whether a mine was opened."""
        return bool(self.blown)

    @property
    def clicks(self) -> NDArray[np.int64]:
        """The kind of each click, a `Click`."""
        return self.codes & (TAKES_BACK - 1)

    @property
    def start_ms(self) -> int:
        """The recording's time of the first opened cell, in milliseconds; 0 if none opened."""
        return int(self.recording.t[self.start]) if self.start >= 0 else 0

    @property
    def end_ms(self) -> int:
        """The recording's time of the end, or of the last event of an unfinished game."""
        if self.end >= 0:
            return int(self.recording.t[self.end])
        return int(self.recording.t[-1]) if self.recording.t.size else 0

    @property
    def time_ms(self) -> int:
        """Milliseconds from the first opened cell to the end: what replay formats call rtime."""
        return self.end_ms - self.start_ms if self.start >= 0 else 0

    def opened_by(self, click: int) -> NDArray[np.int64]:
        """Return the safe cells that the click of this index opened."""
        return self.opened[self.ends[click - 1] if click else 0 : self.ends[click]]

    def acts(self) -> Iterator[BoardAct]:
        """Yield the acts that changed the board, in order."""
        width = self.recording.mine_map.shape[1]
        times = (self.recording.t[self.events] - self.start_ms).tolist()
        places = self.cells.tolist()
        rows = zip(self.clicks.tolist(), places, self.events.tolist(), times, strict=True)
        for click, cell, event, t in rows:
            if click in VERBS:
                row, col = divmod(cell, width)
                yield BoardAct(VERBS[click], row, col, event, t)
