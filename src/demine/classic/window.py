"""The window: opened quickly, never invisible, asleep until something happens."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pygame

from demine.logic.errors import DemineError

if TYPE_CHECKING:
    from collections.abc import Sequence

_INVISIBLE: Final = ("offscreen", "dummy", "evdev")
"""SDL's drivers that draw where nobody looks; it picks one silently when there is no display."""


class DisplayError(DemineError):
    """No window can be shown here."""


class Window:
    """One resizable window; open it with `Window.open`."""

    def __init__(self, surface: pygame.Surface, sources: list[int]) -> None:
        self._sources = sources
        self._windowed: tuple[int, int] | None = None
        self.surface = surface
        """What to draw on; a resized window brings another one."""

    @classmethod
    def open(cls, title: str, icon: pygame.Surface | None = None) -> Window:
        """Make ready to show a window; nothing is on the screen before `show`.

        Raises `DisplayError` when there is no display that a person could see.
        """
        before = _sockets()
        try:
            pygame.display.init()
        except pygame.error as error:
            raise _no_display(str(error)) from None
        driver = pygame.display.get_driver()
        if driver in _INVISIBLE and os.environ.get("SDL_VIDEODRIVER") != driver:
            pygame.display.quit()
            raise _no_display(f"SDL would draw to {driver!r}, where nobody looks")
        pygame.font.init()
        pygame.display.set_caption(title)
        if icon is not None:
            pygame.display.set_icon(icon)
        return cls(pygame.Surface((1, 1)), sorted(_sockets() - before))

    def show(self, size: tuple[int, int]) -> None:
        """Put the window on the screen, or give the one there another size in pixels."""
        self.surface = pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.key.set_repeat(250, 40)
        _keep_on_screen(size)

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the size before."""
        if self._windowed is None:
            self._windowed = self.surface.get_size()
            self.surface = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        else:
            size, self._windowed = self._windowed, None
            self.show(size)

    @property
    def fullscreen(self) -> bool:
        """Whether the window fills the screen."""
        return self._windowed is not None

    def refresh_surface(self) -> None:
        """Take the surface of a window that has just changed its size."""
        self.surface = pygame.display.get_surface() or self.surface

    def present(self, rects: Sequence[pygame.Rect] | None) -> None:
        """Bring changed rectangles to the screen, or everything when None."""
        if rects is None:
            pygame.display.flip()
        elif rects:
            pygame.display.update(list(rects))

    def events(self, timeout: float) -> Iterator[pygame.event.Event]:
        """Yield what happened, waiting up to `timeout` seconds for the first event."""
        found = pygame.event.get()
        if not found and timeout > 0:
            found = self._wait(timeout)
        yield from found

    def _wait(self, timeout: float) -> list[pygame.event.Event]:
        # SDL waits by looking a thousand times a second, which keeps a laptop warm. Where its
        # connection to the display is known, sleep on that until the display has something to say.
        if self._sources:
            select.select(self._sources, [], [], timeout)
            return pygame.event.get()
        event = pygame.event.wait(int(timeout * 1000))
        return [] if event.type == pygame.NOEVENT else [event, *pygame.event.get()]

    def close(self) -> None:
        """Take the window from the screen."""
        pygame.display.quit()


def screen_size() -> tuple[int, int]:
    """Return the size in pixels of the screen the window will open on."""
    sizes = pygame.display.get_desktop_sizes()
    return sizes[0] if sizes else (1024, 768)


def _keep_on_screen(size: tuple[int, int]) -> None:
    """Move a window that grew beyond the screen's edge back inside."""
    try:
        position = pygame.display.get_window_position()
        inside = tuple(
            max(0, min(start, room - length))
            for start, room, length in zip(position, screen_size(), size, strict=True)
        )
        if inside != position:
            pygame.display.set_window_position((inside[0], inside[1]))
    except pygame.error:
        return  # some desktops (Wayland) place windows themselves, and well


def _sockets() -> set[int]:
    """Return this process's open sockets where the system lists them (Linux), else none."""
    if not sys.platform.startswith("linux"):
        return set()
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            if stat.S_ISSOCK(entry.stat().st_mode):
                found.add(int(entry.name))
        except OSError:
            continue  # closed since it was listed, the listing's own descriptor for one
    return found


def _no_display(reason: str) -> DisplayError:
    return DisplayError("no window can be shown here ({reason})", reason=reason)
