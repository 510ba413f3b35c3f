"""What an act changes on a board, and the opening that a zero cell opens as the list of its cells.

These are the cells that `flood.flood` opens, for whoever has to know which they were; to find them
takes as long as there are cells in the opening, however large the board is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

import numpy as np

from demine.logic import wide_flood
from demine.logic.errors import WorkError
from demine.logic.neighbours import flat_neighbours
from demine.logic.wide_flood import OpenedRows

if TYPE_CHECKING:
    from array import array
    from collections.abc import MutableSequence, Sequence

WALL: Final = 9
"""A hint that nothing passes, that of a flag that holds."""
_LARGE: Final = 4096
"""Openings of more cells open by rows of bits."""
_EACH: Final = 16
"""To open anything is as much work as so many cells more."""
CHORD: Final = 2
"""To chord is as much work as it is to open so many cells more than it opens."""
CLOSE: Final = 16
"""To close anything is as much work as it is to open so many cells."""
QUICK: Final = 8
"""So many cells of an opening close as soon as one opens."""
BY_ROWS: Final = 128
"""So many are laid, or close by rows, as soon as one opens."""
_VISIT: Final = 6
"""To look at a row of bits is as much work as so many cells, and one more for so many columns."""
_COLUMNS: Final = 300
_CELLS: Final = 128
"""To make out and write so many cells of rows is as much work as one cell alone."""


Cells: TypeAlias = "bytearray | memoryview[int]"
"""A byte for each cell."""


class Opening(NamedTuple):
    """What an opening changed on a board."""

    cells: array[int] | bytes
    """What it opened: the cells, or rows as packed bits, each beginning with a byte."""
    flags: Sequence[int]
    """The cells whose flags went."""
    questions: Sequence[int]
    """The cells whose question marks went."""
    first: int = 0
    """The first of the rows."""


Change: TypeAlias = int | Opening | list["Change"]
"""What an act changed on a board, to be taken back.

What a chord changed is a list. A cell that was opened is `~(cell << 1 | question)`, one whose marks
changed is `cell << 2 | flag << 1 | question`: what stood on it before.
"""


class WorkLimit:
    """How much work it was to open and close what was, in cells that `open_cell_by_cell` opens.

    It is raised as a `WorkError` when it gets more than it may be.
    """

    __slots__ = ("by_rows", "done", "most")

    def __init__(self, most: float = math.inf) -> None:
        self.most = most
        """How much it may be."""
        self.done = 0
        self.by_rows = 0
        """How much the last opening by rows was."""

    def add(self, cells: int) -> None:
        """Count work; raises `WorkError`."""
        self.done += cells
        if self.done > self.most:
            raise WorkError(
                "this is more work than to open {most} cells one by one; in Python "
                "demine.load(path, trusted=True) reads a file that you trust all the same",
                most=self.most,
            )


def open_opening(
    hint: Cells,
    opened: Cells,
    shape: tuple[int, int],
    start: int,
    work: WorkLimit,
) -> list[int] | OpenedRows:
    """Open the opening that holds the zero cell `start`, whichever way is sooner.

    Arguments as of `open_cell_by_cell`, of which both are buffers too. Returns the cells that were
    opened, as they are or as rows of the board. Raises `WorkError`, and then leaves the board
    somewhere.
    """
    height, width = shape
    marks = cast("MutableSequence[int]", opened)
    # Rows pay for an opening of as many cells as they were worth the last time.
    most = max(_LARGE, work.by_rows)
    found = open_cell_by_cell(hint, marks, width, height, start, most)
    work.add(_EACH + len(found))
    if len(found) <= most:
        return found
    open_map = np.frombuffer(opened, np.bool_).reshape(shape)
    open_map.reshape(-1)[found] = False
    hint_map = np.frombuffer(hint, np.uint8).reshape(shape)
    visit = _VISIT + width // _COLUMNS
    rows, visits = wide_flood.opened_rows(
        hint_map, open_map, *divmod(start, width), (work.most - work.done) / visit
    )
    work.by_rows = visits * visit
    if rows is None:
        work.add(work.by_rows)
        found = open_cell_by_cell(hint, marks, width, height, start, work.most - work.done)
        work.add(len(found))
        return found
    work.by_rows += rows.fresh.size // _CELLS
    work.add(work.by_rows)
    open_map[rows.first : rows.first + len(rows.fresh)] |= rows.fresh
    return rows


def open_cell_by_cell(
    hint: Sequence[int],
    opened: MutableSequence[int],
    width: int,
    height: int,
    start: int,
    most: float = math.inf,
) -> list[int]:
    """Open the opening that holds the zero cell `start`, and the numbers on its border.

    Arguments as of `flood.flood`, but that cells with the hint `WALL` are neither opened nor
    passed; nor are those passed that are open already. Returns the cells that were opened, those
    nearest first. With more than `most` of them it stops somewhere.
    """
    last, lowest = width - 1, width * (height - 1)
    opened[start] = 1
    found = [start]
    add = found.append
    for cell in found:
        if hint[cell]:
            continue
        if 0 < cell % width < last and width <= cell < lowest:
            up, down = cell - width, cell + width
            near: tuple[int, ...] = (
                up - 1,
                up,
                up + 1,
                cell - 1,
                cell + 1,
                down - 1,
                down,
                down + 1,
            )
        else:
            near = flat_neighbours(cell, height, width)
        for other in near:
            if not opened[other] and hint[other] < WALL:
                opened[other] = 1
                add(other)
        if len(found) > most:
            break
    return found
