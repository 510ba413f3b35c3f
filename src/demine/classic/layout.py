"""Where everything stands in the window: the panel above, the board below it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from demine.scene.board_geometry import LEAST_PLAYABLE_CELL, MAX_CELL, MIN_CELL, Rect, View

Size = tuple[int, int]

_LEAST_UNIT, _MIN_UNIT, _MAX_UNIT = 6, 16, 44
"""The panel's measure in pixels: about a cell, within reason; less in a narrow window."""
_PANEL_UNITS: Final = 9
"""How many units wide the panel is at least: two counters and the face."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The rectangles of a window of one size; `Layout.opening` is that of a new window."""

    size: Size
    view: View
    fits: bool
    """Whether the board follows the size of the window; other boards are scrolled."""
    panel: Rect
    counters: Rect
    """The row with the mine counter, the face and the time."""
    face: Rect
    line: Rect
    """The line of words."""
    page: Rect
    """Where a page of text stands."""
    edge: int
    """Width of the line around the board."""

    @classmethod
    def at(cls, size: Size, shape: Size, cell: int) -> Layout:
        """Return the layout of a board of `(height, width)` cells, of `cell` pixels each."""
        width, height = size
        unit = _panel_unit(cell)
        while unit > _LEAST_UNIT and _panel_width(unit) > width:
            unit -= 1
        edge, margin, top = _edge(unit), _margin(unit), _panel_height(unit)
        inner, high, gap = width - 2 * margin, unit * 3 // 2, max(2, unit // 8)
        view = View.at(shape, Rect(margin, top, max(1, inner), max(1, height - margin - top)), cell)
        return cls(
            size,
            view,
            view.shows_whole_board,
            panel=Rect(0, 0, width, top),
            counters=Rect(margin, margin, inner, high),
            face=Rect((width - high) // 2, margin, high, high),
            line=Rect(margin, margin + high + gap, inner, _line_height(unit)),
            page=Rect(margin, margin, inner, height - 2 * margin),
            edge=edge,
        )

    @classmethod
    def opening(cls, shape: Size, cell: int, screen: Size) -> Layout:
        """Return the layout of the window to open for a board, as large as the screen allows.

        `shape` is `(height, width)` in cells, `cell` their size in pixels, 0 for a fitting one.
        """
        cell = cell or fitting_cell(shape, screen)
        return cls.at(first_size(shape, cell, screen), shape, cell)

    @classmethod
    def fit(cls, size: Size, shape: Size, least: int = LEAST_PLAYABLE_CELL) -> Layout:
        """Return the layout with the largest cells that show the whole board.

        Where these had to be smaller than `least` pixels, the board is scrolled.
        """
        layouts = (cls.at(size, shape, cell) for cell in range(MAX_CELL, least, -1))
        return next((each for each in layouts if each.fits), cls.at(size, shape, least))

    def resized(self, size: Size) -> Layout:
        """Return the layout of the same board in a window of another size."""
        shape = self.view.rows, self.view.cols
        if self.fits:
            return replace(self.fit(size, shape, MIN_CELL), fits=True)
        other = self.at(size, shape, self.view.cell)
        return replace(other, view=self.view.resized(other.view.viewport), fits=False)

    @property
    def frame(self) -> Rect:
        """The board with the line around it, which ends with the board and not with the window."""
        wide, board, port = self.edge, self.view.board_rect, self.view.viewport
        left = board.x - wide if board.x >= port.x else port.x
        top = board.y - wide if board.y >= port.y else port.y
        right = board.right + wide if board.right <= port.right else port.right
        bottom = board.bottom + wide if board.bottom <= port.bottom else port.bottom
        return Rect(left, top, right - left, bottom - top)


def window_size(shape: Size, cell: int) -> Size:
    """Return the window that shows a whole board of `(height, width)` cells, in pixels."""
    unit = _panel_unit(cell)
    width = max(shape[1] * cell + 2 * _margin(unit), _panel_width(unit))
    return width, _panel_height(unit) + shape[0] * cell + _margin(unit)


def fitting_cell(shape: Size, screen: Size) -> int:
    """Return a comfortable cell size for a board on a screen of `(width, height)` pixels.

    Comfortable is a thirty-fourth of the screen's height; smaller when the board needs it, but not
    below 16 pixels, where scrolling serves better than squinting.
    """
    cell = min(max(screen[1] // 34, 20), 64)
    while cell > LEAST_PLAYABLE_CELL and first_size(shape, cell, screen) != window_size(
        shape, cell
    ):
        cell -= 1
    return cell


def first_size(shape: Size, cell: int, screen: Size) -> Size:
    """Return the window to open for a board: all of it, or as much as the screen has room for."""
    width, height = window_size(shape, cell)
    # What task bars and title bars leave.
    return min(width, screen[0] * 94 // 100), min(height, screen[1] * 84 // 100)


def _panel_unit(cell: int) -> int:
    return min(max(cell, _MIN_UNIT), _MAX_UNIT)


def _edge(unit: int) -> int:
    return max(3, unit // 8)


def _margin(unit: int) -> int:
    return _edge(unit) + max(3, unit // 4)


def _line_height(unit: int) -> int:
    return max(16, unit * 4 // 5)


def _panel_width(unit: int) -> int:
    return _PANEL_UNITS * unit + 2 * _margin(unit)


def _panel_height(unit: int) -> int:
    rows = unit * 3 // 2 + _line_height(unit)
    return _margin(unit) + rows + 2 * max(2, unit // 8) + _edge(unit)
