"""The scene that trains a player in the terminal: drills, their answers, and the progress."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from threading import Event
from typing import TYPE_CHECKING, Final

import numpy as np

from demine.play.board_message import NO_MESSAGE
from demine.play.drills.pool import DrillPool
from demine.play.drills.progress import PROGRESS_HEADS, DrillProgress
from demine.play.drills.set_summary import SetSummary
from demine.play.drills.todays_session import ANY_DRILLS, todays_session
from demine.scene.cell_faces import Face
from demine.scene.cell_highlights import Look, cell_looks
from demine.scene.face_mood import FaceMood
from demine.scene.key_bindings import Command, key_label
from demine.scene.keyboard_cursor import MOVES, moved_cursor
from demine.scene.mouse_automaton import Button
from demine.scene.overlay import Mark, Overlay
from demine.scene.panel import Panel
from demine.scene.translation import explain, mark, tr
from demine.store.daily import today_utc
from demine.store.errors import StoreError
from demine.terminal.drill_choice_form import drill_choice_form
from demine.terminal.forms import Form
from demine.terminal.render import FrameState
from demine.terminal.text_pages import KeyTable, Page, Paragraph, Table
from demine.terminal.text_scene import TextScene
from demine.terminal.text_width import cut, width, wrapped
from demine.terminal.tool_line import Tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from demine.play.drills.question import DrillQuestion
    from demine.play.drills.session import DrillAnswer, DrillSession
    from demine.play.drills.todays_session import DrillChoice
    from demine.scene.key_bindings import KeyMap
    from demine.store import Store
    from demine.terminal.terminal_theme import TerminalTheme
    from demine.terminal.text_pages import Block
    from demine.terminal.text_scene import Point
    from demine.terminal.text_style import Line, TextStyle

    Cell = tuple[int, int]

FOOTER_ROWS: Final = 3
"""Rows below the board: the question, or the answer with its proof."""
OWN_KEYS: Final = {
    "guess": ("g", mark("It is a guess")),
    "why": ("w", mark("The whole answer")),
    "progress": ("p", mark("Progress")),
    "choose": ("f", mark("Choose the drills")),
}
"""The actions of this scene alone, with their keys and what they do."""
_SUMMARY_HEADS: Final = (
    mark("Pattern"), mark("Question"), mark("Answer"), mark("Time"), mark("Comes again"),
)  # fmt: skip
_WHEEL_CELLS: Final = 3
_LONG: Final = 60.0
_WHOLE_SEARCH_SECONDS: Final = 3600.0
_FIND_SECONDS: Final = 20.0
"""After so long a set begins with what was found: some patterns are on few boards."""


class TrainScene(TextScene):
    """A set of drills after the other; every answer is saved at once.

    `wake` is called from threads when something to be shown has changed.
    """

    def __init__(
        self, store: Store, theme: TerminalTheme, keys: KeyMap, wake: Callable[[], object]
    ) -> None:
        super().__init__((9, 9), may_grow=theme.colours > 0, footer_rows=FOOTER_ROWS)
        self._store, self._theme, self._keys, self._wake = store, theme, keys, wake
        self._stop = Event()
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="drills")
        self._choice = ANY_DRILLS
        self._below: Page | None = None
        """The page below the form that chooses drills, where no board is shown."""
        self._found: Future[DrillSession] | None = None
        self._advanced: Future[None] | None = None
        self._cursor: Cell | None = None
        self._pressed: Cell | None = None
        self.session: DrillSession | None = None
        # The thread that advances the session changes it, so what is shown is kept here.
        self._shown: DrillQuestion | None = None
        self._given: DrillAnswer | None = None
        self._place = ""
        self._begin_set()

    # A set

    def _begin_set(self) -> None:
        searching = tr("Looking for mistakes and slow proofs in your games…")
        made = tr("Where your games hold too few, boards are made.")
        self._show_page(Paragraph(searching), Paragraph(made))
        if self.session is not None:
            self.session.close()
        self.session = self._advanced = self._shown = self._given = None
        choice, until = self._choice, time.monotonic() + _FIND_SECONDS

        def is_too_late() -> bool:
            is_left = self._choice is not choice or self._stop.is_set()
            return is_left or time.monotonic() > until

        self._found = self._threads.submit(
            todays_session, self._store, choice, should_stop=is_too_late
        )
        self._found.add_done_callback(lambda _: self._wake())

    def _show_page(self, *blocks: Block, title: str = "") -> None:
        self._modal.content = Page(title or tr("Training"), blocks)

    def _search_further(self) -> None:
        """Search the games that the first seconds have left, for later sets."""
        try:
            DrillPool(self._store).search_store(_WHOLE_SEARCH_SECONDS, self._stop.is_set)
        except StoreError:
            return  # the next set says so if it lasts

    def tick(self) -> None:
        """Collect what threads have found."""
        if self._found is not None and self._found.done():
            found, self._found = self._found, None
            try:
                self.session = found.result()
            except StoreError as error:
                self._show_page(Paragraph(explain(error)))
                return
            self._threads.submit(self._search_further)
            self._show_question_or_summary(self.session)
        elif self._advanced is not None and self._advanced.done() and self.session is not None:
            advanced, self._advanced = self._advanced, None
            advanced.result()
            self._show_question_or_summary(self.session)

    def _show_question_or_summary(self, session: DrillSession) -> None:
        self._modal.close()
        question = self._shown = session.question
        self._given = None
        if question is not None:
            self._place = tr("{n} of {count}", n=session.number, count=session.count)
            height, wide = question.faces.shape
            rows, cols = np.nonzero(~question.faded)
            self._cursor = int(np.median(rows)), int(np.median(cols))  # betrays no answer
            layout = replace(self._layout, shape=(height, wide), top=0, left=0)
            self._layout = layout.initially_centred_on(self._cursor)
            session.clock.set(0, running=True)  # what computed the question has taken time
        elif session.answers:
            session.close()
            self._show_summary(session)
        else:
            other = tr("Choose another kind or pattern.")
            page = (
                Paragraph(tr("There are no drills to ask.")),
                Paragraph(other),
                self._choice_key(),
            )
            self._show_page(*page)

    @staticmethod
    def _choice_key() -> Block:
        key, text = OWN_KEYS["choose"]
        return KeyTable(((key_label(key), tr(text)),))

    def _choose_drills(self) -> None:
        """Show the form that chooses which drills are asked."""
        below = self._modal.content
        self._below = below if isinstance(below, Page) and self._shown is None else None
        self._modal.content = drill_choice_form(self._choice, self._begin_chosen)

    def _begin_chosen(self, choice: DrillChoice) -> None:
        self._choice = choice
        self._begin_set()

    def _show_summary(self, session: DrillSession) -> None:
        try:
            reviews = self._store.drill_reviews()
        except StoreError:  # said where answers are saved
            reviews = ()
        summary = SetSummary.of(session.reviews, reviews, datetime.now(UTC))
        words = (summary.progress.headline, summary.best_improvement)
        rows = tuple(
            (each.pattern, each.kind, each.verdict, each.time, each.comes_again)
            for each in summary.lines
        )
        heads = tuple(tr(head) for head in _SUMMARY_HEADS)
        self._show_page(
            *(Paragraph(text) for text in words if text),
            Table(heads, rows, right=3),
            Paragraph(tr("Enter begins another set.")),
            self._choice_key(),
            title=session.summary(),
        )

    # Answering

    def _act_at(self, cell: Cell | None) -> None:
        """Answer with a covered cell."""
        question = self._shown
        if question is not None and cell is not None and question.faces[cell] == Face.COVERED:
            self._give(cell)

    def _give(self, cell: Cell | None) -> None:
        if self.session is None or self._shown is None or self._given is not None:
            return
        self._given = self.session.answer(cell)
        main = self._given.overlay.main_cell
        self._cursor = None
        if main is not None:
            self._layout = self._layout.scrolled_to(main)

    def _go_on(self) -> None:
        if self.session is not None and self._given is not None and self._advanced is None:
            self._advanced = self._threads.submit(self.session.advance)
            self._advanced.add_done_callback(lambda _: self._wake())

    def run_action(self, action: str) -> None:
        """Carry out one of `OWN_KEYS`, or `next` or `close`."""
        question, answer = self._shown, self._given
        if action == "guess" and question is not None and question.may_be_a_guess:
            self._give(None)
        elif action == "why" and answer is not None:
            self._show_page(Paragraph(answer.question.text, heading=True), Paragraph(str(answer)))
        elif action == "choose" and self._found is None:
            self._choose_drills()
        elif action == "progress" and question is not None:
            self._show_progress()
        elif action == "next":
            self._go_on()
        elif action == "close":
            self.close()

    def _show_progress(self) -> None:
        try:
            progress = DrillProgress.of(self._store.drill_reviews(), today_utc())
        except StoreError as error:
            self._show_page(Paragraph(explain(error)))
            return
        columns = len(PROGRESS_HEADS) - self._theme.ascii_only  # the last is drawn with bars
        heads = tuple(tr(head) for head in PROGRESS_HEADS[:columns])
        rows = tuple(each.texts[:columns] for each in progress.patterns)
        table = (Table(heads, rows),) if rows else ()
        self._show_page(Paragraph(progress.headline), *table, title=tr("Progress by pattern"))

    def close(self) -> None:
        """End the scene; what is not saved is tried once more."""
        self._stop.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self.session is not None:
            self.session.close()
        super().close()

    # Output

    def frame_state(self) -> FrameState:
        """Return everything that the screen shows now."""
        session, question, answer = self.session, self._shown, self._given
        faces = np.zeros(self._layout.shape, np.uint8) if question is None else question.faces
        height, wide = faces.shape
        seconds = 0 if session is None else session.clock.ms // 1000
        mines = 0 if question is None else question.mines
        return FrameState(
            layout=self._layout,
            theme=self._theme,
            tools=self._tools(),
            panel=Panel(mines, seconds, self._mood(), ""),
            mine_digits=3,
            line=self._title(),
            message=NO_MESSAGE,
            keys="",
            faces=faces,
            overlay=Overlay.empty((height, wide)) if answer is None else answer.overlay,
            looks=self._looks(faces),
            cursor=self._cursor,
            start=None,
            modal_content=self._modal.content,
            footer=self._footer(),
        )

    def _tools(self) -> tuple[Tool, ...]:
        question, answered = self._shown, self._given is not None
        may_guess = question is not None and question.may_be_a_guess and not answered
        return (
            Tool("guess", tr("It is a guess"), "G", may_guess),
            Tool("next", tr("Next"), key_label("enter"), answered),
            Tool("why", tr("Why"), "W", answered),
            Tool("progress", tr("Progress"), "P", question is not None),
            Tool("choose", tr("Choose"), "F", self._found is None),
            Tool("close", tr("Quit"), key_label("escape")),
        )

    def _mood(self) -> FaceMood:
        if self._given is None:
            return FaceMood.IDLE
        return FaceMood.WON if self._given.is_right else FaceMood.LOST

    def _title(self) -> str:
        if self._shown is None:
            return ""
        return f"{self._place} · {tr(self._shown.drill.kind.heading)}"

    def _looks(self, faces: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the looks of a board's faces; numbers that cannot matter are dim."""
        looks = cell_looks(faces, fade_finished=False)
        if self._shown is not None:
            unmarked = True if self._given is None else self._given.overlay.marks == Mark.NONE
            looks[self._shown.faded & unmarked & (faces != Face.COVERED)] = Look.DIM
        return looks

    def _said(self, question: DrillQuestion) -> tuple[str, TextStyle]:
        """Return what is said below the board: the question, the answer, or what is wrong."""
        trouble = None if self.session is None else self.session.trouble
        if trouble is not None:
            reason = explain(trouble)
            text = tr("Not saved yet, and tried again later: {reason}", reason=reason)
            return text, self._theme.lost
        if self._given is not None:
            return str(self._given), self._theme.plain
        return f"{question.text}\n{tr('Arrow keys move, Space answers.')}", self._theme.plain

    def _footer(self) -> tuple[Line, ...]:
        if self._shown is None:
            return ()
        theme = self._theme
        said, style = self._said(self._shown)
        room = max(1, self._layout.cols - 2)
        lines = [
            line for part in said.splitlines() for line in wrapped(theme.printable(part), room)
        ]
        rows = self._layout.note_rows
        if len(lines) > rows:
            more = theme.printable(tr("… (W)"))
            lines = lines[:rows]
            lines[-1:] = [cut(line, room - width(more), "") + more for line in lines[-1:]]
        return tuple(((f" {line}", style),) for line in lines)

    def seconds_until_redraw(self) -> float:
        """Return how many seconds may pass before the screen changes by itself."""
        return 1.0 if self._shown is not None and self._given is None else _LONG

    # Input

    def key(self, names: tuple[str, ...]) -> None:
        """Handle a key press, with the names that the key may have."""
        command = next(filter(None, map(self._keys.lookup, names)), None)
        if command in (Command.CANCEL, Command.QUIT, Command.TRAIN):
            self._leave_page_or_scene()
        elif self._modal:
            self._key_on_page(names, command)
        elif command is Command.HELP:
            self._show_help()
        elif command in MOVES:
            self._move_cursor(command)
        elif command is Command.ACT:
            self._go_on() if self._given is not None else self._act_at(self._cursor)
        else:
            action = next((each for each, (key, _) in OWN_KEYS.items() if key in names), "")
            self.run_action(action)

    def _leave_page_or_scene(self) -> None:
        if self._below is not None and isinstance(self._modal.content, Form):
            self._modal.content = self._below
        elif self._modal and self._shown is not None:
            self._modal.close()
        else:
            self.close()

    def _key_on_page(self, names: tuple[str, ...], command: Command | None) -> None:
        is_at_end = self.session is not None and self._shown is None
        if isinstance(self._modal.content, Form):
            self._modal.handle_key(names, command, self._layout)
        elif OWN_KEYS["choose"][0] in names:
            self.run_action("choose")
        elif "enter" in names and is_at_end:
            self._choice = replace(self._choice, is_daily=False)  # which is asked once a day
            self._begin_set()
        elif "enter" in names and self._shown is not None:
            self._modal.close()
        else:
            self._modal.handle_key(names, command, self._layout)

    def _move_cursor(self, command: Command) -> None:
        if self._shown is not None and self._given is None:
            self._cursor = moved_cursor(self._shown.faces, self._cursor, command)
            self._layout = self._layout.scrolled_to(self._cursor)

    def _show_help(self) -> None:
        acts = "  ".join(map(key_label, self._keys.keys(Command.ACT)))
        rows = [(acts, tr("Answer with the cell at the cursor, or go on"))]
        rows += [(key_label(key), tr(text)) for key, text in OWN_KEYS.values()]
        self._show_page(KeyTable(tuple(rows)), title=tr("Keys"))

    def paste(self, text: str) -> None:
        """Ignore a pasted text."""

    def press(self, button: Button, at: Point, *, shift: bool = False, ctrl: bool = False) -> None:
        """Handle a press: on a tool, on a page, on the face, or on a cell."""
        del shift, ctrl
        action = self._tool_at(at)
        if action is not None:
            self.run_action(action)
        elif isinstance(self._modal.content, Form):
            backwards = button is not Button.LEFT
            self._modal.handle_click(*at, self._layout, backwards=backwards)
        elif self._modal and self._shown is not None:
            self._modal.close()
        elif self._layout.is_on_restart_button(*at):
            self._go_on()
        elif button is Button.LEFT:
            self._pressed = self._layout.cell_at(*at)

    def release(self, button: Button, at: Point) -> None:
        """Answer with the cell that was pressed."""
        pressed, self._pressed = self._pressed, None
        if button is Button.LEFT and pressed is not None and self._layout.cell_at(*at) == pressed:
            self._act_at(pressed)

    def move(self, at: Point) -> None:
        """Ignore the pointer."""

    def wheel(self, steps: int, *, sideways: bool = False) -> None:
        """Scroll the page, or the board."""
        if self._modal:
            self._modal.scroll(steps, self._layout)
            return
        cells = steps * _WHEEL_CELLS
        self._layout = self._layout.scrolled(*((0, cells) if sideways else (cells, 0)))

    def set_focused(self, focused: bool) -> None:
        """Let go of a pressed cell when the terminal loses the keyboard."""
        if not focused:
            self._pressed = None

    def resized(self, cols: int, rows: int) -> None:
        """Fit the screen to a new size of the terminal."""
        self._layout = self._layout.resized(cols, rows)
        if self._cursor is not None:
            self._layout = self._layout.scrolled_to(self._cursor)
        self._modal.scroll(0, self._layout)
