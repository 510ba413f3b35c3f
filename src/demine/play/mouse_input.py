"""The mouse over a board and its restart face, for every scene that knows where these are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from demine.scene.mouse_automaton import Button

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.play.controller import Controller
    from demine.scene.mouse_automaton import Cell

Point = tuple[int, int]


class Places(Protocol):
    """Where cells and the restart face are, by x and y in the scene's own units."""

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at a place, None beside the board."""

    def board_point(self, x: int, y: int) -> Point:
        """Return a place as pixels of the board at 16 a cell."""

    def on_face(self, x: int, y: int) -> bool:
        """Whether the restart face is at a place."""


class Pointer:
    """Tells a controller which cells the mouse presses, and holds and releases the restart face.

    `places` returns where everything is now; `covered` whether something lies over all of it.
    """

    def __init__(
        self, controller: Controller, places: Callable[[], Places], covered: Callable[[], bool]
    ) -> None:
        self._controller = controller
        self._places = places
        self._covered = covered
        self.at: Point | None = None
        """Where the mouse is; None while nobody knows."""
        self._was_on_board = False
        self._face_down = False
        """Whether a press of the restart face waits for its release."""

    def press(self, button: Button, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """Take a button that comes down."""
        self.at = at
        if button is Button.LEFT and self._on_face():
            self._hold_face(held=True)
            return
        point = self._places().board_point(*at)
        self._controller.press(button, self._cell(), point, shift=shift, ctrl=ctrl)

    def release(self, button: Button, at: Point) -> None:
        """Take a button that goes up; over the restart face, where it came down, for a new game."""
        self.at = at
        if self._face_down and button is Button.LEFT:
            self._hold_face(held=False)
            if self._on_face():
                self._controller.begin_new_game()
            return
        self._controller.release(button, self._cell(), self._places().board_point(*at))

    def move(self, at: Point | None) -> None:
        """Follow the mouse, which may leave the window."""
        self.at = at
        cell = self._cell()
        # Ways beside the board are not recorded, but leaving it is: that ends a preview.
        recorded = at is not None and (cell is not None or self._was_on_board)
        self._was_on_board = cell is not None
        if self._face_down:
            self._controller.hold_restart_button(self._on_face())
        self._controller.move(cell, self._places().board_point(*at) if at and recorded else None)

    def look_again(self) -> None:
        """Find out what is under the mouse now that something else may be."""
        self._controller.move(self._cell())

    def let_go_of_face(self) -> None:
        """Begin no game when the button goes up."""
        self._face_down = False

    def let_go(self, *, lost: bool = False) -> None:
        """Drop what was begun; `lost`: the releases will not be heard."""
        self._face_down = False
        self._controller.drop_input(lost=lost)

    def _cell(self) -> Cell | None:
        if self.at is None or self._covered():
            return None
        return self._places().cell_at(*self.at)

    def _on_face(self) -> bool:
        return self.at is not None and not self._covered() and self._places().on_face(*self.at)

    def _hold_face(self, *, held: bool) -> None:
        self._face_down = held
        self._controller.hold_restart_button(held)
