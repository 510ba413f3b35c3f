"""The player at the desktop: what the hand does becomes acts, what the game is becomes arrays."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from demine.desktop.hints import Advice
from demine.logic.errors import DemineError
from demine.logic.event import Act, Verb
from demine.logic.game import Status
from demine.scene.cell_style import Look, looks
from demine.scene.key_bindings import Command
from demine.scene.keyboard_cursor import MOVES, intention, next_cell
from demine.scene.mouse_automaton import Mouse, Options
from demine.scene.panel import Panel, panel
from demine.scene.preferences import LEVELS
from demine.scene.sight import last_seen, sight
from demine.scene.sounds import sound_of
from demine.scene.status_line import News, line
from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from demine.desktop.sound_player import Speaker
    from demine.logic.daily_board import Daily
    from demine.logic.event import Action
    from demine.logic.rules import Rules
    from demine.play.session import Sitting
    from demine.scene.mouse_automaton import Button, Cell, Intention
    from demine.scene.preferences import Preferences

_AT_CURSOR: Final = (Command.ACT, Command.FLAG, Command.CHORD, Command.QUESTION)
_AT_POINTER: Final = (Command.HOVER_ACT, Command.HOVER_FLAG)


class Player(QObject):
    """One player at one board. The widgets call the methods and look again when a signal says so.

    Cells are (row, col), or None outside the board.
    """

    faces_changed = Signal()
    """Some cells show other faces; `touched` the game, not only the hand."""
    hand_changed = Signal()
    """The cells held down, the cursor or the face's worry may differ."""
    game_changed = Signal()
    """Another game was begun, of other rules perhaps."""
    panel_changed = Signal()
    """The panel's values or its line may differ."""
    cursor_moved = Signal()

    def __init__(self, sitting: Sitting, preferences: Preferences) -> None:
        super().__init__()
        self.sitting = sitting
        self.advice = Advice(sitting)
        self.next_rules: Rules | None = None
        """What the next game is played by; None for the rules of this one."""
        self._game = sitting.game
        self.preferences = preferences
        self.mouse = Mouse()
        self.faces: NDArray[np.uint8] = sight(sitting.game)
        self._dress = looks(self.faces)
        self.cursor: Cell | None = None
        self._rest: Cell | None = self.start
        """Where the cursor is hidden: where the mouse pressed, or where the board begins."""
        self.pointer: Cell | None = None
        self.fingered: tuple[Cell, ...] = ()
        """The cells a finger holds down."""
        self.face_held = False
        self._news = News()
        self.advice.answered.connect(self._look)
        self.apply()

    def apply(self) -> None:
        """Take up habits that the preferences changed."""
        chosen = self.preferences
        self.mouse.options = Options(questions=chosen.questions, left_chords=chosen.left_chord)

    # Out

    @property
    def looks(self) -> NDArray[np.uint8]:
        """How each face is dressed now, uint8 of `Look`."""
        held = self.mouse.pressed + self.fingered
        if not held:
            return self._dress
        dressed = self._dress.copy()
        dressed[tuple(np.transpose(held))] = Look.PRESSED
        return dressed

    @property
    def start(self) -> Cell | None:
        """The prescribed first cell of a board that has not begun, else None."""
        game = self.sitting.game
        return None if game.begun else game.start

    @property
    def coming(self) -> Rules:
        """The rules of the next game."""
        return self.next_rules or self.sitting.next_rules(self.preferences)

    @property
    def place(self) -> Cell | None:
        """The cell to look at first where a game goes on."""
        return last_seen(self.sitting.game)

    def panel(self) -> Panel:
        """Return the values of the panel now."""
        return panel(
            self.sitting.game,
            self.sitting.clock_ms,
            pressed_face=self.face_held,
            holding=self.mouse.holding or bool(self.fingered),
        )

    def line(self) -> str:
        """Return the words in the panel: the end and what it means, news, or what is played."""
        end = tr(self.panel().message)
        paused = self.sitting.game.status is Status.PAUSED
        told = tr("P or a click goes on") if paused else self.sitting.verdict()
        return line(end, told, self._news.text, self.title())

    def told(self) -> str:
        """Return what was played and what came of it, each thing once."""
        said = (self.title(), tr(self.panel().message), self.sitting.verdict())
        # Both title and verdict say it when help made the game practice.
        parts = [part for each in said if each for part in each.split(" · ")]
        return " · ".join(dict.fromkeys(parts))

    def title(self) -> str:
        """Return what is being played, and how hard it is if that is known."""
        return self.advice.title()

    @property
    def untouched(self) -> bool:
        """Whether all there is to see is a board on which nobody has done anything."""
        plain = self.cursor is None and not (
            self._news.text or self.face_held or self.mouse.holding or self.advice.standing
        )
        acts = any(isinstance(event, Act) for event in self.sitting.game.events)
        return plain and not (acts or self.fingered)

    def say(self, text: str) -> None:
        """Put news into the line of words."""
        self._news.say(text)
        self.panel_changed.emit()

    def tell(self, error: DemineError) -> None:
        """Put trouble into the line of words."""
        self.explain(explain(error))

    def explain(self, text: str) -> None:
        """Put trouble that is in words already into the line of words, once."""
        if text and text != self._news.text:
            self._news.tell(text)
            self.panel_changed.emit()

    @property
    def trouble(self) -> str:
        """The trouble that stands in the line of words; empty if none does."""
        return self._news.text if self._news.trouble else ""

    def dismiss(self) -> None:
        """Let go of a trouble that was read."""
        if self._news.trouble:
            self._news.dismiss()
            self.panel_changed.emit()

    def patience(self) -> float:
        """Return how many seconds may pass before the panel changes by itself."""
        return min(self.sitting.until_next_second(), self._news.patience())

    def tick(self) -> None:
        """Let the clock be stored and shown once a second."""
        self.sitting.tick()
        self._tell_troubles()
        self.panel_changed.emit()

    def _tell_troubles(self) -> None:
        trouble = self.sitting.next_trouble(unread=self._news.trouble)
        if trouble is not None:
            self._news.tell(explain(trouble))

    # In: the mouse and the finger

    def press(self, button: Button, cell: Cell | None, *, shift: bool, ctrl: bool) -> None:
        """A mouse button comes down."""
        self._heard()
        self.pointer = cell
        self._rest, self.cursor = cell or self.cursor or self._rest, None
        if self._goes_on():
            return
        self._play_all(self.mouse.press(button, cell, self.faces, shift=shift, ctrl=ctrl))

    def release(self, button: Button, cell: Cell | None) -> None:
        """A mouse button goes up."""
        self.pointer = cell
        self._play_all(self.mouse.release(button, cell, self.faces))

    def move(self, cell: Cell | None) -> None:
        """The pointer moves, or leaves the board."""
        self.pointer = cell
        before = self.mouse.pressed
        self.mouse.move(cell, self.faces)
        if before != self.mouse.pressed:
            self.hand_changed.emit()

    def touch(self, button: str, action: Action, at: tuple[int, int]) -> None:
        """Keep what the hand did, in pixels of the board at 16 a cell."""
        self.sitting.touch(button, action, *at)

    def finger(self, held: tuple[Cell, ...]) -> None:
        """A finger holds these cells down now."""
        if held != self.fingered:
            self.fingered = held
            self.hand_changed.emit()

    def let_go(self, *, lost: bool = False) -> None:
        """Drop what the hand had begun; `lost`: the window will not hear the releases."""
        self.mouse.cancel(lost=lost)
        self.fingered = ()
        self.face_held = False
        self.hand_changed.emit()

    # Commands

    def act(self, command: Command, cell: Cell | None) -> None:
        """Do at a cell what a command asks for there."""
        self._heard()
        if self._goes_on() or cell is None:
            return
        asked = intention(self.faces, cell, command)
        self._play_all([] if asked is None else [asked])

    def do(self, command: Command) -> bool:
        """Carry out a command about the game; return False for one that is not about it."""
        if command is Command.ACT and self.advice.proving:
            self.advice.step()
        elif command in LEVELS:
            self.begin(self.preferences.level(LEVELS[command]))
        elif command in MOVES:
            self.point(next_cell(self.faces, self.cursor or self._rest, command))
        elif command in _AT_CURSOR:
            self._act_at_cursor(command)
        elif command in _AT_POINTER:
            self.act(command, self.pointer)
        elif (deed := self._deeds().get(command)) is not None:
            deed()
        else:
            return False
        return True

    def _deeds(self) -> dict[Command, Callable[[], None]]:
        return {
            Command.NEW: self.new,
            Command.AGAIN: self._again,
            Command.UNDO: self._undo,
            Command.PAUSE: self._pause,
            Command.HINT: self.advice.hint,
            Command.CHANCES: self.advice.toggle_chances,
            Command.PROVE: self.advice.prove,
        }

    def _act_at_cursor(self, command: Command) -> None:
        """Act at the cursor; where none is seen, show it first: nobody acts at a cell unseen."""
        if self.cursor is None and self.sitting.game.status is not Status.PAUSED:
            self.appear()
        else:
            self.act(command, self.cursor)

    def appear(self) -> None:
        """Show the cursor where the mouse hid it, where the board begins, or in the middle."""
        self.point(self._rest or next_cell(self.faces, None, Command.UP))

    def point(self, cell: Cell) -> None:
        """Put the cursor on a cell."""
        self._heard()
        self.cursor = cell
        self.hand_changed.emit()
        self.cursor_moved.emit()

    def new(self) -> None:
        """Begin another game by the same rules, or by those chosen for the next one."""
        self.begin(self.coming)

    def begin(self, rules: Rules) -> None:
        """Begin a game by these rules, and remember them."""
        self.sitting.new(rules)
        self.sitting.remember({"rules": str(rules)})
        self.preferences = replace(self.preferences, rules=str(rules))
        self._changed_game()

    def play_daily(self, daily: Daily) -> None:
        """Go on with a daily board, or begin it."""
        try:
            if self.sitting.play_daily(daily):
                self._changed_game()
        except DemineError as error:
            self.tell(error)

    def open_share(self, code: str) -> None:
        """Begin the board of a share code; raises `ShareError` when it opens none."""
        self.sitting.open_share(code)
        self._changed_game()

    def _again(self) -> None:
        self.sitting.again()
        self._changed_game()

    def _changed_game(self) -> None:
        self.mouse.cancel()
        self.fingered = ()
        self._news.heard()
        if self.faces.shape != self.sitting.game.rules.shape:
            self.cursor = self._rest = self.pointer = None
        if self.start is not None:
            self.cursor, self._rest = self.cursor and self.start, self.start
        self._look()

    def _undo(self) -> None:
        if not self.sitting.undo():
            self._refused()
        self._look()

    def _pause(self) -> None:
        self.mouse.cancel()
        if not self.sitting.toggle_pause():
            self._refused()
        self._look()

    def _goes_on(self) -> bool:
        """Whether the game was paused and goes on now instead of hearing an act."""
        if self.sitting.game.status is not Status.PAUSED:
            return False
        self._pause()
        return True

    def part(self) -> None:
        """Show the game as the next start will: no cursor, no news, no advice, nothing held."""
        self.advice.stop()
        self.cursor = None
        self._news = News()
        self.let_go(lost=True)
        self.panel_changed.emit()

    # The game

    def _heard(self) -> None:
        """The player does something: what was news is old."""
        if self._news.text:
            self._news.heard()
            self.panel_changed.emit()

    def _play_all(self, asked: Sequence[Intention]) -> None:
        for verb, row, col in asked:
            self._play(verb, row, col)
        if not asked:
            self.hand_changed.emit()

    def _play(self, verb: Verb, row: int, col: int) -> None:
        if self.advice.proving:
            self.advice.stop()  # who plays along has seen enough
        self.advice.follow()  # it has to have seen the board before this act
        board = self.sitting.game.board
        opened, flags = board.opened, board.flags
        if self.sitting.play(verb, row, col):
            self._sound(opened, flags)
        else:
            self._refused()
        self._tell_troubles()
        self._look()

    def _sound(self, opened: int, flags: int) -> None:
        if self.preferences.sound:
            self.speaker.play(sound_of(self.sitting.game, opened, flags))

    @cached_property
    def speaker(self) -> Speaker:
        """What makes the sounds, loaded by the first of them."""
        from demine.desktop.sound_player import Speaker

        return Speaker()

    def _refused(self) -> None:
        refusal, game = self.sitting.refusal, self.sitting.game
        # Once a game runs, an act without effect is part of playing, and a lecture in the way.
        if refusal is not None and not game.begun:
            self._news.say(explain(refusal))

    def _look(self) -> None:
        """Take the faces anew, and let the advice and the preview follow them."""
        self.advice.follow()
        self.faces = sight(self.sitting.game)
        self._dress = looks(self.faces)
        self.mouse.move(self.pointer, self.faces)
        self.faces_changed.emit()
        self.panel_changed.emit()
        if self.sitting.game is not self._game:
            self._game, self.next_rules = self.sitting.game, None
            self.game_changed.emit()
