"""What all requests of one server share: its database, games, solver and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from demine.store.daily import today_utc
from demine.web import players
from demine.web.connections import OpenConnections
from demine.web.finished_games import FinishedGames
from demine.web.limits import Limits
from demine.web.long_work import LongWork
from demine.web.metrics import Metrics
from demine.web.open_games import OpenGames
from demine.web.races.registry import Races
from demine.web.ranked.boards import RankedBoards
from demine.web.readiness import Readiness
from demine.web.review_desk import ReviewDesk
from demine.web.sandbox.process import Sandbox
from demine.web.solver_queue import SolverQueue
from demine.web.training_desk import TrainingDesk

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from typing import Self

    from demine.web.database.database import Database


@dataclass(slots=True)
class Services:
    """One server: its database, its key, and how much it takes on; `app.state.services`."""

    database: Database
    key: bytes
    """What signs cookies."""
    open_games: OpenGames
    finished_games: FinishedGames
    solver: SolverQueue
    reviews: ReviewDesk
    training: TrainingDesk
    limits: Limits
    long_work: LongWork
    races: Races
    readiness: Readiness
    ranked: RankedBoards
    today: Callable[[], date]
    """Returns the day in UTC, which decides about ranked boards."""
    sandbox: Sandbox = field(default_factory=Sandbox)
    connections: OpenConnections = field(default_factory=OpenConnections)
    metrics: Metrics = field(default_factory=Metrics)

    @classmethod
    async def of(cls, database: Database, today: Callable[[], date] = today_utc) -> Self:
        """Return the services around a database; `today` returns the day in UTC."""
        key = await players.signing_key(database)
        limits = Limits()
        games = OpenGames(database, today=today)
        finished = FinishedGames(database, today)
        solver, long_work = SolverQueue(limits), LongWork()
        training = TrainingDesk(database, finished, long_work, solver)
        reviews = ReviewDesk(solver)
        races = Races(database, games, long_work)
        readiness = Readiness(database)
        ranked = RankedBoards(database, games, solver, today)
        return cls(
            database, key, games, finished, solver, reviews, training, limits, long_work, races,
            readiness, ranked, today,
        )  # fmt: skip

    async def close(self) -> None:
        """End the processes that work for this server."""
        await self.reviews.close()
        await self.solver.close()
