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

from demine.classic.window import Window, screen_size
from demine.picture import kept
from demine.scene.messages import detect

if TYPE_CHECKING:
    from demine.scene.wishes import Wishes

_PICTURE: Final = "window.png"
_STATE: Final = "window.txt"


def recall(window: Window, wishes: Wishes) -> bool:
    """Show the kept picture if it is what is about to be shown; return whether it was."""
    try:
        picture = _fitting(kept.folder(), type(wishes)() == wishes)
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
    folder = kept.folder()
    with suppress(OSError, pygame.error):
        folder.mkdir(parents=True, exist_ok=True)
        pygame.image.save(picture, folder / _PICTURE)
        (folder / _STATE).write_text(_state(), encoding="utf-8")


def _fitting(folder: Path, plain: bool) -> pygame.Surface | None:
    """Return the kept picture if nothing changed since; raises `OSError` when there is none."""
    if kept.taken(folder / _STATE) != _state() or not plain:
        return None
    return pygame.image.load(folder / _PICTURE)


def _state() -> str:
    return kept.state(detect(), os.environ.get("DEMINE_LANG", ""), screen_size())
