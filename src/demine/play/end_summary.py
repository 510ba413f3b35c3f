"""How a game ended and what that means, in words: the same in every scene."""

from __future__ import annotations

from dataclasses import dataclass

from demine.scene.translation import ntr, tr


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
    luck: str = ""
    """The guesses and how likely they were to be safe; empty until the solver has told."""

    @property
    def result_text(self) -> str:
        """Everything but the headline in one line, for a scene that has no more."""
        return " · ".join(filter(None, (*self.meaning, self.time, *self.figures, self.luck)))

    @property
    def details(self) -> str:
        """What goes with the headline, which tells the time already, but for the luck."""
        return " · ".join((*self.meaning, *self.figures))


def luck_text(guesses: int, chance: float) -> str:
    """Return how many guesses a game took and how likely all of them were to be safe, 0 to 1.

    Only no guess at all is certain: it never says 0 or 100 percent.
    """
    if not guesses:
        return tr("no guesses")
    percent = "<0.1" if chance < 0.001 else f"{100 * min(chance, 0.999):.1f}"
    return ntr(
        "{n} guess, {percent}% safe", "{n} guesses, {percent}% safe", guesses, percent=percent
    )
