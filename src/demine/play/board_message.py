"""The message below the board: trouble, news, a hint, how the game ended, or a tip for beginners.

It is made without the game's packages, because the first frame of a window shows the tip already.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from demine.scene.key_bindings import Command, key_label
from demine.scene.translation import current_language, tr

if TYPE_CHECKING:
    from demine.play.end_summary import EndSummary
    from demine.scene.preferences import Preferences


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
    luck: str = ""
    """The luck of a game that is over, which comes later and has a place of its own."""
    end: EndSummary | None = None
    """The end in parts, for a text that says nothing else: those that do not fit are left out."""

    @property
    def full_text(self) -> str:
        """Everything, a line each."""
        return "\n".join(filter(None, (self.headline, self.text, self.further, self.luck)))

    @classmethod
    def of_end(cls, summary: EndSummary, text: str) -> BoardMessage:
        """Return the message of a game that is over; `text` is what hints say of it."""
        kind = MessageKind.WON if summary.won else MessageKind.LOST
        if text:
            return cls(kind, text, summary.headline, summary.details, summary.luck)
        return cls(kind, summary.details, summary.headline, luck=summary.luck, end=summary)


NO_MESSAGE: Final = BoardMessage()
START_TIP: Final = BoardMessage(MessageKind.TIP)
"""The tip before a scene words it, by `start_tip`: every click asks what is to be said."""

PROOF_COMMANDS: Final = (Command.UNDO, Command.ACT, Command.PAUSE)
"""The commands that walk through a proof while it is shown: back, next, and play or pause."""


def labelled_proof_commands(*, playing: bool) -> tuple[tuple[Command, str], ...]:
    """Return the commands that walk through a proof, and what they are called there."""
    names = tr("Back"), tr("Next"), tr("Pause") if playing else tr("Play")
    return tuple(zip(PROOF_COMMANDS, names, strict=True))


def start_tip(preferences: Preferences) -> BoardMessage:
    """Return how to play, in short lines, until the player has learned it; then no message."""
    if not preferences.start_tip:
        return NO_MESSAGE
    lines = [
        tr("Left click opens, right click flags"),
        tr("Both buttons on a number open its neighbours"),
    ]
    keys = preferences.key_map()
    hint, page = keys.keys(Command.HINT), keys.keys(Command.HELP)
    if hint and page:
        labels = {"hint": key_label(hint[0]), "help": key_label(page[0])}
        lines.append(tr("{hint} gives a hint, {help} shows the keys", **labels))
    return START_TIP._replace(text="\n".join(lines))


def start_tip_line(preferences: Preferences, title: str) -> str:
    """Return the status line of a small window that has no place for the tip.

    What shows its keys and its levels comes first, `title` last; only that without the tip.
    """
    if not preferences.start_tip:
        return title
    return f"{_start_tip_line(preferences, current_language())} · {title}"


@lru_cache(maxsize=2)
def _start_tip_line(preferences: Preferences, language: str) -> str:
    del language
    keys = preferences.key_map().keys(Command.HELP)
    shown = [tr("{key}: keys", key=key_label(keys[0]))] if keys else []
    return " · ".join((*shown, tr("right-click the face: next level")))
