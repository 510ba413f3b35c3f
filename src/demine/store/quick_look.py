"""A quick, read-only look at the player's database, before NumPy is loaded."""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

from demine.logic.errors import DemineError
from demine.store.database_paths import default_path

if TYPE_CHECKING:
    from pathlib import Path


def saved_language(path: Path | None = None) -> str:
    """Return the language that the player has chosen for good; empty where none can be read."""
    try:
        settings, _ = read_settings_and_games(path or default_path())
    except (OSError, ValueError, RecursionError, DemineError):
        return ""
    kept = settings.get("language")
    return kept if isinstance(kept, str) else ""


def read_settings_and_games(path: Path) -> tuple[dict[str, object], list[tuple[str, str, int]]]:
    """Return the settings by name, and the unfinished games.

    A game is its rules as text, why it is unranked ("" if it is not), and 1 if it has events, else
    0. Both are empty where there is no database yet. Raises `OSError` or `ValueError` for one that
    cannot be read.
    """
    if not path.exists():
        folder = next(each for each in path.absolute().parents if each.exists())
        if not (folder.is_dir() and os.access(folder, os.W_OK)):
            raise NotADirectoryError(folder)  # nothing can be kept there, which is to be told first
        return {}, []
    if not path.is_file():
        raise FileNotFoundError(path)  # opening a pipe waits for ever
    return _query_settings_and_games(path)


def _query_settings_and_games(path: Path) -> tuple[dict[str, object], list[tuple[str, str, int]]]:
    import json
    import sqlite3

    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        if not path.with_name(f"{path.name}-wal").exists():
            # Even a reader would leave a log there, and what a window kept for its next start
            # would no longer hold.
            uri += "&immutable=1"
        with closing(sqlite3.connect(uri, uri=True, timeout=0)) as connection:
            settings = connection.execute("SELECT key, value FROM settings").fetchall()
            running = connection.execute(
                "SELECT rules, unranked, EXISTS (SELECT 1 FROM events WHERE events.num = games.num)"
                " FROM games WHERE status = 'running'"
            ).fetchall()
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    return {key: json.loads(value) for key, value in settings}, running
