"""The window: opened quickly, never invisible, asleep until something happens."""

from __future__ import annotations

import os
import select
import signal
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
    from types import FrameType

    from demine.scene.window_layout import Size

_INVISIBLE: Final = ("offscreen", "dummy", "evdev")
"""SDL's drivers that draw where nobody looks; it picks one silently when there is no display."""
_POLL_MS: Final = 200
"""How long SDL may wait before a signal gets a chance, where only SDL can wait."""


class DisplayError(DemineError):
    """No window can be shown here; also the reason why, as a part of that sentence."""


class Window:
    """One resizable window. Nothing is on the screen before `show`.

    Raises `DisplayError` when there is no display that a person could see.
    """

    def __init__(self, title: str) -> None:
        before = _open_sockets()
        _open_display()
        self._sockets = _open_sockets() - before
        """The connection to the display, where the system lists it."""
        self._pipe: tuple[int, int] | None = None
        self._size_before_fullscreen: Size | None = None
        self.maximised = False
        """Whether the desktop stretched the window over its screen."""
        self.interrupted = False
        """Whether Ctrl-C asked for the end."""
        pygame.font.init()
        pygame.display.set_caption(title)

    def close_on_signals(self) -> None:
        """Close the window at SIGINT and SIGTERM instead of dying of them half-way through an act.

        A pipe wakes `events` for them and for other threads, where the system can wait for one.
        """
        if self._sockets:
            self._pipe = os.pipe2(os.O_NONBLOCK)
            signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self.interrupted |= number == signal.SIGINT
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    @property
    def surface(self) -> pygame.Surface:
        """What to draw on; a resized window brings another one."""
        return pygame.display.get_surface() or pygame.Surface((1, 1))

    @property
    def size(self) -> Size:
        """The size in pixels."""
        return self.surface.get_size()

    @property
    def program_may_choose_size(self) -> bool:
        """Whether the size is the program's to choose: neither full screen nor maximised."""
        return self._size_before_fullscreen is None and not self.maximised

    def show(self, size: Size) -> None:
        """Put the window on the screen, or give the one there another size in pixels."""
        if self.size == size and self.program_may_choose_size:
            return  # to ask for what is there would blacken it until the next frame
        self._set_mode(size, pygame.RESIZABLE)
        pygame.key.set_repeat(250, 40)
        # Keys are commands here: an input method would keep them for Chinese words.
        pygame.key.stop_text_input()

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the window before."""
        if self._size_before_fullscreen is None:
            self._size_before_fullscreen = self.size
            # Where no window manager does, nobody else moves the window to the corner.
            _keep_on_screen(screen_size())
            self._set_mode((0, 0), pygame.FULLSCREEN)
            return
        size, self._size_before_fullscreen = self._size_before_fullscreen, None
        for _ in range(2):  # without a window manager the first changes the screen only
            self.show(size)

    def _set_mode(self, size: Size, flags: int) -> None:
        with warnings.catch_warnings():
            # A desktop that tiles its windows chooses their size, and pygame warns of it.
            warnings.simplefilter("ignore", RuntimeWarning)
            pygame.display.set_mode(size, flags)
        _keep_on_screen(self.size)

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


def screen_size() -> Size:
    """Return the size in pixels of the screen the window will open on."""
    sizes = pygame.display.get_desktop_sizes()
    return sizes[0] if sizes else (1024, 768)


def _keep_on_screen(size: Size) -> None:
    """Move a window of this size wholly onto the screen, if there is one screen only."""
    screens = pygame.display.get_desktop_sizes()
    with suppress(pygame.error):  # Wayland neither tells where a window is nor moves it
        before = pygame.Rect(pygame.display.get_window_position(), size)
        after = before.clamp(((0, 0), screens[0]))
        if len(screens) == 1 and after != before:
            pygame.display.set_window_position(after.topleft)


def _open_display() -> None:
    """Connect to the display; raises `DisplayError` where nobody would see what is drawn."""
    chosen, named = os.environ.get("SDL_VIDEODRIVER"), os.environ.get("DISPLAY")
    unix = sys.platform.startswith(("linux", "freebsd", "openbsd", "netbsd"))
    if unix and not (chosen or os.environ.get("WAYLAND_DISPLAY")):
        if not named:
            raise _no_window(mark("neither DISPLAY nor WAYLAND_DISPLAY is set"))
        # Looking for a Wayland that nobody mentioned makes SDL complain on standard error.
        os.environ["SDL_VIDEODRIVER"] = "x11"
    try:
        pygame.display.init()
    except pygame.error as error:
        if named and os.environ.get("SDL_VIDEODRIVER") == "x11":
            raise _no_window(mark("the display {name!r} does not answer"), name=named) from None
        raise _no_window(mark("SDL says: {text}"), text=str(error)) from None
    driver = pygame.display.get_driver()
    if driver in _INVISIBLE and chosen != driver:
        pygame.display.quit()
        raise _no_window(mark("SDL would draw to {driver!r}, where nobody looks"), driver=driver)


def _no_window(reason: str, **values: str) -> DisplayError:
    return DisplayError(
        "no window can be shown here: {reason}", reason=DisplayError(reason, **values)
    )


def _open_sockets() -> set[int]:
    """Return this process's open sockets, where the system lists them (Linux)."""
    return {int(each.name) for each in Path("/proc/self/fd").glob("*") if each.is_socket()}
