"""The layout of a terminal's screen, and which part of the board is visible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from demine.logic.metadata import FIELD_CELL


class CellSize(NamedTuple):
    """How many columns and rows of the terminal a cell takes."""

    cols: int
    rows: int


SMALL: Final = CellSize(2, 1)
"""The least cell, about as wide as it is high, and as wide as a Chinese letter."""
_LARGER: Final = (CellSize(6, 3), CellSize(4, 2))
"""The larger cells, the largest first. Widths are even, as signs are pairs of letters."""
_TOOL_ROWS: Final = 1
_HEADER_ROWS: Final = 2
"""Rows of the header: mines, face and time, and below them what is played."""
_STRIP_ROWS: Final = 3
"""Rows kept below the board, for words."""
_MIN_BOARD_ROWS: Final = 4
"""Rows of cells that go before the words below the board."""
_MIN_HEADER_COLUMNS: Final = 34
"""The least width of the header in columns, if there is room."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """Where everything is on the screen; x counts columns and y rows of the terminal from 0.

    The terminal has `cols` and `rows`. The board has a `shape`, (height, width), and its first
    visible cell is (`top`, `left`). Tools are in the first row; header, board and the strip for
    words are centred together below it.
    """

    cols: int
    rows: int
    shape: tuple[int, int]
    top: int = 0
    left: int = 0
    footer_rows: int = 0
    """Rows kept free below a board of any size; only one if the terminal is very low."""
    may_grow: bool = True
    """Whether cells may be larger than `SMALL`; without colours they would fall apart."""

    @property
    def cell(self) -> CellSize:
        """The size of a cell: the largest with which all of the board is visible."""
        if not self.may_grow:
            return SMALL
        height, wide = self.shape
        room = self.rows - _TOOL_ROWS - _HEADER_ROWS - 2 - self._strip_rows
        fits = (
            size
            for size in _LARGER
            if size.rows * height <= room and size.cols * wide + 2 <= self.cols
        )
        return next(fits, SMALL)

    @property
    def _strip_rows(self) -> int:
        return max(self.footer_rows, _STRIP_ROWS)

    # The board

    @property
    def visible_rows(self) -> int:
        """How many rows of cells are visible."""
        room = self.rows - _TOOL_ROWS - _HEADER_ROWS - 2 - self.footer_rows
        if self.footer_rows:
            room = max(room, min(_MIN_BOARD_ROWS, room + self.footer_rows - 1))
        elif room < self.shape[0]:
            room = min(room, max(_MIN_BOARD_ROWS, room - _STRIP_ROWS))
        return max(1, min(self.shape[0], room // self.cell.rows))

    @property
    def visible_cols(self) -> int:
        """How many columns of cells are visible."""
        return max(1, min(self.shape[1], (self.cols - 2) // self.cell.cols))

    @property
    def border_x(self) -> int:
        """The x of the border left of the board."""
        return max(0, (self.cols - self.board_columns) // 2)

    @property
    def board_columns(self) -> int:
        """How many columns the board takes, with its border."""
        return self.cell.cols * self.visible_cols + 2

    @property
    def header_y(self) -> int:
        """The y of the header's first row."""
        board = self.cell.rows * self.visible_rows + 2
        spare = self.rows - _TOOL_ROWS - _HEADER_ROWS - board - self._strip_rows
        return _TOOL_ROWS + max(0, spare) // 2

    @property
    def first_row_y(self) -> int:
        """The y of the first visible row of cells."""
        return self.header_y + _HEADER_ROWS + 1

    @property
    def shows_whole_board(self) -> bool:
        """Whether all of the board is visible."""
        return (self.visible_rows, self.visible_cols) == self.shape

    @property
    def middle_cell(self) -> tuple[int, int]:
        """The cell in the middle of the visible part."""
        return self.top + self.visible_rows // 2, self.left + self.visible_cols // 2

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the cell (row, col) at a place of the screen, or None outside the board."""
        row = (y - self.first_row_y) // self.cell.rows
        col = (x - self.border_x - 1) // self.cell.cols
        if 0 <= row < self.visible_rows and 0 <= col < self.visible_cols:
            return self.top + row, self.left + col
        return None

    def shows_cell(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is visible."""
        row, col = cell[0] - self.top, cell[1] - self.left
        return 0 <= row < self.visible_rows and 0 <= col < self.visible_cols

    def board_point(self, x: int, y: int) -> tuple[int, int]:
        """Return the pixel (x, y) to record for a place, on a board of `FIELD_CELL` per cell."""
        cols, rows = self.cell
        across = (x - self.border_x - 1 + cols * self.left) * FIELD_CELL // cols
        down = (y - self.first_row_y + rows * self.top) * FIELD_CELL // rows
        return across + FIELD_CELL // (2 * cols), down + FIELD_CELL // (2 * rows)

    # Around the board

    @property
    def note_y(self) -> int:
        """The y of the first row below the board."""
        return self.first_row_y + self.cell.rows * self.visible_rows + 1

    @property
    def note_rows(self) -> int:
        """How many rows there are below the board."""
        return max(0, self.rows - self.note_y)

    @property
    def header_x_width(self) -> tuple[int, int]:
        """The x of the header, and its width in columns: that of the board, if it can be read."""
        wide = min(self.cols, max(_MIN_HEADER_COLUMNS, self.board_columns - 2))
        return (self.cols - wide) // 2, wide

    def is_on_restart_button(self, x: int, y: int) -> bool:
        """Return whether a place is on the restart face."""
        left, wide = self.header_x_width
        middle = left + wide // 2
        return y == self.header_y and middle - 3 <= x < middle + 3

    # Scrolling

    def scrolled(self, down: int, right: int) -> ScreenLayout:
        """Return the layout with the board scrolled by that many cells, within its edges."""
        top = min(max(self.top + down, 0), self.shape[0] - self.visible_rows)
        left = min(max(self.left + right, 0), self.shape[1] - self.visible_cols)
        return replace(self, top=top, left=left)

    def scrolled_to(self, cell: tuple[int, int]) -> ScreenLayout:
        """Return the layout scrolled no further than needed to show a cell and its neighbours."""
        down = _scroll_needed(cell[0], self.top, self.visible_rows)
        right = _scroll_needed(cell[1], self.left, self.visible_cols)
        return self.scrolled(down, right)

    def initially_centred_on(self, cell: tuple[int, int] | None) -> ScreenLayout:
        """Return the layout for first showing a board: centred on a cell, else at the top left."""
        row, col = cell or (0, 0)
        corner = replace(self, top=0, left=0)
        return corner.scrolled(row - self.visible_rows // 2, col - self.visible_cols // 2)

    def resized(self, cols: int, rows: int) -> ScreenLayout:
        """Return the layout for a terminal of another size."""
        return replace(self, cols=max(1, cols), rows=max(1, rows)).scrolled(0, 0)


def _scroll_needed(at: int, first: int, count: int) -> int:
    """Return how far to scroll to show index `at`, with one more on each side if that fits."""
    margin = 1 if count > 2 else 0
    if at - margin < first:
        return at - margin - first
    return max(0, at + margin - (first + count - 1))
