"""What a process does when others come and go: it takes over what is at home here, and lets go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demine.web.cluster.news import decode_news

if TYPE_CHECKING:
    from collections.abc import Sequence

    from demine.web.homes import Member
    from demine.web.services import Services


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
        services.homes.set_members(me, members)
        services.open_games.played_now.send_onlookers_away()
        await services.open_games.let_go()
        await services.races.let_go()
        if me is not None:
            await services.races.load_those_under_way()

    async def hear(self, text: str) -> None:
        """Take in what another process tells."""
        envelope = decode_news(text)
        if envelope is not None and envelope.by != self._services.homes.me:
            await self._services.hear(envelope.news)
