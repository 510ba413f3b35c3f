"""What `demine train` does: asks drills and judges the answers, or shows the progress."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Final, Protocol

import click
import numpy as np

from demine.cli.board_output import print_coloured, should_colour
from demine.cli.exit_codes import DONE, print_message, print_negative_answer
from demine.cli.file_statistics import UncountedFile, expand_folders
from demine.cli.marked_board import ANSWER, BECAUSE, MISTAKE, format_marked_board
from demine.cli.progress_line import Progress
from demine.cli.text_table import fitted_lines, terminal_width, wrapped_lines
from demine.logic.errors import DemineError
from demine.logic.json_text import to_json
from demine.play import load_kernels
from demine.play.drills.find_or_make import MOST_BOARDS, DrillError, drill_filter
from demine.play.drills.pool import DrillPool
from demine.play.drills.progress import PROGRESS_HEADS, DrillProgress
from demine.play.drills.session import DrillSession
from demine.play.drills.todays_session import DrillChoice, todays_session
from demine.replay.load_save import load_all
from demine.scene.board_title import board_title
from demine.scene.cell_faces import Face
from demine.scene.overlay import Mark
from demine.scene.translation import explain, mark, tr
from demine.store import Store
from demine.store.daily import today_utc

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from demine.game import Game
    from demine.play.drills.question import DrillQuestion
    from demine.play.drills.session import DrillAnswer

    Cell = tuple[int, int]

_BRACKETS: Final = {
    Mark.BECAUSE: BECAUSE, Mark.SAFE: ANSWER, Mark.GUESS: ANSWER, Mark.MISTAKE: MISTAKE,
}  # fmt: skip
_CUT_NOTE: Final = mark("Columns {first} to {last} of {width}; a wider window shows every one.")
_GUESS_WORDS: Final = frozenset({"g", "guess"})
_QUIT_WORDS: Final = frozenset({"q", "quit"})
_MAX_LINE: Final = 1000
"""Characters of an answer that are read at once."""
_BOLD, _GREEN, _RED = "1", "1;32", "1;31"


def run_train(
    count: int,
    sources: tuple[str, ...],
    level: str | None,
    daily: bool,
    kind: str | None,
    pattern: str | None,
    progress: bool,
    as_json: bool,
    color: str,
) -> int:
    """Carry out `demine train` and return the exit code."""
    _check_options(sources, level, daily, kind or pattern, progress)
    choice = DrillChoice(kind, pattern, level, daily, count)
    if load_kernels.kernels_are_cached():
        load_kernels.load_common_kernels()
    with Store.open() as store:
        for notice in store.take_notices():
            print_message("train", explain(notice))
        if progress:
            _print_progress(store, as_json=as_json)
            return DONE
        session = _session(store, sources, choice)
        if session.question is None:
            return print_negative_answer("train", DrillError("there are no such drills"))
        dialogue: _Dialogue = _JsonDialogue() if as_json else _TextDialogue(color)
        _ask_all(session, dialogue)
        session.close()
        if session.trouble is not None:
            raise session.trouble
        dialogue.end(session, _progress(store))
    return DONE


def _check_options(
    sources: tuple[str, ...], level: str | None, daily: bool, filter_: str | None, progress: bool
) -> None:
    """Raise `click.UsageError` for options that exclude each other."""
    if progress and (sources or level or daily or filter_):
        raise click.UsageError(tr("--progress goes with no choice of drills"))
    if daily and filter_:
        raise click.UsageError(tr("--daily goes with neither --kind nor --pattern"))
    if sum(map(bool, (sources, level, daily))) > 1:
        raise click.UsageError(tr("--from, --level and --daily do not go together"))


def _session(store: Store, sources: tuple[str, ...], choice: DrillChoice) -> DrillSession:
    """Return a set of drills of files, or the one that is next."""
    if sources:
        is_wanted = drill_filter(choice.kind, choice.pattern)
        pool = DrillPool()
        pool.search_games(_games_of(sources))
        pool.keep(is_wanted)
        return DrillSession.of_today(pool, store, choice.count)
    with Progress(MOST_BOARDS, "boards") as progress:
        return todays_session(store, choice, on_board=progress.step)


def _games_of(sources: Sequence[str]) -> Iterator[Game]:
    """Yield the games of files and folders; what holds none is told of."""
    for file in expand_folders(sources):
        if isinstance(file, UncountedFile):
            print_message("train", tr("{path}: {reason}", path=file.file, reason=file.reason))
            continue
        try:
            yield from load_all(file)
        except DemineError as error:
            print_message("train", tr("{path}: {reason}", path=file, reason=explain(error)))


# Asking


class _Dialogue(Protocol):
    """How questions are asked, answers read, and both told of."""

    def ask(self, session: DrillSession, question: DrillQuestion) -> None:
        """Show a question."""

    def parse(self, line: str, question: DrillQuestion) -> Cell | None:
        """Return the answer in a line, None for "it is a guess"; raises `_BadAnswer`."""

    def refuse(self, error: _BadAnswer, question: DrillQuestion) -> None:
        """Say that a line is no answer, and ask again."""

    def tell(self, answer: DrillAnswer) -> None:
        """Show whether an answer was right, and the proof."""

    def end(self, session: DrillSession, progress: DrillProgress) -> None:
        """Sum up."""


class _BadAnswer(DemineError, ValueError):
    """A line that is no answer to the question."""


def _ask_all(session: DrillSession, dialogue: _Dialogue) -> None:
    """Ask until no question or no line of input is left."""
    while (question := session.question) is not None:
        dialogue.ask(session, question)
        line = _read_line()
        while line is not None:
            try:
                dialogue.tell(session.answer(dialogue.parse(line, question)))
                break
            except _BadAnswer as error:
                dialogue.refuse(error, question)
                line = _read_line()
        if line is None:
            return
        session.advance()


def _read_line() -> str | None:
    """Return the next line of input; None at its end and for a wish to quit."""
    line = sys.stdin.readline(_MAX_LINE) if sys.stdin is not None else ""
    return None if not line or line.strip().lower() in _QUIT_WORDS else line.strip()


def _checked_answer(cell: Cell, question: DrillQuestion) -> Cell:
    (row, col), (height, width) = cell, question.faces.shape
    if not (0 <= row < height and 0 <= col < width) or question.faces[cell] != Face.COVERED:
        raise _BadAnswer("row {row}, column {col} is no covered cell", row=row, col=col)
    return cell


class _TextDialogue:
    """Questions and answers as text, for people, who count rows and columns from 1."""

    def __init__(self, color: str) -> None:
        self._colour = should_colour(color)
        self._width = terminal_width()

    def ask(self, session: DrillSession, question: DrillQuestion) -> None:
        head = f"{session.number}/{session.count} · {tr(question.drill.kind.heading)}"
        title = board_title(question.drill.game.rules)
        self._print("", _painted(f"{head} · {title}", _BOLD, self._colour))
        self._print(*self._wrapped(question.text))
        self._print(*self._board(question, {}))
        self._prompt(question)

    def parse(self, line: str, question: DrillQuestion) -> Cell | None:
        if question.may_be_a_guess and line.lower() in _GUESS_WORDS:
            return None
        found = re.fullmatch(r"(\d{1,9})[\s,;]+(\d{1,9})", line, re.ASCII)
        if found is None:
            raise _BadAnswer("write the row and the column, as in 4 7")
        return _checked_answer((int(found[1]) - 1, int(found[2]) - 1), question)

    def refuse(self, error: _BadAnswer, question: DrillQuestion) -> None:
        self._print(*self._wrapped(explain(error)))
        self._prompt(question)

    def tell(self, answer: DrillAnswer) -> None:
        marks = answer.overlay.marks
        brackets = {
            (row, col): _BRACKETS[Mark(marks[row, col])]
            for row, col in np.argwhere(np.isin(marks, list(_BRACKETS))).tolist()
        }
        self._print("", *self._board(answer.question, brackets))
        said, *more = self._wrapped(str(answer))
        self._print(_painted(said, _GREEN if answer.is_right else _RED, self._colour), *more)

    def end(self, session: DrillSession, progress: DrillProgress) -> None:
        if session.answers:
            self._print("", session.summary(), progress.headline)

    def _board(self, question: DrillQuestion, marks: dict[Cell, str]) -> list[str]:
        # Where not all columns fit, those that matter are shown, which betrays no answer.
        near = int(np.median(np.argwhere(~question.faded)[:, 1]))
        is_guess = bool(marks) and question.solution.risk > 0.0
        return format_marked_board(
            question.faces, marks, self._width, near,
            colour=self._colour, is_guess=is_guess, faded=question.faded,
            cut_note=_CUT_NOTE,
        )  # fmt: skip

    def _prompt(self, question: DrillQuestion) -> None:
        text = tr("Row and column, q to end: ")
        if question.may_be_a_guess:
            text = tr("Row and column, g for a guess, q to end: ")
        click.echo(text, nl=False)
        sys.stdout.flush()

    def _wrapped(self, text: str) -> list[str]:
        return wrapped_lines(text, self._width) if self._width else [text]

    def _print(self, *lines: str) -> None:
        print_coloured("\n".join(lines), keep_colours=self._colour)


class _JsonDialogue:
    """Questions and answers as lines of JSON, for programs, which count from 0."""

    def ask(self, session: DrillSession, question: DrillQuestion) -> None:
        place = {"number": session.number, "count": session.count}
        self._print({**place, **question.to_dict()})

    def parse(self, line: str, question: DrillQuestion) -> Cell | None:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = line
        if found is None and question.may_be_a_guess:
            return None
        if not (isinstance(found, list) and [type(each) for each in found] == [int, int]):
            raise _BadAnswer("write a cell as [4, 7], or null for a guess")
        return _checked_answer((found[0], found[1]), question)

    def refuse(self, error: _BadAnswer, question: DrillQuestion) -> None:
        del question
        self._print({"error": explain(error)})

    def tell(self, answer: DrillAnswer) -> None:
        self._print(answer.to_dict())

    def end(self, session: DrillSession, progress: DrillProgress) -> None:
        right = sum(each.is_right for each in session.answers)
        said = {"answers": len(session.answers), "right": right}
        self._print({**said, **progress.to_dict()})

    @staticmethod
    def _print(values: dict[str, object]) -> None:
        click.echo(to_json(values))
        sys.stdout.flush()


def _painted(text: str, style: str, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour else text


# Progress


def _progress(store: Store) -> DrillProgress:
    return DrillProgress.of(store.drill_reviews(), today_utc())


def _print_progress(store: Store, *, as_json: bool) -> None:
    found = _progress(store)
    if as_json:
        click.echo(to_json(found.to_dict()))
        return
    click.echo(found.headline)
    if found.patterns:
        rows = [
            [tr(head) for head in PROGRESS_HEADS],
            *(list(each.texts) for each in found.patterns),
        ]
        lines = fitted_lines(rows, terminal_width(), shrinking_column=0, right_columns=(1, 2, 3, 4))
        click.echo("\n".join(["", *lines]))
