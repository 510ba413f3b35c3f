"""The window: opened quickly, never invisible, asleep until something happens."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pygame

from demine.classic.signals import Signals
from demine.logic.errors import DemineError
from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

_INVISIBLE: Final = ("offscreen", "dummy", "evdev")
"""SDL's drivers that draw where nobody looks; it picks one silently when there is no display."""
_GLANCE_MS: Final = 200
"""How long SDL may wait before a signal gets a chance, where only SDL can wait."""

NO_DISPLAY = mark("neither DISPLAY nor WAYLAND_DISPLAY is set")
NO_SUCH_DISPLAY = mark("the display {name!r} does not answer")
NOBODY_LOOKS = mark("SDL would draw to {driver!r}, where nobody looks")
SDL_SAYS = mark("SDL says: {text}")


class DisplayError(DemineError):
    """No window can be shown here."""


class _Reason(DemineError):
    """Why not, as a part of a sentence."""


class Window:
    """One resizable window; open it with `Window.open`."""

    def __init__(self, surface: pygame.Surface, sources: list[int]) -> None:
        self._sources = sources
        self._windowed: tuple[tuple[int, int], tuple[int, int] | None] | None = None
        self._signals: Signals | None = None
        self.maximised = False
        """Whether the desktop stretched the window over its screen."""
        self.surface = surface
        """What to draw on; a resized window brings another one."""

    @classmethod
    def open(cls, title: str) -> Window:
        """Make ready to show a window; nothing is on the screen before `show`.

        Raises `DisplayError` when there is no display that a person could see.
        """
        before = _sockets()
        _choose_driver()
        try:
            pygame.display.init()
        except pygame.error as error:
            raise _no_display(str(error)) from None
        driver = pygame.display.get_driver()
        if driver in _INVISIBLE and os.environ.get("SDL_VIDEODRIVER") != driver:
            pygame.display.quit()
            raise _refusal(_Reason(NOBODY_LOOKS, driver=driver))
        pygame.font.init()
        pygame.display.set_caption(title)
        return cls(pygame.Surface((1, 1)), sorted(_sockets() - before))

    def attend(self, signals: Signals) -> None:
        """Wake up for signals as well."""
        self._signals = signals
        if self._sources and signals.source is not None:
            self._sources = [*self._sources, signals.source]

    def stir(self) -> None:
        """Wake up, asked by another thread: somebody has news."""
        if self._signals is not None and self._signals.source in self._sources:
            self._signals.stir()
            return
        with suppress(pygame.error):  # closed meanwhile
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))

    def dress(self, icon: pygame.Surface) -> None:
        """Give the window its icon; one that is on the screen already may get it later."""
        pygame.display.set_icon(icon)

    def show(self, size: tuple[int, int]) -> None:
        """Put the window on the screen, or give the one there another size in pixels."""
        shown = pygame.display.get_surface()
        if shown is not None and shown is self.surface and shown.get_size() == size and self.free:
            return  # to ask for what is there would blacken it until the next frame
        self._set_mode(size, pygame.RESIZABLE)
        pygame.key.set_repeat(250, 40)
        # Keys are commands here: an input method would keep them for Chinese words.
        pygame.key.stop_text_input()
        _move_to(_inside_screen(size))

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the window before."""
        if self._windowed is None:
            self._windowed = self.surface.get_size(), _position()
            # Where no window manager does, nobody moves the window to the corner.
            if len(pygame.display.get_desktop_sizes()) == 1:
                _move_to((0, 0))
            self._set_mode((0, 0), pygame.FULLSCREEN)
            return
        (size, position), self._windowed = self._windowed, None
        self.show(size)
        if self.surface.get_size() != size:  # nor gives it its size back at once
            self.show(size)
        _move_to(position)

    def _set_mode(self, size: tuple[int, int], flags: int) -> None:
        with warnings.catch_warnings():
            # A desktop that tiles its windows chooses their size, and pygame warns of it.
            warnings.simplefilter("ignore", RuntimeWarning)
            self.surface = pygame.display.set_mode(size, flags)

    @property
    def free(self) -> bool:
        """Whether the window may choose its own size."""
        return self._windowed is None and not self.maximised

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
            return self._sleep(timeout)
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            event = pygame.event.wait(min(_GLANCE_MS, int(left * 1000) + 1))
            if event.type != pygame.NOEVENT:
                return [event, *pygame.event.get()]
        return []

    def _sleep(self, timeout: float) -> list[pygame.event.Event]:
        woken, _, _ = select.select(self._sources, [], [], timeout)
        if self._signals is not None:
            self._signals.drain()
        found = pygame.event.get()
        if woken and not found and not self._called(woken):
            # A service that hung up would wake us for ever; it may, a hundred times a second.
            time.sleep(0.01)
            found = pygame.event.get()
        return found

    def _called(self, woken: Sequence[int]) -> bool:
        """Whether it was a signal or a thread that woke the window."""
        return self._signals is not None and self._signals.source in woken

    def close(self) -> None:
        """Take the window from the screen."""
        pygame.display.quit()


def screen_size() -> tuple[int, int]:
    """Return the size in pixels of the screen the window will open on."""
    sizes = pygame.display.get_desktop_sizes()
    return sizes[0] if sizes else (1024, 768)


def _position() -> tuple[int, int] | None:
    """Return where the window is; None where it does not know (Wayland)."""
    try:
        return pygame.display.get_window_position()
    except pygame.error:
        return None


def _inside_screen(size: tuple[int, int]) -> tuple[int, int] | None:
    """Return where a window of this size is wholly on the screen, nearest to where it is."""
    position = _position()
    if position is None:
        return None
    x, y = (
        max(0, min(start, room - length))
        for start, room, length in zip(position, screen_size(), size, strict=True)
    )
    return x, y


def _move_to(position: tuple[int, int] | None) -> None:
    """Move the window where it is told to, if it is not there and may choose."""
    if position is None or position == _position():
        return
    with suppress(pygame.error):
        pygame.display.set_window_position(position)


def _choose_driver() -> None:
    """Refuse at once where no display is named, and keep SDL from looking for the other kind.

    Looking for a Wayland that nobody mentioned makes SDL complain on standard error.
    """
    if not sys.platform.startswith(("linux", "freebsd", "openbsd", "netbsd")):
        return
    if os.environ.get("SDL_VIDEODRIVER"):
        return
    if not os.environ.get("WAYLAND_DISPLAY"):
        if not os.environ.get("DISPLAY"):
            raise _refusal(_Reason(NO_DISPLAY))
        os.environ["SDL_VIDEODRIVER"] = "x11"


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


def _no_display(said: str) -> DisplayError:
    name = os.environ.get("DISPLAY")
    if name and os.environ.get("SDL_VIDEODRIVER") == "x11":
        return _refusal(_Reason(NO_SUCH_DISPLAY, name=name))
    return _refusal(_Reason(SDL_SAYS, text=said))


def _refusal(reason: _Reason) -> DisplayError:
    return DisplayError("no window can be shown here: {reason}", reason=reason)
