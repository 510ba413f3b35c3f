"""The solver of a server, in a process of its own: it answers one question after the other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, cast

from demine.play.load_kernels import BACKGROUND_KERNEL_SETS
from demine.solver.service.client import SolverClient
from demine.web.errors import Busy, TooMuchWork

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from demine.logic.game import Cell
    from demine.logic.rules import Rules

MOST_WAITING: Final = 64
"""How many questions may wait; more are refused."""
MOST_SECONDS: Final = 20.0
"""How long an answer may take, the wait for its turn not counted."""


class SolverQueue:
    """Asks one process, which starts with the first question."""

    def __init__(self) -> None:
        self._client = SolverClient(BACKGROUND_KERNEL_SETS)
        self._turn = asyncio.Semaphore(1)
        self._waiting = 0

    async def ask(
        self, name: str, *args: object, kwargs: Mapping[str, object] | None = None
    ) -> object:
        """Return the answer to a question of `QUESTIONS`.

        Raises `Busy` if too many wait, `TooMuchWork` for one that takes too long, and what the
        solver raises.
        """
        if self._waiting >= MOST_WAITING:
            raise Busy("the solver has too much to do: try again in a moment")
        self._waiting += 1
        try:
            async with self._turn, asyncio.timeout(MOST_SECONDS):
                future = self._client.ask(name, *args, **(kwargs or {}))
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise TooMuchWork("this position takes the solver too long") from None
        finally:
            self._waiting -= 1

    async def deal(self, rules: Rules, seed: int, first: Cell) -> NDArray[np.bool_]:
        """Return the mines of a guess-free board for a first cell; raises as `ask` does."""
        return cast("NDArray[np.bool_]", await self.ask("make", rules, seed, first))

    async def close(self) -> None:
        """End the process."""
        await asyncio.to_thread(self._client.close)
