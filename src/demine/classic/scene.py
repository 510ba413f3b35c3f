"""The classic scene: what the hand does becomes acts, what the game is becomes a shot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pygame

from demine.classic.camera import Camera
from demine.classic.help import page_of_keys, scrolled
from demine.classic.news import News, line
from demine.classic.paint import Painter
from demine.classic.shot import Page, Shot, visible
from demine.classic.sound import Speaker
from demine.classic.switches import Switches
from demine.logic.game import Status
from demine.logic.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules
from demine.scene.cursor import MOVES, intention, next_cell
from demine.scene.keys import WITH_DIALOGS, Command
from demine.scene.messages import explain, tr
from demine.scene.mouse import Button, Mouse, Options
from demine.scene.panel import panel
from demine.scene.sight import sight
from demine.scene.sound import sound_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from demine.classic.window import Window
    from demine.logic.event import Action, Verb
    from demine.scene.keys import KeyMap
    from demine.scene.mouse import Intention
    from demine.scene.wishes import Preferences
    from demine.store.sitting import Sitting

Point = tuple[int, int]

_BUTTONS: Final = {1: Button.LEFT, 2: Button.MIDDLE, 3: Button.RIGHT}
_LEVELS: Final = {
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
        keys: KeyMap,
        screen: Point,
    ) -> None:
        self._window = window
        self._keys = keys
        self._sitting = sitting
        self._painter = Painter()
        self._speaker = Speaker(preferences.sound)
        self._mouse = Mouse(
            Options(questions=preferences.questions, left_chords=preferences.left_chord)
        )
        self._pointer: Point | None = None
        self._cursor: tuple[int, int] | None = None
        self._cursor_shown = False
        self._page: Page | None = None
        self._face_held = False
        self._seen_on_board = False
        self._news = News()
        self._switches = Switches(preferences, sitting, self._speaker, self._news)
        self.closed = False
        self._faces = sight(sitting.game)
        self._camera = Camera(window, screen)
        self._camera.show(sitting.game.rules.shape, preferences.cell)

    # Out

    def draw(self) -> None:
        """Bring what changed to the glass."""
        shot = self._shot()
        self._window.present(self._painter.paint(self._window.surface, shot))

    def parting(self) -> pygame.Surface:
        """Return the picture that the next start begins with; the scene ends with this.

        A finished game is followed by a new one of its rules, as if the face had been pressed.
        """
        if self._sitting.game.status.over:
            self._sitting.new(self._sitting.game.rules)
            self._faces = sight(self._sitting.game)
        self._sitting.close()
        self._mouse.cancel(lost=True)
        self._page, self._cursor_shown, self._face_held = None, False, False
        self._news = News()
        game = self._sitting.game
        picture = pygame.Surface(
            self._camera.begin(game.rules.shape, self._switches.preferences.cell)
        )
        Painter().paint(picture, self._shot())
        return picture

    def patience(self) -> float:
        """Return how many seconds may pass before the picture changes by itself."""
        return min(self._sitting.until_next_second(), self._news.patience())

    def tick(self) -> None:
        """Let the clock be stored once a second, and tell of trouble, one at a time."""
        self._sitting.tick()
        if self._sitting.troubles and not self._news.trouble:
            self._news.tell(explain(self._sitting.troubles.pop(0)))

    def _shot(self) -> Shot:
        game = self._sitting.game
        shown = panel(
            game,
            self._sitting.clock_ms,
            pressed_face=self._face_held and self._on_face(self._pointer),
            holding=self._mouse.holding,
        )
        news = self._news.text
        faces, dress = visible(self._faces, self._camera.view, self._mouse.pressed)
        return Shot(
            faces=faces,
            looks=dress,
            cursor=self._cursor if self._cursor_shown else None,
            start=None if game.begun else game.start,
            panel=shown,
            mine_lamps=max(3, len(str(game.rules.mines))),
            line=line(tr(shown.message), self._told(), news, self._sitting.title()),
            tail=tr("… (F1)") if self._news.trouble else "…",
            theme=self._switches.theme,
            stage=self._camera.stage,
            view=self._camera.view,
            page=self._page,
        )

    def _told(self) -> str:
        if self._sitting.game.status is Status.PAUSED:
            return tr("P or a click goes on")
        return self._sitting.verdict()

    # The window

    def resized(self) -> None:
        """The window has another size."""
        self._camera.resized()
        if self._page is not None:
            self._scroll(0)

    def exposed(self) -> None:
        """The glass was lost."""
        self._painter.forget()

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or return to the window."""
        self._camera.toggle_fullscreen()
        self._painter.forget()

    def _zoom(self, steps: int, at: Point | None = None) -> None:
        self._camera.zoom(steps, at)
        self._switches.keep(cell=self._camera.view.cell)
        self._look_again()

    # In: the mouse

    def press(self, number: int, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """A mouse button comes down."""
        button = _BUTTONS.get(number)
        if button is None:
            return
        self._news.heard()
        if self._page is not None:
            self._page = None
            return
        cell = self._camera.view.cell_at(*at)
        self._pointer, self._cursor_shown = at, False
        self._cursor = cell or self._cursor
        if button is Button.LEFT and self._on_face(at):
            self._face_held = True
            return
        if self._sitting.game.status is Status.PAUSED:
            self._pause()
            return
        self._touch(_with_modifier(button, shift=shift, ctrl=ctrl), "press", at)
        self._play_all(self._mouse.press(button, cell, self._faces, shift=shift, ctrl=ctrl))

    def release(self, number: int, at: Point) -> None:
        """A mouse button goes up."""
        button = _BUTTONS.get(number)
        if button is None:
            return
        self._pointer = at
        if self._face_held and button is Button.LEFT:
            self._face_held = False
            if self._on_face(at):
                self._new()
            return
        self._touch(button.value, "release", at)
        cell = self._camera.view.cell_at(*at)
        self._play_all(self._mouse.release(button, cell, self._faces))

    def move(self, at: Point | None) -> None:
        """The pointer moves, or leaves the window."""
        self._pointer = at
        cell = None if at is None else self._camera.view.cell_at(*at)
        # Ways beside the board are nobody's business, but leaving it ends a preview.
        if at is not None and (cell or self._seen_on_board):
            self._touch("", "move", at)
        self._seen_on_board = cell is not None
        self._play_all(self._mouse.move(cell, self._faces))

    def wheel(self, x: int, y: int, *, shift: bool = False, ctrl: bool = False) -> None:
        """The wheel turns: it scrolls, zooms with Ctrl, and goes sideways with Shift."""
        if self._page is not None:
            self._scroll(-y)
        elif ctrl:
            self._zoom(y, self._pointer)
        else:
            if shift:
                x, y = -y, 0
            step = self._camera.view.cell * 2
            self._camera.pan(-x * step, y * step)
            self._look_again()

    def lost_focus(self) -> None:
        """The window stopped listening: what the hand had begun is dropped."""
        self._mouse.cancel(lost=True)
        self._face_held = False

    def _on_face(self, at: Point | None) -> bool:
        return at is not None and self._camera.stage.face.holds(*at)

    def _touch(self, button: str, action: Action, at: Point) -> None:
        self._sitting.touch(button, action, *self._camera.view.board_point(*at))

    # In: the keys

    def key(self, command: Command) -> None:
        """A key asks for something."""
        self._news.heard()
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
            self._open_help()
        else:
            self._page = None

    def _scroll(self, rows: int) -> None:
        if self._page is not None:
            self._page = scrolled(self._page, rows, self._camera.stage.page)

    def _do(self, command: Command) -> None:
        if command in _LEVELS:
            self._begin(_LEVELS[command])
        elif command in MOVES:
            self._move_cursor(command)
        elif command in (Command.HOVER_ACT, Command.HOVER_FLAG):
            cell = None if self._pointer is None else self._camera.view.cell_at(*self._pointer)
            self._act_at(cell, command)
        elif command in (Command.ACT, Command.FLAG, Command.CHORD, Command.QUESTION):
            self._act_at_cursor(command)
        elif command not in WITH_DIALOGS:
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
            Command.THEME: self._switches.next_theme,
            Command.LANGUAGE: self._switches.next_language,
            Command.SOUND: self._switches.toggle_sound,
            Command.FULLSCREEN: self.toggle_fullscreen,
            Command.HELP: self._open_help,
            Command.CANCEL: self._cancel,
            Command.QUIT: self.close,
        }

    def _move_cursor(self, command: Command) -> None:
        self._cursor = next_cell(self._faces, self._cursor, command)
        self._cursor_shown = True
        self._camera.follow(self._cursor)
        self._look_again()

    def _act_at_cursor(self, command: Command) -> None:
        """Act at the cursor; where none is seen, show it first: nobody acts at a cell unseen."""
        if self._sitting.game.status is not Status.PAUSED and not self._cursor_shown:
            self._cursor = self._cursor or next_cell(self._faces, None, Command.UP)
            self._cursor_shown = True
            self._camera.follow(self._cursor)
            return
        self._act_at(self._cursor, command)

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
        self._switches.keep(rules=str(rules))
        self._changed_game(shape)

    def _again(self) -> None:
        self._sitting.again()
        self._changed_game(self._sitting.game.rules.shape)

    def _changed_game(self, shape_before: tuple[int, int]) -> None:
        self._mouse.cancel()
        shape = self._sitting.game.rules.shape
        self._faces = sight(self._sitting.game)
        if shape != shape_before:
            self._cursor, self._cursor_shown = None, False
            self._camera.show(shape, self._switches.preferences.cell)
        self._look_again()

    def _undo(self) -> None:
        self._sitting.undo()
        self._look()

    def _pause(self) -> None:
        self._mouse.cancel()
        self._sitting.toggle_pause()
        self._look()

    def _cancel(self) -> None:
        self._mouse.cancel()
        self._face_held = False

    def _zoom_reset(self) -> None:
        self._switches.keep(cell=0)
        self._camera.show(self._sitting.game.rules.shape, 0)
        self._look_again()

    def _open_help(self) -> None:
        self._mouse.cancel()
        self._page = page_of_keys(self._keys, self._news.troubles)

    def close(self) -> None:
        """Leave; an unfinished game goes on at the next start."""
        self.closed = True

    # The game

    def _play_all(self, asked: Sequence[Intention]) -> None:
        for verb, row, col in asked:
            self._play(verb, row, col)

    def _play(self, verb: Verb, row: int, col: int) -> None:
        game = self._sitting.game
        opened, flags = game.board.opened, game.board.flags
        if not self._sitting.play(verb, row, col):
            refusal = self._sitting.refusal
            if refusal is not None and not game.begun:
                self._news.say(explain(refusal))
            return
        self._look()
        self._speaker.play(sound_of(game, opened, flags))

    def _look(self) -> None:
        """Take the faces anew, and let the preview follow them."""
        self._faces = sight(self._sitting.game)
        self._look_again()

    def _look_again(self) -> None:
        """Other cells may be under the pointer now."""
        cell = None if self._pointer is None else self._camera.view.cell_at(*self._pointer)
        self._mouse.move(cell, self._faces)


def _with_modifier(button: Button, *, shift: bool, ctrl: bool) -> str:
    if button is Button.LEFT and (shift or ctrl):
        return "shift+left" if shift else "ctrl+left"
    return button.value
