"""The classic scene: what the hand does becomes acts, what the game is becomes a shot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pygame

from demine.classic.advice import Advice
from demine.classic.buttons import BUTTONS
from demine.classic.camera import Camera
from demine.classic.clipboard import open_shared, share, share_result
from demine.classic.help import page_of_daily, page_of_keys, scrolled
from demine.classic.paint import Painter
from demine.classic.shot import Page, Shot, visible
from demine.classic.sound import Speaker
from demine.classic.switches import Switches
from demine.play.hand import Hand
from demine.scene.key_bindings import WITH_DIALOGS, Command
from demine.scene.preferences import LEVELS
from demine.scene.sight import last_seen, sight
from demine.scene.sounds import sound_of
from demine.scene.status_line import News, line
from demine.scene.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from demine.classic.window import Window
    from demine.play.session import Session
    from demine.scene.key_bindings import KeyMap
    from demine.scene.preferences import Preferences

Point = tuple[int, int]

_LOOKS: Final = (
    Command.LANGUAGE, Command.THEME, Command.PALETTE, Command.FULLSCREEN,
)  # fmt: skip
"""What changes how a page looks, and leaves it open."""


class Scene(Hand):
    """One player at one window. Events come in by the methods below; `draw` brings them out."""

    _elsewhere = WITH_DIALOGS
    _switches: Switches

    def __init__(
        self,
        window: Window,
        session: Session,
        preferences: Preferences,
        keys: KeyMap,
        screen: Point,
        ask: Callable[..., Future[object]],
    ) -> None:
        self._window = window
        self._keys = keys
        self._painter = Painter()
        self._speaker = Speaker(preferences.sound)
        self._page: Page | None = None
        self._advice = Advice(session, ask, window.stir)
        news = News()
        switches = Switches(preferences, session, self._speaker, news)
        super().__init__(session, news, self._advice.paced, switches)
        self._camera = Camera(window, screen)
        game = session.game
        self._camera.show(game.rules.shape, preferences.cell, last_seen(game))

    def _cell_at(self, at: Point) -> tuple[int, int] | None:
        return None if self._page is not None else self._camera.view.cell_at(*at)

    def _board_point(self, at: Point) -> Point:
        return self._camera.view.board_point(*at)

    def _on_face(self, at: Point) -> bool:
        return self._camera.stage.face.holds(*at)

    def _bring(self, cell: tuple[int, int]) -> None:
        self._camera.turn_to(cell)

    def _spread(self, shape: tuple[int, int]) -> None:
        self._camera.show(shape, self._switches.preferences.cell)

    def _played(self, opened: int, flags: int) -> None:
        self._speaker.play(sound_of(self._session.game, opened, flags))

    # Out

    def draw(self) -> None:
        """Bring what changed to the glass."""
        shot = self._shot()
        self._window.present(self._painter.paint(self._window.surface, shot))

    def parting(self) -> pygame.Surface:
        """Return the picture that the next start begins with; the scene ends with this.

        A finished game is followed by a new one of its rules, as if the face had been pressed.
        """
        if self._session.game.status.over:
            self._session.new(self._session.next_rules(self._switches.preferences))
            self._faces = sight(self._session.game)
        self._session.close()
        self._advice.paced.leave()
        self._mouse.cancel(lost=True)
        self._page, self._cursor_shown, self._face_held = None, False, False
        self._news = News()
        game = self._session.game
        picture = pygame.Surface(
            self._camera.begin(game.rules.shape, self._switches.preferences.cell, last_seen(game))
        )
        Painter().paint(picture, self._shot())
        return picture

    def rest(self) -> None:
        """Keep the game as it is now, for the window is about to close."""
        self._session.close()

    def say_parting(self, said: Sequence[str]) -> None:
        """Show what keeps the window from closing."""
        rows = tuple(("!", text) for text in said if text)
        if self._page is None or self._page.rows != rows:
            self._open(Page(tr("Saving games"), rows))

    def tick(self) -> None:
        """Let the clock be stored once a second, and tell of trouble, one at a time."""
        self._session.tick()
        opened, flags = self._session.game.board.opened, self._session.game.board.flags
        if self._advice.paced.tick(hidden=self._page is not None):
            self._look()
            cell = self._advice.hints.overlay.target
            if cell is not None:
                self._camera.turn_to(cell)
            if self._session.game.board.opened > opened:
                self._played(opened, flags)
        self._tell_trouble()

    def _shot(self) -> Shot:
        game, shown = self._session.game, self._panel()
        said, title, note = self._advice.placed(self._camera)
        faces, dress, advice = visible(
            self._faces, self._camera.view, self._mouse.pressed, self._advice.hints.overlay
        )
        return Shot(
            faces=faces,
            looks=dress,
            advice=advice,
            cursor=self._cursor if self._cursor_shown else None,
            start=None if game.begun else game.start,
            panel=shown,
            mine_lamps=max(3, len(str(game.rules.mines))),
            line=line(tr(shown.message), self._told(), self._news.text or said, title),
            tail=tr("… (F1)") if self._news.trouble else "…",
            note=note,
            theme=self._switches.theme,
            stage=self._camera.stage,
            view=self._camera.view,
            page=self._page,
        )

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
        if self._camera.view.chosen():
            self._switches.keep(cell=self._camera.view.cell)
        self._look_again()

    # In: the mouse

    def press(self, number: int, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """A mouse button comes down."""
        button = BUTTONS.get(number)
        if button is None:
            return
        self._news.heard()
        if self._page is not None:
            self._page = None
        else:
            self._down(button, at, shift=shift, ctrl=ctrl)

    def release(self, number: int, at: Point) -> None:
        """A mouse button goes up."""
        button = BUTTONS.get(number)
        if button is not None:
            self._up(button, at)

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

    # In: the keys

    def key(self, command: Command) -> None:
        """A key asks for something."""
        self._news.heard()
        if self._page is not None:
            self._key_on_page(self._page, command)
        else:
            self._do(command)

    def _key_on_page(self, page: Page, command: Command) -> None:
        steps = {Command.UP: -1, Command.DOWN: 1, Command.HOME: -1000, Command.END: 1000}
        if command in steps:
            self._scroll(steps[command])
            return
        self._page = None
        if page.daily and command in LEVELS:
            self._games.daily(command)
        elif command in (*_LOOKS, Command.RESULT, Command.QUIT):
            self._do(command)
        if command in _LOOKS:
            self._do(Command.DAILY if page.daily else Command.HELP)

    def _scroll(self, rows: int) -> None:
        if self._page is not None:
            self._page = scrolled(self._page, rows, self._camera.stage.page)

    # Commands

    def _deeds(self) -> dict[Command, Callable[[], object]]:
        return super()._deeds() | {
            Command.DAILY: lambda: self._open(page_of_daily(self._session, self._keys)),
            Command.RESULT: lambda: self._news.say(share_result(self._session)),
            Command.SHARE: lambda: self._news.say(share(self._session)),
            Command.OPEN_SHARE: self._open_share,
            Command.ZOOM_IN: lambda: self._zoom(1),
            Command.ZOOM_OUT: lambda: self._zoom(-1),
            Command.ZOOM_RESET: self._zoom_reset,
            Command.SOUND: self._switches.toggle_sound,
            Command.FULLSCREEN: self.toggle_fullscreen,
            Command.HELP: self._open_help,
        }

    def _open_share(self) -> None:
        """Begin the board whose share code is in the clipboard."""
        trouble = open_shared(self._games)
        if trouble:
            self._news.say(trouble)

    def _zoom_reset(self) -> None:
        self._switches.keep(cell=0)
        self._camera.show(self._session.game.rules.shape, 0)
        self._look_again()

    def _open_help(self) -> None:
        self._open(page_of_keys(self._keys, [*self._news.troubles, *self._advice.paced.notes()]))

    def _open(self, page: Page) -> None:
        self._mouse.cancel()
        self._page = page
