"""A recording: where the mines were and what the mouse did, before any rule is applied."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from demine.logic.metadata import FIELD_CELL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Signal(IntEnum):
    """The kind of an event of a recording; 1 to 9 are the numbers and names of EVF files."""

    MV = 1
    """The pointer moved."""
    LC = 2
    """The left button was pressed."""
    LR = 3
    """The left button was released."""
    RC = 4
    RR = 5
    MC = 6
    MR = 7
    PF = 8
    """A flag that stood before the recording began."""
    CC = 9
    """The second of two buttons was pressed; which one it was is not recorded."""
    SC = 10
    """The left button was pressed with Shift held: it chords when it is released."""
    TR = 11
    """The left button was pressed with Ctrl held: it acts as the right button."""
    OPEN = 32
    """An act without the mouse, by key or finger, at the cell that holds the point."""
    FLAG = 33
    QUESTION = 34
    CHORD = 35


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """The mines and the mouse events of a replay file. All arrays about events have one length.

    Times are the recorder's own, in milliseconds, and never decrease; the rules say which event
    opens the first cell. Points are pixels from the board's top left corner at `cell` pixels a
    cell, and may lie outside the board.

    >>> import numpy as np
    >>> import demine
    >>> none = np.zeros(0, np.int32)
    >>> mine_map = np.eye(3, dtype=bool)
    >>> recording = demine.Recording(mine_map, none.astype("i8"), none.astype("u1"), none, none)
    >>> demine.stats(recording).bv
    6
    """

    mine_map: NDArray[np.bool_]
    """Shape `(height, width)`."""
    t: NDArray[np.int64]
    signal: NDArray[np.uint8]
    """`Signal` values."""
    x: NDArray[np.int32]
    y: NDArray[np.int32]
    cell: int = FIELD_CELL
    questions: bool = False
    """Whether a second right click makes a question mark."""
    left_chords: bool = False
    """Whether a left click alone on a number chords."""
    flags_hold: bool = True
    """Whether openings leave flagged cells closed, as in every competitive client."""
