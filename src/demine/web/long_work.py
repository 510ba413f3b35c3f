"""Work of the server's own process that takes long, such as preparing a recording to be watched."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, TypeVar

from demine.scene.translation import mark
from demine.web.limits import Places

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
MOST_OF_CLIENT: Final = 8
"""How many pieces of work of one client may wait."""


class LongWork:
    """Does one piece of work after the other in a thread.

    Python runs one thread at a time: with more of them at work the event loop, which answers
    everybody, would wait for all of them before each of its steps.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Semaphore(1)
        self._places = Places(MOST_OF_CLIENT, mark("at most {most} requests of this kind can wait"))

    async def do(self, client: str, function: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - the function's own
        """Return what a function returns; raises `TooMany` and what the function raises."""
        with self._places.hold(client):
            async with self._turn:
                return await asyncio.to_thread(function, *args)
