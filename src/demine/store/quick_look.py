"""A look at the player's records that takes no time and changes nothing, for the first picture."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from demine.logic.errors import DemineError
from demine.store.paths import default_path

if TYPE_CHECKING:
    from pathlib import Path

    from demine.logic.rules import Rules
    from demine.scene.preferences import Wishes


class Untouched(NamedTuple):
    """A board that nobody has touched: what is about to be played, and the settings it is under."""

    rules: Rules
    settings: Mapping[str, object]


def untouched(wishes: Wishes, path: Path | None = None) -> Untouched | None:
    """Return what a session would begin with these wishes, if that is a plain, untouched board.

    None for an unfinished game that goes on, a shared board, and wherever a closer look is needed.
    """
    # Imported here: commands look for the language only.
    from demine.logic.rules import Rules
    from demine.scene.preferences import Preferences

    if wishes.share_code is not None or wishes.daily is not None:
        return None
    try:
        settings, waiting = _look(path or default_path())
        settings.update(wishes.lasting)
        rules = Rules.parse(Preferences.read(settings).rules)
    except (OSError, ValueError, RecursionError, DemineError):
        return None
    resumed = waiting if wishes.resumes else []
    if rules.guess_free or any(row != (str(rules), "", 0) for row in resumed):
        return None
    return Untouched(rules, settings)


def kept_language(path: Path | None = None) -> str:
    """Return the language that the player has chosen for good; empty where none can be read."""
    try:
        settings, _ = _look(path or default_path())
    except (OSError, ValueError, RecursionError, DemineError):
        return ""
    kept = settings.get("language")
    return kept if isinstance(kept, str) else ""


def _look(path: Path) -> tuple[dict[str, object], list[tuple[str, str, int]]]:
    """Return the settings, and of each unfinished game the rules, what it lacks, and if it began.

    Both are empty where there are no records yet. Raises `OSError` or `ValueError` for records that
    cannot be read.
    """
    if not path.exists():
        folder = next(each for each in path.absolute().parents if each.exists())
        if not (folder.is_dir() and os.access(folder, os.W_OK)):
            raise NotADirectoryError(folder)  # nothing can be kept there, which is to be told first
        return {}, []
    if not path.is_file():
        raise FileNotFoundError(path)  # opening a pipe waits for ever
    return _read(path)


def _read(path: Path) -> tuple[dict[str, object], list[tuple[str, str, int]]]:
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
            waiting = connection.execute(
                "SELECT rules, unranked, EXISTS (SELECT 1 FROM events WHERE events.num = games.num)"
                " FROM games WHERE status = 'running'"
            ).fetchall()
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    return {key: json.loads(value) for key, value in settings}, waiting
