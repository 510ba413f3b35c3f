"""Work of the server's own process that takes long, such as preparing a recording to be watched."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from demine.scene.translation import mark
from demine.web.limits import Places

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from demine.web.solver_queue import Asker

MOST_OF_PLAYER: Final = 8
"""How many pieces of work of one player may wait."""
MOST_OF_ADDRESS: Final = 32


class LongWork:
    """Gives whoever has such work to do, in a thread, one turn after the other.

    Python runs one thread at a time: with more of them at work the event loop, which answers
    everybody, would wait for all of them before each of its steps.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)
        waiting = mark("at most {most} requests of this kind can wait")
        self._of_players = Places(MOST_OF_PLAYER, waiting)
        self._of_addresses = Places(MOST_OF_ADDRESS, waiting)

    @asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator[None]:
        """Wait for one's turn; raises `TooMany`."""
        with self._of_addresses.hold(asker.address), self._of_players.hold(asker.player):
            async with self._turn:
                yield
