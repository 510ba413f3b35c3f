"""Whether the player is at the board: without them the clock stands and the board is covered.

Scenes report what they know to `Controller.report_presence`, and draw the sign of a paused game.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.scene.key_bindings import KeyMap


class PauseReason(Enum):
    """Why a game was paused; it goes on only when the player uncovers the board."""

    ASKED = auto()
    """The player paused it."""
    RESUMED = auto()
    """It is an earlier game that was taken up again."""
    HIDDEN = auto()
    """The window was minimised or hidden."""
    COVERED = auto()
    """A dialog or a page covered the game."""
    UNFOCUSED = auto()
    """The player turned to another window."""

    def explanation(self) -> str:
        """Return what a player may wonder about, as a sentence; empty for what is plain to see."""
        if self is PauseReason.RESUMED:
            return tr("This is your last game, as you left it.")
        if self is PauseReason.UNFOCUSED:
            return tr("The game pauses when you switch windows. Settings turns that off.")
        return ""


class Presence(NamedTuple):
    """What a scene knows of the player; what it cannot know stays as it is here."""

    shown: bool = True
    """Whether the window is neither minimised nor hidden."""
    covered: bool = False
    """Whether a dialog or a page covers the board."""
    focused: bool = True
    """Whether keys go to this window or one of its dialogs."""

    @property
    def sees_board(self) -> bool:
        """Whether the board can be seen."""
        return self.shown and not self.covered

    def reason_to_pause(self, *, pause_unfocused: bool) -> PauseReason | None:
        """Return why a running game has to be paused now; None if it may go on."""
        if not self.shown:
            return PauseReason.HIDDEN
        if self.covered:
            return PauseReason.COVERED
        return PauseReason.UNFOCUSED if pause_unfocused and not self.focused else None


class PauseSign(NamedTuple):
    """What stands on the covered board of a paused game."""

    title: str
    button: str
    """The name of the button in it; a click anywhere on the board does the same."""
    how: str
    """How to go on, in one line."""


def pause_sign(keys: KeyMap) -> PauseSign:
    """Return the sign for a player with these keys."""
    bound = keys.keys(Command.PAUSE)
    if bound:
        how = tr("Click or press {key} to resume", key=key_label(bound[0]))
    else:
        how = tr("Click to resume")
    return PauseSign(tr("Paused"), tr("Resume"), how)
