"""The classic scene: what the hand does becomes acts, what the game is becomes a shot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pygame

from demine.classic.paint import Painter
from demine.classic.shot import Page, Shot
from demine.classic.sound import Sound, Speaker
from demine.classic.stage import Stage, first_size, fitting_cell
from demine.classic.words import lines_on_page, page_lines
from demine.logic.event import Verb
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.scene.cursor import MOVES, intention, next_cell
from demine.scene.geometry import Rect, View
from demine.scene.keys import DESCRIPTIONS, Command, label
from demine.scene.look import looks
from demine.scene.messages import explain, language, languages, set_language, tr
from demine.scene.mouse import Button, Mouse, Options
from demine.scene.panel import panel
from demine.scene.sight import sight
from demine.scene.theme import THEMES, theme
from demine.scene.wishes import key_map

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.classic.window import Window
    from demine.logic.event import Action
    from demine.scene.mouse import Intention
    from demine.scene.wishes import Preferences
    from demine.store.sitting import Sitting

Point = tuple[int, int]

_BUTTONS = {1: Button.LEFT, 2: Button.MIDDLE, 3: Button.RIGHT}
_LEVELS = {
    Command.BEGINNER: BEGINNER,
    Command.INTERMEDIATE: INTERMEDIATE,
    Command.EXPERT: EXPERT,
}


class Scene:
    """One player at one window. Events come in by the methods below; `draw` brings them out."""

    def __init__(
        self,
        window: Window,
        sitting: Sitting,
        preferences: Preferences,
        screen: Point,
    ) -> None:
        self._window = window
        self._sitting = sitting
        self._preferences = preferences
        self._screen = screen
        self._painter = Painter()
        self._speaker = Speaker(preferences.sound)
        self._mouse = Mouse(
            Options(questions=preferences.questions, left_chords=preferences.left_chord)
        )
        self._keys = key_map(preferences.keys)
        self._theme = theme(preferences.theme)
        self._pointer: Point | None = None
        self._cursor: tuple[int, int] | None = None
        self._page: Page | None = None
        self._face_held = False
        self._news = ""
        self.closed = False
        self._faces = sight(sitting.game)
        self._open_window()

    # Out

    def draw(self) -> None:
        """Bring what changed to the glass."""
        shot = self._shot()
        self._window.present(self._painter.paint(self._window.surface, shot))

    def patience(self) -> float:
        """Return how many seconds may pass before the picture changes by itself."""
        return self._sitting.until_next_second()

    def tick(self) -> None:
        """Let the clock be stored once a second."""
        self._sitting.tick()
        if self._sitting.troubles:
            self._news = explain(self._sitting.troubles.pop())

    def _shot(self) -> Shot:
        game = self._sitting.game
        shown = panel(
            game,
            self._sitting.clock_ms,
            pressed_face=self._face_held,
            holding=self._mouse.holding,
        )
        return Shot(
            faces=self._faces,
            looks=looks(self._faces, self._mouse.pressed),
            cursor=self._cursor,
            start=None if game.begun else game.start,
            panel=shown,
            line=self._line(tr(shown.message)),
            theme=self._theme,
            stage=self._stage,
            view=self._view,
            page=self._page,
        )

    def _line(self, end: str) -> str:
        """Return the words in the panel: the end and what it means, news, or what is played."""
        told = self._sitting.verdict()
        if end and told:
            return f"{end} · {told}"
        return end or self._news or self._sitting.title()

    # The window

    def _open_window(self) -> None:
        shape = self._sitting.game.rules.shape
        cell = self._preferences.cell or fitting_cell(shape, self._screen)
        if not self._window.fullscreen:
            self._window.show(first_size(shape, cell, self._screen))
        self._place(cell)

    def _place(self, cell: int) -> None:
        self._stage = Stage.of(self._window.surface.get_size(), cell)
        self._view = View.at(self._sitting.game.rules.shape, self._stage.viewport, cell)

    def resized(self) -> None:
        """The window has another size: keep the cells, or keep fitting where they fitted."""
        shape, size = self._sitting.game.rules.shape, self._window.surface.get_size()
        stage = Stage.of(size, self._view.cell)
        if self._view.whole:
            cell = View.fit(shape, stage.viewport).cell
            stage = Stage.of(size, cell)
            self._view = View.fit(shape, stage.viewport)
        else:
            self._view = self._view.resized(stage.viewport)
        self._stage = Stage.of(size, self._view.cell)

    def exposed(self) -> None:
        """The glass was lost."""
        self._painter.forget()

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the window."""
        self._window.toggle_fullscreen()
        self._painter.forget()
        self._fit()

    def _fit(self) -> None:
        size, shape = self._window.surface.get_size(), self._sitting.game.rules.shape
        cell = View.fit(shape, Stage.of(size, 32).viewport).cell
        self._place(View.fit(shape, Stage.of(size, cell).viewport).cell)

    def _zoom(self, steps: int, at: Point | None = None) -> None:
        old = self._view
        cell = old.stepped(steps).cell
        if self._window.fullscreen or not old.whole:
            self._view = old.stepped(steps, *(at or ()))
            self._stage = Stage.of(self._window.surface.get_size(), self._view.cell)
            self._view = self._view.resized(self._stage.viewport)
        else:
            self._window.show(first_size(self._sitting.game.rules.shape, cell, self._screen))
            self._place(cell)
        self._remember(cell=self._view.cell)

    # In: the mouse

    def press(self, number: int, at: Point) -> None:
        """A mouse button comes down."""
        button = _BUTTONS.get(number)
        if button is None:
            return
        self._news = ""
        if self._page is not None:
            self._page = None
            return
        self._pointer, self._cursor = at, None
        if button is Button.LEFT and Rect(*self._stage.face).holds(*at):
            self._face_held = True
            return
        if self._sitting.game.status is Status.PAUSED:
            self._pause()
            return
        modifiers = pygame.key.get_mods()
        shift, ctrl = bool(modifiers & pygame.KMOD_SHIFT), bool(modifiers & pygame.KMOD_CTRL)
        self._touch(_with_modifier(button, shift=shift, ctrl=ctrl), "press", at)
        cell = self._view.cell_at(*at)
        self._play_all(self._mouse.press(button, cell, self._faces, shift=shift, ctrl=ctrl))

    def release(self, number: int, at: Point) -> None:
        """A mouse button goes up."""
        button = _BUTTONS.get(number)
        if button is None:
            return
        if self._face_held and button is Button.LEFT:
            self._face_held = False
            if Rect(*self._stage.face).holds(*at):
                self._new()
            return
        self._touch(button.value, "release", at)
        self._play_all(self._mouse.release(button, self._view.cell_at(*at), self._faces))

    def move(self, at: Point | None) -> None:
        """The pointer moves, or leaves the window."""
        self._pointer = at
        if at is not None:
            self._touch("", "move", at)
        cell = None if at is None else self._view.cell_at(*at)
        self._play_all(self._mouse.move(cell, self._faces))

    def wheel(self, x: int, y: int) -> None:
        """The wheel turns: it scrolls, zooms with Ctrl, and goes sideways with Shift."""
        modifiers = pygame.key.get_mods()
        if self._page is not None:
            self._scroll(-y)
        elif modifiers & pygame.KMOD_CTRL:
            self._zoom(y, self._pointer)
        else:
            if modifiers & pygame.KMOD_SHIFT:
                x, y = -y, 0
            step = self._view.cell * 2
            self._view = self._view.panned(-x * step, y * step)

    def lost_focus(self) -> None:
        """The window stopped listening: what the hand had begun is dropped."""
        self._mouse.cancel(lost=True)
        self._face_held = False

    def _touch(self, button: str, action: Action, at: Point) -> None:
        self._sitting.touch(button, action, *self._view.board_point(*at))

    # In: the keys

    def key(self, name: str) -> None:
        """A key comes down; `name` as `demine.scene.keys` spells it."""
        command = self._keys.lookup(name)
        if command is None:
            return
        self._news = ""
        if self._page is not None:
            self._key_on_page(command)
        else:
            self._do(command)

    def _key_on_page(self, command: Command) -> None:
        steps = {Command.UP: -1, Command.DOWN: 1, Command.HOME: -1000, Command.END: 1000}
        if command in steps:
            self._scroll(steps[command])
        elif command is Command.QUIT:
            self.close()
        elif command in (Command.LANGUAGE, Command.THEME, Command.FULLSCREEN):
            self._do(command)
            self._page = self._help()
        else:
            self._page = None

    def _scroll(self, rows: int) -> None:
        if self._page is not None:
            place = self._stage.page
            most = max(0, len(page_lines(self._page, place)) - lines_on_page(place))
            scroll = min(max(self._page.scroll + rows, 0), most)
            self._page = replace(self._page, scroll=scroll)

    def _do(self, command: Command) -> None:
        if command in _LEVELS:
            self._begin(_LEVELS[command])
        elif command in MOVES:
            self._move_cursor(command)
        elif command in (Command.HOVER_ACT, Command.HOVER_FLAG):
            cell = None if self._pointer is None else self._view.cell_at(*self._pointer)
            self._act_at(cell, command)
        elif command in (Command.ACT, Command.FLAG, Command.CHORD, Command.QUESTION):
            self._act_at(self._cursor, command)
        else:
            self._simple_commands()[command]()

    def _simple_commands(self) -> dict[Command, Callable[[], None]]:
        return {
            Command.NEW: self._new,
            Command.AGAIN: self._again,
            Command.UNDO: self._undo,
            Command.PAUSE: self._pause,
            Command.ZOOM_IN: lambda: self._zoom(1),
            Command.ZOOM_OUT: lambda: self._zoom(-1),
            Command.ZOOM_RESET: self._zoom_reset,
            Command.THEME: self._next_theme,
            Command.LANGUAGE: self._next_language,
            Command.SOUND: self._toggle_sound,
            Command.FULLSCREEN: self.toggle_fullscreen,
            Command.HELP: self._open_help,
            Command.CANCEL: self._mouse.cancel,
            Command.QUIT: self.close,
        }

    def _move_cursor(self, command: Command) -> None:
        self._cursor = next_cell(self._faces, self._cursor, command)
        self._view = self._view.scroll_to(*self._cursor)

    def _act_at(self, cell: tuple[int, int] | None, command: Command) -> None:
        if self._sitting.game.status is Status.PAUSED:
            self._pause()
            return
        if cell is None:
            return
        asked = intention(self._faces, cell, command)
        if asked is not None:
            self._play_all([asked])

    # Commands

    def _new(self) -> None:
        self._begin(self._sitting.game.rules)

    def _begin(self, rules: Rules) -> None:
        shape = self._sitting.game.rules.shape
        self._sitting.new(rules)
        self._remember(rules=str(rules))
        self._changed_game(shape)

    def _again(self) -> None:
        self._sitting.again()
        self._changed_game(self._sitting.game.rules.shape)

    def _changed_game(self, shape_before: tuple[int, int]) -> None:
        self._mouse.cancel()
        self._news = ""
        self._look()
        shape = self._sitting.game.rules.shape
        if shape == shape_before:
            return
        self._cursor = None
        if self._window.fullscreen:
            self._fit()
        else:
            self._open_window()

    def _undo(self) -> None:
        self._sitting.undo()
        self._look()

    def _pause(self) -> None:
        self._mouse.cancel()
        self._sitting.toggle_pause()
        self._look()

    def _zoom_reset(self) -> None:
        self._remember(cell=0)
        if self._window.fullscreen:
            self._fit()
        else:
            self._open_window()

    def _next_theme(self) -> None:
        names = list(THEMES)
        name = names[(names.index(self._theme.name) + 1) % len(names)]
        self._theme = theme(name)
        self._news = tr(self._theme.title)
        self._remember(theme=name)

    def _next_language(self) -> None:
        codes = list(languages())
        code = set_language(codes[(codes.index(language()) + 1) % len(codes)])
        self._news = languages()[code]
        self._remember(language=code)

    def _toggle_sound(self) -> None:
        self._speaker.on = not self._speaker.on
        self._news = tr("Sound on") if self._speaker.on else tr("Sound off")
        self._remember(sound=self._speaker.on)

    def _open_help(self) -> None:
        self._mouse.cancel()
        self._page = self._help()

    def _help(self) -> Page:
        rows = tuple(
            ("  ".join(label(key) for key in keys), tr(DESCRIPTIONS[command]))
            for command, keys in self._keys.items()
            if keys
        )
        return Page(tr("Keys"), rows, tr("Up and down scroll, Esc closes"))

    def close(self) -> None:
        """Leave; an unfinished game goes on at the next start."""
        self.closed = True

    def _remember(self, **changes: object) -> None:
        self._preferences = replace(self._preferences, **changes)  # type: ignore[arg-type]
        self._sitting.remember(changes)

    # The game

    def _play_all(self, asked: Sequence[Intention]) -> None:
        for verb, row, col in asked:
            self._play(verb, row, col)

    def _play(self, verb: Verb, row: int, col: int) -> None:
        game = self._sitting.game
        opened, flags = game.board.opened, game.board.flags
        if not self._sitting.play(verb, row, col):
            refusal = self._sitting.refusal
            self._news = explain(refusal) if refusal is not None and not game.begun else ""
            return
        self._look()
        self._speaker.play(_sound(self._sitting.game.status, opened, flags, self._sitting))

    def _look(self) -> None:
        """Take the faces anew, and let the preview follow them."""
        self._faces = sight(self._sitting.game)
        cell = None if self._pointer is None else self._view.cell_at(*self._pointer)
        self._mouse.move(cell, self._faces)


def _with_modifier(button: Button, *, shift: bool, ctrl: bool) -> str:
    if button is Button.LEFT and (shift or ctrl):
        return "shift+left" if shift else "ctrl+left"
    return button.value


def _sound(status: Status, opened: int, flags: int, sitting: Sitting) -> Sound:
    board = sitting.game.board
    if status.over:
        return Sound.WON if status is Status.WON else Sound.LOST
    if board.opened > opened:
        return Sound.OPENING if board.opened > opened + 1 else Sound.OPEN
    return Sound.FLAG if board.flags > flags else Sound.UNFLAG
