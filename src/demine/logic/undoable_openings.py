"""Openings that can be undone, because they return the cells that they opened; work is counted.

The cells are those that `flood` opens. The time grows with the cells of the opening, not with
the size of the board.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

import numpy as np

from demine.logic import flood_by_rows
from demine.logic.errors import WorkError
from demine.logic.flood import flood
from demine.logic.flood_by_rows import OpenedRows
from demine.logic.kernels import NOTES, OPENING_KERNELS

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence, Sequence

    from numpy.typing import NDArray

_LARGE: Final = 256
"""Openings with more cells are opened by rows of bits."""
_EACH: Final = 16
"""The work of any opening besides its cells, in cells opened one by one."""
CHORD: Final = 2
"""The work of a chord besides the cells it opens."""
CLOSE: Final = 16
"""The work of closing anything besides its cells."""
QUICK: Final = 8
"""How many cells of an opening are closed in the time of opening one."""
BY_ROWS: Final = 128
"""How many cells are laid, or closed by rows, in the time of opening one."""
_VISIT: Final = 6
"""The work of visiting a row of bits, plus one for every `_COLUMNS` columns."""
_COLUMNS: Final = 300
_CELLS: Final = 128
"""How many cells of rows are worked out and written in the time of opening one."""
_TALLEST: Final = 1 << 17
"""Boards with more rows are opened without the kernel, whose memory grows with the rows."""
Cells: TypeAlias = "bytearray | memoryview[int]"
"""One byte per cell."""


class Opening(NamedTuple):
    """What an opening changed on a board."""

    cells: NDArray[np.int32] | OpenedRows
    """The opened cells."""
    flags: Sequence[int]
    """The cells whose flags it removed."""
    questions: Sequence[int]
    """The cells whose question marks it removed."""


Change: TypeAlias = int | Opening | list["Change"]
"""What an act changed on a board, as needed to undo it.

A chord's changes are a list. An opened cell is `~(cell << 1 | question)`, one whose marks changed
`cell << 2 | flag << 1 | question`, with the marks it had before.
"""


def is_mark_change(change: Change) -> bool:
    """Return whether a change is that of one cell's flag or question mark, and opened nothing."""
    return isinstance(change, int) and change >= 0


def changed_cells(change: Change, width: int, most: int) -> list[int] | None:
    """Return the cells, `row * width + col`, that a change touched on a board of that width.

    None if it opened an opening, and there are more than `most` of them.
    """
    if isinstance(change, int):
        return [change >> 2 if change >= 0 else ~change >> 1]
    if isinstance(change, list):
        found: list[int] = []
        for each in change:
            cells = changed_cells(each, width, most - len(found))
            if cells is None:
                return None
            found += cells
        return found
    opened = change.cells
    if opened.size > most:
        return None
    if isinstance(opened, OpenedRows):
        found = (np.flatnonzero(opened.flags(width)) + opened.first * width).tolist()
    else:
        found = opened.tolist()
    return found


class WorkLimit:
    """Counts the work of opening and closing cells, in cells opened by `flood`.

    Raises `WorkError` once there is more than the limit.
    """

    __slots__ = ("by_rows", "done", "limit")

    def __init__(self, limit: float = math.inf) -> None:
        self.limit: float = limit
        self.done: int = 0
        self.by_rows: int = 0
        """The work of the last opening by rows."""

    def add(self, cells: int) -> None:
        """Add work; raises `WorkError` if the sum is more than the limit."""
        self.done += cells
        if self.done > self.limit:
            raise WorkError(
                "this takes more work than opening {most} cells one by one; in Python, "
                "demine.load(path, trusted=True) reads a file you trust anyway",
                most=self.limit,
            )


def open_opening(
    hint: Cells,
    opened: Cells,
    shape: tuple[int, int],
    start: int,
    work: WorkLimit,
    *,
    mixed: bool = True,
) -> NDArray[np.int32] | OpenedRows:
    """Open the opening that holds the zero cell `start`, in whichever way is fastest.

    Arguments are those of `flood`; `shape` is `(height, width)`. Unless openings are
    `mixed`, no cell of this one but numbers may be open, and no hint a `WALL`. Returns the cells
    that were opened, as an array or as rows of the board. Raises `WorkError`, which leaves the
    opening unfinished. The work that is counted is that of the plain ways.
    """
    kernel = OPENING_KERNELS.compiled_kernel("open_by_words")
    if kernel is None or shape[0] > _TALLEST or sys.byteorder != "little":
        return _open_plainly(hint, opened, shape, start, work)
    return _open_compiled(kernel, hint, opened, shape, start, work, mixed)


@OPENING_KERNELS.stands_in
def _open_plainly(
    hint: Cells, opened: Cells, shape: tuple[int, int], start: int, work: WorkLimit
) -> NDArray[np.int32] | OpenedRows:
    height, width = shape
    marks = cast("MutableSequence[int]", opened)
    most = _worth_rows(work)
    found = flood(hint, marks, width, height, start, most)
    work.add(_EACH + min(len(found), most))
    if len(found) <= most:
        return np.array(found, np.int32)
    np.frombuffer(opened, np.bool_)[found] = False
    return _open_by_rows(hint, opened, shape, start, work)


@OPENING_KERNELS.stands_in
def _open_by_rows(
    hint: Cells, opened: Cells, shape: tuple[int, int], start: int, work: WorkLimit
) -> NDArray[np.int32] | OpenedRows:
    height, width = shape
    open_map = np.frombuffer(opened, np.bool_).reshape(shape)
    hint_map = np.frombuffer(hint, np.uint8).reshape(shape)
    fill = flood_by_rows.fill_by_rows(
        hint_map, open_map, *divmod(start, width), _visit_limit(shape, work)
    )
    _count_visits(fill.row_visits, fill.first, fill.end, width, work)
    if fill.fresh is None:
        marks = cast("MutableSequence[int]", opened)
        found = flood(hint, marks, width, height, start, work.limit - work.done)
        work.add(len(found))
        return np.array(found, np.int32)
    open_map[fill.first : fill.end] |= fill.fresh
    bits = np.packbits(fill.fresh, axis=1, bitorder="little")
    return OpenedRows(fill.first, int(np.count_nonzero(fill.fresh)), bits)


def _open_compiled(
    kernel: Callable[..., tuple[NDArray[np.int32], int, int, int, int]],
    hint: Cells,
    opened: Cells,
    shape: tuple[int, int],
    start: int,
    work: WorkLimit,
    mixed: bool,
) -> NDArray[np.int32] | OpenedRows:
    height, width = shape
    words = -(-width // 64) + 2
    scratch = np.zeros(height * (2 * words + NOTES // 2), np.uint64)
    cells, count, visits, first, end = kernel(
        np.frombuffer(hint, np.uint8), np.frombuffer(opened, np.uint8), width, start, mixed, scratch
    )
    most = _worth_rows(work)
    work.add(_EACH + min(count, most))
    if count > most:
        limit = _visit_limit(shape, work)
        if visits <= limit:
            _count_visits(visits, first, end, width, work)
        else:
            _count_visits(math.floor(limit) + 1, 0, 0, width, work)
            work.add(count)
    if cells.size:
        return cells
    rows = scratch[first * words : end * words].reshape(-1, words)[:, 1:]
    return OpenedRows(first, count, rows.view(np.uint8)[:, : -(-width // 8)].copy())


def _worth_rows(work: WorkLimit) -> int:
    """Return the most cells of an opening that is not worth rows.

    They are worth it for more cells than their work was the last time.
    """
    return max(_LARGE, work.by_rows)


def _visit_limit(shape: tuple[int, int], work: WorkLimit) -> float:
    """Return the most visits to rows before filling by rows is given up."""
    left = (work.limit - work.done) / _visit_work(shape[1])
    return min(left, flood_by_rows.most_visits(shape[0]))


def _visit_work(width: int) -> int:
    return _VISIT + width // _COLUMNS


def _count_visits(visits: int, first: int, end: int, width: int, work: WorkLimit) -> None:
    """Count the work of visits to rows, and of writing the rows from `first` to `end`."""
    work.by_rows = visits * _visit_work(width) + (end - first) * width // _CELLS
    work.add(work.by_rows)
