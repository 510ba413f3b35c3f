"""Where the cells are in a window: zooming, panning, and conversion between pixels and cells.

Pixels are whole numbers of the window, `x` to the right and `y` down. A `View` is immutable:
zooming, panning and resizing return another one. On an axis on which the board is smaller than its
viewport, it is centred and cannot be panned; a larger board can be panned slightly beyond its
edges.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

from demine.logic.metadata import FIELD_CELL

MIN_CELL = 4
MAX_CELL = 128
ZOOM_STEPS = (4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 128)
"""Cell sizes in pixels that zooming in and out steps through."""
LEAST_PLAYABLE_CELL = 16
"""The smallest cell to play with on a board larger than its window; smaller ones give overview."""


class ScrollAxis(Enum):
    """A direction to scroll in."""

    ROWS = "rows"
    COLS = "cols"


class Thumb(NamedTuple):
    """The part of a scroll bar that stands for what is visible."""

    start: int
    length: int


class Rect(NamedTuple):
    """A rectangle of pixels; `right` and `bottom` are just outside it."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The x of the first column of pixels to its right."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The y of the first row of pixels below it."""
        return self.y + self.height

    def contains(self, x: int, y: int) -> bool:
        """Return whether a pixel is inside."""
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height

    def intersection(self, other: Rect) -> Rect:
        """Return the common part; its width and height are 0 if there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        width = min(self.x + self.width, other.x + other.width) - x
        height = min(self.y + self.height, other.y + other.height) - y
        return Rect(x, y, width, height) if width > 0 and height > 0 else Rect(x, y, 0, 0)


@dataclass(frozen=True, slots=True)
class View:
    """A board seen through a viewport; made by `View.fitted` or `View.with_cell_size`."""

    rows: int
    cols: int
    cell: int
    """Size of a cell in pixels, MIN_CELL to MAX_CELL."""
    viewport: Rect
    """The part of the window in which the board is drawn."""
    left: int
    """The x of the board's left edge in the window, which may be outside the viewport."""
    top: int
    board_rect: Rect = field(init=False, repr=False, compare=False)
    """The whole board, which may reach beyond the viewport."""
    visible_rect: Rect = field(init=False, repr=False, compare=False)
    """The part of the board inside the viewport."""

    def __post_init__(self) -> None:
        board = Rect(self.left, self.top, self.cols * self.cell, self.rows * self.cell)
        object.__setattr__(self, "board_rect", board)
        object.__setattr__(self, "visible_rect", board.intersection(self.viewport))

    @classmethod
    def fitted(cls, shape: tuple[int, int], viewport: Rect, *, max_cell: int = MAX_CELL) -> View:
        """Return a view with the largest cells, up to `max_cell` pixels, that show a whole board.

        `shape` is (height, width) in cells. Where even MIN_CELL is too large, the view shows the
        top left corner.
        """
        return cls.with_cell_size(
            shape, viewport, min(max_cell, _largest_fitting_cell(shape, viewport))
        )

    @classmethod
    def with_cell_size(cls, shape: tuple[int, int], viewport: Rect, cell_px: int) -> View:
        """Return a view of a board of (height, width) cells with cells of `cell_px` pixels.

        Where the board does not fit, the view shows its top left corner.
        """
        rows, cols = shape
        return _within_pan_limits(
            cls(rows, cols, _clamped_cell_size(cell_px), viewport, viewport.x, viewport.y)
        )

    @property
    def shows_whole_board(self) -> bool:
        """Whether the whole board is in the viewport."""
        return self.visible_rect == self.board_rect

    def cell_size_is_worth_saving(self, device_pixel_ratio: float = 1.0) -> bool:
        """Return whether other boards may use this cell size: it is large enough to play with.

        It is not where a large board is zoomed out for an overview. `device_pixel_ratio` is the
        number of screen pixels in a pixel of the toolkit.
        """
        return self.shows_whole_board or self.cell >= LEAST_PLAYABLE_CELL * device_pixel_ratio

    @property
    def is_fitted(self) -> bool:
        """Whether the cells are as large as `refitted` would make them."""
        return self.cell == _largest_fitting_cell((self.rows, self.cols), self.viewport)

    def cell_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the (row, col) under a pixel, or None outside the board or the viewport."""
        if not self.visible_rect.contains(x, y):
            return None
        return (y - self.top) // self.cell, (x - self.left) // self.cell

    def cell_rect(self, row: int, col: int) -> Rect:
        """Return the rectangle of a cell, visible or not."""
        x, y = self.left + col * self.cell, self.top + row * self.cell
        return Rect(x, y, self.cell, self.cell)

    def visible_rows_and_cols(self) -> tuple[range, range]:
        """Return the rows and the columns that are at least partly visible; both may be empty."""
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
        """Convert a pixel to (x, y) from the board's corner, at FIELD_CELL pixels a cell.

        Recordings have this unit.
        """
        return (
            (x - self.left) * FIELD_CELL // self.cell,
            (y - self.top) * FIELD_CELL // self.cell,
        )

    def zoomed(self, cell_px: int, x: int | None = None, y: int | None = None) -> View:
        """Return a view with cells of `cell_px` pixels, zoomed about the pixel (x, y).

        The cell under that pixel stays there as far as the edges allow. The default is the middle
        of the viewport.
        """
        x = self.viewport.x + self.viewport.width // 2 if x is None else x
        y = self.viewport.y + self.viewport.height // 2 if y is None else y
        cell_px = _clamped_cell_size(cell_px)
        # Rounding down keeps the pixel in its cell, as cell_at rounds down too.
        left = x - (x - self.left) * cell_px // self.cell
        top = y - (y - self.top) * cell_px // self.cell
        return _within_pan_limits(replace(self, cell=cell_px, left=left, top=top))

    def zoomed_by_steps(self, steps: int, x: int | None = None, y: int | None = None) -> View:
        """Return a view zoomed about (x, y) by a number of ZOOM_STEPS: in if positive, else out."""
        cell = self.cell
        for _ in range(min(abs(steps), len(ZOOM_STEPS))):
            if steps > 0:
                cell = next((size for size in ZOOM_STEPS if size > cell), MAX_CELL)
            else:
                cell = next((size for size in reversed(ZOOM_STEPS) if size < cell), MIN_CELL)
        return self.zoomed(cell, x, y)

    def panned(self, dx: int, dy: int) -> View:
        """Return a view of the board moved by (dx, dy) pixels, as far as the limits allow."""
        return _within_pan_limits(replace(self, left=self.left + dx, top=self.top + dy))

    def scroll_thumb(self, axis: ScrollAxis, track_length: int, min_length: int) -> Thumb | None:
        """Return the thumb of a scroll bar of `track_length` pixels, or None if the board fits.

        It is not shorter than `min_length` pixels.
        """
        start, size, port, room = self._along(axis)
        if size <= room:
            return None
        length = min(max(track_length * room // size, min_length), track_length)
        passed = min(max(port - start, 0), size - room)
        return Thumb(passed * (track_length - length) // (size - room), length)

    def scrolled_to_thumb(
        self, axis: ScrollAxis, start: int, track_length: int, min_length: int
    ) -> View:
        """Return a view scrolled to where the thumb begins at `start`; see `scroll_thumb`."""
        thumb = self.scroll_thumb(axis, track_length, min_length)
        if thumb is None or thumb.length == track_length:
            return self
        edge, size, port, room = self._along(axis)
        free = track_length - thumb.length
        way = port - min(max(start, 0), free) * (size - room) // free - edge
        return self.panned(0, way) if axis is ScrollAxis.ROWS else self.panned(way, 0)

    def _along(self, axis: ScrollAxis) -> tuple[int, int, int, int]:
        """Return the start and the size of the board, and those of the viewport, on an axis."""
        board, port = self.board_rect, self.viewport
        if axis is ScrollAxis.ROWS:
            return board.y, board.height, port.y, port.height
        return board.x, board.width, port.x, port.width

    def resized(self, viewport: Rect) -> View:
        """Return a view in another viewport, with the same cell size and the same centre."""
        dx = viewport.x + viewport.width // 2 - self.viewport.x - self.viewport.width // 2
        dy = viewport.y + viewport.height // 2 - self.viewport.y - self.viewport.height // 2
        return _within_pan_limits(
            replace(self, viewport=viewport, left=self.left + dx, top=self.top + dy)
        )

    def refitted(self, viewport: Rect) -> View:
        """Return a view in another viewport with the largest cells that show the whole board.

        Where even MIN_CELL does not, the view keeps its centre.
        """
        cell = _largest_fitting_cell((self.rows, self.cols), viewport)
        return _without_empty_margins(self.zoomed(cell).resized(viewport))

    def centred_on(self, row: int, col: int) -> View:
        """Return a view with a cell in the middle, as far as the limits allow."""
        spot = self.cell_rect(row, col)
        x, y = spot.x + self.cell // 2, spot.y + self.cell // 2
        middle_x = self.viewport.x + self.viewport.width // 2
        middle_y = self.viewport.y + self.viewport.height // 2
        return self.panned(middle_x - x, middle_y - y)

    def initially_centred_on(self, cell: tuple[int, int] | None) -> View:
        """Return the first view of a board: a cell in the middle, but nothing beyond the edges.

        With None the view shows the top left corner.
        """
        if cell is None:
            return View.with_cell_size((self.rows, self.cols), self.viewport, self.cell)
        return _without_empty_margins(self.centred_on(*cell))

    def scrolled_to(self, row: int, col: int) -> View:
        """Return a view scrolled as little as shows a cell and, if they fit, its neighbours."""
        spot, port = self.cell_rect(row, col), self.viewport
        dx = _shift_into_view(spot.x, self.cell, port.x, port.width)
        dy = _shift_into_view(spot.y, self.cell, port.y, port.height)
        return self.panned(dx, dy) if dx or dy else self

    def scrolled_or_centred_on(self, row: int, col: int) -> View:
        """Return `scrolled_to` a cell if any of it is visible, else `centred_on` it."""
        rows, cols = self.visible_rows_and_cols()
        if row in rows and col in cols:
            return self.scrolled_to(row, col)
        return self.centred_on(row, col)

    def minimap_rects(self, box: Rect) -> tuple[Rect, Rect]:
        """Return where a minimap in a box has the whole board, and the part that is visible."""
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
    """Return the view with the board moved to where the limits allow it."""
    board, port = view.board_rect, view.viewport
    left = _clamped_start(board.x, board.width, port.x, port.width, view.cell)
    top = _clamped_start(board.y, board.height, port.y, port.height, view.cell)
    return replace(view, left=left, top=top)


def _without_empty_margins(view: View) -> View:
    """Return the view moved so that as little as possible beyond the board's edges is visible."""
    board, port = view.board_rect, view.viewport
    left = min(max(board.x, port.right - board.width), port.x)
    top = min(max(board.y, port.bottom - board.height), port.y)
    return _within_pan_limits(replace(view, left=left, top=top))


def _clamped_cell_size(cell: int) -> int:
    return min(max(cell, MIN_CELL), MAX_CELL)


def _largest_fitting_cell(shape: tuple[int, int], viewport: Rect) -> int:
    return _clamped_cell_size(min(viewport.height // shape[0], viewport.width // shape[1]))


def _clamped_start(start: int, size: int, port: int, room: int, cell: int) -> int:
    """Return where a board may start on one axis: the allowed pixel nearest to `start`."""
    if size <= room:
        return port + (room - size) // 2
    beyond = min(2 * cell, room // 3)
    return min(max(start, port + room - size - beyond), port + beyond)


def _shift_into_view(start: int, cell: int, port: int, room: int) -> int:
    """Return how far to move on one axis to show a cell and, if they fit, its neighbours."""
    margin = cell if 3 * cell <= room else 0
    low, high = port + margin, port + room - cell - margin
    if start < low:
        return low - start
    return min(0, max(high, low) - start)
