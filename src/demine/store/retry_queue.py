"""Games and settings that could not be saved yet: retried, or in the end written elsewhere."""

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

    from demine.store.running_game import LiveGame
    from demine.store.self_replacing_database import Database
    from demine.store.settings import Settings


class RetryQueue:
    """The games and settings of a store that are in memory only.

    `live` returns the store's live games, the oldest first.
    """

    def __init__(
        self, database: Database, settings: Settings, live: Callable[[], Sequence[LiveGame]]
    ) -> None:
        self._database = database
        self._settings = settings
        self._live = live
        self._given_up = False

    @property
    def reason_in_memory(self) -> StoreError | None:
        """Why the file cannot be opened, so that everything is in memory; None if it is open."""
        return self._database.reason_in_memory

    def __bool__(self) -> bool:
        """Whether something is not saved yet."""
        if self._settings.has_unsaved or self._database.reason_in_memory is not None:
            return True
        return bool([live for live in self._live() if live.is_unsaved])

    @property
    def has_unsaved_games(self) -> bool:
        """Whether games were played that would be lost if this program ended now."""
        if self._given_up or self._database.path is None:
            return False
        with self._database.lock:
            if any(live.is_unsaved and live.has_acts for live in self._live()):
                return True
            acts = self.reason_in_memory is not None and self._database.read(_has_game_with_acts)
            return acts and self.reason_in_memory is not None  # reading may have opened the file

    def retry(self) -> None:
        """Retry saving what is unsaved, the oldest game first.

        Raises the `StoreError` of the first that cannot be saved yet.
        """
        with self._database.lock:
            self._database.try_moving_to_file()
            troubles: list[StoreError] = []
            for live in [live for live in self._live() if live.is_unsaved]:
                try:
                    live.retry_saving()
                except StoreError as error:
                    troubles.append(error)
                    if error.template == BUSY:
                        break  # for the others too
            if troubles:
                raise troubles[0]
            self._settings.retry_saving()

    def export_unsaved(self) -> str:
        """Return the games and settings not saved yet, as an export (docs/store.md)."""
        from demine.store.json_lines import export
        from demine.store.self_replacing_database import Database

        stream = StringIO()
        with self._database.lock:
            if self.reason_in_memory is not None:
                # If that history is damaged, at least this program's own games can be exported.
                with suppress(StoreError):
                    export(self._database, stream)
                    return stream.getvalue()
                stream = StringIO()
            spare = Database(None, lambda *_: None)
            try:
                for live in self._live():
                    if (live.is_unsaved or self.reason_in_memory is not None) and live.has_acts:
                        spare.write(live.write_copy)
                spare.write(self._settings.write_unsaved)
                export(spare, stream)
            finally:
                spare.close()
        return stream.getvalue()

    def write_spill_file(self) -> Path:
        """Write what is unsaved where the next start finds it; return the file.

        Raises `StoreError` if no folder can be written to.
        """
        from demine.store.spill_file import write_spill_file

        path = self._database.home
        assert path is not None  # noqa: S101 (a store in memory has no unsaved games)
        with self._database.lock:
            file = write_spill_file(path, self.export_unsaved(), self._database.owner)
            self._given_up = True
            return file

    def save_to(self, file: str | PathLike[str]) -> None:
        """Export what is unsaved to a file of the player's choice; raises `OSError`."""
        from demine.scene.atomic_file import atomic_file
        from demine.store.database_paths import PRIVATE_FILE_MODE

        with self._database.lock:
            content = self.export_unsaved().encode()
            with atomic_file(Path(file), PRIVATE_FILE_MODE) as stream:
                stream.write(content)
            self._given_up = True

    def discard(self) -> None:
        """Give up what is unsaved, as the player decided."""
        self._given_up = True


def _has_game_with_acts(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM games WHERE acts > 0 LIMIT 1").fetchone() is not None
