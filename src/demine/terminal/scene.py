"""The terminal scene: what the hand does becomes acts, what the game is becomes a shot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from demine.logic.rules import First
from demine.play.hand import Hand
from demine.play.hint_timer import HintTimer
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Button
from demine.scene.preferences import LEVELS
from demine.scene.sight import last_seen
from demine.scene.status_line import News, line
from demine.scene.translation import mark, tr
from demine.terminal.clipboard import open_shared, share, share_result
from demine.terminal.modal import Over
from demine.terminal.render import Shot, button_places, buttons, paint
from demine.terminal.screen_layout import Stage
from demine.terminal.setup_forms import settings_form, setup_form
from demine.terminal.styled_text import width
from demine.terminal.text_pages import (
    ELSEWHERE,
    TITLES,
    Page,
    page_of_daily,
    page_of_keys,
    page_of_records,
    page_of_statistics,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future

    from demine.logic.rules import Rules
    from demine.play.session import Session
    from demine.scene.key_bindings import KeyMap
    from demine.store import Store
    from demine.terminal.forms import Form
    from demine.terminal.preference_switches import Switches
    from demine.terminal.styled_text import Line

Point = tuple[int, int]

OWN_KEYS: Final = {"a": mark("Unicode or plain ASCII signs"), "o": mark("Settings")}
"""Keys that only a terminal needs, unless the player has bound them: few send Ctrl and a comma."""
_LOOKS: Final = (Command.LANGUAGE, Command.THEME, Command.PALETTE)
"""What changes how a page looks, and leaves it open."""
_WHEEL: Final = 2


class Scene(Hand):
    """One player at one terminal. Events come in by the methods below; `shot` says what is seen.

    `ask` and `wake` are those of `HintTimer`; `copy` puts a text into the clipboard, as far as a
    terminal can.
    """

    _elsewhere = ELSEWHERE
    _switches: Switches

    def __init__(
        self,
        store: Store,
        session: Session,
        switches: Callable[[News], Switches],
        ask: Callable[..., Future[object]],
        wake: Callable[[], object],
        copy: Callable[[str], object],
    ) -> None:
        self._store = store
        self._copy = copy
        self._over = Over()
        self._said = ""
        self._stage = Stage(80, 24, session.game.rules.shape)
        self._first_seen = last_seen(session.game)
        """Where the board is looked at first, until there is a size to look at it in."""
        news = News()
        super().__init__(session, news, HintTimer(session, ask, wake), switches(news))
        self._keys: KeyMap = self._switches.preferences.key_map()

    def _cell_at(self, at: Point) -> tuple[int, int] | None:
        return None if self._over else self._stage.cell_at(*at)

    def _board_point(self, at: Point) -> Point:
        return self._stage.board_point(*at)

    def _on_face(self, at: Point) -> bool:
        return not self._over and self._stage.on_face(*at)

    def _bring(self, cell: tuple[int, int]) -> None:
        self._stage = self._stage.following(cell)

    def _spread(self, shape: tuple[int, int]) -> None:
        self._stage = Stage(self._stage.cols, self._stage.rows, shape)

    def _played(self, opened: int, flags: int) -> None:
        """Nothing: a terminal is silent."""

    # Out

    def lines(self) -> list[Line]:
        """Return the lines of the screen."""
        return paint(self.shot())

    def shot(self) -> Shot:
        """Return what is seen now."""
        game, shown = self._session.game, self._panel()
        title = self._hints.title()
        note = self._said or self._paced.sentence()
        news = self._news.text or (note if not self._stage.note_rows else "")
        return Shot(
            stage=self._stage,
            dress=self._switches.dress,
            buttons=buttons(self._keys),
            panel=shown,
            mine_lamps=max(3, len(str(game.rules.mines))),
            line=line(tr(shown.message), self._told(), news, title),
            note=note,
            faces=self._faces,
            advice=self._hints.overlay,
            pressed=self._mouse.pressed,
            cursor=self._cursor if self._cursor_shown else None,
            start=None if game.begun else game.start,
            over=self._over.shown,
        )

    def tick(self) -> None:
        """Let the clock be stored once a second, and tell of trouble, one at a time."""
        self._session.tick()
        if self._paced.tick(hidden=bool(self._over)):
            self._look()
            self._show_advice()
        self._tell_trouble()

    def resized(self, cols: int, rows: int) -> None:
        """The terminal has another size."""
        self._stage = self._stage.resized(cols, rows)
        if self._first_seen is not None:
            self._stage, self._first_seen = self._stage.opened_on(self._first_seen), None
        if self._cursor is not None and self._cursor_shown:
            self._stage = self._stage.following(self._cursor)
        self._over.scroll(0, self._stage)
        self._pointer = None
        self._look_again()

    # In: the mouse

    def press(self, button: Button, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """A mouse button comes down."""
        self._heard()
        self._pointer = at
        command = self._button_at(at)
        if command is not None:
            self._over.close()
            self._do(command)
            return
        if self._over:
            self._over.click(*at, self._stage, back=button is Button.RIGHT)
            return
        self._down(button, at, shift=shift, ctrl=ctrl)

    def release(self, button: Button, at: Point) -> None:
        """A mouse button goes up."""
        self._up(button, at)

    def wheel(self, steps: int, *, sideways: bool = False) -> None:
        """The wheel turns: down and to the right are positive."""
        if self._over:
            self._over.scroll(steps, self._stage)
            return
        by = steps * _WHEEL
        self._stage = self._stage.moved(0, by) if sideways else self._stage.moved(by, 0)
        self._look_again()

    def _button_at(self, at: Point) -> Command | None:
        if at[1] != 0:
            return None
        places = button_places(self.shot())
        found = next((what for x, text, what in places if x <= at[0] < x + width(text)), None)
        return None if found is None else Command(found)

    # In: the keys

    def key(self, names: tuple[str, ...]) -> None:
        """A key comes down, known by any of its names."""
        self._heard()
        command = next(filter(None, map(self._keys.lookup, names)), None)
        if self._over and self._over.key(names, command, self._stage):
            return
        if command is not None:
            shown = self._shown()
            self._over.close()
            if shown is Command.DAILY and command in LEVELS:
                self._games.daily(command)
            elif command is not shown:  # the key that opened a page closes it
                self._do(command)
            if shown and command in _LOOKS:
                self._do(shown)
        elif not self._over and "a" in names:
            self._switches.toggle_ascii()
        elif not self._over and "o" in names:
            self._open_settings()

    def _shown(self) -> Command | None:
        """Return the command that opened what stands over the board."""
        over = self._over.shown
        return next((each for each in TITLES if over and over.title == tr(TITLES[each])), None)

    def paste(self, text: str) -> None:
        """A text is pasted: a share code opens its board."""
        self._heard()
        trouble = open_shared(self._games, text)
        if trouble:
            self._news.say(trouble)
        else:
            self._over.close()

    def _heard(self) -> None:
        self._news.heard()
        self._said = ""

    def _show_advice(self) -> None:
        """Scroll to what is advised, where it is not seen."""
        cell = self._hints.overlay.target
        if cell is not None and not self._stage.sees(cell):
            self._stage = self._stage.following(cell)
            self._look_again()

    # Commands

    def _deeds(self) -> dict[Command, Callable[[], object]]:
        return super()._deeds() | {
            Command.SETUP: self._open_setup,
            Command.SETTINGS: self._open_settings,
            Command.RECORDS: lambda: self._open(page_of_records(self._store)),
            Command.STATISTICS: self._open_statistics,
            Command.DAILY: lambda: self._open(page_of_daily(self._session, self._keys)),
            Command.RESULT: self._copy_result,
            Command.SHARE: self._copy_share,
            Command.OPEN_SHARE: self._ask_share,
            Command.HELP: self._open_help,
        }

    def _copy_share(self) -> None:
        told, self._said = share(self._session, self._keys, self._copy)
        self._news.say(told)

    def _copy_result(self) -> None:
        told, self._said = share_result(self._session, self._copy)
        self._news.say(told)

    def _ask_share(self) -> None:
        self._said = tr("Paste the share code into the terminal")

    def _open(self, over: Page | Form) -> None:
        self._mouse.cancel()
        self._over.shown = over

    def _open_help(self) -> None:
        own = {key: text for key, text in OWN_KEYS.items() if self._keys.lookup(key) is None}
        notes = [*self._news.troubles, *self._paced.notes()]
        self._open(page_of_keys(self._keys, own, notes))

    def _open_setup(self) -> None:
        chosen = self._switches.preferences
        self._open(setup_form(self._games.coming, chosen, self._begin))

    def _begin(self, rules: Rules) -> None:
        """Begin what was set up; whether it needs a guess is so for the levels too."""
        self._games.begin(rules)
        if rules.first is not First.ANY:
            self._switches.keep(guess_free=rules.guess_free)

    def _open_statistics(self) -> None:
        game = self._session.game
        if game.status.over:
            self._open(page_of_statistics(game))
        else:
            self._news.say(tr("Statistics come when the game is over"))

    def _open_settings(self) -> None:
        self._open(settings_form(self._switches, self._keep_settings))

    def _keep_settings(self, chosen: Mapping[str, object]) -> None:
        self._switches.keep_all(chosen)
        self._keys = self._switches.preferences.key_map()
        self._mouse.options = self._options()
