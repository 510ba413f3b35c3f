"""The message below the board: trouble, news, a hint, how the game ended, or a tip for beginners.

It is made without the game's packages, because the first frame of a window shows the tip already.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import tr

if TYPE_CHECKING:
    from demine.play.end_summary import EndSummary
    from demine.scene.preferences import Preferences

ACTS_TO_LEARN: Final = 3
"""After how many acts that open cells, in one game, a player needs the tip no more."""


class MessageKind(Enum):
    """What a message is about; scenes choose its colours and buttons by that."""

    NONE = "none"
    TIP = "tip"
    HINT = "hint"
    """What hints say while a game is not over."""
    NEWS = "news"
    """What just happened, for a few seconds."""
    PAUSED = "paused"
    TROUBLE = "trouble"
    WON = "won"
    LOST = "lost"


class BoardMessage(NamedTuple):
    """The one message below the board; equal values look the same."""

    kind: MessageKind = MessageKind.NONE
    text: str = ""
    headline: str = ""
    """How the game ended, to stand above the text."""
    further: str = ""
    """What the text leaves out, for a scene that has the room."""
    end: EndSummary | None = None
    """The end in parts, for a text that says nothing else: those that do not fit are left out."""

    @property
    def whole(self) -> str:
        """Everything, a line each."""
        return "\n".join(filter(None, (self.headline, self.text, self.further)))

    @classmethod
    def of_end(cls, summary: EndSummary, said: str) -> BoardMessage:
        """Return the message of a game that is over; `said` is what hints say of it."""
        kind = MessageKind.WON if summary.won else MessageKind.LOST
        if said:
            return cls(kind, said, summary.headline, summary.details)
        return cls(kind, summary.details, summary.headline, end=summary)


NO_MESSAGE: Final = BoardMessage()

PROOF_COMMANDS: Final = (Command.UNDO, Command.ACT, Command.PAUSE)
"""The commands that walk through a proof while it is shown: back, next, and play or pause."""


def proof_command_names(*, playing: bool) -> tuple[tuple[Command, str], ...]:
    """Return the commands that walk through a proof, and what they are called there."""
    names = tr("Back"), tr("Next"), tr("Pause") if playing else tr("Play")
    return tuple(zip(PROOF_COMMANDS, names, strict=True))


def start_tip(preferences: Preferences) -> BoardMessage:
    """Return how to play, as long as the player has not opened a few cells; else no message."""
    if not preferences.start_tip:
        return NO_MESSAGE
    keys = preferences.key_map().keys(Command.HINT)
    if not keys:
        return BoardMessage(MessageKind.TIP, tr("Left click opens, right click flags"))
    said = tr("Left click opens, right click flags, {key} gives a hint", key=key_label(keys[0]))
    return BoardMessage(MessageKind.TIP, said)
