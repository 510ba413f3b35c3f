"""The window: opened quickly, never invisible, asleep until something happens."""

from __future__ import annotations

import os
import select
import signal
import stat
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pygame

from demine.logic.errors import DemineError
from demine.scene.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from demine.classic.layout import Size

_INVISIBLE: Final = ("offscreen", "dummy", "evdev")
"""SDL's drivers that draw where nobody looks; it picks one silently when there is no display."""
_POLL_MS: Final = 200
"""How long SDL may wait before a signal gets a chance, where only SDL can wait."""


class DisplayError(DemineError):
    """No window can be shown here; also the reason why, as a part of that sentence."""


class Window:
    """One resizable window; open it with `Window.open`."""

    def __init__(self, surface: pygame.Surface, sockets: list[int]) -> None:
        self.surface = surface
        """What to draw on; a resized window brings another one."""
        self.maximised = False
        """Whether the desktop stretched the window over its screen."""
        self.interrupted = False
        """Whether Ctrl-C asked for the end."""
        self._sockets = sockets
        self._pipe: tuple[int, int] | None = None
        self._windowed: Size | None = None

    @classmethod
    def open(cls, title: str) -> Window:
        """Make ready to show a window; nothing is on the screen before `show`.

        Raises `DisplayError` when there is no display that a person could see.
        """
        before = _open_sockets()
        _choose_driver()
        try:
            pygame.display.init()
        except pygame.error as error:
            raise _no_display(str(error)) from None
        driver = pygame.display.get_driver()
        if driver in _INVISIBLE and os.environ.get("SDL_VIDEODRIVER") != driver:
            pygame.display.quit()
            why = mark("SDL would draw to {driver!r}, where nobody looks")
            raise _refusal(DisplayError(why, driver=driver))
        pygame.font.init()
        pygame.display.set_caption(title)
        return cls(pygame.Surface((1, 1)), sorted(_open_sockets() - before))

    def hear_signals(self) -> None:
        """Close the window at SIGINT and SIGTERM instead of dying of them half-way through an act.

        A pipe wakes `events` for them and for other threads, where the system can wait for one.
        """
        if self._sockets:
            self._pipe = os.pipe()
            for end in self._pipe:
                os.set_blocking(end, False)
            signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._hear)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        self.interrupted |= number == signal.SIGINT
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    @property
    def free(self) -> bool:
        """Whether the window may choose its own size."""
        return self._windowed is None and not self.maximised

    def show(self, size: Size) -> None:
        """Put the window on the screen, or give the one there another size in pixels."""
        shown = pygame.display.get_surface()
        if shown is not None and shown is self.surface and shown.get_size() == size and self.free:
            return  # to ask for what is there would blacken it until the next frame
        self._set_mode(size, pygame.RESIZABLE)
        pygame.key.set_repeat(250, 40)
        # Keys are commands here: an input method would keep them for Chinese words.
        pygame.key.stop_text_input()

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the window before."""
        if self._windowed is None:
            self._windowed = self.surface.get_size()
            # Where no window manager does, nobody else moves the window to the corner.
            _keep_on_screen(screen_size())
            self._set_mode((0, 0), pygame.FULLSCREEN)
            return
        size, self._windowed = self._windowed, None
        for _ in range(2):  # without a window manager the first changes the screen only
            self.show(size)

    def _set_mode(self, size: Size, flags: int) -> None:
        with warnings.catch_warnings():
            # A desktop that tiles its windows chooses their size, and pygame warns of it.
            warnings.simplefilter("ignore", RuntimeWarning)
            self.surface = pygame.display.set_mode(size, flags)
        _keep_on_screen(self.surface.get_size())

    def refresh_surface(self) -> None:
        """Take the surface of a window that has just changed its size."""
        self.surface = pygame.display.get_surface() or self.surface

    def present(self, rects: Sequence[pygame.Rect] | None) -> None:
        """Bring changed rectangles to the screen, or everything when None."""
        if rects is None:
            pygame.display.flip()
        elif rects:
            pygame.display.update(list(rects))

    def wake(self) -> None:
        """Wake up, asked by another thread: there is something new to show."""
        with suppress(pygame.error, BlockingIOError):  # closed, or full of reasons to wake up
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))
            if self._pipe is not None:
                os.write(self._pipe[1], b"\0")

    def events(self, timeout: float) -> list[pygame.event.Event]:
        """Return what happened, waiting up to `timeout` seconds for the first event.

        SDL waits by looking a thousand times a second, which keeps a laptop warm. Where its
        connection to the display is known, sleep on that until the display has something to say.
        """
        found = pygame.event.get()
        if found or timeout <= 0:
            return found
        if self._pipe is None:
            return [pygame.event.wait(min(_POLL_MS, int(timeout * 1000) + 1)), *pygame.event.get()]
        woken, _, _ = select.select([*self._sockets, self._pipe[0]], [], [], timeout)
        if self._pipe[0] in woken:
            os.read(self._pipe[0], 64)
        elif woken and not pygame.event.peek():
            time.sleep(0.01)  # a service that hung up would wake us for ever
        return pygame.event.get()

    def close(self) -> None:
        """Take the window from the screen."""
        pygame.display.quit()


def screen_size() -> Size:
    """Return the size in pixels of the screen the window will open on."""
    sizes = pygame.display.get_desktop_sizes()
    return sizes[0] if sizes else (1024, 768)


def _keep_on_screen(size: Size) -> None:
    """Move a window of this size wholly onto the screen, if there is one screen only."""
    screens = pygame.display.get_desktop_sizes()
    with suppress(pygame.error):  # Wayland neither tells where a window is nor moves it
        before = pygame.display.get_window_position()
        x, y = (
            max(0, min(start, room - length))
            for start, room, length in zip(before, screens[0], size, strict=True)
        )
        if len(screens) == 1 and (x, y) != before:
            pygame.display.set_window_position((x, y))


def _choose_driver() -> None:
    """Refuse at once where no display is named, and keep SDL from looking for the other kind.

    Looking for a Wayland that nobody mentioned makes SDL complain on standard error.
    """
    if not sys.platform.startswith(("linux", "freebsd", "openbsd", "netbsd")):
        return
    if os.environ.get("SDL_VIDEODRIVER") or os.environ.get("WAYLAND_DISPLAY"):
        return
    if not os.environ.get("DISPLAY"):
        raise _refusal(DisplayError(mark("neither DISPLAY nor WAYLAND_DISPLAY is set")))
    os.environ["SDL_VIDEODRIVER"] = "x11"


def _open_sockets() -> set[int]:
    """Return this process's open sockets where the system lists them (Linux), else none."""
    found = set()
    if sys.platform.startswith("linux"):
        for entry in Path("/proc/self/fd").iterdir():
            with suppress(OSError):  # closed since it was listed, the listing's own for one
                if stat.S_ISSOCK(entry.stat().st_mode):
                    found.add(int(entry.name))
    return found


def _no_display(said: str) -> DisplayError:
    name = os.environ.get("DISPLAY")
    if name and os.environ.get("SDL_VIDEODRIVER") == "x11":
        return _refusal(DisplayError(mark("the display {name!r} does not answer"), name=name))
    return _refusal(DisplayError(mark("SDL says: {text}"), text=said))


def _refusal(reason: DisplayError) -> DisplayError:
    return DisplayError("no window can be shown here: {reason}", reason=reason)
