"""What all requests of one server share: its database, games, solver and limits."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from demine.store.daily import today_utc
from demine.web import players
from demine.web.cluster.news import (
    BoardsWanted,
    GamePlayed,
    OverlayEnded,
    PlayerErased,
    PlayerRenamed,
    send_news,
)
from demine.web.cluster.relay import Relay
from demine.web.connections import OpenConnections
from demine.web.database.overlays import note_game
from demine.web.errors import DatabaseError
from demine.web.finished_games import FinishedGames
from demine.web.homes import Homes
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

    from sqlalchemy.engine import Connection

    from demine.web.cluster.membership import Membership
    from demine.web.cluster.news import News
    from demine.web.database.database import Database
    from demine.web.open_games import OpenGame


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
    homes: Homes
    relay: Relay
    today: Callable[[], date]
    """Returns the day in UTC, which decides about ranked boards."""
    membership: Membership | None = None
    """The part in a server of several processes; None where this process is all of it."""
    sandbox: Sandbox = field(default_factory=Sandbox)
    connections: OpenConnections = field(default_factory=OpenConnections)
    metrics: Metrics = field(default_factory=Metrics)

    @classmethod
    async def of(cls, database: Database, today: Callable[[], date] = today_utc) -> Self:
        """Return the services around a database; `today` returns the day in UTC."""
        key = await players.signing_key(database)
        limits = Limits()
        homes = Homes()
        solver, long_work = SolverQueue(limits), LongWork()
        games = OpenGames(database, today=today, homes=homes, find_figures=solver.find_figures)
        finished = FinishedGames(database, today)
        training = TrainingDesk(database, finished, long_work, solver)
        reviews = ReviewDesk(solver)
        races = Races(database, games, long_work, homes=homes)
        readiness = Readiness(database, homes)
        ranked = RankedBoards(database, games, solver, today, homes)
        return cls(
            database, key, games, finished, solver, reviews, training, limits, long_work, races,
            readiness, ranked, homes, Relay(key), today,
        )  # fmt: skip

    async def tell(self, news: News) -> None:
        """Have all processes of this server hear of something, this one first."""
        await self.hear(news)
        me = self.homes.me
        if me is not None:
            await self.database.write(lambda connection: send_news(connection, me, news))

    async def hear(self, news: News) -> None:
        """Bring what is in memory here up to date."""
        games, player = self.open_games, "" if isinstance(news, BoardsWanted) else news.player
        match news:
            case PlayerErased():
                games.forget_player(player)
                games.played_now.dismiss_onlookers(player)
                self.training.forget_player(player)
                self.races.forget_player(player)
            case PlayerRenamed(name=name):
                games.rename_player(player, name)
                await self.races.take_over_names()
            case OverlayEnded():
                games.played_now.dismiss_onlookers(player)
            case GamePlayed():
                games.played_now.move_away(player)
            case BoardsWanted():
                self.ranked.hurry()

    async def note_played(self, player: str, game: OpenGame) -> None:
        """Note which game a player plays now, so that an overlay finds it in whichever process."""
        me = self.homes.me
        if not self.open_games.played_now.note(player, game) or me is None:
            return

        def write(connection: Connection) -> None:
            if note_game(connection, player, game.id):
                send_news(connection, me, GamePlayed(player))

        with suppress(DatabaseError):  # the act itself is on the disk
            await self.database.write(write)

    async def leave(self) -> None:
        """Save what is not on the disk yet, and let other processes go on; raises `DatabaseError`.

        Nothing happens the second time.
        """
        await self.open_games.save_clocks()
        membership, self.membership = self.membership, None
        if membership is not None:
            await membership.leave()

    async def close(self) -> None:
        """End the processes that work for this server."""
        await self.relay.close()
        await self.reviews.close()
        await self.solver.close()
