"""What the window shows at a start while the rest is still being loaded.

What a window shows when it opens is known when it is closed: the unfinished game as it was left.
Its picture is kept beside what it depends on, and shown once: when the records, the language, the
screen or the program are others than they were, when something was asked for on the command line,
or when the last window was killed, there is none.

A board that nobody has touched follows from its rules and settings, and is painted without more.
Whatever the hand does meanwhile is heard later.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import pygame

from demine.classic.window import screen_size
from demine.picture import last_frame
from demine.scene.translation import detect

if TYPE_CHECKING:
    from demine.classic.window import Window
    from demine.scene.preferences import Wishes

_PICTURE: Final = "window.png"
_STATE: Final = "window.txt"


def recall(window: Window, wishes: Wishes) -> bool:
    """Open the window with what it is about to show, if that is known; return whether it is."""
    return _show_kept(window, wishes) or _show_drawn(window, wishes)


def _show_kept(window: Window, wishes: Wishes) -> bool:
    folder = last_frame.folder()
    try:
        state = last_frame.taken(folder / _STATE)
        if type(wishes)() != wishes or state != _state():
            return False
        picture = pygame.image.load(folder / _PICTURE)
    except (OSError, ValueError, pygame.error):
        return False  # none was kept, or somebody else wrote there
    window.show(picture.get_size())
    window.surface.blit(picture, (0, 0))
    window.present(None)
    return True


def _show_drawn(window: Window, wishes: Wishes) -> bool:
    from demine.store.quick_look import untouched

    found = None if wishes.fullscreen else untouched(wishes)
    if found is None:
        return False
    from demine.classic import first

    first.show(window, found, wishes)
    return True


def keep(picture: pygame.Surface) -> None:
    """Keep the picture that the next start will begin with."""
    folder = last_frame.folder()
    with suppress(OSError, pygame.error):
        folder.mkdir(parents=True, exist_ok=True)
        pygame.image.save(picture, folder / _PICTURE)
        (folder / _STATE).write_text(_state(), encoding="utf-8")


def _state() -> str:
    return last_frame.state(detect(), os.environ.get("DEMINE_LANG", ""), screen_size())
