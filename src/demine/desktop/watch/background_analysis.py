"""Analyses a watched game in other processes: the risks of cells, and the review."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from demine.logic.errors import DemineError
from demine.logic.event_log import non_touches
from demine.logic.game import Status
from demine.play.load_kernels import BACKGROUND_KERNEL_SETS
from demine.scene.cell_faces import Face
from demine.scene.overlay import Overlay

if TYPE_CHECKING:
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from demine.logic.game import BaseGame
    from demine.reviews.review_result import Review
    from demine.scene.playback import Snapshot
    from demine.solver.service.client import SolverClient

_KEPT: Final = 64
"""Overlays that are cached at most, for going back and forth."""
_KEPT_CELLS: Final = 1 << 22
"""Cells of all cached overlays at most, except for two overlays."""


class _SolverRequests(QObject):
    """Asks a solver process of its own, one request at a time."""

    _answered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._solver: SolverClient | None = None
        self._answered.connect(self._receive_result, Qt.ConnectionType.QueuedConnection)

    def _request(self, name: str, *args: object, **kwargs: object) -> Future[object]:
        """Send a request, after which `_receive_result` is called in this thread."""
        if self._solver is None:
            from demine.solver.service.client import SolverClient

            self._solver = SolverClient(BACKGROUND_KERNEL_SETS)
        future = self._solver.ask(name, *args, **kwargs)
        future.add_done_callback(lambda _future: self._answered.emit())
        return future

    def _receive_result(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Stop the process."""
        if self._solver is not None:
            self._solver.close()


class BackgroundRisks(_SolverRequests):
    """Computes the risk of every covered cell of a position in another process."""

    arrived = Signal()
    failed = Signal(str)

    def __init__(self, mines: int) -> None:
        super().__init__()
        self._mines = mines
        self._asked: tuple[bytes, Future[object]] | None = None
        self._wanted: NDArray[np.uint8] | None = None
        self._known: OrderedDict[bytes, Overlay | None] = OrderedDict()

    def overlay_if_known(self, still: Snapshot) -> Overlay | None:
        """Return the risks of a position if they are known, else None and start computing them.

        There are none before the first opened cell and after the end of a game.
        """
        faces = still.faces
        if still.status is not Status.RUNNING or not (faces < Face.COVERED).any():
            return None
        key = faces.tobytes()
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        self._wanted = faces
        self._ask()
        return None

    def _ask(self) -> None:
        if self._asked is not None or self._wanted is None:
            return
        faces, self._wanted = self._wanted, None
        self._asked = faces.tobytes(), self._request("mine_probability", faces, self._mines)

    def _receive_result(self) -> None:
        if self._asked is None or not self._asked[1].done():
            return
        (key, future), self._asked = self._asked, None
        self._known[key] = self._read(future)
        while len(self._known) > max(2, min(_KEPT, _KEPT_CELLS // len(key))):
            self._known.popitem(last=False)
        self._ask()
        self.arrived.emit()

    def _read(self, future: Future[object]) -> Overlay | None:
        from demine.scene.translation import explain

        if future.cancelled():
            return None
        error = future.exception()
        if isinstance(error, DemineError):
            self.failed.emit(explain(error))
            return None
        if error is not None:
            raise error
        found = future.result()
        if not isinstance(found, np.ndarray):
            return None
        rows, cols = found.shape
        return Overlay.empty((rows, cols)).with_risks(found)


class BackgroundReview(_SolverRequests):
    """Reviews all acts of a game in another process, once."""

    progressed = Signal(int, int)
    done = Signal()
    """Either `review` or `error` is set now."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__()
        self._game = game
        self._asked: Future[object] | None = None
        self.over = False
        """Whether the review has ended, even with an error."""
        self.error: DemineError | None = None
        self.review: Review | None = None

    def start(self) -> None:
        """Start the review, unless it was started before."""
        if self._asked is None:
            # In a process of its own: risks would have to wait for the whole review.
            events = non_touches(self._game.events)
            self._asked = self._request(
                "review", self._game.rules, events, progress=self.progressed.emit
            )

    def _receive_result(self) -> None:
        if self._asked is None or self._asked.cancelled():
            return
        error = self._asked.exception()
        self.over = True
        if error is None:
            self.review = cast("Review", self._asked.result())
        elif isinstance(error, DemineError):
            self.error = error
        self.close()
        self.done.emit()
        if error is not None and self.error is None:
            raise error
