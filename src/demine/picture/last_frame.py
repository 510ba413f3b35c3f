"""Where a window's last picture is kept, and whether it would still be true.

What a window shows when it opens is known when it is closed: the unfinished game as it was left. A
scene keeps that picture and begins with it while the rest is being loaded. It holds for the records
it was taken with; the scene adds what else it depends on, its screen and its language.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from demine import __version__

_RECORDS: Final = ("demine.db", "demine.db-wal")


def folder() -> Path:
    """Return the folder for what may be thrown away at any time."""
    chosen = _chosen_folder()
    if chosen is not None:
        return chosen / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("demine", appauthor=False)


def state(*parts: object) -> str:
    """Return as text what a picture depends on: the program, the records, and these parts."""
    found: list[object] = [__version__, *parts]
    for name in _RECORDS:
        with suppress(OSError):
            file = (_data_folder() / name).stat()
            found.append((name, file.st_size, file.st_mtime_ns))
    return "\n".join(map(str, found))


def taken(path: Path) -> str:
    """Return the state a picture was kept with, once: a killed window leaves none of an older time.

    Raises `OSError` or `ValueError` when there is none.
    """
    text = path.read_text(encoding="utf-8")
    path.unlink()
    return text


def _data_folder() -> Path:
    # The store knows this too, and importing it takes longer than everything else here.
    chosen = _chosen_folder()
    if chosen is not None:
        return chosen
    from platformdirs import user_data_path

    return user_data_path("demine", appauthor=False)


def _chosen_folder() -> Path | None:
    """Return the folder that the player chose; a home of nobody is told of where games are kept."""
    chosen = os.environ.get("DEMINE_DATA_DIR")
    with suppress(RuntimeError):
        return Path(chosen).expanduser() if chosen else None
    return None
