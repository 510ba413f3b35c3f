"""Mouse and cursor at a board that the scene draws itself; `controller` is taking its place."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from demine.logic.game import Status
from demine.play.next_game import Games
from demine.scene.key_bindings import Command
from demine.scene.keyboard_cursor import MOVES, intention, next_cell
from demine.scene.mouse_automaton import Button, Mouse, Options, with_modifier
from demine.scene.panel import Panel, panel
from demine.scene.preferences import LEVELS
from demine.scene.sight import sight
from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from demine.logic.event import Action, Verb
    from demine.play.hint_timer import HintTimer
    from demine.play.preference_switches import Switches
    from demine.play.session import Session
    from demine.scene.mouse_automaton import Cell, Intention
    from demine.scene.status_line import News

Point = tuple[int, int]


class Hand(ABC):
    """What one player's mouse and cursor do; the scene says where things are, and shows them."""

    _elsewhere: ClassVar[Collection[Command]] = ()
    """Commands for which there is nothing in this scene."""
    _switches: Switches

    def __init__(self, session: Session, news: News, paced: HintTimer, switches: Switches) -> None:
        self._session = session
        self._news = news
        self._paced = paced
        self._hints = paced.hints
        self._switches = switches
        self._mouse = Mouse(self._options())
        self._pointer: Point | None = None
        self._cursor: Cell | None = None if session.game.begun else session.game.start
        self._cursor_shown = False
        self._face_held = False
        self._seen_on_board = False
        self._faces = sight(session.game)
        self._games = Games(
            session, news, lambda: self._switches.preferences, switches.keep, self._changed_game
        )
        self.closed = False

    def _options(self) -> Options:
        chosen = self._switches.preferences
        return Options(questions=chosen.questions, left_chords=chosen.left_chord)

    # What the scene knows

    @abstractmethod
    def _cell_at(self, at: Point) -> Cell | None:
        """Return the cell at a place, if a hand can reach the board now."""

    @abstractmethod
    def _board_point(self, at: Point) -> Point:
        """Return where on the board a place is, at 16 pixels a cell."""

    @abstractmethod
    def _on_face(self, at: Point) -> bool:
        """Whether the restart face is at a place."""

    @abstractmethod
    def _bring(self, cell: Cell) -> None:
        """Scroll to a cell, if it is not seen."""

    @abstractmethod
    def _spread(self, shape: tuple[int, int]) -> None:
        """Show a board of another shape."""

    @abstractmethod
    def _played(self, opened: int, flags: int) -> None:
        """Let an act be heard; before it so many cells were open and flagged."""

    # What there is to show

    def _panel(self) -> Panel:
        """Return what stands above the board."""
        return panel(
            self._session.game,
            self._session.clock_ms,
            pressed_face=self._face_held
            and self._pointer is not None
            and self._on_face(self._pointer),
            holding=self._mouse.holding,
        )

    def _told(self) -> str:
        """Return what is to be said of how the game stands."""
        if self._session.game.status is Status.PAUSED:
            return tr("P or a click goes on")
        return self._session.verdict()

    def patience(self) -> float:
        """Return how many seconds may pass before the picture changes by itself."""
        return min(self._session.until_next_second(), self._news.patience(), self._paced.patience())

    def _tell_trouble(self) -> None:
        """Tell of what went wrong while games were kept, one at a time."""
        trouble = self._session.next_trouble(unread=self._news.trouble)
        if trouble is not None:
            self._news.tell(explain(trouble))

    # The mouse

    def _down(self, button: Button, at: Point, *, shift: bool, ctrl: bool) -> None:
        """Take a button that comes down beside or on the board."""
        cell = self._cell_at(at)
        self._pointer, self._cursor_shown = at, False
        self._cursor = cell or self._cursor
        if button is Button.LEFT and self._on_face(at):
            self._face_held = True
            return
        if self._session.game.status is Status.PAUSED:
            self._pause()
            return
        self._touch(with_modifier(button, shift=shift, ctrl=ctrl), "press", at)
        self._play_all(self._mouse.press(button, cell, self._faces, shift=shift, ctrl=ctrl))

    def _up(self, button: Button, at: Point) -> None:
        """Take a button that goes up."""
        self._pointer = at
        if self._face_held and button is Button.LEFT:
            self._face_held = False
            if self._on_face(at):
                self._games.new()
            return
        self._touch(button.value, "release", at)
        self._play_all(self._mouse.release(button, self._cell_at(at), self._faces))

    def move(self, at: Point | None) -> None:
        """The pointer moves, or leaves."""
        self._pointer = at
        cell = None if at is None else self._cell_at(at)
        # Ways beside the board are nobody's business, but leaving it ends a preview.
        if at is not None and (cell or self._seen_on_board):
            self._touch("", "move", at)
        self._seen_on_board = cell is not None
        self._play_all(self._mouse.move(cell, self._faces))

    def lost_focus(self) -> None:
        """Nobody listens any more: what the hand had begun is dropped."""
        self._mouse.cancel(lost=True)
        self._face_held = False

    def _touch(self, button: str, action: Action, at: Point) -> None:
        self._session.touch(button, action, *self._board_point(at))

    # Commands

    def _do(self, command: Command) -> None:
        if command in LEVELS:
            self._games.level(command)
        elif command is Command.ACT and self._hints.proving:
            self._paced.step()
            self._look()
        elif command in MOVES:
            self._move_cursor(command)
        elif command in (Command.HOVER_ACT, Command.HOVER_FLAG):
            self._act_at(None if self._pointer is None else self._cell_at(self._pointer), command)
        elif command in (Command.ACT, Command.FLAG, Command.CHORD, Command.QUESTION):
            self._act_at_cursor(command)
        elif command not in self._elsewhere:
            self._deeds()[command]()

    def _deeds(self) -> dict[Command, Callable[[], object]]:
        """Return what the other commands do; a scene adds its own."""
        return {
            Command.NEW: self._games.new,
            Command.AGAIN: self._games.again,
            Command.GUESS_FREE: self._games.toggle_guess_free,
            Command.HINT: lambda: self._hint(self._hints.hint),
            Command.CHANCES: lambda: self._hint(self._hints.toggle_chances),
            Command.PROVE: lambda: self._hint(self._hints.prove),
            Command.UNDO: self._undo,
            Command.PAUSE: self._pause,
            Command.THEME: self._switches.next_theme,
            Command.PALETTE: self._switches.next_palette,
            Command.LANGUAGE: self._switches.next_language,
            Command.CANCEL: self._cancel,
            Command.QUIT: self.close,
        }

    def close(self) -> None:
        """Leave; an unfinished game goes on at the next start."""
        self.closed = True

    def _hint(self, ask: Callable[[], object]) -> None:
        ask()
        self._look()

    # The cursor

    def _move_cursor(self, command: Command) -> None:
        self._cursor = next_cell(self._faces, self._cursor, command)
        self._show_cursor()

    def _show_cursor(self) -> None:
        self._cursor_shown = True
        if self._cursor is not None:
            self._bring(self._cursor)
        self._look_again()

    def _act_at_cursor(self, command: Command) -> None:
        """Act at the cursor; where none is seen, show it first: nobody acts at a cell unseen."""
        if self._session.game.status is not Status.PAUSED and not self._cursor_shown:
            self._cursor = self._cursor or next_cell(self._faces, None, Command.UP)
            self._show_cursor()
            return
        self._act_at(self._cursor, command)

    def _act_at(self, cell: Cell | None, command: Command) -> None:
        if self._session.game.status is Status.PAUSED:
            self._pause()
        elif cell is not None:
            asked = intention(self._faces, cell, command)
            self._play_all([asked] if asked is not None else [])

    # The game

    def _undo(self) -> None:
        self._session.undo()
        self._look()

    def _pause(self) -> None:
        self._mouse.cancel()
        self._session.toggle_pause()
        self._look()

    def _cancel(self) -> None:
        self._mouse.cancel()
        self._face_held = False
        self._hints.stop()

    def _changed_game(self, shape_before: tuple[int, int]) -> None:
        self._mouse.cancel()
        game = self._session.game
        self._hints.follow()
        self._faces = sight(game)
        if game.rules.shape != shape_before:
            self._cursor, self._cursor_shown = None, False
            self._spread(game.rules.shape)
        if game.start is not None and not game.begun:
            self._cursor = game.start
            self._bring(game.start)
        self._look_again()

    def _play_all(self, asked: Sequence[Intention]) -> None:
        for verb, row, col in asked:
            self._play(verb, row, col)

    def _play(self, verb: Verb, row: int, col: int) -> None:
        game = self._session.game
        opened, flags = game.board.opened, game.board.flags
        if self._hints.proving:
            self._hints.stop()  # who plays along has seen enough
        if self._session.play(verb, row, col):
            self._look()
            self._played(opened, flags)
        elif self._session.refusal is not None and not game.begun:
            self._news.say(explain(self._session.refusal))

    def _look(self) -> None:
        """Take the faces anew, and let the advice and the preview follow them."""
        self._hints.follow()
        self._faces = sight(self._session.game)
        self._look_again()

    def _look_again(self) -> None:
        """Other cells may be under the pointer now."""
        cell = None if self._pointer is None else self._cell_at(self._pointer)
        self._mouse.move(cell, self._faces)
