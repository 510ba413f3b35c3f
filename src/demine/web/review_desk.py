"""Reviews for the page: each is made once, and kept for who asks next.

Nobody waits for a review with an open request: who asks is told how far it is, and that they stop
asking does not end it. The solver's queue makes it in the process for what takes long.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from demine.reviews.review import ReviewError
from demine.web.errors import Busy
from demine.web.solver_queue import MOST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.logic.event import Event
    from demine.logic.rules import Rules
    from demine.reviews.review_result import Review
    from demine.web.solver_queue import Asker, SolverQueue

Edition: TypeAlias = tuple[str, int]
"""A game's id and how many events it has: one that goes on after an undo has more."""

SECONDS: Final = 0.75 * MOST_SECONDS
"""After so long a review ends with what is judged by then; the last position may take the rest."""
_PATIENCE_S: Final = 1.0
"""How long an answer waits for a review, as most take less."""
MOST_UNDER_WAY: Final = 64
"""How many reviews may be under way or wait; more are refused."""
MOST_KEPT: Final = 256
"""How many results are kept; the one not asked for longest goes first."""


@dataclass(frozen=True, slots=True)
class UnderWay:
    """How far a review is: judged acts of all; 0 of 0 while it waits for its turn."""

    done: int
    of: int


class _Job:
    """A review that is made, or was."""

    def __init__(self) -> None:
        self.done = 0
        self.of = 0
        self.task: asyncio.Task[Review]

    def progress(self, done: int, of: int) -> None:
        """Note how far it is; called in a thread of the solver's client."""
        self.done, self.of = done, of


class ReviewDesk:
    """Has reviews made by the solver of a server."""

    def __init__(self, solver: SolverQueue, seconds: float = SECONDS) -> None:
        self._solver = solver
        self._seconds = seconds
        self._jobs: OrderedDict[Edition, _Job] = OrderedDict()

    def __contains__(self, edition: Edition) -> bool:
        """Whether the review of a game is there or under way."""
        return edition in self._jobs

    def begin(self, asker: Asker, edition: Edition, rules: Rules, events: Sequence[Event]) -> None:
        """Have a game reviewed, by its events without touches; raises `Busy` if too many wait."""
        if edition in self._jobs:
            return
        if sum(not job.task.done() for job in self._jobs.values()) >= MOST_UNDER_WAY:
            raise Busy("the solver has too much to do: try again in a moment")
        job = _Job()
        job.task = asyncio.create_task(self._make(job, asker, rules, events))
        self._jobs[edition] = job
        self._forget_oldest()

    async def look(self, edition: Edition) -> Review | UnderWay:
        """Return a review that was begun, or how far it is; raises what ended it."""
        job = self._jobs[edition]
        await asyncio.wait({job.task}, timeout=_PATIENCE_S)
        if not job.task.done():
            return UnderWay(job.done, job.of)
        if self._jobs.get(edition) is job:
            self._jobs.move_to_end(edition)
        try:
            return job.task.result()
        except ReviewError:  # what is wrong with the game stays wrong
            raise
        except BaseException:  # anything else may go better the next time
            if self._jobs.get(edition) is job:
                del self._jobs[edition]
            raise

    async def close(self) -> None:
        """End all reviews."""
        tasks = [job.task for job in self._jobs.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _make(self, job: _Job, asker: Asker, rules: Rules, events: Sequence[Event]) -> Review:
        found = await self._solver.ask(
            asker, "review", rules, events,
            kwargs={"progress": job.progress, "seconds": self._seconds},
        )  # fmt: skip
        return cast("Review", found)

    def _forget_oldest(self) -> None:
        finished = [edition for edition, job in self._jobs.items() if job.task.done()]
        for edition in finished[: max(0, len(self._jobs) - MOST_KEPT)]:
            del self._jobs[edition]
