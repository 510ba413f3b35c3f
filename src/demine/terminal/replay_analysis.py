"""The analysis of a watched game in the background: verdicts, risks and statistics."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from demine.logic.errors import DemineError
from demine.logic.event_log import non_touches
from demine.logic.game import Status
from demine.play.lazy_solver import as_demine_error
from demine.reviews.watch_review import judged_by_event
from demine.scene.cell_faces import Face
from demine.scene.overlay import Overlay
from demine.scene.translation import tr
from demine.statistics.chosen_counters import counter_title, format_value

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from demine.game import Game
    from demine.reviews.review_result import JudgedAct, Review
    from demine.scene.playback import Snapshot
    from demine.statistics.chosen_counters import Counter
    from demine.statistics.compute import Timeline


class BackgroundReview:
    """Reviews all acts of a game once, in another process; `collect_result` adopts the result."""

    def __init__(
        self,
        game: Game,
        ask: Callable[..., Future[object]],
        wake: Callable[[], object],
    ) -> None:
        self._game, self._ask, self._wake = game, ask, wake
        self._asked: Future[object] | None = None
        self._done = (0, 0)
        self.review: Review | None = None
        self.judged: dict[int, JudgedAct] = {}
        """The judged acts by their index among the events."""
        self.guesses: list[int] = []
        self.mistakes: list[int] = []
        """Their times in milliseconds."""

    def start(self) -> None:
        """Start the review unless it was started before."""
        if self._asked is None:
            events = non_touches(self._game.events)
            self._asked = self._ask("review", self._game.rules, events, progress=self._set_progress)
            self._asked.add_done_callback(lambda _future: self._wake())

    def _set_progress(self, done: int, count: int) -> None:
        self._done = (done, count)
        self._wake()

    def progress_text(self) -> str:
        """Return a sentence about how much of the game is judged."""
        done, count = self._done
        if not count:
            return tr("Judging the game…")
        return tr("Judging the game… {percent}%", percent=100 * done // count)

    def collect_result(self) -> DemineError | None:
        """Adopt the review if it is finished; return its error, once, if it failed."""
        asked = self._asked
        if asked is None or self.review is not None or not asked.done() or asked.cancelled():
            return None
        error = asked.exception()
        if error is not None:
            self._asked = None
            return as_demine_error(error)
        self.review = cast("Review", asked.result())
        self.judged = judged_by_event(self._game, self.review)
        self.guesses = [act.t for act in self.review.guesses]
        self.mistakes = [act.t for act in self.review.mistakes]
        return None


class BackgroundRisks:
    """Computes the risk of every covered cell at the shown moment, in another process."""

    def __init__(
        self, mines: int, ask: Callable[..., Future[object]], wake: Callable[[], object]
    ) -> None:
        self._mines, self._ask, self._wake = mines, ask, wake
        self._asked: tuple[bytes, Future[object]] | None = None
        self._known: tuple[bytes, Overlay | None] = (b"", None)

    def request_overlay(self, snapshot: Snapshot) -> Overlay | None:
        """Return the risks at a moment as an overlay, or None and have them computed.

        There are none unless the game is running and a cell is open.
        """
        faces = snapshot.faces
        if snapshot.status is not Status.RUNNING or not (faces < Face.COVERED).any():
            return None
        key = faces.tobytes()
        if self._known[0] == key:
            return self._known[1]
        if self._asked is None:
            future = self._ask("mine_probability", faces, self._mines)
            self._asked = key, future
            future.add_done_callback(lambda _future: self._wake())
        return None

    def collect_result(self) -> DemineError | None:
        """Adopt the risks if they are computed; return the error, once, if that failed."""
        if self._asked is None or not self._asked[1].done():
            return None
        (key, future), self._asked = self._asked, None
        self._known = key, None
        if future.cancelled():
            return None
        error = future.exception()
        if error is not None:
            return as_demine_error(error)
        found = cast("NDArray[np.float64]", future.result())
        rows, cols = found.shape
        self._known = key, Overlay.empty((rows, cols)).with_risks(found)
        return None


class BackgroundCounters:
    """The chosen counters at any moment of a game, computed in a thread."""

    def __init__(self, game: Game, counters: list[Counter], wake: Callable[[], object]) -> None:
        self._game, self._counters, self._wake = game, counters, wake
        self._timeline: Timeline | None = None
        threading.Thread(target=self._compute, name="statistics", daemon=True).start()

    def _compute(self) -> None:
        from demine.statistics.compute import Timeline

        try:
            made = Timeline(self._game)
            # The first request computes what all moments share.
            dict(made.at(None))
        except DemineError:
            return
        self._timeline = made
        self._wake()

    def counter_texts(self, ms: int | None) -> list[str]:
        """Return the counters at a time (None: the end) as texts; none while they are not ready."""
        if self._timeline is None:
            return []
        now = self._timeline.at(ms)
        return [f"{counter_title(c)} {format_value(c.formula.value(now))}" for c in self._counters]


class BackgroundAnalysis(NamedTuple):
    """All analyses of a replay in the background."""

    review: BackgroundReview
    risks: BackgroundRisks
    counters: BackgroundCounters
