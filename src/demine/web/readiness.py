"""Whether a server can take players: it has its database, and is not about to end."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.scene.translation import mark
from demine.web.errors import DatabaseError, explain_to_client
from demine.web.homes import Elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable

    from demine.web.database.database import Database
    from demine.web.homes import Homes

_ANSWER_S: Final = 2.0
"""How long the database may take."""
_SILENCE: Final = mark("the database has not answered for {seconds:.0f} s")
_KEPT_S: Final = 1.0
"""How long an answer holds, so that to ask often costs nothing."""


class Readiness:
    """Finds out whether the server can take players, at most once a second."""

    def __init__(
        self, database: Database, homes: Homes, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.is_stopping = False
        """Set once the server was told to end."""
        self._database = database
        self._homes = homes
        self._now = now
        self._look: asyncio.Task[str] | None = None
        self._looked_at = 0.0

    async def obstacle(self) -> str:
        """Return why the server cannot take players, in the present language; empty if it can."""
        if self.is_stopping:
            return explain_to_client(DatabaseError("the server is shutting down"))
        if not self._homes.is_alone and self._homes.me is None:
            return explain_to_client(Elsewhere.to(None))
        if self._look is None or (self._look.done() and self._now() - self._looked_at >= _KEPT_S):
            self._look = asyncio.ensure_future(self._find_obstacle())
        return await asyncio.shield(self._look)

    async def _find_obstacle(self) -> str:
        try:
            async with asyncio.timeout(_ANSWER_S):
                await self._database.write(lambda _: None)
        except TimeoutError:
            return explain_to_client(DatabaseError(_SILENCE, seconds=_ANSWER_S))
        except DemineError as error:
            return explain_to_client(error)
        else:
            return ""
        finally:
            self._looked_at = self._now()
