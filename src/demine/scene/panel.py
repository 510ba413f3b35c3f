"""What stands above the board: mines left, the face, the time, and the end in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demine.logic.game import Status
from demine.scene.face_mood import FaceMood
from demine.scene.translation import mark

if TYPE_CHECKING:
    from demine.logic.game import Game


@dataclass(frozen=True, slots=True)
class Panel:
    """The values of the panel; equal ones look the same, so a scene draws when they differ."""

    mines_left: int
    """Mines less flags and forgiven mines; negative when there are more flags than mines."""
    seconds: int
    """Whole seconds of play, never negative."""
    mood: FaceMood
    message: str
    """A message id to translate ("Win", "Game over", "Paused"), or ""."""


_MESSAGES = {
    Status.WON: mark("Win"),
    Status.LOST: mark("Game over"),
    Status.PAUSED: mark("Paused"),
}


def panel_of(
    game: Game, clock_ms: int, *, pressed_face: bool = False, holding: bool = False
) -> Panel:
    """The panel of a game.

    `clock_ms` is the caller's clock in milliseconds, read only while the game is running: before
    the first opening the time stands at 0, and a game that is over shows its own time.
    `pressed_face` says that the restart face is held down, `holding` that a cell is.
    """
    status = game.status
    # The scene of a won board shows every mine flagged, whatever the player flagged.
    mines_left = 0 if status is Status.WON else game.board.mines_except_forgiven - game.board.flags
    return Panel(
        mines_left=mines_left,
        seconds=max(0, _shown_ms(game, status, clock_ms)) // 1000,
        mood=_mood(status, pressed_face=pressed_face, holding=holding),
        message=end_message(status),
    )


def end_message(status: Status) -> str:
    """Return how a game ended, or that it is paused, as a message id; empty while it goes on."""
    return _MESSAGES.get(status, "")


def _shown_ms(game: Game, status: Status, clock_ms: int) -> int:
    if status is Status.READY:
        return 0
    return game.time_ms if status in (Status.WON, Status.LOST) else clock_ms


def _mood(status: Status, *, pressed_face: bool, holding: bool) -> FaceMood:
    if pressed_face:
        return FaceMood.PRESSED
    if status is Status.WON:
        return FaceMood.WON
    if status is Status.LOST:
        return FaceMood.LOST
    return FaceMood.WORRIED if holding and status is not Status.PAUSED else FaceMood.IDLE
