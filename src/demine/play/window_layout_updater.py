"""The layout of a window with a panel and a board, updated with game, cursor and window size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from demine.scene.window_layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.play.controller import Controller
    from demine.play.controller_output import Changes
    from demine.scene.board_geometry import View
    from demine.scene.window_layout import Size


class SizedWindow(Protocol):
    """The size of a window; sizes are (width, height) in pixels."""

    @property
    def program_may_choose_size(self) -> bool:
        """Whether the program may choose the size: neither full screen nor maximised."""

    @property
    def size(self) -> Size:
        """The present size."""

    def show(self, size: Size) -> object:
        """Show the window in this size."""


class WindowView:
    """The layout of a controller's window. Pass the controller's changes to `apply_changes`.

    `screen` is the screen's size in pixels; `moved` is called when other cells may be under the
    pointer.
    """

    def __init__(
        self,
        controller: Controller,
        window: SizedWindow,
        screen: Size,
        moved: Callable[[], object],
    ) -> None:
        self._controller, self._window, self._screen, self._moved = (
            controller,
            window,
            screen,
            moved,
        )
        self.layout = self.opening_layout()
        self._show_board()

    def apply_changes(self, changes: Changes) -> None:
        """Update the layout after another game began or the cursor moved."""
        shape, view = self._controller.session.game.rules.shape, self.layout.view
        if changes.game and (view.rows, view.cols) != shape:
            self._show_board()
        for changed, cell in (
            (changes.game, self._controller.prescribed_start),
            (changes.cursor, self._controller.cursor),
        ):
            if changed and cell is not None:
                self._look(self.layout.view.scrolled_or_centred_on(*cell))

    def scroll(self, right_notches: int, down_notches: int) -> None:
        """Scroll the board by notches of a mouse wheel."""
        step = self.layout.view.cell * 2
        self._look(self.layout.view.panned(-right_notches * step, -down_notches * step))

    def adapt_to_window_size(self) -> None:
        """Update the layout after the window's size may have changed."""
        if self._window.size != self.layout.size:
            self.layout = self.layout.resized(self._window.size)

    def opening_layout(self) -> Layout:
        """Return the layout that a new window has for this game."""
        shape = self._controller.session.game.rules.shape
        layout = Layout.for_new_window(shape, self._controller.preferences.cell, self._screen)
        return replace(
            layout, view=layout.view.initially_centred_on(self._controller.last_acted_cell)
        )

    def _show_board(self) -> None:
        """Give the board a window of its size, or fit it into a full-screen or maximised one."""
        if self._window.program_may_choose_size:
            self.layout = self.opening_layout()
            self._window.show(self.layout.size)
        else:
            shape = self._controller.session.game.rules.shape
            self.layout = Layout.fitted(self._window.size, shape)
            self._look(self.layout.view.initially_centred_on(self._controller.last_acted_cell))

    def _look(self, view: View) -> None:
        """Change which part of the board is seen."""
        if view != self.layout.view:
            self.layout = replace(self.layout, view=view)
            self._moved()
