"""Which layout a window of a panel and a board has: it follows the game, the cursor, the window."""

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
    """A window, as far as its size goes; sizes are (width, height) in pixels."""

    @property
    def program_may_choose_size(self) -> bool:
        """Whether the size is the program's to choose: neither full screen nor maximised."""

    @property
    def size(self) -> Size:
        """The size it has."""

    def show(self, size: Size) -> object:
        """Show it in this size."""


class WindowView:
    """The layout of a controller's window. Let `follow` hear what changes in the controller.

    `screen` is its size in pixels; `moved` is called when other cells may be under the pointer.
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

    def follow(self, changes: Changes) -> None:
        """Show what another game or the cursor calls for."""
        shape, view = self._controller.session.game.rules.shape, self.layout.view
        if changes.game and (view.rows, view.cols) != shape:
            self._show_board()
        for changed, cell in (
            (changes.game, self._controller.prescribed_start),
            (changes.cursor, self._controller.cursor),
        ):
            if changed and cell is not None:
                self._look(self.layout.view.bringing_into_view(*cell))

    def scroll(self, right: int, down: int) -> None:
        """Scroll the board by so many notches of a wheel."""
        step = self.layout.view.cell * 2
        self._look(self.layout.view.panned(-right * step, -down * step))

    def resized(self) -> None:
        """Take up the size of the window."""
        if self._window.size != self.layout.size:
            self.layout = self.layout.resized(self._window.size)

    def opening_layout(self) -> Layout:
        """Return the layout of the window that a start opens for this game."""
        shape = self._controller.session.game.rules.shape
        layout = Layout.opening(shape, self._controller.preferences.cell, self._screen)
        return replace(layout, view=layout.view.initially_centred_on(self._controller.last_cell))

    def _show_board(self) -> None:
        """Give the board a window of its size, or the place that there is."""
        if self._window.program_may_choose_size:
            self.layout = self.opening_layout()
            self._window.show(self.layout.size)
        else:
            shape = self._controller.session.game.rules.shape
            self.layout = Layout.fit(self._window.size, shape)
            self._look(self.layout.view.initially_centred_on(self._controller.last_cell))

    def _look(self, view: View) -> None:
        """Look at the board so."""
        if view != self.layout.view:
            self.layout = replace(self.layout, view=view)
            self._moved()
