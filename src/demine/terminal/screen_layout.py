"""The layout of a terminal's screen, and which part of the board is visible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from demine.logic.metadata import FIELD_CELL

CELL: Final = 2
"""The columns of a cell, about as wide as a row is high, and as wide as a Chinese letter."""
_ROWS_ABOVE: Final = 4
"""Rows above the board's first one: buttons, panel, status line, border."""
_NOTE_ROWS: Final = 3
"""Rows kept for the note below a board that is too high to fit anyway."""
_MIN_BOARD_ROWS: Final = 4
"""Rows of cells that go before the note below the board."""
_MIN_PANEL_COLUMNS: Final = 40
"""The least width of the panel in columns, if there is room."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """Where everything is on the screen; x counts columns and y rows of the terminal from 0.

    The terminal has `cols` and `rows`. The board has a `shape`, (height, width), and its first
    visible cell is (`top`, `left`).
    """

    cols: int
    rows: int
    shape: tuple[int, int]
    top: int = 0
    left: int = 0
    footer_rows: int = 0
    """Rows kept free below a board of any size; only one if the terminal is very low."""

    # The board

    @property
    def visible_rows(self) -> int:
        """How many rows of cells are visible."""
        room = self.rows - _ROWS_ABOVE - 1 - self.footer_rows
        if self.footer_rows:
            room = max(room, min(_MIN_BOARD_ROWS, room + self.footer_rows - 1))
        elif room < self.shape[0]:
            room = min(room, max(_MIN_BOARD_ROWS, room - _NOTE_ROWS))
        return max(1, min(self.shape[0], room))

    @property
    def visible_cols(self) -> int:
        """How many columns of cells are visible."""
        return max(1, min(self.shape[1], (self.cols - 2) // CELL))

    @property
    def border_x(self) -> int:
        """The x of the border left of the board."""
        return max(0, (self.cols - CELL * self.visible_cols - 2) // 2)

    @property
    def first_row_y(self) -> int:
        """The y of the first visible row of cells."""
        return _ROWS_ABOVE

    @property
    def shows_whole_board(self) -> bool:
        """Whether all of the board is visible."""
        return (self.visible_rows, self.visible_cols) == self.shape

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the cell (row, col) at a place of the screen, or None outside the board."""
        row, col = y - self.first_row_y, (x - self.border_x - 1) // CELL
        if 0 <= row < self.visible_rows and 0 <= col < self.visible_cols:
            return self.top + row, self.left + col
        return None

    def shows_cell(self, cell: tuple[int, int]) -> bool:
        """Return whether a cell is visible."""
        row, col = cell[0] - self.top, cell[1] - self.left
        return 0 <= row < self.visible_rows and 0 <= col < self.visible_cols

    def board_point(self, x: int, y: int) -> tuple[int, int]:
        """Return the pixel (x, y) to record for a place, on a board of `FIELD_CELL` per cell."""
        across = (x - self.border_x - 1 + CELL * self.left) * FIELD_CELL // CELL
        down = (y - self.first_row_y + self.top) * FIELD_CELL
        return across + FIELD_CELL // (2 * CELL), down + FIELD_CELL // 2

    # Around the board

    @property
    def note_y(self) -> int:
        """The y of the first row below the board."""
        return self.first_row_y + self.visible_rows + 1

    @property
    def note_rows(self) -> int:
        """How many rows there are below the board."""
        return max(0, self.rows - self.note_y)

    @property
    def panel_x_width(self) -> tuple[int, int]:
        """The x of the panel, and its width in columns."""
        wide = min(self.cols, max(_MIN_PANEL_COLUMNS, CELL * self.visible_cols + 2))
        return (self.cols - wide) // 2, wide

    def on_face(self, x: int, y: int) -> bool:
        """Return whether a place is on the restart face."""
        left, wide = self.panel_x_width
        middle = left + wide // 2
        return y == 1 and middle - 3 <= x <= middle + 3

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
