"""The solver of a server: two processes, before each a queue in which nobody can crowd others out.

One process answers what is asked of the board of a game under way, the other what takes long.
Whoever asks has a budget of the solver's time, and the next question is always that of the client
who has most of it left. A question is dropped when whoever asked has gone: the task that waits for
the answer is cancelled.

What the server has to compute of each game that is over goes there too, at nobody's expense and
before all questions: in a thread of its own process the event loop would wait for it.
"""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np

from demine.logic.rules import Rules
from demine.play.load_kernels import BACKGROUND_KERNEL_SETS
from demine.solver.errors import NoGuessFreeBoard
from demine.solver.service.client import SolverClient
from demine.solver.service.server import SolverClientError
from demine.web.errors import Busy, TooMuchWork
from demine.web.game_figures import GameFigures, figures_in_thread

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
SHORT_JOURNAL: Final = 100_000
"""The figures of a game whose journal has more characters take long."""
PREPARE_SECONDS: Final = 3.0
"""How long after the first game the processes start: one that ends soon must not wait for it."""
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
        self._starting: asyncio.TimerHandle | None = None

    def prepare(self) -> None:
        """Have the processes started in a moment, as somebody plays; nothing the second time."""
        if self._starting is None:
            loop = asyncio.get_running_loop()
            self._starting = loop.call_later(PREPARE_SECONDS, self._start_processes)

    def _start_processes(self) -> None:
        self._short.begin_start()
        self._long.begin_start()

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

    async def find_figures(self, journal: str, arrived_ms: int | None) -> GameFigures:
        """Return what `game_figures` does; where no process runs, a thread of this one does it."""
        process = self._long if len(journal) > SHORT_JOURNAL else self._short
        question = _Question(None, "figures", (journal, arrived_ms), {})
        if process.is_ready:
            with suppress(TimeoutError, SolverClientError):
                return cast("GameFigures", await process.answer(question, MOST_SECONDS))
        return await figures_in_thread(journal, arrived_ms)

    @property
    def waiting(self) -> int:
        """How many questions wait for their turn."""
        return self._short.waiting + self._long.waiting

    async def close(self) -> None:
        """End the processes."""
        if self._starting is not None:
            self._starting.cancel()
        await asyncio.gather(self._short.close(), self._long.close())

    def _share_left(self, asker: Asker | None) -> float:
        """Return how much of its budget a client has left, 1 for all of it."""
        if asker is None:
            return math.inf
        limits = self._limits
        return min(
            limits.solver_of_players.share_left(asker.player),
            limits.solver_of_addresses.share_left(asker.address),
        )

    def _charge(self, asker: Asker | None, seconds: float) -> None:
        if asker is None:
            return
        self._limits.solver_of_players.charge(asker.player, seconds)
        self._limits.solver_of_addresses.charge(asker.address, seconds)


@dataclass(frozen=True, slots=True)
class _Question:
    """What a client asks."""

    asker: Asker | None
    """None for the server itself."""
    name: str
    args: tuple[object, ...]
    """The first one is a board or rules, if a client asks."""
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
        share_left: Callable[[Asker | None], float],
        charge: Callable[[Asker | None, float], None],
    ) -> None:
        self._share_left = share_left
        self._charge = charge
        self._client = SolverClient(BACKGROUND_KERNEL_SETS)
        self._ready: Future[object] | None = None
        self._is_taken = False
        self._waiting: list[tuple[Asker | None, asyncio.Future[None]]] = []

    @property
    def is_ready(self) -> bool:
        """Whether the process runs, so that nobody waits for its start."""
        return self._ready is not None and self._ready.done()

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
                self.begin_start()
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
    async def _turn(self, asker: Asker | None) -> AsyncIterator[None]:
        """Wait for one's turn, and have the next one come afterwards."""
        if self._is_taken:
            await self._wait(asker)
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, asker: Asker | None) -> None:
        if asker is not None and len(self._waiting) >= MOST_WAITING:
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
        await asyncio.shield(asyncio.wrap_future(self.begin_start()))

    def begin_start(self) -> Future[object]:
        """Have the process started, and one that works at a dropped question replaced."""
        if self._ready is None:
            # The event loop, which answers everybody, goes before one player's question.
            self._ready = self._client.ask("ready", is_background=True)
        return self._ready


def _cancel_result(sending: asyncio.Future[Future[object]]) -> None:
    if not sending.cancelled() and sending.exception() is None:
        sending.result().cancel()
