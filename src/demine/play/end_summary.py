"""How a game ended and what that means, in words: the same in every scene."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EndSummary:
    """The end of one game, in the player's language; equal values read the same."""

    won: bool
    headline: str
    """How it ended and when, such as "You won in 41.832 s"."""
    meaning: tuple[str, ...]
    """What it means for the records, or why it counts for none; perhaps nothing."""
    time: str
    figures: tuple[str, ...]
    """Speed, efficiency and the like, those first that matter most."""

    @property
    def result_text(self) -> str:
        """Everything but the headline in one line, for a scene that has no more."""
        return " · ".join((*self.meaning, self.time, *self.figures))

    @property
    def details(self) -> str:
        """What goes with the headline, which tells the time already."""
        return " · ".join((*self.meaning, *self.figures))
