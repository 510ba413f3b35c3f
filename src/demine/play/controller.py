"""The controller of one player at one board: scenes pass input to it and draw its frames.

It knows no toolkit. A scene

* makes a `Controller` from a `GameSession` and the player's `Preferences`, and says how a question
  reaches the solver (`ask`), how the scene is woken from another thread (`wake`), who is told that
  something changed (`changed`, with `Changes`) and what plays sounds (`speaker`);
* turns positions into cells, (row, col) or None outside the board, and calls `press`, `release`,
  `move`, `set_touched_cells`, `cancel_input` and `set_restart_button_held`; `act_at` acts at one
  cell;
* tells `report_presence` when its window is hidden, covered or without the focus, which pauses;
* passes every `Command` to `run_command`, which returns False for the scene's own: dialogs, pages,
  zoom, full screen, quitting. A scene lists the commands that it lacks in a frozenset `ABSENT`;
* calls `tick` when it is woken and when `seconds_until_redraw` have passed;
* draws `frame()`, a frozen value of all that a picture of the moment shows;
* calls `reset_for_exit` at the end, after which `frame()` is the picture that the next start begins
  with.

Each call reports all of its changes once, at its end.
"""

from __future__ import annotations

import functools
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, Protocol, TypeAlias, TypeVar

from demine.logic.daily_board import Daily
from demine.logic.errors import DemineError
from demine.logic.event import Verb
from demine.logic.game import Status
from demine.logic.rules import First
from demine.play.board_message import (
    NO_MESSAGE,
    PROOF_COMMANDS,
    START_TIP,
    BoardMessage,
    MessageKind,
    labelled_proof_commands,
)
from demine.play.controller_output import Changes, Frame
from demine.play.drafting import Drafting
from demine.play.presence import PauseReason, PauseSign, Presence, pause_sign
from demine.play.timed_hints import TimedHints
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look, cell_looks
from demine.scene.digit_palettes import next_palette, palette_announcement
from demine.scene.key_bindings import Command, key_label
from demine.scene.keyboard_cursor import MOVES, intended_act, moved_cursor
from demine.scene.mouse_automaton import Mouse, MouseOptions, recorded_button_name
from demine.scene.panel import Panel, end_message, panel_of
from demine.scene.preferences import LEVELS, Preferences
from demine.scene.sight import cell_to_resume_at, sight
from demine.scene.sounds import Sound, sound_of_last_act
from demine.scene.status_message import StatusMessage, status_line
from demine.scene.themes import next_theme
from demine.scene.translation import explain, languages, mark, ntr, tr, use_next_language
from demine.store.daily import today_utc

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import NDArray

    from demine.game import Game
    from demine.logic.rules import Rules
    from demine.play.end_summary import EndSummary
    from demine.play.game_session import GameSession
    from demine.scene.mouse_automaton import Button, Cell, Intention
    from demine.scene.overlay import Overlay
    from demine.scene.themes import Theme

Point: TypeAlias = tuple[int, int]
"""Where the pointer is, (x, y) in pixels of a board with cells of 16 pixels, as it is recorded."""
_KNOWN: Final = frozenset(field.name for field in fields(Preferences))
_PRESSED: Final = int(Look.PRESSED)
_AT_CURSOR: Final = (Command.ACT, Command.FLAG, Command.CHORD, Command.QUESTION)
_AT_POINTER: Final = (Command.HOVER_ACT, Command.HOVER_FLAG)
_UNCOVERING: Final = frozenset(
    {*_AT_CURSOR, *_AT_POINTER, *MOVES, Command.UNDO}
    | {Command.HINT, Command.CHANCES, Command.MAY_GUESS, Command.DRAFT, Command.PROVE}
)
"""The commands about cells, which on a covered board only uncover it."""
_DRAFTED: Final = {Verb.OPEN: False, Verb.FLAG: True, Verb.QUESTION: False}
"""What an act on a covered cell assumes in a draft: whether it is a mine."""
_PRESS_AGAIN: Final = mark("Give up the daily board? Press again to confirm")
_OPEN_AGAIN: Final = mark("This gives up the daily board. Open it again to confirm.")
_NOTHING_CHANGED: Final = Changes()


class Speaker(Protocol):
    """What plays sounds."""

    def is_available(self) -> bool:
        """Whether this machine can play sounds."""

    def play(self, sound: Sound) -> None:
        """Play a sound without waiting for its end."""


P = ParamSpec("P")
R = TypeVar("R")


def _notifies_once(
    method: Callable[Concatenate[Controller, P], R],
) -> Callable[Concatenate[Controller, P], R]:
    """Let a method of the controller report all of its changes once, at its end."""

    @functools.wraps(method)
    def notifying(self: Controller, /, *args: P.args, **kwargs: P.kwargs) -> R:
        self._depth += 1
        try:
            return method(self, *args, **kwargs)
        finally:
            self._depth -= 1
            if not self._depth and self._changes != _NOTHING_CHANGED:
                changes, self._changes = self._changes, Changes()
                self._changed(changes)

    return notifying


class Controller:
    """Turns presses, keys, touches and commands into acts, texts and sounds for one player."""

    def __init__(
        self,
        session: GameSession,
        preferences: Preferences,
        *,
        ask: Callable[..., Future[object]],
        wake: Callable[[], object],
        changed: Callable[[Changes], object] = lambda _: None,
        speaker: Callable[[], Speaker] | None = None,
        dark: Callable[[], bool] = lambda: False,
    ) -> None:
        """Control the game of a session.

        `ask` is like `demine.solver.service.client.SolverClient.ask`; `wake` is called from another
        thread when an answer is there; `speaker` makes the object that plays sounds, None for a
        silent scene; `dark` returns whether the system uses dark colours.
        """
        self.session = session
        self.preferences = preferences
        self.hints = TimedHints(session, ask, wake)
        self.drafting = Drafting()
        self.chosen_next_rules: Rules | None = None
        """The rules chosen for the next game; None for those of this one."""
        self.mouse = Mouse()
        self.faces: NDArray[np.uint8] = sight(session.game)
        self.cursor: Cell | None = None
        """Where the keyboard's cursor is shown; None while it is hidden."""
        self.pointer: Cell | None = None
        self._looked_at: Cell | None = None
        """Where pointer or cursor was moved last."""
        self.touched_cells: tuple[Cell, ...] = ()
        """The cells a finger holds down."""
        self.restart_button_held = False
        """Whether the restart face is held down."""
        self.news = StatusMessage()
        self._recorded_presses: list[Button] = []
        """The buttons whose presses were recorded; a release without its press would mislead."""
        self._presence = Presence()
        self._pause_reason = PauseReason.RESUMED
        """Why the game is paused, if it is."""
        self._is_uncovering = False
        """Whether a button is held that uncovered the board; what it does is ignored."""
        self._game = session.game
        self._asked_to_leave: tuple[Game, int] | None = None
        """The game that the player was asked about before leaving, and how many acts it had."""
        self._choices_before_leaving: tuple[str, Rules | None] = (preferences.rules, None)
        self._plain_looks: NDArray[np.uint8] | None = None
        self._hidden_cursor: Cell | None = self.prescribed_start
        """Where a hidden cursor reappears: where the mouse pressed, or where the board begins."""
        self._changed = changed
        self._changes = Changes()
        self._depth = 0
        self._make_speaker = speaker
        self._dark = dark
        self._apply_preferences()

    # Out

    def frame(self) -> Frame:
        """Return all that a picture of this moment shows."""
        game, shown = self.session.game, self.panel()
        return Frame(
            faces=self.faces,
            looks=self.cell_looks,
            cursor=self.cursor,
            prescribed_start=self.prescribed_start,
            overlay=self.overlay,
            panel=shown,
            mine_digits=max(3, len(str(game.rules.mines))),
            end=tr(shown.message),
            result_text=self._result_text(),
            news=self.news.text,
            news_is_trouble=self.news.is_trouble,
            title=self.title_with_difficulty(),
            short_title=self.session.game_title(),
            hint=" · ".join(
                filter(None, (self._advice_keys(), self._advice(self.hints.capitalised_text())))
            ),
            pause_sign=self.pause_sign,
        )

    @property
    def overlay(self) -> Overlay | None:
        """The marks and risks to draw over the board: those of hints and of a draft."""
        if not self.drafting.is_on or self.is_paused:
            return self.hints.overlay
        return self.drafting.marked(self.hints.overlay, self.session.game.rules.shape)

    def _advice_keys(self) -> str:
        """Return the keys of a draft or of a proof; empty if neither is shown."""
        bindings = self.preferences.key_map()
        if self.drafting.is_on:
            named = self.drafting.commands
        elif self.hints.is_showing_proof:
            named = labelled_proof_commands(playing=self.hints.is_playing_proof)
        else:
            return ""
        keyed = ((bindings.keys(command), name) for command, name in named)
        return " · ".join(f"{key_label(keys[0])} {name}" for keys, name in keyed if keys)

    @property
    def is_paused(self) -> bool:
        """Whether the game is paused, and its board covered."""
        return self.session.game.status is Status.PAUSED

    @property
    def pause_sign(self) -> PauseSign | None:
        """What stands on the covered board of a paused game; None while it is uncovered."""
        return pause_sign(self.preferences.key_map()) if self.is_paused else None

    @property
    def cell_looks(self) -> NDArray[np.uint8]:
        """How each face is drawn now, uint8 of `Look`."""
        if self._plain_looks is None:
            # Fading serves play; a board that is over shows all of its numbers.
            fade = self.preferences.fade_finished and not self.session.game.status.over
            self._plain_looks = cell_looks(self.faces, fade_finished=fade)
        held = self.mouse.pressed + self.touched_cells
        if not held:
            return self._plain_looks
        pressed = self._plain_looks.copy()
        for cell in held:
            pressed[cell] = _PRESSED
        return pressed

    @property
    def prescribed_start(self) -> Cell | None:
        """The prescribed first cell of a board that has not begun, else None."""
        game = self.session.game
        return None if game.begun else game.start

    @property
    def last_acted_cell(self) -> Cell | None:
        """The cell of the last act; None before the first, and once the game is over."""
        return cell_to_resume_at(self.session.game)

    @property
    def theme(self) -> Theme:
        """The chosen theme; with "as the system", the light or dark one."""
        return self.preferences.chosen_theme(dark=self._dark())

    def panel(self) -> Panel:
        """Return the panel's values: counters, time, mood of the face and message."""
        return panel_of(
            self.session.game,
            self.session.clock_ms,
            face_pressed=self.restart_button_held,
            cell_held=self.mouse.is_holding_cell or bool(self.touched_cells),
            can_undo=self.session.can_undo,
        )

    def status_text(self) -> str:
        """Return the status line: the end and what it means, news, or what is being played."""
        end = end_message(self.session.game)
        return status_line(
            tr(end) if end else "",
            self._result_text(),
            self.news.text,
            self.title_with_difficulty(),
        )

    def board_message(self) -> BoardMessage:
        """Return the message below the board.

        It is trouble, or else the end of the game, news, that the game is paused, what hints say,
        or the tip. News take the place of what is said of the end, but not of its headline.
        """
        news, status = self.news.text, self.session.game.status
        if self.news.is_trouble:
            return BoardMessage(MessageKind.TROUBLE, news)
        said = self._advice(self.hints.text)
        if status.over:
            summary = self._end_summary()
            return NO_MESSAGE if summary is None else BoardMessage.of_end(summary, news or said)
        if news:
            return BoardMessage(MessageKind.NEWS, news)
        if status is Status.PAUSED:
            return BoardMessage(
                MessageKind.PAUSED, self._pause_reason.explanation(), further=self.status_text()
            )
        if said:
            return BoardMessage(MessageKind.HINT, said, further=self._advice_keys())
        return START_TIP if self.preferences.start_tip else NO_MESSAGE

    def _advice(self, said: str) -> str:
        """Return what hints say, below the state of a draft and the risk of the cell looked at."""
        drafted = self.drafting.text() if self.drafting.is_on else ""
        risk = self.hints.risk_text(self._looked_at) if self.hints.is_showing_chances else ""
        return "\n".join(filter(None, (drafted, risk, said)))

    def _end_summary(self) -> EndSummary | None:
        """Return how the game ended, with its luck once known; None while it is not over."""
        summary = self.session.end_summary()
        return summary and replace(summary, luck=self.hints.luck_text())

    def _end_text(self) -> str:
        summary = self._end_summary()
        return "" if summary is None else summary.result_text

    def _result_text(self) -> str:
        status = self.session.game.status
        if status is Status.PAUSED:
            return pause_sign(self.preferences.key_map()).how
        return self._end_text()

    def title_with_difficulty(self) -> str:
        """Return what is being played, with its difficulty once that is known."""
        return self.hints.title_with_difficulty()

    def game_summary(self) -> str:
        """Return what was played and how it ended, without repeating a part."""
        said = (self.title_with_difficulty(), tr(self.panel().message), self._end_text())
        # Both title and result say it when help made the game practice.
        parts = [part for each in said if each for part in each.split(" · ")]
        return " · ".join(dict.fromkeys(parts))

    def seconds_until_redraw(self) -> float:
        """Return the seconds until the picture changes by itself."""
        return min(
            self.session.seconds_until_save_due(),
            self.news.redraw_after_s(),
            self.hints.seconds_until_next_proof_step(),
        )

    # Words

    @_notifies_once
    def show_news(self, text: str) -> None:
        """Show news in the status line, for a few seconds."""
        self.news.show(text)
        self._changes.words = True

    def show_error(self, error: DemineError) -> None:
        """Show an error in the status line, in the player's language."""
        self.show_trouble(explain(error))

    @_notifies_once
    def show_trouble(self, text: str) -> None:
        """Show trouble in the status line, unless that text is shown already."""
        if text and text != self.news.text:
            self.news.show_trouble(text)
            self._changes.words = True

    @property
    def trouble(self) -> str:
        """The trouble that the status line shows; empty for none."""
        return self.news.text if self.news.is_trouble else ""

    @_notifies_once
    def dismiss_trouble(self) -> None:
        """Clear the trouble that the status line shows."""
        if self.news.is_trouble:
            self.news.clear()
            self._changes.words = True

    @_notifies_once
    def dismiss_old_news(self) -> None:
        """Clear the news because the player did something; trouble only once it could be read."""
        if self.news.text:
            self.news.dismiss_on_action()
            self._changes.words = True

    def _say_store_trouble(self) -> None:
        """Show what went wrong while games were being saved, one trouble at a time."""
        if self.session.troubles:
            trouble = self.session.take_next_trouble(previous_unread=self.news.is_trouble)
            if trouble is not None:
                self.news.show_trouble(explain(trouble))

    def _say_refusal(self) -> None:
        """Explain why the last act was refused, before the game has begun."""
        refusal, game = self.session.refusal, self.session.game
        # Once a game runs, an act without effect is part of playing, and a lecture in the way.
        if refusal is not None and not game.begun:
            self.news.show(explain(refusal))

    # Time

    @_notifies_once
    def tick(self, *, board_hidden: bool = False) -> None:
        """Save the clock, show the solver's answers, continue a proof, report trouble.

        With `board_hidden` (a page lies over the board) a proof waits until it is seen again.
        """
        self._changes.panel = self._changes.words = True
        self.session.save_if_due()
        board = self.session.game.board
        opened, flags, blown = board.opened, board.flags, len(board.blown)
        is_covered = self.session.game.status is Status.PAUSED or not self._presence.sees_board
        if self.hints.tick(board_hidden=board_hidden or is_covered):
            self._changes.hints = True
            self._refresh()
            self._pause_if_away()
            if self.session.game.board is board and board.opened > opened:
                self._play_sound(opened, flags, blown)
        self._say_store_trouble()

    # In: whether the player is here

    @_notifies_once
    def report_presence(
        self, *, shown: bool = True, covered: bool = False, focused: bool = True
    ) -> None:
        """Pause a running game if the player cannot see it any more, or turned away from it.

        The parameters are those of `Presence`. Nothing uncovers the board but the player.
        """
        now = Presence(shown, covered, focused)
        if now != self._presence:
            self._presence = now
            self._pause_if_away()

    def _pause_if_away(self) -> None:
        reason = self._presence.reason_to_pause(pause_unfocused=self.preferences.pause_unfocused)
        if reason is not None and self.session.game.status is Status.RUNNING:
            self._pause(reason)

    # In: the mouse and the finger

    @_notifies_once
    def press(
        self,
        button: Button,
        cell: Cell | None,
        point: Point | None = None,
        *,
        shift: bool = False,
        ctrl: bool = False,
    ) -> None:
        """Handle the press of a mouse button; `cell` is None outside the board."""
        if self._uncover() or self._is_uncovering:
            self._is_uncovering = True
            self.mouse.ignore(button)
            return
        moment = None
        # What a draft's clicks do is no act, so they must not be recorded as if they were.
        if point is not None and not self.drafting.is_on:
            self._recorded_presses.append(button)
            moment = self.session.record_touch(
                recorded_button_name(button, shift=shift, ctrl=ctrl), "press", *point
            )
        self.dismiss_old_news()
        self._changes.panel = True
        self.pointer = cell
        self._hidden_cursor, self.cursor = cell or self.cursor or self._hidden_cursor, None
        self._play_all(self.mouse.press(button, cell, self.faces, shift=shift, ctrl=ctrl), moment)

    @_notifies_once
    def release(self, button: Button, cell: Cell | None, point: Point | None = None) -> None:
        """Handle the release of a mouse button; `cell` is None outside the board."""
        if self._is_uncovering:
            self.mouse.release(button, cell, self.faces)
            self._is_uncovering = self.mouse.is_ignoring_input
            return
        moment = None
        if button in self._recorded_presses:
            self._recorded_presses.remove(button)
            if point is not None:
                moment = self.session.record_touch(str(button), "release", *point)
        self._changes.panel = True
        self.pointer = cell
        self._play_all(self.mouse.release(button, cell, self.faces), moment)

    @_notifies_once
    def move(self, cell: Cell | None, point: Point | None = None) -> None:
        """Handle a movement of the pointer; `cell` is None outside the board."""
        if point is not None and not self.drafting.is_on:
            self.session.record_touch("", "move", *point)
        if cell != self.pointer:
            self._look_at(cell)
        self.pointer = cell
        before = self.mouse.pressed
        self.mouse.move(cell, self.faces)
        if before != self.mouse.pressed:
            self._changes.held = True

    @_notifies_once
    def set_touched_cells(self, cells: tuple[Cell, ...]) -> None:
        """Show these cells, and no others, as held down by a finger."""
        if self.session.game.status is Status.PAUSED:
            cells = ()
        if cells != self.touched_cells:
            self.touched_cells = cells
            self._changes.held = True

    @_notifies_once
    def set_restart_button_held(self, held: bool) -> None:
        """Show the restart face as held down, or not."""
        if held != self.restart_button_held:
            self.restart_button_held = held
            self._changes.held = True
            self._changes.panel = True

    @_notifies_once
    def cancel_input(self, *, releases_lost: bool = False) -> None:
        """Cancel what mouse and fingers had begun.

        `releases_lost`: the releases will not arrive, so every button counts as up.
        """
        self.mouse.cancel(releases_lost=releases_lost)
        self._is_uncovering &= self.mouse.is_ignoring_input
        self.touched_cells = ()
        self.restart_button_held = False
        self._changes.held = True

    # Commands

    @_notifies_once
    def run_command(self, command: Command) -> bool:
        """Carry out a command; return False for one that the scene must carry out itself."""
        if command in _UNCOVERING and self._uncovers(command):
            return True
        if self.drafting.is_on and not self.is_paused and command in self._draft_actions:
            self._draft(self._draft_actions[command])
        elif command in PROOF_COMMANDS and self.hints.is_showing_proof and not self.is_paused:
            self._run_hint_command(self._proof_actions[command])
        elif command in LEVELS:
            if self._may_leave_game():
                self.begin_game(self.preferences.with_level_options(LEVELS[command]))
        elif command in MOVES:
            self.move_cursor(moved_cursor(self.faces, self.cursor or self._hidden_cursor, command))
        elif command in _AT_CURSOR:
            self._act_at_cursor(command)
        elif command in _AT_POINTER:
            self.act_at(command, self.pointer)
        elif command is Command.STATISTICS and not self.session.game.status.over:
            self.show_news(tr("Statistics are shown when the game is over"))
        elif (action := self._actions.get(command)) is not None:
            action()
        else:
            return False
        return True

    @cached_property
    def _actions(self) -> Mapping[Command, Callable[[], object]]:
        return {
            Command.NEW: self.begin_new_game,
            Command.AGAIN: self.restart_same_board,
            Command.GUESS_FREE: self.toggle_guess_free,
            Command.UNDO: self._undo,
            Command.PAUSE: self._toggle_pause,
            Command.HINT: lambda: self._run_hint_command(self._ask_for_hint),
            Command.CHANCES: lambda: self._run_hint_command(self.hints.toggle_chances),
            Command.MAY_GUESS: lambda: self._run_hint_command(self._ask_whether_to_guess),
            Command.DRAFT: self._begin_or_put_aside_draft,
            Command.PROVE: lambda: self._run_hint_command(self.hints.ask_for_proof),
            Command.CANCEL: self._cancel,
            Command.THEME: self._next_theme,
            Command.PALETTE: self._next_palette,
            Command.LANGUAGE: self._next_language,
            **({} if self._make_speaker is None else {Command.SOUND: self._toggle_sound}),
        }

    @_notifies_once
    def act_at(self, command: Command, cell: Cell | None) -> None:
        """Carry out a command at a cell; on a covered board it only uncovers that.

        Nothing happens for None.
        """
        self.dismiss_old_news()
        if self._uncover() or cell is None:
            return
        asked = intended_act(self.faces, cell, command)
        self._play_all([] if asked is None else [asked])

    def _act_at_cursor(self, command: Command) -> None:
        """Act at the cursor; a hidden one is only shown: nobody acts at a cell unseen."""
        if self.cursor is None:
            self.show_cursor()
        else:
            self.act_at(command, self.cursor)

    def show_cursor(self) -> None:
        """Show the cursor where the mouse hid it, else where the board begins or in the middle."""
        self.move_cursor(self._hidden_cursor or moved_cursor(self.faces, None, Command.UP))

    @_notifies_once
    def move_cursor(self, cell: Cell) -> None:
        """Show the cursor on a cell."""
        self.dismiss_old_news()
        self.cursor = cell
        self._look_at(cell)
        self._changes.held = True
        self._changes.cursor = True

    def _look_at(self, cell: Cell | None) -> None:
        """Note what cell the player looks at; where risks are shown, its own is said."""
        self._looked_at = cell
        if self.hints.is_showing_chances:
            self._changes.words = True

    @_notifies_once
    def _undo(self) -> None:
        if self.session.can_bring_back_left_game:
            self._bring_back_left_game()
            return
        if self.session.try_undo():
            self.news.show(self._undone_text())
        else:
            self._say_refusal()
        self._refresh()

    def _undone_text(self) -> str:
        """Return how much more can be undone, and what is being played: perhaps practice now."""
        left = len(self.session.game.changes)
        undone = (
            ntr("Undone, {n} more to undo", "Undone, {n} more to undo", left)
            if left
            else tr("Undone, nothing left to undo")
        )
        return f"{undone} · {self.title_with_difficulty()}"

    # Pausing

    def _toggle_pause(self) -> None:
        if not self._uncover():
            self._pause(PauseReason.ASKED)

    @_notifies_once
    def _pause(self, reason: PauseReason) -> None:
        """Pause the game, which covers the board; say why if that is impossible."""
        self.cancel_input()
        self._pause_reason = reason
        if not self.session.try_pause():
            self._say_refusal()
        self._refresh()

    def _uncovers(self, command: Command) -> bool:
        """Uncover a covered board instead of a command, unless that brings another game back."""
        if command is Command.UNDO and self.session.can_bring_back_left_game:
            return False
        return self._uncover()

    def _uncover(self) -> bool:
        """Resume a paused game if its board can be seen; return whether it was paused."""
        if self.session.game.status is not Status.PAUSED:
            return False
        if self._presence.sees_board:
            self._resume()
        return True

    @_notifies_once
    def _resume(self) -> None:
        self.session.try_resume()
        self._refresh()
        self.tick()

    def _cancel(self) -> None:
        """Cancel what the mouse or a finger has begun; if nothing was, dismiss the hints."""
        self.dismiss_old_news()
        begun = self.mouse.is_holding_cell or self.touched_cells
        self.cancel_input()
        if not begun:
            self.dismiss_hints()

    # Hints

    @_notifies_once
    def _run_hint_command(self, ask: Callable[[], object]) -> None:
        self.dismiss_old_news()  # it would hide what the hint says
        ask()
        self._changes.hints = True
        self._refresh()

    @cached_property
    def _proof_actions(self) -> Mapping[Command, Callable[[], object]]:
        """What the commands of a proof do while one is shown."""
        return {
            Command.UNDO: self.hints.show_previous_proof_step,
            Command.ACT: self.hints.show_next_proof_step,
            Command.PAUSE: self.hints.toggle_playing_proof,
        }

    def _ask_for_hint(self) -> None:
        """Ask for a hint near the cursor, the pointer, or where the player acted last."""
        self.hints.ask_for_hint(self.cursor or self.pointer or self.last_acted_cell)

    @_notifies_once
    def dismiss_hints(self) -> None:
        """Clear the hints' text and marks, and cancel their questions."""
        if self.hints.is_loaded:
            self._run_hint_command(self.hints.dismiss)

    def _ask_whether_to_guess(self) -> None:
        self.hints.ask_whether_to_guess(self.cursor or self.pointer or self.last_acted_cell)

    # The draft

    @_notifies_once
    def _begin_or_put_aside_draft(self) -> None:
        game = self.session.game
        if game.status is not Status.RUNNING:
            self.show_news(tr("A draft needs a game that has begun"))
            return
        self.cancel_input()
        self.drafting.begin_or_put_aside(game)
        self._draft(self.dismiss_hints)

    def _drop_draft(self) -> None:
        self.cancel_input()
        self.drafting.drop()

    @cached_property
    def _draft_actions(self) -> Mapping[Command, Callable[[], object]]:
        """What commands do while a draft is made, in place of what they do otherwise."""
        return {
            Command.FLAG: lambda: self._assume(self.cursor, is_mine=True),
            Command.QUESTION: lambda: self._assume(self.cursor, is_mine=False),
            Command.HOVER_FLAG: lambda: self._assume(self.pointer, is_mine=True),
            Command.HOVER_ACT: lambda: self._assume(self.pointer, is_mine=False),
            Command.CHORD: lambda: None,
            Command.UNDO: lambda: self.drafting.take_back(self.faces),
            Command.HINT: lambda: self.hints.ask_for_clash(self.drafting.draft),
            Command.ACT: self._keep_draft,
            Command.CANCEL: self._drop_draft,
        }

    @_notifies_once
    def _draft(self, action: Callable[[], object]) -> None:
        """Change or check the draft; what was found about an earlier one is out of date."""
        self.dismiss_old_news()
        before = self.drafting.draft
        action()
        if self.drafting.draft != before:
            self.hints.forget_clash()
        self._changes.hints = self._changes.words = self._changes.faces = True

    def _assume(self, cell: Cell | None, *, is_mine: bool) -> None:
        """Assume a cell to be a mine or safe; a hidden cursor is only shown."""
        if cell is None:
            self.show_cursor()
        else:
            self.drafting.assume(cell, self.faces, is_mine=is_mine)

    def _keep_draft(self) -> None:
        """End the draft and flag the cells that it takes for mines."""
        cells = self.drafting.draft.cells(mines=True)
        self._drop_draft()
        for cell in cells:
            if self.faces[cell] != Face.FLAG:
                self._play(Verb.FLAG, *cell, None)

    # Games

    @property
    def rules_of_next_game(self) -> Rules:
        """The rules chosen for the next game, else `GameSession.default_next_rules`."""
        return self.chosen_next_rules or self.session.default_next_rules(self.preferences)

    def begin_new_game(self) -> None:
        """Begin a game by `rules_of_next_game`; ask before a daily attempt is left."""
        if self._may_leave_game():
            self.begin_game(self.rules_of_next_game)

    @_notifies_once
    def begin_game(self, rules: Rules) -> None:
        """Begin a game by these rules, and save them as the player's choice."""
        self._note_choices()
        self.session.begin_new_game(rules)
        self.save_preferences(rules=str(rules))
        self._show_new_game()

    @_notifies_once
    def restart_same_board(self) -> None:
        """Begin the same board again, as practice; nothing happens before the first click."""
        self.dismiss_old_news()
        if self.session.game.begun and self._may_leave_game():
            self._note_choices()
            self.session.restart_same_board()
            self._show_new_game()

    def _may_leave_game(self, question: str = _PRESS_AGAIN) -> bool:
        """Return False, and ask, the first time that a daily attempt would be spent by leaving."""
        game = self.session.game
        asked = (game, len(game.changes))
        if not self.session.is_counted_daily_attempt or asked == self._asked_to_leave:
            return True
        self._asked_to_leave = asked
        self.show_news(tr(question))
        return False

    def _note_choices(self) -> None:
        """Note the rules chosen before the game is left, unless it is left already."""
        if not self.session.can_bring_back_left_game:
            self._choices_before_leaving = self.preferences.rules, self.chosen_next_rules

    @_notifies_once
    def _bring_back_left_game(self) -> None:
        """Continue the game that was left, with the choices of then."""
        self.session.bring_back_left_game()
        self._restore_rules_chosen_before_leaving()
        self._show_new_game()
        self.chosen_next_rules = self._choices_before_leaving[1]
        self.news.show(tr("Last game restored"))

    def _restore_rules_chosen_before_leaving(self) -> None:
        rules, _ = self._choices_before_leaving
        if rules != self.preferences.rules:
            self.save_preferences(rules=rules)

    @_notifies_once
    def resume_or_begin_daily(self, daily: Daily) -> None:
        """Resume the unfinished game on a daily board, or begin one; show an error if refused."""
        self._note_choices()
        try:
            if self.session.switch_to_daily(daily):
                self._show_new_game()
        except DemineError as error:
            self.show_error(error)

    def resume_or_begin_todays_daily(self, level: Command) -> None:
        """Resume or begin today's daily board of a level."""
        self.resume_or_begin_daily(Daily(today_utc(), level.value))

    @_notifies_once
    def begin_shared_board(self, code: str) -> None:
        """Begin the board of a share code; raises `ShareError` for a code that is invalid."""
        self._note_choices()
        self.session.begin_shared_board(code)
        self._show_new_game()

    @_notifies_once
    def begin_opened_board(self, game: Game) -> None:
        """Begin a new game that was read from a file; ask before a daily attempt is left."""
        if self._may_leave_game(_OPEN_AGAIN):
            self._note_choices()
            self.session.begin_board(game)
            self._show_new_game()

    def share_code_to_copy(self) -> str:
        """Return the board's share code and announce that it is copied; empty if there is none."""
        return self._text_to_copy(self.session.game.share, tr("Share code copied"))

    def daily_result_to_copy(self) -> str:
        """Return the daily result line and announce that it is copied; empty if there is none."""
        return self._text_to_copy(self.session.daily_result_line, tr("Result copied"))

    def _text_to_copy(self, text: Callable[[], str], said: str) -> str:
        try:
            found = text()
        except DemineError as error:
            self.show_news(explain(error))
            return ""
        self.show_news(said)
        return found

    @_notifies_once
    def toggle_guess_free(self) -> None:
        """Switch guess-free boards on or off, from the next game if this one has begun."""
        coming, begun = self.rules_of_next_game, self.session.game.begun
        on = not coming.guess_free
        if on and coming.first is First.ANY:
            self.show_news(tr("Guess-free boards need a safe first click"))
            return
        if begun:
            said = (
                tr("Guess-free boards from the next game")
                if on
                else tr("Ordinary boards from the next game")
            )
        else:
            said = tr("Guess-free boards") if on else tr("Ordinary boards, which may need a guess")
        self.save_preferences(guess_free=on)
        self._change_rules(replace(coming, guess_free=on))
        self.show_news(said)

    def _change_rules(self, rules: Rules) -> None:
        """Change the rules: now if this game has not begun, else from the next."""
        game = self.session.game
        if game.begun:
            self.chosen_next_rules = None if rules == game.rules else rules
        elif rules != game.rules:
            self.begin_game(rules)

    def _show_new_game(self) -> None:
        """Show the game that the session has switched to."""
        self._pause_reason = PauseReason.RESUMED
        self.mouse.cancel()
        self.touched_cells = ()
        self.news.dismiss_on_action()
        height, width = shape = self.session.game.rules.shape
        if self.faces.shape != shape:
            self.cursor = self.cursor and (height // 2, width // 2)
            self._hidden_cursor = self.pointer = self._looked_at = None
        if self.prescribed_start is not None:
            self.cursor, self._hidden_cursor = (
                self.cursor and self.prescribed_start,
                self.prescribed_start,
            )
        if self.session.can_bring_back_left_game and not self.news.is_trouble:
            self._say_how_to_bring_back()
        self._refresh()
        self._pause_if_away()

    def _say_how_to_bring_back(self) -> None:
        keys = self.preferences.key_map().keys(Command.UNDO)
        if keys:
            key = key_label(keys[0])
            self.news.show(tr("New game. {key} brings the last one back.", key=key))

    @_notifies_once
    def reset_for_exit(self, *, replace_ended_game: bool = False) -> None:
        """Show the game as the next start will: no cursor, no news, no hints, nothing held.

        A game that was left comes back if the board after it is untouched.
        With `replace_ended_game`, a new game of the same rules takes the place of one that is over.
        """
        if self.session.bring_back_left_game():
            self._restore_rules_chosen_before_leaving()
            self._update_faces()
        if replace_ended_game and self.session.game.status.over:
            self.session.begin_new_game(self.session.default_next_rules(self.preferences))
            self._update_faces()
        if self.session.game.status is Status.RUNNING:
            self._pause(PauseReason.RESUMED)
        self._pause_reason = PauseReason.RESUMED
        self.hints.reset()
        self.drafting.drop()
        self.cursor = None
        self.news = StatusMessage()
        self.cancel_input(releases_lost=True)
        self._changes.faces = self._changes.panel = self._changes.words = True
        self._changes.hints = True

    # Preferences

    @_notifies_once
    def save_preferences(self, /, **changes: object) -> None:
        """Save settings by name; those that are fields of `Preferences` apply at once."""
        known = {name: value for name, value in changes.items() if name in _KNOWN}
        self.preferences = replace(self.preferences, **known)  # type: ignore[arg-type]
        if "fade_finished" in known:
            self._plain_looks, self._changes.faces = None, True
        self.session.save_settings(changes)
        self._apply_preferences()
        self._changes.preferences = True

    @_notifies_once
    def apply_preferences(self, changes: Mapping[str, object]) -> None:
        """Save settings by name, and change the rules where they ask for it.

        The rules change now if the game has not begun, else from the next game.
        """
        self.save_preferences(**changes)
        if {"first", "goal"} & set(changes):
            self._change_rules(self.preferences.with_level_options(self.session.game.rules))
        elif "guess_free" in changes:
            rules = self.rules_of_next_game
            possible = rules.first is not First.ANY  # that is a guess already
            self._change_rules(replace(rules, guess_free=possible and self.preferences.guess_free))

    def _apply_preferences(self) -> None:
        chosen = self.preferences
        self.mouse.options = MouseOptions(questions=chosen.questions, left_chords=chosen.left_chord)
        self.hints.set_judging_losses(chosen.word_after_loss)

    @_notifies_once
    def _next_theme(self) -> None:
        self.save_preferences(theme=next_theme(self.theme.name).name)
        self.show_news(tr(self.theme.title))

    @_notifies_once
    def _next_palette(self) -> None:
        self.save_preferences(palette=next_palette(self.preferences.palette))
        self.show_news(palette_announcement(self.preferences.palette))

    @_notifies_once
    def _next_language(self) -> None:
        code = use_next_language()
        self.save_preferences(language=code)
        self.show_news(languages()[code])

    @_notifies_once
    def _toggle_sound(self) -> None:
        on = not self.preferences.sound
        if on and not (self.speaker is not None and self.speaker.is_available()):
            self.show_news(tr("No sound on this machine"))
            return
        self.save_preferences(sound=on)
        self.show_news(tr("Sound on") if on else tr("Sound off"))

    # The game

    def _play_all(self, asked: Sequence[Intention], moment: int | None = None) -> None:
        """Play what a hand asked for at the moment of its touch, in ms; now if there was none."""
        for verb, row, col in asked:
            if not self.drafting.is_on:
                self._play(verb, row, col, moment)
            elif verb in _DRAFTED:
                assume = functools.partial(self._assume, (row, col), is_mine=_DRAFTED[verb])
                self._draft(assume)
        self._changes.held = True

    def _play(self, verb: Verb, row: int, col: int, moment: int | None) -> None:
        if self.hints.is_showing_proof:
            self.hints.dismiss()  # a player who makes a move has seen enough
            self._changes.hints = True
        self.hints.load()  # they must see the board as it was before this act
        board = self.session.game.board
        opened, flags, blown = board.opened, board.flags, len(board.blown)
        if self.session.play(verb, row, col, moment):
            self._play_sound(opened, flags, blown)
        else:
            self._say_refusal()
        self._say_store_trouble()
        self._refresh()

    @_notifies_once
    def end_start_tip(self) -> None:
        """Show the tip on how to play no more, for good."""
        self.save_preferences(start_tip=False)
        self._changes.words = True

    def _play_sound(self, opened: int, flags: int, blown: int) -> None:
        if self.preferences.sound and self.speaker is not None:
            self.speaker.play(sound_of_last_act(self.session.game, opened, flags, blown))

    @cached_property
    def speaker(self) -> Speaker | None:
        """What plays sounds, made when first needed; None in a silent scene."""
        return None if self._make_speaker is None else self._make_speaker()

    @_notifies_once
    def _refresh(self) -> None:
        """Update the faces, the hints and the pressed look after the game may have changed."""
        self.hints.drop_outdated_hints()
        self._update_faces()
        self.mouse.move(self.pointer, self.faces)
        self._changes.faces = self._changes.panel = self._changes.words = True
        if self.session.game is not self._game:
            ended = self._game.status.over and not self._game.resigned
            if self.preferences.start_tip and ended:
                self.end_start_tip()
            self._game, self.chosen_next_rules = self.session.game, None
            self.drafting.drop()
            self._changes.game = True

    def _update_faces(self) -> None:
        self.faces = sight(self.session.game)
        self._plain_looks = None
