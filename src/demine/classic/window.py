"""The window: it opens quickly, is never invisible and sleeps until something happens."""

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

from demine.scene.display_error import NO_ANSWER, NO_SCREEN, no_window_error
from demine.scene.translation import mark

if TYPE_CHECKING:
    from types import FrameType

    from demine.scene.window_layout import Size

_INVISIBLE: Final = ("offscreen", "dummy", "evdev")
"""SDL's drivers without a visible window; it picks one silently when there is no display."""
_POLL_MS: Final = 200
"""How long SDL may wait before signals are handled, where only SDL can wait."""


class Window:
    """One resizable window, invisible until `show`.

    Raises `DisplayError` if there is no display that a person could see.
    """

    def __init__(self, title: str) -> None:
        before = _open_sockets()
        _open_display()
        self._sockets = _open_sockets() - before
        """The sockets to the display, where the system lists them."""
        self._pipe: tuple[int, int] | None = None
        self._size_before_fullscreen: Size | None = None
        self.maximised = False
        """Whether the desktop has maximised the window."""
        self.interrupted = False
        """Whether SIGINT (Ctrl-C) asked the program to end."""
        pygame.font.init()
        pygame.display.set_caption(title)

    def close_on_signals(self) -> None:
        """Close the window at SIGINT and SIGTERM instead of dying in the middle of an act.

        Where the system allows it, a pipe wakes `wait_for_events` for signals and other threads.
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
        """The surface to draw on; resizing the window replaces it."""
        return pygame.display.get_surface() or pygame.Surface((1, 1))

    @property
    def size(self) -> Size:
        """The size in pixels."""
        return self.surface.get_size()

    @property
    def program_may_choose_size(self) -> bool:
        """Whether the program may resize the window: it is neither full screen nor maximised."""
        return self._size_before_fullscreen is None and not self.maximised

    @property
    def is_shown(self) -> bool:
        """Whether the window is neither minimised nor hidden."""
        return pygame.display.get_active()

    @property
    def is_focused(self) -> bool:
        """Whether keys go to this window."""
        return pygame.key.get_focused()

    def show(self, size: Size) -> None:
        """Open the window at this size in pixels, or resize it."""
        if self.size == size and self.program_may_choose_size:
            return  # setting the same size would blacken the window until the next frame
        self._set_mode(size, pygame.RESIZABLE)
        pygame.key.set_repeat(250, 40)
        # Keys are commands here; an input method would take them for Chinese text.
        pygame.key.stop_text_input()

    def toggle_fullscreen(self) -> None:
        """Switch between full screen and the window as it was before."""
        if self._size_before_fullscreen is None:
            self._size_before_fullscreen = self.size
            # Without a window manager, nothing else moves the window to the corner.
            _keep_on_screen(screen_size())
            self._set_mode((0, 0), pygame.FULLSCREEN)
            return
        size, self._size_before_fullscreen = self._size_before_fullscreen, None
        for _ in range(2):  # without a window manager the first call changes the screen only
            self.show(size)

    def _set_mode(self, size: Size, flags: int) -> None:
        with warnings.catch_warnings():
            # pygame warns when a tiling desktop chooses another size.
            warnings.simplefilter("ignore", RuntimeWarning)
            pygame.display.set_mode(size, flags)
        _keep_on_screen(self.size)

    def wake(self) -> None:
        """Make `wait_for_events` return; may be called from any thread."""
        with suppress(pygame.error, BlockingIOError):  # closed, or the pipe is full
            pygame.event.post(pygame.event.Event(pygame.USEREVENT))
            if self._pipe is not None:
                os.write(self._pipe[1], b"\0")

    def wait_for_events(self, timeout_s: float) -> list[pygame.event.Event]:
        """Return the events that are due, waiting up to `timeout_s` seconds for the first.

        SDL itself polls a thousand times a second. Where its sockets to the display are known,
        this sleeps on them instead, which saves power.
        """
        found = pygame.event.get()
        if found or timeout_s <= 0:
            return found
        if self._pipe is None:
            wait_ms = min(_POLL_MS, int(timeout_s * 1000) + 1)
            return [pygame.event.wait(wait_ms), *pygame.event.get()]
        woken, _, _ = select.select([*self._sockets, self._pipe[0]], [], [], timeout_s)
        if self._pipe[0] in woken:
            os.read(self._pipe[0], 64)
        elif woken and not pygame.event.peek():
            time.sleep(0.01)  # a socket whose other end hung up would wake us for ever
        return pygame.event.get()


def screen_size() -> Size:
    """Return the size in pixels of the screen on which the window will open."""
    sizes = pygame.display.get_desktop_sizes()
    return sizes[0] if sizes else (1024, 768)


def _keep_on_screen(size: Size) -> None:
    """Move a window of this size wholly onto the screen, if there is only one screen."""
    screens = pygame.display.get_desktop_sizes()
    with suppress(pygame.error):  # Wayland neither reports nor changes a window's position
        before = pygame.Rect(pygame.display.get_window_position(), size)
        after = before.clamp(((0, 0), screens[0]))
        if len(screens) == 1 and after != before:
            pygame.display.set_window_position(after.topleft)


def _open_display() -> None:
    """Connect to the display; raises `DisplayError` if nobody would see what is drawn."""
    chosen, named = os.environ.get("SDL_VIDEODRIVER"), os.environ.get("DISPLAY")
    unix = sys.platform.startswith(("linux", "freebsd", "openbsd", "netbsd"))
    if unix and not (chosen or os.environ.get("WAYLAND_DISPLAY")):
        if not named:
            raise no_window_error(NO_SCREEN)
        # Without this SDL looks for Wayland too and complains about it on standard error.
        os.environ["SDL_VIDEODRIVER"] = "x11"
    try:
        pygame.display.init()
    except pygame.error as error:
        if named and os.environ.get("SDL_VIDEODRIVER") == "x11":
            raise no_window_error(NO_ANSWER, name=named) from None
        raise no_window_error(mark("SDL says: {text}"), text=str(error)) from None
    driver = pygame.display.get_driver()
    if driver in _INVISIBLE and chosen != driver:
        pygame.display.quit()
        raise no_window_error(
            mark("SDL would draw to {driver!r}, which is not a screen"), driver=driver
        )


def _open_sockets() -> set[int]:
    """Return the descriptors of this process's sockets, where the system lists them (Linux)."""
    return {int(each.name) for each in Path("/proc/self/fd").glob("*") if each.is_socket()}
