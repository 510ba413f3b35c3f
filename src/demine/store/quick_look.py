"""A quick, read-only look at the player's database, before NumPy is loaded."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from demine.logic.errors import DemineError
from demine.store.database_paths import default_path

if TYPE_CHECKING:
    from pathlib import Path


class UnfinishedGame(NamedTuple):
    """An unfinished game: its rules as text, and why it is unranked (empty if it is ranked)."""

    rules: str
    unranked: str
    has_events: int
    """0 or 1."""


class QuickLook(NamedTuple):
    """The settings by name, and the unfinished games."""

    settings: dict[str, object]
    unfinished_games: list[UnfinishedGame]


def saved_language(path: Path | None = None) -> str:
    """Return the code of the language that the player has saved; empty if none can be read."""
    try:
        settings, _ = quick_look(path or default_path())
    except (OSError, ValueError, RecursionError, DemineError):
        return ""
    kept = settings.get("language")
    return kept if isinstance(kept, str) else ""


def quick_look(path: Path) -> QuickLook:
    """Read the settings and the unfinished games; both are empty if there is no database yet.

    Raises `OSError` or `ValueError` if it cannot be read.
    """
    if not path.exists():
        folder = next(each for each in path.absolute().parents if each.exists())
        if not (folder.is_dir() and os.access(folder, os.W_OK)):
            raise NotADirectoryError(folder)  # the player must first be told that nothing is saved
        return QuickLook({}, [])
    if not path.is_file():
        raise FileNotFoundError(path)  # opening a pipe would block
    return _query_database(path)


def _query_database(path: Path) -> QuickLook:
    import json
    import sqlite3

    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        if not path.with_name(f"{path.name}-wal").exists():
            # Even a reader would leave a log, and the picture saved for the next start would no
            # longer be valid.
            uri += "&immutable=1"
        with closing(sqlite3.connect(uri, uri=True, timeout=0)) as connection:
            settings = connection.execute("SELECT key, value FROM settings").fetchall()
            running = connection.execute(
                "SELECT rules, unranked, EXISTS (SELECT 1 FROM events WHERE events.num = games.num)"
                " FROM games WHERE status = 'running'"
            ).fetchall()
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    return QuickLook(
        {key: json.loads(value) for key, value in settings},
        [UnfinishedGame(*game) for game in running],
    )
