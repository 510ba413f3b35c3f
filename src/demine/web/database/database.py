"""The server's database: one thread that writes it, and some that read."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from demine.web.database.group_commit import GroupCommit
from demine.web.database.place import DatabasePlace, OpenEngines, PostgresPlace
from demine.web.database.postgres import open_postgres, open_postgres_beside_server
from demine.web.database.sqlite_file import open_file, open_file_beside_server
from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.engine import Connection, Engine

    from demine.web.database.group_commit import Commits

T = TypeVar("T")
_READERS: Final = 4


class Database:
    """The open database; made by `Database.open` within an event loop."""

    def __init__(self, engines: OpenEngines) -> None:
        self._engines = engines
        self._threads = ThreadPoolExecutor(_READERS, thread_name_prefix="database reader")
        self._group_commit = GroupCommit(engines.writer)

    @classmethod
    async def open(cls, place: DatabasePlace, *, is_shared: bool = False) -> Database:
        """Open the database at a place, or make it; one of an older demine is brought up to date.

        One of PostgreSQL `is_shared` with other processes that say so too. Raises `DatabaseError`
        with the reason, such as another server that has it open, and leaves alone what it cannot
        use.
        """
        if isinstance(place, Path):
            return cls(await asyncio.to_thread(open_file, place))
        return cls(await asyncio.to_thread(open_postgres, place, is_shared=is_shared))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a thread of its own and return its result; it must change nothing."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction; return its result once it is on the disk.

        `GroupCommit.write` says what `work` must heed, and what is raised.
        """
        return await self._group_commit.write(work)

    @property
    def waiting(self) -> int:
        """How many changes wait to be written."""
        return self._group_commit.waiting

    @property
    def commits(self) -> Commits:
        """What was written so far."""
        return self._group_commit.commits

    async def close(self) -> None:
        """Write what waits, and close the database."""
        await self._group_commit.close()
        self._threads.shutdown()
        if self._engines.log_checkpoints is not None:
            await asyncio.to_thread(self._engines.log_checkpoints.close)
        self._engines.readers.dispose()
        self._engines.writer.dispose()
        self._engines.lock.release()

    def _read(self, work: Callable[[Connection], T]) -> T:
        try:
            with self._engines.readers.connect() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error)
            raise DatabaseError("the database cannot be read: {reason}", reason=reason) from error


def prepare_shared(place: PostgresPlace) -> None:
    """Make the tables of a database that several processes will open, or bring it up to date.

    Raises `DatabaseError`.
    """
    engines = open_postgres(place, is_shared=True)
    engines.readers.dispose()
    engines.writer.dispose()


def open_beside_server(place: DatabasePlace) -> tuple[Engine, Engine]:
    """Return an engine that reads a database on which a server may run, and one that writes.

    Raises `DatabaseError` if there is none, or it is not of this version: the server, which is
    alone with it then, has to bring it up to date.
    """
    if isinstance(place, Path):
        return open_file_beside_server(place)
    return open_postgres_beside_server(place)
