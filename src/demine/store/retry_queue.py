"""What a program could not keep yet: tried again, and in the end put elsewhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from demine.store.errors import BUSY, StoreError

if TYPE_CHECKING:
    from os import PathLike

    from demine.store.database import Database
    from demine.store.running_game import LiveGame
    from demine.store.settings import Settings


class Waiting:
    """The games and settings of a store that lie in memory only; its `Store.waiting`.

    `live` gives the games that the store knows.
    """

    def __init__(
        self, database: Database, settings: Settings, live: Callable[[], Sequence[LiveGame]]
    ) -> None:
        self._database = database
        self._settings = settings
        self._live = live
        self._given_up = False

    @property
    def reason(self) -> StoreError | None:
        """Why the file could not be opened so far: everything is in memory. None where it was."""
        return self._database.waiting

    def __bool__(self) -> bool:
        """Whether something was not kept yet."""
        if self._settings.waits or self._database.waiting is not None:
            return True
        return bool([live for live in self._live() if live.waits])

    @property
    def at_stake(self) -> bool:
        """Whether games were played that would be lost if this program ended now."""
        if self._given_up or self._database.path is None:
            return False
        with self._database.lock:
            if any(live.waits and live.played for live in self._live()):
                return True
            acts = self.reason is not None and self._database.read(_has_acts)
            return acts and self.reason is not None  # looking may have healed it

    def settle(self) -> None:
        """Try again to keep what could not be kept when it happened, the oldest game first.

        Raises the `StoreError` of the first that cannot be kept yet.
        """
        with self._database.lock:
            self._database.heal()
            troubles: list[StoreError] = []
            for live in [live for live in self._live() if live.waits]:
                try:
                    live.settle()
                except StoreError as error:
                    troubles.append(error)
                    if error.template == BUSY:
                        break  # for the others too
            if troubles:
                raise troubles[0]
            self._settings.settle()

    def text(self) -> str:
        """Return what was not kept yet, as an export (docs/store.md)."""
        from demine.store.database import Database
        from demine.store.json_lines import export

        stream = StringIO()
        with self._database.lock:
            if self.reason is not None:
                # Of a damaged history what this program played is left.
                with suppress(StoreError):
                    export(self._database, stream)
                    return stream.getvalue()
                stream = StringIO()
            spare = Database(None, lambda *_: None)
            try:
                for live in self._live():
                    if (live.waits or self.reason is not None) and live.played:
                        spare.write(live.copy)
                spare.write(self._settings.copy)
                export(spare, stream)
            finally:
                spare.close()
        return stream.getvalue()

    def spill(self) -> Path:
        """Put it where the next start finds it; return where.

        Raises `StoreError` when no place takes it.
        """
        from demine.store.spill_file import spill

        path = self._database.home
        assert path is not None  # noqa: S101 (a store in memory has nothing at stake)
        with self._database.lock:
            file = spill(path, self.text(), self._database.owner)
            self._given_up = True
            return file

    def save(self, file: str | PathLike[str]) -> None:
        """Write it into a file of the player's choice; raises `OSError`."""
        from demine.store.spill_file import write_whole

        with self._database.lock:
            write_whole(Path(file), self.text())
            self._given_up = True

    def give_up(self) -> None:
        """Let it be lost: the player wants it so."""
        self._given_up = True


def _has_acts(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM games WHERE acts > 0 LIMIT 1").fetchone() is not None
