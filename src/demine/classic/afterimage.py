"""The window's last picture, shown at the next start while the rest is still being loaded.

What a window shows when it opens is known when it is closed: the unfinished game as it was left.
The picture is kept beside what it depends on, and shown once: when the records, the language, the
screen or the program are others than they were, when something was asked for on the command line,
or when the last window was killed, there is none. Whatever the hand does meanwhile is heard later.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pygame

from demine import __version__
from demine.classic.window import Window, screen_size
from demine.scene.messages import detect

if TYPE_CHECKING:
    from demine.scene.wishes import Wishes

_PICTURE: Final = "window.png"
_STATE: Final = "window.txt"
_RECORDS: Final = ("demine.db", "demine.db-wal")


def recall(window: Window, wishes: Wishes) -> bool:
    """Show the kept picture if it is what is about to be shown; return whether it was."""
    try:
        picture = _fitting(_folder(), type(wishes)() == wishes)
    except (OSError, ValueError, pygame.error):
        return False  # none was kept, or somebody else wrote there
    if picture is None:
        return False
    window.show(picture.get_size())
    window.surface.blit(picture, (0, 0))
    window.present(None)
    return True


def keep(picture: pygame.Surface) -> None:
    """Keep the picture that the next start will begin with."""
    folder = _folder()
    with suppress(OSError, pygame.error):
        folder.mkdir(parents=True, exist_ok=True)
        pygame.image.save(picture, folder / _PICTURE)
        (folder / _STATE).write_text(_state(), encoding="utf-8")


def _fitting(folder: Path, plain: bool) -> pygame.Surface | None:
    """Return the kept picture if nothing changed since; raises `OSError` when there is none."""
    state = (folder / _STATE).read_text(encoding="utf-8")
    (folder / _STATE).unlink()  # a window that is killed leaves no picture of an older moment
    if not plain or state != _state():
        return None
    return pygame.image.load(folder / _PICTURE)


def _state() -> str:
    """Return everything that decides what the next window shows, as text."""
    parts: list[object] = [__version__, detect(), os.environ.get("DEMINE_LANG", ""), screen_size()]
    for name in _RECORDS:
        with suppress(OSError):
            found = (_data_folder() / name).stat()
            parts.append((name, found.st_size, found.st_mtime_ns))
    return "\n".join(map(str, parts))


def _folder() -> Path:
    chosen = os.environ.get("DEMINE_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser() / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("demine", appauthor=False)


def _data_folder() -> Path:
    # The store knows this too, and importing it takes longer than everything else here.
    chosen = os.environ.get("DEMINE_DATA_DIR")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("demine", appauthor=False)
