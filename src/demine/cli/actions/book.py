"""What `demine book` does: searches for puzzles and writes them as a PDF file."""

from __future__ import annotations

import contextlib
import importlib.util
import secrets
import sys
from typing import TYPE_CHECKING

import click

from demine.books.puzzles import (
    BookError,
    BookPlan,
    Puzzle,
    PuzzleKind,
    checked_rules,
    find_puzzles,
)
from demine.cli.ctrl_c import catch_ctrl_c
from demine.cli.exit_codes import (
    ANSWER_IS_NO,
    DONE,
    INTERRUPTED,
    print_message,
    print_negative_answer,
)
from demine.cli.progress_line import Progress
from demine.replay.limited_file_io import atomic_write
from demine.scene.translation import tr
from demine.solver.proof.difficulty_levels import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


def run_book(
    rules: str, kind: str, rating: str, count: int, seed: int | None, paper: str, target: str | None
) -> int:
    """Carry out `demine book` and return the exit code."""
    if target is None:
        raise click.UsageError(tr("say which file to write: -o FILE"))
    if target == "-" and sys.stdout.isatty():
        raise click.UsageError(tr("a book is not text for a terminal: use -o FILE"))
    if importlib.util.find_spec("fpdf") is None:
        raise click.UsageError(tr('books need fpdf2: pip install "demine[book]"'))
    chosen = checked_rules(rules)
    drawn = secrets.randbelow(1 << 32) if seed is None else seed
    if seed is None:
        print_message("book", tr("seed {seed}", seed=drawn))
    plan = BookPlan(PuzzleKind(kind), chosen, Pattern(rating), count, drawn, paper)
    found: list[Puzzle] = []
    try:
        # The file is opened first: nobody wants to hear after a long search that it cannot be.
        with _opened(target) as file:
            stopped = _search(plan, found)
            from demine.books.pdf import write_book

            file.write(write_book(plan, found))
    except BookError as error:
        return print_negative_answer("book", error)
    if len(found) < count:
        print_message("book", tr("{done} of {count} puzzles written", done=len(found), count=count))
    return INTERRUPTED if stopped else DONE if len(found) == count else ANSWER_IS_NO


@contextlib.contextmanager
def _opened(target: str) -> Iterator[BinaryIO]:
    """Open the file to write, which is replaced only when complete; "-" is standard output."""
    if target == "-":
        yield sys.stdout.buffer
    else:
        with atomic_write(target) as file:
            yield file


def _search(plan: BookPlan, found: list[Puzzle]) -> bool:
    """Add puzzles to a list, with progress shown; return whether Ctrl-C ended the search.

    If it did so, or if no further puzzle was found, before there was any, an error is raised.
    """
    with catch_ctrl_c() as stop, Progress(plan.puzzle_count, "puzzles") as progress:

        def tried(failed: int) -> None:
            progress.show_failed_tries(failed)
            if stop():
                raise KeyboardInterrupt

        try:
            for puzzle in find_puzzles(plan, tried):
                found.append(puzzle)
                progress.step()
                if stop():
                    break
        except (BookError, KeyboardInterrupt) as error:
            if not found:
                raise
            progress.clear()
            if isinstance(error, BookError):
                print_negative_answer("book", error)
        return stop()
