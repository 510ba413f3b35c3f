"""The solver of a server: two processes, before each a queue in which nobody can crowd others out.

One process answers what is asked of the board of a game under way, the other what takes long.
Whoever asks has a budget of the solver's time, and the next question is always that of the client
who has most of it left. A question is dropped when whoever asked has gone: the task that waits for
the answer is cancelled.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np

from demine.logic.rules import Rules
from demine.play.load_kernels import BACKGROUND_KERNEL_SETS
from demine.solver.errors import NoGuessFreeBoard
from demine.solver.service.client import SolverClient
from demine.web.errors import Busy, TooMuchWork

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from demine.logic.game import Cell
    from demine.web.limits import Limits

MOST_WAITING: Final = 64
"""How many questions may wait for one process; more are refused."""
MOST_SECONDS: Final = 20.0
"""How long an answer may take, the wait for its turn not counted."""
SHORT_SECONDS: Final = 2.0
"""After so long a question is asked of the other process instead, where it holds up fewer."""
SHORT_CELLS: Final = 4096
"""Questions about larger boards take long."""
SHORT_STEPS: Final = 200_000
"""So many steps of a search for a guess-free board take some tenths of a second, compiled."""
_LONG: Final = ("guesses", "review", "drills", "made drills", "drill of day", "drill question")
"""Questions that take long on any board: about a whole game."""
DROP_SECONDS: Final = 1.0
"""What a dropped question costs on top of its work: a new process has to be started after it."""


class Asker(NamedTuple):
    """Who asks: a player, and their address."""

    player: str
    address: str


class SolverQueue:
    """Has questions answered in turn by processes, which start with the first one."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._short = _QueuedProcess(self._share_left, self._charge)
        self._long = _QueuedProcess(self._share_left, self._charge)

    async def ask(
        self, asker: Asker, name: str, *args: object, kwargs: Mapping[str, object] | None = None
    ) -> object:
        """Return the answer to a question of `QUESTIONS`; its first argument is a board or rules.

        Raises `TooMany` if the client has used its time up or asked too much at once, `Busy` if too
        many wait, `TooMuchWork` for what takes too long, and what the solver raises.
        """
        question = _Question(asker, name, args, kwargs or {})
        limits = self._limits
        limits.solver_of_players.require(asker.player)
        limits.solver_of_addresses.require(asker.address)
        with (
            limits.questions_of_addresses.hold(asker.address),
            limits.questions_of_players.hold(asker.player),
        ):
            if not question.takes_long:
                try:
                    return await self._short.answer(question, SHORT_SECONDS)
                except TimeoutError:
                    pass
            try:
                return await self._long.answer(question, MOST_SECONDS)
            except TimeoutError:
                raise TooMuchWork("this position takes the solver too long") from None

    async def deal(self, asker: Asker, rules: Rules, seed: int, first: Cell) -> NDArray[np.bool_]:
        """Return the mines of a guess-free board for a first cell; raises as `ask` does."""
        args = rules, seed, first
        if rules.cells <= SHORT_CELLS:
            try:
                found = await self.ask(asker, "make", *args, kwargs={"limit": SHORT_STEPS})
                return cast("NDArray[np.bool_]", found)
            except NoGuessFreeBoard as error:
                if error.proven:
                    raise
        return cast("NDArray[np.bool_]", await self.ask(asker, "make", *args))

    @property
    def waiting(self) -> int:
        """How many questions wait for their turn."""
        return self._short.waiting + self._long.waiting

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(self._short.close(), self._long.close())

    def _share_left(self, asker: Asker) -> float:
        """Return how much of its budget a client has left, 1 for all of it."""
        limits = self._limits
        return min(
            limits.solver_of_players.share_left(asker.player),
            limits.solver_of_addresses.share_left(asker.address),
        )

    def _charge(self, asker: Asker, seconds: float) -> None:
        self._limits.solver_of_players.charge(asker.player, seconds)
        self._limits.solver_of_addresses.charge(asker.address, seconds)


@dataclass(frozen=True, slots=True)
class _Question:
    """What a client asks."""

    asker: Asker
    name: str
    args: tuple[object, ...]
    """The first one is a board or rules."""
    kwargs: Mapping[str, object]

    @property
    def takes_long(self) -> bool:
        board = self.args[0]
        is_search = self.name == "make" and "limit" not in self.kwargs
        cells = (
            board.cells if isinstance(board, Rules) else np.size(cast("NDArray[np.uint8]", board))
        )
        return is_search or self.name in _LONG or cells > SHORT_CELLS


class _QueuedProcess:
    """One process, and those who wait for it."""

    def __init__(
        self,
        share_left: Callable[[Asker], float],
        charge: Callable[[Asker, float], None],
    ) -> None:
        self._share_left = share_left
        self._charge = charge
        self._client = SolverClient(BACKGROUND_KERNEL_SETS)
        self._ready: Future[object] | None = None
        self._is_taken = False
        self._waiting: list[tuple[Asker, asyncio.Future[None]]] = []

    @property
    def waiting(self) -> int:
        """How many questions wait for their turn."""
        return len(self._waiting)

    async def answer(self, question: _Question, seconds: float) -> object:
        """Return the answer once it is the client's turn.

        Raises `TimeoutError` after so many seconds of work, and `Busy`.
        """
        async with self._turn(question.asker):
            await self._start()
            began = time.monotonic()
            try:
                async with asyncio.timeout(seconds):
                    return await self._ask(question)
            except (TimeoutError, asyncio.CancelledError):
                self._ready = None
                self._begin_start()
                # The next one waits for the new process: to ask and to leave must not be free.
                self._charge(question.asker, DROP_SECONDS)
                raise
            finally:
                self._charge(question.asker, time.monotonic() - began)

    async def _ask(self, question: _Question) -> object:
        # In a thread, because to send the events of a long game takes a while.
        sending = asyncio.ensure_future(
            asyncio.to_thread(self._client.ask, question.name, *question.args, **question.kwargs)
        )
        try:
            asked = await asyncio.shield(sending)
        except asyncio.CancelledError:
            sending.add_done_callback(_cancel_result)
            raise
        return await asyncio.wrap_future(asked)

    async def close(self) -> None:
        """End the process."""
        await asyncio.to_thread(self._client.close)

    @asynccontextmanager
    async def _turn(self, asker: Asker) -> AsyncIterator[None]:
        """Wait for one's turn, and have the next one come afterwards."""
        if self._is_taken:
            await self._wait(asker)
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, asker: Asker) -> None:
        if len(self._waiting) >= MOST_WAITING:
            raise Busy("the solver has too much to do: try again in a moment")
        mine = asker, asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            await mine[1]
        except asyncio.CancelledError:
            if mine in self._waiting:
                self._waiting.remove(mine)
            else:  # it was this one's turn already
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give the turn to whoever has most left of their budget, of these to who came first."""
        # Who was cancelled in this step of the event loop leaves the list in the next one.
        waiting = [each for each in self._waiting if not each[1].done()]
        self._is_taken = bool(waiting)
        if waiting:
            chosen = max(waiting, key=lambda each: self._share_left(each[0]))
            self._waiting.remove(chosen)
            chosen[1].set_result(None)

    async def _start(self) -> None:
        """Wait until the process runs, so that nobody is charged for its start."""
        await asyncio.shield(asyncio.wrap_future(self._begin_start()))

    def _begin_start(self) -> Future[object]:
        """Have the process started, and one that works at a dropped question replaced."""
        if self._ready is None:
            # The event loop, which answers everybody, goes before one player's question.
            self._ready = self._client.ask("ready", is_background=True)
        return self._ready


def _cancel_result(sending: asyncio.Future[Future[object]]) -> None:
    if not sending.cancelled() and sending.exception() is None:
        sending.result().cancel()
