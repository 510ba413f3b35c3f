"""Takes part in a server of several processes, and hears who else does and what they tell."""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import psycopg

from demine.logic.errors import DemineError
from demine.web.cluster.members import LOOK_AGAIN, connect, join, leave, members_alive
from demine.web.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from psycopg import Connection
    from sqlalchemy import URL

    from demine.web.homes import Member

_LOG: Final = logging.getLogger("demine.web")
_LOOK_S: Final = 0.5
"""How often it is looked for members that died, of which nobody tells."""
_LEAVE_S: Final = 3.0
"""How long it may take to tell the others that this process leaves."""
_AGAIN_S: Final = 0.5
"""How long to wait before a lost connection is made again."""


class Membership:
    """The part that this process takes, in a thread with a connection of its own.

    `on_members` hears in the event loop of every change, one after the other: the number of this
    process, None while it has no connection, and all who take part. `on_news` hears what is told.
    """

    def __init__(
        self,
        url: URL,
        address: str,
        on_members: Callable[[int | None, Sequence[Member]], Coroutine[object, object, None]],
        on_news: Callable[[str], Coroutine[object, object, None]],
    ) -> None:
        self._url = url
        self._address = address
        self._on_members = on_members
        self._on_news = on_news
        self._loop = asyncio.get_running_loop()
        self._joined: asyncio.Future[None] = self._loop.create_future()
        self._is_leaving = threading.Event()
        self._has_left = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="cluster member", daemon=True)

    async def join(self) -> None:
        """Take part from now on; raises `DatabaseError`."""
        self._thread.start()
        try:
            await self._joined
        except psycopg.Error as error:
            reason = " ".join(str(error).split())
            raise DatabaseError("the database cannot be read: {reason}", reason=reason) from error

    async def leave(self) -> None:
        """Take part no more; who is connected here is looked for elsewhere from now on.

        A database that does not answer is not waited for: it notices later who has gone.
        """
        self._is_leaving.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEAVE_S):
                await self._has_left.wait()

    def _run(self) -> None:
        try:
            self._take_part_until_left()
        finally:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._has_left.set)

    def _take_part_until_left(self) -> None:
        while not self._is_leaving.is_set():
            try:
                with connect(self._url) as connection:
                    self._take_part(connection)
            except (psycopg.Error, DemineError) as error:
                if not self._joined.done():
                    self._loop.call_soon_threadsafe(self._fail, error)
                    return
                _LOG.warning("this process takes no part for a moment: %s", error)
                self._tell(None, ())
                self._is_leaving.wait(_AGAIN_S)

    def _take_part(self, connection: Connection) -> None:
        num = join(connection, self._address)
        known: tuple[Member, ...] = ()
        while not self._is_leaving.is_set():
            found = members_alive(connection)
            if num not in {each.num for each in found}:
                raise psycopg.OperationalError("this process is not among those that take part")
            if found != known:
                known = found
                self._tell(num, found)
                self._loop.call_soon_threadsafe(self._succeed)
            self._hear(connection)
        leave(connection, num)
        self._tell(None, [each for each in known if each.num != num])

    def _hear(self, connection: Connection) -> None:
        """Wait for what is told, until it is time to look again."""
        for told in connection.notifies(timeout=_LOOK_S, stop_after=1):
            if told.payload != LOOK_AGAIN:
                self._in_loop(self._on_news(told.payload))

    def _tell(self, num: int | None, members: Sequence[Member]) -> None:
        """Tell who takes part, and wait until that is taken in."""
        self._in_loop(self._on_members(num, members))

    def _in_loop(self, work: Coroutine[object, object, None]) -> None:
        """Do something in the event loop, and wait until it is done; a failure is logged."""
        try:
            asyncio.run_coroutine_threadsafe(work, self._loop).result()
        except Exception:  # noqa: BLE001 - the next change is taken in all the same
            _LOG.exception("this process does not keep in step with the others")

    def _succeed(self) -> None:
        if not self._joined.done():
            self._joined.set_result(None)

    def _fail(self, error: Exception) -> None:
        if not self._joined.done():
            self._joined.set_exception(error)
