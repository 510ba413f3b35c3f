"""One thread that writes, and commits what waits together: a commit costs a wait for the disk."""

from __future__ import annotations

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import groupby
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

from sqlalchemy.exc import SQLAlchemyError

from demine.web.database.dialects import wait_for_turn
from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from sqlalchemy.engine import Connection, Engine

T = TypeVar("T")
_MOST: Final = 256
"""How many changes one commit holds at most."""
_MANY: Final = 32
"""From so many changes on a commit waits for no more."""
_GATHER_S: Final = 0.004
"""How long changes are gathered for one commit if they come faster than they are committed."""


@dataclass(slots=True)
class Commits:
    """What was committed since the start; the writing thread alone changes it."""

    count: int = 0
    changes: int = 0
    seconds: float = 0.0


class MergedWork(ABC):
    """A change that takes less time when it is made together with others of its kind."""

    @abstractmethod
    def __call__(self, connection: Connection) -> None:
        """Make this change alone."""

    @classmethod
    @abstractmethod
    def do_all(cls, connection: Connection, works: Sequence[Self]) -> None:
        """Make several changes, which come from the same transaction, in their order."""


class _Job(Generic[T]):
    """A change that waits to be written, and the future of what it returns."""

    __slots__ = ("future", "outcome", "work")

    def __init__(self, work: Callable[[Connection], T], future: asyncio.Future[T]) -> None:
        self.work = work
        self.future = future
        self.outcome: T | BaseException | None = None

    def settle(self) -> None:
        """Give the outcome to whoever waits; in the thread of the event loop."""
        if self.future.done():  # whoever waited has gone
            return
        if isinstance(self.outcome, BaseException):
            self.future.set_exception(self.outcome)
        else:
            self.future.set_result(self.outcome)  # type: ignore[arg-type]  # the work's own


class GroupCommit:
    """Writes what tasks of one event loop ask for, in the order in which they ask.

    What is asked for while the thread is busy waits, and is handed over together. A change that
    comes alone does not wait for others; if they come faster, they are gathered for a moment.
    """

    def __init__(self, engine: Engine) -> None:
        self.commits = Commits()
        self._engine = engine
        self._waiting: list[_Job[Any]] = []
        self._groups: SimpleQueue[list[_Job[Any]] | None] = SimpleQueue()
        self._is_busy = False
        """Whether a group is on its way, or is about to be."""
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="database writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many changes wait until the thread takes them."""
        return len(self._waiting)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction; return its result once that is on the disk.

        It may be done twice: what is committed together is tried alone if something in it fails.
        So it must change nothing but the database. Raises what `work` raises, and `DatabaseError`
        if the database cannot be written.
        """
        if self._closed:
            raise DatabaseError("the server is shutting down")
        job = _Job(work, self._loop.create_future())
        self._waiting.append(job)
        if not self._is_busy:
            self._is_busy = True
            # Whatever else this turn of the loop asks for comes along.
            self._loop.call_soon(self._hand_over)
        done: T = await job.future
        return done

    async def close(self) -> None:
        """Write what waits, and end the thread."""
        self._closed = True
        while self._waiting:
            self._hand_over()
        self._groups.put(None)
        await asyncio.to_thread(self._thread.join)

    def _hand_over(self) -> None:
        group, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
        self._groups.put(group)

    def _settle(self, group: Sequence[_Job[Any]]) -> None:
        if len(self._waiting) >= _MANY:
            # At once: a timer would ring only when all who wait for this group have gone on, and
            # the thread would rest meanwhile.
            self._hand_over()
        elif self._waiting:
            self._loop.call_later(_GATHER_S, self._hand_over)
        else:
            self._is_busy = False
        for job in group:
            job.settle()

    def _run(self) -> None:
        with self._engine.connect() as connection:
            while (group := self._groups.get()) is not None:
                self._commit(connection, group)
                self._loop.call_soon_threadsafe(self._settle, group)

    def _commit(self, connection: Connection, jobs: Sequence[_Job[Any]]) -> None:
        error = self._try(connection, jobs)
        if error is not None and connection.invalidated:
            # The database has ended the connection, as when it is started again: a new one is made.
            error = self._try(connection, jobs)
        if error is None:
            return
        if len(jobs) == 1:
            jobs[0].outcome = _as_database_error(error)
            return
        for job in jobs:
            self._commit(connection, [job])

    def _try(self, connection: Connection, jobs: Sequence[_Job[Any]]) -> Exception | None:
        """Do what is asked for in a transaction; return what it fails with."""
        start = time.perf_counter()
        try:
            with connection.begin():
                _do(connection, jobs)
        except Exception as error:  # noqa: BLE001 - whoever asked gets it
            return error
        self.commits.count += 1
        self.commits.changes += len(jobs)
        self.commits.seconds += time.perf_counter() - start
        return None


def _do(connection: Connection, jobs: Sequence[_Job[Any]]) -> None:
    # Merged changes are about games that live in this process; the others may look at anything.
    if not all(isinstance(each.work, MergedWork) for each in jobs):
        wait_for_turn(connection)
    for kind, alike in groupby(jobs, lambda job: type(job.work)):
        if issubclass(kind, MergedWork):
            kind.do_all(connection, cast("list[MergedWork]", [job.work for job in alike]))
        else:
            for job in alike:
                job.outcome = job.work(connection)


def _as_database_error(error: Exception) -> Exception:
    if not isinstance(error, SQLAlchemyError):
        return error
    reason = getattr(error, "orig", None) or error
    known = DatabaseError("the database cannot be written: {reason}", reason=str(reason))
    known.__cause__ = error
    return known
