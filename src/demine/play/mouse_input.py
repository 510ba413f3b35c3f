"""Mouse input for scenes whose window has a board and a restart face."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from demine.scene.mouse_automaton import Button
from demine.scene.preferences import next_level

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.play.controller import Controller
    from demine.scene.mouse_automaton import Cell

Point = tuple[int, int]


class Places(Protocol):
    """The positions of cells and the restart face; x and y are in the scene's own units."""

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at a position; None outside the board."""

    def board_point(self, x: int, y: int) -> Point:
        """Return a position in pixels of a board with cells of 16 pixels."""

    def is_on_restart_button(self, x: int, y: int) -> bool:
        """Return whether the restart face is at a position."""


class MouseInput:
    """Passes mouse events to a controller as cells, and handles clicks on the restart face.

    `places` returns where everything is now; `covered` whether a page hides all of it.
    """

    def __init__(
        self, controller: Controller, places: Callable[[], Places], covered: Callable[[], bool]
    ) -> None:
        self._controller = controller
        self._places = places
        self._covered = covered
        self.position: Point | None = None
        """Where the mouse is; None if unknown."""
        self._was_on_board = False
        self._face_pressed = False
        """Whether the restart face was pressed and the button is still down."""

    def press(
        self, button: Button, position: Point, *, shift: bool = False, ctrl: bool = False
    ) -> None:
        """Handle the press of a button; the right one on the face begins the next level."""
        self.position = position
        if button is Button.LEFT and self._is_on_face():
            self._hold_face(held=True)
            return
        if button is Button.RIGHT and self._is_on_face():
            self._controller.run_command(next_level(self._controller.session.game.rules))
            return
        point = self._places().board_point(*position)
        self._controller.press(button, self._cell(), point, shift=shift, ctrl=ctrl)

    def release(self, button: Button, position: Point) -> None:
        """Handle the release of a button; a click on the restart face begins a new game."""
        self.position = position
        if self._face_pressed and button is Button.LEFT:
            self._hold_face(held=False)
            if self._is_on_face():
                self._controller.begin_new_game()
            return
        self._controller.release(button, self._cell(), self._places().board_point(*position))

    def move(self, position: Point | None) -> None:
        """Handle a movement of the mouse; None if it left the window."""
        self.position = position
        cell = self._cell()
        # Movements beside the board are not recorded, but leaving it is: that ends a preview.
        recorded = position is not None and (cell is not None or self._was_on_board)
        self._was_on_board = cell is not None
        if self._face_pressed:
            self._controller.set_restart_button_held(self._is_on_face())
        self._controller.move(
            cell, self._places().board_point(*position) if position and recorded else None
        )

    def update_cell_under_mouse(self) -> None:
        """Tell the controller which cell is under the mouse after the layout changed."""
        self._controller.move(self._cell())

    def cancel_restart_press(self) -> None:
        """Cancel a press of the restart face: its release begins no game."""
        self._face_pressed = False

    def cancel_presses(self, *, releases_lost: bool = False) -> None:
        """Cancel all presses; `releases_lost`: the releases will not arrive."""
        self._face_pressed = False
        self._controller.cancel_input(releases_lost=releases_lost)

    def _cell(self) -> Cell | None:
        if self.position is None or self._covered():
            return None
        return self._places().cell_at(*self.position)

    def _is_on_face(self) -> bool:
        return (
            self.position is not None
            and not self._covered()
            and self._places().is_on_restart_button(*self.position)
        )

    def _hold_face(self, *, held: bool) -> None:
        self._face_pressed = held
        self._controller.set_restart_button_held(held)
