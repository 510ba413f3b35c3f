"""A search for a guess-free board that a player waits for: how far it is, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class GuessFreeSearch:
    """Hears in another thread how far the search is, and calls `wake`.

    There is no end to it but the player's: sooner or later a board is found.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self._tries = 0
        self._has_progress = False

    @property
    def solver_options(self) -> Mapping[str, object]:
        """What `demine.solver.deal.make.make` is asked besides."""
        return {"limit": None, "progress": self._note_progress}

    def _note_progress(self, tries: int, _steps: int) -> None:
        self._tries, self._has_progress = tries, True
        self._wake()

    def take_progress(self) -> bool:
        """Return whether anything was heard since this was asked last."""
        news, self._has_progress = self._has_progress, False
        return news

    def text(self) -> str:
        """Return what to tell the player now."""
        if not self._tries:
            return tr("Laying a board that needs no guess ...")
        return tr(
            "Looking for a board that needs no guess: {n} tried so far. "
            "Wait, or choose other rules",
            n=f"{self._tries:,}",
        )
