"""The progress of a search for a guess-free board, in words for the player who waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class GuessFreeSearchProgress:
    """Receives the progress of a search from another thread, and calls `wake`.

    The search has no limit: it ends when a board is found or the player gives up.
    """

    def __init__(self, wake: Callable[[], object]) -> None:
        self._wake = wake
        self._tries = 0
        self._has_progress = False

    @property
    def solver_kwargs(self) -> Mapping[str, object]:
        """Keyword arguments for `make_layout`: no limit, this progress."""
        return {"limit": None, "progress": self._note_progress}

    def _note_progress(self, tries: int, _steps: int) -> None:
        self._tries, self._has_progress = tries, True
        self._wake()

    def take_has_new_progress(self) -> bool:
        """Return whether there was progress since the last call."""
        had_progress, self._has_progress = self._has_progress, False
        return had_progress

    def progress_text(self) -> str:
        """Return what to tell the player who waits."""
        if not self._tries:
            return tr("Making a guess-free board…")
        return tr(
            "Looking for a guess-free board: {n} tried. Wait, or choose other rules",
            n=f"{self._tries:,}",
        )
