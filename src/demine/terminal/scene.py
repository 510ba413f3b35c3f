"""The terminal scene: keys and mouse go to the controller, its frame becomes lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from demine.logic.rules import First
from demine.play.controller import Controller
from demine.play.controller_output import Changes
from demine.play.mouse_input import MouseInput
from demine.scene.key_bindings import Command
from demine.scene.mouse_automaton import Button
from demine.scene.overlay import Overlay
from demine.scene.preferences import LEVELS
from demine.scene.translation import current_language, mark, set_language, tr
from demine.terminal.copy_and_paste import open_pasted_share_code, share_code_note
from demine.terminal.page_or_form_over_board import Modal
from demine.terminal.render import FrameState, render_lines, top_button_places, top_buttons
from demine.terminal.screen_layout import ScreenLayout
from demine.terminal.setup_forms import settings_form, setup_form
from demine.terminal.styled_text import width
from demine.terminal.terminal_theme import ASCII, TerminalTheme
from demine.terminal.text_pages import (
    ABSENT,
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
    from demine.play.game_session import GameSession
    from demine.scene.key_bindings import KeyMap
    from demine.scene.preferences import Preferences
    from demine.store import Store
    from demine.terminal.forms import Form
    from demine.terminal.styled_text import Line

Point = tuple[int, int]

OWN_KEYS: Final = {"a": mark("Unicode or plain ASCII signs"), "o": mark("Settings")}
"""Keys that only a terminal needs, unless the player has bound them: few send Ctrl and a comma."""
_LOOKS: Final = (Command.LANGUAGE, Command.THEME, Command.PALETTE)
"""What changes how a page looks, and leaves it open."""
_WHEEL: Final = 2


@dataclass(frozen=True, slots=True)
class Display:
    """What a terminal shows."""

    colours: int
    """How many colours it has."""
    ascii_only: bool
    """Whether signs are plain ASCII."""
    dark: bool
    """Whether its ground is."""


class Scene:
    """One player at one terminal. Events come in by the methods below; `lines` says what is seen.

    `ask` and `wake` are those of `Controller`; `copy` puts a text into the clipboard, as far as a
    terminal can.
    """

    def __init__(
        self,
        store: Store,
        session: GameSession,
        preferences: Preferences,
        ask: Callable[..., Future[object]],
        wake: Callable[[], object],
        copy: Callable[[str], object],
        display: Display,
    ) -> None:
        self.controller = Controller(
            session,
            preferences,
            ask=ask,
            wake=wake,
            changed=self._changed,
            dark=lambda: display.dark,
        )
        self.closed = False
        self._store = store
        self._copy = copy
        self._display = display
        self._modal = Modal()
        self._note = ""
        """What is said below the board, before what hints say."""
        self._pointer = MouseInput(self.controller, lambda: self._layout, lambda: bool(self._modal))
        self._layout = ScreenLayout(80, 24, session.game.rules.shape)
        self._first_seen = self.controller.last_acted_cell
        """Where the board is looked at first, until there is a size to look at it in."""
        self.controller.hints.follow_board()
        self._use_preferences()

    # Out

    def lines(self) -> list[Line]:
        """Return the lines of the screen."""
        return render_lines(self.frame_state())

    def frame_state(self) -> FrameState:
        """Return what is seen now."""
        frame = self.controller.frame()
        note = self._note or frame.hint
        return FrameState(
            layout=self._layout,
            theme=self._theme,
            buttons=top_buttons(self._keys),
            panel=frame.panel,
            mine_digits=frame.mine_digits,
            line=frame.line(note if not self._layout.note_rows else ""),
            note=note,
            faces=frame.faces,
            overlay=frame.overlay or Overlay.empty(frame.faces.shape),
            pressed=frame.pressed_cells,
            cursor=frame.cursor,
            start=frame.prescribed_start,
            modal_content=self._modal.content,
        )

    def tick(self) -> None:
        """Let the clock be stored once a second, and tell of trouble, one at a time."""
        self.controller.tick(board_hidden=bool(self._modal))

    def patience(self) -> float:
        """Return how many seconds may pass before the picture changes by itself."""
        return self.controller.seconds_until_redraw()

    def _changed(self, changes: Changes) -> None:
        """Take up what the controller tells of: which part is seen, and how it looks."""
        if changes.preferences:
            self._use_preferences()
        shown = [self.controller.cursor] if changes.cursor else []
        if changes.game:
            shape = self.controller.session.game.rules.shape
            if shape != self._layout.shape:
                self._layout = ScreenLayout(self._layout.cols, self._layout.rows, shape)
            shown.append(self.controller.prescribed_start)
        overlay = self.controller.hints.overlay if changes.hints else None
        if overlay is not None:
            shown.append(overlay.main_cell)
        for cell in shown:
            if cell is not None and not self._layout.shows_cell(cell):
                self._show_part(self._layout.scrolled_to(cell))

    def _use_preferences(self) -> None:
        self._keys: KeyMap = self.controller.preferences.key_map()
        self._theme = TerminalTheme(
            self.controller.theme,
            colours=self._display.colours,
            ascii_only=self._display.ascii_only,
        )

    def _show_part(self, layout: ScreenLayout) -> None:
        """Show another part of the board; another cell may be under the pointer then."""
        self._layout = layout
        self._pointer.update_cell_under_mouse()

    def resized(self, cols: int, rows: int) -> None:
        """The terminal has another size."""
        layout = self._layout.resized(cols, rows)
        if self._first_seen is not None:
            layout, self._first_seen = layout.initially_centred_on(self._first_seen), None
        if self.controller.cursor is not None:
            layout = layout.scrolled_to(self.controller.cursor)
        self._modal.scroll(0, layout)
        self._pointer.position = None
        self._show_part(layout)

    # In: the mouse

    def press(self, button: Button, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """A mouse button comes down."""
        self._age_news()
        self._pointer.position = at
        command = self._top_button_at(at)
        if command is not None:
            self._modal.close()
            self.do(command)
        elif self._modal:
            self._modal.handle_click(*at, self._layout, back=button is Button.RIGHT)
        else:
            self._pointer.press(button, at, shift=shift, ctrl=ctrl)

    def release(self, button: Button, at: Point) -> None:
        """A mouse button goes up."""
        self._pointer.release(button, at)

    def move(self, at: Point) -> None:
        """The pointer moves."""
        self._pointer.move(at)

    def wheel(self, steps: int, *, sideways: bool = False) -> None:
        """The wheel turns: down and to the right are positive."""
        if self._modal:
            self._modal.scroll(steps, self._layout)
            return
        by = steps * _WHEEL
        self._show_part(self._layout.scrolled(0, by) if sideways else self._layout.scrolled(by, 0))

    def _top_button_at(self, at: Point) -> Command | None:
        if at[1] != 0:
            return None
        places = top_button_places(self.frame_state())
        found = next((what for x, text, what in places if x <= at[0] < x + width(text)), None)
        return None if found is None else Command(found)

    def lost_focus(self) -> None:
        """The terminal is not listened to: what the mouse had begun is dropped."""
        self._pointer.cancel_presses(releases_lost=True)

    def close(self) -> None:
        """Leave; an unfinished game goes on at the next start."""
        self.closed = True

    # In: the keys

    def key(self, names: tuple[str, ...]) -> None:
        """A key comes down, known by any of its names."""
        self._age_news()
        command = next(filter(None, map(self._keys.lookup, names)), None)
        if self._modal and self._modal.handle_key(names, command, self._layout):
            return
        if command is not None:
            shown = self._open_page_command()
            self._modal.close()
            if shown is Command.DAILY and command in LEVELS:
                self.controller.resume_or_begin_todays_daily(command)
            elif command is not shown:  # the key that opened a page closes it
                self.do(command)
            if shown and command in _LOOKS:
                self.do(shown)
        elif not self._modal and "a" in names:
            self._toggle_ascii()
        elif not self._modal and "o" in names:
            self._open_settings()

    def _open_page_command(self) -> Command | None:
        """Return the command that opened what stands over the board."""
        over = self._modal.content
        return next((each for each in TITLES if over and over.title == tr(TITLES[each])), None)

    def paste(self, text: str) -> None:
        """A text is pasted: a share code opens its board."""
        self._age_news()
        trouble = open_pasted_share_code(self.controller, text)
        if trouble:
            self.controller.show_news(trouble)
        else:
            self._modal.close()

    def _age_news(self) -> None:
        self.controller.dismiss_old_news()
        self._note = ""

    # Commands

    def do(self, command: Command) -> None:
        """Carry out a command; those in `ABSENT` do nothing here."""
        self._pointer.update_cell_under_mouse()
        if not self.controller.run_command(command) and command not in ABSENT:
            self._actions[command]()

    @cached_property
    def _actions(self) -> Mapping[Command, Callable[[], object]]:
        return {
            Command.SETUP: self._open_setup,
            Command.SETTINGS: self._open_settings,
            Command.RECORDS: lambda: self._open_modal(page_of_records(self._store)),
            Command.STATISTICS: lambda: self._open_modal(page_of_statistics(self._session.game)),
            Command.DAILY: lambda: self._open_modal(page_of_daily(self._session, self._keys)),
            Command.RESULT: self._copy_result,
            Command.SHARE: self._copy_share,
            Command.OPEN_SHARE: self._ask_to_paste_share_code,
            Command.HELP: self._open_help,
            Command.QUIT: self.close,
        }

    @property
    def _session(self) -> GameSession:
        return self.controller.session

    def _copy_share(self) -> None:
        code = self.controller.share_code_to_copy()
        self._copy_text(code)
        self._note = share_code_note(code, self._keys)

    def _copy_result(self) -> None:
        self._note = self.controller.daily_result_to_copy()
        self._copy_text(self._note)

    def _copy_text(self, text: str) -> None:
        if text:
            self._copy(text)

    def _ask_to_paste_share_code(self) -> None:
        self._note = tr("Paste the share code into the terminal")

    def _open_modal(self, over: Page | Form) -> None:
        self.controller.mouse.cancel()
        self._modal.content = over

    def _open_help(self) -> None:
        own = {key: text for key, text in OWN_KEYS.items() if self._keys.lookup(key) is None}
        notes = [*self.controller.news.troubles, *self.controller.hints.detailed_notes()]
        self._open_modal(page_of_keys(self._keys, own, notes))

    def _open_setup(self) -> None:
        chosen = self.controller.preferences
        self._open_modal(
            setup_form(self.controller.rules_of_next_game, chosen, self._begin_set_up_game)
        )

    def _begin_set_up_game(self, rules: Rules) -> None:
        """Begin what was set up; whether it needs a guess is so for the levels too."""
        self.controller.begin_game(rules)
        if rules.first is not First.ANY:
            self.controller.save_preferences(guess_free=rules.guess_free)

    def _open_settings(self) -> None:
        form = settings_form(
            self.controller.preferences, self._display.ascii_only, self._keep_form_values
        )
        self._open_modal(form)

    def _keep_form_values(self, chosen: Mapping[str, object]) -> None:
        """Keep what a form says, where it differs from what was."""
        now = {
            **self.controller.preferences.as_settings(),
            ASCII: self._display.ascii_only,
            "language": current_language(),
        }
        changes = {name: value for name, value in chosen.items() if now.get(name) != value}
        if "language" in changes:
            set_language(str(changes["language"]))
        if changes:
            self._keep_choices(**changes)

    def _keep_choices(self, /, **changes: object) -> None:
        """Keep choices, by the names of `Preferences`, and `ascii`."""
        ascii_only = bool(changes.get(ASCII, self._display.ascii_only))
        self._display = replace(self._display, ascii_only=ascii_only)
        self.controller.save_preferences(**changes)

    def _toggle_ascii(self) -> None:
        """Draw with the signs of Unicode, or in plain ASCII."""
        self._keep_choices(**{ASCII: not self._display.ascii_only})
        self.controller.show_news(
            tr("Plain ASCII signs") if self._display.ascii_only else tr("Unicode signs")
        )
