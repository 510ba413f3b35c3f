"""The panel above the board: mines left, the face, the time, and how the game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from demine.logic.game import Status
from demine.scene.face_mood import FaceMood
from demine.scene.translation import mark

if TYPE_CHECKING:
    from demine.logic.game import BaseGame


@dataclass(frozen=True, slots=True)
class Panel:
    """What the panel shows; equal values look the same, so a scene redraws when they differ."""

    mines_left: int
    """Mines less flags and mines that cost a life; negative if there are more flags than mines."""
    seconds: int
    """Whole seconds of play, never negative."""
    mood: FaceMood
    message: str
    """A message id to translate ("Win", "Game over", "Paused"), or ""."""
    over: bool = False
    """Whether the game has ended, so that a new one is what comes next."""
    can_undo: bool = False
    can_hint: bool = False
    can_pause: bool = False
    can_resume: bool = False


_MESSAGES = {
    Status.WON: mark("Win"),
    Status.LOST: mark("Game over"),
    Status.PAUSED: mark("Paused"),
}

_GIVEN_UP = mark("Given up")
_OVER = (Status.WON, Status.LOST)
_OPEN_TO_HINTS = (Status.READY, Status.RUNNING)


def panel_of(
    game: BaseGame,
    clock_ms: int,
    *,
    face_pressed: bool = False,
    cell_held: bool = False,
    can_undo: bool = False,
) -> Panel:
    """Return what the panel shows for a game.

    `clock_ms` is the time of play by the caller's clock, and only used while the game runs or is
    paused: before the first opening the time is 0, and a game that is over shows its own.
    `can_undo` is whether an act, or the beginning of this game, can be taken back.
    """
    status = game.status
    # The scene of a won board shows every mine flagged, whatever the player flagged.
    mines_left = 0 if status is Status.WON else game.board.mines_except_forgiven - game.board.flags
    return Panel(
        mines_left=mines_left,
        seconds=max(0, _shown_ms(game, status, clock_ms)) // 1000,
        mood=_mood(status, face_pressed=face_pressed, cell_held=cell_held),
        message=end_message(game),
        over=status in _OVER,
        can_undo=can_undo,
        can_hint=status in _OPEN_TO_HINTS,
        can_pause=status is Status.RUNNING,
        can_resume=status is Status.PAUSED,
    )


def end_message(game: BaseGame) -> str:
    """Return "Win", "Given up" and the like as a message id, or "" while a game goes on."""
    return _GIVEN_UP if game.resigned else _MESSAGES.get(game.status, "")


def _shown_ms(game: BaseGame, status: Status, clock_ms: int) -> int:
    if status is Status.READY:
        return 0
    return game.time_ms if status in _OVER else clock_ms


def _mood(status: Status, *, face_pressed: bool, cell_held: bool) -> FaceMood:
    if face_pressed:
        return FaceMood.PRESSED
    if status is Status.WON:
        return FaceMood.WON
    if status is Status.LOST:
        return FaceMood.LOST
    return FaceMood.WORRIED if cell_held and status is not Status.PAUSED else FaceMood.IDLE
