"""What all doors of one server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from demine.web import players
from demine.web.limits import Limits
from demine.web.open_games import OpenGames
from demine.web.recordings import Recordings
from demine.web.sandbox import Sandbox
from demine.web.solver_desk import SolverDesk

if TYPE_CHECKING:
    from typing import Self

    from demine.web.database.database import Database


@dataclass(slots=True)
class Site:
    """One server: its database, its key, and how much it takes on; `app.state.site`."""

    database: Database
    key: bytes
    """What signs cookies."""
    open_games: OpenGames
    recordings: Recordings
    solver: SolverDesk
    sandbox: Sandbox = field(default_factory=Sandbox)
    limits: Limits = field(default_factory=Limits)

    @classmethod
    async def of(cls, database: Database) -> Self:
        """Return the site of a database."""
        key = await players.signing_key(database)
        solver = SolverDesk()
        return cls(database, key, OpenGames(database, solver.deal), Recordings(database), solver)

    async def close(self) -> None:
        """End the processes that work for this site."""
        await self.solver.close()
