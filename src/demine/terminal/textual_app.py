"""The Textual app: it passes the terminal's input to a scene and shows the scene's lines."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar, cast

from rich.color import Color
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from demine.logic.errors import DemineError
from demine.scene.key_bindings import normalise_key
from demine.scene.mouse_automaton import Button
from demine.terminal.first_frame import ALTERNATE
from demine.terminal.palette256 import xterm_colours
from demine.terminal.text_style import changed_columns
from demine.terminal.text_width import width
from demine.terminal.tty_capabilities import colour_count, terminal_hung_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult
    from textual.driver import Driver
    from textual.message import Message
    from textual.timer import Timer

    from demine.terminal.first_frame import StartupScreen
    from demine.terminal.text_scene import TextScene
    from demine.terminal.text_style import Line, TextStyle


BUTTONS: Final = {1: Button.LEFT, 2: Button.MIDDLE, 3: Button.RIGHT}
"""The mouse buttons in use, by Textual's numbers."""
_END_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP")


@lru_cache(maxsize=4096)
def _to_rich_style(style: TextStyle, colours: int) -> Style:
    if colours == 256:
        pair = [None if found is None else Color.from_ansi(found) for found in xterm_colours(style)]
    else:
        pair = [None if rgb is None else Color.from_rgb(*rgb) for rgb in (style.fg, style.bg)]
    return Style(
        color=pair[0],
        bgcolor=pair[1],
        bold=style.bold,
        reverse=style.reverse,
        underline=style.underline,
    )


def _to_strip(line: Line, colours: int) -> Strip:
    segments = [Segment(text, _to_rich_style(style, colours)) for text, style in line if text]
    return Strip(segments, sum(width(text) for text, _ in line))


class LinesWidget(Widget, can_focus=True):
    """A widget that fills the screen with lines; only the changed parts are rendered again."""

    def __init__(self, app: SceneApp[TextScene]) -> None:
        super().__init__()
        self._textual_app = app
        self._lines: list[Line] = []
        self._colours = colour_count(os.environ)

    def show_lines(self, lines: list[Line]) -> None:
        """Show lines in place of the last ones."""
        before, self._lines = self._lines, lines
        if len(before) != len(lines):
            self.refresh()
            return
        changed = [
            Region(left, y, right - left, 1)
            for y, (old, new) in enumerate(zip(before, lines, strict=True))
            if old != new
            for left, right in [changed_columns(old, new)]
        ]
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """Return one row as a strip of Textual."""
        if y >= len(self._lines):
            return Strip.blank(self.size.width)
        return _to_strip(self._lines[y], self._colours)

    def on_key(self, event: events.Key) -> None:
        """Pass a key to the scene, whatever it usually means in Textual."""
        event.stop()
        event.prevent_default()
        self._textual_app.shown_scene.key(key_names(event.key, event.character))
        self._textual_app.update_screen()

    def on_paste(self, event: events.Paste) -> None:
        """Pass a pasted text to the scene."""
        event.stop()
        self._textual_app.shown_scene.paste(event.text)
        self._textual_app.update_screen()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Pass the press of a mouse button to the scene."""
        button = BUTTONS.get(event.button)
        if button is not None:
            at = event.screen_x, event.screen_y
            self._textual_app.shown_scene.press(
                button, (int(at[0]), int(at[1])), shift=event.shift, ctrl=event.ctrl
            )
            self._textual_app.update_screen()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Pass the release of a mouse button to the scene."""
        button = BUTTONS.get(event.button)
        if button is not None:
            self._textual_app.shown_scene.release(
                button, (int(event.screen_x), int(event.screen_y))
            )
            self._textual_app.update_screen()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pass a move of the pointer to the scene."""
        self._textual_app.shown_scene.move((int(event.screen_x), int(event.screen_y)))
        self._textual_app.update_screen()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Pass a wheel step down to the scene."""
        self._wheel(1, event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Pass a wheel step up to the scene."""
        self._wheel(-1, event)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        """Pass a wheel step to the right to the scene."""
        self._wheel(1, event, sideways=True)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        """Pass a wheel step to the left to the scene."""
        self._wheel(-1, event, sideways=True)

    def _wheel(self, steps: int, event: events.MouseEvent, *, sideways: bool = False) -> None:
        event.stop()
        event.prevent_default()
        self._textual_app.shown_scene.wheel(steps, sideways=sideways or event.shift)
        self._textual_app.update_screen()


def _driver_keeping_startup_screen(
    driver: type[Driver], startup_screen: StartupScreen
) -> type[Driver]:
    """Return a driver class that keeps the picture of the startup screen when it starts."""

    class TakingOver(driver):  # type: ignore[misc, valid-type]
        _began = False

        def start_application_mode(self) -> None:
            before = startup_screen.release_terminal()
            super().start_application_mode()
            if before is not None:
                self.attrs_before = before
            self._began = True

        def process_message(self, message: Message) -> None:
            # Before there is a screen, a press would be lost.
            if not startup_screen.hold_message(message):
                super().process_message(message)

        def write(self, data: str) -> None:
            # The alternate screen is shown already; switching to it again would clear it.
            if self._began or data != ALTERNATE:
                super().write(data)

    return TakingOver


S_co = TypeVar("S_co", bound="TextScene", covariant=True)


class SceneApp(App[None], Generic[S_co], inherit_bindings=False):
    """The Textual app of a scene; `interrupted` is true if SIGINT ended it.

    `startup_screen` is the first frame, if it is shown already.
    """

    CSS: ClassVar[str] = (
        "Screen { background: ansi_default; } LinesWidget { width: 100%; height: 100%; }"
    )
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False

    def __init__(self, screen: S_co, startup_screen: StartupScreen | None = None) -> None:
        self._startup_screen = startup_screen
        # Colours are written unchanged; with NO_COLOR, none are.
        super().__init__(ansi_color=True)
        # Textual reports its errors on stderr, where colour sequences are made harmless: use none.
        self.error_console = Console(stderr=True, markup=False, highlight=False, color_system=None)
        self.interrupted = False
        self.scene: S_co = screen
        self._over: TextScene | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: Timer | None = None
        self._widget = LinesWidget(self)
        if startup_screen is not None:
            self._widget.show_lines(startup_screen.lines)

    def get_driver_class(self) -> type[Driver]:
        """Return the driver of the terminal, one that keeps the startup screen if it is shown."""
        driver = super().get_driver_class()
        startup_screen = self._startup_screen
        return (
            driver
            if startup_screen is None or not startup_screen.is_shown
            else _driver_keeping_startup_screen(driver, startup_screen)
        )

    def compose(self) -> ComposeResult:
        """Yield the only widget."""
        yield self._widget

    def on_mount(self) -> None:
        """Handle signals, and give the widget the keyboard."""
        self._loop = asyncio.get_running_loop()
        for name in _END_SIGNALS:
            number = getattr(signal, name, None)
            # Windows has no such handlers, and tests do not run in the main thread.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                if number is not None:
                    self._loop.add_signal_handler(number, self._end_on_signal, number)
        self._widget.focus()
        if self._startup_screen is not None and self._startup_screen.ended_by:
            self._end_on_signal(self._startup_screen.ended_by)

    def on_ready(self) -> None:
        """Process the messages that the startup screen held back."""
        driver = self._driver
        if self._startup_screen is not None and driver is not None:
            for message in self._startup_screen.release_messages():
                driver.process_message(cast("Message", message))

    def on_resize(self, event: events.Resize) -> None:
        """Pass the terminal's size to the scene and draw everything again."""
        self.shown_scene.resized(event.size.width, event.size.height)
        self.update_screen()
        # The terminal may have lost its contents at sizes in between.
        self._widget.refresh()

    def on_app_focus(self) -> None:
        """Tell the scene that the terminal has the keyboard."""
        self._set_focused(True)

    def on_app_blur(self) -> None:
        """Tell the scene that the terminal lost the keyboard."""
        self._set_focused(False)

    def _set_focused(self, focused: bool) -> None:
        self.shown_scene.set_focused(focused)
        self.update_screen()

    def show_over(self, scene: TextScene) -> None:
        """Show another scene until it is closed."""
        scene.resized(self.size.width, self.size.height)
        self._over = scene

    @property
    def shown_scene(self) -> TextScene:
        """The scene that is shown and gets the input: the one over the app's own, if any."""
        return self._over or self.scene

    def update_screen(self) -> None:
        """Show the scene as it is now and set a timer for its next change; exit if it is closed."""
        self.shown_scene.tick()
        if self._over is not None and self._over.closed:
            self._over = None
            self.scene.resized(self.size.width, self.size.height)
            self.scene.tick()
        if self.scene.closed or terminal_hung_up():
            self.exit()
            return
        self._widget.show_lines(self.shown_scene.lines())
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(
            max(0.001, self.shown_scene.seconds_until_redraw()), self.update_screen
        )

    def wake(self) -> None:
        """Update the screen soon; may be called from any thread."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # closed meanwhile
                loop.call_soon_threadsafe(self._wake_in_loop)

    def _wake_in_loop(self) -> None:
        if self.is_running:
            self.call_later(self.update_screen)

    def _end_on_signal(self, number: int) -> None:
        self.interrupted |= number == signal.SIGINT
        self.shown_scene.close()
        self.scene.close()
        self.exit()


_SAME_BYTE: Final[Mapping[str, str]] = MappingProxyType(
    {"backspace": "ctrl+h", "tab": "ctrl+i", "ctrl+j": "enter", "ctrl+m": "enter"}
)
"""Pairs of keys that many terminals do not distinguish: the second is tried after the first."""


def key_names(key: str, character: str | None) -> tuple[str, ...]:
    """Return the names of a key as in `demine.scene.key_bindings`, the likeliest first."""
    *modifiers, base = key.split("+") if key != "+" else [key]
    if character and character.isprintable() and not character.isspace() and not modifiers:
        letter = character.lower()
        shifted = character.isalpha() and character != letter
        return _known(f"shift+{letter}" if shifted else letter)
    if len(base) > 1 and base[0] == "f" and base[1:].isdigit() and int(base[1:]) > 12:
        # Terminals report Shift+F1 as F13, and so on.
        return _known("+".join([*modifiers, "shift", f"f{int(base[1:]) - 12}"]))
    base = _SYMBOLS.get(base, base)
    return _known("+".join([*modifiers, base])) + _known(_SAME_BYTE.get(key, ""))


_SYMBOLS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "plus": "+",
        "minus": "-",
        "equals_sign": "=",
        "comma": ",",
        "question_mark": "?",
        "slash": "/",
        "full_stop": ".",
    }
)
"""Textual's names of symbols that are pressed with a modifier."""


def _known(name: str) -> tuple[str, ...]:
    try:
        return (normalise_key(name),) if name else ()
    except DemineError:
        return ()
