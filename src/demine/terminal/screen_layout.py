"""Where everything stands in a terminal of one size, and which part of the board is seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from demine.logic.metadata import FIELD_CELL

CELL: Final = 2
"""Columns of a cell: about as wide as a row is high, and as a Chinese letter."""
_ABOVE: Final = 4
"""Rows above the board's first one: buttons, counters, words, edge."""
_NOTE: Final = 3
"""Rows that are kept for words below a board that is too high anyway."""
_LEAST: Final = 4
"""Rows of cells that come before words below the board."""
_PANEL: Final = 40
"""How wide the panel is at least, where there is room."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    """Where everything is on the screen.

    The terminal has `cols` and `rows`; the board has a `shape`, and a first cell that is seen.
    """

    cols: int
    rows: int
    shape: tuple[int, int]
    top: int = 0
    left: int = 0
    footer_rows: int = 0
    """Rows that stay free below the board, whatever its size; but one where hardly any are left."""

    # The board

    @property
    def visible_rows(self) -> int:
        """How many rows of cells are seen."""
        room = self.rows - _ABOVE - 1 - self.footer_rows
        if self.footer_rows:
            room = max(room, min(_LEAST, room + self.footer_rows - 1))
        elif room < self.shape[0]:
            room = min(room, max(_LEAST, room - _NOTE))
        return max(1, min(self.shape[0], room))

    @property
    def visible_cols(self) -> int:
        """How many columns of cells are seen."""
        return max(1, min(self.shape[1], (self.cols - 2) // CELL))

    @property
    def board_x(self) -> int:
        """Column of the board's left edge."""
        return max(0, (self.cols - CELL * self.visible_cols - 2) // 2)

    @property
    def board_y(self) -> int:
        """Row of the first row of cells."""
        return _ABOVE

    @property
    def shows_whole_board(self) -> bool:
        """Whether all of the board is seen."""
        return (self.visible_rows, self.visible_cols) == self.shape

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the cell at a place of the terminal, None beside the board."""
        row, col = y - self.board_y, (x - self.board_x - 1) // CELL
        if 0 <= row < self.visible_rows and 0 <= col < self.visible_cols:
            return self.top + row, self.left + col
        return None

    def shows_cell(self, cell: tuple[int, int]) -> bool:
        """Whether a cell is on the screen."""
        row, col = cell[0] - self.top, cell[1] - self.left
        return 0 <= row < self.visible_rows and 0 <= col < self.visible_cols

    def board_point(self, x: int, y: int) -> tuple[int, int]:
        """Return a place as pixels of the board at `FIELD_CELL` a cell, for the record."""
        across = (x - self.board_x - 1 + CELL * self.left) * FIELD_CELL // CELL
        down = (y - self.board_y + self.top) * FIELD_CELL
        return across + FIELD_CELL // (2 * CELL), down + FIELD_CELL // 2

    # Around it

    @property
    def note_y(self) -> int:
        """First row below the board."""
        return self.board_y + self.visible_rows + 1

    @property
    def note_rows(self) -> int:
        """How many rows of words have room below the board."""
        return max(0, self.rows - self.note_y)

    @property
    def panel_columns(self) -> tuple[int, int]:
        """First column of the panel and its width."""
        wide = min(self.cols, max(_PANEL, CELL * self.visible_cols + 2))
        return (self.cols - wide) // 2, wide

    def on_face(self, x: int, y: int) -> bool:
        """Whether the restart face is at a place."""
        left, wide = self.panel_columns
        middle = left + wide // 2
        return y == 1 and middle - 3 <= x <= middle + 3

    # Moving

    def scrolled(self, down: int, right: int) -> ScreenLayout:
        """Return the layout with the board scrolled by so many cells, as far as it goes."""
        top = min(max(self.top + down, 0), self.shape[0] - self.visible_rows)
        left = min(max(self.left + right, 0), self.shape[1] - self.visible_cols)
        return replace(self, top=top, left=left)

    def scrolled_to(self, cell: tuple[int, int]) -> ScreenLayout:
        """Return the layout scrolled no more than needed to see a cell and its neighbours."""
        down = _scroll_needed(cell[0], self.top, self.visible_rows)
        right = _scroll_needed(cell[1], self.left, self.visible_cols)
        return self.scrolled(down, right)

    def initially_centred_on(self, cell: tuple[int, int] | None) -> ScreenLayout:
        """Return the layout as a board is first looked at: with a cell, if any, in the middle."""
        row, col = cell or (0, 0)
        corner = replace(self, top=0, left=0)
        return corner.scrolled(row - self.visible_rows // 2, col - self.visible_cols // 2)

    def resized(self, cols: int, rows: int) -> ScreenLayout:
        """Return the layout in a terminal of another size."""
        return replace(self, cols=max(1, cols), rows=max(1, rows)).scrolled(0, 0)


def _scroll_needed(at: int, first: int, count: int) -> int:
    """Return how far to scroll so that a place has one more on each side, where that fits."""
    margin = 1 if count > 2 else 0
    if at - margin < first:
        return at - margin - first
    return max(0, at + margin - (first + count - 1))
