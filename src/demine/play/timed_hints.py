"""Hints that are loaded when first needed, and the timing of a proof's steps."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from demine.play.end_summary import luck_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from demine.logic.game import Cell
    from demine.logic.rules import Rules
    from demine.play.game_session import GameSession
    from demine.play.hints import Hints
    from demine.scene.draft import Draft
    from demine.scene.overlay import Overlay

_NOTHING_DUE: Final = 60.0
"""Seconds to wait if nothing is due."""
_HIDDEN_POLL: Final = 0.1
"""Seconds between checks whether a hidden board is visible again."""


class TimedHints:
    """`Hints` that are loaded when first needed, and proofs that can play by themselves.

    `ask` and `wake` are those of `Hints`; `now` returns seconds of a monotonic clock.
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
        self._judges_losses = True
        self._plays_proof = False
        self._due: float | None = None
        self._hidden = False
        session.lay_in_background = self._lay_in_background

    @property
    def is_loaded(self) -> bool:
        """Whether `load` has been called."""
        return self._hints is not None

    def load(self) -> Hints:
        """Return the hints; the first call makes them, with the board as it is then."""
        if self._hints is None:
            from demine.play.hints import Hints

            self._hints = Hints(self._session, self._ask, self._wake)
            self._hints.judges_losses = self._judges_losses
        return self._hints

    def set_judging_losses(self, on: bool) -> None:
        """Have a lost game followed by a word on its last move, or not."""
        self._judges_losses = on
        if self._hints is not None:
            self._hints.judges_losses = on

    def _lay_in_background(self, rules: Rules, seed: int, cell: Cell) -> None:
        """Load the hints, which replace this function by their own, and call that."""
        self.load().drop_outdated_hints()
        layer = self._session.lay_in_background
        if layer is not None:
            layer(rules, seed, cell)

    # What is shown

    @property
    def text(self) -> str:
        """The text of the hints; empty if there is none."""
        return "" if self._hints is None else self._hints.text

    def risk_text(self, cell: Cell | None) -> str:
        """Return the exact risk of a cell, or the lowest one; empty while no risks are shown."""
        return "" if self._hints is None else self._hints.risk_text(cell)

    def capitalised_text(self) -> str:
        """Return the text of the hints, beginning with a capital letter."""
        words = self.text
        # A daily result begins with the name, which is written in small letters.
        return words if words.startswith("demine ") else words[:1].upper() + words[1:]

    def detailed_notes(self) -> list[str]:
        """Return the text of the hints and the board's difficulty, for a page with more room."""
        rated = (
            [self.title_with_difficulty()] if self._hints is not None and self._hints.rating else []
        )
        return [*filter(None, [self.capitalised_text()]), *rated]

    def title_with_difficulty(self) -> str:
        """Return what is being played, with its difficulty once that is known."""
        return (
            self._session.game_title()
            if self._hints is None
            else self._hints.title_with_difficulty()
        )

    def luck_text(self) -> str:
        """Return how lucky a game was that is over; empty until that is known."""
        if self._hints is None or self._hints.guesses is None:
            return ""
        return luck_text(*self._hints.guesses)

    @property
    def is_showing_proof(self) -> bool:
        """Whether a proof is being shown."""
        return self._hints is not None and self._hints.is_showing_proof

    @property
    def is_playing_proof(self) -> bool:
        """Whether the steps of the proof follow each other by themselves."""
        return self._plays_proof and self.is_showing_proof

    @property
    def is_waiting_for_solver(self) -> bool:
        """Whether an answer that the player asked for is still to come."""
        return self._hints is not None and self._hints.is_waiting_for_solver

    @property
    def is_showing_chances(self) -> bool:
        """Whether the risk of every covered cell is shown."""
        return self._hints is not None and self._hints.is_showing_chances

    @property
    def overlay(self) -> Overlay | None:
        """The marks and risks to draw over the board; None if there are none."""
        return None if self._hints is None else self._hints.overlay

    def seconds_until_next_proof_step(self) -> float:
        """Return the seconds until `tick` should be called for a proof; 60 if none plays."""
        if self._due is None:
            return _NOTHING_DUE
        return _HIDDEN_POLL if self._hidden else max(0.0, self._due - self._now()) + 0.001

    # What the player and the board do

    def ask_for_hint(self, near: Cell | None = None) -> None:
        """Ask for a hint near a cell; its text and marks appear once the solver has answered."""
        self.load().ask_for_hint(near)

    def toggle_chances(self) -> None:
        """Show or hide the risk of every covered cell."""
        self.load().toggle_chances()

    def ask_whether_to_guess(self, near: Cell | None = None) -> None:
        """Ask whether the player has to guess; the answer appears as text."""
        self.load().ask_whether_to_guess(near)

    def ask_for_clash(self, draft: Draft) -> None:
        """Ask whether a draft can be true as a whole; the answer appears as text and marks."""
        self.load().ask_for_clash(draft)

    def forget_clash(self) -> None:
        """Clear what was found about a draft that has changed."""
        if self._hints is not None:
            self._hints.forget_clash()

    def ask_for_proof(self) -> None:
        """Ask for a proof of the board, which then begins again and shows the first step."""
        self._plays_proof = False
        self.load().ask_for_proof()

    def show_next_proof_step(self) -> None:
        """Show the next step of the proof."""
        self.load().show_next_proof_step()
        self._schedule_next_step()

    def show_previous_proof_step(self) -> None:
        """Show the step before again, and wait there."""
        self._plays_proof = False
        self.load().show_previous_proof_step()
        self._schedule_next_step()

    def toggle_playing_proof(self) -> None:
        """Let the steps of the proof follow each other by themselves, or wait for the player."""
        self._plays_proof = not self._plays_proof
        self._schedule_next_step()

    def dismiss(self) -> None:
        """Clear text and marks, and cancel questions."""
        if self._hints is not None:
            self._hints.dismiss()
            self._schedule_next_step()

    def drop_outdated_hints(self) -> None:
        """Update the hints after the board may have changed."""
        hints = self.load()
        hints.drop_outdated_hints()
        if not hints.is_showing_proof:
            self._due = None

    def reset(self) -> None:
        """Return to the state of a start: no text, no marks, no difficulty."""
        if self._hints is not None:
            self._hints.drop_outdated_hints()
            self.dismiss()
            self._hints.rating = None

    def tick(self, *, board_hidden: bool = False) -> bool:
        """Show answers that have come and play a proof on; return whether anything changed.

        With `board_hidden` (nobody can see the board) a proof waits.
        """
        if self._hints is None:
            return False
        try:
            changed = self._hints.take_solver_answers()
        finally:
            # Even after an unforeseen error in one answer, a proof goes on.
            if self._due is None or board_hidden or not self._hints.is_showing_proof:
                self._schedule_next_step()
        self._hidden = board_hidden
        if self._due is not None and self._now() >= self._due:
            self.show_next_proof_step()
            changed = True
        return changed

    def _schedule_next_step(self) -> None:
        """Make the next step due once the one that is shown can have been read, if proofs play."""
        playing = self.is_playing_proof
        self._due = self._now() + self.load().proof_step_ms / 1000 if playing else None
