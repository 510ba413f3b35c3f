"""The camera: which part of the board stands where in the window, and how large the window is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.classic.stage import Stage, first_size, fitting_cell
from demine.scene.geometry import MIN_CELL, View

if TYPE_CHECKING:
    from demine.classic.window import Window

Point = tuple[int, int]


class Camera:
    """Stage and view of one window. `show` comes first; the rest follows what the player does.

    While the window is free to choose its size, it follows the board; maximised, filling the
    screen, or smaller than its board, it stays as it is and the board moves inside.
    """

    def __init__(self, window: Window, screen: Point) -> None:
        self._window = window
        self._screen = screen
        self._shape = (1, 1)
        self._fits = True
        self.stage = Stage.of(window.surface.get_size(), 32)
        self.view = View.at(self._shape, self.stage.viewport, 32)

    @property
    def _size(self) -> Point:
        return self._window.surface.get_size()

    def show(self, shape: Point, cell: int) -> None:
        """Show a board of `(height, width)` cells, in cells of so many pixels; 0 fits them."""
        self._shape = shape
        if not self._window.free:
            self._fit()
            return
        cell = cell or fitting_cell(shape, self._screen)
        self._window.show(first_size(shape, cell, self._screen))
        self._place(cell)

    def begin(self, shape: Point, cell: int) -> Point:
        """Look as at a window that has just been opened; return its size in pixels."""
        cell = cell or fitting_cell(shape, self._screen)
        size = first_size(shape, cell, self._screen)
        self.stage = Stage.of(size, cell)
        self.view = View.at(shape, self.stage.viewport, cell)
        return size

    def resized(self) -> None:
        """The window has another size: keep the cells, or keep fitting where they fitted."""
        if self._fits:
            self._fit()
            return
        self.stage = Stage.of(self._size, self.view.cell)
        self.view = self.view.resized(self.stage.viewport)

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the window."""
        self._window.toggle_fullscreen()
        self._fit()

    def zoom(self, steps: int, at: Point | None = None) -> None:
        """Make the cells larger or smaller by steps, about a pixel of the window."""
        if self._window.free and self.view.whole:
            cell = self.view.stepped(steps).cell
            self._window.show(first_size(self._shape, cell, self._screen))
            self._place(cell)
            return
        self._fits = False
        self.view = self.view.stepped(steps, *(at or ()))
        self.stage = Stage.of(self._size, self.view.cell)
        self.view = self.view.resized(self.stage.viewport)

    def pan(self, dx: int, dy: int) -> None:
        """Move the board by so many pixels, as far as it may."""
        self.view = self.view.panned(dx, dy)

    def follow(self, cell: Point) -> None:
        """Bring a cell into sight."""
        self.view = self.view.scroll_to(*cell)

    def _place(self, cell: int) -> None:
        self.stage = Stage.of(self._size, cell)
        self.view = View.at(self._shape, self.stage.viewport, cell)
        self._fits = self.view.whole

    def _fit(self) -> None:
        """Choose the largest cells that show the whole board beside the panel they call for."""
        cell = View.fit(self._shape, Stage.of(self._size, MIN_CELL).viewport).cell
        # The panel grows with the cells and takes room from them.
        while cell > MIN_CELL and not self._whole_at(cell):
            cell -= 1
        self._place(cell)
        self._fits = True

    def _whole_at(self, cell: int) -> bool:
        return View.at(self._shape, Stage.of(self._size, cell).viewport, cell).whole
