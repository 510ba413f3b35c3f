"""The moods of the restart face."""

from __future__ import annotations

from enum import StrEnum


class FaceMood(StrEnum):
    """The expression of the restart face."""

    IDLE = "idle"
    PRESSED = "pressed"
    """The face itself is held down."""
    WORRIED = "worried"
    """A cell is held down."""
    WON = "won"
    LOST = "lost"
