"""A game as evidence: where the mines were and what the hand did, before any rule is applied."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from demine.logic.metadata import FIELD_CELL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Signal(IntEnum):
    """What an event of a recording is; 1 to 9 are the numbers and names that EVF files use."""

    MV = 1
    """The pointer moved."""
    LC = 2
    """The left button came down."""
    LR = 3
    """The left button went up."""
    RC = 4
    RR = 5
    MC = 6
    MR = 7
    PF = 8
    """A flag that stood before recording began."""
    CC = 9
    """The second of two buttons came down, which of them nobody wrote down."""
    SC = 10
    """The left button came down with Shift held: it chords when it goes up."""
    TR = 11
    """The left button came down with Ctrl held: it is the right button."""
    OPEN = 32
    """An act without the mouse, by key or finger, at the cell that holds the point."""
    FLAG = 33
    QUESTION = 34
    CHORD = 35


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """What a replay file says of the mines and the hand. All arrays are of one length, in order.

    Times are the recorder's own, in milliseconds, and never run back; when the first cell opens is
    for the rules to say. Points are pixels from the board's top left corner at `cell` pixels a
    cell, and may lie outside the board.
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
