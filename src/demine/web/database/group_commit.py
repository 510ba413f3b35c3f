"""One thread that writes, and commits what waits together: a commit costs a wait for the disk."""

from __future__ import annotations

import asyncio
import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.engine import Connection, Engine

T = TypeVar("T")
_MOST: Final = 256
"""How many changes one commit holds at most."""


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
    """Writes what tasks of one event loop ask for, in the order in which they ask."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="database writer", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction; return its result once that is on the disk.

        It may be done twice: what is committed together is tried alone if something in it fails.
        So it must change nothing but the database. Raises what `work` raises, and `DatabaseError`
        if the database cannot be written.
        """
        if self._closed:
            raise DatabaseError("the server is shutting down")
        job = _Job(work, self._loop.create_future())
        self._jobs.put(job)
        done: T = await job.future
        return done

    async def close(self) -> None:
        """Write what waits, and end the thread."""
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        with self._engine.connect() as connection:
            while jobs := self._next_jobs():
                self._commit(connection, jobs)
                self._loop.call_soon_threadsafe(_settle, jobs)

    def _next_jobs(self) -> list[_Job[Any]]:
        """Wait for a change; return all that wait, none at the end."""
        job = self._jobs.get()
        jobs: list[_Job[Any]] = []
        while job is not None:
            jobs.append(job)
            if len(jobs) == _MOST:
                break
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
        else:
            self._jobs.put(None)  # the end comes after these
        return jobs

    def _commit(self, connection: Connection, jobs: Sequence[_Job[Any]]) -> None:
        try:
            with connection.begin():
                for job in jobs:
                    job.outcome = job.work(connection)
        except Exception as error:  # noqa: BLE001 - whoever asked gets it
            if len(jobs) == 1:
                jobs[0].outcome = _as_database_error(error)
                return
            for job in jobs:
                self._commit(connection, [job])


def _as_database_error(error: Exception) -> Exception:
    if not isinstance(error, SQLAlchemyError):
        return error
    reason = getattr(error, "orig", None) or error
    known = DatabaseError("the database cannot be written: {reason}", reason=str(reason))
    known.__cause__ = error
    return known


def _settle(jobs: Sequence[_Job[Any]]) -> None:
    for job in jobs:
        job.settle()
