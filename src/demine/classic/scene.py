"""The classic scene: passes pygame's input to the controller and draws the result."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import pygame

from demine.classic.frame_painter import Painter
from demine.classic.text import line_width
from demine.play.controller import Controller
from demine.play.lazy_solver import refuse_hint_questions
from demine.play.mouse_input import MouseInput
from demine.play.window_frame import WindowFrame
from demine.play.window_layout_updater import WindowView
from demine.scene.help_page import help_rows
from demine.scene.key_bindings import WITH_DIALOGS, Command
from demine.scene.mouse_automaton import Button
from demine.scene.sounds import RATE, Sound, samples
from demine.scene.translation import tr
from demine.scene.window_page import WindowPage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from demine.classic.window import Window
    from demine.play.game_session import GameSession
    from demine.scene.preferences import Preferences
    from demine.scene.text_wrapping import Row
    from demine.scene.window_layout import Size

ABSENT: Final = WITH_DIALOGS | {
    Command.HINT, Command.CHANCES, Command.MAY_GUESS, Command.DRAFT, Command.PROVE,
    Command.DAILY, Command.RESULT, Command.SHARE, Command.OPEN_SHARE,
    Command.ZOOM_IN, Command.ZOOM_OUT, Command.ZOOM_RESET,
}  # fmt: skip
"""The commands that only the desktop scene has."""

_BUTTONS: Final = {1: Button.LEFT, 2: Button.MIDDLE, 3: Button.RIGHT}
"""The mouse buttons in use, by pygame's numbers."""
_SCROLLING: Final = {Command.UP: -1, Command.DOWN: 1, Command.HOME: -1000, Command.END: 1000}
"""How many lines a command scrolls a page."""
_KEEPS_PAGE: Final = (Command.LANGUAGE, Command.THEME, Command.PALETTE, Command.FULLSCREEN)
"""The commands that change how a page looks and leave it open."""


class Scene:
    """One player at one window: methods below take the events, `draw` shows the result.

    `screen` is the screen's size in pixels; `ask` is passed to `Controller`.
    """

    def __init__(
        self,
        window: Window,
        session: GameSession,
        preferences: Preferences,
        screen: Size,
        ask: Callable[..., Future[object]],
    ) -> None:
        self.closed = False
        self.painter = Painter()
        self.controller = Controller(
            session,
            preferences,
            ask=refuse_hint_questions(ask),
            wake=window.wake,
            changed=lambda changes: self._view.apply_changes(changes),  # noqa: PLW0108 - made below
            speaker=Speaker,
        )
        self.pointer = MouseInput(
            self.controller, lambda: self._view.layout, lambda: self._page is not None
        )
        self._window = window
        self._page: WindowPage | None = None
        self._view = WindowView(
            self.controller, window, screen, self.pointer.update_cell_under_mouse
        )
        self._commands: dict[Command, Callable[[], object]] = {
            Command.FULLSCREEN: self.toggle_fullscreen,
            Command.HELP: self._open_help,
            Command.QUIT: self.close,
        }

    # Output

    def draw(self) -> None:
        """Draw what has changed."""
        changed = self.painter.paint(self._window.surface, self.board_frame(), self._page)
        pygame.display.update(changed)

    def board_frame(self) -> WindowFrame:
        """Return what the window shows now when no page covers the board."""
        return WindowFrame.of(self.controller, self._view.layout)

    def tick(self) -> None:
        """Advance and store the clock, and adopt a board that was generated meanwhile."""
        self.report_presence()
        self.controller.tick()

    def report_presence(self) -> None:
        """Tell the controller whether the player is at the board."""
        self.controller.report_presence(
            shown=self._window.is_shown,
            covered=self._page is not None,
            focused=self._window.is_focused,
        )

    def next_start_picture(self) -> pygame.Surface:
        """Return the picture that the next start shows first, from the state that is left."""
        layout = self._view.opening_layout()
        picture = pygame.Surface(layout.size)
        Painter().paint(picture, WindowFrame.of(self.controller, layout))
        return picture

    # Input: the window

    def resized(self) -> None:
        """Fit the board and the page to the window's new size."""
        self._view.adapt_to_window_size()
        self._scroll_page(0)

    def toggle_fullscreen(self) -> None:
        """Switch between full screen and window."""
        self._window.toggle_fullscreen()
        self.resized()
        self.painter.invalidate()

    def close(self) -> None:
        """Leave; an unfinished game continues at the next start."""
        self.closed = True

    # Input: the mouse

    def press(self, button: int, at_px: Size, *, shift: bool = False, ctrl: bool = False) -> None:
        """Handle a press of a mouse button (pygame's number); on a page it closes the page."""
        if button in _BUTTONS and self._page is not None:
            self._page = None
        elif button in _BUTTONS:
            self.pointer.press(_BUTTONS[button], at_px, shift=shift, ctrl=ctrl)

    def release(self, button: int, at_px: Size) -> None:
        """Handle the release of a mouse button (pygame's number)."""
        if button in _BUTTONS:
            self.pointer.release(_BUTTONS[button], at_px)

    def wheel(self, steps_right: int, steps_up: int, *, shift: bool = False) -> None:
        """Scroll the page or the board by wheel steps; with Shift the board goes sideways."""
        if self._page is not None:
            self._scroll_page(-steps_up)
        elif shift:
            self._view.scroll(-steps_up, 0)
        else:
            self._view.scroll(steps_right, -steps_up)

    # Input: the keys

    def handle_command(self, command: Command) -> None:
        """Carry out the command of a key; on a page most commands only close it."""
        self.controller.dismiss_old_news()
        if self._page is None:
            self._do(command)
        elif command in _SCROLLING:
            self._scroll_page(_SCROLLING[command])
        else:
            self._page = None
            if command in (*_KEEPS_PAGE, Command.QUIT):
                self._do(command)
            if command in _KEEPS_PAGE:
                self._open_help()

    def _do(self, command: Command) -> None:
        self.report_presence()
        if command is Command.CANCEL:
            self.pointer.cancel_restart_press()
        if command in ABSENT:
            self.controller.show_news(tr("Only in the desktop window"))
        elif not self.controller.run_command(command):
            self._commands[command]()

    # Pages

    def show_page(self, title: str, rows: Sequence[Row]) -> None:
        """Cover the board with a page of text."""
        self.controller.cancel_input()
        if self._page is None or self._page.rows != rows:
            self._page = WindowPage(title, rows, self._view.layout.page, line_width)

    def _open_help(self) -> None:
        keys, troubles = self.controller.preferences.key_map(), self.controller.news.troubles
        rows = help_rows(keys, ABSENT, tr("Only in the desktop window"), troubles)
        self.show_page(tr("Keys"), rows)

    def _scroll_page(self, lines: int) -> None:
        if self._page is not None:
            self._page = self._page.scrolled(lines, self._view.layout.page)


class Speaker:
    """Plays sounds; opens the sound device at the first one."""

    def __init__(self) -> None:
        self._failed = False

    def is_available(self) -> bool:
        """Open the sound device, unless it is open; return whether there is one."""
        if not self._failed and not pygame.mixer.get_init():
            try:
                pygame.mixer.init(RATE, -16, 1, 512)
            except (pygame.error, NotImplementedError):
                self._failed = True
        return not self._failed

    def play(self, sound: Sound) -> None:
        """Start a sound without waiting for its end."""
        if self.is_available():
            _wave(sound).play()


@cache
def _wave(sound: Sound) -> pygame.mixer.Sound:
    return pygame.mixer.Sound(buffer=samples(sound).tobytes())
