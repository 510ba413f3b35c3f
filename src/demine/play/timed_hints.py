"""Hints and their timing: when answers are taken up, and when the next step of a proof is due."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.play.game_session import GameSession
    from demine.play.hints import Hints
    from demine.scene.overlay import Overlay

_LONG: Final = 60.0
"""Seconds to wait where nothing is due."""
_GLANCE: Final = 0.1
"""Seconds after which a proof that waits looks whether the board is seen again."""


class TimedHints:
    """Hints that are made when they are first needed, and proofs that go on by themselves.

    `ask` and `wake` are those of `Hints`; `now` gives seconds that never jump.
    """

    def __init__(
        self,
        session: GameSession,
        ask: Callable[..., Future[object]],
        wake: Callable[[], object],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session = session
        self._ask = ask
        self._wake = wake
        self._now = now
        self._hints: Hints | None = None
        self._due: float | None = None
        self._hidden = False
        session.lay_in_background = self._lay_in_background

    @property
    def is_loaded(self) -> bool:
        """Whether hints have been needed yet."""
        return self._hints is not None

    def load(self) -> Hints:
        """Return the hints; made at the first call, they have then seen the board as it is."""
        if self._hints is None:
            from demine.play.hints import Hints

            self._hints = Hints(self._session, self._ask, self._wake)
        return self._hints

    def _lay_in_background(self, rules: Rules, seed: int, cell: Cell) -> None:
        """Have a board laid; the hints, once made, do so themselves."""
        self.load().follow_board()
        layer = self._session.lay_in_background
        if layer is not None:
            layer(rules, seed, cell)

    # Out

    @property
    def text(self) -> str:
        """What there is to say; empty if nothing."""
        return "" if self._hints is None else self._hints.text

    def capitalised_text(self) -> str:
        """Return what there is to say, beginning as a sentence does."""
        words = self.text
        # A result to share begins with the name, which is written small.
        return words if words.startswith("demine ") else words[:1].upper() + words[1:]

    def all_notes(self) -> list[str]:
        """Return what there is to say, in full, for a page with more room."""
        rated = [self.title()] if self._hints is not None and self._hints.rating else []
        return [*filter(None, [self.capitalised_text()]), *rated]

    def title(self) -> str:
        """Return what is being played, and how hard it is if that is known."""
        return self._session.title() if self._hints is None else self._hints.title()

    @property
    def is_showing_proof(self) -> bool:
        """Whether a proof is being shown."""
        return self._hints is not None and self._hints.is_showing_proof

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is awaited that the player asked for."""
        return self._hints is not None and self._hints.is_waiting

    @property
    def is_showing_chances(self) -> bool:
        """Whether the risks of all cells are shown."""
        return self._hints is not None and self._hints.is_showing_chances

    @property
    def can_be_dismissed(self) -> bool:
        """Whether there is anything to let go of."""
        return self._hints is not None and bool(self.text or self.is_waiting or self.overlay)

    @property
    def overlay(self) -> Overlay | None:
        """What is laid over the board; None where that would show nothing."""
        return None if self._hints is None else self._hints.overlay

    def seconds_until_due(self) -> float:
        """Return the seconds until the next step is due."""
        if self._due is None:
            return _LONG
        return _GLANCE if self._hidden else max(0.0, self._due - self._now()) + 0.001

    # In

    def ask_for_hint(self) -> None:
        """Ask for a hint."""
        self.load().ask_for_hint()

    def toggle_chances(self) -> None:
        """Show the risk of every cell, or no longer."""
        self.load().toggle_chances()

    def ask_for_proof(self) -> None:
        """Have the board proven."""
        self.load().ask_for_proof()

    def show_next_proof_step(self) -> None:
        """Go on with the proof."""
        self.load().show_next_proof_step()
        self._schedule_next_step()

    def dismiss(self) -> None:
        """Let go of whatever is asked, said or marked."""
        if self._hints is not None:
            self._hints.dismiss()
            self._schedule_next_step()

    def follow_board(self) -> None:
        """Look at the board again, which may have changed."""
        hints = self.load()
        hints.follow_board()
        if not hints.is_showing_proof:
            self._due = None

    def reset(self) -> None:
        """Look as at a start: nothing said, nothing known of the board."""
        if self._hints is not None:
            self._hints.follow_board()
            self.dismiss()
            self._hints.rating = None

    def tick(self, *, hidden: bool = False) -> bool:
        """Take up answers and go on with a proof; return whether the board may have changed.

        `hidden` says that nobody can see the board now: a proof waits.
        """
        if self._hints is None:
            return False
        try:
            changed = self._hints.take_answers()
        finally:
            # Even when one answer was an error nobody foresaw, a proof goes on.
            if self._due is None or hidden or not self._hints.is_showing_proof:
                self._schedule_next_step()
        self._hidden = hidden
        if self._due is not None and self._now() >= self._due:
            self.show_next_proof_step()
            changed = True
        return changed

    def _schedule_next_step(self) -> None:
        """Let the step that is shown stand for as long as it takes to read."""
        proving = self.is_showing_proof
        self._due = self._now() + self.load().proof_step_ms / 1000 if proving else None
