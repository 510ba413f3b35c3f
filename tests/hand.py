"""A hand and an eye at a real X display: real mouse and key events, real pixels.

Used by the window tests and by the benchmarks; needs python-xlib and an X server such as Xvfb.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from Xlib import XK, X, display
from Xlib.error import BadDrawable, BadMatch, BadWindow
from Xlib.ext import xtest
from Xlib.protocol import event

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from Xlib.xobject.drawable import Window

Found = TypeVar("Found")

PATIENCE: Final = 40.0
"""Seconds after which something that should have happened counts as not happening."""

_SHIFTED: Final = {"+": "plus", "?": "question"}
_KEYSYMS: Final = {
    "space": "space", "enter": "Return", "escape": "Escape", "up": "Up", "down": "Down",
    "left": "Left", "right": "Right", "home": "Home", "end": "End", "ctrl": "Control_L",
    "shift": "Shift_L", "alt": "Alt_L", "+": "plus", "-": "minus", "?": "question",
    ",": "comma", "tab": "Tab",
}  # fmt: skip


class Hand:
    """Presses buttons and keys on one X display and looks at one window there."""

    def __init__(self, name: str) -> None:
        self._display = display.Display(name)
        self._root = self._display.screen().root
        self.window: Window | None = None

    def find(
        self, program: str, size: tuple[int, int] | None = None, besides: Collection[int] = ()
    ) -> None:
        """Wait for a mapped window of a program, by its class, and of this size if one is given.

        `besides` are the ids of windows that are not meant.
        """

        def look() -> list[Window]:
            children: list[Window] = self._root.query_tree().children
            return [
                window
                for window in children
                if window.id not in besides and self._is(window, program, size)
            ]

        self.window = wait_for(look, f"a window of {program!r} of size {size}")[0]

    def _is(self, window: Window, program: str, size: tuple[int, int] | None) -> bool:
        try:
            if window.get_attributes().map_state != X.IsViewable:
                return False
            if size is not None and self.size(window) != size:
                return False
            return any(program in (each.get_wm_class() or ()) for each in _with_children(window))
        except (BadWindow, BadDrawable):
            return False  # gone since it was listed

    def size(self, window: Window | None = None) -> tuple[int, int]:
        """Return a window's width and height in pixels."""
        geometry = self._of(window).get_geometry()
        return geometry.width, geometry.height

    def _of(self, window: Window | None) -> Window:
        found = window or self.window
        if found is None:
            raise LookupError("no window was found yet")
        return found

    def gone(self) -> bool:
        """Whether the window is no more, or never was."""
        try:
            return self.window is None or not self.size(self.window)
        except (BadWindow, BadDrawable):
            return True

    def look(self) -> NDArray[np.uint8]:
        """Return what the window shows, uint8 `(height, width, 3)` RGB."""
        window = self._of(None)
        width, height = self.size()
        image = window.get_image(0, 0, width, height, X.ZPixmap, 0xFFFFFFFF)
        pixels = np.frombuffer(image.data, np.uint8).reshape(height, -1, 4)
        return pixels[:, :width, 2::-1].copy()

    def pixel(self, x: int, y: int) -> bytes:
        """Return one pixel of the window as the server stores it; the quickest look there is."""
        return bytes(self._of(None).get_image(x, y, 1, 1, X.ZPixmap, 0xFFFFFFFF).data[:3])

    def point(self, x: int, y: int) -> None:
        """Move the pointer to a pixel of the window."""
        spot = self._of(None).translate_coords(self._root, 0, 0)
        # The answer is where the window's corner lies as seen from the root, negated.
        xtest.fake_input(self._display, X.MotionNotify, x=x - spot.x, y=y - spot.y)
        self._display.sync()

    def press(self, button: int) -> None:
        """Press a mouse button (1 left, 2 middle, 3 right, 4 and 5 the wheel)."""
        xtest.fake_input(self._display, X.ButtonPress, button)
        self._display.sync()

    def release(self, button: int) -> None:
        """Release a mouse button."""
        xtest.fake_input(self._display, X.ButtonRelease, button)
        self._display.sync()

    def click(self, x: int, y: int, button: int = 1) -> None:
        """Press and release a mouse button at a pixel of the window."""
        self.point(x, y)
        self.press(button)
        self.release(button)

    def key(self, name: str) -> None:
        """Press and release a key, `ctrl+z` and the like included."""
        *modifiers, base = name.removesuffix("+").split("+") if len(name) > 1 else [name]
        if name.endswith("++"):
            modifiers, base = [*modifiers, base], "+"
        if base in _SHIFTED:
            modifiers.append("shift")
        codes = [self._code(each) for each in [*modifiers, base]]
        for code in codes:
            xtest.fake_input(self._display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.sync()
        # SDL takes a press within 2 ms of the release for the keyboard's own repeating.
        time.sleep(0.005)

    @contextmanager
    def holding(self, *keys: str) -> Iterator[None]:
        """Hold keys down meanwhile."""
        for key in keys:
            xtest.fake_input(self._display, X.KeyPress, self._code(key))
        self._display.sync()
        yield
        for key in keys:
            xtest.fake_input(self._display, X.KeyRelease, self._code(key))
        self._display.sync()

    def _code(self, name: str) -> int:
        symbol = _KEYSYMS.get(name, name.upper() if name[0] == "f" and len(name) > 1 else name)
        return self._display.keysym_to_keycode(XK.string_to_keysym(symbol))

    def focus(self) -> None:
        """Give the window the keyboard: there is no window manager to do it."""
        self._of(None).set_input_focus(X.RevertToParent, X.CurrentTime)
        self._display.sync()
        # SDL takes a click within 10 ms for the one that chose the window, and does not tell it.
        time.sleep(0.03)

    def has_icon(self) -> bool:
        """Whether the window has an icon of its own."""
        kind = self._display.intern_atom("_NET_WM_ICON")
        return any(each.get_full_property(kind, X.AnyPropertyType) for each in self._family())

    def _family(self) -> list[Window]:
        return _with_children(self._of(None))

    def unfocus(self) -> None:
        """Take the keyboard away from every window."""
        self._display.set_input_focus(X.PointerRoot, X.RevertToPointerRoot, X.CurrentTime)
        self._display.sync()

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, as a player dragging its corner does.

        It goes to the corner of the screen: what is beyond the screen cannot be looked at.
        """
        self._of(None).configure(x=0, y=0, width=width, height=height)
        self._display.sync()

    def ask_to_close(self) -> None:
        """Ask the window to close, as the desktop's close button does."""
        window = self._of(None)
        protocols = self._display.intern_atom("WM_PROTOCOLS")
        delete = self._display.intern_atom("WM_DELETE_WINDOW")
        data = (32, [delete, X.CurrentTime, 0, 0, 0])
        window.send_event(event.ClientMessage(window=window, client_type=protocols, data=data))
        self._display.sync()

    def close(self) -> None:
        """Leave the display."""
        self._display.close()


def _with_children(window: Window) -> list[Window]:
    return [window, *window.query_tree().children]


def wait_for(look: Callable[[], Found | None], what: str) -> Found:
    """Look until something is found; raises TimeoutError saying what was waited for."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            found = look()
        except BadMatch:
            found = None  # the window is between two sizes
        if found:
            return found
        time.sleep(0.005)
    raise TimeoutError(f"waited {PATIENCE:.0f} s for {what}")
