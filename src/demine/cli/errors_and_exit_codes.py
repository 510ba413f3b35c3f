"""The exit codes of the command line, and the line on stderr that goes with a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from demine.scene.translation import explain

if TYPE_CHECKING:
    from demine.logic.errors import DemineError

DONE: Final = 0
ANSWER_IS_NO: Final = 1
"""The answer is no."""
BAD_INPUT: Final = 2
"""Bad usage or input."""
INTERRUPTED: Final = 130
_MAX_CHARACTERS: Final = 300
"""How much of a complaint is worth reading: it may quote what somebody pasted."""


def print_message(verb: str, sentence: str) -> None:
    """Print a sentence on stderr, with the verb that says it."""
    click.echo(f"demine {verb}: {sentence}", err=True)


def print_negative_answer(verb: str, error: DemineError) -> int:
    """Say on stderr why the answer is no, and return the exit code for that."""
    return print_error(f"demine {verb}", explain(error), ANSWER_IS_NO)


def print_error(where: str, sentence: str, code: int = BAD_INPUT) -> int:
    """Say in one line on stderr where and what went wrong, and return the exit code."""
    line = " ".join(sentence.split())
    if len(line) > _MAX_CHARACTERS:
        line = f"{line[: _MAX_CHARACTERS * 2 // 3]} ... {line[-_MAX_CHARACTERS // 3 :]}"
    click.echo(f"{where}: {line}", err=True)
    return code
