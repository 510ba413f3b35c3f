"""What the panel's parts show whatever the game is: the face's moods, and numbers on lamps."""

from __future__ import annotations

from enum import StrEnum


class FaceMood(StrEnum):
    """What the restart face looks like."""

    IDLE = "idle"
    PRESSED = "pressed"
    """The face itself is held down."""
    WORRIED = "worried"
    """A cell is held down."""
    WON = "won"
    LOST = "lost"
