"""Where the cells are in the window: zoom, pan, from pixels to cells and back.

Pixels are whole numbers, `x` to the right and `y` down, in the window's own pixels. A `View` is a
frozen value; zooming, panning and resizing return another one. A board smaller than its viewport on
an axis stands in the middle of it and does not move; a larger one moves, a little beyond its edges
so that they are seen, and never out of sight.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from demine.logic.metadata import FIELD_CELL

MIN_CELL = 4
MAX_CELL = 128
ZOOM_STEPS = (4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 128)
"""Cell sizes in pixels that zooming in and out steps through."""
LEAST_PLAYABLE_CELL = 16
"""Where a board is larger than its window, smaller cells serve to look it over, not to play."""


class Rect(NamedTuple):
    """A rectangle of pixels; `right` and `bottom` are just outside."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column of pixels to its right."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row of pixels below it."""
        return self.y + self.height

    def contains(self, x: int, y: int) -> bool:
        """Whether a pixel is inside."""
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height

    def intersection(self, other: Rect) -> Rect:
        """What both share; of width and height 0 where they share nothing."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width = min(self.x + self.width, other.x + other.width) - x
        height = min(self.y + self.height, other.y + other.height) - y
        return Rect(x, y, width, height) if width > 0 and height > 0 else Rect(x, y, 0, 0)


@dataclass(frozen=True, slots=True)
class View:
    """A board seen through a viewport: make one with `View.fit` or `View.at`."""

    rows: int
    cols: int
    cell: int
    """Pixels a cell, MIN_CELL to MAX_CELL."""
    viewport: Rect
    """The part of the window the board may be drawn in."""
    left: int
    """The window's x of the board's left edge, which may be outside the viewport."""
    top: int
    board_rect: Rect = field(init=False, repr=False, compare=False)
    """The whole board, to draw its edge by; it may reach beyond the viewport."""
    visible_rect: Rect = field(init=False, repr=False, compare=False)
    """The part of the board inside the viewport."""

    def __post_init__(self) -> None:
        board = Rect(self.left, self.top, self.cols * self.cell, self.rows * self.cell)
        object.__setattr__(self, "board_rect", board)
        object.__setattr__(self, "visible_rect", board.intersection(self.viewport))

    @classmethod
    def fit(cls, shape: tuple[int, int], viewport: Rect, *, max_cell: int = MAX_CELL) -> View:
        """The whole board, as large as it fits, in cells of MIN_CELL to `max_cell` pixels.

        `shape` is (height, width) in cells. A board that does not fit shows its top left corner.
        """
        return cls.at(shape, viewport, min(max_cell, _largest_fitting_cell(shape, viewport)))

    @classmethod
    def at(cls, shape: tuple[int, int], viewport: Rect, cell: int) -> View:
        """The board, (height, width) in cells, in cells of this many pixels."""
        rows, cols = shape
        return _within_pan_limits(
            cls(rows, cols, _clamped_cell_size(cell), viewport, viewport.x, viewport.y)
        )

    @property
    def shows_whole_board(self) -> bool:
        """Whether the whole board is inside the viewport."""
        return self.visible_rect == self.board_rect

    def cell_size_suits_other_boards(self, ratio: float = 1.0) -> bool:
        """Whether the cells are large enough to play, not just to look a large board over.

        `ratio` is how many pixels of the screen make one pixel of the toolkit.
        """
        return self.shows_whole_board or self.cell >= LEAST_PLAYABLE_CELL * ratio

    @property
    def is_fitted(self) -> bool:
        """Whether the cells are as large as fitting makes them: such a view wants to stay so."""
        return self.cell == _largest_fitting_cell((self.rows, self.cols), self.viewport)

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """The (row, col) under a pixel; None outside the board or the viewport."""
        if not self.visible_rect.contains(x, y):
            return None
        return (y - self.top) // self.cell, (x - self.left) // self.cell

    def cell_rect(self, row: int, col: int) -> Rect:
        """The pixels of a cell, seen or not."""
        x, y = self.left + col * self.cell, self.top + row * self.cell
        return Rect(x, y, self.cell, self.cell)

    def visible_rows_and_cols(self) -> tuple[range, range]:
        """The rows and the columns that are at least partly in the viewport; empty when none is."""
        seen = self.visible_rect
        if not seen.width:
            return range(0), range(0)
        first_row, first_col = seen.y - self.top, seen.x - self.left
        last_row, last_col = first_row + seen.height - 1, first_col + seen.width - 1
        return (
            range(first_row // self.cell, last_row // self.cell + 1),
            range(first_col // self.cell, last_col // self.cell + 1),
        )

    def to_field_pixels(self, x: int, y: int) -> tuple[int, int]:
        """A pixel in the field's unit: (x, y) from the board's corner, FIELD_CELL pixels a cell."""
        return (
            (x - self.left) * FIELD_CELL // self.cell,
            (y - self.top) * FIELD_CELL // self.cell,
        )

    def zoomed(self, cell: int, x: int | None = None, y: int | None = None) -> View:
        """Cells of this many pixels; the cell under the anchor stays there as far as edges allow.

        The anchor is a pixel of the window, the middle of the viewport if not given.
        """
        x = self.viewport.x + self.viewport.width // 2 if x is None else x
        y = self.viewport.y + self.viewport.height // 2 if y is None else y
        cell = _clamped_cell_size(cell)
        # Rounding down keeps the anchor in its very cell, as cell_at rounds down too.
        left = x - (x - self.left) * cell // self.cell
        top = y - (y - self.top) * cell // self.cell
        return _within_pan_limits(replace(self, cell=cell, left=left, top=top))

    def zoomed_by_steps(self, steps: int, x: int | None = None, y: int | None = None) -> View:
        """Zoomed by so many ZOOM_STEPS, in if positive, out if negative, about the anchor."""
        cell = self.cell
        for _ in range(min(abs(steps), len(ZOOM_STEPS))):
            if steps > 0:
                cell = next((size for size in ZOOM_STEPS if size > cell), MAX_CELL)
            else:
                cell = next((size for size in reversed(ZOOM_STEPS) if size < cell), MIN_CELL)
        return self.zoomed(cell, x, y)

    def panned(self, dx: int, dy: int) -> View:
        """The board moved by so many pixels, as far as it may."""
        return _within_pan_limits(replace(self, left=self.left + dx, top=self.top + dy))

    def resized(self, viewport: Rect) -> View:
        """Another viewport with the same cells, and the same spot of the board in its middle."""
        dx = viewport.x + viewport.width // 2 - self.viewport.x - self.viewport.width // 2
        dy = viewport.y + viewport.height // 2 - self.viewport.y - self.viewport.height // 2
        return _within_pan_limits(
            replace(self, viewport=viewport, left=self.left + dx, top=self.top + dy)
        )

    def refitted(self, viewport: Rect) -> View:
        """The whole board as large as another viewport allows.

        Where none of its sizes shows it whole, the same spot of it stays in the middle.
        """
        cell = _largest_fitting_cell((self.rows, self.cols), viewport)
        return _without_empty_margins(self.zoomed(cell).resized(viewport))

    def centred_on(self, row: int, col: int) -> View:
        """The cell in the middle of the viewport, as far as the board may move."""
        spot = self.cell_rect(row, col)
        x, y = spot.x + self.cell // 2, spot.y + self.cell // 2
        middle_x = self.viewport.x + self.viewport.width // 2
        middle_y = self.viewport.y + self.viewport.height // 2
        return self.panned(middle_x - x, middle_y - y)

    def initially_centred_on(self, cell: tuple[int, int] | None) -> View:
        """As a board is first looked at: with a cell in the middle, as far as the board reaches.

        Without a cell the board is seen from its top left corner.
        """
        if cell is None:
            return View.at((self.rows, self.cols), self.viewport, self.cell)
        return _without_empty_margins(self.centred_on(*cell))

    def scrolled_to(self, row: int, col: int) -> View:
        """Moved as little as it takes to see the cell and, if there is room, its neighbours."""
        spot, port = self.cell_rect(row, col), self.viewport
        dx = _shift_into_view(spot.x, self.cell, port.x, port.width)
        dy = _shift_into_view(spot.y, self.cell, port.y, port.height)
        return self.panned(dx, dy) if dx or dy else self

    def bringing_into_view(self, row: int, col: int) -> View:
        """With the cell in sight: in the middle, if nothing of it was seen before."""
        rows, cols = self.visible_rows_and_cols()
        if row in rows and col in cols:
            return self.scrolled_to(row, col)
        return self.centred_on(row, col)

    def minimap_rects(self, box: Rect) -> tuple[Rect, Rect]:
        """The board drawn small in the middle of a box, and the part of it the viewport shows."""
        board = self.board_rect
        if box.width * board.height < box.height * board.width:
            width, height = box.width, max(1, box.width * board.height // board.width)
        else:
            width, height = max(1, box.height * board.width // board.height), box.height
        x, y = box.x + (box.width - width) // 2, box.y + (box.height - height) // 2
        seen = self.visible_rect
        seen_width = max(1, seen.width * width // board.width)
        seen_height = max(1, seen.height * height // board.height)
        left = min((seen.x - board.x) * width // board.width, width - seen_width)
        top = min((seen.y - board.y) * height // board.height, height - seen_height)
        return Rect(x, y, width, height), Rect(x + left, y + top, seen_width, seen_height)


def _within_pan_limits(view: View) -> View:
    """The same view with the board where it may stand."""
    board, port = view.board_rect, view.viewport
    left = _clamped_start(board.x, board.width, port.x, port.width, view.cell)
    top = _clamped_start(board.y, board.height, port.y, port.height, view.cell)
    return replace(view, left=left, top=top)


def _without_empty_margins(view: View) -> View:
    """The same view, moved so that nothing beyond the board's edges is seen if it can be helped."""
    board, port = view.board_rect, view.viewport
    left = min(max(board.x, port.right - board.width), port.x)
    top = min(max(board.y, port.bottom - board.height), port.y)
    return _within_pan_limits(replace(view, left=left, top=top))


def _clamped_cell_size(cell: int) -> int:
    return min(max(cell, MIN_CELL), MAX_CELL)


def _largest_fitting_cell(shape: tuple[int, int], viewport: Rect) -> int:
    return _clamped_cell_size(min(viewport.height // shape[0], viewport.width // shape[1]))


def _clamped_start(start: int, size: int, port: int, room: int, cell: int) -> int:
    """Where a board of this size may start on one axis, nearest to `start`."""
    if size <= room:
        return port + (room - size) // 2
    beyond = min(2 * cell, room // 3)
    return min(max(start, port + room - size - beyond), port + beyond)


def _shift_into_view(start: int, cell: int, port: int, room: int) -> int:
    """How far one axis must move for a cell, with a neighbour on each side, to be in the port."""
    margin = cell if 3 * cell <= room else 0
    low, high = port + margin, port + room - cell - margin
    if start < low:
        return low - start
    return min(0, max(high, low) - start)
