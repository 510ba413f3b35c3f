"""The layout of a window with a panel and a board below it, in pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import le
from typing import Final, NamedTuple

from demine.scene.board_geometry import LEAST_PLAYABLE_CELL, MAX_CELL, MIN_CELL, Rect, View

Size = tuple[int, int]

_LEAST_UNIT, _MIN_UNIT, _MAX_UNIT = 12, 16, 44
"""The panel's unit of length in pixels: about a cell, within limits; less in a narrow window, down
to the least at which the digits of the counters are told apart."""
_PANEL_UNITS: Final = 9
"""The least width of the panel in units: two counters and the face."""
_COUNTERS_UNITS: Final = 7
"""The least width of the panel in units when the face has given way to the counters."""
_COMFORTABLE_CELLS: Final = 32, 64
"""The least and the largest cell of a new window in pixels, where board and screen allow it."""


class _Panel(NamedTuple):
    """The lengths of a panel in pixels."""

    edge: int
    """Width of the line around the board."""
    margin: int
    row: int
    """Height of the counters and the face."""
    gap: int
    line: int
    """Height of the status line."""
    face: int
    """Width of the face; 0 if there is no room for it."""
    height: int
    least_width: int

    @classmethod
    def of(cls, unit: int, units: int = _PANEL_UNITS) -> _Panel:
        """Return the lengths of a panel at least `units` wide, whose unit is `unit` pixels."""
        edge, row, gap, line = max(3, unit // 8), unit * 3 // 2, max(2, unit // 8), unit * 4 // 5
        margin, line = edge + max(3, unit // 4), max(16, line)
        height = margin + row + gap + line + gap + edge
        face = row if units >= _PANEL_UNITS else 0
        return cls(edge, margin, row, gap, line, face, height, units * unit + 2 * margin)

    @classmethod
    def within(cls, width: int, cell: int) -> _Panel:
        """Return the largest panel for cells of `cell` pixels in a window `width` pixels wide.

        The face gives way before the counters become too small to read.
        """
        panels = (
            cls.of(unit, units)
            for units in (_PANEL_UNITS, _COUNTERS_UNITS)
            for unit in range(_unit(cell), _LEAST_UNIT - 1, -1)
        )
        least = cls.of(_LEAST_UNIT, _COUNTERS_UNITS)
        return next((each for each in panels if each.least_width <= width), least)


@dataclass(frozen=True, slots=True)
class Layout:
    """The rectangles of the parts of a window."""

    size: Size
    view: View
    panel: Rect
    counters: Rect
    """The row with the mine counter, the face and the time."""
    face: Rect
    """The restart face; it is 0 wide in a window with room for the counters only."""
    line: Rect
    """The status line."""
    page: Rect
    """Where a page of text is shown."""
    edge: int
    """Width of the line around the board."""

    @classmethod
    def with_cell_size(cls, size: Size, shape: Size, cell_px: int) -> Layout:
        """Return the layout of a window of `size` (width, height), with cells of `cell_px` pixels.

        `shape` is (height, width) in cells.
        """
        width, height = size
        edge, margin, row, gap, line, face, top, _ = _Panel.within(width, cell_px)
        inner = width - 2 * margin
        viewport = Rect(margin, top, max(1, inner), max(1, height - margin - top))
        return cls(
            size,
            View.with_cell_size(shape, viewport, cell_px),
            panel=Rect(0, 0, width, top),
            counters=Rect(margin, margin, inner, row),
            face=Rect((width - face) // 2, margin, face, row),
            line=Rect(margin, margin + row + gap, inner, line),
            page=Rect(margin, margin, inner, height - 2 * margin),
            edge=edge,
        )

    @classmethod
    def for_new_window(cls, shape: Size, cell_px: int, screen: Size) -> Layout:
        """Return the layout of a new window for a board, no larger than the screen allows.

        `shape` is (height, width) in cells, and `cell_px` their size in pixels. For 0 it is a
        comfortable size: a thirty-fourth of the screen's height, but at least 32; less if the board
        needs that, down to LEAST_PLAYABLE_CELL; a board that does not fit then is scrolled.
        """
        least, most = _COMFORTABLE_CELLS
        comfortable = range(min(max(screen[1] // 34, least), most), LEAST_PLAYABLE_CELL - 1, -1)
        # The part of the screen without task bars and title bars.
        room = screen[0] * 94 // 100, screen[1] * 84 // 100
        cells = [cell_px] if cell_px else comfortable
        fitting = (each for each in cells if all(map(le, window_size(shape, each), room)))
        cell_px = next(fitting, cells[-1])
        width, height = window_size(shape, cell_px)
        return cls.with_cell_size((min(width, room[0]), min(height, room[1])), shape, cell_px)

    @classmethod
    def fitted(cls, size: Size, shape: Size, min_cell_px: int = LEAST_PLAYABLE_CELL) -> Layout:
        """Return the layout with the largest cells that show the whole board in a window.

        If these would be smaller than `min_cell_px` pixels, cells have that size, and the board is
        scrolled.
        """
        layouts = (
            cls.with_cell_size(size, shape, cell) for cell in range(MAX_CELL, min_cell_px, -1)
        )
        return next(
            (each for each in layouts if each.view.shows_whole_board),
            cls.with_cell_size(size, shape, min_cell_px),
        )

    def resized(self, size: Size) -> Layout:
        """Return the layout of the same board in a window of another size.

        A board that is wholly visible is fitted again; any other keeps its cell size.
        """
        view, shape = self.view, (self.view.rows, self.view.cols)
        if view.shows_whole_board or view.cell == MIN_CELL:
            return self.fitted(size, shape, MIN_CELL)
        other = self.with_cell_size(size, shape, view.cell)
        return replace(other, view=view.resized(other.view.viewport))

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the (row, col) under a pixel, or None outside the visible part of the board."""
        return self.view.cell_at(x, y)

    def board_point(self, x: int, y: int) -> tuple[int, int]:
        """Convert a pixel to (x, y) from the board's corner, at 16 pixels a cell, as recorded."""
        return self.view.to_field_pixels(x, y)

    def is_on_restart_button(self, x: int, y: int) -> bool:
        """Return whether a pixel is on the restart face."""
        return self.face.contains(x, y)

    @property
    def board_frame(self) -> Rect:
        """The visible part of the board, with the border where that is visible."""
        wide, board, port = self.edge, self.view.board_rect, self.view.viewport
        left = board.x - wide if board.x >= port.x else port.x
        top = board.y - wide if board.y >= port.y else port.y
        right = board.right + wide if board.right <= port.right else port.right
        bottom = board.bottom + wide if board.bottom <= port.bottom else port.bottom
        return Rect(left, top, right - left, bottom - top)


def window_size(shape: Size, cell_px: int) -> Size:
    """Return the (width, height) in pixels of a window for a whole (height, width) board."""
    panel = _Panel.of(_unit(cell_px))
    width = max(shape[1] * cell_px + 2 * panel.margin, panel.least_width)
    return width, panel.height + shape[0] * cell_px + panel.margin


def _unit(cell: int) -> int:
    return min(max(cell, _MIN_UNIT), _MAX_UNIT)
