"""To the next guess and the next mistake: the game is judged when that is first asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from demine.desktop.watch.background_analysis import BackgroundReview
from demine.reviews.watch_text import judged_by_event, next_place, no_more, ticks
from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from demine.reviews.review_result import Judged, Review
    from demine.scene.playback import Playback


class JumpFinder(QObject):
    """Finds the next guess or mistake to jump to in a replay."""

    said = Signal(str)
    landed = Signal(int)
    """The place among the events of the act to stand before."""
    judged_all = Signal(list, list)
    """The times of all guesses and of all mistakes."""

    def __init__(self, playback: Playback) -> None:
        super().__init__()
        self._playback = playback
        self._judge = BackgroundReview(playback.game)
        self._at = -1
        self.waiting = ""
        """The jump that waits for the game to be judged."""
        self.judged: dict[int, Judged] = {}
        """What each act was, by its place among the events."""
        self._judge.progressed.connect(self._progress)
        self._judge.done.connect(self._go)

    def ask(self, kind: str) -> None:
        """Jump to the next `guess` or `mistake`, as soon as the game is judged."""
        self.waiting = kind
        if not self._judge.over:
            self.said.emit(tr("Judging the game…"))
            self._judge.ask()
        else:
            self._go()

    def close(self) -> None:
        """Judge no further."""
        self._judge.close()

    def _progress(self, done: int, count: int) -> None:
        if self.waiting and count:
            self.said.emit(tr("Judging the game… {percent} %", percent=100 * done // count))

    def _go(self) -> None:
        kind, self.waiting = self.waiting, ""
        review, error = self._judge.review, self._judge.error
        if review is None:
            if kind:
                self.said.emit(
                    tr("The game cannot be judged.") if error is None else explain(error)
                )
            return
        if not self.judged:
            self._take(review)
        if kind:
            self._find(kind, review)

    def _take(self, review: Review) -> None:
        self.judged = judged_by_event(self._playback.game, review)
        span = self._playback.start, self._playback.end
        self.judged_all.emit(
            ticks([each.t for each in review.guesses], *span),
            ticks([each.t for each in review.mistakes], *span),
        )

    def _find(self, kind: str, review: Review) -> None:
        # Where one was led to the act that comes next, the one after it is wanted.
        here = self._playback.place
        place = next_place(self.judged, review, kind, here + (self._at == here))
        if place is None:
            self.said.emit(no_more(kind))
        else:
            self._at = place
            self.landed.emit(place)
