"""The camera: which part of the board stands where in the window, and how large the window is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from demine.classic.stage import Stage, first_size, fitting_cell
from demine.classic.words import note_height
from demine.scene.board_geometry import MIN_CELL, View

if TYPE_CHECKING:
    from demine.classic.window import Window

Point = tuple[int, int]


class Camera:
    """Stage and view of one window. `show` comes first; the rest follows what the player does.

    While the window is free to choose its size, it follows the board; maximised, filling the
    screen, or smaller than its board, it stays as it is and the board moves inside. Words below the
    board get the room of the longest there were: the window grows with the first, and seldom again.
    """

    def __init__(self, window: Window, screen: Point) -> None:
        self._window = window
        self._screen = screen
        self._shape = (1, 1)
        self._fits = True
        self._longest = ""
        self._left = 0, 0
        self.stage = Stage.of(window.surface.get_size(), 32)
        self.view = View.at(self._shape, self.stage.viewport, 32)

    @property
    def _size(self) -> Point:
        return self._window.surface.get_size()

    def show(self, shape: Point, cell: int, place: Point | None = None) -> None:
        """Show a board of `(height, width)` cells, in cells of so many pixels; 0 fits them.

        `place` is the cell to look at first, where there is one.
        """
        if shape != self._shape:
            self._longest = ""
        self._shape = shape
        if not self._window.free:
            self._fit()
        else:
            self._show(cell or fitting_cell(shape, self._screen))
        self.view = self.view.opened_on(place)

    def begin(self, shape: Point, cell: int, place: Point | None) -> Point:
        """Look as at a window that has just been opened; return its size in pixels."""
        cell = cell or fitting_cell(shape, self._screen)
        size = first_size(shape, cell, self._screen)
        self.stage = Stage.of(size, cell)
        self.view = View.at(shape, self.stage.viewport, cell).opened_on(place)
        return size

    def resized(self) -> None:
        """The window has another size: keep the cells, or keep fitting where they fitted."""
        if self._fits:
            self._fit()
            return
        self.stage = self._staged(self.view.cell)
        self.view = self.view.resized(self.stage.viewport)

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the window, with room for what has been said meanwhile."""
        if self._window.free:
            self._left = self.view.cell, self.stage.note_height
        self._window.toggle_fullscreen()
        if self._window.free:
            cell, room = self._left
            width, height = self._size
            more = note_height(self._longest, Stage.of(self._size, cell)) - room
            if more > 0:
                self._window.show((width, max(height, self._at_most(height + more))))
        self._fit()

    def zoom(self, steps: int, at: Point | None = None) -> None:
        """Make the cells larger or smaller by steps, about a pixel of the window."""
        if self._window.free and self.view.whole:
            cell = self.view.stepped(steps).cell
            self._show(cell)
            return
        self._fits = False
        self.view = self.view.stepped(steps, *(at or ()))
        self.stage = self._staged(self.view.cell)
        self.view = self.view.resized(self.stage.viewport)

    def pan(self, dx: int, dy: int) -> None:
        """Move the board by so many pixels, as far as it may."""
        self.view = self.view.panned(dx, dy)

    def turn_to(self, cell: Point) -> None:
        """Bring a cell into sight, and what is around it."""
        self.view = self.view.turned_to(*cell)

    def make_room(self, words: str) -> None:
        """Give words their room below the board, where there is not enough of it yet."""
        more = note_height(words, self.stage) - note_height(self._longest, self.stage)
        if more <= 0:
            return
        self._longest = words
        if self._window.free:
            width, height = self._size
            self._window.show((width, max(height, self._at_most(height + more))))
        if self._fits:
            self._fit()
            return
        self.stage = self._staged(self.view.cell)
        self.view = self.view.resized(self.stage.viewport)

    def _show(self, cell: int) -> None:
        """Give the window the size of the board, in cells of so many pixels, and of the words."""
        width, height = first_size(self._shape, cell, self._screen)
        note = note_height(self._longest, Stage.of((width, height), cell))
        self._window.show((width, max(height, self._at_most(height + note))))
        self._place(cell)

    def _at_most(self, height: int) -> int:
        """Return a height, but no more than a screen has for a window and its title bar."""
        return min(height, self._screen[1] * 92 // 100)

    def _staged(self, cell: int) -> Stage:
        bare = Stage.of(self._size, cell)
        return replace(bare, note_height=min(note_height(self._longest, bare), bare.height // 2))

    def _place(self, cell: int) -> None:
        self.stage = self._staged(cell)
        self.view = View.at(self._shape, self.stage.viewport, cell)
        self._fits = self.view.whole

    def _fit(self) -> None:
        """Choose the largest cells that show the whole board beside the panel they call for."""
        cell = View.fit(self._shape, self._staged(MIN_CELL).viewport).cell
        # The panel grows with the cells and takes room from them.
        while cell > MIN_CELL and not self._whole_at(cell):
            cell -= 1
        before = self.view
        self._place(cell)
        self._fits = True
        if not self.view.whole and (before.rows, before.cols) == self._shape:
            self.view = before.refitted(self.stage.viewport)

    def _whole_at(self, cell: int) -> bool:
        return View.at(self._shape, self._staged(cell).viewport, cell).whole
