"""Copies the write-ahead log of SQLite into the database, beside the thread that writes.

By default a commit does that itself each time the log has grown by 4 MB, several times a second
while thousands play, and all who wait for that commit wait for the copy and two more syncs.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import closing
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_LOG: Final = logging.getLogger("demine.web")
_EVERY_S: Final = 1.0
_LONG_PAGES: Final = 8_000
"""From this length on, 32 MB, the log is begun anew."""
COMMIT_COPIES_PAGES: Final = 32_000
"""At this length, 128 MB, commits copy after all: whatever happens here, the disk does not fill."""
_BUSY_MS: Final = 50
"""How long commits may be kept waiting for a reader, so that the log can be begun anew."""


class LogCheckpoints:
    """A thread that copies what was committed, once a second, until it is closed.

    Nothing is safer for it: what is committed is on the disk, in the log. It keeps the log short.
    """

    def __init__(self, path: Path, every_s: float = _EVERY_S) -> None:
        self._path = path
        self._every_s = every_s
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="database log", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; the last connection that is closed copies the rest."""
        self._is_closed.set()
        self._thread.join()

    def _run(self) -> None:
        told = ""
        while not self._is_closed.wait(self._every_s):
            try:
                with closing(self._connect()) as connection:
                    copy_log(connection)
                    told = ""
                    while not self._is_closed.wait(self._every_s):
                        copy_log(connection)
            except sqlite3.Error as error:
                if str(error) != told:
                    told = str(error)
                    _LOG.warning("the log of the database cannot be copied: %s", error)

    def _connect(self) -> sqlite3.Connection:
        """Open the database, which is not made anew if it is gone."""
        address = f"{self._path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(address, _BUSY_MS / 1000, uri=True)
        connection.execute("PRAGMA synchronous = FULL")
        return connection


def copy_log(connection: sqlite3.Connection, long_pages: int = _LONG_PAGES) -> None:
    """Copy what the log holds; have the next commit begin it anew if it is long.

    Raises `sqlite3.Error`.
    """
    # Beside commits and readers. Without anything new it does not touch the disk.
    _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    if pages >= long_pages:
        # Commits wait meanwhile, though only for what came after the line above.
        connection.execute("PRAGMA wal_checkpoint(RESTART)")
