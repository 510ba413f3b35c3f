"""The classic scene: places become cells, keys become commands, and what results is drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pygame

from demine.classic.frame_painter import (
    CellSprite,
    Frame,
    Painter,
    PanelState,
    Sign,
    draw_sprite,
    visible_cells,
)
from demine.classic.layout import Layout
from demine.classic.sound import Speaker
from demine.classic.text import Page
from demine.logic.errors import DemineError
from demine.play.controller import Changes, Controller
from demine.scene.key_bindings import DESCRIPTIONS, WITH_DIALOGS, Command, key_label
from demine.scene.mouse_automaton import Button
from demine.scene.panel_faces_and_digits import led_text
from demine.scene.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Future

    from demine.classic.window import Window
    from demine.play.game_session import GameSession
    from demine.scene.board_geometry import View
    from demine.scene.key_bindings import KeyMap
    from demine.scene.mouse_automaton import Cell
    from demine.scene.preferences import Preferences

Point = tuple[int, int]

ABSENT: Final = WITH_DIALOGS | {
    Command.HINT, Command.CHANCES, Command.PROVE,
    Command.DAILY, Command.RESULT, Command.SHARE, Command.OPEN_SHARE,
    Command.ZOOM_IN, Command.ZOOM_OUT, Command.ZOOM_RESET,
}  # fmt: skip
"""The commands that this scene leaves to the desktop's."""

_BUTTONS: Final = {1: Button.LEFT, 2: Button.MIDDLE, 3: Button.RIGHT}
"""The buttons that mean something, by pygame's numbers."""
_SCROLLING: Final = {Command.UP: -1, Command.DOWN: 1, Command.HOME: -1000, Command.END: 1000}
"""By how many lines keys scroll a page."""
_KEEPS_PAGE: Final = (Command.LANGUAGE, Command.THEME, Command.PALETTE, Command.FULLSCREEN)
"""What changes how a page looks, and leaves it open."""


class Scene:
    """One player at one window. Events come in by the methods below; `draw` brings them out."""

    def __init__(
        self,
        window: Window,
        session: GameSession,
        preferences: Preferences,
        keys: KeyMap,
        screen: Point,
        ask: Callable[..., Future[object]],
    ) -> None:
        self.closed = False
        self._window, self._keys, self._screen = window, keys, screen
        self._painter = Painter(draw_sprite)
        self._page: Page | None = None
        self._on_board = False
        """Whether the pointer was on the board when it was heard of last."""
        self._face_down = False
        """Whether a press of the restart face waits for its release."""
        self._pointer: Point | None = None
        self._controller = Controller(
            session,
            preferences,
            ask=_boards_only(ask),
            wake=window.wake,
            changed=self._follow,
            speaker=Speaker,
        )
        self._commands: dict[Command, Callable[[], object]] = {
            Command.FULLSCREEN: self.toggle_fullscreen,
            Command.HELP: self._open_help,
            Command.QUIT: self.close,
        }
        self._show_board()

    # Out

    def draw(self) -> None:
        """Bring what changed to the screen."""
        self._window.present(self._painter.paint(self._window.surface, self.frame()))

    def frame(self) -> Frame:
        """Return all that the window shows now."""
        shown, layout = self._controller.frame(), self._layout
        rows, cols = layout.view.visible_rows_and_cols()
        part = slice(rows.start, rows.stop), slice(cols.start, cols.stop)
        faces, looks = shown.faces[part].ravel(), self._controller.looks[part].ravel()
        styles = map(CellSprite, faces.tolist(), looks.tolist())
        cells = dict(zip(visible_cells(layout), styles, strict=True))
        for marked, sign in ((shown.start, Sign.START), (shown.cursor, Sign.CURSOR)):
            if marked is not None and marked in cells:
                cells[marked] = cells[marked]._replace(sign=sign)
        mines = led_text(shown.panel.mines_left, shown.mine_digits)
        seconds = led_text(shown.panel.seconds, max(3, len(str(shown.panel.seconds))))
        tail = tr("… (F1)") if shown.trouble else "…"
        panel = PanelState(mines, seconds, shown.panel.mood, shown.line(shown.hint), tail)
        return Frame(self._controller.theme, layout, panel, cells, self._page)

    def patience(self) -> float:
        """Return how many seconds may pass before the picture changes by itself."""
        return self._controller.patience()

    def tick(self) -> None:
        """Let the clock go on and be kept, and take up a board that was laid."""
        self._controller.tick(hidden=self._page is not None)

    # The window

    def _follow(self, changes: Changes) -> None:
        """Show what another game or the cursor calls for."""
        view, game = self._layout.view, self._controller.session.game
        if changes.game and (view.rows, view.cols) != game.rules.shape:
            self._show_board()
        elif changes.game and self._controller.start is not None:
            self._look(view.bringing_into_view(*self._controller.start))
        if changes.cursor and self._controller.cursor is not None:
            self._look(self._layout.view.bringing_into_view(*self._controller.cursor))

    def _show_board(self) -> None:
        """Give the board a window of its size, or the place that there is."""
        shape = self._controller.session.game.rules.shape
        if self._window.free:
            layout = Layout.opening(shape, self._controller.preferences.cell, self._screen)
            self._window.show(layout.size)
        else:
            layout = Layout.fit(self._window.surface.get_size(), shape)
        self._layout = layout
        self._look(layout.view.initially_centred_on(self._controller.last_cell))

    def _look(self, view: View) -> None:
        """Look at the board so; other cells may be under the pointer then."""
        if view != self._layout.view:
            self._layout = replace(self._layout, view=view)
            self._controller.move(self._cell_at(self._pointer))

    def resized(self) -> None:
        """Follow the size of the window."""
        size = self._window.surface.get_size()
        if size != self._layout.size:
            self._layout = self._layout.resized(size)
            self._scroll_page(0)

    def exposed(self) -> None:
        """Draw everything anew."""
        self._painter.forget()

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the window."""
        self._window.toggle_fullscreen()
        self.resized()
        self.exposed()

    def close(self) -> None:
        """Leave; an unfinished game goes on at the next start."""
        self.closed = True

    def last_picture(self) -> pygame.Surface:
        """Return the picture that the next start begins with; the scene ends with this.

        A finished game is followed by a new one of its rules, as if the face had been pressed.
        """
        self._controller.leave(finish=True)
        self._controller.session.close()
        shape = self._controller.session.game.rules.shape
        layout = Layout.opening(shape, self._controller.preferences.cell, self._screen)
        view = layout.view.initially_centred_on(self._controller.last_cell)
        self._layout, self._page = replace(layout, view=view), None
        picture = pygame.Surface(layout.size)
        Painter(draw_sprite).paint(picture, self.frame())
        return picture

    # In: the mouse

    def _cell_at(self, at: Point | None) -> Cell | None:
        return None if at is None or self._page is not None else self._layout.view.cell_at(*at)

    def press(self, number: int, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """Take a mouse button that comes down."""
        button = _BUTTONS.get(number)
        if button is None or self._page is not None:
            self._page = self._page if button is None else None
            return
        self._pointer = at
        if button is Button.LEFT and self._layout.face.contains(*at):
            self._hold_face(held=True)
            return
        cell, point = self._cell_at(at), self._layout.view.to_field_pixels(*at)
        self._controller.press(button, cell, point, shift=shift, ctrl=ctrl)

    def release(self, number: int, at: Point) -> None:
        """Take a mouse button that goes up."""
        button = _BUTTONS.get(number)
        if button is None:
            return
        self._pointer = at
        if self._face_down and button is Button.LEFT:
            self._hold_face(held=False)
            if self._layout.face.contains(*at):
                self._controller.new()
            return
        self._controller.release(button, self._cell_at(at), self._layout.view.to_field_pixels(*at))

    def move(self, at: Point | None) -> None:
        """Follow the pointer, which may leave the window."""
        self._pointer, cell = at, self._cell_at(at)
        # Ways beside the board are nobody's business, but leaving it ends a preview.
        recorded = at is not None and (cell is not None or self._on_board)
        self._on_board = cell is not None
        if self._face_down:
            self._controller.hold_face(at is not None and self._layout.face.contains(*at))
        point = self._layout.view.to_field_pixels(*at) if at is not None and recorded else None
        self._controller.move(cell, point)

    def wheel(self, x: int, y: int, *, shift: bool = False) -> None:
        """Scroll the board, with Shift sideways, or the page."""
        if self._page is not None:
            self._scroll_page(-y)
            return
        step = self._layout.view.cell * 2
        x, y = (-y, 0) if shift else (x, y)
        self._look(self._layout.view.panned(-x * step, y * step))

    def lost_focus(self) -> None:
        """Drop what was begun: nobody will hear how it ends."""
        self._face_down = False
        self._controller.let_go(lost=True)

    def _hold_face(self, *, held: bool) -> None:
        self._face_down = held
        self._controller.hold_face(held)

    # In: the keys

    def key(self, command: Command) -> None:
        """Do what a key asks for."""
        self._controller.age_news()
        if self._page is not None:
            self._key_on_page(command)
        elif command in ABSENT:
            self._controller.say(tr("Only in the desktop scene"))
        else:
            self._do(command)

    def _do(self, command: Command) -> None:
        if command is Command.CANCEL:
            self._face_down = False
        if not self._controller.do(command):
            self._commands[command]()

    def _key_on_page(self, command: Command) -> None:
        if command in _SCROLLING:
            self._scroll_page(_SCROLLING[command])
            return
        self._page = None
        if command in (*_KEEPS_PAGE, Command.QUIT):
            self._do(command)
        if command in _KEEPS_PAGE:
            self._open_help()

    # Pages

    def show_page(self, title: str, rows: Sequence[tuple[str, str]]) -> None:
        """Cover the board with a page of text."""
        self._controller.let_go()
        if self._page is None or self._page.rows != tuple(rows):
            self._page = Page(title, tuple(rows))

    def _open_help(self) -> None:
        self.show_page(tr("Keys"), help_rows(self._keys, self._controller.news.troubles))

    def _scroll_page(self, lines: int) -> None:
        if self._page is not None:
            self._page = self._page.scrolled(lines, self._layout.page)


def _boards_only(ask: Callable[..., Future[object]]) -> Callable[..., Future[object]]:
    """Return how the solver is asked to lay boards, and for no hints, which nobody would see."""

    def ask_for_board(name: str, /, *args: object, **kwargs: object) -> Future[object]:
        if name != "make":
            raise DemineError(mark("Only in the desktop scene"))
        return ask(name, *args, **kwargs)

    return ask_for_board


def help_rows(keys: KeyMap, troubles: Sequence[str]) -> list[tuple[str, str]]:
    """Return troubles in full, for which the line of words is too short, and what the keys do."""

    def rows(commands: Iterable[Command]) -> list[tuple[str, str]]:
        return [
            ("  ".join(map(key_label, keys.keys(each))), tr(DESCRIPTIONS[each]))
            for each in commands
            if keys.keys(each)
        ]

    here = rows(each for each in Command if each not in ABSENT)
    elsewhere = rows(each for each in Command if each in ABSENT)
    heading = [("", ""), ("", tr("Only in the desktop scene"))]
    return [*(("!", trouble) for trouble in troubles), *here, *heading, *elsewhere]
