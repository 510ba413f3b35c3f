"""Textual's part: it takes the terminal's input and writes lines to its screen."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar, cast

from rich.color import Color
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from demine.scene.mouse_automaton import Button
from demine.terminal.first_frame import ALTERNATE
from demine.terminal.palette256 import xterm_colours
from demine.terminal.styled_text import changed_columns, width
from demine.terminal.textual_keys import key_names
from demine.terminal.tty_capabilities import colour_count, terminal_hung_up

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.driver import Driver
    from textual.message import Message
    from textual.timer import Timer

    from demine.terminal.first_frame import StartupScreen
    from demine.terminal.styled_text import Line, TextStyle

Point: TypeAlias = tuple[int, int]

BUTTONS: Final = {1: Button.LEFT, 2: Button.MIDDLE, 3: Button.RIGHT}
"""The buttons that mean something, by Textual's numbers."""
_ENDS: Final = ("SIGINT", "SIGTERM", "SIGHUP")


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
    """A widget that fills the screen with lines; only those that changed are rendered again."""

    def __init__(self, game: SceneApp[TextScene]) -> None:
        super().__init__()
        self._game = game
        self._lines: list[Line] = []
        self._colours = colour_count(os.environ)

    def show_lines(self, lines: list[Line]) -> None:
        """Bring lines to the screen."""
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
        """Return one row, as Textual asks for it."""
        if y >= len(self._lines):
            return Strip.blank(self.size.width)
        return _to_strip(self._lines[y], self._colours)

    def on_key(self, event: events.Key) -> None:
        """A key is the game's, whatever it usually means in Textual."""
        event.stop()
        event.prevent_default()
        self._game.scene.key(key_names(event.key, event.character))
        self._game.update_screen()

    def on_paste(self, event: events.Paste) -> None:
        """Somebody pastes a text."""
        event.stop()
        self._game.scene.paste(event.text)
        self._game.update_screen()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A button comes down."""
        button = BUTTONS.get(event.button)
        if button is not None:
            at = event.screen_x, event.screen_y
            self._game.scene.press(
                button, (int(at[0]), int(at[1])), shift=event.shift, ctrl=event.ctrl
            )
            self._game.update_screen()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """A button goes up."""
        button = BUTTONS.get(event.button)
        if button is not None:
            self._game.scene.release(button, (int(event.screen_x), int(event.screen_y)))
            self._game.update_screen()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The pointer moves."""
        self._game.scene.move((int(event.screen_x), int(event.screen_y)))
        self._game.update_screen()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel turns down."""
        self._wheel(1, event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel turns up."""
        self._wheel(-1, event)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        """The wheel turns to the right."""
        self._wheel(1, event, sideways=True)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        """The wheel turns to the left."""
        self._wheel(-1, event, sideways=True)

    def _wheel(self, steps: int, event: events.MouseEvent, *, sideways: bool = False) -> None:
        event.stop()
        event.prevent_default()
        self._game.scene.wheel(steps, sideways=sideways or event.shift)
        self._game.update_screen()


def _driver_keeping_startup_screen(
    driver: type[Driver], startup_screen: StartupScreen
) -> type[Driver]:
    """Return a driver that leaves the picture where it is when it begins."""

    class TakingOver(driver):  # type: ignore[misc, valid-type]
        _began = False

        def start_application_mode(self) -> None:
            before = startup_screen.hand_terminal_over()
            super().start_application_mode()
            if before is not None:
                self.attrs_before = before
            self._began = True

        def process_message(self, message: Message) -> None:
            # Before there is a screen to press on, a press would be lost.
            if not startup_screen.hold_message(message):
                super().process_message(message)

        def write(self, data: str) -> None:
            # The other screen is shown already, and asking for it again would clear it.
            if self._began or data != ALTERNATE:
                super().write(data)

    return TakingOver


class TextScene(Protocol):
    """A scene of text: input comes in, the lines of the screen go out."""

    closed: bool

    def lines(self) -> list[Line]:
        """Return the lines of the screen now."""

    def tick(self) -> None:
        """Do what is due."""

    def patience(self) -> float:
        """Return how many seconds may pass before anything is due."""

    def resized(self, cols: int, rows: int) -> None:
        """The terminal has another size."""

    def press(self, button: Button, at: Point, *, shift: bool, ctrl: bool) -> None:
        """A button comes down."""

    def release(self, button: Button, at: Point) -> None:
        """A button goes up."""

    def move(self, at: Point) -> None:
        """The pointer moves."""

    def wheel(self, steps: int, *, sideways: bool) -> None:
        """The wheel turns."""

    def key(self, names: tuple[str, ...]) -> None:
        """A key comes down, known by any of its names."""

    def paste(self, text: str) -> None:
        """A text is pasted."""

    def lost_focus(self) -> None:
        """The terminal is not listened to."""

    def close(self) -> None:
        """Leave."""


S_co = TypeVar("S_co", bound=TextScene, covariant=True)


class SceneApp(App[None], Generic[S_co], inherit_bindings=False):
    """The Textual app of a scene; `interrupted` is true when SIGINT ended it.

    `startup_screen` is the first frame, if it is on the screen already.
    """

    CSS: ClassVar[str] = (
        "Screen { background: ansi_default; } LinesWidget { width: 100%; height: 100%; }"
    )
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False

    def __init__(self, screen: S_co, startup_screen: StartupScreen | None = None) -> None:
        self._startup_screen = startup_screen
        # Colours go out as they are; where NO_COLOR is set, none does.
        super().__init__(ansi_color=True)
        # What Textual tells of a fault goes through standard error, where nothing acts: no colours.
        self.error_console = Console(stderr=True, markup=False, highlight=False, color_system=None)
        self.interrupted = False
        self.scene: S_co = screen
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: Timer | None = None
        self._widget = LinesWidget(self)
        if startup_screen is not None:
            self._widget.show_lines(startup_screen.lines)

    def get_driver_class(self) -> type[Driver]:
        """Return what drives the terminal, told of a picture that stands there already."""
        driver = super().get_driver_class()
        startup_screen = self._startup_screen
        return (
            driver
            if startup_screen is None or not startup_screen.standing
            else _driver_keeping_startup_screen(driver, startup_screen)
        )

    def compose(self) -> ComposeResult:
        """Return the one widget."""
        yield self._widget

    def on_mount(self) -> None:
        """Begin to listen."""
        self._loop = asyncio.get_running_loop()
        for name in _ENDS:
            number = getattr(signal, name, None)
            # Windows has no such handlers, and a test runs beside the main thread.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                if number is not None:
                    self._loop.add_signal_handler(number, self._end_on_signal, number)
        self._widget.focus()
        if self._startup_screen is not None and self._startup_screen.ended_by:
            self._end_on_signal(self._startup_screen.ended_by)

    def on_ready(self) -> None:
        """Everything is in its place: what was pressed meanwhile happens now."""
        driver = self._driver
        if self._startup_screen is not None and driver is not None:
            for message in self._startup_screen.release_messages():
                driver.process_message(cast("Message", message))

    def on_resize(self, event: events.Resize) -> None:
        """The terminal has a size, or another one."""
        self.scene.resized(event.size.width, event.size.height)
        self.update_screen()
        # It may have had others in between, and lost what stood there, before it had this one.
        self._widget.refresh()

    def on_app_blur(self) -> None:
        """The terminal lost the keyboard."""
        self.scene.lost_focus()
        self.update_screen()

    def update_screen(self) -> None:
        """Show what is so now, and wake up when it changes by itself."""
        self.scene.tick()
        if self.scene.closed or terminal_hung_up():
            self.exit()
            return
        self._widget.show_lines(self.scene.lines())
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(max(0.001, self.scene.patience()), self.update_screen)

    def wake(self) -> None:
        """Wake up, asked by another thread: somebody has news."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # closed meanwhile
                loop.call_soon_threadsafe(self._wake_in_loop)

    def _wake_in_loop(self) -> None:
        if self.is_running:
            self.call_later(self.update_screen)

    def _end_on_signal(self, number: int) -> None:
        self.interrupted |= number == signal.SIGINT
        self.scene.close()
        self.exit()
