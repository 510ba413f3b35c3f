"""Where everything stands in a window of a panel and a board below it, in pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import le
from typing import Final, NamedTuple

from demine.scene.board_geometry import LEAST_PLAYABLE_CELL, MAX_CELL, MIN_CELL, Rect, View

Size = tuple[int, int]

_LEAST_UNIT, _MIN_UNIT, _MAX_UNIT = 6, 16, 44
"""The panel's measure in pixels: about a cell, within reason; less in a narrow window."""
_PANEL_UNITS: Final = 9
"""How many units wide the panel is at least: two counters and the face."""


class _Panel(NamedTuple):
    """The panel's lengths in pixels."""

    edge: int
    """Width of the line around the board."""
    margin: int
    row: int
    """Height of the counters and the face."""
    gap: int
    line: int
    """Height of the line of words."""
    height: int
    least_width: int

    @classmethod
    def of(cls, unit: int) -> _Panel:
        """Return the lengths for one measure."""
        edge, row, gap, line = max(3, unit // 8), unit * 3 // 2, max(2, unit // 8), unit * 4 // 5
        margin, line = edge + max(3, unit // 4), max(16, line)
        height = margin + row + gap + line + gap + edge
        return cls(edge, margin, row, gap, line, height, _PANEL_UNITS * unit + 2 * margin)


@dataclass(frozen=True, slots=True)
class Layout:
    """The rectangles of a window of one size; `Layout.for_new_window` is that of a new window."""

    size: Size
    view: View
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
    def with_cell_size(cls, size: Size, shape: Size, cell: int) -> Layout:
        """Return the layout of a board of `(height, width)` cells, of `cell` pixels each."""
        width, height = size
        unit = _unit(cell)
        while unit > _LEAST_UNIT and _Panel.of(unit).least_width > width:
            unit -= 1
        edge, margin, row, gap, line, top, _ = _Panel.of(unit)
        inner = width - 2 * margin
        viewport = Rect(margin, top, max(1, inner), max(1, height - margin - top))
        return cls(
            size,
            View.with_cell_size(shape, viewport, cell),
            panel=Rect(0, 0, width, top),
            counters=Rect(margin, margin, inner, row),
            face=Rect((width - row) // 2, margin, row, row),
            line=Rect(margin, margin + row + gap, inner, line),
            page=Rect(margin, margin, inner, height - 2 * margin),
            edge=edge,
        )

    @classmethod
    def for_new_window(cls, shape: Size, cell: int, screen: Size) -> Layout:
        """Return the layout of the window to open for a board, as large as the screen allows.

        `shape` is `(height, width)` in cells, `cell` their size in pixels, 0 for a comfortable one:
        a thirty-fourth of the screen's height, smaller when the board needs it, but not below 16
        pixels, where scrolling serves better than squinting.
        """
        comfortable = range(min(max(screen[1] // 34, 20), 64), LEAST_PLAYABLE_CELL - 1, -1)
        # What task bars and title bars leave.
        room = screen[0] * 94 // 100, screen[1] * 84 // 100
        cells = [cell] if cell else comfortable
        fitting = (each for each in cells if all(map(le, window_size(shape, each), room)))
        cell = next(fitting, cells[-1])
        width, height = window_size(shape, cell)
        return cls.with_cell_size((min(width, room[0]), min(height, room[1])), shape, cell)

    @classmethod
    def fitted(cls, size: Size, shape: Size, least_cell: int = LEAST_PLAYABLE_CELL) -> Layout:
        """Return the layout with the largest cells that show the whole board.

        Where these had to be smaller than `least` pixels, the board is scrolled.
        """
        layouts = (
            cls.with_cell_size(size, shape, cell) for cell in range(MAX_CELL, least_cell, -1)
        )
        return next(
            (each for each in layouts if each.view.shows_whole_board),
            cls.with_cell_size(size, shape, least_cell),
        )

    def resized(self, size: Size) -> Layout:
        """Return the layout of the same board in a window of another size.

        A board that is seen whole follows the window; another keeps its cells and is scrolled.
        """
        view, shape = self.view, (self.view.rows, self.view.cols)
        if view.shows_whole_board or view.cell == MIN_CELL:
            return self.fitted(size, shape, MIN_CELL)
        other = self.with_cell_size(size, shape, view.cell)
        return replace(other, view=view.resized(other.view.viewport))

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the (row, col) under a pixel; None outside the board or its part that is seen."""
        return self.view.cell_at(x, y)

    def board_point(self, x: int, y: int) -> tuple[int, int]:
        """Return a pixel as one of the board at 16 a cell, (x, y) from its corner."""
        return self.view.to_field_pixels(x, y)

    def on_face(self, x: int, y: int) -> bool:
        """Whether the restart face is at a pixel."""
        return self.face.contains(x, y)

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
    panel = _Panel.of(_unit(cell))
    width = max(shape[1] * cell + 2 * panel.margin, panel.least_width)
    return width, panel.height + shape[0] * cell + panel.margin


def _unit(cell: int) -> int:
    return min(max(cell, _MIN_UNIT), _MAX_UNIT)
