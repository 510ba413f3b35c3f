"""The terminal scene: passes keys and mouse to the controller and shows its frame as lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from demine.logic.errors import DemineError
from demine.logic.rules import First
from demine.play.board_message import NO_MESSAGE, BoardMessage, MessageKind, start_tip
from demine.play.controller import Controller
from demine.play.controller_output import Changes
from demine.play.mouse_input import MouseInput
from demine.scene.key_bindings import Command, key_label
from demine.scene.mouse_automaton import Button
from demine.scene.overlay import Overlay
from demine.scene.preferences import LEVELS
from demine.scene.translation import detect_language, explain, mark, set_language, tr
from demine.terminal.menu import level_menu
from demine.terminal.render import FrameState
from demine.terminal.setup_forms import settings_form, setup_form
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
from demine.terminal.text_scene import TextScene
from demine.terminal.text_width import width
from demine.terminal.tool_line import LEVEL, game_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future

    from demine.logic.rules import Rules
    from demine.play.game_session import GameSession
    from demine.play.presence import PauseSign
    from demine.scene.key_bindings import KeyMap
    from demine.scene.preferences import Preferences
    from demine.store import Store
    from demine.terminal.forms import Form
    from demine.terminal.menu import Menu
    from demine.terminal.screen_layout import ScreenLayout
    from demine.terminal.text_scene import Point

OWN_KEYS: Final = {"a": mark("Unicode or plain ASCII signs"), "o": mark("Settings")}
"""Keys of this scene alone, unless the player has bound them; few terminals send `Ctrl+,`."""
_LOOKS: Final = (Command.LANGUAGE, Command.THEME, Command.PALETTE)
"""The commands that change how a page looks and leave it open."""
_WHEEL_CELLS: Final = 2
"""How many cells a step of the wheel scrolls."""


@dataclass(frozen=True, slots=True)
class Display:
    """What the terminal can show."""

    colours: int
    """How many colours it has."""
    ascii_only: bool
    """Whether to draw with plain ASCII signs."""
    dark: bool
    """Whether its background is dark."""


class Scene(TextScene):
    """One player at one terminal.

    `ask` and `wake` are passed to `Controller`; `copy` puts a text into the clipboard, if the
    terminal allows it; `show_over` shows another scene until that is closed.
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
        show_over: Callable[[TextScene], object] = lambda _scene: None,
    ) -> None:
        super().__init__(session.game.rules.shape, may_grow=display.colours > 0)
        self.controller = Controller(
            session,
            preferences,
            ask=ask,
            wake=wake,
            changed=self._changed,
            dark=lambda: display.dark,
        )
        self._store = store
        self._copy = copy
        self._wake, self._show_over = wake, show_over
        self._display = display
        self._is_focused = True
        self._note = ""
        """Shown below the board in place of the text of hints."""
        self._pointer = MouseInput(self.controller, lambda: self._layout, lambda: bool(self._modal))
        self._size_known = False
        self.controller.hints.drop_outdated_hints()
        self._use_preferences()

    # Output

    def frame_state(self) -> FrameState:
        """Return everything that the screen shows now."""
        frame = self.controller.frame()
        message = self._message(frame.pause_sign)
        return FrameState(
            layout=self._layout,
            theme=self._theme,
            tools=game_tools(self._keys, frame.panel),
            panel=frame.panel,
            mine_digits=frame.mine_digits,
            line=frame.title if self._layout.note_rows else frame.line(message.text),
            message=message,
            keys=self._keys_after_the_end() if frame.panel.over else "",
            faces=frame.faces,
            overlay=frame.overlay or Overlay.empty(frame.faces.shape),
            looks=frame.looks,
            cursor=frame.cursor,
            start=frame.prescribed_start,
            modal_content=self._modal.content,
            pause_sign=frame.pause_sign,
        )

    def _message(self, sign: PauseSign | None) -> BoardMessage:
        """Return what is said below the board, unless all of the sign on it says so."""
        if self._note:
            return BoardMessage(MessageKind.HINT, self._note)
        message = self.controller.board_message()
        if message.kind is MessageKind.TIP:
            return self._start_tip()
        room = self._layout.board_columns - 2
        if message.kind is MessageKind.PAUSED and sign is not None and width(sign.how) <= room:
            return NO_MESSAGE
        if message.kind is MessageKind.PAUSED:
            message = BoardMessage(message.kind, message.text or message.further)
        return message._replace(text=message.text[:1].upper() + message.text[1:])

    def _keys_after_the_end(self) -> str:
        """Return the keys that are useful once a game is over, and what they do."""
        daily = self._session.daily is not None
        share = (Command.RESULT, tr("Copy result")) if daily else (Command.SHARE, tr("Share"))
        useful = [(Command.NEW, tr("New game")), (Command.AGAIN, tr("Same board")), share]
        keyed = [(self._keys.keys(command)[:1], what) for command, what in useful]
        return " · ".join(f"{key_label(key)} {what}" for keys, what in keyed for key in keys)

    def _start_tip(self) -> BoardMessage:
        """Return how to play: first with the keyboard, the main hand in a terminal."""
        tip = start_tip(self.controller.preferences)
        keys = [self._keys.keys(each)[:1] for each in (Command.ACT, Command.FLAG)]
        labels = [key_label(key) for bound in keys for key in bound]
        if len(labels) < len(keys):
            return tip
        hand = tr("Arrow keys move, {act} opens, {flag} flags", act=labels[0], flag=labels[1])
        mouse, _chord, *help_lines = tip.text.splitlines()
        return tip._replace(text="\n".join((hand, mouse, *help_lines)))

    def tick(self) -> None:
        """Store the clock once a second, and show troubles one at a time."""
        self._report_presence()
        self.controller.tick()

    def seconds_until_redraw(self) -> float:
        """Return how many seconds may pass before the screen changes by itself."""
        return self.controller.seconds_until_redraw()

    def _changed(self, changes: Changes) -> None:
        """Adopt changed preferences, and scroll to what the controller changed."""
        if changes.preferences:
            self._use_preferences()
        shown = [self.controller.cursor] if changes.cursor else []
        if changes.game:
            shape = self.controller.session.game.rules.shape
            if shape != self._layout.shape:
                self._layout = replace(self._layout, shape=shape, top=0, left=0)
            shown += [self.controller.prescribed_start, self.controller.cursor]
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
            shows_led_digits=self.controller.preferences.shows_led_digits,
        )

    def _show_part(self, layout: ScreenLayout) -> None:
        """Show another part of the board, with perhaps another cell under the pointer."""
        self._layout = layout
        self._pointer.update_cell_under_mouse()

    def resized(self, cols: int, rows: int) -> None:
        """Fit the screen to a new size of the terminal."""
        layout = self._layout.resized(cols, rows)
        if not self._size_known:
            self._size_known = True
            self._layout = layout = self._show_cursor_at_first(layout)
        if self.controller.cursor is not None:
            layout = layout.scrolled_to(self.controller.cursor)
        self._modal.scroll(0, layout)
        self._pointer.position = None
        self._show_part(layout)

    def _show_cursor_at_first(self, layout: ScreenLayout) -> ScreenLayout:
        """Show the cursor where the game goes on, and return the layout that shows it.

        The keyboard is the main hand here: the first press of Space opens a cell that is seen.
        """
        cell = self.controller.last_acted_cell or self.controller.prescribed_start
        layout = layout.initially_centred_on(cell)
        self.controller.move_cursor(cell or layout.middle_cell)
        return layout

    # Input: the mouse

    def press(self, button: Button, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """Handle a press: on a button, on the page or form, or on the board."""
        self._age_news()
        self._pointer.position = at
        tool = self._tool_at(at)
        if tool is not None:
            self._modal.close()
            self._use_tool(tool)
        elif self._modal:
            self._modal.handle_click(*at, self._layout, backwards=button is Button.RIGHT)
        else:
            self._pointer.press(button, at, shift=shift, ctrl=ctrl)

    def _use_tool(self, tool: str) -> None:
        """Do what a tool of the first row is for."""
        if tool == LEVEL:
            rules = self._session.game.rules
            self._open_modal(level_menu(rules, self._keys, self.run_command))
        else:
            self.run_command(Command(tool))

    def release(self, button: Button, at: Point) -> None:
        """Handle the release of a mouse button."""
        self._pointer.release(button, at)

    def move(self, at: Point) -> None:
        """Handle a move of the pointer."""
        self._pointer.move(at)

    def wheel(self, steps: int, *, sideways: bool = False) -> None:
        """Scroll the page, the form or the board by wheel steps, down or right if positive."""
        if self._modal:
            self._modal.scroll(steps, self._layout)
            return
        cells = steps * _WHEEL_CELLS
        down, right = (0, cells) if sideways else (cells, 0)
        self._show_part(self._layout.scrolled(down, right))

    def set_focused(self, focused: bool) -> None:
        """Note whether the terminal has the keyboard; without it, what the mouse began is lost."""
        self._is_focused = focused
        if not focused:
            self._pointer.cancel_presses(releases_lost=True)

    def _report_presence(self) -> None:
        """Tell the controller whether the player is at the board."""
        self.controller.report_presence(covered=bool(self._modal), focused=self._is_focused)

    # Input: the keys

    def key(self, names: tuple[str, ...]) -> None:
        """Handle a key press, with the names that the key may have."""
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
                self.run_command(command)
            if shown and command in _LOOKS:
                self.run_command(shown)
        elif not self._modal and "a" in names:
            self._toggle_ascii()
        elif not self._modal and "o" in names:
            self._open_settings()

    def _open_page_command(self) -> Command | None:
        """Return the command that opened the page or form over the board."""
        over = self._modal.content
        return next((each for each in TITLES if over and over.title == tr(TITLES[each])), None)

    def paste(self, text: str) -> None:
        """Begin the board of a pasted share code, or show why the text is none."""
        self._age_news()
        try:
            self.controller.begin_shared_board(checked_share_code(text))
        except DemineError as error:
            self.controller.show_news(explain(error))
        else:
            self._modal.close()

    def _age_news(self) -> None:
        self.controller.dismiss_old_news()
        self._note = ""

    # Commands

    def run_command(self, command: Command) -> None:
        """Carry out a command; those in `ABSENT` do nothing here."""
        self._report_presence()
        self._pointer.update_cell_under_mouse()
        if not self.controller.run_command(command) and command not in ABSENT:
            self._actions[command]()

    @cached_property
    def _actions(self) -> Mapping[Command, Callable[[], object]]:
        return {
            Command.SETUP: self._open_setup,
            Command.SETTINGS: self._open_settings,
            Command.RECORDS: lambda: self._open_modal(page_of_records(self._store)),
            Command.TRAIN: self._train,
            Command.STATISTICS: lambda: self._open_modal(page_of_statistics(self._session.game)),
            Command.DAILY: lambda: self._open_modal(page_of_daily(self._session, self._keys)),
            Command.RESULT: self._copy_result,
            Command.SHARE: self._copy_share,
            Command.OPEN_SHARE: self._ask_to_paste_share_code,
            Command.HELP: self._open_help,
            Command.QUIT: self.close,
        }

    def _train(self) -> None:
        from demine.terminal.train_scene import TrainScene

        self.controller.report_presence(covered=True, focused=self._is_focused)
        self._show_over(TrainScene(self._store, self._theme, self._keys, self._wake))

    @property
    def _session(self) -> GameSession:
        return self.controller.session

    def _copy_share(self) -> None:
        code = self.controller.share_code_to_copy()
        self._copy_text(code)
        self._note = copied_share_code_note(code, self._keys)

    def _copy_result(self) -> None:
        self._note = self.controller.daily_result_to_copy()
        self._copy_text(self._note)

    def _copy_text(self, text: str) -> None:
        if text:
            self._copy(text)

    def _ask_to_paste_share_code(self) -> None:
        self._note = tr("Paste the share code into the terminal")

    def _open_modal(self, over: Page | Form | Menu) -> None:
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
        """Begin a game of the chosen rules; the levels adopt whether it is guess-free."""
        self.controller.begin_game(rules)
        if rules.first is not First.ANY:
            self.controller.save_preferences(guess_free=rules.guess_free)

    def _open_settings(self) -> None:
        form = settings_form(
            self.controller.preferences, self._display.ascii_only, self._save_form_values
        )
        self._open_modal(form)

    def _save_form_values(self, chosen: Mapping[str, object]) -> None:
        """Save the values of a form that differ from the current ones."""
        now = {**self.controller.preferences.as_settings(), ASCII: self._display.ascii_only}
        changes = {name: value for name, value in chosen.items() if now.get(name) != value}
        if "language" in changes:
            set_language(str(changes["language"]) or detect_language())
        if changes:
            self._save_choices(**changes)

    def _save_choices(self, /, **changes: object) -> None:
        """Save settings: those of `Preferences` by their names, and `ascii`."""
        ascii_only = bool(changes.get(ASCII, self._display.ascii_only))
        self._display = replace(self._display, ascii_only=ascii_only)
        self.controller.save_preferences(**changes)

    def _toggle_ascii(self) -> None:
        """Switch between Unicode signs and plain ASCII."""
        self._save_choices(**{ASCII: not self._display.ascii_only})
        self.controller.show_news(
            tr("Plain ASCII signs") if self._display.ascii_only else tr("Unicode signs")
        )


def copied_share_code_note(code: str, keys: KeyMap) -> str:
    """Return the note to show after a share code, or an empty text, was copied.

    It shows the code, since not every terminal has a clipboard, and the key that quits, since
    Ctrl+C may have been pressed to get out.
    """
    quits = [tr("{key} quits", key=key_label(key)) for key in keys.keys(Command.QUIT)[:1]]
    return " · ".join([*filter(None, [code]), *quits])


def checked_share_code(pasted: str) -> str:
    """Return a pasted share code without spaces around it; raise `DemineError` for other text."""
    code = pasted.strip()
    if not code.startswith("1."):
        raise DemineError("That isn't a share code")
    return code
