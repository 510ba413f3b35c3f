"""Jumps to the next guess or mistake of a replay; the first jump starts the review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from demine.desktop.watch.background_analysis import BackgroundReview
from demine.reviews.watch_review import (
    distinct_clamped_times,
    judged_by_event,
    next_guess_or_mistake,
)
from demine.reviews.watch_text import no_further_jump_text
from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from demine.reviews.review_result import JudgedAct, Review
    from demine.scene.playback import Playback


_FIRST: Final = "first"
"""The jump that begins a review: to the first mistake, or else the first guess."""
_KINDS: Final = ("mistake", "guess")


class JumpFinder(QObject):
    """Finds the next guess or mistake to jump to in a replay."""

    message = Signal(str)
    jump_found = Signal(int)
    """The index, among the events, of the act to stop before."""
    all_judged = Signal(list, list)
    """The times of all guesses and of all mistakes, in milliseconds."""

    def __init__(self, playback: Playback) -> None:
        super().__init__()
        self._playback = playback
        self._review = BackgroundReview(playback.game)
        self._last_jump = -1
        self.waiting = ""
        """The kind of jump that waits for the review; empty if none does."""
        self.judged: dict[int, JudgedAct] = {}
        """The judged acts, by their index among the events; empty before the review."""
        self._notable: dict[int, JudgedAct] = {}
        """Those of them that are guesses or mistakes."""
        self._review.progressed.connect(self._show_progress)
        self._review.done.connect(self._finish_jump)

    def request_review(self) -> None:
        """Have the game reviewed, and then emit `jump_found` for its first mistake or guess."""
        self.request_jump(_FIRST)

    @property
    def notable_act(self) -> JudgedAct | None:
        """The act that comes next, if the review found a guess or a mistake in it."""
        coming = min((at for at in self.judged if at >= self._playback.place), default=None)
        return None if coming is None else self._notable.get(coming)

    def request_jump(self, kind: str) -> None:
        """Emit `jump_found` for the next `guess` or `mistake`, as soon as the game is reviewed."""
        self.waiting = kind
        if not self._review.over:
            self.message.emit(tr("Judging the game…"))
            self._review.start()
        else:
            self._finish_jump()

    def close(self) -> None:
        """Stop the review."""
        self._review.close()

    def _show_progress(self, done: int, count: int) -> None:
        if self.waiting and count:
            self.message.emit(tr("Judging the game… {percent}%", percent=100 * done // count))

    def _finish_jump(self) -> None:
        kind, self.waiting = self.waiting, ""
        review, error = self._review.review, self._review.error
        if review is None:
            if kind:
                self.message.emit(
                    tr("The game cannot be judged.") if error is None else explain(error)
                )
            return
        if not self.judged:
            self._set_review(review)
        if kind == _FIRST:
            self._show_first(review)
        elif kind:
            self._jump(kind, review)

    def _set_review(self, review: Review) -> None:
        self.judged = judged_by_event(self._playback.game, review)
        numbers = {each.number for each in (*review.guesses, *review.mistakes)}
        self._notable = {at: each for at, each in self.judged.items() if each.number in numbers}
        span = self._playback.start, self._playback.end
        self.all_judged.emit(
            distinct_clamped_times([each.t for each in review.guesses], *span),
            distinct_clamped_times([each.t for each in review.mistakes], *span),
        )

    def _show_first(self, review: Review) -> None:
        """Jump to the first mistake, or else the first guess, or say that there is none."""
        found = (next_guess_or_mistake(self.judged, review, kind, 0) for kind in _KINDS)
        place = next((each for each in found if each is not None), None)
        if place is None:
            self.message.emit(tr("No mistakes and no guesses."))
        else:
            self._last_jump = place
            self.jump_found.emit(place)

    def _jump(self, kind: str, review: Review) -> None:
        # After a jump to the act that comes next, the one after it is wanted.
        here = self._playback.place
        place = next_guess_or_mistake(self.judged, review, kind, here + (self._last_jump == here))
        if place is None:
            self.message.emit(no_further_jump_text(kind))
        else:
            self._last_jump = place
            self.jump_found.emit(place)
