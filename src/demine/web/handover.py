"""What a process does when others come and go: it takes over what is at home here, and lets go."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from demine.web.cluster.news import decode_news
from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from demine.web.homes import Member
    from demine.web.services import Services

_CLOSE_S: Final = 5.0
"""How long connections have that a client does not let go of."""


class Handover:
    """Keeps what one process has in memory in step with who takes part."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def take_over(self, me: int | None, members: Sequence[Member]) -> None:
        """Go on with what has its home here now, and let go of everything else.

        The last process that goes keeps everything until its end.
        """
        services = self._services
        if me is None and not members and services.readiness.is_stopping:
            return
        with suppress(DatabaseError):  # what was saved last holds
            await services.open_games.save_clocks()
        services.homes.set_members(me, members)
        services.open_games.played_now.send_onlookers_away()
        # At once: nothing is played here any more that others play on.
        games, races = services.open_games.forget_moved(), services.races.forget_moved()
        if me is not None:
            await services.races.load_those_under_way()
        closing: list[Coroutine[Any, Any, None]] = [game.let_go() for game in games]
        closing += [each.close() for race in races for each in race.watchers]
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_S):
                await asyncio.gather(*closing, return_exceptions=True)

    async def hear(self, text: str) -> None:
        """Take in what another process tells."""
        envelope = decode_news(text)
        if envelope is not None and envelope.by != self._services.homes.me:
            await self._services.hear(envelope.news)
