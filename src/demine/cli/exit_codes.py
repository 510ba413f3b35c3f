"""The exit codes of the command line, and the messages on stderr that go with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from demine.scene.translation import explain, tr

if TYPE_CHECKING:
    from demine.logic.errors import DemineError

DONE: Final = 0
ANSWER_IS_NO: Final = 1
"""The input is good, but the answer is no."""
BAD_INPUT: Final = 2
"""The usage or the input is bad."""
INTERRUPTED: Final = 130
_MAX_CHARACTERS: Final = 300
"""Longer errors are shortened in the middle: they may quote what somebody pasted."""

_CELL_OPTIONS: Final = {"make": "--first {},{}", "study": "--start {},{}", "match": "--start {},{}"}
"""The options that take a cell, counted from 0, while sentences count from 1."""


def print_message(verb: str, sentence: str) -> None:
    """Print a sentence on stderr after `demine VERB:`."""
    click.echo(f"demine {verb}: {sentence}", err=True)


def exit_code_of_error(error: BaseException) -> int:
    """Return `BAD_INPUT` if the operating system refused a file, else `ANSWER_IS_NO`."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__
    return ANSWER_IS_NO if cause is None else BAD_INPUT


def print_negative_answer(verb: str, error: DemineError, source: str = "") -> int:
    """Print on stderr why the answer is no, after the file it is about; return `ANSWER_IS_NO`."""
    sentence = error_sentence(verb, error)
    if source:
        sentence = tr("{path}: {reason}", path=source, reason=sentence)
    return print_error(f"demine {verb}", sentence, ANSWER_IS_NO)


def error_sentence(verb: str, error: DemineError) -> str:
    """Return what an error says, with the option that names its cell if the verb has one."""
    option, cell = _CELL_OPTIONS.get(verb), error.cell
    if option is None or cell is None:
        return explain(error)
    return tr("{sentence} ({option})", sentence=explain(error), option=option.format(*cell))


def print_error(command: str, sentence: str, code: int = BAD_INPUT) -> int:
    """Print an error as one line on stderr, after the command; return the exit code."""
    line = " ".join(sentence.split())
    if len(line) > _MAX_CHARACTERS:
        line = f"{line[: _MAX_CHARACTERS * 2 // 3]} ... {line[-_MAX_CHARACTERS // 3 :]}"
    click.echo(f"{command}: {line}", err=True)
    return code
